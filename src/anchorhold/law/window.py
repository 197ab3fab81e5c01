"""The denominator: which gains of the window count, and with how much.

Numbered as in SPEC section 3: (1) the entries of the window, (2) which are counted, (3) their values, (4) S and U(S).
May import: anchorhold.domain.contract, law.*, stats.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from anchorhold.domain.contract import Contract
from anchorhold.law.counts import SoundCounts, estimate_of, read_counts
from anchorhold.law.document import GainTest, RegisterEntry, RejectedTest, SpecialPath, StageReport, Window
from anchorhold.law.problems import Problems
from anchorhold.law.result import Note, Uncounted
from anchorhold.law.silent import plainly_silent
from anchorhold.stats.elo import Estimate, NoEstimate

_TESTS = (GainTest, RejectedTest, SpecialPath)
SHOWN = 5
"""How many entry numbers a message lists at most."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What one stage of a counted gain claims."""

    elo: float
    error: float | None
    """Half-width; None when neither reported nor to be had from counts."""
    nelo: float | None
    """Normalized Elo from pairs; None without pairs."""
    counts: SoundCounts | None


@dataclass(frozen=True, slots=True)
class CountedGain:
    """A gain test that passed both stages."""

    seq: int
    long: Claim | None
    """None when it has neither value nor counts (a defect)."""
    short: Claim | None
    report: StageReport
    """The long stage as the oracle reported it."""


@dataclass(frozen=True, slots=True)
class Denominator:
    """The window, read."""

    counted: tuple[CountedGain, ...]
    uncounted: tuple[Uncounted, ...]
    notes: tuple[Note, ...]


def read_window(
    entries: Sequence[RegisterEntry],
    window: Window,
    *,
    contract: Contract,
    problems: Problems,
    short_problems: Problems,
) -> Denominator:
    """Read the window: what is counted, what is not and why.

    Parameters
    ----------
    problems, short_problems : Problems
        Where defects of the whole and of the short stage alone are noted.
    """
    inside = sorted(
        (entry for entry in entries if window.after < entry.seq <= window.until), key=lambda entry: entry.seq
    )
    _check_numbering(inside, window, problems)
    counted: list[CountedGain] = []
    uncounted: list[Uncounted] = []
    notes: list[Note] = []
    reasons = [_why_uncounted(entry) for entry in inside]
    silent = _silent(inside, reasons, contract=contract)
    for entry, why in zip(inside, reasons, strict=True):
        if why:
            uncounted.append(Uncounted(seq=entry.seq, why=why))
        if not isinstance(entry, _TESTS):
            continue
        long = short = None
        if entry.long is not None and id(entry.long) not in silent:
            long = _read_stage(entry, "long", not why, contract=contract, problems=problems, notes=notes)
        if entry.short is not None and id(entry.short) not in silent:
            short = _read_stage(entry, "short", not why, contract=contract, problems=short_problems, notes=notes)
        if not why:
            assert entry.long is not None
            counted.append(CountedGain(seq=entry.seq, long=long, short=short, report=entry.long))
    return Denominator(counted=tuple(counted), uncounted=tuple(uncounted), notes=tuple(notes))


def _silent(inside: Sequence[RegisterEntry], reasons: Sequence[str], *, contract: Contract) -> set[int]:
    """Identities of the stages that add nothing to S and of which nothing is to be told."""
    reports = [
        report
        for entry, why in zip(inside, reasons, strict=True)
        if why and isinstance(entry, _TESTS)
        for report in (entry.long, entry.short)
        if report is not None
    ]
    silent = plainly_silent(reports, contract=contract)
    return {id(report) for report, is_silent in zip(reports, silent, strict=True) if is_silent}


def _check_numbering(inside: Sequence[RegisterEntry], window: Window, problems: Problems) -> None:
    """(1) The entries must be exactly after + 1 … until, each once; ids must not repeat."""

    def broken(message: str) -> None:
        problems.add(
            "window_broken",
            scope="window",
            where="register",
            message=message,
            next_step="Export the register again, whole; entries are numbered without a hole.",
        )

    if window.until < window.after:
        problems.add(
            "window_broken",
            scope="window",
            where="window.until",
            message=f"The window ends at {window.until}, before it begins after {window.after}.",
            next_step="Give the entry that opened the last closing check as after, the one that opened this as until.",
        )
    times = Counter(entry.seq for entry in inside)
    twice = [seq for seq, count in times.items() if count > 1]
    if twice:
        broken(f"Entries stand more than once in the window: {_listed(twice)}.")
    absent = window.until - window.after - len(times)
    if absent > 0:
        # A window may be declared to be astronomically long: only the first holes are looked for.
        holes: list[int] = []
        expected = window.after + 1
        for seq in [*sorted(times), window.until + 1]:
            while expected < seq and len(holes) < SHOWN:
                holes.append(expected)
                expected += 1
            expected = seq + 1
        shown = ", ".join(str(seq) for seq in holes) + (", …" if absent > len(holes) else "")
        broken(f"{absent} of {window.until - window.after} entries are missing in the window: {shown}.")
    ids: dict[str, list[int]] = {}
    for entry in inside:
        if entry.id is not None:
            ids.setdefault(entry.id, []).append(entry.seq)
    for name, seqs in ids.items():
        if len(seqs) > 1:
            problems.add(
                "id_twice",
                scope="window",
                where=f"register[seq={seqs[1]}].id",
                message=f"The id {name!r} stands {len(seqs)} times in the window: entries {_listed(seqs)}.",
                next_step="A test is recorded once; correct the double entry with an entry of its own and a new id.",
            )


def _listed(seqs: Sequence[int]) -> str:
    return ", ".join(str(seq) for seq in seqs[:SHOWN]) + (", …" if len(seqs) > SHOWN else "")


def _why_uncounted(entry: RegisterEntry) -> str:
    """(2) Why an entry adds nothing to S; empty for a counted gain."""
    if isinstance(entry, GainTest):
        lacking = [
            name
            for name, stage in (("short", entry.short), ("long", entry.long))
            if stage is None or stage.passed is not True
        ]
        return f"gain test without a pass of the {' and the '.join(lacking)} stage" if lacking else ""
    if isinstance(entry, SpecialPath):
        return f"special path: {entry.special}"
    return {
        "rejected_test": "rejected test",
        "retraction": "retraction: earlier gains stay",
        "epoch_change": "epoch change of the oracle",
        "note": "note",
    }.get(entry.kind, f"{entry.kind} entry: carries no claim")


def _read_stage(
    entry: GainTest | RejectedTest | SpecialPath,
    stage: str,
    is_counted: bool,
    *,
    contract: Contract,
    problems: Problems,
    notes: list[Note],
) -> Claim | None:
    """(3) The value of one stage: as reported, else from its counts."""
    report = entry.long if stage == "long" else entry.short
    assert report is not None
    where = f"register[seq={entry.seq}].{stage}"
    deciding = is_counted and stage == "long"
    if report.elo_error is not None and report.elo_error <= 0:
        problems.add(
            "error_not_positive",
            scope="claims",
            where=f"{where}.elo_error",
            message=f"The half-width {report.elo_error:g} of the claim is not above 0.",
            next_step="Give the 95 % half-width, or leave it out and give the counts.",
        )
    counts = read_counts(report, where=where, scope="claims", problems=problems)
    estimate: Estimate | None = None
    if counts is not None:
        counts, estimate = _estimable(counts, contract=contract)
    value = report.elo
    if value is None and estimate is None:
        if deciding and counts is not None:
            problems.add(
                "claim_without_value",
                scope="claims",
                where=where,
                message=f"Entry {entry.seq} is a counted gain without a long-stage value and without counts for one.",
                next_step="Record the oracle's value or the counts of the test with an entry of its own.",
            )
        return None
    if value is not None and estimate is not None:
        _compare(entry.seq, where, report, value, estimate, deciding, contract=contract, problems=problems, notes=notes)
    error = report.elo_error if report.elo_error is not None else (estimate.error if estimate else None)
    from_pairs = counts is not None and counts.pentanomial is not None
    return Claim(
        elo=value if value is not None else (estimate.elo if estimate else 0.0),
        error=error,
        nelo=estimate.nelo if estimate and from_pairs else None,
        counts=counts,
    )


def _estimable(counts: SoundCounts, *, contract: Contract) -> tuple[SoundCounts, Estimate | None]:
    """Elo of a register entry's counts, and the counts behind it; those that carry no estimate are as if absent."""
    try:
        return counts, estimate_of(counts, contract=contract)
    except NoEstimate:
        games = SoundCounts(None, counts.trinomial)
    try:
        return games, estimate_of(games, contract=contract)
    except NoEstimate:
        return SoundCounts(None, None), None


def _compare(
    seq: int,
    where: str,
    report: StageReport,
    value: float,
    estimate: Estimate,
    deciding: bool,
    *,
    contract: Contract,
    problems: Problems,
    notes: list[Note],
) -> None:
    difference = abs(value - estimate.elo)
    own_error = report.elo_error if report.elo_error is not None else estimate.error
    if deciding and difference > own_error + estimate.error:
        problems.add(
            "claim_contradicts_counts",
            scope="claims",
            where=f"{where}.elo",
            message=(
                f"Entry {seq} claims {value:g} Elo but its counts give {estimate.elo:.3f} ± {estimate.error:.3f}: "
                f"further apart than both half-widths together."
            ),
            next_step="Record the right value or the right counts; too small a claim would raise R.",
        )
    elif difference > contract.parameters.claim_tolerance:
        notes.append(
            Note(
                code="claim_differs_from_counts",
                message=f"{where}: {value:g} Elo is reported and stays; the counts give {estimate.elo:.3f}.",
            )
        )


@dataclass(frozen=True, slots=True)
class Sum:
    """S and U(S)."""

    value: float
    error: float | None
    """√Σ eⱼ²; None when a counted gain has no half-width."""


def sum_of(claims: Sequence[Claim | None]) -> Sum | None:
    """(4) S = Σ of the counted and U(S) = √Σ eⱼ²; None when a claim has no value."""
    known = [claim for claim in claims if claim is not None]
    if len(known) != len(claims):
        return None
    errors = [claim.error for claim in known if claim.error is not None]
    return Sum(
        value=math.fsum(claim.elo for claim in known),
        error=math.hypot(*errors) if len(errors) == len(known) else None,
    )

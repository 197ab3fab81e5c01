"""What a stretch of the register claims: S in all its forms, the tests behind it, and what is not known of it.

Source: SPEC sections 3 and 4. May import: anchorhold.errors, anchorhold.domain, anchorhold.law, anchorhold.stats,
anchorhold.checks.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from anchorhold.checks.law_view import contract_of_register, document_entries
from anchorhold.checks.state import checks_of, payload_of
from anchorhold.domain.contract import Contract
from anchorhold.domain.entries import Entry
from anchorhold.domain.payloads import CheckClosed, read_payload
from anchorhold.domain.payloads import Test as TestPayload
from anchorhold.domain.sentences import Figure, Sentence
from anchorhold.errors import BadInput, RegisterBroken
from anchorhold.law.corrected import NoSum, median_unbiased_claims, selection_corrected_claims
from anchorhold.law.document import Window
from anchorhold.law.evaluation import DEFAULT_SEED
from anchorhold.law.problems import Problems
from anchorhold.law.result import Finding
from anchorhold.law.window import Claim, CountedGain, Denominator, read_window
from anchorhold.stats.claims import StoppedSum
from anchorhold.stats.elo import NELO_PER_SIGMA
from anchorhold.stats.ratio import Interval, fieller
from anchorhold.stats.selection import SelectionCorrected

GENESIS = 1


@dataclass(frozen=True, slots=True)
class Sum:
    """One form of S, in Elo, with its 95 % interval; either may be unknown, and then there is a reason."""

    value: float | None
    low: float | None = None
    high: float | None = None
    reason: str = ""

    def to_json(self) -> dict[str, object]:
        """Return the JSON form."""
        return {"value": self.value, "low": self.low, "high": self.high, "reason": self.reason or None}


@dataclass(frozen=True, slots=True)
class ClaimedGain:
    """A counted gain."""

    seq: int
    id: str
    long: Claim | None
    short: Claim | None
    date: str
    """Day: of the source where it is known, else when it was recorded."""
    source: str

    def to_json(self) -> dict[str, object]:
        """Return the JSON form."""
        return {
            "seq": self.seq,
            "id": self.id,
            "date": self.date,
            "source": self.source or None,
            "elo": None if self.long is None else self.long.elo,
            "elo_error": None if self.long is None else self.long.error,
            "elo_short": None if self.short is None else self.short.elo,
        }


@dataclass(frozen=True, slots=True)
class NotCounted:
    """An entry that is a change or a test and adds nothing to S."""

    seq: int
    kind: str
    id: str
    why: str

    def to_json(self) -> dict[str, object]:
        """Return the JSON form."""
        return {"seq": self.seq, "kind": self.kind, "id": self.id or None, "why": self.why}


@dataclass(frozen=True, slots=True)
class DirectMatch:
    """New against old: D, and how much of the claims is there at all."""

    elo: float
    error: float
    survival: float | None
    """D / S; None without a positive S."""
    interval: Interval | None
    source: str

    def to_json(self) -> dict[str, object]:
        """Return the JSON form."""
        return {
            "elo": self.elo,
            "error": self.error,
            "survival": self.survival,
            "survival_low": None if self.interval is None else self.interval.low,
            "survival_high": None if self.interval is None else self.interval.high,
            "source": self.source,
        }


@dataclass(frozen=True, slots=True)
class Claims:
    """The claims of one window."""

    after: int
    until: int
    check: str | None
    """The check that closed this window; None for one that is open, or chosen by hand."""
    verdict: str | None
    r: float | None
    counted: tuple[ClaimedGain, ...]
    uncounted: tuple[NotCounted, ...]
    s: Sum
    s_short: Sum
    s_normalized: Sum
    s_median_unbiased: Sum
    s_selection_corrected: Sum
    changes: int
    """Changes of main that the window records: gain tests and special paths."""
    without_long_test: int
    """Those of them that no passed long-stage test stands behind."""
    retractions: int
    direct: DirectMatch | None
    defects: tuple[Finding, ...]
    """What a check of this window would find wrong with it."""

    def to_json(self) -> dict[str, object]:
        """Return the JSON form."""
        return {
            "window": {"after": self.after, "until": self.until},
            "check": self.check,
            "verdict": self.verdict,
            "r": self.r,
            "s": self.s.to_json(),
            "s_short": self.s_short.to_json(),
            "s_normalized": self.s_normalized.to_json(),
            "s_median_unbiased": self.s_median_unbiased.to_json(),
            "s_selection_corrected": self.s_selection_corrected.to_json(),
            "changes": self.changes,
            "without_long_test": self.without_long_test,
            "retractions": self.retractions,
            "direct": None if self.direct is None else self.direct.to_json(),
            "counted": [gain.to_json() for gain in self.counted],
            "uncounted": [entry.to_json() for entry in self.uncounted],
            "defects": [finding.model_dump() for finding in self.defects],
        }


def windows(entries: Sequence[Entry]) -> list[Window]:
    """Return the windows of a register: one for every check that closed one, the last one open; they tile it."""
    found: list[Window] = []
    after = GENESIS
    for check in checks_of(entries):
        if check.closes_window:
            found.append(Window(after=check.plan.window.after, until=check.opened.seq))
            after = check.opened.seq
    if entries and entries[-1].seq > after:
        found.append(Window(after=after, until=entries[-1].seq))
    return found


def claims_of(
    entries: Sequence[Entry], window: Window, *, seed: int = DEFAULT_SEED, direct: tuple[float, float] | None = None
) -> Claims:
    """Read what a window claims.

    Parameters
    ----------
    entries : sequence of Entry
        The register, from its first entry on.
    window : Window
        The entries that are looked at.
    seed : int
        Of the interval of the selection-corrected sum.
    direct : tuple of float, optional
        Elo and 95 % half-width of a direct match of the window's ends, seen from new; by default what the check of
        this window measured.

    Raises
    ------
    RegisterBroken
        An entry that no evaluation can read.
    """
    contract = contract_of_register(entries)
    problems = Problems()
    inside = [entry for entry in entries if window.after < entry.seq <= window.until]
    read = read_window(
        document_entries(inside), window, contract=contract, problems=problems, short_problems=Problems()
    )
    longs = [gain.long for gain in read.counted]
    total = _naive([long.elo for long in longs if long], [long.error for long in longs if long], read, "long")
    shorts = [gain.short for gain in read.counted]
    check = next((one for one in checks_of(entries) if one.closes_window and one.opened.seq == window.until), None)
    closed = None if check is None or check.closed is None else payload_of(check.closed, CheckClosed)
    of = {entry.seq: entry for entry in inside}
    return Claims(
        after=window.after,
        until=window.until,
        check=None if check is None else check.id,
        verdict=None if closed is None else closed.verdict,
        r=None if closed is None else closed.r,
        counted=tuple(_counted(gain, of[gain.seq]) for gain in read.counted),
        uncounted=tuple(
            NotCounted(one.seq, of[one.seq].kind, str(of[one.seq].payload.get("id") or ""), one.why)
            for one in read.uncounted
            if of[one.seq].kind in ("gain_test", "rejected_test", "special_path", "retraction")
        ),
        s=total,
        s_short=_naive(
            [short.elo for short in shorts if short], [short.error for short in shorts if short], read, "short"
        ),
        s_normalized=_normalized(read, z=contract.estimate_rule.z),
        s_median_unbiased=_corrected(lambda: median_unbiased_claims(read.counted)),
        s_selection_corrected=_corrected(lambda: _selection(entries, window, read, contract=contract, seed=seed)),
        changes=sum(entry.kind in ("gain_test", "special_path") for entry in inside),
        without_long_test=sum(
            entry.kind in ("gain_test", "special_path") and not _passed_long(entry) for entry in inside
        ),
        retractions=sum(entry.kind == "retraction" for entry in inside),
        direct=_direct(direct, closed, total),
        defects=problems.defects(),
    )


def gains_of(entries: Sequence[Entry], window: Window) -> tuple[ClaimedGain, ...]:
    """Read the counted gains of a window, and sum nothing: the corrected sums take their time.

    Raises
    ------
    RegisterBroken
        An entry that no evaluation can read.
    """
    inside = [entry for entry in entries if window.after < entry.seq <= window.until]
    read = read_window(
        document_entries(inside),
        window,
        contract=contract_of_register(entries),
        problems=Problems(),
        short_problems=Problems(),
    )
    of = {entry.seq: entry for entry in inside}
    return tuple(_counted(gain, of[gain.seq]) for gain in read.counted)


def _naive(values: list[float], errors: list[float | None], read: Denominator, stage: str) -> Sum:
    missing = len(read.counted) - len(values)
    if missing:
        return Sum(None, reason=_no_value(missing, len(read.counted), stage))
    value = math.fsum(values)
    known = [error for error in errors if error is not None]
    if len(known) < len(errors):
        unknown = len(errors) - len(known)
        return Sum(
            value,
            reason=Sentence(
                "no interval: {count} of {all} counted gains have no half-width",
                count=Figure(unknown),
                all=Figure(len(errors)),
            ),
        )
    reach = math.hypot(*known)
    return Sum(value, value - reach, value + reach)


def _no_value(missing: int, counted: int, stage: str) -> Sentence:
    numbers = {"count": Figure(missing), "all": Figure(counted)}
    if stage == "long":
        return Sentence("{count} of {all} counted gains have no long-stage value", **numbers)
    return Sentence("{count} of {all} counted gains have no short-stage value", **numbers)


def _normalized(read: Denominator, *, z: float) -> Sum:
    """Σ of the long stages in normalized Elo, from pairs."""
    value, squares = 0.0, 0.0
    for gain in read.counted:
        pairs = gain.long.counts.pentanomial if gain.long is not None and gain.long.counts is not None else None
        if gain.long is None or gain.long.nelo is None or pairs is None:
            return Sum(None, reason=Sentence("entry {seq} has no pairs at the long stage", seq=gain.seq))
        value += gain.long.nelo
        squares += (NELO_PER_SIGMA * z) ** 2 / (2.0 * pairs.pairs)
    reach = math.sqrt(squares)
    return Sum(value, value - reach, value + reach)


def _corrected(find: Callable[[], StoppedSum | SelectionCorrected]) -> Sum:
    try:
        found = find()
    except NoSum as reason:
        return Sum(None, reason=str(reason))
    return Sum(found.value, found.low, found.high)


def _selection(
    entries: Sequence[Entry], window: Window, read: Denominator, *, contract: Contract, seed: int
) -> SelectionCorrected:
    tests = [entry for entry in entries if entry.seq <= window.until]
    return selection_corrected_claims(document_entries(tests), read.counted, contract=contract, seed=seed)


def _counted(gain: CountedGain, entry: Entry) -> ClaimedGain:
    test = _test(entry)
    return ClaimedGain(
        seq=gain.seq,
        id=test.id,
        long=gain.long,
        short=gain.short,
        date=test.date or entry.recorded_at[:10],
        source=test.source or "",
    )


def _test(entry: Entry) -> TestPayload:
    try:
        payload = read_payload(entry.kind, entry.payload)
    except BadInput as error:
        raise RegisterBroken(f"entry {entry.seq} cannot be read: {error}") from error
    assert isinstance(payload, TestPayload)
    return payload


def _passed_long(entry: Entry) -> bool:
    long = entry.payload.get("long")
    return isinstance(long, dict) and long.get("passed") is True


def _direct(given: tuple[float, float] | None, closed: CheckClosed | None, total: Sum) -> DirectMatch | None:
    source = "given"
    if given is None:
        found = None if closed is None else closed.result.get("direct")
        if not isinstance(found, dict):
            return None
        elo, error = found.get("elo"), found.get("error")
        if not isinstance(elo, int | float) or not isinstance(error, int | float):
            return None
        given, source = (float(elo), float(error)), "measured by the check"
    elo, error = given
    if total.value is None or total.value <= 0.0:
        return DirectMatch(elo, error, None, None, source)
    interval = None
    if total.high is not None:
        interval = fieller(
            numerator=elo, numerator_error=error, denominator=total.value, denominator_error=total.high - total.value
        )
    return DirectMatch(elo, error, elo / total.value, interval, source)

"""Measuring a check: the pairs that its opening plans, played or resumed, and recorded per endpoint and stage.

The journal is the one truth about the games; the register gets counts, identities and digests when all are played.
Source: SPEC sections 7 and 10. May import: anchorhold.errors, anchorhold.domain, anchorhold.matches,
anchorhold.register, anchorhold.checks.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from anchorhold.checks.anchors import DigestOf, compare, identities, require_pinned
from anchorhold.checks.conditions import frozen_conditions
from anchorhold.checks.games import GAMES_FILE, JOURNAL_FILE, check_directory, save_games
from anchorhold.checks.identity import differences
from anchorhold.checks.opening import main_identity, stage_conditions
from anchorhold.checks.plan import Plan
from anchorhold.checks.reuse import OLD, reused_measurements
from anchorhold.checks.state import CheckState, Part, checks_of, find_check, the_open_check
from anchorhold.domain.entries import Entry
from anchorhold.errors import BadInput, BadState
from anchorhold.matches.books import Book, load_book
from anchorhold.matches.jobs import PairJob, PairOutcome
from anchorhold.matches.journal import Journal
from anchorhold.matches.runner import Play, run
from anchorhold.matches.schedule import check_jobs, duel_jobs
from anchorhold.matches.shards import WHOLE, Shard
from anchorhold.register.store import Register
from anchorhold.stats.outcomes import Pentanomial


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the measuring has come."""

    check: str
    done: int
    """Pairs in the journal."""
    planned: int
    outcome: PairOutcome | None
    """The pair that was just finished; None at the start."""


OnProgress = Callable[[Progress], None]


def measure(
    register: Register,
    plan: Plan,
    *,
    author: str,
    digest_of: Callable[[], DigestOf],
    on_progress: OnProgress | None = None,
    play: Play | None = None,
) -> CheckState:
    """Play what the open check still lacks, and record its measurements.

    Interrupted at any moment, the next call goes on where this one stopped; a check that is measured is left alone.

    Parameters
    ----------
    digest_of : callable
        Makes a fresh hasher: files are hashed before the first game and again after the last.
    on_progress : callable, optional
        Called at the start and after every pair.
    play : callable, optional
        Who plays; by default this machine with the plan's workers.

    Raises
    ------
    BadState
        No check is open; engines, anchors, book or settings are not those that were frozen at the opening.
    MatchStopped
        An engine does not start, or fails too often in a row.
    """
    check = the_open_check(register.entries())
    if not check.missing():
        return check
    plan, book = prepare(plan, check, digest_of())
    directory = games_directory(plan.data, check)
    with Journal.open(directory / JOURNAL_FILE, plan=journal_plan(check)) as journal:
        play_pairs(plan, check, book, journal, on_progress, play or partial(run, workers=plan.workers))
        seen = _seen(plan, check, digest_of())
        games = save_games(journal, plan, check, directory / GAMES_FILE)
        conditions = frozen_conditions(check)
        for payload in reused_measurements(check, checks_of(register.entries())):
            part = (str(payload["endpoint"]), str(payload["stage"]))
            register.append("measurement", payload, author=author, guard=_not_yet(check.id, part))
        for part in check.missing():
            if part[0] == OLD and check.plan.reuse_old_from is not None:
                continue
            payload = _measurement(check, part, journal, conditions, seen)
            payload.update({"games_sha256": games.sha256, "games_file": GAMES_FILE})
            if games.faults[part]:
                payload["faults"] = dict(games.faults[part])
            register.append("measurement", payload, author=author, guard=_not_yet(check.id, part))
    return find_check(checks_of(register.entries()), check.id)


def prepare(plan: Plan, check: CheckState, digest_of: DigestOf) -> tuple[Plan, Book]:
    """Return the plan with the numbers of pairs of the opening, and the book; everything is as it was frozen.

    Raises
    ------
    BadState
        Engines, anchors, book or settings are not those that were frozen at the opening.
    """
    plan = _with_frozen_pairs(plan, check)
    book = load_book(
        plan.book.path, order=plan.book.order, seed=plan.book.seed, plies=plan.book.plies, variant=plan.book.variant
    )
    _require_frozen(plan, check, book)
    require_engines(plan, check, digest_of)
    return plan, book


def journal_plan(check: CheckState) -> dict[str, object]:
    """Return what the journal of a check is begun with: the opening's hash covers all that was frozen."""
    return {"check": check.id, "opened": check.opened.hash}


def games_directory(data: Path, check: CheckState) -> Path:
    """Return the directory of a check's journal and games, made where it was not there.

    Raises
    ------
    BadInput
        It cannot be made.
    """
    directory = check_directory(data, check.id)
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"cannot be made: {error.strerror}", where=str(directory)) from error
    return directory


def _not_yet(check_id: str, part: Part) -> Callable[[Sequence[Entry]], None]:
    def guard(entries: Sequence[Entry]) -> None:
        check = find_check(checks_of(entries), check_id)
        if check.status != "open" or part not in check.missing():
            raise BadState(f"{part[0]} at the {part[1]} stage of {check_id} was recorded or ended by somebody else")

    return guard


def _mapping(value: object) -> Mapping[str, object]:
    assert isinstance(value, Mapping)
    return value


def _with_frozen_pairs(plan: Plan, check: CheckState) -> Plan:
    """Numbers of pairs were fixed at the opening; what the settings say now is for the next check."""
    frozen = check.plan.planned_pairs
    return replace(
        plan,
        long=replace(plan.long, pairs=frozen.long),
        short=None if plan.short is None or frozen.short is None else replace(plan.short, pairs=frozen.short),
        direct_pairs=frozen.direct or 0,
    )


def _require_frozen(plan: Plan, check: CheckState, book: Book) -> None:
    """Refuse settings that changed since the opening: the numbers would belong to no plan."""
    old, new = check.plan.old.version, check.plan.new.version
    now = stage_conditions(plan, old, new, book_sha256=book.sha256)
    frozen = frozen_conditions(check)
    changed = [f"{name} stage: {change}" for name in frozen for change in differences(frozen[name], now.get(name, {}))]
    if changed:
        raise BadState(
            f"the settings are not those that {check.id} was opened with: {'; '.join(changed)}",
            next_step="Set them back, or abandon the check and open another",
        )


def require_engines(plan: Plan, check: CheckState, digest_of: DigestOf) -> None:
    """Hash everything that plays, and refuse what is not as it was frozen.

    Raises
    ------
    BadState
        A version of main or an anchor is another one.
    """
    for role in ("old", "new"):
        frozen = _mapping(check.opened.payload[role])
        now = main_identity(plan, str(frozen["version"]), digest_of=digest_of)
        if changed := differences(frozen, now):
            raise BadState(
                f"{frozen['version']} is not what {check.id} was opened with: {'; '.join(changed)}",
                next_step="Restore it, or abandon the check and open another",
            )
    require_pinned(
        compare(_pinned(check), plan.anchors, digest_of=digest_of),
        next_step="Restore what was pinned, or abandon the check, pin the new set and open another",
    )


def _pinned(check: CheckState) -> list[Mapping[str, object]]:
    anchors = _mapping(check.opened.payload["anchor_set"])["anchors"]
    assert isinstance(anchors, list)
    return anchors


def jobs(plan: Plan, check: CheckState, book: Book) -> Iterator[PairJob]:
    """Return the pairs of a check in the order of play: short stage, long stage, direct match; ends interleaved."""
    old, new = check.plan.old.version, check.plan.new.version
    versions = {"old": old, "new": new}
    stages = plan.stages()
    parts: list[Iterator[PairJob]] = [
        check_jobs(
            run=check.id,
            stage=name,
            endpoints={role: plan.main.spec(versions[role], stages[name].limit) for role in _played(check)},
            anchors=[anchor.spec(stages[name].limit) for anchor in plan.anchors],
            book=book,
            pairs=stages[name].pairs,
            rules=plan.rules,
        )
        for name in ("short", "long")
        if name in stages
    ]
    if plan.direct_pairs:
        parts.append(
            duel_jobs(
                run=check.id,
                stage="long",
                first=plan.main.spec(new, plan.long.limit),
                second=plan.main.spec(old, plan.long.limit),
                endpoint="new",
                anchor="old",
                book=book,
                pairs=plan.direct_pairs,
                rules=plan.rules,
            )
        )
    return itertools.chain(*parts)


def _played(check: CheckState) -> tuple[str, ...]:
    """Return the endpoints that play: old does not when an earlier measurement stands for it."""
    return ("old", "new") if check.plan.reuse_old_from is None else ("new",)


def planned_total(plan: Plan, check: CheckState, shard: Shard = WHOLE) -> int:
    """Return the number of pairs of a check, or of one part of it, that are played."""
    per_anchor = sum(shard.openings(stage.pairs) for stage in plan.stages().values())
    return len(_played(check)) * len(plan.anchors) * per_anchor + shard.openings(plan.direct_pairs)


def play_pairs(
    plan: Plan,
    check: CheckState,
    book: Book,
    journal: Journal,
    on_progress: OnProgress | None,
    play: Play,
    *,
    shard: Shard = WHOLE,
) -> None:
    """Play what the journal lacks of a check, or of one part of it."""
    planned = planned_total(plan, check, shard)
    done = len(journal)

    def report(outcome: PairOutcome | None) -> None:
        if on_progress is not None:
            on_progress(Progress(check=check.id, done=done, planned=planned, outcome=outcome))

    def count(outcome: PairOutcome) -> None:
        nonlocal done
        done += 1
        report(outcome)

    report(None)
    if done < planned:
        wanted = (job for job in jobs(plan, check, book) if shard.holds(job.key.opening))
        play(wanted, journal=journal, on_outcome=count)


@dataclass(frozen=True, slots=True)
class _Seen:
    """Identities of what was run, hashed when all games were played."""

    anchors: list[dict[str, object]]
    main: Mapping[str, dict[str, object]]
    """By endpoint."""


def _seen(plan: Plan, check: CheckState, digest_of: DigestOf) -> _Seen:
    """Hash again: an anchor that was exchanged while it played is recorded so, and makes the check DEFECTIVE.

    The document has no place for main's identity, so a version of main that was exchanged stops here.
    """
    main: dict[str, dict[str, object]] = {}
    for role in ("old", "new"):
        frozen = _mapping(check.opened.payload[role])
        main[role] = main_identity(plan, str(frozen["version"]), digest_of=digest_of)
        if changed := differences(frozen, main[role]):
            raise BadState(
                f"{frozen['version']} was exchanged while it was measured: {'; '.join(changed)}",
                next_step=f"Abandon {check.id} and open another check: nobody knows which games are whose",
            )
    return _Seen(anchors=identities(plan.anchors, digest_of=digest_of), main=main)


def _measurement(
    check: CheckState,
    part: Part,
    journal: Journal,
    conditions: Mapping[str, Mapping[str, object]],
    seen: _Seen,
) -> dict[str, object]:
    endpoint, stage = part
    payload: dict[str, object] = {
        "check": check.id,
        "endpoint": endpoint,
        "stage": stage,
        "conditions": dict(conditions[stage]),
    }
    if endpoint == "direct":
        payload["version"] = check.plan.new.version
        payload["main"], payload["opponent"] = seen.main["new"], seen.main["old"]
        payload["counts"] = {
            "old": _counts(journal.pentanomial(run=check.id, endpoint="new", anchor="old", stage=stage))
        }
        return payload
    names = [str(anchor["name"]) for anchor in _pinned(check)]
    payload["version"] = seen.main[endpoint]["version"]
    payload["main"] = seen.main[endpoint]
    payload["anchors"] = seen.anchors
    payload["counts"] = {
        name: _counts(journal.pentanomial(run=check.id, endpoint=endpoint, anchor=name, stage=stage)) for name in names
    }
    if endpoint == "new" and check.plan.reuse_old_from is None:
        payload["joint"] = {
            name: [list(row) for row in journal.joint(run=check.id, anchor=name, stage=stage).rows] for name in names
        }
    return payload


def _counts(counts: Pentanomial) -> dict[str, object]:
    return {"pentanomial": list(counts.as_tuple())}

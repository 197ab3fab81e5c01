"""One part of a check's pairs, played on a machine of its own and written to a file; and the way back.

Nothing is recorded here: ``measuring`` does that when all parts are merged into the check's journal.
May import: anchorhold.errors, anchorhold.matches, anchorhold.register, anchorhold.checks.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from anchorhold.checks.anchors import DigestOf, identities
from anchorhold.checks.games import JOURNAL_FILE
from anchorhold.checks.measuring import (
    OnProgress,
    games_directory,
    journal_plan,
    planned_total,
    play_pairs,
    prepare,
    require_engines,
)
from anchorhold.checks.opening import main_identity
from anchorhold.checks.plan import Plan
from anchorhold.checks.state import CheckState, checks_of, open_check, the_open_check
from anchorhold.errors import BadInput, BadState
from anchorhold.matches.journal import Journal
from anchorhold.matches.runner import Play
from anchorhold.matches.shards import Manifest, Parts, Shard, merge, require_new, write_shard
from anchorhold.register.store import Register


def measure_shard(
    register: Register,
    plan: Plan,
    *,
    shard: Shard,
    digest_of: Callable[[], DigestOf],
    play: Play,
    on_progress: OnProgress | None = None,
) -> Path:
    """Play what one part of the open check still lacks, and write its file into the working directory.

    Interrupted at any moment, the next call goes on where this one stopped.

    Parameters
    ----------
    digest_of : callable
        Makes a fresh hasher: files are hashed before the first game and again after the last.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    BadState
        No check is open, or it is measured; the part has been played already; engines, anchors, book or settings are
        not those that were frozen at the opening, or were exchanged meanwhile.
    MatchStopped
        As for ``measuring.measure``.
    """
    check = the_open_check(register.entries())
    if not check.missing():
        raise BadState(f"{check.id} is measured", next_step="Close it with 'anchorhold check close'")
    path = Path(f"{check.id}{shard.suffix}.shard")
    require_new(path)
    plan, book = prepare(plan, check, digest_of())
    pairs, total = planned_total(plan, check, shard), planned_total(plan, check)
    if not pairs:
        raise BadInput(f"shard {shard} of {check.id} has no pairs", next_step="Make fewer parts")
    directory = games_directory(plan.data, check)
    part = {**journal_plan(check), "shard": [shard.part, shard.of]}
    with Journal.open(directory / f"shard{shard.suffix}.sqlite", plan=part) as journal:
        play_pairs(plan, check, book, journal, on_progress, play, shard=shard)
        after = digest_of()
        require_engines(plan, check, after)
        versions = {"old": check.plan.old.version, "new": check.plan.new.version}
        manifest = Manifest(
            plan=journal_plan(check),
            shard=shard,
            pairs=pairs,
            total=total,
            engines={
                **{role: main_identity(plan, version, digest_of=after) for role, version in versions.items()},
                "anchors": identities(plan.anchors, digest_of=after),
            },
            runner=plan.runner,
        )
        write_shard(path, journal=journal, manifest=manifest)
    return path


def is_check(parts: Parts) -> bool:
    """Whether these are parts of a check, not of a plain match."""
    return set(parts.first.plan) == {"check", "opened"}


def merge_into_check(register: Register, data: Path, parts: Parts) -> tuple[CheckState, Path, int]:
    """Put the parts into the journal of the open check; return the check, the journal and the number of new pairs.

    Raises
    ------
    BadState
        They are parts of another check than the open one, or its journal has some of the pairs otherwise.
    """
    check = open_check(checks_of(register.entries()))
    opened = None if check is None else journal_plan(check)
    if check is None or opened != dict(parts.first.plan):
        now = "no check is open" if check is None else f"{check.id}, opened as {check.opened.hash[:12]}…, is open"
        raise BadState(
            f"these are shards of {parts.first.plan['check']}, opened as {str(parts.first.plan['opened'])[:12]}…;"
            f" here {now}",
            next_step="Merge them where that check was opened",
        )
    directory = games_directory(data, check)
    with Journal.open(directory / JOURNAL_FILE, plan=journal_plan(check)) as journal:
        return check, journal.path, merge(parts, journal)

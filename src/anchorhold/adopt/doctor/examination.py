"""All looks in their order; each is taken as far as what it needs is there.

May import: anchorhold.checks, config, domain, matches, anchorhold.adopt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from anchorhold.adopt.doctor.anchors import last_scores, look_at_count, look_at_distance, look_at_pins, look_at_ratings
from anchorhold.adopt.doctor.book import load_project_book, look_at_book
from anchorhold.adopt.doctor.engines import look_at_engines, main_versions, played
from anchorhold.adopt.doctor.findings import Finding
from anchorhold.adopt.doctor.machine import clock, cores, disk, writable
from anchorhold.adopt.doctor.parts import look_at_parts
from anchorhold.adopt.doctor.register import look_at_register, look_at_signers
from anchorhold.adopt.lineup import read_lineup
from anchorhold.adopt.trial import play_trial
from anchorhold.checks.identity import FileDigests
from anchorhold.config.record import Config
from anchorhold.domain.contract import Contract
from anchorhold.domain.entries import Entry
from anchorhold.errors import AnchorholdError
from anchorhold.matches.host import read_host


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be looked at."""

    version: str | None
    """Of main; None: all that are listed."""
    path: str
    """Search path of programs."""
    since: tuple[float, float]
    """Readings of the monotonic and the wall clock at the start."""
    not_built: str = ""
    """Why that version could not be built; empty: it could, or is ready-made."""
    pairs: int = 0
    """Of main against every anchor, played now; 0: main's distance is that of the last check."""


def examine(config: Config, contract: Contract, asked: Asked) -> Iterator[Finding]:
    """Look at a project and at the machine it is on.

    Yields
    ------
    Finding
        In the order of the looks, each as soon as it is known.
    """
    yield Finding("settings", "ok", f"{config.path.name} of {config.project}")
    yield Finding("contract", "ok", f"edition {contract.edition} of {contract.date}")
    found, entries = look_at_register(config)
    yield from found
    yield from look_at_signers(config.gate.allowed_signers)
    yield from look_at_count(config, contract)
    yield from look_at_pins(config, entries, digest_of=FileDigests())
    yield from look_at_ratings(config, read_lineup())
    versions: list[str] = []
    if asked.not_built:
        yield Finding("main", "failure", asked.not_built, "Mend [main.build], or name another revision")
    else:
        versions, missing = main_versions(config, asked.version)
        yield from missing
    engines = played(config, versions)
    starting: list[str] = []
    for engine, finding in zip(engines, look_at_engines(engines, config.rules), strict=True):
        if finding.level == "ok":
            starting.append(engine.name)
        yield finding
    yield from look_at_book(config, [one.specs[0] for one in engines if one.name in starting])
    yield from _distance(config, entries, versions, asked.pairs, all_start=len(starting) == len(engines))
    yield from cores(read_host(), config)
    yield from disk(config)
    yield from writable(config)
    yield from clock(last_entry=entries[-1].recorded_at if entries else None, since=asked.since)
    yield from look_at_parts(register=config.register, path=asked.path)


def _distance(
    config: Config, entries: Sequence[Entry], versions: Sequence[str], pairs: int, *, all_start: bool
) -> Iterator[Finding]:
    if pairs and not (all_start and versions):
        yield Finding("distance", "skipped", "not played", "Every engine must start, and a version of main be named")
    elif pairs:
        try:
            played_now = play_trial(
                config.main.spec(versions[-1], config.long.limit),
                [anchor.spec(config.long.limit) for anchor in config.anchors],
                book=load_project_book(config),
                pairs=pairs,
                workers=config.workers,
                rules=config.rules,
            )
        except AnchorholdError as error:
            yield Finding("distance", "failure", str(error), "Mend this first")
            return
        yield from look_at_distance(played_now.by_anchor, f"in {pairs} pairs")
    elif (last := last_scores(entries)) is not None:
        yield from look_at_distance(last[1], last[0])
    else:
        remedy = "'anchorhold doctor --play 5' plays five pairs against each anchor"
        yield Finding("distance", "skipped", "main has not been measured against the anchors", remedy)


def examine_machine(asked: Asked) -> Iterator[Finding]:
    """Look at what needs no project."""
    yield from writable(None)
    yield from clock(since=asked.since)
    yield from look_at_parts(register=None, path=asked.path)

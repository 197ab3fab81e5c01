"""Games of PGN files as a register entry: a gain test of one or two stages, or a note.

May import: anchorhold.canonical, anchorhold.errors, anchorhold.importers.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from anchorhold.domain.payloads import read_payload_json
from anchorhold.errors import BadInput
from anchorhold.importers.base import Import, Place
from anchorhold.importers.counts import MatchCounts
from anchorhold.importers.drafts import Draft, stage_payload
from anchorhold.importers.matches import reported
from anchorhold.importers.pgn.found import PgnImport
from anchorhold.importers.report import Report
from anchorhold.stats.sprt import BoundsModel, Sprt, wald_bounds


def note_of(found: PgnImport, *, test_id: str | None, files: Sequence[str]) -> Import[Draft]:
    """Return one note for each pair of engines: who played whom with which result."""
    drafts = []
    for record in found.records:
        counts = record.counts
        games, pairs = counts.trinomial, record.pentanomial.as_tuple()
        digest = _digest(counts)
        text = (
            f"games: {counts.first} against {counts.second}, {games.wins} wins, {games.draws} draws, {games.losses} "
            f"losses; pairs {list(pairs)}"
        )
        name = f"{test_id}:{counts.first}:{counts.second}" if test_id is not None else f"pgn:{digest}"
        place = Place(", ".join(files))
        drafts.append(Draft(kind="note", payload={"text": text, "id": name}, place=place))
    return Import(found.reader, tuple(drafts), found.problems, found.remarks)


def gain_test_of(
    found: PgnImport,
    short: PgnImport | None,
    *,
    test_id: str | None,
    candidate: str | None,
    bounds: tuple[float, float] | None,
    short_bounds: tuple[float, float] | None,
    model: BoundsModel,
) -> Import[Draft]:
    """Return the games as a gain test, or as a rejected test where a stage did not pass.

    Raises
    ------
    BadInput
        No candidate, id or bounds; more than one opponent; bounds that no test has.
    """
    if candidate is None or test_id is None or bounds is None:
        raise BadInput("--as gain-test needs --engine (the candidate), --id and --bounds")
    stages = {"long": _stage(found, candidate, bounds, model)}
    if short is not None:
        stages["short"] = _stage(short, candidate, short_bounds or bounds, model)
    bases = {counts.second for counts, _ in stages.values()}
    if len(bases) > 1:
        raise BadInput(f"the stages have different opponents: {' and '.join(sorted(bases))}")
    passed = all(report.passed for _, report in stages.values())
    payload: dict[str, object] = {"id": test_id, "candidate": candidate, "base": bases.pop(), "source": "PGN files"}
    payload |= {name: stage_payload(report) for name, (_, report) in stages.items()}
    kind = "gain_test" if passed else "rejected_test"
    read_payload_json(kind, json.dumps(payload, allow_nan=False))
    place = stages["long"][1].place
    return Import(found.reader, (Draft(kind=kind, payload=payload, place=place),), found.problems, found.remarks)


def _stage(
    found: PgnImport, candidate: str, bounds: tuple[float, float], model: BoundsModel
) -> tuple[MatchCounts, Report]:
    own = [record for record in found.records if record.first == candidate]
    if len(own) != 1:
        others = ", ".join(record.second for record in own) or "none"
        raise BadInput(f"a gain test has one opponent; {candidate} plays against {others}")
    sprt = Sprt(bounds[0], bounds[1], model=model)
    counts = own[0].counts
    wald = wald_bounds(sprt.alpha, sprt.beta)
    report = Report(
        place=Place(found.reader),
        tool="pgn",
        llr_bounds=(wald.lower, wald.upper),
        elo_bounds=bounds,
        bounds_model=model,
    )
    if own[0].singles:
        # A test counts whole pairs; a game without a partner would contradict them.
        paired = replace(counts, trinomial=own[0].paired)
        return counts, reported(paired, report)
    return counts, reported(counts, report)


def _digest(counts: MatchCounts) -> str:
    from anchorhold.canonical import digest

    return digest(counts.to_json())[:16]

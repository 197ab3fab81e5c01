"""Counts of played matches: shown, as JSON, and put into an evaluation document as one endpoint's stage.

May import: typer, anchorhold.errors, anchorhold.importers, anchorhold.cli.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from anchorhold.cli import evaluation_file
from anchorhold.errors import BadInput

if TYPE_CHECKING:
    from anchorhold.importers.counts import MatchCounts


def from_the_side_of(matches: Sequence[MatchCounts], engine: str | None) -> list[MatchCounts]:
    """Turn every match in which the engine plays so that it is told from its side.

    Raises
    ------
    BadInput
        The engine plays in none of them.
    """
    if engine is None:
        return list(matches)
    names = {name for match in matches for name in (match.first, match.second)}
    if engine not in names:
        raise BadInput(f"no engine {engine!r} plays here", next_step=f"Engines: {', '.join(sorted(names)) or 'none'}.")
    return [match.swapped() if match.second == engine else match for match in matches]


def show(matches: Sequence[MatchCounts]) -> None:
    """Print one line for each pair of engines."""
    from anchorhold.stats.elo import NoEstimate, elo_from_pentanomial, elo_from_trinomial

    for match in matches:
        games, pairs = match.trinomial, match.pentanomial
        try:
            found = elo_from_pentanomial(pairs) if pairs is not None and pairs.pairs else elo_from_trinomial(games)
            elo = f"{found.elo:+.2f} ± {found.error:.2f}"
        except NoEstimate:
            elo = "no estimate"
        five = f", pairs {list(pairs.as_tuple())}" if pairs is not None else ""
        typer.echo(
            f"{match.first} against {match.second}: +{games.wins} ={games.draws} -{games.losses}{five}, Elo {elo}"
        )


def fill_document(
    path: Path, matches: Sequence[MatchCounts], *, engine: str | None, endpoint: str, stage: str
) -> list[str]:
    """Write counts into an evaluation document; return the names of the anchors that were filled.

    A document that does not exist is begun, with null where somebody has to fill in what games do not tell.

    Raises
    ------
    BadInput
        No engine given, games not against it, a document that cannot be read as one, or an anchor it does not have.
    """
    if engine is None:
        raise BadInput("--document needs --engine: the name under which main plays")
    own = [match for match in from_the_side_of(matches, engine) if match.first == engine]
    if path.exists():
        document = evaluation_file.load(path)
    elif endpoint == "direct":
        raise BadInput("a direct match goes into a document that has endpoints already", where=str(path))
    else:
        document = evaluation_file.begin([match.second for match in own])
    counts = {match.second: _counts(match) for match in own}
    if len(counts) < len(own):
        raise BadInput("two matches against one anchor; give the games of one endpoint and stage at a time")
    if endpoint == "direct":
        if len(counts) != 1:
            raise BadInput(f"a direct match has one opponent, here are {', '.join(counts) or 'none'}", where=str(path))
        document["direct"] = next(iter(counts.values()))
    else:
        known = evaluation_file.anchors(document, path)
        if strangers := [name for name in counts if name not in known]:
            raise BadInput(
                f"{strangers[0]!r} is no anchor of the document",
                where=str(path),
                next_step=f"Its anchors: {', '.join(known)}.",
            )
        ends = evaluation_file.member(document, "endpoints", path)
        measured = evaluation_file.member(evaluation_file.member(ends, endpoint, path), stage, path)
        measured |= counts
    evaluation_file.save(path, document)
    return list(counts)


def _counts(match: MatchCounts) -> dict[str, object]:
    """Return pairs where they are all games, else games: a pentanomial leaves out games without a partner."""
    games, pairs = match.trinomial, match.pentanomial
    if pairs is not None and pairs.pairs:
        return {"pentanomial": list(pairs.as_tuple())}
    return {"wins": games.wins, "draws": games.draws, "losses": games.losses}

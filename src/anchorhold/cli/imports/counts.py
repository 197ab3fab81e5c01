"""Counts of played matches: shown, as JSON, and put into an evaluation document as one endpoint's stage.

May import: typer, anchorhold.canonical, anchorhold.errors, anchorhold.importers.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from anchorhold.errors import BadInput

if TYPE_CHECKING:
    from anchorhold.importers.counts import MatchCounts

DocumentOption = Annotated[
    Path | None,
    typer.Option("--document", metavar="FILE", help="Put the counts into this evaluation document; made if missing."),
]
EndpointOption = Annotated[
    Literal["old", "new", "direct"],
    typer.Option("--endpoint", help="With --document: whose games they are; direct: new against old."),
]
StageOption = Annotated[
    Literal["long", "short"], typer.Option("--stage", help="With --document: the stage they were played at.")
]
MainOption = Annotated[
    str | None, typer.Option("--engine", metavar="NAME", help="The engine from whose side results are told.")
]


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
    document = _load(path, own, endpoint)
    counts = {match.second: _counts(match) for match in own}
    if len(counts) < len(own):
        raise BadInput("two matches against one anchor; give the games of one endpoint and stage at a time")
    if endpoint == "direct":
        if len(counts) != 1:
            raise BadInput(f"a direct match has one opponent, here are {', '.join(counts) or 'none'}", where=str(path))
        document["direct"] = next(iter(counts.values()))
    else:
        listed = document.get("anchors")
        known = [one.get("name") for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
        if strangers := [name for name in counts if name not in known]:
            raise BadInput(
                f"{strangers[0]!r} is no anchor of the document",
                where=str(path),
                next_step=f"Its anchors: {', '.join(map(str, known))}.",
            )
        end = _inner(_inner(document, "endpoints", path), endpoint, path)
        measured = _inner(end, stage, path)
        measured |= counts
    _save(path, document)
    return list(counts)


def _inner(holder: dict[str, object], name: str, path: Path) -> dict[str, object]:
    """Return an object's member, which is an object, too; made where it is absent or null."""
    value = holder.get(name)
    if value is None:
        value = holder[name] = dict[str, object]()
    if not isinstance(value, dict):
        raise BadInput(f"{name} is no object", where=str(path))
    return value


def _counts(match: MatchCounts) -> dict[str, object]:
    """Return pairs where they are all games, else games: a pentanomial leaves out games without a partner."""
    games, pairs = match.trinomial, match.pentanomial
    if pairs is not None and pairs.pairs:
        return {"pentanomial": list(pairs.as_tuple())}
    return {"wins": games.wins, "draws": games.draws, "losses": games.losses}


def _load(path: Path, own: Sequence[MatchCounts], endpoint: str) -> dict[str, object]:
    from anchorhold.canonical import strict_json

    if path.exists():
        try:
            value = strict_json(path.read_text(encoding="utf-8-sig"), where=str(path))
        except (OSError, UnicodeDecodeError) as error:
            raise BadInput(f"cannot be read: {error}", where=str(path)) from error
        if not isinstance(value, dict) or value.get("schema") != "anchorhold/evaluation/1":
            raise BadInput("is no evaluation document (schema anchorhold/evaluation/1)", where=str(path))
        return value
    if endpoint == "direct":
        raise BadInput("a direct match goes into a document that has endpoints already", where=str(path))
    anchors = [{"name": match.second, "sha256": None, "rating": None, "rating_error": None} for match in own]
    ends: dict[str, object] = {end: {"version": end, "conditions": {}, "long": {}} for end in ("old", "new")}
    return {
        "schema": "anchorhold/evaluation/1",
        "contract": {"edition": 7},
        "anchors": anchors,
        "endpoints": ends,
        "register": [],
        "window": {"after": 0, "until": 0},
    }


def _save(path: Path, document: dict[str, object]) -> None:
    """Write the document whole or not at all."""
    text = json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    try:
        descriptor, name = tempfile.mkstemp(prefix=path.name + ".", dir=path.parent)
        with os.fdopen(descriptor, "w", encoding="utf-8") as handle:
            handle.write(text)
        Path(name).chmod(path.stat().st_mode if path.exists() else 0o644)
        Path(name).replace(path)
    except OSError as error:
        raise BadInput(f"cannot be written: {error.strerror}", where=str(path)) from error

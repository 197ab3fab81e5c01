"""``anchorhold import ratings``: the anchors' ratings out of rating lists.

May import: typer, anchorhold.config, anchorhold.errors, anchorhold.importers, anchorhold.cli.*.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from anchorhold.cli import evaluation_file
from anchorhold.cli.clean import fail_cleanly
from anchorhold.cli.imports.inputs import texts_of
from anchorhold.cli.imports.options import SkipProblemsOption
from anchorhold.cli.options import ConfigOption, JsonOption
from anchorhold.errors import BadInput

if TYPE_CHECKING:
    from anchorhold.importers.ratings import Rated


@fail_cleanly
def ratings(
    inputs: Annotated[
        list[str], typer.Argument(metavar="FILE…", help="CSV, JSON, Ordo's or BayesElo's output; - for standard input.")
    ],
    confidence: Annotated[
        float | None,
        typer.Option("--confidence", help="Confidence of the error column in percent, where it is not 95."),
    ] = None,
    offset: Annotated[
        float, typer.Option("--offset", help="Added to every rating, to fit another list's scale.")
    ] = 0.0,
    write: Annotated[
        bool, typer.Option("--write", help="Put ratings and errors of the configured anchors into anchorhold.toml.")
    ] = False,
    document: Annotated[
        Path | None,
        typer.Option("--document", metavar="FILE", help="Put them to the anchors of this evaluation document."),
    ] = None,
    program: Annotated[
        list[str] | None,
        typer.Option(
            "--program", metavar="NAME=FILE", help="With --document: an anchor's binary, for its digest; repeat."
        ),
    ] = None,
    skip_problems: SkipProblemsOption = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """Read rating lists: name, rating, 95 % half-width, games; --write gives them to anchorhold.toml's anchors by name.

    With --document they go to the anchors of an evaluation document, with the digests of the binaries in --program. No
    anchor is added, and one that the list does not have keeps what it has and is named.

    Example: anchorhold import ratings ordo.txt --json
    """
    from anchorhold.importers.ratings import read_ratings

    if program and document is None:
        raise BadInput("--program is for --document FILE, the evaluation document")
    if confidence is not None and not 1.0 <= confidence < 100.0:
        raise BadInput(f"--confidence is {confidence:g}, expected percent between 1 and 100")
    if not abs(offset) <= 10_000.0:
        raise BadInput(f"--offset is {offset:g}, expected Elo within ±10,000")
    found = read_ratings(texts_of(inputs), confidence=None if confidence is None else confidence / 100.0)
    rated = [_moved(one, offset) for one in found.records]
    if as_json:
        printed = {
            "schema": "anchorhold/import/1",
            "reader": found.reader,
            "ratings": [one.to_json() for one in rated],
            "problems": [problem.to_json() for problem in found.problems],
            "remarks": [remark.to_json() for remark in found.remarks],
        }
        print(json.dumps(printed, indent=2, ensure_ascii=False, allow_nan=False))
    else:
        for one in rated if document is None else ():
            typer.echo(f"name = {json.dumps(one.name, ensure_ascii=False)}")
            typer.echo(f"rating = {one.rating:g}")
            typer.echo(f"rating_error = {one.rating_error:g}" if one.rating_error is not None else "# no error given")
            typer.echo()
        for line in [*found.remarks, *found.problems]:
            typer.echo(str(line), err=True)
    if found.problems and not skip_problems:
        raise BadInput(
            f"{len(found.problems)} places could not be read, the first: {found.problems[0]}",
            where=", ".join(inputs),
            next_step="Nothing was written. --skip-problems goes on with the rest.",
        )
    if write:
        _write(rated, config, quiet=as_json)
    if document is not None:
        _put(rated, document, _digests(program or ()), quiet=as_json)


def _moved(one: Rated, offset: float) -> Rated:
    from dataclasses import replace

    return replace(one, rating=round(one.rating + offset, 6)) if offset else one


def _digests(programs: Sequence[str]) -> dict[str, str]:
    from anchorhold.canonical import file_sha256

    found = {}
    for text in programs:
        name, sign, file = text.rpartition("=")
        if not (sign and name and file):
            raise BadInput(f"--program is {text!r}, expected NAME=FILE, such as 'Anchor A=/usr/games/a'")
        try:
            found[name] = file_sha256(Path(file))
        except OSError as error:
            raise BadInput(f"cannot be read: {error.strerror}", where=file) from error
    return found


def _put(rated: Sequence[Rated], path: Path, digests: Mapping[str, str], *, quiet: bool) -> None:
    filled = evaluation_file.load(path)
    anchors = evaluation_file.anchors(filled, path)
    if strangers := [name for name in digests if name not in anchors]:
        raise BadInput(
            f"{strangers[0]!r} is no anchor of the document",
            where=str(path),
            next_step=f"Its anchors: {', '.join(anchors)}.",
        )
    by_name = {one.name: one for one in rated}
    lines = []
    for name, anchor in anchors.items():
        if name in digests:
            anchor["sha256"] = digests[name]
        if (one := by_name.get(name)) is None:
            lines.append(f"{name}: not in the list, kept as it is")
            continue
        anchor["rating"] = one.rating
        if one.rating_error is not None:
            anchor["rating_error"] = one.rating_error
        lines.append(f"{name}: rating {one.rating:g}" + _half_width(one))
    evaluation_file.save(path, filled)
    for line in lines if not quiet else ():
        typer.echo(line)


def _half_width(one: Rated) -> str:
    return "; the list gives no error" if one.rating_error is None else f" ± {one.rating_error:g}"


def _write(rated: Sequence[Rated], config: Path | None, *, quiet: bool) -> None:
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    from anchorhold import config as settings

    path = config or settings.default_file(os.environ)
    try:
        text = path.read_text(encoding="utf-8")
        document: Any = tomlkit.parse(text)
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"cannot be read: {error}", where=str(path)) from error
    except TOMLKitError as error:
        raise BadInput(f"is not TOML: {error}", where=str(path)) from error
    anchors = document.get("anchors")
    if not isinstance(anchors, list):
        raise BadInput("has no [[anchors]]", where=str(path), next_step="'anchorhold init' writes a first one.")
    by_name = {one.name: one for one in rated}
    lines = []
    for anchor in anchors:
        one = by_name.get(str(anchor.get("name")))
        if one is None:
            lines.append(f"{anchor.get('name')}: not in the list, kept as it is")
            continue
        anchor["rating"] = one.rating
        if one.rating_error is None:
            lines.append(f"{one.name}: rating {one.rating:g}; the list gives no error, that of the file is kept")
        else:
            anchor["rating_error"] = one.rating_error
            lines.append(f"{one.name}: rating {one.rating:g} ± {one.rating_error:g}")
    temporary = path.with_name(path.name + ".new")
    try:
        temporary.write_text(tomlkit.dumps(document), encoding="utf-8")
        temporary.replace(path)
    except OSError as error:
        raise BadInput(f"cannot be written: {error.strerror}", where=str(path)) from error
    for line in lines if not quiet else ():
        typer.echo(line)

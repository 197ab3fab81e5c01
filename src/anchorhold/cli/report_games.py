"""The games that lie on this disk, beside a report: links to their files, and pages by anchor and opening.

May import: anchorhold.config, anchorhold.errors, anchorhold.report, anchorhold.cli.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import typer

from anchorhold.cli.files import write_whole
from anchorhold.cli.texts import texts_in
from anchorhold.errors import BadInput, BadState
from anchorhold.report.games_page import games_files, links_to
from anchorhold.report.languages import Language
from anchorhold.report.meetings import meetings_of, opponents_of, recorded_files
from anchorhold.report.view import CheckView, GamesDigest


def links_to_files(view: CheckView, config: Path | None, beside: Path) -> dict[str, str]:
    """Return links to the files of a check's games, by digest, seen from a page."""
    return {
        games.sha256: quote(Path(os.path.relpath(path, beside)).as_posix())
        for games, path in _recorded(view, config).items()
    }


def write_games(view: CheckView, target: Path, config: Path | None, *, language: Language) -> CheckView:
    """Write the games of a check into a folder beside its report; return the check with the links to them.

    Raises
    ------
    BadInput
        The report goes to standard output or is of no check, or a file cannot be written.
    BadState
        The games do not lie on this disk, or are no longer the recorded ones.
    """
    if target == Path("-"):
        raise BadInput("pages of games need a folder beside the report", where="--games", next_step="Give -o FILE.")
    if view.check is None:
        raise BadInput("a result or a document has no games with it", where="--games")
    files = _recorded(view, config)
    if not files:
        raise BadState(
            f"the games of {view.check} do not lie under this project's data directory as they were recorded",
            next_step="Leave --games out, or give the --config of the project that played them.",
        )
    folder = target.with_name(f"{target.stem}-games")
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise BadInput(f"cannot be made: {error.strerror}", where=str(folder)) from error
    home = f"../{quote(target.name)}"
    for name, make in games_files(view, meetings_of(view, files), language=language, home=home):
        write_whole(folder / name, make())
    typer.echo(texts_in(language).gettext("Wrote the games into {folder}.", folder=folder), err=True)
    return replace(view, games_pages=links_to(opponents_of(view, files), quote(folder.name)))


def _recorded(view: CheckView, config: Path | None) -> dict[GamesDigest, Path]:
    from anchorhold import config as settings

    file = config or settings.default_file()
    return recorded_files(view, settings.load(file).data) if file.is_file() else {}

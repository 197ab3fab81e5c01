"""The games against one opponent as pages: opening by opening what old and new made of it, and the games themselves.

Every page needs nothing but itself and stays below a megabyte, so a long meeting takes several.
May import: anchorhold, report.*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import anchorhold
from anchorhold.checks.played import PlayedGame
from anchorhold.report.languages import Language
from anchorhold.report.meetings import Meeting, Opening, Place
from anchorhold.report.pictures.pairs import PAIR_CLASSES
from anchorhold.report.templating import environment
from anchorhold.report.texts import MINUS, NOTHING, Texts, texts_in
from anchorhold.report.view import CheckView
from anchorhold.report.words import STAGE_NAMES

_POINTS = ("0", "½", "1", "1½", "2")


@dataclass(frozen=True, slots=True)
class CountRow:
    """The counted pairs of one version at one stage."""

    stage: str
    version: str
    pairs: str
    counts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Side:
    """What one version made of an opening."""

    endpoint: str
    points: str
    """Of the pair."""
    games: str
    """Points of both games, White first."""
    texts: tuple[str, ...]
    """The games as PGN."""


@dataclass(frozen=True, slots=True)
class OpeningRow:
    """One opening."""

    id: str
    name: str
    sides: tuple[Side, ...]
    change: str


def games_files(
    view: CheckView, meetings: Sequence[Meeting], *, language: Language, home: str, pgn_in: str = ""
) -> Iterator[tuple[str, Callable[[], str]]]:
    """Yield every page, and the PGN of every meeting where it is to lie beside them, by file name.

    Parameters
    ----------
    home : str
        Where the pages lead back to: the report.
    pgn_in : str
        Folder that the PGN lies in, seen from the pages; empty: beside them.
    """
    for meeting in meetings:
        if not pgn_in:
            yield pgn_name(meeting.number), lambda meeting=meeting: "".join(meeting.pgn())  # type: ignore[misc]
        for page in range(1, len(meeting.pages) + 1):

            def render(meeting: Meeting = meeting, page: int = page) -> str:
                return render_games(view, meeting, page, language=language, home=home, pgn_in=pgn_in)

            yield page_name(meeting.number, page), render


def page_name(number: int, page: int = 1) -> str:
    """Return the file name of a page of a meeting; both are numbered from 1."""
    return f"{number}.html" if page == 1 else f"{number}-{page}.html"


def pgn_name(number: int) -> str:
    """Return the file name of a meeting's games."""
    return f"{number}.pgn"


def links_to(numbers: Mapping[str | None, int], folder: str) -> dict[str | None, str]:
    """Return the links to meetings as a report has them, when their pages lie in a folder beside it."""
    return {anchor: f"{folder}/{page_name(number)}" for anchor, number in numbers.items()}


def render_games(
    view: CheckView, meeting: Meeting, page: int, *, language: Language, home: str, pgn_in: str = ""
) -> str:
    """Write one page of a meeting; parameters as for ``games_files``.

    Raises
    ------
    BadInput
        The file of the games cannot be read.
    """
    texts = texts_in(language)
    _ = texts.gettext
    opponent = meeting.anchor if meeting.anchor is not None else view.old.version if view.old else _("old version")
    return (
        environment()
        .get_template("games.html.j2")
        .render(
            _=_,
            ngettext=texts.ngettext,
            view=view,
            language=language,
            home=home,
            version=anchorhold.__version__,
            title=_("Games against {opponent}", opponent=opponent),
            classes=PAIR_CLASSES,
            counts=_counts(meeting, view, texts),
            openings=[_row(opening, texts) for opening in meeting.pages[page - 1]],
            all_openings=len(meeting.openings),
            pgn=pgn_in + pgn_name(meeting.number),
            page=page,
            pages=[page_name(meeting.number, number) for number in range(1, len(meeting.pages) + 1)],
        )
    )


def _counts(meeting: Meeting, view: CheckView, texts: Texts) -> list[CountRow]:
    versions = {"old": view.old, "new": view.new}
    rows = []
    for (stage, endpoint), counts in meeting.counts().items():
        version = versions[endpoint]
        name = texts.gettext(endpoint) + (f" ({version.version})" if version is not None else "")
        rows.append(
            CountRow(
                _stage(stage, texts), name, texts.whole(sum(counts)), tuple(texts.whole(count) for count in counts)
            )
        )
    return rows


def _row(opening: Opening, texts: Texts) -> OpeningRow:
    change = opening.change
    return OpeningRow(
        id=f"{opening.stage}-{opening.number}",
        name=texts.gettext("Opening {number}", number=opening.number)
        + ("" if opening.stage == "long" else f", {_stage(opening.stage, texts)}"),
        sides=tuple(_side(endpoint, place, texts) for endpoint, place in opening.places()),
        change=NOTHING if change is None else _change(change),
    )


def _stage(stage: str, texts: Texts) -> str:
    return texts.gettext(STAGE_NAMES.get(stage, stage))


def _side(endpoint: str, place: Place, texts: Texts) -> Side:
    return Side(
        endpoint=texts.gettext(endpoint),
        points=_POINTS[place.pair.half_points],
        games=" + ".join(_game(game, texts) for game in place.pair.games),
        texts=tuple(text.strip() for text in place.texts()),
    )


def _game(game: PlayedGame, texts: Texts) -> str:
    said = _POINTS[game.half_points]
    if game.termination in ("normal", "adjudication"):
        return said
    endings = {
        "abandoned": texts.gettext("crash"),
        "time forfeit": texts.gettext("time"),
        "rules infraction": texts.gettext("illegal move"),
    }
    return f"{said} ({endings.get(game.termination, game.termination)})"


def _change(half_points: int) -> str:
    if half_points == 0:
        return "0"
    return f"{'+' if half_points > 0 else MINUS}{_POINTS[abs(half_points)]}"

"""Rating lists: CSV, JSON, Markdown, what Ordo, BayesElo and match runners print, as names with 95 % half-widths.

Ordo's error column has the confidence that its run was given (95 % unless ``-F`` said otherwise, and none without
``-s``); BayesElo prints ``+`` and ``-`` at 95 %. A column that may mean two things is a Problem. May import:
anchorhold.errors, importers.*.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import NormalDist

from anchorhold.importers.base import Import, Place, Problem, Remark
from anchorhold.importers.documents import documents_of

READER = "ratings/1"
LARGEST_RATING = 10_000.0

_NAMES = ("name", "player", "engine", "program", "playername", "enginename")
_RATINGS = ("rating", "elo", "ratingelo")
_ERRORS = ("ratingerror", "error", "err", "95", "+/-", "±", "elo+/-", "ci95", "errorbar", "ratingerror95")
_PLUS, _MINUS = ("+", "plus", "upper"), ("-", "minus", "lower", "−")
_GAMES = ("games", "played", "n", "gamesplayed")
_THOUSANDS = re.compile(r"[-+]?[1-9]\d{0,2}(?:,\d{3})+")
_ORDO_LINE = re.compile(
    r"^\s*(?P<rank>\d+)\s+(?P<name>.+?)\s*:\s*(?P<rating>-?\d+(?:\.\d+)?)\*?(?P<rest>(?:\s+(?:-+|-?\d+(?:\.\d+)?%?|\([^)]*\)))*)\s*$"
)
_ORDO_HEAD = re.compile(r"#\s+PLAYER\s*:\s*RATING", re.IGNORECASE)
_BAYES_HEAD = re.compile(r"^\s*Rank\s+Name\s+Elo\s+\+\s+-\s+games", re.IGNORECASE)
_BAYES_LINE = re.compile(
    r"^\s*\d+\s+(?P<name>.+?)\s+(?P<elo>-?\d+)\s+(?P<plus>\d+)\s+(?P<minus>\d+)\s+(?P<games>\d+)\s+\S+%?"
)
_RANK_HEAD = re.compile(r"^\s*Rank\s+Name\s+Elo\s+\+/-\s", re.IGNORECASE)
_RANK_LINES = {
    normalized: re.compile(
        r"^\s*\d+\s+(?P<name>.+?)\s+(?P<elo>-?\d+(?:\.\d+)?)\s+(?P<error>\d+(?:\.\d+)?)\s+"
        + (r"-?\d+(?:\.\d+)?\s+\d+(?:\.\d+)?\s+" if normalized else "")
        + r"(?P<games>\d+)\s+[\d.]+\s?%"
    )
    for normalized in (False, True)
}
"""Of a match runner's table, by whether normalized Elo and its error stand in it, too."""
_RULE = re.compile(r"[\s|:+-]*")
"""The line under the head of a Markdown table."""


@dataclass(frozen=True, slots=True)
class Rated:
    """One engine of a rating list."""

    name: str
    rating: float
    rating_error: float | None
    """95 % half-width; None where the list gives none."""
    games: int | None
    place: Place

    def to_json(self) -> dict[str, object]:
        """Return the JSON form."""
        return {
            "name": self.name,
            "rating": self.rating,
            "rating_error": self.rating_error,
            "games": self.games,
        }


def read_ratings(texts: Sequence[tuple[str, str]], *, confidence: float | None = None) -> Import[Rated]:
    """Read rating lists; the form of each is recognised by its content.

    Parameters
    ----------
    texts : sequence of (source, text)
    confidence : float, optional
        Confidence of the error column in (0, 1), for lists that do not state it; errors become 95 % half-widths.
    """
    rated: list[Rated] = []
    problems: list[Problem] = []
    remarks: list[Remark] = []
    for source, text in texts:
        list_ = _List(source, confidence, problems, remarks)
        lines = text.removeprefix("\ufeff").splitlines()
        if any(_ORDO_HEAD.search(line) for line in lines):
            rated += list_.ordo(lines)
        elif any(_BAYES_HEAD.search(line) for line in lines):
            rated += list_.bayeselo(lines)
        elif any(_RANK_HEAD.search(line) for line in lines):
            rated += list_.ranks(lines)
        elif text.lstrip("\ufeff \r\n\t")[:1] in ("{", "["):
            rated += list_.json(text)
        else:
            rated += list_.csv(lines)
    return Import(READER, tuple(_each_once(rated, problems)), tuple(problems), tuple(remarks))


def _each_once(rated: Sequence[Rated], problems: list[Problem]) -> Iterator[Rated]:
    """Pass on each name once; two different ratings of one name are a problem."""
    kept: dict[str, Rated] = {}
    for one in rated:
        other = kept.setdefault(one.name, one)
        if other is not one and (other.rating, other.rating_error) != (one.rating, one.rating_error):
            what = f"{one.name} stands twice, with {other.rating:g} and {one.rating:g}; the first is taken"
            problems.append(Problem(one.place, what))
    yield from kept.values()


class _List:
    def __init__(self, source: str, confidence: float | None, problems: list[Problem], remarks: list[Remark]) -> None:
        self.source, self.problems, self.remarks = source, problems, remarks
        self.stated = confidence is not None
        self.to_95 = (
            1.0 if confidence is None else NormalDist().inv_cdf(0.975) / NormalDist().inv_cdf(0.5 + confidence / 2)
        )

    def problem(self, line: int | None, what: str, text: str = "") -> None:
        self.problems.append(Problem(Place(self.source, line), what, text[:200]))

    def rated(
        self, line: int | None, name: str, rating: float | None, error: float | None, games: float | None
    ) -> Iterator[Rated]:
        if not name.strip() or rating is None or abs(rating) > LARGEST_RATING:
            self.problem(line, f"expected a name and a rating within ±{LARGEST_RATING:g}", name)
            return
        if error is not None and not 0.0 <= error <= LARGEST_RATING:
            self.problem(line, f"the error {error:g} of {name.strip()} is no half-width")
            return
        half_width = None if error is None else round(error * self.to_95, 4)
        whole = None if games is None or games < 0 else int(games)
        yield Rated(name.strip(), rating, half_width, whole, Place(self.source, line))

    def ordo(self, lines: Sequence[str]) -> Iterator[Rated]:
        """Read Ordo's table; its columns are named in the head."""
        columns: list[str] = []
        for number, line in enumerate(lines, start=1):
            if _ORDO_HEAD.search(line):
                columns = line.partition(":")[2].upper().split()
                if "ERROR" in columns and not self.stated:
                    self.remarks.append(
                        Remark(
                            Place(self.source, number),
                            "Ordo's errors are taken as 95 % half-widths, its default; --confidence says otherwise",
                        )
                    )
                continue
            if not columns or not line.strip() or not line.lstrip()[0].isdigit():
                continue
            found = _ORDO_LINE.match(line)
            if not found:
                self.problem(number, "looks like a line of Ordo's table and cannot be read", line)
                continue
            values = [found["rating"], *found["rest"].split()]
            by_name = dict(zip(columns, values, strict=False))
            error = _number(by_name.get("ERROR", ""))
            yield from self.rated(
                number, found["name"].strip(), _number(values[0]), error, _number(by_name.get("PLAYED", ""))
            )

    def bayeselo(self, lines: Sequence[str]) -> Iterator[Rated]:
        """Read BayesElo's table; ``+`` and ``-`` may differ, then the larger is taken."""
        begun = False
        for number, line in enumerate(lines, start=1):
            if _BAYES_HEAD.search(line):
                begun = True
                continue
            if not begun or not line.strip() or not line.lstrip()[0].isdigit():
                continue
            found = _BAYES_LINE.match(line)
            if not found:
                self.problem(number, "looks like a line of BayesElo's table and cannot be read", line)
                continue
            plus, minus = float(found["plus"]), float(found["minus"])
            if plus != minus:
                what = f"{found['name'].strip()}: +{plus:g} and -{minus:g}; the larger is taken as half-width"
                self.remarks.append(Remark(Place(self.source, number), what))
            yield from self.rated(number, found["name"], float(found["elo"]), max(plus, minus), float(found["games"]))

    def ranks(self, lines: Sequence[str]) -> Iterator[Rated]:
        """Read the table that cutechess and fastchess print of a tournament."""
        form = None
        for number, line in enumerate(lines, start=1):
            if _RANK_HEAD.search(line):
                form = _RANK_LINES["nelo" in line.lower()]
            elif form is not None and line.strip() and line.lstrip()[0].isdigit():
                found = form.match(line)
                if found:
                    yield from self.rated(
                        number, found["name"], float(found["elo"]), float(found["error"]), float(found["games"])
                    )
                else:
                    self.problem(number, "looks like a line of a tournament's table and cannot be read", line)

    def json(self, text: str) -> Iterator[Rated]:
        """Read a list of objects, an object with a list in it, or an object of ratings by name."""
        documents, unread = documents_of(text, source=self.source)
        self.problems += unread
        for document in documents:
            value = document.value
            inner = next((one for one in value.values() if isinstance(one, list)), None)
            rows: list[object] = [value]
            if inner is not None and not _column(list(value), _RATINGS):
                rows = inner
            elif not _column(list(value), _NAMES):
                rows = [
                    {"name": name, **one} if isinstance(one, dict) else {"name": name, "rating": one}
                    for name, one in value.items()
                ]
            for row in rows:
                if isinstance(row, dict):
                    yield from self._row(document.place.line, {str(k): v for k, v in row.items()})
                else:
                    self.problem(document.place.line, "expected an object with name and rating", str(row))

    def csv(self, lines: Sequence[str]) -> Iterator[Rated]:
        """Read a table with a head; commas, semicolons or tabs, or Markdown."""
        if not any(line.strip() for line in lines):
            return
        head = next(line for line in lines if line.strip())
        delimiter = max(";\t,", key=head.count)
        if head.lstrip().startswith("|"):
            delimiter = "|"
            lines = ["" if _RULE.fullmatch(line) else line.strip().strip("|") for line in lines]
        rows = csv.reader(io.StringIO("\n".join(lines)), delimiter=delimiter)
        names: list[str] = []
        try:
            for row in rows:
                if not any(cell.strip() for cell in row):
                    continue
                if not names:
                    names = [cell.strip().lstrip("#").strip() for cell in row]
                    if _column(names, _NAMES) is None or _column(names, _RATINGS) is None:
                        self.problem(rows.line_num, "no head with the columns name and rating", head)
                        return
                elif len(row) != len(names):
                    self.problem(rows.line_num, f"{len(row)} cells, the head has {len(names)}", delimiter.join(row))
                else:
                    yield from self._row(rows.line_num, dict(zip(names, row, strict=True)))
        except csv.Error as error:
            self.problem(rows.line_num, f"cannot be read as CSV: {error}")

    def _row(self, line: int | None, row: dict[str, object]) -> Iterator[Rated]:
        names = list(row)
        columns = {}
        for what, known in (("name", _NAMES), ("rating", _RATINGS), ("error", _ERRORS), ("games", _GAMES)):
            found = [name for name in names if _plain(name) in known]
            if len(found) > 1:
                self.problem(line, f"the columns {' and '.join(map(repr, found))} may both be the {what}")
                return
            columns[what] = found[0] if found else None
        name, rating = columns["name"], columns["rating"]
        if name is None or rating is None:
            self.problem(line, "expected a name and a rating", ", ".join(names))
            return
        error = None if columns["error"] is None else _number(row[columns["error"]])
        if columns["error"] is None:
            plus, minus = (_column(names, known) for known in (_PLUS, _MINUS))
            sides = [abs(value) for one in (plus, minus) if one and (value := _number(row[one])) is not None]
            error = max(sides) if len(sides) == 2 else None
        elif error is None and str(row[columns["error"]] or "").strip(" -") not in ("", "None"):
            self.problem(line, f"the error of {row[name]} is no number", str(row[columns["error"]]))
            return
        games = None if columns["games"] is None else _number(row[columns["games"]])
        yield from self.rated(line, str(row[name]), _number(row[rating]), error, games)


def _plain(name: str) -> str:
    return re.sub(r"[\s_%()]", "", name).lower() or name


def _column(names: Sequence[str], known: Sequence[str]) -> str | None:
    return next((name for name in names if _plain(name) in known), None)


def _number(value: object) -> float | None:
    if isinstance(value, bool) or value is None:
        return None
    if _THOUSANDS.fullmatch(str(value).strip()):
        return None  # 3,000 is three thousand to one and three to another
    try:
        number = float(str(value).strip().replace(",", ".").rstrip("%*"))
    except ValueError:
        return None
    return number if math.isfinite(number) else None

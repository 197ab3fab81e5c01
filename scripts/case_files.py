"""Reads one file of a case, games or openings, with the product, and says in what the reading is not the expected one.

Used by ``play_cases.py``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import chess

from anchorhold.errors import BadInput
from anchorhold.importers.pgn.found import PgnImport
from anchorhold.importers.pgn.reading import read_pgn
from anchorhold.importers.sources import plain_files
from anchorhold.matches.books import Book, load_book

_GAME_KEYS = ("round", "white", "black", "result", "plies", "counted", "start_fen", "termination")


def check(case: Mapping[str, Any], *, folder: Path) -> list[str]:
    """Read a case's file; return what was expected and what came instead, empty when it holds."""
    path, expect = folder / case["file"], case["expect"]
    if case["read_as"] == "results":
        return list(_check_results(path, expect))
    if case["read_as"] in ("openings-epd", "openings-pgn"):
        return list(_check_openings(path, expect, case.get("bytes", {})))
    return [f"read_as is {case['read_as']!r}, which this script does not know"]


def _check_results(path: Path, expect: Mapping[str, Any]) -> Iterator[str]:
    name = next((key.removeprefix("score_of_") for key in expect if key.startswith("score_of_")), "Alpha")
    with plain_files(str(path)) as files:
        found = read_pgn(files, first=name, list_games=True)
    if found.games != expect["games_in_file"]:
        yield f"expected {expect['games_in_file']} games, came {found.games}"
    for wanted, line in zip(expect["games"], found.lines, strict=False):
        for key in _GAME_KEYS:
            came = getattr(line, key)
            if key in wanted and wanted[key] != came:
                yield f"game {wanted['round']}: expected {key} {wanted[key]!r}, came {came!r}"
        if bool(wanted.get("why_not")) != bool(line.why_not):
            yield f"game {wanted['round']}: expected {wanted.get('why_not')!r} as reason, came {line.why_not!r}"
    yield from _check_counts(found, expect, name)


def _check_counts(found: PgnImport, expect: Mapping[str, Any], name: str) -> Iterator[str]:
    counted = sum(line.counted for line in found.lines)
    if counted != expect["games_counted"]:
        yield f"expected {expect['games_counted']} games counted, came {counted}"
    record = next((record for record in found.records if record.first == name), None)
    score = {"wins": 0, "draws": 0, "losses": 0}
    pairs = [0] * 5
    if record is not None:
        games = record.trinomial
        score = {"wins": games.wins, "draws": games.draws, "losses": games.losses}
        pairs = list(record.pentanomial.as_tuple())
    for key, came in ((f"score_of_{name}", score), (f"pentanomial_of_{name}", pairs), ("pairs_counted", sum(pairs))):
        if key in expect and expect[key] != came:
            yield f"expected {key} {expect[key]}, came {came}"
    said = [str(problem) for problem in (*found.problems, *found.remarks)]
    for text in expect.get("warnings_name", []):
        if not any(text in line for line in said):
            yield f"expected a warning that names {text}, came {said or 'none'}"


def _check_openings(path: Path, expect: Mapping[str, Any], how: Mapping[str, Any]) -> Iterator[str]:
    variant = how.get("variant", "standard")
    try:
        book = load_book(path, plies=how.get("plies"), variant="standard" if variant == "standard" else "chess960")
    except BadInput as error:
        if expect["openings"]:
            yield f"expected {len(expect['openings'])} openings, came: {error}"
        for text in expect.get("error_names", []):
            if text not in str(error):
                yield f"expected an error that names {text}, came: {error}"
        return
    openings = [book.opening(number) for number in range(1, book.size + 1)]
    came = [_opening(opening.fen, opening.moves, expect["openings"]) for opening in openings]
    if came != expect["openings"]:
        yield f"expected the openings {expect['openings']}, came {came}"
    skipped = _skipped(book, expect["skipped_lines"])
    if skipped != expect["skipped_lines"]:
        yield f"expected {expect['skipped_lines']} to be skipped, came {skipped}"


def _opening(fen: str | None, moves: tuple[str, ...], wanted: list[Any]) -> object:
    """Return an opening in the form in which the case has its own."""
    start = fen or chess.STARTING_FEN
    if all(isinstance(text, str) for text in wanted) and not moves:
        return start
    return {"start": start, "moves": list(moves)}


def _skipped(book: Book, wanted: list[Any]) -> list[Any]:
    places = [problem.place for problem in book.problems]
    if any(isinstance(text, str) for text in wanted):
        return [f"game {found[1]}" for place in places if (found := re.search(r"game (\d+)", place))]
    return [int(found[1]) for place in places if (found := re.search(r":(\d+)", place))]

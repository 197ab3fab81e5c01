"""What ships in the package comes from where it says: openings from their script, ratings from their counts."""

import importlib.util
import itertools
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import chess
import chess.pgn
import pytest

from anchorhold.adopt.lineup import data_file
from anchorhold.cli.demo_project import ANCHORS
from anchorhold.matches.books import load_book
from anchorhold.stats.outcomes import Pentanomial
from anchorhold.stats.ratings import PairedResult, rate_pool

SCRIPTS = Path(__file__).parent.parent / "scripts"


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, SCRIPTS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def games() -> Iterator[chess.pgn.Game]:
    with data_file("openings.pgn").open(encoding="ascii") as handle:
        while (game := chess.pgn.read_game(handle)) is not None:
            yield game


def test_the_book_is_what_its_seed_gives_in_that_order() -> None:
    made = next(games()).headers["Annotator"]
    found = re.fullmatch(r"make_book\.py --seed (\d+) --plies (\d+) --depth 12 --window 60; Stockfish 15\.1: .*", made)
    assert found is not None
    generator, plies = random.Random(int(found[1])), int(found[2])
    candidates = (script("make_book").random_opening(generator, plies).move_stack for _ in itertools.count())
    for number, game in enumerate(games(), start=1):
        assert game.headers["Round"] == str(number)
        line = list(game.mainline_moves())
        # Each line is a later candidate of the same generator; one that is not would never be found.
        assert next(place for place, moves in zip(range(1000), candidates, strict=False) if moves == line) >= 0


def test_every_opening_is_level_quiet_and_ends_in_a_position_of_its_own() -> None:
    positions = set()
    for game in games():
        assert not game.errors
        board = game.end().board()
        score = re.search(r"([+-]\d+) cp$", game.headers["Annotator"])
        assert score is not None
        assert abs(int(score[1])) <= 60
        assert (board.ply(), board.is_check(), board.is_game_over()) == (8, False, False)
        positions.add(board.epd())
    assert len(positions) == 600


def test_the_book_reads_as_move_lists_from_the_usual_start() -> None:
    book = load_book(data_file("openings.pgn"), order="sequential", seed=1, plies=None, variant="standard")
    assert (book.size, book.problems) == (600, ())
    assert all(book.opening(number).fen is None for number in range(1, 601))


@pytest.fixture(scope="module")
def lineup() -> dict[str, object]:
    document: dict[str, object] = json.loads(data_file("lineup.json").read_text(encoding="utf-8"))
    return document


def test_the_ratings_are_those_of_the_stored_counts(lineup: dict[str, object]) -> None:
    pairs, anchors = lineup["pairs"], lineup["anchors"]
    assert isinstance(pairs, list)
    assert isinstance(anchors, dict)
    assert len(pairs) == 15
    assert set(anchors) == {name for name, _ in ANCHORS.values()}
    pool = rate_pool(
        [PairedResult(p["first"], p["second"], Pentanomial(*p["pentanomial"])) for p in pairs], mean=2000.0
    )
    for rating in pool.ratings:
        stored = anchors[rating.name]
        assert (stored["rating"], stored["rating_error"], stored["games"]) == (
            round(rating.rating, 1),
            round(rating.error, 1),
            rating.games,
        )


def test_the_ratings_belong_to_the_book_that_ships(lineup: dict[str, object]) -> None:
    book = load_book(data_file("openings.pgn"), order="sequential", seed=1, plies=None, variant="standard")
    stored = lineup["book"]
    assert isinstance(stored, dict)
    assert stored["sha256"] == book.sha256

"""Chess960 and double Chess960 with real engines of both worlds of castling notation."""

import io
import shutil
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.pgn
import pytest

from anchorhold.domain.engines import EngineSpec
from anchorhold.domain.games import PairKey
from anchorhold.domain.limits import Limit
from anchorhold.matches.books import numbered_book
from anchorhold.matches.jobs import MatchRules, PairJob
from anchorhold.matches.pair import PairPlayer
from anchorhold.matches.pgn import PgnNames, write_pgn

ROOT = Path(__file__).parent.parent.parent


def program(name: str) -> str:
    found = shutil.which(name) or shutil.which(name, path="/usr/games")
    assert found, f"{name} is not installed: scripts/setup.sh test"
    return found


@pytest.fixture
def player() -> Iterator[PairPlayer]:
    with PairPlayer() as made:
        yield made


def test_ethereal_and_stockfish_play_positions_by_number_and_the_games_read_back(player: PairPlayer) -> None:
    ethereal = EngineSpec("Ethereal", (program("ethereal-chess"),), Limit(depth=4))
    script = str(ROOT / ".engines" / "node_modules" / "sf-old" / "src" / "stockfish.js")
    stockfish = EngineSpec("Stockfish.js 8", (program("node"), script), Limit(depth=4))
    # In the second White and Black have other pieces.
    book = numbered_book("344,17/845")
    records = []
    for opening in (1, 2):
        key = PairKey("frc", "Ethereal", "Stockfish.js 8", "match", opening)
        outcome = player.play(
            PairJob(key, ethereal, stockfish, book.opening(opening), "chess960", MatchRules(max_moves=30))
        )
        assert outcome.events == ()
        records.append(outcome.record)
    handle = io.StringIO()
    write_pgn(records, handle, names=PgnNames(event="frc"))
    handle.seek(0)
    castled = 0
    for record in records:
        for played in record.games:
            found = chess.pgn.read_game(handle)
            assert found is not None
            assert found.errors == []
            assert (found.headers["Variant"], found.headers["Result"]) == ("Chess960", played.result)
            board = found.board()
            assert board.chess960
            for move, said in zip(found.mainline_moves(), played.moves, strict=True):
                assert board.uci(move) == said.uci
                castled += board.is_castling(move)
                board.push(move)
    assert castled > 0

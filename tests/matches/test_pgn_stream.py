from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from anchorhold.domain.games import GameRecord, MoveRecord, Opening, PairKey, PairRecord
from anchorhold.errors import BadInput, BadState
from anchorhold.matches.journal import Journal
from anchorhold.matches.pgn import PgnNames, save_pgn
from anchorhold.matches.pgn_stream import PgnStream

NAMES = PgnNames(event="a match")


def pair(opening: int, *, first: str = 'A "x/y"') -> PairRecord:
    moves = (MoveRecord("e2e4", 0.5, depth=3, score=opening), MoveRecord("e7e5", 0.25))
    game = GameRecord(
        first_is_white=True, result="1-0", termination="adjudication", reason="r", moves=moves, started_at="2026-11-30T"
    )
    key = PairKey("match", first, "B", "match", opening)
    return PairRecord(key, Opening(None, ()), "standard", (game, replace(game, first_is_white=False)))


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path / "j", plan={}) as opened:
        yield opened


def stream(path: Path, journal: Journal) -> PgnStream:
    return PgnStream(path, journal=journal, names=NAMES, most=100)


def expected(tmp_path: Path, journal: Journal) -> bytes:
    save_pgn(journal.pairs(), tmp_path / "expected.pgn", names=NAMES)
    return (tmp_path / "expected.pgn").read_bytes()


def test_every_pair_is_in_the_file_when_add_returns_and_in_order_at_the_end(tmp_path: Path, journal: Journal) -> None:
    path = tmp_path / "games.pgn"
    with stream(path, journal) as games:
        played = [pair(3, first="B"), pair(3), pair(1), pair(2), pair(1, first="B")]
        for count, record in enumerate(played, start=1):
            journal.add(record)
            games.add(record)
            assert path.read_text().count("[Event ") == 2 * count
        games.finish(journal=journal, until=100)
    assert path.read_bytes() == expected(tmp_path, journal)
    assert {p.name for p in tmp_path.iterdir()} >= {"games.pgn", "j"}
    assert not list(tmp_path.glob("games.pgn.*"))


def test_moves_that_are_written_already_are_taken_as_they_are(tmp_path: Path, journal: Journal) -> None:
    path = tmp_path / "games.pgn"
    record = pair(1)
    journal.add(record)
    with stream(path, journal) as games:
        assert path.read_bytes() == expected(tmp_path, journal), "from the journal they are played"
    path.unlink()
    with Journal.open(tmp_path / "empty", plan={}) as empty, stream(path, empty) as games:
        games.add(record, sans=(("e4", "e5"), ("e4", "e5")))
        assert path.read_bytes() == expected(tmp_path, journal)
        games.add(pair(2), sans=(("Ka1", "Kb1"), ("Kc1", "Kd1")))
    assert all(move in path.read_text() for move in ("Ka1", "Kb1", "Kc1", "Kd1"))


@pytest.mark.parametrize("kept", [0, 30, 200, 700, 10**6])
def test_what_a_killed_run_left_is_written_anew_from_the_journal(tmp_path: Path, journal: Journal, kept: int) -> None:
    path = tmp_path / "games.pgn"
    for opening in (2, 1):
        journal.add(pair(opening))
    with stream(path, journal):
        pass
    path.write_bytes(path.read_bytes()[:kept])
    with stream(path, journal) as games:
        # The journal has one more, which ended while the run was broken off.
        journal.add(pair(3))
        games.finish(journal=journal, until=100)
    assert path.read_bytes() == expected(tmp_path, journal)


def test_pairs_beyond_the_decision_are_left_out(tmp_path: Path, journal: Journal) -> None:
    path = tmp_path / "games.pgn"
    for opening in (1, 2, 3, 101):
        journal.add(pair(opening))
    with stream(path, journal) as games:
        games.finish(journal=journal, until=2)
    assert path.read_text().count("[Event ") == 4


@pytest.mark.parametrize("content", ["1. e4 e5 *\n", '[Event "other"]\n', "x"])
def test_a_file_of_other_games_is_refused_and_left_as_it_is(tmp_path: Path, journal: Journal, content: str) -> None:
    path = tmp_path / "games.pgn"
    journal.add(pair(1))
    path.write_text(content)
    with pytest.raises(BadState, match=r"games\.pgn: is there already.*Give another file"):
        stream(path, journal)
    assert path.read_text() == content


def test_games_of_the_same_pair_of_another_match_are_other_games(tmp_path: Path, journal: Journal) -> None:
    path = tmp_path / "games.pgn"
    with Journal.open(tmp_path / "other", plan={}) as other:
        other.add(replace(pair(1), opening=Opening(None, ("d2d4", "d7d5"))))
        with stream(path, other):
            pass
    journal.add(pair(1))
    with pytest.raises(BadState, match="not this match's"):
        stream(path, journal)


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path, journal: Journal) -> None:
    with pytest.raises(BadInput, match=r"games\.pgn: cannot be written"):
        stream(tmp_path / "absent" / "games.pgn", journal)

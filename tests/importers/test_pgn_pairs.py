import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anchorhold.importers.pgn.found import PgnImport
from anchorhold.importers.pgn.pairing import Side, Start, pair_by_round, pair_up
from importers.pgn_texts import FOOLS, MATE, QUIET, game, pair, read

FENS = [
    "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
    "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2",
]


def five(found: PgnImport) -> tuple[list[int], int]:
    (record,) = found.records
    return list(record.pentanomial.as_tuple()), record.singles


def numbered(*games: str) -> list[tuple[int, str, str]]:
    """Games of White alternately Alpha and Beta, with Round set by each scheme."""
    return [(number, "Alpha" if number % 2 == 1 else "Beta", result) for number, result in enumerate(games, start=1)]


RESULTS = ["1-0", "1-0", "1/2-1/2", "0-1", "0-1", "1-0"]
EXPECTED = [1, 0, 1, 1, 0]


@pytest.mark.parametrize(
    "round_of",
    [
        lambda number: f"{(number + 1) // 2}.{2 - number % 2}",
        lambda number: str((number + 1) // 2),
        str,
        lambda number: f"1.{number}",
        lambda number: f"{(number + 1) // 2}.1",
        lambda _: "1",
        lambda _: "?",
        lambda _: "-",
    ],
    ids=["pair.game", "pair", "game", "one.game", "pair.board", "always 1", "unknown", "dash"],
)
def test_every_way_of_numbering_rounds_gives_the_same_pairs(tmp_path: Path, round_of: Callable[[int], str]) -> None:
    text = ""
    for number, white, result in numbered(*RESULTS):
        black = "Beta" if white == "Alpha" else "Alpha"
        opening = ["1. e4 e5", "1. d4 d5", "1. c4 c5"][(number - 1) // 2]
        moves = f"{opening} {{+0.{number}/1 0.{number}s}}"
        text += game(round_of(number), white, black, result, moves)
    assert five(read(tmp_path, text, first="Alpha")) == (EXPECTED, 0)


def test_games_in_the_order_they_ended_give_the_same_pairs(tmp_path: Path) -> None:
    rng = random.Random(5)
    games = [
        game(str(n), *(("Alpha", "Beta") if k else ("Beta", "Alpha")), rng.choice(RESULTS), QUIET, FEN=FENS[n % 2])
        for n in range(1, 40)
        for k in (0, 1)
    ]
    expected = five(read(tmp_path, "".join(games), first="Alpha", replay=False))
    assert expected[1] == 0
    rng.shuffle(games)
    assert five(read(tmp_path, "".join(games), first="Alpha", replay=False)) == expected


def test_openings_tell_the_pairs_where_the_round_is_always_the_same(tmp_path: Path) -> None:
    one, two = FENS
    games = [
        game("1", "Alpha", "Beta", "1-0", FEN=one),
        game("1", "Alpha", "Beta", "0-1", FEN=two),
        game("1", "Beta", "Alpha", "0-1", FEN=one),
        game("1", "Beta", "Alpha", "1-0", FEN=two),
    ]
    assert five(read(tmp_path, "".join(games), first="Alpha", replay=False)) == ([1, 0, 0, 0, 1], 0)


def test_book_moves_tell_the_openings_where_no_position_is_given(tmp_path: Path) -> None:
    one, two = "1. e4 {book} e5 {book} 2. Nf3 {+0.1/2 0.1s}", "1. d4 {book} d5 {book} 2. c4 {+0.1/2 0.1s}"
    games = [
        game("1", "Alpha", "Beta", "1-0", one),
        game("1", "Beta", "Alpha", "1-0", two),
        game("1", "Alpha", "Beta", "0-1", two),
        game("1", "Beta", "Alpha", "0-1", one),
    ]
    assert five(read(tmp_path, "".join(games), first="Alpha")) == ([1, 0, 0, 0, 1], 0)


def test_the_same_opening_twice_gives_two_pairs(tmp_path: Path) -> None:
    text = pair("1", "1-0", "0-1", FEN=FENS[0]) + pair("2", "1/2-1/2", "1-0", FEN=FENS[0])
    assert five(read(tmp_path, text, first="Alpha", replay=False)) == ([0, 1, 0, 0, 1], 0)


def test_games_of_one_round_from_different_positions_are_no_pair(tmp_path: Path) -> None:
    text = game("1", "Alpha", "Beta", FEN=FENS[0]) + game("1", "Beta", "Alpha", FEN=FENS[1])
    assert five(read(tmp_path, text, first="Alpha", replay=False)) == ([0] * 5, 2)


def test_a_pair_with_an_unfinished_or_missing_game_is_no_pair(tmp_path: Path) -> None:
    text = pair("1", "1-0", "*") + game("2") + pair("3", "1-0", "0-1")
    found = read(tmp_path, text, first="Alpha")
    assert five(found) == ([0, 0, 0, 0, 1], 2)
    assert found.not_counted == {"unfinished": 1}
    assert not found.problems


def test_a_game_cut_by_a_crash_and_played_again_counts_in_its_pair(tmp_path: Path) -> None:
    cut = game("1.2", "Beta", "Alpha", "1-0", "1. e4 e5 2. Nf3 N", marker="").rstrip()
    text = game("1.1", moves=MATE) + cut + game("1.2", "Beta", "Alpha", "0-1", FOOLS)
    found = read(tmp_path, text)
    assert five(found) == ([0, 0, 0, 0, 1], 0)
    assert found.not_counted == {"cut": 1}


@pytest.mark.parametrize("again", [lambda text: text, lambda text: text.replace("\n", "\r\n")])
def test_a_game_that_stands_twice_counts_once(tmp_path: Path, again: Callable[[str], str]) -> None:
    text = pair("1", "1-0", "1-0")
    doubled = text + again(game("1", "Beta", "Alpha", "1-0"))
    found = read(tmp_path, doubled)
    assert five(found) == ([0, 0, 1, 0, 0], 0)
    assert found.not_counted == {"duplicate": 1}
    assert "first at games.pgn, line 11" in found.remarks[0].what


def test_a_game_without_its_comments_is_the_same_game(tmp_path: Path) -> None:
    bare = "1. e4 e5 2. Nf3 Nc6"
    found = read(tmp_path, pair("1", "1-0", "1-0") + game("1", "Beta", "Alpha", "1-0", bare))
    assert found.not_counted == {"duplicate": 1}


def test_equal_moves_under_another_clock_are_another_game(tmp_path: Path) -> None:
    text = "".join(
        game("1", *names, "1-0", f"1. e4 {{+0.1/2 0.{n}s}} e5")
        for n, names in enumerate([("Alpha", "Beta"), ("Beta", "Alpha")] * 2)
    )
    assert five(read(tmp_path, text)) == ([0, 0, 2, 0, 0], 0)


def test_a_pair_tag_is_believed_before_the_round(tmp_path: Path) -> None:
    text = pair("1", "1-0", "0-1", Pair="x/1") + pair("1", "0-1", "1-0", Pair="x/2")
    assert five(read(tmp_path, text, first="Alpha")) == ([1, 0, 0, 0, 1], 0)


def test_a_gauntlet_gives_each_opponent_its_own_counts(tmp_path: Path) -> None:
    text = "".join(
        game(str(n), *names, "1-0")
        for n in (1, 2, 3)
        for other in ("B", "C")
        for names in (("Main", other), (other, "Main"))
    )
    found = read(tmp_path, text, first="Main")
    assert [(record.first, record.second) for record in found.records] == [("Main", "B"), ("Main", "C")]
    assert all(record.pentanomial.as_tuple() == (0, 0, 3, 0, 0) for record in found.records)


ROUNDS = st.lists(st.tuples(st.sampled_from([b"1", b"2", b"3", b"4"]), st.booleans(), st.sampled_from([b"", b"f"])))


@given(ROUNDS)
def test_the_short_way_of_pairing_by_round_gives_what_the_long_one_gives(
    games: list[tuple[bytes, bool, bytes]],
) -> None:
    rounds, fens = [one[0] for one in games], [one[2] for one in games]
    whites = [b"A" if one[1] else b"B" for one in games]
    numbers = range(len(games))
    short = pair_by_round(numbers, whites=whites, rounds=rounds, fens=fens) if games else None
    if short is not None:
        sides = [Side(n, games[n][1], True, b"", rounds[n], fens[n]) for n in numbers]
        assert short == pair_up(sides, start_of=lambda _: Start((), known=False))

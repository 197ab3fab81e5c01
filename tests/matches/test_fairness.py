from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anchorhold.domain.games import GameRecord, MoveRecord, Opening, PairKey, PairRecord, Result, Termination
from anchorhold.matches.fairness import Fairness, judge

BLACK_BEGINS = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


def game(
    result: Result,
    *,
    first_is_white: bool,
    nodes: tuple[int, int] = (1000, 1000),
    termination: Termination = "normal",
    fault_of: str = "",
) -> GameRecord:
    """A game of eight moves of 0.1 s each; ``nodes`` are those of White and Black."""
    moves = tuple(MoveRecord("e2e4", 0.1, nodes=nodes[ply % 2]) for ply in range(8))
    return GameRecord(
        first_is_white=first_is_white,
        result=result,
        termination=termination,
        reason="",
        moves=moves,
        started_at="",
        fault_of=fault_of,  # type: ignore[arg-type]
    )


def pair(number: int, one: GameRecord, other: GameRecord, *, opening: Opening | None = None) -> PairRecord:
    key = PairKey("a-a", "first", "second", "a-a", number)
    return PairRecord(key, opening or Opening(None, ()), "standard", (one, other))


def plain(number: int, first: Result, second: Result) -> PairRecord:
    return pair(number, game(first, first_is_white=True), game(second, first_is_white=False))


def kinds(found: Fairness) -> list[str]:
    return [finding.kind for finding in found.findings]


def test_a_binary_that_repeats_itself_is_fair_however_often_white_wins() -> None:
    found = judge(plain(n, "1-0", "1-0") for n in range(1, 31))
    assert found.fair
    assert (found.score, found.error, found.mirrored) == (0.5, None, 30)
    assert (found.white.wins, found.white.losses) == (60, 0)


@given(st.lists(st.sampled_from(["1-0", "0-1", "1/2-1/2"]), min_size=20, max_size=60))
def test_colours_alone_never_make_a_machine_unfair(results: list[Result]) -> None:
    assert judge(plain(n, result, result) for n, result in enumerate(results, start=1)).fair


def test_a_seat_that_wins_too_often_is_found() -> None:
    good = [plain(n, "1-0", "0-1") for n in range(1, 15)]
    even = [plain(n, "1/2-1/2", "1/2-1/2") for n in range(15, 31)]
    found = judge([*good, *even])
    assert kinds(found) == ["score"]
    assert "the first seat scores 73.33 % ± " in found.findings[0].message
    swapped = judge(plain(n, "0-1", "1-0") for n in range(1, 15))
    assert "the first seat scores 0.00 % without any scatter" in swapped.findings[0].message


def test_a_score_within_three_standard_errors_is_fair() -> None:
    # 3 wins of the first seat in both games among 30 even pairs: 54.5 %, three standard errors are 7.5 %.
    found = judge([plain(n, "1-0", "0-1" if n <= 3 else "1-0") for n in range(1, 34)])
    assert found.error == pytest.approx(3 * (0.5**2 * 3 / 33 - (1.5 / 33) ** 2) ** 0.5 / 33**0.5)
    assert found.fair


def test_losses_on_time_and_by_faults_are_found_in_the_seat_that_had_them() -> None:
    late = game("0-1", first_is_white=True, termination="time forfeit", fault_of="first")
    crash = game("0-1", first_is_white=False, termination="abandoned", fault_of="second")
    found = judge([*(plain(n, "1-0", "1-0") for n in range(1, 20)), pair(20, late, game("0-1", first_is_white=False))])
    assert [f.message for f in found.findings] == ["the first seat lost 1 games on time"]
    found = judge([*(plain(n, "1-0", "1-0") for n in range(1, 20)), pair(20, game("1-0", first_is_white=True), crash)])
    assert "the second seat lost 1 games by crash, stall or illegal move" in [f.message for f in found.findings]


@pytest.mark.parametrize("opening", [Opening(None, ()), Opening(None, ("e2e4",)), Opening(BLACK_BEGINS, ())])
def test_a_seat_that_searches_more_slowly_is_found_whoever_begins(opening: Opening) -> None:
    white_begins = opening == Opening(None, ())

    def slower_second(n: int) -> PairRecord:
        games = []
        for first_is_white in (True, False):
            mine, other = 1000 + n, 900 - n
            begins_first = first_is_white == white_begins
            games.append(
                game("1-0", first_is_white=first_is_white, nodes=(mine, other) if begins_first else (other, mine))
            )
        return pair(n, games[0], games[1], opening=opening)

    found = judge(slower_second(n) for n in range(1, 21))
    assert kinds(found) == ["speed"]
    assert "the first seat searches 1" in found.findings[0].message
    assert found.seats["first"].nodes > found.seats["second"].nodes


def test_short_games_say_nothing_about_speed() -> None:
    moves = (MoveRecord("e2e4", 0.001, nodes=10), MoveRecord("e7e5", 0.002, nodes=10))
    short = replace(game("1-0", first_is_white=True), moves=moves)
    found = judge(pair(n, short, replace(short, first_is_white=False)) for n in range(1, 21))
    assert (found.speed, found.speed_error) == (None, None)
    assert found.fair

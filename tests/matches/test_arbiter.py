import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anchorhold.domain.games import Opening
from anchorhold.domain.limits import Limit, TimeControl
from anchorhold.errors import BadInput
from anchorhold.matches.arbiter import Arbiter, Side
from anchorhold.matches.jobs import DrawRule, MatchRules, ResignRule

NO_CLOCK = Side(Limit(depth=1), 0.1)
PLAIN = MatchRules()


def referee(
    *moves: str,
    fen: str | None = None,
    white: Side = NO_CLOCK,
    black: Side = NO_CLOCK,
    rules: MatchRules = PLAIN,
    chess960: bool = False,
) -> Arbiter:
    return Arbiter(
        opening=Opening(fen=fen, moves=moves, source="book.epd:3"),
        variant="chess960" if chess960 else "standard",
        white=white,
        black=black,
        rules=rules,
    )


def clock(text: str, *, margin: float = 0.1) -> Side:
    return Side(Limit(time_control=TimeControl.parse(text)), margin)


def play(game: Arbiter, *moves: str, seconds: float = 0.0, score: int | None = None) -> Arbiter:
    for move in moves:
        game.answer(move, seconds=seconds, score=score)
    return game


def ending(game: Arbiter) -> tuple[str, str, str]:
    assert game.verdict is not None
    return game.verdict.result, game.verdict.termination, game.verdict.reason


# -- the rules of chess


def test_mate_wins() -> None:
    assert ending(play(referee(), "f2f3", "e7e5", "g2g4", "d8h4")) == ("0-1", "normal", "Black mates")


def test_stalemate_draws() -> None:
    game = play(referee(fen="7k/8/6K1/8/8/8/8/5Q2 w - - 0 1"), "f1f7")
    assert ending(game) == ("1/2-1/2", "normal", "draw by stalemate")


def test_the_third_occurrence_draws_and_the_starting_position_counts_as_the_first() -> None:
    game = play(referee(), *["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"])
    assert game.verdict is None
    assert ending(play(game, "f6g8")) == ("1/2-1/2", "normal", "draw by threefold repetition")


def test_book_moves_count_for_repetitions() -> None:
    game = play(referee(*["g1f3", "g8f6", "f3g1", "f6g8"]), *["g1f3", "g8f6", "f3g1", "f6g8"])
    assert ending(game)[2] == "draw by threefold repetition"


def test_a_position_with_a_lost_castling_right_is_another_position() -> None:
    # After the rook has moved, the same diagram occurs a third time, but White may no longer castle.
    fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    game = play(referee(fen=fen), *["h1g1", "e8d8", "g1h1", "d8e8", "h1g1", "e8d8", "g1h1", "d8e8"])
    assert game.verdict is None


def test_fifty_moves_draw_but_mate_with_the_hundredth_half_move_wins() -> None:
    quiet = play(referee(fen="7k/8/6K1/8/8/8/8/5Q2 w - - 99 80"), "f1f2")
    assert ending(quiet)[2] == "draw by fifty-move rule"
    mate = play(referee(fen="7k/8/6K1/8/8/8/8/5Q2 w - - 99 80"), "f1f8")
    assert ending(mate) == ("1-0", "normal", "White mates")


def test_bare_kings_draw() -> None:
    game = play(referee(fen="8/8/8/3k4/8/8/3pK3/8 w - - 0 1"), "e2d2")
    assert ending(game)[2] == "draw by insufficient material"


def test_an_opening_that_is_over_is_judged_at_once() -> None:
    assert ending(referee("f2f3", "e7e5", "g2g4", "d8h4"))[0] == "0-1"


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(min_value=0, max_value=200), min_size=1, max_size=250), st.booleans())
def test_a_game_ends_exactly_where_an_independent_referee_ends_it(choices: list[int], shuffling: bool) -> None:
    start = chess.Board("4k2r/8/8/8/8/8/8/R3K3 w Qk - 60 40") if shuffling else chess.Board()
    game = referee(fen=start.fen() if shuffling else None)
    board = start.copy()
    for choice in choices:
        outcome = board.outcome()
        drawn = board.is_repetition(3) or board.halfmove_clock >= 100
        if outcome is not None or drawn:
            assert game.verdict is not None
            assert game.verdict.result == (outcome.result() if outcome is not None else "1/2-1/2")
            return
        assert game.verdict is None
        moves = sorted(board.legal_moves, key=lambda move: move.uci())
        move = moves[choice % len(moves)]
        board.push(move)
        game.answer(move.uci(), seconds=0.0)


# -- moves


@pytest.mark.parametrize(
    "text", ["e2e5", "", "0000", "(none)", "e4", "e2-e4", "e7e5", "resign", "a1a1", "P@e4", "e2e4q", "nonsense" * 20]
)
def test_what_is_no_legal_move_loses(text: str) -> None:
    game = play(referee(), text)
    result, termination, reason = ending(game)
    assert (result, termination) == ("0-1", "rules infraction")
    assert reason.startswith("White makes an illegal move")
    assert len(reason) < 90
    assert game.records == []


def test_leaving_the_king_in_check_is_illegal() -> None:
    assert ending(play(referee(fen="4k3/4r3/8/8/4r3/8/4B3/4K3 w - - 0 1"), "e2d3"))[1] == "rules infraction"


def test_a_promotion_without_its_piece_is_illegal() -> None:
    assert ending(play(referee(fen="8/P6k/8/8/8/8/p6K/8 w - - 0 1"), "a7a8"))[1] == "rules infraction"


def test_capitals_are_understood_with_a_warning_and_written_in_the_normal_way() -> None:
    game = referee(fen="8/P6k/8/8/8/8/p6K/8 w - - 0 1")
    assert game.answer("A7A8Q", seconds=0.0) == "writes A7A8Q for a7a8q"
    assert game.moves.played == ["a7a8q"]
    assert game.records[0].uci == "a7a8q"


def test_castling_onto_the_rook_is_understood_in_standard_chess() -> None:
    game = referee(fen="r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1")
    assert game.answer("e1h1", seconds=0.0) == "writes e1h1 for e1g1"
    assert game.moves.played == ["e1g1"]


def test_castling_in_chess960_is_king_takes_rook() -> None:
    fen = "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKR1N w KQkq - 0 1"
    game = referee(fen=fen, chess960=True)
    assert game.answer("e1f1", seconds=0.0) is None
    assert game.moves.played == ["e1f1"]
    assert game.moves.position.board().king(chess.WHITE) == chess.G1
    assert game.moves.start_shredder_fen == "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKR1N w FCfc - 0 1"


def test_san_is_understood_only_where_it_is_allowed() -> None:
    game = referee()
    assert game.answer("Nf3", seconds=0.0, san_allowed=True) is None
    assert game.moves.played == ["g1f3"]


def test_the_moves_can_be_had_in_san() -> None:
    assert play(referee("e2e4"), "e7e5", "g1f3").moves.sans == ["e4", "e5", "Nf3"]


@pytest.mark.parametrize(
    ("fen", "moves"),
    [("not a position", ()), ("8/8/8/8/8/8/8/8 w - - 0 1", ()), (None, ("e2e5",)), (None, ("xx",))],
)
def test_an_impossible_opening_is_refused_with_its_place(fen: str | None, moves: tuple[str, ...]) -> None:
    with pytest.raises(BadInput, match=r"^book\.epd:3: the opening's"):
        referee(*moves, fen=fen)


# -- clocks


def test_time_used_comes_off_the_clock_and_the_increment_is_added() -> None:
    game = play(referee(white=clock("10+0.5"), black=clock("20+1")), "e2e4", seconds=4.0)
    assert game.remaining(chess.WHITE) == pytest.approx(6.5)
    assert game.remaining(chess.BLACK) == pytest.approx(20.0)
    play(game, "e7e5", seconds=1.0)
    assert game.remaining(chess.BLACK) == pytest.approx(20.0)


def test_within_the_margin_nothing_is_owed() -> None:
    game = play(referee(white=clock("1+0.2", margin=0.1)), "e2e4", seconds=1.09)
    assert game.verdict is None
    assert game.remaining(chess.WHITE) == pytest.approx(0.2)


@pytest.mark.parametrize("move", ["e2e4", "e2e5"])
def test_beyond_the_margin_the_game_is_lost_on_time_whatever_the_move(move: str) -> None:
    game = play(referee(white=clock("1+0.2", margin=0.1)), move, seconds=1.11)
    assert ending(game)[:2] == ("0-1", "time forfeit")
    assert game.records == []


def test_a_mate_that_comes_too_late_is_no_mate() -> None:
    game = referee("f2f3", "e7e5", "g2g4", black=clock("1", margin=0.0))
    assert ending(play(game, "d8h4", seconds=1.01))[:2] == ("1-0", "time forfeit")


def test_time_is_added_at_the_end_of_a_session() -> None:
    game = referee(white=clock("2/60+1"))
    play(game, "e2e4", "e7e5", seconds=10.0)
    assert game.moves_to_go(chess.WHITE) == 1
    assert game.remaining(chess.WHITE) == pytest.approx(51.0)
    play(game, "g1f3", "g8f6", seconds=10.0)
    assert game.moves_to_go(chess.WHITE) == 2
    assert game.remaining(chess.WHITE) == pytest.approx(102.0)


def test_time_per_move_is_watched_too() -> None:
    side = Side(Limit(movetime=0.5), 0.1)
    assert referee(white=side).allowance == pytest.approx(0.6)
    assert play(referee(white=side), "e2e4", seconds=0.59).verdict is None
    assert ending(play(referee(white=side), "e2e4", seconds=0.61))[1] == "time forfeit"


def test_without_a_clock_the_stall_timeout_holds_and_reaching_it_is_abandoned() -> None:
    game = referee(rules=MatchRules(stall_timeout=7.0))
    assert game.allowance == 7.0
    game.time_is_up()
    assert ending(game) == ("0-1", "abandoned", "White stalls: no answer in 7 s")


def test_with_a_clock_no_answer_is_a_time_forfeit() -> None:
    game = referee(white=clock("3", margin=0.25))
    assert game.allowance == pytest.approx(3.25)
    game.time_is_up()
    assert ending(game)[:2] == ("0-1", "time forfeit")


@given(st.lists(st.floats(min_value=0.0, max_value=3.0), max_size=40))
def test_no_clock_is_ever_negative(times: list[float]) -> None:
    game = referee(white=clock("5+0.1", margin=0.2), black=clock("3/4", margin=0.2))
    for number, seconds in enumerate(times):
        if game.verdict is not None:
            break
        game.answer(["g1f3", "g8f6", "f3g1", "f6g8"][number % 4], seconds=seconds)
        left = [game.remaining(color) for color in (True, False)]
        assert all(value is not None and value >= 0 for value in left)


# -- what engines say beside moves


def test_the_side_that_resigns_loses_without_a_fault() -> None:
    game = referee()
    game.resigns(chess.WHITE)
    assert ending(game) == ("0-1", "normal", "White resigns")
    assert game.verdict is not None
    assert game.verdict.fault is None


@pytest.mark.parametrize("text", ["1-0 {White mates}", "1/2-1/2 {Draw by repetition}"])
def test_a_false_result_claim_loses(text: str) -> None:
    game = referee()
    game.claims_result(chess.WHITE, text)
    assert ending(game)[:2] == ("0-1", "rules infraction")
    assert game.verdict is not None
    assert game.verdict.fault is chess.WHITE


def test_claiming_the_own_loss_is_resigning() -> None:
    game = referee()
    game.claims_result(chess.WHITE, "0-1 {Black wins}")
    assert ending(game) == ("0-1", "normal", "White resigns")


def test_a_draw_that_the_rules_let_it_claim_is_a_draw() -> None:
    game = play(referee(), *["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"])
    game.claims_result(chess.BLACK, "1/2-1/2 {Draw by repetition}")
    assert ending(game)[:2] == ("1/2-1/2", "normal")


def test_a_false_claim_of_an_illegal_move_loses() -> None:
    game = play(referee(), "e2e4")
    game.claims_illegal_move(chess.BLACK, "Illegal move: e2e4")
    assert ending(game)[:2] == ("1-0", "rules infraction")


# -- adjudication

SHUFFLE = ["g1f3", "g8f6", "b1c3", "b8c6", "a1b1", "a8b8", "b1a1", "b8a8", "h1g1", "h8g8", "g1h1", "g8h8"]


def scored(rules: MatchRules, white: list[int | None], black: list[int | None]) -> Arbiter:
    """Play the shuffle with these scores until the game ends or they do."""
    game = referee(rules=rules)
    for number, move in enumerate(SHUFFLE):
        scores = white if number % 2 == 0 else black
        if game.verdict is not None or number // 2 >= len(scores):
            break
        game.answer(move, seconds=0.0, score=scores[number // 2])
    return game


def test_a_one_sided_resign_rule_needs_only_the_losing_side() -> None:
    game = scored(MatchRules(resign=ResignRule(count=3, score=600, two_sided=False)), [-600, -700, -900], [None] * 3)
    assert ending(game)[:2] == ("0-1", "adjudication")
    assert len(game.records) == 5


def test_a_two_sided_resign_rule_waits_for_the_opponent_to_agree() -> None:
    rules = MatchRules(resign=ResignRule(count=2, score=600))
    assert scored(rules, [-700] * 4, [500] * 4).verdict is None
    agreed = scored(rules, [-700] * 4, [500, 600, 600])
    assert ending(agreed)[:2] == ("0-1", "adjudication")
    assert len(agreed.records) == 6


def test_one_better_score_starts_the_resign_count_again() -> None:
    rules = MatchRules(resign=ResignRule(count=3, score=600, two_sided=False))
    assert scored(rules, [-700, -700, -599, -700, -700], [0] * 5).verdict is None


@pytest.mark.parametrize(("mate", "result"), [(9, None), (-9, "0-1"), (0, "0-1")])
def test_a_mate_score_counts_for_its_side_only(mate: int, result: str | None) -> None:
    game = referee(rules=MatchRules(resign=ResignRule(count=1, score=600, two_sided=False)))
    game.answer("e2e4", seconds=0.0, mate=mate)
    assert (game.verdict.result if game.verdict else None) == result
    if game.verdict:
        assert game.verdict.reason.endswith("beyond 600 for 1 move")


def test_the_draw_rule_needs_both_sides_and_its_move_number() -> None:
    rules = MatchRules(draw=DrawRule(number=4, count=2, score=10))
    drawn = scored(rules, [5] * 6, [-10] * 6)
    assert ending(drawn)[:2] == ("1/2-1/2", "adjudication")
    assert len(drawn.records) == 7
    assert scored(rules, [5] * 6, [-11] * 6).verdict is None
    assert scored(rules, [5] * 6, [None] * 6).verdict is None


def test_the_draw_rule_counts_the_moves_of_both_sides() -> None:
    drawn = scored(MatchRules(draw=DrawRule(number=1, count=3, score=10)), [0] * 6, [0] * 6)
    assert ending(drawn)[:2] == ("1/2-1/2", "adjudication")
    assert len(drawn.records) == 6


def test_a_mate_score_of_the_winner_agrees_to_the_resignation() -> None:
    game = referee(rules=MatchRules(resign=ResignRule(count=1, score=600)))
    game.answer("e2e4", seconds=0.0, mate=-4)
    assert game.verdict is None
    game.answer("e7e5", seconds=0.0, mate=4)
    assert ending(game)[:2] == ("0-1", "adjudication")


def test_the_longest_game_is_adjudicated_a_draw() -> None:
    game = scored(MatchRules(max_moves=3), [0] * 6, [0] * 6)
    assert ending(game)[:2] == ("1/2-1/2", "adjudication")
    assert len(game.moves.played) == 6


def test_mate_on_the_board_comes_before_every_adjudication() -> None:
    game = play(referee(rules=MatchRules(max_moves=2)), "f2f3", "e7e5", "g2g4", "d8h4")
    assert ending(game) == ("0-1", "normal", "Black mates")


@pytest.mark.parametrize(
    ("fen", "written", "meant"),
    [
        ("4k3/8/8/8/8/8/8/R3K2R w HA - 0 1", "e1g1", "e1h1"),
        ("4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1", "e1c1", "e1b1"),
        # The king's square is not e1, or its rook not in the corner.
        ("4k3/8/8/8/8/8/8/1K4R1 w G - 0 1", "b1g1", "b1g1"),
        ("4k3/8/8/8/8/8/8/2K3R1 w G - 0 1", "C1G1", "c1g1"),
        ("1r2k3/8/8/8/8/8/8/4K3 b b - 0 1", "e8c8", "e8b8"),
        ("4k3/8/8/8/8/8/8/R2K3R w HA - 0 1", "d1g1", "d1h1"),
    ],
)
def test_castling_by_the_kings_target_is_understood_in_chess960_where_it_is_no_kings_move(
    fen: str, written: str, meant: str
) -> None:
    game = referee(fen=fen, chess960=True)
    warning = game.answer(written, seconds=0.0)
    assert game.verdict is None
    assert game.moves.played == [meant]
    assert warning == (None if written == meant else f"writes {written} for {meant}")


def test_a_kings_move_to_the_castling_square_stays_a_kings_move_in_chess960() -> None:
    game = referee(fen="4k3/8/8/8/8/8/8/R4K1R w HA - 0 1", chess960=True)
    assert game.answer("f1g1", seconds=0.0) is None
    assert game.moves.position.board().king(chess.WHITE) == chess.G1
    assert game.moves.position.board().piece_at(chess.H1) is not None


def test_a_king_that_may_not_castle_makes_an_illegal_move_by_jumping() -> None:
    game = referee(fen="4k3/8/8/8/8/8/8/R2K3R w - - 0 1", chess960=True)
    game.answer("d1g1", seconds=0.0)
    assert ending(game)[:2] == ("0-1", "rules infraction")

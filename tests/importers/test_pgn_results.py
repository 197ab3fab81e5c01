from pathlib import Path

import pytest

from anchorhold.importers.pgn.found import GameLine, PgnImport
from importers.pgn_texts import FOOLS, MATE, QUIET, game, read

COUNTED = game("2", "Beta", "Alpha", "0-1", FOOLS)


def only(tmp_path: Path, text: str) -> tuple[PgnImport, GameLine]:
    """What is said of the first game; the second is a sound one that must always be counted."""
    found = read(tmp_path, text + COUNTED, list_games=True)
    assert found.lines[-1].counted, "the sound game behind it was lost"
    return found, found.lines[0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (game(result="1-0", marker="0-1"), "tag 1-0, marker 0-1"),
        (game(result="1-0", marker="*"), r"tag 1-0, marker \*"),
        (game(result="*", marker="1-0"), r"tag \*, marker 1-0"),
        (game(result="0-1", moves=MATE), "the last move mates"),
        (game(result="1/2-1/2", moves=FOOLS), "the last move mates"),
        (game(Termination="unterminated"), "Termination unterminated"),
        (game(result="0-1", moves=QUIET + " {White mates}"), "the last comment says White mates"),
        (game(result="1-0", moves=QUIET + " {Alpha loses on time}"), "the last comment says Alpha loses on time"),
        (game(result="1-0", moves="1. e4 e5 {-0.1/2 0.1s, Draw by 3-fold repetition}"), "Draw by 3-fold repetition"),
        (game(result="1-0", moves="1. e4 e5 2. Ke3"), "half-move 3, Ke3, is not possible"),
        (game(result="1-0", moves=MATE.replace("#", ""), marker="1-0").replace("1-0", "0-1"), "is a mate"),
        (
            game(result="1-0", moves="1. Kf7", FEN="7k/8/6K1/8/8/8/8/6Q1 w - - 0 1", SetUp="1").replace("Kf7", "Qf1"),
            None,
        ),
        (game(result="1-0", moves="1. Qf7", FEN="7k/8/6K1/8/8/8/8/5Q2 w - - 0 1"), "stalemate"),
        (game(result="1-0").replace("[Result", '[White "Gamma"]\n[Result'), "stands twice"),
    ],
)
def test_a_game_that_contradicts_itself_is_not_counted_and_named(tmp_path: Path, text: str, said: str | None) -> None:
    found, first = only(tmp_path, text)
    if said is None:
        assert first.counted
        return
    assert not first.counted
    assert first.result == "conflict"
    assert found.not_counted == {"contradiction": 1}
    with pytest.raises(AssertionError, match=said):
        raise AssertionError(found.problems[0])
    assert found.problems[0].place.line == 1


@pytest.mark.parametrize("spelling", ["1/2", "1/2-1/2", "0.5-0.5", "½-½", "½"])
def test_a_draw_may_be_spelled_in_other_ways(tmp_path: Path, spelling: str) -> None:
    found, first = only(tmp_path, game(result=spelling))
    assert (first.counted, first.result) == (True, "1/2-1/2")
    assert [remark.place.line for remark in found.remarks] == ([] if spelling == "1/2-1/2" else [1])


def test_without_a_result_tag_the_marker_decides(tmp_path: Path) -> None:
    found, first = only(tmp_path, game().replace('[Result "1-0"]\n', ""))
    assert (first.counted, first.result) == (True, "1-0")
    assert not found.problems


def test_a_comment_with_a_name_that_begins_like_an_engines_says_nothing_about_it(tmp_path: Path) -> None:
    text = game(white="Alpha", black="Alpha 2", result="1-0", moves=QUIET + " {Alpha 2 loses on time}")
    _, first = only(tmp_path, text)
    assert first.counted


@pytest.mark.parametrize("cut", [QUIET[:30], QUIET[:27], "1. e4 e5 2. Qh", "1. e4 (1. d4", ""])
def test_a_record_that_breaks_off_is_not_counted_and_the_next_game_is(tmp_path: Path, cut: str) -> None:
    torn = game(moves=cut, marker="").rstrip("\n")
    for glue in ("\n\n", "\n", ""):
        found, first = only(tmp_path, torn + (glue if "{" not in cut or "}" in cut[cut.rfind("{") :] else "\n\n"))
        assert (found.games, first.counted) == (2, False)
        assert found.not_counted == {"cut": 1}
        assert any("ends before a result" in problem.what for problem in found.problems)


def test_a_header_that_breaks_off_loses_only_its_own_game(tmp_path: Path) -> None:
    found, first = only(tmp_path, '[Event "Match"]\n[Site "?"]\n[White "Al')
    assert found.games == 2
    assert not first.counted
    assert any("does not end" in problem.what for problem in found.problems)


def test_a_comment_may_hold_a_header_and_an_empty_line(tmp_path: Path) -> None:
    found, first = only(tmp_path, game(moves='1. e4 {see\n\n[Event "no"]\n\n1. d4 0-1 } e5'))
    assert (found.games, first.counted) == (2, True)


def test_a_comment_left_open_by_a_crash_does_not_swallow_the_next_game(tmp_path: Path) -> None:
    text = game(moves="1. e4 {+0.31/18 0.4", marker="") + game("3", result="0-1")
    found, first = only(tmp_path, text)
    assert (found.games, first.counted) == (3, False)
    assert found.lines[1].counted


def test_games_without_the_names_of_both_engines_are_listed(tmp_path: Path) -> None:
    for text in (game(white="?"), game(black="Alpha"), game().replace('[Black "Beta"]\n', ""), "1. e4 e5 1-0\n\n"):
        found, first = only(tmp_path, text)
        assert not first.counted
        assert len(found.problems) == 1


def test_text_that_is_no_game_is_listed_with_its_line(tmp_path: Path) -> None:
    found = read(tmp_path, COUNTED + "hello world\n\n" + game("3"))
    assert found.games - sum(found.not_counted.values()) == 2
    assert [problem.place.line for problem in found.problems] == [11]


def test_quotes_brackets_and_backslashes_in_tags_are_read(tmp_path: Path) -> None:
    odd = r'[Note "[Result \"0-1\"]"]' + "\n" + r'[Path "C:\\games\\"]' + "\n" + '[Said "the "best" move"]\n'
    found, first = only(tmp_path, game().replace("[Result", odd + "[Result"))
    assert (first.counted, first.result) == (True, "1-0")
    assert not found.problems


def test_names_in_the_old_windows_encoding_are_read(tmp_path: Path) -> None:
    found = read(tmp_path, game(white="M\u00fcller").encode("cp1252") + game(white="M\u00fcller").encode())
    assert {record.first for record in found.records} == {"M\u00fcller"}


def test_crlf_and_byte_order_marks_change_nothing(tmp_path: Path) -> None:
    text = game(moves=MATE) + COUNTED
    plain = read(tmp_path, text)
    for other in (text.replace("\n", "\r\n"), "\ufeff" + text, text.replace("[Event", "\ufeff[Event")):
        assert read(tmp_path, other).records == plain.records


def test_a_tag_of_many_megabytes_is_bounded_and_the_games_around_it_stay(tmp_path: Path) -> None:
    huge = game("5", white="x" * 9_000_000)
    found = read(tmp_path, game("1") + huge + game("2", "Beta", "Alpha", "0-1"))
    assert found.records[0].trinomial.games == 2
    assert any("without an end" in problem.what for problem in found.problems)
    assert all(len(str(problem)) < 1000 for problem in found.problems)

import pytest

from anchorhold.domain.engines import OptionValue
from anchorhold.domain.games import Opening, Variant
from anchorhold.domain.limits import Limit, TimeControl
from anchorhold.matches.arbiter import Arbiter, Side
from anchorhold.matches.jobs import MatchRules
from anchorhold.matches.uci import go_command, position_command, read_info
from anchorhold.matches.uci_options import OptionRefused, UciOption, option_command, read_option

LINES = [
    "option name Hash type spin default 16 min 1 max 1024",
    "option name OwnBook type check default true",
    "option name Style Of Play type combo default Normal var Normal var Very Solid var Wild",
    "option name Clear Hash type button",
    "option name Book File type string default <empty>",
    "option name type of default type spin default 3 min -5 max 9",
    "option name Skill type slider default 3",
    "option name Nothing",
]
KNOWN = {option.name: option for option in map(read_option, LINES) if option is not None}


def game(white: Limit, black: Limit, *moves: str, fen: str | None = None, variant: Variant = "standard") -> Arbiter:
    return Arbiter(
        opening=Opening(fen, moves), variant=variant, white=Side(white, 0.1), black=Side(black, 0.1), rules=MatchRules()
    )


def test_options_are_read_whatever_words_their_names_have() -> None:
    assert list(KNOWN) == [
        "Hash",
        "OwnBook",
        "Style Of Play",
        "Clear Hash",
        "Book File",
        "type of default",
        "Skill",
        "Nothing",
    ]
    assert KNOWN["type of default"] == UciOption("type of default", "spin", low=-5, high=9)
    assert KNOWN["Style Of Play"].choices == ("Normal", "Very Solid", "Wild")


@pytest.mark.parametrize(
    "line", ["option", "option type check default true", "option name", "options name x type check"]
)
def test_a_line_without_a_name_is_no_option(line: str) -> None:
    assert read_option(line) is None


@pytest.mark.parametrize(
    ("name", "value", "line"),
    [
        ("Hash", 64, "setoption name Hash value 64"),
        ("hash", "64", "setoption name Hash value 64"),
        ("Hash", 64.0, "setoption name Hash value 64"),
        ("OwnBook", False, "setoption name OwnBook value false"),
        ("OwnBook", "True", "setoption name OwnBook value true"),
        ("Style Of Play", "very solid", "setoption name Style Of Play value Very Solid"),
        ("Clear Hash", True, "setoption name Clear Hash"),
        ("Clear Hash", False, None),
        ("Book File", "", "setoption name Book File value <empty>"),
        ("Book File", "a b.bin", "setoption name Book File value a b.bin"),
        ("Skill", 5, "setoption name Skill value 5"),
    ],
)
def test_an_option_is_sent_as_its_type_wants_it(name: str, value: OptionValue, line: str | None) -> None:
    assert option_command(name, value, KNOWN) == line


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("Hsh", 64, "has no option 'Hsh'"),
        ("Hash", 0, "takes 1 to 1024"),
        ("Hash", 1025, "takes 1 to 1024"),
        ("Hash", "many", "takes a whole number"),
        ("Hash", True, "takes a whole number"),
        ("OwnBook", 1, "takes true or false"),
        ("Style Of Play", "Mad", "takes Normal, Very Solid, Wild"),
        ("Book File", "a\nquit", "line break"),
    ],
)
def test_an_option_that_does_not_fit_is_refused(name: str, value: OptionValue, words: str) -> None:
    with pytest.raises(OptionRefused, match=words):
        option_command(name, value, KNOWN)


def test_a_misspelt_option_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(OptionRefused) as caught:
        option_command("Ownbok", True, KNOWN)
    assert caught.value.next_step == "did you mean 'OwnBook'?"


def test_a_name_may_hold_the_sign_that_ends_it_on_a_command_line() -> None:
    known = {name: UciOption(name, "spin", low=0, high=9) for name in ("Use=Book", "A=B=C")}
    assert option_command("Use", "Book=3", known) == "setoption name Use=Book value 3"
    assert option_command("A", "B=C=4", known) == "setoption name A=B=C value 4"
    with pytest.raises(OptionRefused, match="has no option 'Use'"):
        option_command("Use", "Bock=3", known)


def test_names_that_differ_only_in_case_are_told_apart() -> None:
    known = {"Noise": UciOption("Noise", "string"), "noise": UciOption("noise", "string")}
    assert option_command("noise", "x", known) == "setoption name noise value x"
    with pytest.raises(OptionRefused):
        option_command("NOISE", "x", known)


def test_clocks_are_sent_in_milliseconds_and_never_as_nothing() -> None:
    control = Limit(time_control=TimeControl.parse("40/8+0.08"))
    playing = game(control, control)
    assert go_command(playing) == "go wtime 8000 winc 80 btime 8000 binc 80 movestogo 40"
    playing.answer("e2e4", seconds=2.5)
    assert go_command(playing) == "go wtime 5580 winc 80 btime 8000 binc 80 movestogo 40"
    bare = Limit(time_control=TimeControl.parse("1"))
    late = game(bare, bare)
    late.answer("e2e4", seconds=1.05)
    assert go_command(late) == "go wtime 1 btime 1000"


def test_fixed_limits_are_sent_as_they_are() -> None:
    assert go_command(game(Limit(nodes=500, depth=9), Limit(movetime=0.25))) == "go nodes 500 depth 9"
    playing = game(Limit(depth=3), Limit(movetime=0.25), "e2e4")
    assert go_command(playing) == "go movetime 250"
    assert go_command(game(Limit(time_control=TimeControl(2.0)), Limit(depth=1))) == "go wtime 2000"


def test_the_position_is_sent_with_all_its_moves() -> None:
    depth = Limit(depth=1)
    assert position_command(game(depth, depth)) == "position startpos"
    playing = game(depth, depth, "e2e4")
    playing.answer("e7e5", seconds=0.0)
    assert position_command(playing) == "position startpos moves e2e4 e7e5"
    fen = "4k3/8/8/8/8/8/8/4K2R w K - 7 31"
    assert position_command(game(depth, depth, "e1g1", fen=fen)) == f"position fen {fen} moves e1g1"


def test_chess960_positions_name_the_rooks_file() -> None:
    depth = Limit(depth=1)
    fen = "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKR1N w KQkq - 0 1"
    line = position_command(game(depth, depth, "e1f1", fen=fen, variant="chess960"))
    assert line == "position fen bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKR1N w FCfc - 0 1 moves e1f1"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"info depth 12 seldepth 20 score cp -31 nodes 4711 nps 9 pv e2e4 depth 7", (12, -31, None, 4711)),
        (b"info score mate -3 depth 5", (5, None, -3, None)),
        (b"info depth 1 seldepth  score cp  nodes  nps 0 time pv e2e4", (1, None, None, None)),
        (b"info score", (None, None, None, None)),
        (b"info", (None, None, None, None)),
        (b"", (None, None, None, None)),
        (b"info depth 99999999999999999999 score cp 18446744073709551616 nodes 12", (None, None, None, 12)),
        (b"info depth \xff score cp 7", (None, 7, None, None)),
    ],
)
def test_info_is_read_as_far_as_it_can_be(line: bytes, expected: tuple[int | None, ...]) -> None:
    assert read_info(line) == expected

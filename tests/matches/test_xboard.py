import pytest

from anchorhold.domain.engines import OptionValue
from anchorhold.domain.limits import TimeControl
from anchorhold.matches.uci_options import OptionRefused
from anchorhold.matches.xboard import level_command, read_thinking
from anchorhold.matches.xboard_options import XboardOption, option_command, read_features, read_option

FEATURES = {"memory": "1", "smp": "0"}
KNOWN = {
    option.name: option
    for option in map(
        read_option,
        [
            "Resign -check 0",
            "Resign Threshold -spin 800 200 1200",
            "Style -combo Normal /// *Solid",
            "Clear Hash -button",
        ],
    )
    if option is not None
}


def test_features_are_read_with_and_without_quotes() -> None:
    line = 'feature ping=1 setboard=0 myname="Fairy-Max 5.0b" variants="normal,fischerandom" done=1'
    assert read_features(line) == [
        ("ping", "1"),
        ("setboard", "0"),
        ("myname", "Fairy-Max 5.0b"),
        ("variants", "normal,fischerandom"),
        ("done", "1"),
    ]


def test_options_are_read_with_their_bounds_and_choices() -> None:
    assert KNOWN["Resign Threshold"] == XboardOption("Resign Threshold", "spin", low=200, high=1200)
    assert KNOWN["Style"].choices == ("Normal", "Solid")
    assert read_option("no type at all") is None


@pytest.mark.parametrize(
    ("name", "value", "line"),
    [
        ("memory", 64, "memory 64"),
        ("Resign", True, "option Resign=1"),
        ("Resign", "false", "option Resign=0"),
        ("Resign Threshold", 300, "option Resign Threshold=300"),
        ("Style", "Solid", "option Style=Solid"),
        ("Clear Hash", True, "option Clear Hash"),
        ("Clear Hash", False, None),
    ],
)
def test_an_option_is_sent_as_its_type_wants_it(name: str, value: OptionValue, line: str | None) -> None:
    assert option_command(name, value, features=FEATURES, known=KNOWN) == line


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("cores", 2, "does not announce the feature smp"),
        ("memory", 0, "at least 1"),
        ("Hash", 16, "has no option 'Hash'"),
        ("Resign", 7, "true or false"),
        ("Resign Threshold", 100, "takes 200 to 1200"),
        ("Style", "Mad", "takes Normal, Solid"),
    ],
)
def test_an_option_that_does_not_fit_is_refused(name: str, value: OptionValue, words: str) -> None:
    with pytest.raises(OptionRefused, match=words):
        option_command(name, value, features=FEATURES, known=KNOWN)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("300", "level 0 5 0"),
        ("40/90+0.5", "level 40 1:30 0.5"),
        ("8+0.08", "level 0 0:08 0.08"),
        ("0.5", "level 0 0:01 0"),
    ],
)
def test_the_level_has_whole_seconds(text: str, line: str) -> None:
    assert level_command(TimeControl.parse(text)) == line


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"  5     21        3      34365 f1d3 d7d5", (5, 21, None, 34365)),
        (b"9. -156 1084 48000 Nf3 Nc6", (9, -156, None, 48000)),
        (b"4 100003 1 99", (4, None, 3, 99)),
        (b"4 -100002 1 99 e2e4", (4, None, -2, 99)),
        (b"# times @ 716807945: real=32 cpu=30", (None, None, None, None)),
        (b"", (None, None, None, None)),
    ],
)
def test_thinking_lines_are_read(line: bytes, expected: tuple[int | None, ...]) -> None:
    assert read_thinking(line) == expected

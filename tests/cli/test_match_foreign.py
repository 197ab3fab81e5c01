import shlex

import pytest
import typer
from typer.testing import CliRunner

from anchorhold.cli.app import app
from anchorhold.cli.match_foreign import INERT, REFUSED, Kind, translate
from anchorhold.errors import BadInput

KNOWN: dict[str, Kind] = {
    "--engine": "words",
    "--each": "words",
    "--openings": "words",
    "--pgnout": "words",
    "--rounds": "value",
    "--games": "value",
    "--srand": "value",
    "--repeat": "flag",
    "--recover": "flag",
}


def translated(text: str) -> list[str]:
    return translate(shlex.split(text), known=KNOWN)


def test_words_up_to_the_next_option_become_one_text() -> None:
    found = translated(
        "-engine cmd='./my engine' name=A args='-x \"two words\"' option.Contempt=-3 -engine cmd=b"
        " -each tc=8+0.08 option.Hash=16 -rounds 100 -repeat -recover"
    )
    assert found[0::2][:2] == ["--engine", "--engine"]
    assert shlex.split(found[1]) == ["cmd=./my engine", "name=A", 'args=-x "two words"', "option.Contempt=-3"]
    assert found[2:] == [
        *("--engine", "cmd=b", "--each", "tc=8+0.08 option.Hash=16"),
        *("--rounds", "100", "--repeat", "--recover"),
    ]


def test_this_programs_own_form_is_left_as_it_is() -> None:
    own = ["--engine", "name=A cmd='./a b'", "--rounds", "5", "--engine=cmd=b", "--", "-engine"]
    assert translate(own, known=KNOWN) == own


def test_several_words_after_two_dashes_are_taken_too() -> None:
    assert translated("--engine cmd=a name=B --rounds 5") == ["--engine", "cmd=a name=B", "--rounds", "5"]


def test_what_changes_nothing_here_is_taken_away_and_repeat_may_have_a_number() -> None:
    assert translated("-autosaveinterval 20 -report penta=true -force-concurrency -repeat 2 -rounds 5") == [
        *("--repeat", "--games", "2", "--rounds", "5"),
    ]
    # Two games are a pair, which is what is played.
    assert translated("-repeat") == ["--repeat"]


def test_the_words_of_cutechess_that_have_no_key_get_theirs() -> None:
    assert translated("-pgnout games.pgn fi") == ["--pgnout", "file=games.pgn"]
    assert translated("-pgnout games.pgn min") == ["--pgnout", "file=games.pgn min=true"]
    assert translated("-pgnout file=games.pgn nodes=true") == ["--pgnout", "file=games.pgn nodes=true"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("-engin cmd=a", "unknown option -engin. did you mean 'engine'?"),
        ("-opening file=b", "did you mean 'openings'?"),
        ("-wholly-unknown", "See anchorhold match --help"),
        ("-engine", "-engine takes words"),
        ("-engine -each tc=1", "-engine takes words"),
        ("-rounds", "-rounds takes a value"),
        ("-noswap", "-noswap is not known here: a pair has both colours"),
    ],
)
def test_an_option_that_is_not_known_is_refused_with_a_hint(text: str, message: str) -> None:
    with pytest.raises(BadInput) as refused:
        translated(text)
    assert message in str(refused.value)


def test_nothing_is_both_refused_or_left_out_and_an_option_of_this_program() -> None:
    command = typer.main.get_command(app).get_command(None, "match")  # type: ignore[attr-defined]
    own = {option.removeprefix("--") for parameter in command.params for option in parameter.opts}
    assert not own & (REFUSED.keys() | INERT.keys())
    assert not REFUSED.keys() & INERT.keys()


@pytest.mark.parametrize("words", [["-engin", "cmd=a"], ["-noswap"], ["--engin", "cmd=a"]])
def test_the_command_refuses_with_one_line_and_status_2(words: list[str]) -> None:
    result = CliRunner().invoke(app, ["match", *words])
    assert result.exit_code == 2
    assert "Traceback" not in result.stderr
    assert words[0] in result.stderr

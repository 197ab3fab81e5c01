from pathlib import Path

import pytest

from anchorhold.cli.engine_words import (
    OpeningsChoice,
    parse_draw,
    parse_engines,
    parse_openings,
    parse_resign,
    parse_sprt,
)
from anchorhold.domain.engines import EngineSpec
from anchorhold.domain.limits import Limit, TimeControl
from anchorhold.errors import BadInput
from anchorhold.matches.jobs import DrawRule, ResignRule
from anchorhold.stats.sprt import Sprt


def test_every_key_of_an_engine_finds_its_place() -> None:
    (found,) = parse_engines(
        [
            "name='Alpha 1' cmd=./alpha args='-x \"two words\"' dir=/tmp proto=xboard tc=40/60+0.6 nodes=10000"
            " timemargin=50 restart=on initstr='book off\\neasy' depthcmd=depth option.Hash=16"
            " option.OwnBook=false 'option.Move Overhead=007' option.Ratio=-3"
        ],
        each=None,
    )
    assert found == EngineSpec(
        name="Alpha 1",
        command=("./alpha", "-x", "two words"),
        limit=Limit(TimeControl(60.0, 0.6, 40), nodes=10_000),
        protocol="xboard",
        options=(("Hash", 16), ("OwnBook", False), ("Move Overhead", "007"), ("Ratio", -3)),
        setup=("book off", "easy"),
        depth_command="depth",
        restart="pair",
        directory=Path("/tmp"),  # noqa: S108
        margin=0.05,
    )


def test_what_holds_for_each_engine_gives_way_to_its_own_words() -> None:
    one, two = parse_engines(["cmd=a/one", "cmd=two depth=3 option.Hash=1"], each="st=0.5 option.Hash=16 timemargin=0")
    assert (one.name, one.limit, one.options, one.margin) == ("one", Limit(movetime=0.5), (("Hash", 16),), 0.0)
    assert (two.name, two.limit, two.options) == ("two", Limit(depth=3), (("Hash", 1),))


def test_no_clock_is_the_fields_inf() -> None:
    assert parse_engines(["cmd=a tc=inf depth=3"], each=None)[0].limit == Limit(depth=3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name=A depth=3", r"--engine 1.*cmd= is missing"),
        ("cmd=a", r"Give tc=, st=, nodes= or depth="),
        ("cmd=a tc=inf", r"Give tc=, st=, nodes= or depth="),
        ("cmd=a dept=3", r"unknown key 'dept'.*'depth'"),
        ("cmd=a depth=3 option.=4", r"unknown key 'option\.'"),
        ("cmd=a depth=0", r"depth is '0'"),
        ("cmd=a nodes=1e6", r"nodes is '1e6'"),
        ("cmd=a st=nan", r"st is 'nan'"),
        ("cmd=a st=0", r"st is '0'"),
        ("cmd=a tc=8:x", r"time control '8:x'"),
        ("cmd=a tc=8 st=1", r"exclude each other"),
        ("cmd=a depth=1 depth=2", r"depth= is given twice"),
        ("cmd=a depth=1 alone", r"'alone' is not of the form"),
        ("cmd='a depth=1", r"cannot be split"),
        ("cmd=a depth=1 proto=uc", r"proto is 'uc'.*'uci'"),
        ("cmd=a depth=1 restart=maybe", r"restart is 'maybe'"),
    ],
)
def test_an_engine_that_cannot_be_read_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        parse_engines([text], each=None)


def test_openings_are_read_with_commas_or_spaces_and_file_names_may_hold_commas() -> None:
    expected = OpeningsChoice(Path("a,b.epd"), order="sequential", seed=7, plies=8)
    assert parse_openings("file=a,b.epd,order=sequential,seed=7,plies=8") == expected
    assert parse_openings("file=a,b.epd order=sequential seed=7 plies=8 format=epd") == expected
    assert parse_openings(None) == OpeningsChoice()


@pytest.mark.parametrize("text", ["order=shuffled", "seed=-1", "plies=0", "fil=x", "plies=eight"])
def test_openings_of_another_form_are_refused(text: str) -> None:
    with pytest.raises(BadInput, match="--openings"):
        parse_openings(text)


def test_adjudication_is_read_in_the_fields_words() -> None:
    assert parse_draw("movenumber=40 movecount=8 score=10") == DrawRule(number=40, count=8, score=10)
    assert parse_resign("movecount=3,score=400") == ResignRule(count=3, score=400, two_sided=True)
    assert parse_resign("movecount=3,score=400,twosided=false") == ResignRule(count=3, score=400, two_sided=False)
    assert parse_draw(None) is None
    assert parse_resign(None) is None
    assert parse_sprt(None) is None


@pytest.mark.parametrize("text", ["movecount=3", "movecount=3,score=x", "movecount=3,score=4,twosided=yes"])
def test_adjudication_of_another_form_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="--resign"):
        parse_resign(text)


def test_a_sequential_test_has_the_fields_defaults() -> None:
    assert parse_sprt("elo0=0,elo1=5") == Sprt(0.0, 5.0, model="normalized", alpha=0.05, beta=0.05)
    assert parse_sprt("elo0=-3 elo1=1 alpha=0.1 beta=0.2 model=logistic") == Sprt(-3.0, 1.0, "logistic", 0.1, 0.2)


@pytest.mark.parametrize(
    "text", ["elo0=0", "elo0=5,elo1=0", "elo0=0,elo1=5,alpha=0.6,beta=0.6", "elo0=0,elo1=5,model=x"]
)
def test_a_test_that_does_not_exist_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        parse_sprt(text)

from pathlib import Path

import pytest

from anchorhold.cli.engine_words import parse_engines
from anchorhold.domain.engines import EngineSpec
from anchorhold.domain.limits import Limit, TimeControl
from anchorhold.errors import BadInput


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
        ("cmd=a depth=1 plies=2", r"depth= and plies= are the same"),
    ],
)
def test_an_engine_that_cannot_be_read_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        parse_engines([text], each=None)


def test_plies_is_another_word_for_depth() -> None:
    assert parse_engines(["cmd=a plies=3"], each="nodes=9")[0].limit == Limit(depth=3)
    assert parse_engines(["cmd=a"], each="plies=3")[0].limit == Limit(depth=3)

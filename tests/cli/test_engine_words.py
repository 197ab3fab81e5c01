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


SETTINGS = """\
[project]
name = "Sparrow"

[main]
command = "builds/{version}/sparrow"

[[anchors]]
name = "Old Hand"
command = ["./hand", "-x", "two words"]
protocol = "xboard"
setup = ["book off", "easy"]
depth_command = "depth"
restart = "pair"
rating = 2000
rating_error = 10
limit = { depth = 4 }

[engines.Friend]
command = "./friend"
options = { Hash = 8, OwnBook = false, Tag = "007" }
files = ["net.bin"]

[stages.long]
depth = 5
pairs = 2

[book]
file = "book.epd"
"""


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "anchorhold.toml").write_text(SETTINGS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_an_engine_of_the_project_is_called_by_its_name(settings: Path) -> None:
    anchor, friend = parse_engines(["conf='old hand'", "conf=Friend name=F"], each="depth=9 option.Hash=64 option.X=1")
    assert anchor == EngineSpec(
        name="Old Hand",
        command=(str(settings / "hand"), "-x", "two words"),
        limit=Limit(depth=4),
        protocol="xboard",
        options=(("Hash", 64), ("X", 1)),
        setup=("book off", "easy"),
        depth_command="depth",
        restart="pair",
        directory=settings,
    )
    assert (friend.name, friend.limit, friend.files) == ("F", Limit(depth=9), (settings / "net.bin",))
    assert dict(friend.options) == {"Hash": 8, "X": 1, "OwnBook": False, "Tag": "007"}


@pytest.mark.usefixtures("settings")
def test_words_beside_the_name_override_what_is_known() -> None:
    (found,) = parse_engines(["conf='Old Hand' cmd=./other st=1 restart=off"], each=None)
    assert (found.command, found.limit, found.restart) == (("./other",), Limit(movetime=1.0), "never")


def test_a_recipe_on_this_machine_has_a_name_without_a_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (found,) = parse_engines(["conf=Phalanx depth=1"], each=None)
    assert (found.protocol, found.depth_command) == ("xboard", "depth")


@pytest.mark.usefixtures("settings")
@pytest.mark.parametrize(
    ("engine", "each", "message"),
    [
        ("conf=Frend depth=1", None, "no engine is called 'Frend'. did you mean 'Friend'?"),
        ("conf=Zebra depth=1", None, "'anchorhold engines list' shows those known"),
        ("cmd=a depth=1", "conf=Friend", "--each: conf= names one engine"),
    ],
)
def test_a_name_that_names_nothing_is_refused(engine: str, each: str | None, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_engines([engine], each=each)
    assert message in str(caught.value)

"""Which limits are kept, and whether an engine repeats itself: told apart on an engine that does as it is told."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from anchorhold.adopt.greeting import detect_protocol, greet
from anchorhold.adopt.limits import kinds_of, try_limit, try_limits
from anchorhold.adopt.recipes import LIMIT_KINDS
from anchorhold.adopt.repeating import repeats
from anchorhold.adopt.searching import Failed, Seat
from anchorhold.domain.engines import EngineSpec
from anchorhold.domain.limits import Limit, TimeControl
from anchorhold.errors import BadInput

HERE = Path(__file__).parent
SCRIPTED = HERE.parent / "engines" / "scripted.py"


def odd(*words: str, margin: float = 30.0) -> EngineSpec:
    """A patient margin: only what is meant to be late may be late."""
    command = (sys.executable, "-I", str(HERE / "odd_engine.py"), *words)
    return EngineSpec("odd", command, Limit(depth=1), margin=margin)


def test_an_engine_that_does_as_it_is_told_obeys_everything_and_repeats_itself() -> None:
    tried = try_limits(odd())
    assert {one.kind: one.obeyed for one in tried} == dict.fromkeys(LIMIT_KINDS, True)
    assert repeats(odd(), tried) == "always"


@pytest.mark.parametrize(
    ("words", "kind", "obeyed", "detail"),
    [
        (["deep=1"], "depth", False, "depth 2: 3 reached, depth 4: 5 reached"),
        (["nodes=4"], "nodes", False, "10000 nodes: 4 searched, 40000 nodes: 4 searched"),
        (["nodes=20000"], "nodes", False, "10000 nodes: 20000 searched"),
        (["silent=1"], "nodes", None, "does not say how many nodes"),
        (["silent=1"], "depth", None, "does not say how deep"),
    ],
)
def test_what_is_not_obeyed_is_said_with_what_was_seen(words: list[str], kind: str, obeyed: bool, detail: str) -> None:
    found = next(one for one in try_limits(odd(*words)) if one.kind == kind)
    assert found.obeyed is obeyed
    assert detail in found.detail


def test_time_that_is_overrun_is_not_obeyed() -> None:
    for kind in ("movetime", "clock"):
        found = try_limit(odd("late=1", margin=0.1), kind)
        assert found.obeyed is False
        assert "no move within" in found.detail or "loses on time" in found.detail


def test_an_engine_that_remembers_repeats_itself_in_a_fresh_process_only() -> None:
    spec = odd("memory=1")
    assert repeats(spec, [try_limit(spec, "depth"), try_limit(spec, "nodes")]) == "in a fresh process"


def test_an_engine_that_throws_dice_does_not_repeat_itself() -> None:
    spec = odd("dice=1")
    assert repeats(spec, [try_limit(spec, "depth"), try_limit(spec, "nodes")]) == "no"


def test_what_an_engine_says_about_itself_is_taken_down() -> None:
    said = greet(odd())
    assert (said.name, said.author, [option.name for option in said.options]) == ("Odd 3", "A. Tester", ["Hash"])
    xboard = (sys.executable, "-I", "-S", str(SCRIPTED), "protocol=xboard", "features=myname=Old ping=1 setboard=0")
    seen = greet(EngineSpec("s", xboard, Limit(depth=1), protocol="xboard"))
    assert (seen.name, seen.setboard) == ("Old", False)


def test_the_protocol_is_found_out_by_talking() -> None:
    assert detect_protocol(odd().command) == "uci"
    assert detect_protocol((sys.executable, "-I", "-S", str(SCRIPTED), "protocol=xboard")) == "xboard"
    slow = ("/bin/sh", "-c", 'sleep 5; exec "$@"', "slow", *odd().command)
    assert detect_protocol(slow) == "uci", "it was given up too soon"
    with pytest.raises(BadInput, match="neither UCI nor XBoard"):
        detect_protocol(("cat",))
    with pytest.raises(BadInput, match="cannot be started"):
        detect_protocol((str(HERE / "nothing"),))


def test_an_option_that_the_engine_does_not_have_is_a_failure_with_its_name() -> None:
    with pytest.raises(Failed, match="has no option 'Hush'"), Seat(replace(odd(), options=(("Hush", 1),)), patience=5):
        pass


def test_the_kinds_of_a_limit_are_all_it_bounds() -> None:
    assert kinds_of(Limit(depth=3, nodes=7)) == ("nodes", "depth")
    assert kinds_of(Limit(time_control=TimeControl(8.0))) == ("clock",)

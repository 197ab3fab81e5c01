"""An engine that does not start is named with what it said; one that does is ended again."""

import sys
from pathlib import Path

import psutil
import pytest

from anchorhold.domain.engines import EngineSpec
from anchorhold.domain.limits import Limit
from anchorhold.errors import MatchStopped
from anchorhold.matches.greeting import require_start
from anchorhold.matches.jobs import MatchRules

RULES = MatchRules(start_timeout=20.0)
WELL_BEHAVED = """
for line in open(0):
    word = line.split()[0]
    if word == "uci":
        print("option name Hash type spin default 1 min 1 max 8", "uciok", sep="\\n", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "quit":
        break
"""


def engine(directory: Path, text: str, **fields: object) -> EngineSpec:
    script = directory / "engine.py"
    script.write_text(text, encoding="utf-8")
    return EngineSpec(name="Tiny", command=(sys.executable, "-S", str(script)), limit=Limit(depth=1), **fields)  # type: ignore[arg-type]


def test_an_engine_that_starts_is_ended_again(tmp_path: Path) -> None:
    require_start(engine(tmp_path, WELL_BEHAVED, options=(("Hash", 4),)), rules=RULES)
    assert [process for process in psutil.Process().children() if "engine.py" in " ".join(process.cmdline())] == []


def test_an_engine_that_ends_is_named_with_its_last_words(tmp_path: Path) -> None:
    with pytest.raises(MatchStopped, match=r"engine Tiny ended with exit status 3; its last errors: no network found"):
        require_start(
            engine(tmp_path, "import sys\nprint('no network found', file=sys.stderr)\nsys.exit(3)"), rules=RULES
        )


def test_an_engine_that_is_not_there_is_named(tmp_path: Path) -> None:
    spec = EngineSpec(name="Tiny", command=(str(tmp_path / "absent"),), limit=Limit(depth=1))
    with pytest.raises(MatchStopped, match=r"absent: engine Tiny cannot be started: No such file"):
        require_start(spec, rules=RULES)


def test_an_engine_that_says_nothing_is_not_waited_for_longer_than_allowed(tmp_path: Path) -> None:
    with pytest.raises(MatchStopped, match=r"engine Tiny did not send uciok within 0\.3 s"):
        require_start(engine(tmp_path, "import time\ntime.sleep(60)"), rules=MatchRules(start_timeout=0.3))


def test_an_option_that_the_engine_does_not_have_is_named(tmp_path: Path) -> None:
    with pytest.raises(MatchStopped, match=r"engine Tiny: has no option 'Hsh'.*did you mean 'Hash'"):
        require_start(engine(tmp_path, WELL_BEHAVED, options=(("Hsh", 4),)), rules=RULES)

"""The run of all measurements: a page with each figure beside its peer or limit, and a status that agrees with it."""

import subprocess
import sys
from pathlib import Path

import pytest

from figures import Figure

BENCH = Path(__file__).parent.parent.parent / "bench"


def test_every_script_that_is_run_is_there_and_notes_figures() -> None:
    from run_all import SCRIPTS

    for script in SCRIPTS:
        text = (BENCH / f"{script}.py").read_text(encoding="utf-8")
        assert "from figures import" in text, script


def test_a_page_says_what_was_measured_and_what_was_not(tmp_path: Path) -> None:
    page = tmp_path / "results.md"
    done = subprocess.run(
        [sys.executable, str(BENCH / "run_all.py"), "--only", "start_up", "throughput", "--out", str(page)],
        env={"PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    text = page.read_text(encoding="utf-8")
    assert "| throughput | not measured: fastchess is not installed | | | | |" in text
    assert "| anchorhold --help | " in text
    assert done.returncode == int("**missed**" in text)


def test_less_is_better_unless_more_is() -> None:
    assert Figure("wait", 1.9, "s", "limit", 1.0, allowed=2).met
    assert not Figure("wait", 2.1, "s", "limit", 1.0, allowed=2).met
    assert Figure("games", 101, "1/s", "peer", 100, at_least=True).met
    assert not Figure("games", 99, "1/s", "peer", 100, at_least=True).met


@pytest.mark.parametrize(("value", "beside"), [(float("nan"), 1.0), (float("inf"), 1.0), (1.0, 0.0)])
def test_what_is_no_number_is_no_figure(value: float, beside: float) -> None:
    with pytest.raises(ValueError, match="not a figure"):
        Figure("wait", value, "s", "limit", beside)

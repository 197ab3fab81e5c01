"""A command that is run with bounds leaves nothing running, also when the interruption comes at the worst moment."""

import os
import subprocess
from pathlib import Path

import pytest

from anchorhold.builds import running
from anchorhold.builds.running import run_bounded
from builds.repository import ENVIRONMENT, runs


def run(tmp_path: Path, line: str, *, timeout: float = 60.0, said: bytes = b"") -> running.Ended:
    return run_bounded(
        ["/bin/sh", "-c", line],
        directory=tmp_path,
        environment=ENVIRONMENT,
        timeout=timeout,
        mark=f"test-{os.getpid()}-{tmp_path.name}",
        log=tmp_path / "log",
        said=said,
    )


def test_status_and_output_of_both_streams_are_known(tmp_path: Path) -> None:
    ended = run(tmp_path, "read line; echo out $line; echo error >&2; exit 7", said=b"heard\n")
    assert (ended.status, ended.output) == (7, b"out heard\nerror\n")
    assert (tmp_path / "log").read_bytes() == ended.output
    assert run(tmp_path, "kill -9 $$").status == -9


def test_one_that_reads_nothing_may_be_told_something(tmp_path: Path) -> None:
    assert run(tmp_path, "exit 0", said=b"x" * 60_000).status == 0


def test_a_child_that_holds_the_pipe_open_does_not_keep_it(tmp_path: Path) -> None:
    ended = run(tmp_path, f"(trap '' TERM; sleep 1000) & echo $! >{tmp_path}/child; echo done")
    assert (ended.status, ended.output) == (0, b"done\n")
    assert not runs(int((tmp_path / "child").read_text(encoding="ascii")))


def test_one_that_closes_its_output_and_goes_on_is_still_bounded(tmp_path: Path) -> None:
    assert run(tmp_path, "exec >&- 2>&-; sleep 1000", timeout=0.5).status is None


def test_an_interruption_while_it_starts_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[int] = []

    class Interrupted(subprocess.Popen[bytes]):
        def __init__(self, *arguments: object, **named: object) -> None:
            super().__init__(*arguments, **named)  # type: ignore[call-overload]
            started.append(self.pid)
            for stream in (self.stdin, self.stdout):
                assert stream is not None
                stream.close()
            self.returncode = -9  # so that its end is nobody's any more
            raise KeyboardInterrupt

    monkeypatch.setattr(subprocess, "Popen", Interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, "sleep 1000")
    assert [pid for pid in started if runs(pid)] == []

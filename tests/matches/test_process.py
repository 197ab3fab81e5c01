import os
import select
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from anchorhold.matches.process import LONGEST_LINE, EngineProcess, describe_exit, stop_all
from anchorhold.matches.switchboard import HANGUP_ONLY, READ, Switchboard

PATIENCE = 20.0


class Talk:
    """One program under observation."""

    def __init__(self, program: str, *words: str) -> None:
        self.board = Switchboard()
        self.lines: list[bytes] = []
        self.process = EngineProcess(
            (sys.executable, "-I", "-S", "-c", program, *words),
            switchboard=self.board,
            on_lines=lambda lines, _stamp: self.lines.extend(lines.split(b"\n")[:-1]),
        )

    def until(self, count: int = 0, *, ended: bool = False, exited: bool = False) -> None:
        deadline = time.monotonic() + PATIENCE
        while (
            len(self.lines) < count
            or (ended and not self.process.ended)
            or (exited and self.process.exit_status is None)
        ):
            assert time.monotonic() < deadline, "waited in vain"
            self.board.turn(min(deadline, time.monotonic() + 0.1))


@pytest.fixture(autouse=True)
def nothing_outlives_the_test() -> Iterator[None]:
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    open_before = len(os.listdir("/proc/self/fd"))
    yield
    assert {child.pid for child in psutil.Process().children(recursive=True)} <= before
    assert len(os.listdir("/proc/self/fd")) <= open_before


def gone(pid: int) -> bool:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
            return True
        time.sleep(0.01)
    return False


def test_lines_come_whole_and_a_last_one_without_its_end_does_not_come() -> None:
    talk = Talk("import os; os.write(1, b'one\\r\\ntw'); os.write(1, b'o\\n\\xff\\xfe\\nunfinished')")
    talk.until(exited=True)
    assert talk.lines == [b"one\r", b"two", b"\xff\xfe"]
    assert talk.process.describe_end() == "ended with exit status 0"


def test_what_it_says_last_is_heard_before_its_end() -> None:
    talk = Talk("import os; os.write(1, b'last words\\n'); os._exit(3)")
    talk.until(exited=True)
    assert talk.lines == [b"last words"]
    assert talk.process.exit_status == 3


def test_an_over_long_line_is_cut_and_the_next_one_is_whole() -> None:
    talk = Talk("import os\nfor _ in range(40): os.write(1, b'x' * 100000)\nos.write(1, b'\\nnext\\n')")
    talk.until(2, exited=True)
    assert [len(line) for line in talk.lines] == [LONGEST_LINE, 4]


def test_a_flood_on_stderr_blocks_nobody_and_its_end_is_kept() -> None:
    talk = Talk("import os\nfor n in range(50000): os.write(2, b'line %d of noise\\n' % n)\nprint('done', flush=True)")
    talk.until(1, exited=True)
    assert talk.process.last_errors(2) == ("line 49998 of noise", "line 49999 of noise")


def test_a_program_that_does_not_read_does_not_block_the_writer() -> None:
    talk = Talk("import time; print('up', flush=True); time.sleep(600)")
    talk.until(1)
    for _ in range(50):
        talk.process.send("x" * 10_000)
    assert not talk.process.ended
    talk.process.kill()


def test_what_could_not_be_written_at_once_arrives_later() -> None:
    talk = Talk("import sys, time; time.sleep(0.2); print(len(sys.stdin.readline()), flush=True)")
    talk.process.send("x" * 300_000)
    talk.until(1, exited=True)
    assert talk.lines == [b"300001"]


def test_writing_to_one_that_has_closed_its_input_shows_that_it_has_ended() -> None:
    talk = Talk("import os, time; os.close(0); print('closed', flush=True); time.sleep(600)")
    talk.until(1)
    talk.process.send("hello")
    assert talk.process.ended
    assert talk.process.describe_end() == "closed its input"
    talk.process.kill()


def test_a_closed_output_is_seen_at_once() -> None:
    talk = Talk("import os, time; os.close(1); time.sleep(600)")
    talk.until(ended=True)
    assert talk.process.describe_end() == "closed its output"
    talk.process.kill()


def test_the_end_of_the_process_counts_although_a_child_holds_its_pipes_and_the_child_ends_too() -> None:
    program = "import os, time\npid = os.fork()\nif not pid: time.sleep(600)\nprint(pid, flush=True); os._exit(1)"
    talk = Talk(program)
    talk.until(1, exited=True)
    assert talk.process.exit_status == 1
    assert gone(int(talk.lines[0]))


def test_the_end_is_seen_also_where_the_system_has_no_process_descriptors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "pidfd_open")
    talk = Talk("import os; os._exit(9)")
    talk.until(exited=True)
    assert talk.process.exit_status == 9


def test_kill_ends_the_whole_group_also_when_it_is_stopped() -> None:
    program = "import os, signal, time\npid = os.fork()\nif not pid: time.sleep(600)\nprint(pid, flush=True)\n"
    talk = Talk(program + "os.kill(os.getpid(), signal.SIGSTOP); time.sleep(600)")
    talk.until(1)
    talk.process.kill()
    assert talk.process.exit_status == -signal.SIGKILL
    assert gone(int(talk.lines[0]))


def test_stopping_waits_then_terminates_then_kills() -> None:
    polite = Talk("import sys; sys.stdin.readline()")
    polite.process.send("quit")
    stop_all([polite.process], switchboard=polite.board, grace=PATIENCE)
    assert polite.process.exit_status == 0
    deaf = Talk("import time; print('up', flush=True); time.sleep(600)")
    deaf.until(1)
    stop_all([deaf.process], switchboard=deaf.board, grace=0.0)
    assert deaf.process.exit_status == -signal.SIGTERM
    stubborn = Talk(
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(600)"
    )
    stubborn.until(1)
    stop_all([stubborn.process], switchboard=stubborn.board, grace=0.0)
    assert stubborn.process.exit_status == -signal.SIGKILL


def test_an_engine_ends_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    # The engine ignores the end of its input: only the kernel can end it.
    engine = "import os, time; os.close(0); time.sleep(600)"
    parent = (
        "import sys, time\nfrom anchorhold.matches.process import EngineProcess\n"
        "from anchorhold.matches.switchboard import Switchboard\n"
        f"p = EngineProcess((sys.executable, '-I', '-S', '-c', {engine!r}), switchboard=Switchboard(),"
        " on_lines=lambda lines, stamp: None)\nprint(p.pid, flush=True)\ntime.sleep(600)"
    )
    board = Switchboard()
    lines: list[bytes] = []
    process = EngineProcess(
        (sys.executable, "-c", parent),
        directory=tmp_path,
        switchboard=board,
        on_lines=lambda whole, _stamp: lines.extend(whole.split(b"\n")[:-1]),
    )
    deadline = time.monotonic() + PATIENCE
    while not lines and not process.ended and time.monotonic() < deadline:
        board.turn(deadline)
    assert lines, process.last_errors()
    os.kill(process.pid, signal.SIGKILL)
    assert gone(int(lines[0]))
    process.kill()


@pytest.mark.parametrize(
    ("status", "words"),
    [(0, "exit status 0"), (134, "exit status 134"), (-11, "signal SIGSEGV (11)"), (-99, "signal signal (99)")],
)
def test_an_exit_is_told_in_words(status: int, words: str) -> None:
    assert describe_exit(status) == words


def test_waiting_data_do_not_wake_one_who_only_waits_for_the_hang_up() -> None:
    board = Switchboard()
    seen: list[int] = []
    reading, writing = os.pipe()
    os.write(writing, b"a job")
    board.register(reading, HANGUP_ONLY, seen.append)
    board.turn(time.monotonic() + 0.01)
    assert seen == []
    os.close(writing)
    board.turn(time.monotonic() + PATIENCE)
    assert len(seen) == 1
    assert seen[0] & select.POLLHUP
    board.unregister(reading)
    os.close(reading)


def test_a_deadline_in_the_past_still_looks_once() -> None:
    board = Switchboard()
    seen: list[int] = []
    reading, writing = os.pipe()
    os.write(writing, b"here already")
    board.register(reading, READ, seen.append)
    board.turn(time.monotonic() - 1)
    assert len(seen) == 1
    os.close(reading)
    os.close(writing)


def test_the_idle_are_told_that_they_are_idle() -> None:
    calls: list[None] = []
    board = Switchboard(on_idle=lambda: calls.append(None))
    deadline = time.monotonic() + PATIENCE
    while not calls and time.monotonic() < deadline:
        board.turn(deadline)
    assert calls

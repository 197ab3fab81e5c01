"""A session that leaves a process, a thread or a port behind has failed, and says what; one that does not has not."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

TESTS = Path(__file__).parent
SECONDS = f"300.{os.getpid()}"
"""How long the orphan sleeps: another run's sleeps another time."""
CONFTEST = """
from leftovers import Leftovers

def pytest_configure(config):
    config.pluginmanager.register(Leftovers(patience=1.0), "leftovers")
"""
TIDY = """
import multiprocessing, subprocess, sys, threading

def test_starts_and_ends_what_it_needs():
    subprocess.run([sys.executable, "-c", ""], check=True)
    thread = threading.Thread(target=int)
    thread.start()
    thread.join()
    with multiprocessing.get_context("spawn").Pool(1) as pool:  # starts Python's own tracker of resources
        assert pool.map(abs, [-1]) == [1]
        pool.close()
        pool.join()
"""
PROCESS = """
import subprocess

def test_leaves_an_orphan():
    # In a session and with an environment of its own, its parent gone: nothing but its mark tells whose it is.
    subprocess.run(["setsid", "--fork", "env", "-i", "sleep", "SECONDS"], check=True)
"""
THREAD = """
import threading

def test_leaves_a_thread():
    threading.Thread(target=threading.Event().wait, name="the one that waits", daemon=True).start()
"""
PORT = """
import socket

KEPT = []

def test_leaves_a_port():
    KEPT.append(socket.create_server(("127.0.0.1", 0)))
"""


def run(folder: Path, tests: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    (folder / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    for name, text in tests.items():
        (folder / f"test_{name}.py").write_text(text.replace("SECONDS", SECONDS), encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(TESTS)},
        capture_output=True,
        text=True,
        check=False,
    )


def end_orphans() -> int:
    """End what the sessions of these tests left behind; return how many there were."""
    found = [one for one in psutil.process_iter() if one.name() == "sleep" and SECONDS in one.cmdline()]
    for one in found:
        one.send_signal(signal.SIGKILL)
    return len(found)


@pytest.mark.parametrize("words", [(), ("-n", "2")], ids=["one", "several"])
def test_a_session_that_ends_all_it_started_passes(tmp_path: Path, words: tuple[str, ...]) -> None:
    done = run(tmp_path, {"tidy": TIDY}, *words)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("words", [(), ("-n", "2")], ids=["one", "several"])
def test_what_outlives_a_session_is_named_and_the_session_has_failed(tmp_path: Path, words: tuple[str, ...]) -> None:
    done = run(tmp_path, {"process": PROCESS, "thread": THREAD, "port": PORT, "tidy": TIDY}, *words)
    assert end_orphans() == 1
    assert done.returncode == 1, done.stdout
    said = [line for line in done.stdout.splitlines() if line.startswith("failed: outlives the tests: ")]
    assert "4 passed" in done.stdout
    assert sum(f"sleep {SECONDS}" in line for line in said) == 1
    assert sum("thread the one that waits" in line for line in said) == 1
    assert sum("listening port 127.0.0.1:" in line for line in said) == 1
    assert len(said) == 3
    assert all(("(gw" in line) == bool(words) for line in said)

"""Plays one case of a match on the product, as a user would, and says in what it does not hold.

The command is ``anchorhold match`` in a folder of its own; what came of it is read from its exit status, its output,
the PGN, the journal, what the engines were told, and the processes that are left. Used by ``play_cases.py``.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import psutil

from case_checks import Came, check_games, check_run, check_traces
from case_traces import INTERVAL, MARK, count_lines, kill_all, left, of_case, pairs_in

GONE_WITHIN = 5.0
"""Seconds in which nothing of a run that was killed may be left."""

_RUN_KEYS = {
    "engines", "openings", "variant", "pairs", "margin_ms", "start_timeout_ms", "ping_timeout_ms", "stall_timeout_ms",
    "max_consecutive_failures", "concurrency", "must_end_within_s", "tc", "kill_runner", "runner_memory_limit_mb",
    "resign", "draw", "max_moves",
}  # fmt: skip
_ENGINE_KEYS = {"name", "protocol", "cmd", "options", "tc", "dir"}
_CLOCK_KEYS = {"base_ms", "inc_ms", "moves", "movetime_ms", "nodes", "depth"}
_KILL_KEYS = {"after_finished_games", "signal", "wait_ms", "then_wait_ms"}
_EXPECT_KEYS = {
    "games", "pairs_counted", "pentanomial_a", "runner", "exit", "log_must_match", "log_must_not_match",
    "engines_left_running", "engines_left_after_kill", "starts_of_a", "trace_of_a_must_match",
    "trace_of_a_must_not_match", "kept", "first_run",
}  # fmt: skip


class CannotPlay(Exception):
    """The case wants something that this script cannot translate: then it does not hold."""


def sensitive(run: Mapping[str, Any]) -> bool:
    """Whether the case lives on little time, so that nothing else should be played meanwhile."""
    clocks = [engine.get("tc", run["tc"]) for engine in run["engines"]]
    short = any(0 < clock.get("base_ms", clock.get("movetime_ms", 1000)) < 1000 for clock in clocks)
    return short or run.get("must_end_within_s", 60) < 20


def play(case: Mapping[str, Any], *, folder: Path, scratch: Path) -> list[str]:
    """Play a case; return what was expected and what came instead, empty when it holds.

    Parameters
    ----------
    folder : Path
        Where ``cases.json`` lies.
    scratch : Path
        A fresh folder.
    """
    run, expect = case["run"], case["expect"]
    try:
        _only(run, _RUN_KEYS, "run")
        _only(expect, _EXPECT_KEYS, "expect")
        command = _command(run, folder=folder, scratch=scratch)
        mark = uuid.uuid4().hex
        came = Came()
        kept: list[Any] = []
        for number, kill in enumerate(run.get("kill_runner", [])):
            _only(kill, _KILL_KEYS, "kill_runner")
            _first_run(command, run, expect, kill, number=number, scratch=scratch, mark=mark, came=came)
            kept = pairs_in(scratch / "journal")
        starts = count_lines(scratch / "a.trace", "START ")
        _last_run(command, run, scratch=scratch, mark=mark, came=came)
    except CannotPlay as error:
        return [str(error)]
    faults = came.faults
    if (
        kept
        and "starts no game" in str(expect.get("kept", ""))
        and count_lines(scratch / "a.trace", "START ") != starts
    ):
        faults.append("expected that the last run starts no engine, but one was started")
    pairs = pairs_in(scratch / "journal")
    if lost := [pair for pair in kept if pair not in pairs]:
        faults.append(f"expected that pairs kept before the kill stay as they were, but {len(lost)} changed or went")
    faults += check_run(expect, came, mark=mark)
    faults += check_traces(expect, scratch)
    faults += check_games(expect, pairs, scratch=scratch, complete=came.status == 0)
    limit = run.get("runner_memory_limit_mb")
    if limit is not None and came.memory_mb > limit:
        faults.append(f"expected at most {limit} MB in the runner's processes, came {came.memory_mb:.0f}")
    return faults


# -- the command


def _only(members: Mapping[str, Any], known: set[str], what: str) -> None:
    if unknown := sorted(set(members) - known):
        raise CannotPlay(f"{what} has members that this script does not know: {', '.join(unknown)}")


def _command(run: Mapping[str, Any], *, folder: Path, scratch: Path) -> list[str]:
    command = [sys.executable, "-m", "anchorhold", "match"]
    for letter, engine in zip("abcdefgh", run["engines"], strict=False):
        command += ["--engine", _engine_words(engine, run, folder=folder, trace=scratch / f"{letter}.trace")]
    openings = run["openings"]
    book = folder / str(openings)
    if isinstance(openings, list):
        book = scratch / "openings.epd"
        book.write_text("".join(f"{line}\n" for line in openings), encoding="utf-8")
    command += ["--openings", f"file={shlex.quote(str(book))} order=sequential"]
    variant = {"standard": "standard"}.get(run.get("variant", "standard"), "chess960")
    # The cases stop at more than so many failures in a row, SPEC section 10 at so many.
    most = run.get("max_consecutive_failures", 4) + 1
    command += ["--variant", variant, "--rounds", str(run["pairs"]), "--max-failures", str(most)]
    command += ["--concurrency", str(run.get("concurrency", 1))]
    for name, option in (("start_timeout_ms", "--startup-ms"), ("ping_timeout_ms", "--ping-ms")):
        if name in run:
            command += [option, str(run[name])]
    if "stall_timeout_ms" in run:
        command += ["--stall", str(run["stall_timeout_ms"] / 1000)]
    if "resign" in run:
        words = {"moves": "movecount", "score": "score", "two_sided": "twosided"}
        command += ["--resign", _rule(run["resign"], words)]
    if "draw" in run:
        words = {"from_move": "movenumber", "number": "movenumber", "moves": "movecount", "score": "score"}
        command += ["--draw", _rule(run["draw"], words)]
    if "max_moves" in run:
        command += ["--maxmoves", str(run["max_moves"])]
    command += ["--pgn", str(scratch / "games.pgn"), "--journal", str(scratch / "journal")]
    return [*command, "--json-file", str(scratch / "match.json")]


def _rule(members: Mapping[str, Any], words: Mapping[str, str]) -> str:
    _only(members, set(words), "an adjudication rule")
    return " ".join(f"{words[name]}={str(value).lower()}" for name, value in members.items())


def _engine_words(engine: Mapping[str, Any], run: Mapping[str, Any], *, folder: Path, trace: Path) -> str:
    _only(engine, _ENGINE_KEYS, "an engine")
    filled = {"{python}": sys.executable, "{here}": str(folder), "{tmp}": str(trace.parent)}
    program, *rest = [_fill(word, filled) for word in engine["cmd"]]
    words = {"name": engine["name"], "cmd": program, "args": shlex.join([*rest, f"trace={trace}"])}
    words["proto"] = engine["protocol"]
    words["timemargin"] = str(run.get("margin_ms", 0))
    if "dir" in engine:
        words["dir"] = _fill(engine["dir"], filled)
    words |= _limit(engine.get("tc", run["tc"]))
    for name, value in engine.get("options", {}).items():
        # A button has no value; pressing it is said with true.
        words[f"option.{name}"] = "true" if value is None else str(value).lower() if value in (True, False) else value
    return " ".join(shlex.quote(f"{key}={value}") for key, value in words.items())


def _fill(word: str, filled: Mapping[str, str]) -> str:
    for name, value in filled.items():
        word = word.replace(name, value)
    return word


def _limit(clock: Mapping[str, Any]) -> dict[str, str]:
    _only(clock, _CLOCK_KEYS, "tc")
    words = {}
    if "base_ms" in clock:
        session = f"{clock['moves']}/" if "moves" in clock else ""
        words["tc"] = f"{session}{clock['base_ms'] / 1000:g}+{clock.get('inc_ms', 0) / 1000:g}"
    if "movetime_ms" in clock:
        words["st"] = f"{clock['movetime_ms'] / 1000:g}"
    return words | {name: str(clock[name]) for name in ("nodes", "depth") if name in clock}


# -- running it


def _first_run(
    command: list[str],
    run: Mapping[str, Any],
    expect: Mapping[str, Any],
    kill: Mapping[str, Any],
    *,
    number: int,
    scratch: Path,
    mark: str,
    came: Came,
) -> None:
    """Run until so many games are finished, and do to the runner what the case says."""
    log = scratch / f"log-{number}"
    process = _start(command, log, scratch=scratch, mark=mark)
    deadline = time.monotonic() + run.get("must_end_within_s", 60)
    # A game begins where one has ended.
    wanted = kill["after_finished_games"] + run.get("concurrency", 1)
    begun = 0
    while process.poll() is None and begun < wanted and time.monotonic() < deadline:
        time.sleep(0.01)
        begun = max(count_lines(scratch / "a.trace", "> ucinewgame"), count_lines(scratch / "a.trace", "> new"))
    name = kill.get("signal")
    if name is not None and process.poll() is None:
        time.sleep(kill.get("wait_ms", 80) / 1000)
        process.send_signal(signal.Signals[f"SIG{name}"])
    killed_at = time.monotonic()
    if _wait(process, deadline) is None:
        came.faults.append("expected that the first run ends, but it ran on")
        kill_all(mark)
    took = time.monotonic() - killed_at
    text = log.read_text(encoding="utf-8", errors="replace")
    came.log += text
    if name is not None and "first_run" in expect:
        found = re.search(r"within (\d+) s", expect["first_run"])
        if found and took > int(found[1]):
            came.faults.append(f"expected an end within {found[1]} s of the signal, came after {took:.1f} s")
        if process.returncode == 0 or not re.search(r"\d+ (of \d+ )?pairs?", text):
            came.faults.append(
                f"expected a first run that fails and counts its pairs, came status {process.returncode}"
            )
    time.sleep(kill.get("then_wait_ms", 0) / 1000)
    if running := left(mark, GONE_WITHIN):
        came.faults.append(f"expected nothing left after the kill, came {running}")
        kill_all(mark)


def _last_run(command: list[str], run: Mapping[str, Any], *, scratch: Path, mark: str, came: Came) -> None:
    log = scratch / "log"
    process = _start(command, log, scratch=scratch, mark=mark)
    seconds = run.get("must_end_within_s", 60)
    deadline = time.monotonic() + seconds
    while process.poll() is None and time.monotonic() < deadline:
        if "runner_memory_limit_mb" in run:
            came.memory_mb = max([came.memory_mb, *_memory_of_runner(mark)])
        time.sleep(INTERVAL)
    if process.poll() is None:
        came.faults.append(f"expected an end within {seconds} s, came none")
        kill_all(mark)
        process.wait()
    came.status = process.returncode
    came.log += log.read_text(encoding="utf-8", errors="replace")


def _start(command: list[str], log: Path, *, scratch: Path, mark: str) -> subprocess.Popen[bytes]:
    with log.open("wb") as handle:
        environment = {**os.environ, MARK: mark}
        return subprocess.Popen(command, stdout=handle, stderr=subprocess.STDOUT, cwd=scratch, env=environment)


def _wait(process: subprocess.Popen[bytes], deadline: float) -> int | None:
    try:
        return process.wait(max(0.1, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        return None


def _memory_of_runner(mark: str) -> Iterator[float]:
    for process in of_case(mark):
        with contextlib.suppress(psutil.Error, OSError):
            if any(word.startswith("anchorhold") for word in process.cmdline()):
                found = re.search(r"VmHWM:\s*(\d+) kB", Path(f"/proc/{process.pid}/status").read_text(encoding="ascii"))
                yield int(found[1]) / 1024 if found else 0.0

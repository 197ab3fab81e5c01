"""What a program that was built says about itself: its name, and its bench.

A bench is the number of nodes of a fixed search, by which the field recognises a build. May import: anchorhold.errors.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from anchorhold.builds.running import Ended
from anchorhold.domain.engines import Protocol
from anchorhold.errors import BadState

Run = Callable[[Sequence[str], bytes], Ended]
"""Runs a command with what it reads on its input."""

_BENCH = re.compile(
    r"nodes\s+searched\s*:\s*(\d+)|\b(\d+)\s+nodes\s+\d+\s+nps|^\s*bench\s*[:=]\s*(\d+)", re.IGNORECASE | re.MULTILINE
)
"""As Stockfish prints it, as OpenBench reads it, and plainly."""
_EXPECTED = re.compile(r"^\W*bench(?:mark)?\s*[:=]?\s+?(\d[\d,_]*)\b", re.IGNORECASE | re.MULTILINE)
_GREETING: dict[Protocol, bytes] = {"uci": b"uci\nquit\n", "xboard": b"xboard\nprotover 2\nquit\n"}
_ID = re.compile(rb"^\s*id\s+name\s+(.+?)\s*$", re.MULTILINE)
_FEATURE = re.compile(rb"\bmyname\s*=\s*\"([^\"\n]*)\"")
_LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class Said:
    """What a program says about itself."""

    name: str | None
    """None: an XBoard program that gives none."""
    bench: int | None
    """None: no bench was run."""


def bench_in_message(message: str) -> int | None:
    """Return the bench that a commit message names in a line of its own, the last one; None when there is none.

    Examples
    --------
    >>> bench_in_message("Bench: 4711002")
    4711002
    """
    found = _EXPECTED.findall(message)
    return int(found[-1].replace(",", "").replace("_", "")) if found else None


def bench_in_output(output: str, pattern: str | None = None) -> int | None:
    """Return the last bench that a program printed; None when there is none.

    Parameters
    ----------
    output : str
        What it printed.
    pattern : str, optional
        A regular expression with one group; by default the forms of Stockfish and of OpenBench.

    Examples
    --------
    >>> bench_in_output("Nodes searched  : 1284")
    1284
    >>> bench_in_output("4711002 nodes 1200000 nps")
    4711002
    """
    found = [
        next(group for group in match.groups() if group)
        for match in (_BENCH if pattern is None else re.compile(pattern, re.MULTILINE)).finditer(output)
        if any(match.groups())
    ]
    digits = re.sub(r"[,_ ]", "", found[-1]) if found else ""
    return int(digits) if digits.isascii() and digits.isdecimal() else None


def ask_name(run: Run, program: str, protocol: Protocol) -> str | None:
    """Start a program, and return what it calls itself.

    Raises
    ------
    BadState
        It does not run, or does not answer as an engine does.
    """
    ended = run([program], _GREETING[protocol])
    found = (_ID if protocol == "uci" else _FEATURE).findall(ended.output)
    if ended.status is None:
        raise BadState(
            f"the program that was built did not start and answer within {ended.seconds:.0f} s{_last(ended)}",
            next_step="Raise start_timeout in [match], if it is only slow to start",
        )
    if protocol == "uci" and b"uciok" not in ended.output:
        raise BadState(
            f"the program that was built does not answer 'uci'{_last(ended)}",
            next_step="Look at main.build: is it the engine that is built?",
        )
    if not found:
        return None
    name = found[-1].decode("utf-8", "replace")
    return "".join(letter if letter.isprintable() else "?" for letter in name[:_LONGEST_NAME]) or None


def ask_bench(run: Run, command: Sequence[str], pattern: str | None) -> int:
    """Run a bench command, and return its number.

    Raises
    ------
    BadState
        It fails, or prints no bench.
    """
    ended = run(command, b"")
    if ended.status is None:
        raise BadState(f"the bench was not done in {ended.seconds:.0f} s", next_step="Raise main.build.timeout")
    bench = bench_in_output(ended.output.decode("utf-8", "replace"), pattern)
    if ended.status != 0 or bench is None:
        what = "printed no bench" if ended.status == 0 else f"ended with {ended.status}"
        raise BadState(
            f"the bench command {what}{_last(ended)}",
            next_step="Look at main.build.bench, and give bench_pattern where the program has a form of its own",
        )
    return bench


def _last(ended: Ended) -> str:
    """Return the last line of what was said, as an appendix to a message."""
    lines = [line.strip() for line in ended.output.decode("utf-8", "replace").splitlines() if line.strip()]
    text = "".join(letter if letter.isprintable() else "?" for letter in lines[-1][:120]) if lines else ""
    return f"; the last it said was {text!r}" if text else ""

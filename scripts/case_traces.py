"""What a case leaves behind: processes, the journal, what the engines were told. Used by ``case_match.py``."""

from __future__ import annotations

import contextlib
import shlex
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

from anchorhold.domain.games import PairRecord
from anchorhold.errors import AnchorholdError
from anchorhold.matches.journal import Journal

MARK = "ANCHORHOLD_CASE"
"""Name in the environment by which processes of a case are found."""
INTERVAL = 0.05


def of_case(mark: str) -> Iterator[psutil.Process]:
    """Yield the living processes of a case."""
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if process.environ().get(MARK) == mark and process.status() != psutil.STATUS_ZOMBIE:
                yield process


def left(mark: str, patience: float) -> list[str]:
    """Return the command lines of what is left of a case after so many seconds."""
    deadline = time.monotonic() + patience
    while found := list(of_case(mark)):
        if time.monotonic() > deadline:
            texts = []
            for process in found:
                with contextlib.suppress(psutil.Error):
                    texts.append(shlex.join(process.cmdline()))
            return texts
        time.sleep(INTERVAL)
    return []


def kill_all(mark: str) -> None:
    """End everything that a case has started."""
    for process in of_case(mark):
        with contextlib.suppress(psutil.Error):
            process.kill()


def pairs_in(journal: Path) -> list[PairRecord]:
    """Return the pairs of a journal; none where the match stopped before there was one."""
    try:
        with Journal.read(journal) as opened:
            return list(opened.pairs())
    except AnchorholdError:
        return []  # the match stopped before there was one


def count_lines(path: Path, text: str) -> int:
    """How many lines of an engine's trace hold a text right after the process number."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return 0
    return sum(line.partition(" ")[2].startswith(text) for line in lines)

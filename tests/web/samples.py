"""Registers, journals and running dashboards to look at."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from starlette.types import ASGIApp

from anchorhold.domain.entries import Entry
from anchorhold.domain.games import GameRecord, MoveRecord, Opening, PairKey, PairRecord
from anchorhold.register import chain, exporting
from anchorhold.register.store import Register
from anchorhold.web.running import address_of, bind, server
from register.long_register import long_register

EVIL = "<script>alert('x')</script>"
ENGINE = Path(__file__).parent.parent / "engines" / "mover.py"
MATES = ("f2f3", "e7e5", "g2g4", "d8h4")


@cache
def exported(count: int = 130, *, checks: int = 3, halts: bool = False) -> bytes:
    """An export with checks in it, and with texts in it that a page must not believe."""
    entries = long_register(count - 2, checks=checks, halts=halts)
    entries.append(_next(entries, "note", {"text": f"note {EVIL} & more"}))
    entries.append(_next(entries, "gain_test", _gain()))
    return b"".join(map(exporting.export_line, entries))


def _gain() -> dict[str, object]:
    stage = {"passed": True, "elo": 2.5, "elo_error": 1.5}
    return {"id": f"dev-{EVIL}", "short": stage, "long": stage}


def _next(entries: list[Entry], kind: str, payload: dict[str, object]) -> Entry:
    from datetime import UTC, datetime

    return chain.sealed(
        seq=len(entries) + 1,
        prev=entries[-1].hash,
        kind=kind,
        recorded_at=datetime(2027, 1, 2, tzinfo=UTC),
        author="Ada",
        payload=payload,
    )


def register_at(path: Path, *, halts: bool = False) -> Path:
    """Make a register with checks at a path."""
    Register.restore(str(path), exported(halts=halts), where="sample").close()
    return path


def game(*, first_is_white: bool, result: str = "0-1", fault: str = "", at: int = 0) -> GameRecord:
    return GameRecord(
        first_is_white=first_is_white,
        result=result,  # type: ignore[arg-type]
        termination="normal",
        reason="Black mates",
        moves=tuple(MoveRecord(uci, 0.5) for uci in MATES),
        started_at=f"2026-11-30T10:{at // 60:02d}:{at % 60:02d}Z",
        fault_of=fault,  # type: ignore[arg-type]
    )


def pair(number: int, *, run: str = "match", endpoint: str = "Alpha", anchor: str = "Beta", **given: str) -> PairRecord:
    """A pair that ends 36 seconds after the one before."""
    key = PairKey(run, endpoint, anchor, given.get("stage", "match"), number)
    games = (
        game(first_is_white=True, at=36 * number),
        game(first_is_white=False, fault=given.get("fault", ""), at=36 * number + 10),
    )
    return PairRecord(key=key, opening=Opening(None, (), ""), variant="standard", games=games)


def match_words(journal: Path, *, rounds: int, milliseconds: int, first: str = "Alpha") -> list[str]:
    """The command of a match of two engines that play at a steady pace."""
    words = [sys.executable, "-m", "anchorhold", "match"]
    for name, seed in ((first, 1), ("Beta", 2)):
        arguments = f"'{ENGINE}' seed={seed} ms={milliseconds}"
        words += ["--engine", f"name='{name}' cmd='{sys.executable}' args=\"{arguments}\" depth=1"]
    return [*words, "--maxmoves", "12", "--rounds", str(rounds), "--concurrency", "1", "--journal", str(journal)]


@contextlib.contextmanager
def answering(app: ASGIApp) -> Iterator[str]:
    """Answer real requests in a thread of this process; gives the address."""
    with bind("127.0.0.1", 0) as listening:
        made = server(app)
        thread = threading.Thread(target=made.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield address_of(listening, "127.0.0.1")
        finally:
            made.should_exit = True
            thread.join()


@dataclass
class Running:
    """A dashboard in a process of its own."""

    process: "subprocess.Popen[str]"
    address: str
    """With the token, when there is one."""


@contextlib.contextmanager
def serving(directory: Path, *words: str) -> Iterator[Running]:
    """Run ``anchorhold serve`` until the end of the context, and see it end cleanly by Ctrl-C."""
    command = [sys.executable, "-m", "anchorhold", "serve", "--port", "0", *words]
    environment = {**os.environ, "ANCHORHOLD_LANG": "en"}
    process = subprocess.Popen(
        command, cwd=directory, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    )
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        first = process.stdout.readline()
        assert first.startswith("Serving at "), process.stderr.read()
        yield Running(process, first.removeprefix("Serving at ").strip())
        process.send_signal(signal.SIGINT)
        process.wait(timeout=30)
        errors = process.stderr.read()
        assert (process.returncode, errors) == (0, "")
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        process.stdout.close()
        process.stderr.close()

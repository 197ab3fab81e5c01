"""How much memory the runner takes over a long run: it must not grow with the pairs that were played.

    python bench/memory_of_a_run.py [PAIRS] [WORKERS]

Plays PAIRS (100,000) pairs of one-move games between two tiny engines, and prints the most memory that the runner has
had (VmHWM) at every tenth of them, pairs per second, and what the referee cost. Linux only.
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from pathlib import Path

from anchorhold.domain.engines import EngineSpec
from anchorhold.domain.limits import Limit
from anchorhold.matches.books import load_book
from anchorhold.matches.jobs import MatchRules, PairOutcome
from anchorhold.matches.journal import Journal
from anchorhold.matches.runner import run
from anchorhold.matches.schedule import match_jobs

ENGINE = Path(__file__).parent.parent / "tests" / "engines" / "scripted.py"
MATE_IN_ONE = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2"


def memory_mb() -> float:
    """Return the most memory that this process has had."""
    found = re.search(r"VmHWM:\s*(\d+) kB", Path("/proc/self/status").read_text(encoding="ascii"))
    assert found is not None
    return int(found[1]) / 1024


def main() -> None:
    """Play and print."""
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    workers = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    command = (sys.executable, "-I", "-S", str(ENGINE), "moves=d8h4")
    engines = [EngineSpec(name, command, Limit(depth=1)) for name in ("Alpha", "Beta")]
    begun = time.monotonic()
    played = 0

    def saw(_outcome: PairOutcome) -> None:
        nonlocal played
        played += 1
        if played % max(1, pairs // 10) == 0:
            speed = played / (time.monotonic() - begun)
            print(f"{played} pairs: {memory_mb():.1f} MB, {speed:.0f} pairs/s", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        book = Path(folder) / "book.epd"
        book.write_text(MATE_IN_ONE + "\n", encoding="ascii")
        jobs = match_jobs(
            run="bench",
            engines=engines,
            tournament="gauntlet",
            book=load_book(book),
            pairs=pairs,
            rules=MatchRules(),
        )
        with Journal.open(Path(folder) / "journal", plan={}) as journal:
            report = run(jobs, journal=journal, workers=workers, on_outcome=saw)
            assert len(journal) == pairs
    cpu = report.overhead.cpu_per_ply
    print(f"{report.pairs} pairs, {report.overhead.plies} plies, {1e6 * (cpu or 0.0):.0f} µs of referee's CPU a ply")


if __name__ == "__main__":
    main()

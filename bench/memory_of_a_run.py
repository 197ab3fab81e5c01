"""How much memory the runner takes over a long run: it must not grow with the pairs that were played.

    python bench/memory_of_a_run.py [PAIRS] [WORKERS] [--dask] [--scheduled ALL]

Plays PAIRS (100,000) pairs of one-move games between two tiny engines, on this machine's workers or on a Dask cluster
of as many on loopback, and prints the most memory that the runner has had (VmHWM) at every tenth of them, how many
jobs were drawn ahead of what was played, pairs per second, and what the referee cost. Linux only.

With ALL the run is planned for so many pairs and ended after PAIRS: what is scheduled must cost nothing before it is
played.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from anchorhold.domain.engines import EngineSpec
from anchorhold.domain.limits import Limit
from anchorhold.matches.books import load_book
from anchorhold.matches.jobs import MatchRules, PairJob, PairOutcome
from anchorhold.matches.journal import Journal
from anchorhold.matches.runner import run
from anchorhold.matches.schedule import match_jobs
from figures import Figure, note

ENGINE = Path(__file__).parent.parent / "tests" / "engines" / "scripted.py"
MATE_IN_ONE = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2"


LIMIT = 200.0
"""Megabytes."""


def memory_mb() -> float:
    """Return the most memory that this process has had."""
    found = re.search(r"VmHWM:\s*(\d+) kB", Path("/proc/self/status").read_text(encoding="ascii"))
    assert found is not None
    return int(found[1]) / 1024


def main() -> int:
    """Play, print, and say whether the limit was met."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pairs", type=int, nargs="?", default=100_000)
    parser.add_argument("workers", type=int, nargs="?", default=2)
    parser.add_argument("--dask", action="store_true")
    parser.add_argument("--scheduled", type=int, help="pairs that are planned; default: as many as are played")
    args = parser.parse_args()
    pairs = args.pairs
    command = (sys.executable, "-I", "-S", str(ENGINE), "moves=d8h4")
    engines = [EngineSpec(name, command, Limit(depth=1)) for name in ("Alpha", "Beta")]
    begun = time.monotonic()
    played = drawn = ahead = 0

    def counted(jobs: Iterator[PairJob]) -> Iterator[PairJob]:
        nonlocal drawn, ahead
        for job in jobs:
            drawn += 1
            ahead = max(ahead, drawn - played)
            yield job

    def saw(_outcome: PairOutcome) -> None:
        nonlocal played
        played += 1
        if played % max(1, pairs // 10) == 0:
            speed = played / (time.monotonic() - begun)
            print(f"{played} pairs: {memory_mb():.1f} MB, {ahead} drawn ahead, {speed:.0f} pairs/s", flush=True)

    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        play = partial(run, workers=args.workers)
        if args.dask:
            # Slow to load, and no part of what the local runner takes.
            from anchorhold.matches import cluster
            from matches.dask_cluster import DaskCluster

            started = stack.enter_context(DaskCluster(Path(folder) / "cluster"))
            for _ in range(args.workers):
                started.start_worker()
            play = partial(cluster.run, address=started.address)
        book = Path(folder) / "book.epd"
        book.write_text(MATE_IN_ONE + "\n", encoding="ascii")
        jobs = match_jobs(
            run="bench",
            engines=engines,
            tournament="gauntlet",
            book=load_book(book),
            pairs=args.scheduled or pairs,
            rules=MatchRules(),
        )
        with Journal.open(Path(folder) / "journal", plan={}) as journal:
            report = play(counted(jobs), journal=journal, on_outcome=saw, until=lambda: played >= pairs)
            assert len(journal) >= pairs
    cpu = report.overhead.cpu_per_ply
    print(f"{report.pairs} pairs, {report.overhead.plies} plies, {1e6 * (cpu or 0.0):.0f} µs of referee's CPU a ply")
    return note(Figure(f"memory of the runner after {pairs:,} pairs", memory_mb(), "MB", "limit", LIMIT))


if __name__ == "__main__":
    raise SystemExit(main())

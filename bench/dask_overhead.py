"""Pairs per second on a Dask cluster on loopback beside those of the local runner, both with two workers.

    python bench/dask_overhead.py [PAIRS]

The engines answer at once, so that all that is measured is what surrounds them. Prints both and their ratio.
"""

import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from anchorhold.matches import cluster
from anchorhold.matches.jobs import PairJob
from anchorhold.matches.journal import Journal
from anchorhold.matches.runner import run
from matches.dask_cluster import DaskCluster
from matches.test_runner import duel, tiny


def main() -> None:
    """Measure and print."""
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    with tempfile.TemporaryDirectory() as directory, DaskCluster(Path(directory) / "cluster") as started:
        started.start_worker()
        started.start_worker()

        def rate(name: str, play: Callable[[Journal, int], object]) -> float:
            # Once to start everything, which costs the same for any number of pairs.
            with Journal.open(Path(directory) / f"{name}-first", plan={}) as journal:
                play(journal, 10)
            with Journal.open(Path(directory) / name, plan={}) as journal:
                begun = time.perf_counter()
                play(journal, pairs)
                return pairs / (time.perf_counter() - begun)

        def jobs(count: int) -> Iterator[PairJob]:
            return duel(tiny("a", "seed=1"), tiny("b", "seed=2"), pairs=count)

        local = rate("local", lambda journal, count: run(jobs(count), journal=journal, workers=2))
        dask = rate("dask", lambda journal, count: cluster.run(jobs(count), journal=journal, address=started.address))
    print(f"local {local:.1f} pairs/s, Dask {dask:.1f} pairs/s, ratio {dask / local:.2f} ({pairs} pairs, two workers)")


if __name__ == "__main__":
    main()

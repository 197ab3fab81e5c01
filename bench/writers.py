"""Eight processes that append 1,000 entries each at once, on SQLite and on a PostgreSQL server of its own.

    python bench/writers.py [EACH]

Checks that every acknowledged entry is there, under one number, in one chain; prints how long it took.
"""

import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from anchorhold.register.store import Register
from postgres import running_cluster
from register.writers import Said, writers

PROCESSES = 8


def run(url: str, each: int) -> None:
    """Let the processes write one new register, and check what came of it."""
    Register.create(url, author="bench").close()
    said: list[Said] = []
    with writers(url, processes=PROCESSES, count=each) as started:
        start = time.perf_counter()
        for writer in started:
            writer.begin()
        readers = [threading.Thread(target=lambda one: said.extend(one.rest()), args=(writer,)) for writer in started]
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join()
        seconds = time.perf_counter() - start
        assert [writer.process.wait() for writer in started] == [0] * PROCESSES
    with Register.open(url, read_only=True) as register:
        found = register.verify()
    assert found.problem is None
    assert len(said) == PROCESSES * each
    assert {one.seq: one.hash for one in said} == {entry.seq: entry.hash for entry in found.entries[1:]}
    kind = url.partition("://")[0] if "://" in url else "sqlite"
    print(
        f"{kind:<10} {PROCESSES} processes, {each} entries each: {len(said)} entries, one chain, "
        f"{seconds:.1f} s, {len(said) / seconds:.0f} entries a second"
    )


def main() -> None:
    """Run both databases."""
    each = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
    with tempfile.TemporaryDirectory() as directory:
        run(str(Path(directory) / "register.db"), each)
    with running_cluster(durable=True) as cluster:
        run(cluster.url(), each)


if __name__ == "__main__":
    main()

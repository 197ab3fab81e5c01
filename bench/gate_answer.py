"""How long the gate takes to answer on 10,000 entries with twelve real checks, as a command from its start to its end.

    python bench/gate_answer.py [ENTRIES]

Prints the best and the median of seven calls beside the limit; exit status 1 when the median misses it.
"""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from anchorhold.register import exporting
from anchorhold.register.store import Register
from figures import Figure, note
from register.long_register import long_register

LIMIT = 1.0
"""Seconds."""
CALLS = 7


def main() -> int:
    """Measure, print, and say whether the limit was met."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    figures = []
    with tempfile.TemporaryDirectory() as directory:
        for halts, expected, imported in ((False, 0, True), (True, 1, True), (False, 0, False), (True, 1, False)):
            path = str(Path(directory) / f"{halts}-{imported}.db")
            entries = long_register(count, checks=12, halts=halts, imported=imported)
            Register.restore(path, b"".join(map(exporting.export_line, entries)), where=path).close()
            seconds = []
            for _ in range(CALLS):
                start = time.perf_counter()
                done = subprocess.run(
                    [sys.executable, "-m", "anchorhold", "gate", "--register", path],
                    check=False,
                    stdout=subprocess.DEVNULL,
                )
                seconds.append(time.perf_counter() - start)
                assert done.returncode == expected
            origin = "imported tests" if imported else "own tests"
            name = f"gate, {'held' if halts else 'open'}, {count:,} entries, {origin}, median of {CALLS}"
            figures.append(Figure(name, statistics.median(seconds), "s", "limit", LIMIT))
    return note(*figures)


if __name__ == "__main__":
    sys.exit(main())

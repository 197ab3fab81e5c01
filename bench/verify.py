"""How long a register of 100,000 entries takes to verify, from the database and from an export.

    python bench/verify.py [ENTRIES]

Its tests are an imported history's. A tenth as many entries, whose tests were all kept, are verified beside them: every
check of such a register rests on all tests before it. Prints each figure beside its limit; exit status 1 when one is
missed. The registers are made first, which takes longer.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from anchorhold.register import exporting
from anchorhold.register.store import Register
from figures import Figure, note
from register.long_register import long_register

LIMIT = 10.0
"""Seconds for 100,000 entries, by the command, with Python's start and the recomputation of every figure."""


def main() -> int:
    """Measure, print, and say whether the limits were met."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    imported, kept = f"{count:,} entries", f"{count // 10:,} entries, all tests kept"
    with tempfile.TemporaryDirectory() as directory:
        found = [
            Figure(f"{name}, {imported}", seconds, "s", "limit", LIMIT * count / 100_000)
            for name, seconds in _measured(Path(directory), count, all_kept=False)
        ]
        found += [
            Figure(f"{name}, {kept}", seconds, "s", "limit", LIMIT * count / 1_000_000)
            for name, seconds in _measured(Path(directory), count // 10, all_kept=True)
        ]
    return note(*found)


def _measured(directory: Path, count: int, *, all_kept: bool) -> Iterator[tuple[str, float]]:
    """Seconds for the chain alone, then for the command, on a register and on its export."""
    export, path = directory / f"{count}.jsonl", directory / f"{count}.db"
    entries = long_register(count, checks=10, all_kept=all_kept, imported=not all_kept)
    export.write_bytes(b"".join(map(exporting.export_line, entries)))
    del entries
    Register.restore(str(path), export.read_bytes(), where=str(export)).close()
    start = time.perf_counter()
    with Register.open(str(path), read_only=True) as register:
        assert register.verify().problem is None
    yield "chain alone, from SQLite", time.perf_counter() - start
    for name, register_path in (("register verify, SQLite", path), ("register verify, export", export)):
        start = time.perf_counter()
        command = [sys.executable, "-m", "anchorhold", "register", "verify", "--register", str(register_path)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        yield name, time.perf_counter() - start


if __name__ == "__main__":
    sys.exit(main())

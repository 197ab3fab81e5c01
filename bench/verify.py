"""How long the chain of 100,000 entries takes to verify, from the database and from an export.

    python bench/verify.py [ENTRIES]

Prints each figure beside its limit; exit status 1 when one is missed. The register is made first, which takes longer.
"""

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

LIMIT = 10.0
"""Seconds for 100,000 entries, by the command, with Python's start and the recomputation of every figure."""


def main() -> int:
    """Measure, print, and say whether the limit was met."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    limit = LIMIT * count / 100_000
    with tempfile.TemporaryDirectory() as directory:
        export = Path(directory) / "register.jsonl"
        entries = long_register(count, checks=10)
        export.write_bytes(b"".join(map(exporting.export_line, entries)))
        del entries
        path = str(Path(directory) / "register.db")
        Register.restore(path, export.read_bytes(), where=str(export)).close()

        start = time.perf_counter()
        with Register.open(path, read_only=True) as register:
            assert register.verify().problem is None
        figures = {"chain alone, from SQLite": time.perf_counter() - start}
        for name, register_path in (("register verify, SQLite", path), ("register verify, export", str(export))):
            start = time.perf_counter()
            command = [sys.executable, "-m", "anchorhold", "register", "verify", "--register", register_path]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            figures[name] = time.perf_counter() - start
    return note(*(Figure(f"{name}, {count:,} entries", value, "s", "limit", limit) for name, value in figures.items()))


if __name__ == "__main__":
    sys.exit(main())

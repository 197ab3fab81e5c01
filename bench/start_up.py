"""How long ``anchorhold --help`` takes, beside the import of the library that reads command lines.

    python bench/start_up.py [CALLS]

Both are called in turn; the best of each is compared. Help may take twice as long as the import.
"""

from __future__ import annotations

import subprocess
import sys
import time

from figures import Figure, note

ALLOWED = 2.0


def main() -> int:
    """Measure, print, and say whether the limit was met."""
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    commands = {
        "library": [sys.executable, "-c", "import typer"],
        "--help": [sys.executable, "-m", "anchorhold", "--help"],
    }
    best = dict.fromkeys(commands, float("inf"))
    for _ in range(calls):
        for name, command in commands.items():
            start = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            best[name] = min(best[name], time.perf_counter() - start)
    return note(Figure("anchorhold --help", best["--help"], "s", "import typer", best["library"], ALLOWED))


if __name__ == "__main__":
    raise SystemExit(main())

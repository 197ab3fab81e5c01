"""How long ``anchorhold calibrate`` takes for 10,000 checks of six anchors with 1,000 pairs each, at each true share.

    python bench/calibrate.py [CHECKS] [WORKERS]

Prints wall time and processor time beside the limit; exit status 1 when the wall time misses it.
"""

import subprocess
import sys
import time

from figures import Figure, note

LIMIT = 60.0
"""Seconds, on two cores."""


def main() -> int:
    """Measure, print, and say whether the limit was met."""
    checks = sys.argv[1] if len(sys.argv) > 1 else "10000"
    workers = sys.argv[2] if len(sys.argv) > 2 else "2"
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "anchorhold", "calibrate", "--checks", checks, "--pairs", "1000", "--workers", workers],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    wall = time.perf_counter() - start
    return note(Figure(f"calibrate, 6 × {checks} checks, {workers} processes", wall, "s", "limit", LIMIT))


if __name__ == "__main__":
    sys.exit(main())

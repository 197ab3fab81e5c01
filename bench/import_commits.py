"""How long reading a history takes, beside what ``git log`` alone needs for the messages: one run, best of five.

``python bench/import_commits.py`` makes a repository of 7,200 commits with 3,000 tests; ``… REPO`` takes another one.
May import: anchorhold.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from anchorhold.importers.commits.history import commits_of
from anchorhold.importers.commits.reader import read_history

WORDS = ("search", "depth", "node", "move", "pawn", "king", "table", "value", "score", "reduce", "extend", "prune")


def prose(draw: random.Random, lines: int) -> str:
    """Return lines of words."""
    return "\n".join(" ".join(draw.choices(WORDS, k=11)) for _ in range(lines))


def test(draw: random.Random, name: str, bounds: str) -> str:
    """Return a report whose counts hold together."""
    ll, ld, dd, wd, ww = (draw.randrange(low, 3 * low) for low in (50, 3000, 8000, 3100, 55))
    pairs, balance = ll + ld + dd + wd + ww, 2 * ww + wd - ld - 2 * ll
    draws = ld + wd + dd - (ld + wd + dd + balance) % 2
    wins = (2 * pairs - draws + balance) // 2
    return (
        f"Passed {name}:\nLLR: 2.95 (-2.94,2.94) <{bounds}>\n"
        f"Total: {2 * pairs} W: {wins} L: {wins - balance} D: {draws}\n"
        f"Ptnml(0-2): {ll}, {ld}, {dd}, {wd}, {ww}\nhttps://tests.example.org/tests/view/{draw.randrange(10**9)}\n"
    )


def messages(commits: int = 7200, tests: int = 3000) -> Iterator[str]:
    """Yield the messages of a history, always the same."""
    draw = random.Random(7)
    tested = set(draw.sample(range(commits), tests // 2))
    for number in range(commits):
        parts = [f"Change {number}", prose(draw, draw.randrange(1, 12))]
        if number in tested:
            parts += [test(draw, "STC", "0.00,2.00"), test(draw, "LTC", "0.50,2.50")]
        yield "\n\n".join([*parts, f"Bench: {draw.randrange(10**7)}"])


def made(place: Path) -> Path:
    """Make a repository of them."""
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(place)], check=True)
    stream = b"".join(
        b"commit refs/heads/main\ncommitter A <a@example.org> %d +0000\ndata %d\n%s\n"
        % (1_700_000_000 + number, len(text.encode()), text.encode())
        for number, text in enumerate(messages())
    )
    subprocess.run(["git", "-C", str(place), "fast-import", "--quiet"], input=stream, check=True)
    return place


def seconds(work: Callable[[], object]) -> float:
    """Wall time of one call."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def main() -> None:
    """Print both times and their ratio."""
    with tempfile.TemporaryDirectory() as directory:
        place = Path(sys.argv[1]) if len(sys.argv) > 1 else made(Path(directory) / "history.git")
        log = ["git", "-C", str(place), "log", "--format=%B"]
        alone = min(seconds(lambda: subprocess.run(log, stdout=subprocess.PIPE, check=True)) for _ in range(5))
        read = min(seconds(lambda: read_history(commits_of(place))) for _ in range(5))
        found = read_history(commits_of(place))
        print(f"{found.commits} commits, {found.tests} tests")
        print(f"git log {alone:.2f} s, import {read:.2f} s, ratio {read / alone:.1f}")


if __name__ == "__main__":
    main()

"""How long reading and importing a history take, beside what ``git log`` alone needs for the messages: best of five.

``python bench/import_commits.py`` makes a repository of 7,200 commits with 3,000 tests; ``… REPO`` takes another one.
May import: anchorhold.
"""

from __future__ import annotations

import bisect
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from anchorhold.importers.commits.history import commits_of
from anchorhold.importers.commits.reader import read_history
from anchorhold.stats.outcomes import Pentanomial
from anchorhold.stats.sprt import log_likelihood_ratio
from figures import Figure, note

WORDS = ("search", "depth", "node", "move", "pawn", "king", "table", "value", "score", "reduce", "extend", "prune")

ALLOWED = 5.0
"""Times what the peer takes."""


def prose(draw: random.Random, lines: int) -> str:
    """Return lines of words."""
    return "\n".join(" ".join(draw.choices(WORDS, k=11)) for _ in range(lines))


def test(draw: random.Random, name: str, bounds: tuple[float, float]) -> str:
    """Return a passed report whose counts hold together and give its ratio, as nearly all of a real history do."""
    ll, one_point, dd, ww = (draw.randrange(low, 3 * low) for low in (50, 6100, 8000, 55))

    def ratio(wd: int) -> float:
        counts = Pentanomial(ll, one_point - wd, dd, wd, ww)
        return log_likelihood_ratio(counts, bounds=bounds, model="normalized")

    wd = bisect.bisect_left(range(one_point), 2.94, key=ratio)
    ld = one_point - wd
    pairs, balance = ll + ld + dd + wd + ww, 2 * ww + wd - ld - 2 * ll
    draws = ld + wd + dd - (ld + wd + dd + balance) % 2
    wins = (2 * pairs - draws + balance) // 2
    return (
        f"Passed {name}:\nLLR: {ratio(wd):.2f} (-2.94,2.94) <{bounds[0]:.2f},{bounds[1]:.2f}>\n"
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
            parts += [test(draw, "STC", (0.0, 2.0)), test(draw, "LTC", (0.5, 2.5))]
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


def seconds(command: list[str], *, before_each: Callable[[], None] = lambda: None) -> tuple[float, float]:
    """Wall and CPU time of a command, each the best of five."""
    walls, processors = [], []
    for _ in range(5):
        before_each()
        before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        walls.append(time.perf_counter() - begun)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        processors.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(walls), min(processors)


def main() -> int:
    """Print the times of both and their ratios, and say whether they are met."""
    with tempfile.TemporaryDirectory() as directory:
        place = Path(sys.argv[1]) if len(sys.argv) > 1 else made(Path(directory) / "history.git")
        found = read_history(commits_of(place))
        print(f"{found.commits} commits, {found.tests} tests")
        anchorhold = [sys.executable, "-m", "anchorhold"]
        register = Path(directory) / "register.db"

        def new_register() -> None:
            for file in Path(directory).glob("register.db*"):
                file.unlink()
            command = [*anchorhold, "register", "create", "--register", str(register), "--author", "bench"]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

        into = ["--register", str(register), "--author", "bench", "--skip-problems"]
        times = {
            "git log, messages": seconds(["git", "-C", str(place), "log", "--format=%B"]),
            "anchorhold --version": seconds([*anchorhold, "--version"]),
            "import commits --dry-run": seconds([*anchorhold, "import", "commits", str(place), "--dry-run"]),
            "import commits, all of it": seconds(
                [*anchorhold, "import", "commits", str(place), *into], before_each=new_register
            ),
        }
    alone = times.pop("git log, messages")
    return note(
        *(
            Figure(f"{name}, {kind}", own, "s", "git log, messages", peer, ALLOWED)
            for name, measured in times.items()
            for kind, own, peer in zip(("wall time", "processor time"), measured, alone, strict=True)
        )
    )


if __name__ == "__main__":
    sys.exit(main())

"""What the dashboard costs: the time of its pages, and a match of 500 games with and without somebody looking.

    python bench/serve.py [--pages] [--match] [--entries N] [--checks N] [--register FILE] [--rounds N] [--repeats N]

Pages: every kind of page of a register of 10,000 entries with 200 checks (making it takes minutes; ``--register`` takes
one that is there), the first time it is asked for and then. What is held against the limit is the server's
processor time, which is what a page takes on a machine that has nothing else to do. Match: the same match played alone
and followed, in turns; the figures are the ratio of the medians, and the server's processor time, which a busy machine
does not change. It is asked every second, twice as often as the page's own script does. Exit status 1 when a
limit is missed.
"""

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import httpx
import psutil

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from anchorhold.register import exporting
from anchorhold.register.store import Register
from figures import Figure, note
from register.long_register import long_register
from web.samples import match_words, register_at, serving

PAGE_LIMIT = 0.3
SLOWER_LIMIT = 0.02
ADDRESSES = (
    "",
    "de/",
    "register/1.html",
    "de/register/{middle}.html",
    "register/{last}.html",
    "register/search.html?q=dev",
    "register/search.html?q=nothing+of+the+kind",
    "register/search.html?kind=check_closed",
    "checks/check-2.html",
    "de/checks/check-2.html",
    "checks/check-{newest}.html",
    "de/checks/check-{newest}.html",
    "feed.xml",
    "badge.svg",
)


def pages(entries: int, checks: int, register: Path | None) -> int:
    """Time each page, the first time it is asked for and the median of ten times."""
    with tempfile.TemporaryDirectory() as place:
        directory = Path(place)
        if register is None:
            register = directory / "r.sqlite"
            exported = b"".join(map(exporting.export_line, long_register(entries, checks=checks)))
            Register.restore(str(register), exported, where="bench").close()
        start = time.perf_counter()
        worst = 0.0
        with serving(directory, "--register", str(register)) as running, httpx.Client(timeout=60) as client:
            used = sum(psutil.Process(running.process.pid).cpu_times()[:2])
            seconds = time.perf_counter() - start
            print(f"start, the whole chain and all verdicts verified: {seconds:.2f} s ({used:.2f} s of a processor)")
            last = entries // 100
            server = psutil.Process(running.process.pid)
            for form in ADDRESSES:
                address = form.format(middle=last // 2, last=last, newest=2 * checks)
                (first, used_first), *others = (_asked(client, running.address + address, server) for _ in range(11))
                then = statistics.median(seconds for seconds, _ in others)
                used_then = sum(used for _, used in others) / len(others)
                worst = max(worst, used_first, used_then)
                print(
                    f"/{address:<44} first {1000 * first:6.0f} ms ({1000 * used_first:4.0f} of a processor)"
                    f"   then {1000 * then:6.1f} ms ({1000 * used_then:5.1f})"
                )
    return note(Figure("slowest page, processor time", worst, "s", "limit", PAGE_LIMIT))


def _asked(client: httpx.Client, address: str, server: psutil.Process) -> tuple[float, float]:
    """Return the seconds until a page was there, and the processor time that the server took for it."""
    before, begun = sum(server.cpu_times()[:2]), time.perf_counter()
    assert client.get(address).status_code == 200, address
    seconds = time.perf_counter() - begun
    return seconds, sum(server.cpu_times()[:2]) - before


def match(rounds: int, repeats: int) -> int:
    """Play alone and followed in turns; print the ratio of the times, and of the processor times."""
    alone: list[float] = []
    followed: list[float] = []
    shares: list[float] = []
    busy: list[float] = []
    for number in range(repeats):
        # Neither kind is always the first: a machine that grows warmer or busier hits both alike.
        for follow in (False, True) if number % 2 == 0 else (True, False):
            played = _played(rounds, follow=follow)
            (followed if follow else alone).append(played.seconds)
            if follow:
                shares.append(played.server / played.match)
                busy.append(played.server / played.seconds)
    print(f"{2 * rounds} games: alone {_listed(alone)} s, followed {_listed(followed)} s")
    print(
        f"the server took {100 * statistics.median(busy):.2f} % of one processor, and"
        f" {100 * statistics.median(shares):.2f} % of what the match took"
    )
    own, peer = statistics.median(followed), statistics.median(alone)
    return note(
        Figure(f"a match of {2 * rounds} games, followed", own, "s", "not followed", peer, 1 + SLOWER_LIMIT),
        Figure("processor that following takes", statistics.median(busy), "of one", "limit", SLOWER_LIMIT),
    )


def _listed(times: list[float]) -> str:
    return ", ".join(f"{seconds:.2f}" for seconds in times)


@dataclass(frozen=True)
class Played:
    """What one match took."""

    seconds: float
    match: float
    """Processor time of the runner, its workers and the engines, in seconds."""
    server: float


def _played(rounds: int, *, follow: bool) -> Played:
    with tempfile.TemporaryDirectory() as place:
        directory = Path(place)
        command = match_words(directory / "live.journal", rounds=rounds, milliseconds=2)
        if not follow:
            return Played(*_timed(command, directory), 0.0)
        register_at(directory / "r.sqlite")
        with serving(directory, "--register", "r.sqlite") as running:
            over = threading.Event()
            asked = threading.Thread(target=_ask, args=(running.address, over))
            server = psutil.Process(running.process.pid)
            before = sum(server.cpu_times()[:2])
            asked.start()
            seconds, used = _timed(command, directory)
            over.set()
            asked.join()
            return Played(seconds, used, sum(server.cpu_times()[:2]) - before)


def _ask(address: str, over: threading.Event) -> None:
    """Look as the page's own script does: the page once, then the matches."""
    tag = ""
    with httpx.Client(timeout=60) as client:
        client.get(address)
        while not over.wait(1.0):
            answer = client.get(f"{address}matches.html", headers={"If-None-Match": tag})
            tag = answer.headers["etag"]


def _timed(command: list[str], directory: Path) -> tuple[float, float]:
    """Return the seconds that a command took, and the processor time of it and all that it started."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run(command, cwd=directory, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    seconds = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    """Measure what is asked for, all by default."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--pages", action="store_true")
    parser.add_argument("--match", action="store_true")
    parser.add_argument("--entries", type=int, default=10_000)
    parser.add_argument("--checks", type=int, default=200)
    parser.add_argument("--register", type=Path)
    parser.add_argument("--rounds", type=int, default=250)
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    both = not (given.pages or given.match)
    held = [match(given.rounds, given.repeats)] if given.match or both else []
    held += [pages(given.entries, given.checks, given.register)] if given.pages or both else []
    return int(any(held))


if __name__ == "__main__":
    sys.exit(main())

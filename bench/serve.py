"""What the dashboard costs: the time of its pages, and a match of 500 games with and without somebody looking.

    python bench/serve.py [--pages] [--match] [--entries N] [--checks N] [--rounds N]

Pages: every kind of page of a register of 10,000 entries with 200 checks (making it takes minutes). Match: the same
match played alone and followed, in turns, three times each; the figure is the ratio of the medians, and the share of
one processor that the server took. A page is asked for every second, twice as often as the page's own script does.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import httpx
import psutil

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from anchorhold.register import chain
from anchorhold.register.store import Register
from register.long_register import long_register
from web.samples import match_words, register_at, serving

PAGE_LIMIT = 0.3
SLOWER_LIMIT = 0.02
ADDRESSES = ("", "de/", "register/1.html", "register/search.html?q=dev", "register/search.html?kind=check_closed")


def pages(entries: int, checks: int) -> bool:
    """Time each page, the first time it is asked for and the median of ten times."""
    with tempfile.TemporaryDirectory() as place:
        directory = Path(place)
        exported = b"".join(map(chain.export_line, long_register(entries, checks=checks)))
        Register.restore(str(directory / "r.sqlite"), exported, where="bench").close()
        start = time.perf_counter()
        worst = 0.0
        with serving(directory, "--register", "r.sqlite") as running, httpx.Client(timeout=60) as client:
            print(f"start, the whole chain and all verdicts verified {time.perf_counter() - start:8.2f} s")
            for address in (*ADDRESSES, f"checks/check-{2 * checks}.html"):
                times = []
                for _ in range(11):
                    begun = time.perf_counter()
                    assert client.get(running.address + address).status_code == 200
                    times.append(time.perf_counter() - begun)
                median = statistics.median(times[1:])
                worst = max(worst, median)
                print(f"/{address:<44} first {1000 * times[0]:7.0f} ms   then {1000 * median:6.1f} ms")
    return worst <= PAGE_LIMIT


def match(rounds: int) -> bool:
    """Play alone and followed in turns; print the ratio of the times."""
    alone, followed, shares = [], [], []
    for _ in range(3):
        alone.append(_played(rounds, follow=False)[0])
        seconds, share = _played(rounds, follow=True)
        followed.append(seconds)
        shares.append(share)
    ratio = statistics.median(followed) / statistics.median(alone)
    print(f"{2 * rounds} games: alone {alone} s, followed {followed} s")
    print(f"followed / alone {ratio:.3f}; the server took {100 * statistics.median(shares):.2f} % of one processor")
    return ratio <= 1 + SLOWER_LIMIT


def _played(rounds: int, *, follow: bool) -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as place:
        directory = Path(place)
        command = match_words(directory / "live.journal", rounds=rounds, milliseconds=2)
        if not follow:
            return _timed(command, directory), 0.0
        register_at(directory / "r.sqlite")
        with serving(directory, "--register", "r.sqlite") as running:
            over = threading.Event()
            asked = threading.Thread(target=_ask, args=(running.address, over))
            server = psutil.Process(running.process.pid)
            before = sum(server.cpu_times()[:2])
            asked.start()
            seconds = _timed(command, directory)
            over.set()
            asked.join()
            return seconds, (sum(server.cpu_times()[:2]) - before) / seconds


def _ask(address: str, over: threading.Event) -> None:
    tag = ""
    with httpx.Client(timeout=60) as client:
        while not over.wait(1.0):
            answer = client.get(address, headers={"If-None-Match": tag})
            tag = answer.headers["etag"]


def _timed(command: list[str], directory: Path) -> float:
    start = time.perf_counter()
    subprocess.run(command, cwd=directory, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return round(time.perf_counter() - start, 2)


def main() -> int:
    """Measure what is asked for, all by default."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--pages", action="store_true")
    parser.add_argument("--match", action="store_true")
    parser.add_argument("--entries", type=int, default=10_000)
    parser.add_argument("--checks", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=250)
    given = parser.parse_args()
    both = not (given.pages or given.match)
    held = [match(given.rounds)] if given.match or both else []
    held += [pages(given.entries, given.checks)] if given.pages or both else []
    return int(not all(held))


if __name__ == "__main__":
    sys.exit(main())

"""Games per second beside fastchess: the same engines, limits, openings and workers, in turn in one run.

    python bench/throughput.py --fastchess path/to/fastchess [--limit nodes=1 …] [--rounds 100] [--repeats 3]

Both write PGN, both adjudicate nothing but a maximum of moves; anchorhold keeps its journal too. The whole command is
timed, its start included. Machines are shared: believe the ratios, not the rates. What is spent beyond the engines is
read from /proc (Linux).
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from figures import Figure, note

LIMITS = ("nodes=1", "depth=1", "nodes=1000")
PAIRS = (("ethereal-chess", "stockfish", LIMITS), ("ethereal-chess", "toga2", ("depth=1",)))
"""Debian's engines; Toga does not know a limit of nodes."""
MOST_MOVES = 200
TICK = os.sysconf("SC_CLK_TCK")
LOOKS = 0.25
"""Seconds between two looks at what the engines have spent."""
OPENINGS = """\
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -
rnbqkbnr/ppp1pppp/8/3p4/2PP4/8/PP2PPPP/RNBQKBNR b KQkq -
r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq -
rnbqkb1r/pppppp1p/5np1/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq -
rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq -
rnbqkbnr/pppp1ppp/4p3/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq -
rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq -
rnbqkbnr/pp1ppppp/2p5/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq -
"""


@dataclass(frozen=True)
class Run:
    """What one run of one program came to; seconds."""

    seconds: float
    games: int
    plies: int
    cpu: float
    """Processor time of the program and its helpers, engines not included."""
    referee: str = ""
    """What the run itself says of its referee."""

    @property
    def rate(self) -> float:
        """Games per second."""
        return self.games / self.seconds


class EngineTime(threading.Thread):
    """Adds up the processor time of the engines below one process, as long as it runs."""

    def __init__(self, root: int, engines: tuple[str, ...]) -> None:
        super().__init__()
        self._root, self._engines = root, engines
        self._spent: dict[str, float] = {}
        self._done = threading.Event()

    def run(self) -> None:
        """Look again and again."""
        while not self._done.wait(LOOKS):
            self._look([str(self._root)])

    def _look(self, pids: list[str]) -> None:
        for pid in pids:
            try:
                stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
                program = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[0].decode()
                children = [p.read_text(encoding="ascii") for p in Path(f"/proc/{pid}/task").glob("*/children")]
            except OSError:
                continue  # it has just ended
            if program in self._engines:
                user, system = stat.rpartition(")")[2].split()[11:13]
                self._spent[pid] = (int(user) + int(system)) / TICK
            self._look([child for words in children for child in words.split()])

    def stop(self) -> float:
        """Stop looking; return the seconds."""
        self._done.set()
        self.join()
        return sum(self._spent.values())


def timed(command: list[str], folder: Path, *, engines: tuple[str, ...]) -> Run:
    """Run a match that writes games.pgn in a folder of its own, and say what it came to."""
    begun = time.monotonic()
    with (folder / "output").open("wb") as output, (folder / "errors").open("wb") as errors:
        process = subprocess.Popen(command, cwd=folder, stdout=output, stderr=errors)
        watch = EngineTime(process.pid, engines)
        watch.start()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - begun
        process.returncode = os.waitstatus_to_exitcode(status)
        engine_seconds = watch.stop()
    printed = (folder / "output").read_text(encoding="utf-8")
    said = printed[-2000:] + (folder / "errors").read_text(encoding="utf-8")[-2000:]
    if process.returncode:
        raise SystemExit(f"{' '.join(command)}\nended with status {process.returncode}:\n{said}")
    text = (folder / "games.pgn").read_text(encoding="utf-8")
    return Run(
        seconds=seconds,
        games=text.count("[Result "),
        plies=sum(int(part.partition('"')[0]) for part in text.split('[PlyCount "')[1:]),
        cpu=usage.ru_utime + usage.ru_stime - engine_seconds,
        referee=next((line for line in printed.splitlines() if line.startswith("Referee:")), ""),
    )


def ours(folder: Path, *, engines: tuple[str, ...], limit: str, rounds: int, workers: int) -> Run:
    """Play with anchorhold."""
    command = [sys.executable, "-m", "anchorhold", "match"]
    for name, engine in zip("AB", engines, strict=True):
        command += ["--engine", f"cmd={engine} name={name}"]
    command += ["--each", limit, "--openings", "file=book.epd,order=sequential", "--rounds", str(rounds)]
    command += ["--concurrency", str(workers), "--maxmoves", str(MOST_MOVES), "--pgn", "games.pgn"]
    return timed([*command, "--journal", "journal"], folder, engines=engines)


def theirs(folder: Path, *, fastchess: str, engines: tuple[str, ...], limit: str, rounds: int, workers: int) -> Run:
    """Play with fastchess."""
    command = [fastchess]
    for name, engine in zip("AB", engines, strict=True):
        command += ["-engine", f"cmd={engine}", f"name={name}"]
    command += ["-each", "tc=inf", limit.replace("depth", "plies"), "-openings", "file=book.epd", "format=epd"]
    command += ["order=sequential", "-rounds", str(rounds), "-games", "2", "-repeat", "-concurrency", str(workers)]
    return timed([*command, "-maxmoves", str(MOST_MOVES), "-pgnout", "file=games.pgn"], folder, engines=engines)


def compare(args: argparse.Namespace, *, engines: tuple[str, ...], limit: str) -> Figure:
    """Play one pair of engines under one limit with both programs in turn, and print what it came to."""
    rounds = args.rounds if limit != "nodes=1000" else max(1, args.rounds // 4)
    setting = {"engines": engines, "limit": limit, "rounds": rounds, "workers": args.workers}
    mine: list[Run] = []
    other: list[Run] = []
    for _ in range(args.repeats):
        with tempfile.TemporaryDirectory() as name:
            for part, runs, play in (("a", mine, ours), ("f", other, theirs)):
                folder = Path(name) / part
                folder.mkdir()
                (folder / "book.epd").write_text(OPENINGS, encoding="ascii")
                more = {"fastchess": args.fastchess} if play is theirs else {}
                runs.append(play(folder, **setting, **more))
    who = " – ".join(Path(engine).name for engine in engines)
    print(f"{who}, {limit}, {rounds} pairs, {args.workers} workers, {args.repeats} times each")
    for name, runs in (("anchorhold", mine), ("fastchess", other)):
        rates = ", ".join(f"{run.rate:.1f}" for run in runs)
        plies = sum(run.plies for run in runs)
        print(
            f"  {name:10} {rates} games/s; {plies / sum(run.seconds for run in runs):.0f} plies/s,"
            f" {plies / sum(run.games for run in runs):.0f} plies a game,"
            f" {1e6 * sum(run.cpu for run in runs) / plies:.0f} µs CPU beyond the engines per ply"
        )
    print(f"  {min(mine, key=lambda run: run.seconds).referee}")
    ratios = [a.rate / b.rate for a, b in zip(mine, other, strict=True)]
    whole = sum(b.seconds for b in other) / sum(a.seconds for a in mine)
    best = max(a.rate for a in mine) / max(b.rate for b in other)
    print(
        f"  ratio      {whole:.2f} over all, {statistics.median(ratios):.2f} median, {best:.2f} best to best"
        f" ({', '.join(f'{ratio:.2f}' for ratio in ratios)}); load {os.getloadavg()[0]:.1f}",
        flush=True,
    )
    games, seconds = sum(run.games for run in mine), sum(run.seconds for run in mine)
    rate = sum(run.games for run in other) / sum(run.seconds for run in other)
    return Figure(f"match, {who}, {limit}", games / seconds, "games/s", "fastchess", rate, at_least=True)


def main() -> int:
    """Find the engines, compare each pair that is wanted under each limit, and say whether all is met."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fastchess", required=True, type=os.path.abspath)
    parser.add_argument("--engines", nargs=2, metavar=("A", "B"), help="programs; default: two pairs of Debian's")
    parser.add_argument("--limit", nargs="+", default=LIMITS)
    parser.add_argument("--rounds", type=int, default=200, help="pairs; a quarter of it at 1,000 nodes")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    figures = []
    for first, second, known in PAIRS if args.engines is None else ((*args.engines, args.limit),):
        found = [shutil.which(name) or shutil.which(f"/usr/games/{name}") for name in (first, second)]
        engines = tuple(path for path in found if path)
        if len(engines) < len(found):
            print(f"{first} – {second}: not both installed (Debian: apt-get install {first} {second})")
            continue
        for limit in args.limit:
            if limit in known:
                figures.append(compare(args, engines=engines, limit=limit))
    return note(*figures)


if __name__ == "__main__":
    raise SystemExit(main())

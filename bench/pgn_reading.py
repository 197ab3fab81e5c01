"""How long a large PGN file takes to pentanomials per pair of engines, beside Ordo's time to read and rate it.

Makes an invented gauntlet in the usual form (comments with evaluation, depth, time), reads it with
``anchorhold import pgn`` and, where the program is given, with Ordo, in turn, and compares the shortest times of each.

    python bench/pgn_reading.py --games 100000 --ordo path/to/ordo
"""

import argparse
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import chess

from figures import Figure, note

ANCHORS = 6
COMMENT = re.compile(r"\{[^}]*\}")

ALLOWED = 3.0
"""Times the peer's wall time."""


def playout(rng: random.Random, plies: int) -> list[str]:
    """Return the words of a random game, each half-move with its comment."""
    board = chess.Board()
    words: list[str] = []
    while len(words) < plies and (moves := list(board.legal_moves)):
        number = f"{board.fullmove_number}. " if board.turn else ""
        comment = (
            "{book}" if len(words) < 8 else f"{{{rng.uniform(-3, 3):+.2f}/{rng.randint(8, 30)} {rng.random():.3f}s}}"
        )
        words.append(f"{number}{board.san_and_push(rng.choice(moves))} {comment}")
    return words


def folded(words: list[str]) -> str:
    """Put words into lines of eighty characters."""
    lines, line = [], ""
    for word in " ".join(words).split():
        if line and len(line) + len(word) >= 79:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return "\n".join([*lines, line])


def result_of(text: str, rng: random.Random) -> str:
    """Return the result that a mate on the board has, else a random one."""
    words = COMMENT.sub(" ", text).split()
    if "#" in words[-1]:
        return "1-0" if words[-2].endswith(".") else "0-1"
    return rng.choice(["1-0", "0-1", "1/2-1/2", "1/2-1/2"])


def write_games(path: Path, games: int) -> None:
    """Write a gauntlet of one engine against six, two games to each round."""
    rng = random.Random(7)
    texts = [folded(playout(rng, rng.randint(120, 220))) for _ in range(800)]
    with path.open("w", encoding="ascii") as handle:
        for number in range(games):
            anchor = f"Anchor {number // 2 % ANCHORS}"
            white, black = ("Main", anchor) if number % 2 == 0 else (anchor, "Main")
            text = rng.choice(texts)
            result = result_of(text, rng)
            handle.write(
                f'[Event "Bench"]\n[Site "?"]\n[Date "2026.01.02"]\n[Round "{number // 2 + 1}"]\n[White "{white}"]\n'
                f'[Black "{black}"]\n[Result "{result}"]\n[GameDuration "00:01:22"]\n'
                f'[GameStartTime "2026-01-02T03:04:05 +0000"]\n[Termination "adjudication"]\n[TimeControl "8+0.08"]\n\n'
                f"{text} {result}\n\n"
            )


def seconds(command: list[str]) -> float:
    """Return the wall time of a command."""
    begin = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begin


def main() -> int:
    """Compare, print, and say whether it is met."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5, help="how often each program reads the file, in turn")
    parser.add_argument("--ordo", help="Ordo's program; looked for on the path when not given")
    given = parser.parse_args()
    ordo = given.ordo or shutil.which("ordo")
    with tempfile.TemporaryDirectory(prefix="anchorhold-bench-") as folder:
        games = Path(folder) / "games.pgn"
        write_games(games, given.games)
        print(f"{given.games} games, {games.stat().st_size / 1e6:.0f} MB")
        own = [sys.executable, "-m", "anchorhold", "import", "pgn", str(games)]
        other = [str(ordo), "-q", "-p", str(games), "-o", str(Path(folder) / "ordo.txt")]
        times: dict[str, list[float]] = {"anchorhold": [], "ordo": []}
        for _ in range(given.rounds):
            times["anchorhold"].append(seconds(own))
            if ordo:
                times["ordo"].append(seconds(other))
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"anchorhold: {min(times['anchorhold']):.2f} s; at most {peak:.0f} MB resident in one process")
    if not ordo:
        print("Ordo is not installed: give its path with --ordo to compare.")
        return 0
    name = f"import pgn, {given.games:,} games"
    own_best, peer_best = min(times["anchorhold"]), min(times["ordo"])
    return note(Figure(name, own_best, "s", "Ordo, read and rated", peer_best, ALLOWED))


if __name__ == "__main__":
    raise SystemExit(main())

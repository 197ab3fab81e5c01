"""Makes the opening book of the package: random legal openings that a real engine finds level.

    python scripts/make_book.py --engine /usr/games/stockfish --output src/anchorhold/data/openings.pgn

Every opening is a move list from the usual starting position (an XBoard engine without ``setboard`` needs one): so many
random legal plies by a seeded generator, kept when the engine's score at a fixed depth lies within the window, nobody
is in check, and no earlier opening ends in the same position. The same seed, engine version and arguments give the
same file. Every game's Annotator tag says how it was made and how the engine saw it.
May import: chess.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.engine


def random_opening(generator: random.Random, plies: int) -> chess.Board:
    """Play random legal moves; the board may be shorter than asked when the game ended."""
    board = chess.Board()
    for _ in range(plies):
        moves = sorted(board.legal_moves, key=chess.Move.uci)
        if not moves:
            break
        # random() is promised to give the same numbers in every Python version; choice() is not.
        board.push(moves[int(generator.random() * len(moves))])
    return board


def level_openings(
    engine: chess.engine.SimpleEngine, *, seed: int, plies: int, depth: int, window: int
) -> Iterator[tuple[chess.Board, int]]:
    """Yield boards with the engine's score in centipawns from White's side, without end."""
    generator = random.Random(seed)
    seen: set[str] = set()
    number = 0
    while True:
        number += 1
        board = random_opening(generator, plies)
        if board.is_check() or board.is_game_over() or board.ply() < plies:
            continue
        position = board.epd()
        if position in seen:
            continue
        seen.add(position)
        # A new game number empties the hash, so that a score does not depend on the positions before.
        info = engine.analyse(board, chess.engine.Limit(depth=depth), game=number)
        score = info["score"].white().score()
        if score is not None and abs(score) <= window:
            yield board, score


def to_pgn(board: chess.Board, *, number: int, annotator: str) -> str:
    """Write one opening as a PGN game with the seven usual tags."""
    start = chess.Board()
    tags = {
        "Event": "anchorhold openings",
        "Site": "?",
        "Date": "????.??.??",
        "Round": str(number),
        "White": "?",
        "Black": "?",
        "Result": "*",
        "Annotator": annotator,
    }
    head = "\n".join(f'[{name} "{value}"]' for name, value in tags.items())
    return f"{head}\n\n{start.variation_san(board.move_stack)} *\n"


def main() -> None:
    """Make the book."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", default="/usr/games/stockfish", help="a UCI engine")
    parser.add_argument("--seed", type=int, default=20261130)
    parser.add_argument("--count", type=int, default=600, help="openings to keep")
    parser.add_argument("--plies", type=int, default=8)
    parser.add_argument("--depth", type=int, default=12, help="fixed depth of the engine")
    parser.add_argument("--window", type=int, default=60, help="largest score in centipawns, either way")
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()

    games: list[str] = []
    with chess.engine.SimpleEngine.popen_uci(arguments.engine) as engine:
        engine.configure({"Threads": 1, "Hash": 16})
        made = (
            f"make_book.py --seed {arguments.seed} --plies {arguments.plies} --depth {arguments.depth}"
            f" --window {arguments.window}; {engine.id['name']}"
        )
        openings = level_openings(
            engine, seed=arguments.seed, plies=arguments.plies, depth=arguments.depth, window=arguments.window
        )
        for number in range(1, arguments.count + 1):
            board, score = next(openings)
            games.append(to_pgn(board, number=number, annotator=f"{made}: {score:+d} cp"))
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text("\n".join(games), encoding="ascii")
    print(f"{len(games)} openings in {arguments.output}")


if __name__ == "__main__":
    main()

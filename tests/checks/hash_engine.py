"""A tiny UCI engine for tests: legal moves and scores that depend on the position and its own name alone.

Copied and filled in by ``conftest``: NAME, STRENGTH and START are replaced. Positive strength loses fewer games to
adjudication. It knows nothing of time and keeps no state, so that any order of games gives the same games.
"""

import hashlib
import sys

sys.path.insert(0, "@PATH@")

import chess

NAME = "@NAME@"
STRENGTH = int("@STRENGTH@")
OPTIONS = ("option name Hash type spin default 1 min 1 max 1024", "option name EvalFile type string default <empty>")


def answer(board: chess.Board) -> str:
    number = int.from_bytes(hashlib.sha256(f"{NAME} {board.fen()}".encode()).digest()[:8], "big")
    moves = sorted(move.uci() for move in board.legal_moves)
    score = number // len(moves) % 801 - 400 + STRENGTH
    return f"info depth 1 score cp {score} nodes {len(moves)} pv {moves[0]}\nbestmove {moves[number % len(moves)]}"


def main() -> None:
    board = chess.Board()
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        if words[0] == "uci":
            print(f"id name {NAME}", *OPTIONS, "uciok", sep="\n", flush=True)
        elif words[0] == "isready":
            print("readyok", flush=True)
        elif words[0] == "position":
            at = words.index("moves") if "moves" in words else len(words)
            board = chess.Board() if words[1] == "startpos" else chess.Board(" ".join(words[2:at]))
            for move in words[at + 1 :]:
                board.push_uci(move)
        elif words[0] == "go":
            print(answer(board), flush=True)
        elif words[0] == "quit":
            return


main()

"""A UCI engine that plays any legal move, always the same one in the same position: deterministic, but not by heart.

python mover.py [seed=N] [ms=N]
"""

import hashlib
import sys
import time

import chess

OPTIONS = dict(word.split("=", 1) for word in sys.argv[1:])


def main() -> None:
    board = chess.Board()
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        if words[0] == "uci":
            print("id name Mover\noption name UCI_Chess960 type check default false\nuciok", flush=True)
        elif words[0] == "isready":
            print("readyok", flush=True)
        elif words[0] == "setoption":
            board.chess960 = line.strip().endswith("UCI_Chess960 value true")
        elif words[0] == "position":
            at = words.index("moves") if "moves" in words else len(words)
            fen = chess.STARTING_FEN if words[1] == "startpos" else " ".join(words[2:at])
            board = chess.Board(fen, chess960=board.chess960)
            for text in words[at + 1 :]:
                board.push_uci(text)
        elif words[0] == "go":
            time.sleep(int(OPTIONS.get("ms", "0")) / 1000)
            moves = sorted(board.uci(move) for move in board.legal_moves)
            number = hashlib.sha256(f"{OPTIONS.get('seed', '1')} {board.fen()}".encode()).digest()
            choice = moves[int.from_bytes(number[:4], "big") % len(moves)]
            score = int.from_bytes(number[4:6], "big") % 61 - 30
            print(f"info depth 1 score cp {score} nodes {len(moves)}\nbestmove {choice}", flush=True)
        elif words[0] == "quit":
            return


if __name__ == "__main__":
    main()

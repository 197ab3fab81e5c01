"""A real UCI engine for tests: its move depends only on its seed and the position, so that every game can be repeated.

    python tiny_engine.py [seed=N] [crash=N] [slow=SECONDS] [deaf=1] [mark=TEXT]

``crash=N``: ends itself at its N-th ``go`` of the process. ``deaf``: hears neither SIGTERM nor the end of its input.
``mark`` says nothing; it lets a test find the process.
"""

import signal
import sys
import time
import zlib

import chess

VALUES = {chess.PAWN: 100, chess.KNIGHT: 300, chess.BISHOP: 300, chess.ROOK: 500, chess.QUEEN: 900, chess.KING: 0}


def balance(board: chess.Board) -> int:
    """Material in centipawns from the side to move."""
    total = 0
    for piece in board.piece_map().values():
        total += VALUES[piece.piece_type] * (1 if piece.color == board.turn else -1)
    return total


def main() -> None:
    settings = dict(word.split("=", 1) for word in sys.argv[1:])
    seed = settings.get("seed", "1")
    if "deaf" in settings:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    asked = 0
    board = chess.Board()
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        if words[0] == "uci":
            print("id name tiny\noption name Hash type spin default 16 min 1 max 64\nuciok", flush=True)
        elif words[0] == "isready":
            print("readyok", flush=True)
        elif words[0] == "position":
            at = words.index("moves") if "moves" in words else len(words)
            board = chess.Board() if words[1] == "startpos" else chess.Board(" ".join(words[2:at]))
            for move in words[at + 1 :]:
                board.push_uci(move)
        elif words[0] == "go":
            asked += 1
            if asked == int(settings.get("crash", 0)):
                print("tiny: giving up on purpose", file=sys.stderr, flush=True)
                raise SystemExit(7)
            time.sleep(float(settings.get("slow", 0)))
            moves = sorted(board.legal_moves, key=chess.Move.uci)
            chosen = moves[zlib.crc32(f"{seed} {board.epd()}".encode()) % len(moves)]
            print(f"info depth 1 nodes {len(moves)} score cp {balance(board)}\nbestmove {chosen.uci()}", flush=True)
        elif words[0] == "quit" and "deaf" not in settings:
            return
    while "deaf" in settings:
        time.sleep(60)


if __name__ == "__main__":
    main()

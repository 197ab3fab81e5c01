"""A real UCI engine for tests that keeps what it is asked for, but for what its words say.

    python odd_engine.py [memory=1] [dice=1] [deep=1] [nodes=N] [late=1] [slow=1] [silent=1]

``memory``: what it says depends on how often this process was asked. ``dice``: on chance. ``deep``: it searches one ply
deeper than it is told. ``nodes``: it searches so many, whatever it is told. ``late``: it takes a second too long.
``slow``: it takes a second for every move.
``silent``: it tells neither depth nor nodes.
"""

import random
import sys
import time

import chess


def main() -> None:
    words = dict(word.split("=", 1) for word in sys.argv[1:])
    asked = 0
    board = chess.Board()
    for line in sys.stdin:
        told = line.split()
        if not told:
            continue
        if told[0] == "uci":
            print(
                "id name Odd 3\nid author A. Tester\noption name Hash type spin default 1 min 1 max 64\nuciok",
                flush=True,
            )
        elif told[0] == "isready":
            print("readyok", flush=True)
        elif told[0] == "position":
            board = chess.Board()
            for move in told[3:]:
                board.push_uci(move)
        elif told[0] == "go":
            asked += 1
            limit = dict(zip(told[1::2], told[2::2], strict=False))
            seconds = int(limit.get("movetime", 0)) / 1000
            time.sleep(
                seconds + ("slow" in words) + ("late" in words and "depth" not in limit and "nodes" not in limit)
            )
            depth = int(limit.get("depth", 1)) + ("deep" in words)
            nodes = int(words.get("nodes") or limit.get("nodes") or 100 * depth)
            nodes += asked * ("memory" in words) + random.randrange(1000) * ("dice" in words)
            told_depth = "" if "silent" in words else f" depth {depth} nodes {nodes}"
            move = min(board.legal_moves, key=chess.Move.uci)
            print(f"info{told_depth} score cp 0\nbestmove {move.uci()}", flush=True)
        elif told[0] == "quit":
            return


if __name__ == "__main__":
    main()

"""Adds pairs to a journal until it is killed, and says after each that it is there.

python journal_writer.py JOURNAL ACKNOWLEDGED
"""

import sys
from pathlib import Path

from anchorhold.domain.games import GameRecord, MoveRecord, Opening, PairKey, PairRecord
from anchorhold.matches.journal import Journal

GAME = GameRecord(
    first_is_white=True,
    result="1/2-1/2",
    termination="normal",
    reason="",
    moves=(MoveRecord("e2e4", 0.1),) * 100,
    started_at="2026-11-30T04:05:06Z",
)


def main() -> None:
    with Journal.open(Path(sys.argv[1]), plan={"test": "kill"}) as journal, Path(sys.argv[2]).open("a") as said:
        opening = len(journal)
        while True:
            opening += 1
            key = PairKey("check-1", "old", "Alpha", "long", opening)
            journal.add(PairRecord(key=key, opening=Opening(None, ()), variant="standard", games=(GAME, GAME)))
            print(opening, file=said, flush=True)


if __name__ == "__main__":
    main()

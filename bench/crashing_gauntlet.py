"""A gauntlet of 2,000 fast games with an engine that crashes once in about fifty moves: counts what must come of it.

    python bench/crashing_gauntlet.py [WORKERS]

Fool's mate in every game, four moves of which the weak engine makes two; it dies when it is asked for its 49th move,
so in one of 24 games or so. Every pair must be there once, every crash a lost game, and nothing else lost by a fault.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from anchorhold.domain.engines import EngineSpec
from anchorhold.domain.limits import Limit
from anchorhold.matches.books import load_book
from anchorhold.matches.jobs import MatchRules, PairOutcome
from anchorhold.matches.journal import Journal
from anchorhold.matches.runner import run
from anchorhold.matches.schedule import match_jobs

ENGINE = Path(__file__).parent.parent / "tests" / "engines" / "scripted.py"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
OPPONENTS = ("B", "C", "D", "E")
PAIRS = 250


def main() -> None:
    """Play, count, and print."""
    workers = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    command = (sys.executable, "-I", "-S", str(ENGINE))
    weak = EngineSpec("Weak", (*command, "lives=49"), Limit(depth=1))
    engines = [weak, *(EngineSpec(name, command, Limit(depth=1)) for name in OPPONENTS)]
    faults = restarts = 0

    def saw(outcome: PairOutcome) -> None:
        nonlocal faults, restarts
        faults += sum(event.kind == "fault" for event in outcome.events)
        restarts += sum(event.kind == "restart" for event in outcome.events)

    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        book = Path(folder) / "book.epd"
        book.write_text(START + "\n", encoding="ascii")
        jobs = match_jobs(
            run="bench",
            engines=engines,
            tournament="gauntlet",
            book=load_book(book),
            pairs=PAIRS,
            rules=MatchRules(max_failures=10**6),
        )
        with Journal.open(Path(folder) / "journal", plan={}) as journal:
            run(jobs, journal=journal, workers=workers, on_outcome=saw)
            records = list(journal.pairs())
    games = [game for record in records for game in record.games]
    crashes = [game for game in games if game.termination == "abandoned"]
    assert len({record.key for record in records}) == len(records) == PAIRS * len(OPPONENTS)
    assert all(game.fault_of == "first" for game in crashes)
    assert all(game.result == "0-1" and game.termination == "normal" for game in games if game not in crashes)
    assert len(crashes) == faults
    # The last crashes of the workers may be the end of the run: nothing is started again then.
    assert faults - workers <= restarts <= faults
    seconds = time.monotonic() - begun
    print(f"{len(games)} games in {seconds:.1f} s, {len(crashes)} lost by a crash, {restarts} restarts")


if __name__ == "__main__":
    main()

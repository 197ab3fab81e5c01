"""Plays a small run with the match runner; a test kills it and starts it again.

    python play_run.py JOURNAL MARK [slow=SECONDS]

The run is always the same: two endpoints against an anchor on ten openings, engines that can be repeated.
"""

import sys
from pathlib import Path

from anchorhold.domain.engines import EngineSpec
from anchorhold.domain.limits import Limit
from anchorhold.matches.books import load_book
from anchorhold.matches.jobs import MatchRules, ResignRule
from anchorhold.matches.journal import Journal
from anchorhold.matches.runner import run
from anchorhold.matches.schedule import check_jobs

HERE = Path(__file__).parent
PAIRS = 10


def tiny(name: str, *words: str) -> EngineSpec:
    return EngineSpec(name, (sys.executable, "-I", str(HERE / "tiny_engine.py"), *words), Limit(depth=1))


def main() -> None:
    journal_file, mark, *more = sys.argv[1:]
    engines = {name: tiny(name, f"seed={n}", f"mark={mark}", *more) for n, name in enumerate(["8", "15", "A"])}
    with Journal.open(Path(journal_file), plan={"test": "kill"}) as journal:
        jobs = check_jobs(
            run="check-1",
            stage="long",
            endpoints={"old": engines["8"], "new": engines["15"]},
            anchors=[engines["A"]],
            book=load_book(HERE / "lines.pgn"),
            pairs=PAIRS,
            rules=MatchRules(resign=ResignRule(count=1, score=250, two_sided=False), max_moves=30),
        )
        run(jobs, journal=journal, workers=2)


if __name__ == "__main__":
    main()

"""Make the register of docs/explanation/case-study.md: gain tests that a real project quoted in its commits.

    python scripts/make_case_study.py TESTS.json docs/case-study.jsonl

TESTS.json: a list of tests in the order of the history, each with commit, date, window, stage, bounds, elo_model, kind,
passed, smp, ptnml (or W, D, L), commit_kind, and `used` for the pair that speaks for its commit. Gain tests carry both
stages; simplifications and changes without both passes are there as such; a note marks the end of each release window.
"""

from __future__ import annotations

import json
import sys
import tempfile
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any

from anchorhold.register.store import Register

Test = dict[str, Any]
STAGES = {"STC": "short", "LTC": "long"}
AUTHOR = "case study"


def stage(test: Test) -> dict[str, object]:
    """Return a stage's payload."""
    counts: dict[str, object] = (
        {"pentanomial": test["ptnml"]}
        if test["ptnml"] is not None
        else {"wins": test["W"], "draws": test["D"], "losses": test["L"]}
    )
    return {
        "passed": test["passed"],
        **counts,
        "bounds": test["bounds"],
        "bounds_model": {"bayes": "bayeselo"}.get(test["elo_model"], test["elo_model"]),
        "alpha": 0.05,
        "beta": 0.05,
    }


def entry(commit: str, tests: list[Test]) -> tuple[str, dict[str, object]]:
    """Return kind and payload of a commit's entry."""
    kind = tests[0]["commit_kind"]
    payload: dict[str, object] = {"id": f"commit:{commit}", "date": tests[0]["date"], "source": f"commit {commit}"}
    if kind == "simplification":
        return "special_path", payload | {"special": "simplification"}
    speaking = [test for test in tests if test["used"]] if kind == "gain" else []
    if kind == "gain_partial":
        speaking = [test for test in tests if test["passed"] and test["kind"] == "gain" and not test["smp"]]
    stages = {STAGES[test["stage"]]: stage(test) for test in speaking if test["stage"] in STAGES}
    return ("gain_test" if kind in ("gain", "gain_partial") else "rejected_test"), payload | stages


def main() -> None:
    """Make the register and export it."""
    source, target = sys.argv[1:]
    tests: list[Test] = json.loads(Path(source).read_text(encoding="utf-8"))

    def clock() -> datetime:
        return datetime(2026, 11, 30, tzinfo=UTC)

    with (
        tempfile.TemporaryDirectory() as directory,
        Register.create(f"{directory}/r.sqlite", author=AUTHOR, clock=clock, project="Case study") as register,
    ):
        for window, inside in groupby(tests, key=lambda test: str(test["window"])):
            for commit, of_commit in groupby(inside, key=lambda test: str(test["commit"])):
                kind, payload = entry(commit, list(of_commit))
                register.append(kind, payload, author=AUTHOR)
            mark = window.rpartition("..")[2]
            register.append("note", {"id": mark, "text": f"end of the window {window}"}, author=AUTHOR)
        lines = list(register.export())
    Path(target).write_bytes(b"".join(lines))


if __name__ == "__main__":
    main()

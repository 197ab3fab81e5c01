"""The sum of claims of one release window, from a history that quotes the tests of a real one."""

import json
from pathlib import Path
from typing import Any

import pytest

from anchorhold.domain.payloads import GainTest, read_payload
from anchorhold.importers.commits.history import commits_of
from anchorhold.importers.commits.reader import read_history
from importers.commits.repositories import repository

GOLDEN: dict[str, Any] = json.loads(
    (Path(__file__).parent.parent.parent / "golden" / "commits" / "window-15-to-15.1.json").read_text(encoding="utf-8")
)


def message(tests: list[dict[str, Any]]) -> str:
    parts = ["Another change"]
    for test in tests:
        low, high = test["bounds"]
        wins, losses, draws = test["games"]
        parts.append(
            f"{'Passed' if test['passed'] else 'Failed'} {'SMP ' if test['smp'] else ''}{test['stage']}:\n"
            f"LLR: {test['llr']:.2f} (-2.94,2.94) <{low:.2f},{high:.2f}>\n"
            f"Total: {wins + losses + draws} W: {wins} L: {losses} D: {draws}\n"
            f"Ptnml(0-2): {', '.join(map(str, test['pentanomial']))}"
        )
    return "\n\n".join(parts)


def test_the_sum_of_claims_is_that_of_another_program(tmp_path: Path) -> None:
    by_commit: dict[str, list[dict[str, Any]]] = {}
    for test in GOLDEN["tests"]:
        by_commit.setdefault(test["commit"], []).append(test)
    found = read_history(commits_of(repository(tmp_path / "r.git", map(message, by_commit.values()))))
    assert found.tests == len(GOLDEN["tests"])
    assert found.problems == []
    total, gains = 0.0, 0
    for draft in found.drafts:
        payload = read_payload(draft.kind, draft.payload)
        if isinstance(payload, GainTest) and payload.short and payload.long and payload.long.passed:
            estimate = payload.long.counted_estimate()
            assert estimate is not None
            total, gains = total + estimate.elo, gains + payload.short.passed
    assert gains == GOLDEN["gain"]
    assert total == pytest.approx(GOLDEN["s_long"], abs=0.01)
    # One of them quotes the test of the one before, and that test speaks for one change only.
    repeated = sum("the same test stands in commit" in remark.what for remark in found.remarks)
    assert repeated == 1
    assert sum(draft.kind == "special_path" for draft in found.drafts) + repeated == GOLDEN["simplification"]
    assert [str(remark) for remark in found.remarks if "LLR" in remark.what] == []

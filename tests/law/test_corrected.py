"""The selection-corrected sum: computed when every test is known and declared so, else null with the reason."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from anchorhold.domain.contract import edition
from anchorhold.law.document import read_document
from anchorhold.law.evaluation import evaluate
from anchorhold.stats.outcomes import Pentanomial
from anchorhold.stats.sprt import Sprt

GOLDEN = Path(__file__).parent.parent / "golden" / "evaluation"
TEST = Sprt(0.0, 20.0, model="normalized", alpha=0.05, beta=0.05)


def stopped(nelo: float, rng: np.random.Generator) -> Pentanomial:
    """Play pairs of a true normalized Elo until the test stops."""
    scores = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
    shares = np.array([0.04, 0.22, 0.48, 0.22, 0.04])
    deviation = float(np.sqrt(shares @ (scores - 0.5) ** 2))
    # A small tilt moves the mean by as many deviations of one game as asked for.
    shares = shares * np.exp(nelo / (800 / np.log(10)) * np.sqrt(2) * (scores - 0.5) / deviation)
    shares /= shares.sum()
    counts = np.zeros(5, dtype=int)
    while True:
        counts += rng.multinomial(20, shares)
        sample = Pentanomial(*map(int, counts))
        if TEST.decide(TEST.llr(sample)) != "undecided":
            return sample


def gain_tests(count: int) -> list[dict[str, object]]:
    rng = np.random.default_rng(4)
    entries: list[dict[str, object]] = []
    for seq in range(2, 2 + count):
        sample = stopped(rng.normal(5.0, 10.0), rng)
        passed = TEST.llr(sample) > 0
        long = {
            "passed": passed,
            "pentanomial": list(sample.as_tuple()),
            "bounds": [0.0, 20.0],
            "bounds_model": "normalized",
            "alpha": 0.05,
            "beta": 0.05,
        }
        entries.append(
            {
                "seq": seq,
                "kind": "gain_test" if passed else "rejected_test",
                "id": f"test-{seq}",
                "short": {"passed": True, "elo": 1.0, "elo_error": 1.0},
                "long": long,
                "all_kept": True,
            }
        )
    return entries


def judged(entries: list[dict[str, object]], *, after: int) -> dict[str, object]:
    document = json.loads((GOLDEN / "invented-warn.json").read_text(encoding="utf-8"))["document"]
    document["register"] = [{**entry, "seq": seq} for seq, entry in enumerate(entries, start=2)]
    document["window"] = {"after": after, "until": 1 + len(entries)}
    result = evaluate(read_document(json.dumps(document), where="made.json"), edition(7)).to_json()
    assert isinstance(result, dict)
    return result


def note(result: dict[str, object], code: str) -> str:
    notes = result["notes"]
    assert isinstance(notes, list)
    return next(str(one["message"]) for one in notes if one["code"] == code)


def test_with_every_test_known_the_sum_is_smaller_than_the_naive_one_and_says_what_it_supposes() -> None:
    result = judged(gain_tests(60), after=41)
    corrected, naive = result["s_selection_corrected"], result["s"]
    assert isinstance(corrected, float)
    assert isinstance(naive, float)
    assert 0.0 < corrected < naive
    assert f"s_selection_corrected is {corrected:.2f} Elo, 95 % interval" in note(result, "selection_corrected")
    assert "all 60 tests are normally distributed" in note(result, "selection_corrected")
    unbiased, interval = result["s_median_unbiased_interval"], result["s_selection_corrected_interval"]
    assert isinstance(unbiased, dict)
    assert isinstance(interval, dict)
    assert isinstance(result["s_median_unbiased"], float)
    assert unbiased["low"] < result["s_median_unbiased"] < unbiased["high"]
    assert interval["low"] < corrected < interval["high"]
    stated = f"interval {interval['low']:.2f} to {interval['high']:.2f}"
    assert stated in note(result, "selection_corrected")


def drop_declaration(entries: list[dict[str, object]]) -> None:
    del entries[3]["all_kept"]


def deny_declaration(entries: list[dict[str, object]]) -> None:
    entries[3]["all_kept"] = False


def drop_bounds(entries: list[dict[str, object]]) -> None:
    del entries[3]["long"]["bounds_model"]  # type: ignore[attr-defined]


def drop_counts(entries: list[dict[str, object]]) -> None:
    long = entries[3]["long"]
    assert isinstance(long, dict)
    del long["pentanomial"]
    long["elo"] = long["elo_error"] = 1.0


def keep_few(entries: list[dict[str, object]]) -> None:
    del entries[:32]


def keep_passes(entries: list[dict[str, object]]) -> None:
    rejected = [entry for entry in entries if entry["kind"] == "rejected_test"]
    for entry in rejected[5:]:
        entries.remove(entry)


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (drop_declaration, "entry 5 has none"),
        (deny_declaration, "entry 5 has none"),
        (drop_bounds, "entry 5 does not state bounds, their model, alpha and beta"),
        (drop_counts, "entry 5 has no counts"),
        (keep_few, "it needs 30 gain tests that reached the long stage, 10 of them rejected; the register has 28 and"),
        (keep_passes, "and 5"),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_what_is_not_known_makes_it_null_and_is_named(
    spoil: Callable[[list[dict[str, object]]], None], reason: str
) -> None:
    entries = gain_tests(60)
    spoil(entries)
    result = judged(entries, after=1)
    assert result["s_selection_corrected"] is None
    assert reason in note(result, "selection_not_computed")

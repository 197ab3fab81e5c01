"""What is said to fit at once does fit: the entry's own form takes it."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anchorhold.domain.payloads import read_payload_json
from anchorhold.importers import recordable
from anchorhold.importers.base import Place
from anchorhold.importers.commits.entries import drafts_of
from anchorhold.importers.commits.stretch import read_commit
from anchorhold.importers.drafts import Draft
from anchorhold.importers.recordable import refusal
from importers.commits.test_cases import CASES

numbers = st.one_of(
    st.integers(-2, 2**60),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([0, 0.0, -0.0, True, None, ""]),
)
stages = st.fixed_dictionaries(
    {"passed": st.just(True)},
    optional={
        "elo": numbers,
        "elo_error": numbers,
        "pairs": numbers,
        "llr": numbers,
        "alpha": numbers,
        "beta": numbers,
        "pentanomial": st.lists(numbers, min_size=4, max_size=6),
        "bounds": st.lists(st.floats(-2e4, 2e4), min_size=2, max_size=2),
        "outcome": st.sampled_from(["passed", " "]),
        "conditions": st.dictionaries(
            st.sampled_from(["time_control", "movetime", "nodes", "depth", "threads", "hash_mb", "odd"]),
            st.one_of(numbers, st.just("8+0.08")),
        ),
    },
)


def draft(kind: str, payload: dict[str, Any]) -> Draft:
    return Draft(kind=kind, payload=payload, place=Place("x"))


@given(st.sampled_from(["gain_test", "rejected_test"]), stages, stages)
def test_what_passes_at_once_passes_its_form(kind: str, short: dict[str, Any], long: dict[str, Any]) -> None:
    proposed = draft(kind, {"id": "x", "short": short, "long": long})
    if recordable._is_plain(proposed):
        read_payload_json(kind, json.dumps(proposed.payload))


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_what_commits_give_fits(case: dict[str, Any]) -> None:
    for proposed in drafts_of(read_commit(case["message"], commit="c" * 40)[0]):
        assert refusal(proposed) is None
        read_payload_json(proposed.kind, json.dumps(proposed.payload))


@given(st.lists(st.integers(0, 500), min_size=5, max_size=5), st.one_of(st.none(), st.floats(-300, 300)), st.booleans())
def test_a_gain_whose_counts_plainly_give_its_elo_passes_its_form(
    counts: list[int], elo: float | None, paired: bool
) -> None:
    long: dict[str, Any] = {"passed": True}
    if paired:
        long |= {"pentanomial": counts, "pairs": max(1, sum(counts))}
    else:
        long |= dict(zip(("wins", "draws", "losses"), counts, strict=False))
    if elo is not None:
        long["elo"] = elo
    proposed = draft("gain_test", {"id": "x", "short": {"passed": True}, "long": long})
    if recordable._is_plain(proposed):
        read_payload_json("gain_test", json.dumps(proposed.payload))


def test_a_refusal_says_what_the_form_says() -> None:
    assert refusal(draft("gain_test", {"id": "x", "stage": 3})) == "gain_test payload: unknown member 'stage'"
    long = {"passed": True, "pentanomial": [0, 0, 5, 0, 0], "pairs": 5}
    assert "neither elo nor counts" in str(refusal(draft("gain_test", {"id": "x", "short": long, "long": long})))

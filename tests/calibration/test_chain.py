"""The chain over arrays against the law itself, and the simulated figures against what must hold."""

import dataclasses
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from anchorhold.calibration.chain import judge, place_in_band
from anchorhold.calibration.claims import Stream, passed_gains
from anchorhold.calibration.coverage import World, calibrate, simulate, summary
from anchorhold.calibration.games import advantages, joint_shares, pair_shares, played
from anchorhold.calibration.selected import selected_sums
from anchorhold.calibration.shares import Share
from anchorhold.domain.contract import edition
from anchorhold.errors import BadInput
from anchorhold.law.document import read_document
from anchorhold.law.evaluation import evaluate
from anchorhold.stats.elo import elo_of_score

CONTRACT = edition(7)
RATINGS = np.array([3010.0, 2960.0, 3100.0, 3055.0, 2990.0, 3040.0])
RATING_ERRORS = np.array([9.5, 12.0, 7.0, 20.0, 0.0, 15.0])
STREAM = Stream(mean=0.0, deviation=2.0, bounds_short=(0.0, 2.0), bounds_long=(0.5, 2.5))
WORLD = World(
    stream=STREAM,
    gains=12,
    pairs=1500,
    distances=(-120.0, -60.0, 0.0, 30.0, 80.0, 150.0),
    rating_errors=(9.5,) * 6,
    draws=0.5,
    bias_deviation=80.0,
    intransitivity=3.0,
)


def document(joint: Any, claimed: Any, error: Any) -> dict[str, object]:
    names = [f"Anchor {number}" for number in range(1, 7)]
    conditions = {"depth": 6, "threads": 1}

    def endpoint(version: str, axis: int) -> dict[str, object]:
        counts = joint.sum(axis=axis)
        return {
            "version": version,
            "conditions": conditions,
            "long": {name: {"pentanomial": [int(n) for n in counts[place]]} for place, name in enumerate(names)},
        }

    stages = [
        {"passed": True, "elo": float(elo), "elo_error": float(half)} for elo, half in zip(claimed, error, strict=True)
    ]
    return {
        "schema": "anchorhold/evaluation/1",
        "contract": {"edition": 7},
        "anchors": [
            {"name": name, "sha256": f"{place:064x}", "rating": RATINGS[place], "rating_error": RATING_ERRORS[place]}
            for place, name in enumerate(names)
        ],
        "endpoints": {"old": endpoint("v1", -1), "new": endpoint("v2", -2)},
        "joint": {name: joint[place].astype(int).tolist() for place, name in enumerate(names)},
        "register": [
            {"seq": seq, "kind": "gain_test", "id": f"t{seq}", "short": stage, "long": stage}
            for seq, stage in enumerate(stages, start=2)
        ],
        "window": {"after": 1, "until": 1 + len(stages)},
    }


def test_the_chain_judges_as_the_law_does() -> None:
    rng = np.random.default_rng(8)
    checks = 12
    old = rng.normal(0, 120, (checks, 6))
    joint = played(
        joint_shares(old, old + rng.normal(10, 20, old.shape), bias_deviation=100.0, draw_elo=120.0), pairs=300, rng=rng
    )
    claimed, error = rng.uniform(0.5, 4.0, (checks, 7)), rng.uniform(0.4, 2.0, (checks, 7))
    found = judge(
        joint,
        rating=RATINGS,
        rating_error=RATING_ERRORS,
        claimed=claimed,
        error=error,
        rule=CONTRACT.estimate_rule,
        parameters=CONTRACT.parameters,
    )
    for place in range(checks):
        text = json.dumps(document(joint[place], claimed[place], error[place]))
        result = evaluate(read_document(text, where="made.json"), CONTRACT)
        assert result.r == pytest.approx(found.r[place], abs=2e-9)
        assert result.delta_a == pytest.approx(found.delta_a[place])
        assert result.delta_a_error == pytest.approx(found.delta_a_error[place])
        assert result.delta_a_error_weighted == pytest.approx(found.delta_a_error_weighted[place])
        assert result.s == pytest.approx(found.s[place])
        assert result.s_error == pytest.approx(found.s_error[place])
        assert result.paired is not None
        assert result.paired.delta_a == pytest.approx(found.paired[place])
        assert result.paired.error == pytest.approx(found.paired_error[place])
        assert result.fieller is not None
        assert (result.fieller.low, result.fieller.high) == pytest.approx(
            (found.fieller.low[place], found.fieller.high[place])
        )
        # The band's ends are where 2.5 % of the draws lie outside, within the noise of 100,000 draws.
        assert result.band is not None
        for end, expected in ((result.band.low, 0.025), (result.band.high, 0.975)):
            level = place_in_band(
                found, np.full(checks, end), z=CONTRACT.estimate_rule.z, parameters=CONTRACT.parameters
            )
            assert level[place] == pytest.approx(expected, abs=5 * math.sqrt(0.025 * 0.975 / 100_000))


def test_counts_without_an_estimate_give_no_ratio() -> None:
    joint = np.zeros((1, 6, 5, 5))
    joint[..., 2, 2] = 40
    found = judge(
        joint,
        rating=RATINGS,
        rating_error=RATING_ERRORS,
        claimed=np.ones((1, 3)),
        error=np.ones((1, 3)),
        rule=CONTRACT.estimate_rule,
        parameters=CONTRACT.parameters,
    )
    assert np.isnan(found.r).all()


def test_pairs_of_the_model_have_the_score_that_was_asked_for() -> None:
    wanted = np.array([-200.0, 0.0, 70.0])
    at = advantages(wanted, bias_deviation=90.0, draw_elo=150.0)
    shares = joint_shares(at, at, bias_deviation=90.0, draw_elo=150.0)
    assert shares.sum(axis=(-1, -2)) == pytest.approx([1.0, 1.0, 1.0])
    scores = shares.sum(axis=-1) @ np.array([0.0, 0.25, 0.5, 0.75, 1.0])
    assert [elo_of_score(float(score)) for score in scores] == pytest.approx(wanted, abs=0.05)
    assert (pair_shares(at, bias=np.array([0.0, 50.0]), draw_elo=150.0) > 0.0).all()


def test_passed_claims_are_larger_than_the_true_gains_behind_them() -> None:
    passed = passed_gains(STREAM, registers=60, gains=10, rng=np.random.default_rng(3))
    assert passed.claimed.shape == passed.true.shape == passed.error.shape == (60, 10)
    # The real history behind this rule, fitted likewise, has 0.70 to 0.76 of the claims as true gains.
    assert 0.65 < passed.true.sum() / passed.claimed.sum() < 0.85


def test_a_stream_in_which_nothing_passes_is_refused() -> None:
    stream = Stream(mean=-60.0, deviation=0.1, bounds_short=(0.0, 2.0), bounds_long=(0.5, 2.5))
    with pytest.raises(BadInput, match="hardly any passes both stages"):
        passed_gains(stream, registers=1, gains=1, rng=np.random.default_rng(3))


def test_intervals_cover_and_verdicts_follow_the_truth_with_any_number_of_processes() -> None:
    one = calibrate(WORLD, CONTRACT, checks=250, seed=4, shares=(1.0, 0.0), workers=1)
    two = calibrate(WORLD, CONTRACT, checks=250, seed=4, shares=(1.0, 0.0), workers=2)
    assert [found.to_json() for found in one] == [found.to_json() for found in two]
    healthy, sick = one
    for found in one:
        for share in (found.increase_weighted, found.increase_paired):
            assert abs(share.value - 0.95) < 4 * share.error
        assert found.halt.value + found.warn.value + found.proceed.value + found.gap.value == pytest.approx(1.0)
        # The rule's own half-width counts rating errors that cancel in a difference.
        assert found.increase_rule.value > 0.98
    assert healthy.halt.value < 0.15
    assert sick.halt.value > 0.9
    assert isinstance(healthy.to_json()["halt"], dict)
    assert Share(0.5, 0.1, 25).to_json() == {"value": 0.5, "error": 0.1, "of": 25}


def test_without_selection_sums_and_fieller_cover_the_true_gains() -> None:
    stream = dataclasses.replace(STREAM, mean=2.0, unselected_pairs=20_000, elo_per_nelo=0.5**0.5)
    world = dataclasses.replace(WORLD, stream=stream, gains=15, pairs=1000, rating_errors=(10.0,) * 6, share=0.6)
    found = summary(0.6, [simulate(world, CONTRACT, checks=2000, rng=np.random.default_rng(5))], CONTRACT)
    assert found.overstatement == pytest.approx(1.0, abs=0.02)
    for share in (found.sum_naive, found.sum_median_unbiased, found.fieller_weighted_true):
        assert share.value == pytest.approx(0.95, abs=4 * share.error)
    # The contract's Fieller takes U(ΔA), which counts rating errors that cancel.
    assert found.fieller_true.value > 0.97
    known = dataclasses.replace(world, rating_errors=(0.0,) * 6)
    found = summary(0.6, [simulate(known, CONTRACT, checks=2000, rng=np.random.default_rng(6))], CONTRACT)
    assert found.fieller_true.value == pytest.approx(0.95, abs=4 * found.fieller_true.error)


def test_the_sums_of_the_table_in_the_docs_come_out_again() -> None:
    docs = (Path(__file__).parents[2] / "docs" / "explanation" / "statistics.md").read_text(encoding="utf-8")
    assert "anchorhold calibrate --checks 10000 --gains 15 --pairs 1000 --seed 1" in docs
    world = dataclasses.replace(WORLD, gains=15, pairs=1000, rating_errors=(10.0,) * 6)
    world = dataclasses.replace(world, stream=dataclasses.replace(STREAM, elo_per_nelo=0.5**0.5))
    # The first 1,000 of the 10,000 checks in which everything arrives.
    seeds = np.random.SeedSequence(1).spawn(4)
    parts = [simulate(world, CONTRACT, checks=250, rng=np.random.default_rng(seed)) for seed in seeds]
    found = summary(1.0, parts, CONTRACT)
    for row, figure in (
        ("WARN", found.warn),
        ("… by the paired increase", found.increase_paired),
        ("covered: sum of the true gains by S ± U(S)", found.sum_naive),
        ("… by the median-unbiased sum", found.sum_median_unbiased),
        ("covered: true increase / true gains by the band", found.band_true),
    ):
        line = next(line for line in docs.splitlines() if line.startswith(f"| {row} |"))
        assert float(line.split("|")[2]) == pytest.approx(figure.value, abs=4 * figure.error)
    line = next(line for line in docs.splitlines() if line.startswith("| median-unbiased sum / sum"))
    assert float(line.split("|")[2]) == pytest.approx(found.overstatement_median_unbiased, rel=0.02)


def test_the_selection_corrected_sum_aims_at_the_true_gains() -> None:
    found = selected_sums(STREAM, gains=8, registers=6, seed=2)
    assert found.overstatement == pytest.approx(1.0, abs=0.25)
    assert found.covered.of == 6
    assert found.covered.value >= 0.5

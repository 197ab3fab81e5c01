"""Figures of recorded tests against their own counts: pairs, Elo, half-width, LLR, and what the LLR decides.

A test that this program played (without ``source``) says what its counts give: its Elo and half-width to the rule's
tolerance of a claim, its LLR to one part in a million. A test that was taken over from elsewhere prints rounded figures
by formulas of its own: there the Elo may differ as far as both half-widths together reach, which is where a claim
contradicts its counts, and an LLR only counts where it decides the other way. Source: SPEC sections 3, 7, 11 and 12.
May import: anchorhold.errors, anchorhold.domain, anchorhold.stats, anchorhold.checks.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from anchorhold.checks.following import Difference
from anchorhold.checks.plain_figures import Tolerances, plainly_right
from anchorhold.domain.contract import DEFAULT_EDITION, edition
from anchorhold.domain.entries import Entry
from anchorhold.domain.payloads import BoundsModel, TestStage
from anchorhold.errors import BadInput
from anchorhold.stats.outcomes import Pentanomial, Trinomial
from anchorhold.stats.sprt import Sprt

TESTS = frozenset({"gain_test", "rejected_test", "special_path"})
LLR_TOLERANCE = 1e-6
_COUNTS = frozenset({"pentanomial", "wins"})


def figures_of_tests(entries: Sequence[Entry]) -> Iterator[Difference]:
    """Yield every figure of a test that its own counts do not give."""
    tested = [
        (entry, name, report)
        for entry in entries
        if entry.kind in TESTS
        for name in ("short", "long")
        if isinstance(report := entry.payload.get(name), Mapping) and not _COUNTS.isdisjoint(report)
    ]
    ours = ["source" not in entry.payload for entry, _, _ in tested]
    tolerances = Tolerances(elo=_claim_tolerance(), llr=LLR_TOLERANCE)
    plain = plainly_right([report for _, _, report in tested], ours=ours, tolerances=tolerances)
    for (entry, name, report), is_ours, is_right in zip(tested, ours, plain, strict=True):
        if is_right:
            continue
        stage = TestStage.model_validate_json(json.dumps(report), strict=True)  # the chain has looked at its form
        for where, message in stage_figures(stage, is_ours=is_ours):
            yield Difference(entry.seq, "", f"{name}.{where}", message)


def _claim_tolerance() -> float:
    return edition(DEFAULT_EDITION).parameters.claim_tolerance


def stage_figures(stage: TestStage, *, is_ours: bool) -> Iterator[tuple[str, str]]:
    """Yield place and message for every figure of one stage that its own counts do not give."""
    pairs = stage.pentanomial_counts
    if pairs is not None and stage.pairs is not None and stage.pairs != pairs.pairs:
        yield "pairs", f"{stage.pairs} is stored, the counts give {pairs.pairs}"
    yield from _elo(stage, is_ours=is_ours)
    llr = _llr_of(stage)
    if llr is None:
        return
    test, value = llr
    if is_ours and stage.llr is not None and not math.isclose(stage.llr, value, rel_tol=LLR_TOLERANCE, abs_tol=1e-9):
        yield "llr", f"{stage.llr:g} is stored, the counts give {value:g}"
    decided = test.decide(value, overshoot=stage.overshoot or (0.0, 0.0))
    if decided != "passed" and stage.passed and (is_ours or decided == "failed"):
        yield "passed", f"a pass is stored, but the counts give an LLR of {value:.3f}: {decided}"
    if decided == "passed" and not stage.passed and stage.counted_estimate() is not None:
        yield "passed", f"no pass is stored, but the counts give an LLR of {value:.3f}: passed"


def _elo(stage: TestStage, *, is_ours: bool) -> Iterator[tuple[str, str]]:
    counted = stage.counted_estimate()
    if counted is None:
        return
    tolerance = _claim_tolerance()
    if stage.elo is not None:
        error = counted.error if stage.elo_error is None else stage.elo_error
        allowed = tolerance if is_ours else error + counted.error
        if abs(stage.elo - counted.elo) > allowed:
            yield "elo", f"{stage.elo:g} is stored, the counts give {counted.elo:.3f} ± {counted.error:.3f}"
    if is_ours and stage.elo_error is not None and abs(stage.elo_error - counted.error) > tolerance:
        yield "elo_error", f"{stage.elo_error:g} is stored, the counts give {counted.error:.3f}"


def _llr_of(stage: TestStage) -> tuple[Sprt, float] | None:
    """Return the test and its LLR; None where counts, bounds or rates are not all there, or carry none."""
    if stage.bounds is None or stage.bounds_model is None or stage.alpha is None or stage.beta is None:
        return None
    sample = stage.pentanomial_counts or stage.trinomial_counts
    if sample is None:
        return None
    try:
        test = Sprt(*stage.bounds, stage.bounds_model, stage.alpha, stage.beta)
        return test, _llr(sample, stage.trinomial_counts, stage.bounds, stage.bounds_model)
    except BadInput:  # bounds beyond what the test knows, or counts that carry no LLR under this model
        return None


@lru_cache(maxsize=4096)
def _llr(
    sample: Pentanomial | Trinomial, games: Trinomial | None, bounds: tuple[float, float], model: BoundsModel
) -> float:
    return Sprt(*bounds, model).llr(sample, games=games)

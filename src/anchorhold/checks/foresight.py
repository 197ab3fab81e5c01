"""What can be foreseen of a check before it is played: too few pairs for a verdict, or for an estimate at all.

Warnings that decide nothing, one sentence each, with what would do. Elo is logistic, distances are main minus anchor.
Source: SPEC sections 2, 3 and 13 (``plan``). May import: anchorhold.domain, anchorhold.stats, anchorhold.checks.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from anchorhold.checks.document import contract_of
from anchorhold.checks.outlook import MeasuredAnchors, measured_anchors
from anchorhold.checks.state import CheckState, checks_of
from anchorhold.checks.unaudited import claims_after
from anchorhold.domain.contract import Contract
from anchorhold.domain.entries import Entry
from anchorhold.domain.sentences import Figure, Sentence
from anchorhold.stats.elo import EstimateRule
from anchorhold.stats.gaps import MOST_PAIRS, farthest_score, missing_chance, pairs_for_estimate
from anchorhold.stats.power import Design, claims_needed, confusion_chance, pairs_needed

DRAWS = 0.5
"""Share of draws between equals, where nothing was measured."""
RISK = 0.05
"""Of taking one threshold's R for the other's, above which the pairs are too few."""
MISSING = 0.01
"""Chance that one measurement has no estimate, above which its anchor is too far for the pairs."""
NEAR = 0.90
"""A score that an anchor may well have: pairs that may not reach it deserve a warning before anything is measured."""


def foreseen(entries: Sequence[Entry], check: CheckState) -> list[Sentence]:
    """Return what can be foreseen of a check that was opened; empty when nothing speaks against it.

    Draws, distances and what paired openings save are those of the last check that measured these anchors; without one,
    anchors as strong as main are assumed, which is the best case.

    Parameters
    ----------
    entries : sequence of Entry
        The register, from its first entry on.

    Raises
    ------
    RegisterBroken
        Entries that no command of this program writes.
    """
    before = [entry for entry in entries if entry.seq < check.opened.seq]
    claims = claims_after(before, after=check.plan.window.after)
    known = [claim.elo for claim in claims if claim is not None]
    total = math.fsum(known)
    if not known or total <= 0.0:
        return [_nothing_claimed(total)]
    anchors = check.plan.anchor_set.anchors
    found = measured_anchors(checks_of(before), anchors)
    contract = contract_of(check)
    pairs = check.plan.planned_pairs.long
    distances = {} if found is None else found.distances
    design = Design(
        pairs=pairs,
        distances=tuple(distances.get(anchor.name, 0.0) for anchor in anchors),
        rating_errors=tuple(anchor.rating_error for anchor in anchors),
        draws=DRAWS if found is None or found.draws is None else found.draws,
        correlation=0.0 if found is None or found.correlation is None else found.correlation,
        model_uncertainty=contract.parameters.model_uncertainty,
    )
    gaps = (
        reach_of(design, rule=contract.estimate_rule)
        if found is None
        else _far_anchors(found, pairs=pairs, draws=design.draws, rule=contract.estimate_rule)
    )
    return [*_not_told_apart(design, claims=total, contract=contract), *gaps]


def best_case(pairs: int, rating_errors: Sequence[float], contract: Contract) -> Design:
    """Return the design of a first check, of which nothing was measured yet: anchors as strong as main."""
    return Design(
        pairs=pairs,
        distances=(0.0,) * len(rating_errors),
        rating_errors=tuple(rating_errors),
        draws=DRAWS,
        model_uncertainty=contract.parameters.model_uncertainty,
    )


def least_claims(design: Design, contract: Contract) -> Sentence:
    """Say from which S on a design tells the thresholds apart, where nothing is claimed yet."""
    p = contract.parameters
    return Sentence(
        "{pairs} pairs against each anchor tell R = {low} from R = {high} when S is at least {claims} Elo.",
        pairs=design.pairs,
        low=Figure(p.halt_below, 2),
        high=Figure(p.continue_from, 2),
        claims=Figure(math.ceil(claims_needed(design, low=p.halt_below, high=p.continue_from))),
    )


def reach_of(design: Design, *, rule: EstimateRule) -> list[Sentence]:
    """Say how near the anchors must be for so few pairs, where their distances are not known; empty when they reach."""
    score = farthest_score(min(design.pairs, MOST_PAIRS), draws=design.draws, risk=MISSING, rule=rule)
    if score is None:
        return [
            Sentence(
                "{pairs} pairs against an anchor may carry no estimate even at a score of 50 %; the check is a GAP"
                " then.",
                pairs=design.pairs,
            )
        ]
    if score >= NEAR:
        return []
    return [
        Sentence(
            "{pairs} pairs may carry no estimate against an anchor that main scores below {low} % or above {high} %"
            " against, and the check is a GAP then; 'anchorhold doctor --play 5' shows the scores.",
            pairs=design.pairs,
            low=Figure(100.0 * (1.0 - score)),
            high=Figure(100.0 * score),
        )
    ]


def far_distances(design: Design, *, rule: EstimateRule) -> list[Sentence]:
    """Say which distances of a design are too far for its pairs."""
    found = []
    for distance in sorted({abs(one) for one in design.distances}):
        risk = _risk(design.pairs, distance, draws=design.draws, rule=rule)
        if risk > MISSING:
            found.append(
                Sentence(
                    "{pairs} pairs against an anchor {distance} Elo away carry no estimate in {risk} % of measurements,"
                    " and the check is a GAP then; {remedy}.",
                    pairs=design.pairs,
                    distance=Figure(distance),
                    risk=Figure(100.0 * risk),
                    remedy=_remedy(distance, draws=design.draws, rule=rule),
                )
            )
    return found


def _nothing_claimed(total: float) -> Sentence:
    if total < 0.0:
        return Sentence(
            "The gains of this window sum to {claims} Elo: the check will be a GAP.", claims=Figure(total, 2)
        )
    return Sentence(
        "No gain is counted in this window, so the check will be a GAP: before it, 'anchorhold oracle run' tests a"
        " gain, and 'anchorhold import' reads tests of other tools."
    )


def _not_told_apart(design: Design, *, claims: float, contract: Contract) -> list[Sentence]:
    low, high = contract.parameters.halt_below, contract.parameters.continue_from
    error = confusion_chance(design, claims=claims, low=low, high=high)
    if error <= RISK:
        return []
    needed = pairs_needed(design, claims=claims, low=low, high=high, alpha=RISK, beta=RISK)
    numbers = {
        "pairs": design.pairs,
        "low": Figure(low, 2),
        "high": Figure(high, 2),
        "claims": Figure(claims, 1),
        "error": Figure(100.0 * error),
    }
    if needed is None:
        return [
            Sentence(
                "{pairs} pairs against each anchor are too few to tell R = {low} from R = {high} at S = {claims}: each"
                " is taken for the other in {error} % of checks, and no number of pairs mends that.",
                **numbers,
            )
        ]
    return [
        Sentence(
            "{pairs} pairs against each anchor are too few to tell R = {low} from R = {high} at S = {claims}: each is"
            " taken for the other in {error} % of checks; {needed} pairs would make it {risk} % ('anchorhold plan').",
            **numbers,
            needed=needed,
            risk=Figure(100.0 * RISK),
        )
    ]


def _far_anchors(found: MeasuredAnchors, *, pairs: int, draws: float, rule: EstimateRule) -> list[Sentence]:
    said = []
    for name, distance in found.distances.items():
        risk = _risk(pairs, distance, draws=draws, rule=rule)
        if risk > MISSING:
            said.append(
                Sentence(
                    "Main scored {score} % against {name} in {check}: {pairs} pairs carry no estimate in {risk} % of"
                    " such measurements, and the check is a GAP then; {remedy}.",
                    score=Figure(100.0 * found.scores[name]),
                    name=name,
                    check=found.check,
                    pairs=pairs,
                    risk=Figure(100.0 * risk),
                    remedy=_remedy(distance, draws=draws, rule=rule),
                )
            )
    return said


def _risk(pairs: int, distance: float, *, draws: float, rule: EstimateRule) -> float:
    return missing_chance(min(pairs, MOST_PAIRS), distance, draws=draws, rule=rule)


def _remedy(distance: float, *, draws: float, rule: EstimateRule) -> Sentence:
    needed = pairs_for_estimate(distance, draws=draws, risk=MISSING, rule=rule)
    if needed is None:
        return Sentence("another limit for main or for this anchor brings them nearer")
    return Sentence("{needed} pairs would do, or another limit for main or for this anchor", needed=needed)

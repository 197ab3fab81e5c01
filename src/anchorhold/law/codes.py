"""The closed list of codes that a result may carry: defects, gaps, notes, each with its meaning.

Texts for readers in other languages hang on these codes; docs/reference/codes.md is generated from here. Source: SPEC
sections 3, 4 and 6. May import: nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

DEFECTS: Mapping[str, str] = MappingProxyType(
    {
        "anchor_count": "The number of anchors is not the contract's.",
        "anchor_twice": "An anchor's name stands twice in the set.",
        "anchor_identity_differs": "An identity field of an anchor at an endpoint differs from the pinned set.",
        "anchor_not_attested": "An anchor's identity is missing at an endpoint that attests the others'.",
        "anchor_not_in_set": "An anchor was measured that is not in the pinned set.",
        "identity_missing": "A register check lacks the hashes of the files that were run.",
        "conditions_differ": "The conditions of the two endpoints differ.",
        "old_is_not_last_new": "The old version is not the new version of the last check that closed its window.",
        "window_broken": "Entries of the window are missing, stand twice, or its end lies before its beginning.",
        "chain_broken": "The register's chain does not hold.",
        "id_twice": "An id stands twice in the window.",
        "claim_without_value": "A counted gain test has neither a long-stage value nor counts to compute one.",
        "claim_contradicts_counts": "A counted gain's value and its counts differ by more than both half-widths.",
        "counts_contradict": "Counts contradict themselves.",
        "delta_differs_from_counts": "A reported δ differs from its counts by more than the tolerance.",
        "error_not_positive": "A reported half-width is not above 0.",
        "rating_error_negative": "An anchor's rating half-width is below 0.",
        "joint_margins_differ": "A joint table's margins differ from the pentanomials beside it.",
    }
)

GAPS: Mapping[str, str] = MappingProxyType(
    {
        "measurement_missing": "An anchor was not measured at an endpoint, or its measurement is null.",
        "no_estimate": "Counts carry no estimate: one class only, or a score too near to 0 or 1.",
        "rating_missing": "An anchor's rating or its half-width is null.",
        "measurement_incomplete": "Fewer or more pairs were counted than planned.",
        "no_counted_gain": "No gain test of the window is counted.",
        "s_not_positive": "The sum of the counted gains is not above 0.",
    }
)

NOTES: Mapping[str, str] = MappingProxyType(
    {
        "anchors_disagree": "The anchors' increases differ by more than chance: their average says little.",
        "band_not_computed": "No Monte-Carlo band.",
        "band_spans_verdicts": "The Monte-Carlo band reaches into more than one verdict.",
        "band_without_ends": "Too many draws have a sum of claims of 0 or less: the band has no ends.",
        "claim_differs_from_counts": "A reported claim differs from its counts by more than the tolerance.",
        "claim_without_error": "A counted gain has no half-width, so U(S) is unknown.",
        "claims_not_distinguishable_from_zero": "S is not beyond its own half-width U(S).",
        "direct_not_estimable": "The direct match carries no estimate.",
        "edition_remark": "What a reader must know about the contract's edition.",
        "fieller_not_computed": "No Fieller interval.",
        "fieller_unbounded": "The Fieller interval is unbounded: S is not beyond U(S).",
        "figure_rests_on_defect": "A figure is left out because it rests on a defect or a missing measurement.",
        "heterogeneity_not_computed": "Heterogeneity of the anchors' increases cannot be told.",
        "identity_not_attested": "The anchors' identity was not attested at an endpoint.",
        "joint_ignored": "A joint table without both pentanomials is ignored.",
        "median_unbiased_not_computed": "No median-unbiased sum.",
        "negative_claims": "A counted gain is negative.",
        "no_direct_match": "The two versions did not meet directly, so survival and transfer are unknown.",
        "no_ratio": "There is no R, so what rests on it is left out.",
        "no_short_stage": "No verdict of the short stage.",
        "normalized_not_computed": "No ratio in normalized Elo.",
        "overfitting_not_computed": "Suspicion of overfitting cannot be told.",
        "planned_pairs_not_compared": "A measurement has no pairs to compare with the plan.",
        "same_version": "Old and new carry the same version.",
        "selection_corrected": "What the selection-corrected sum supposes, and its interval.",
        "selection_not_computed": "No selection-corrected sum.",
        "short_stage_fault": "The short stage has a fault; it touches nothing else.",
        "survival_unbounded": "The interval of the survival is unbounded.",
        "transfer_not_computed": "The direct match is not beyond its own half-width, so the transfer cannot be told.",
    }
)

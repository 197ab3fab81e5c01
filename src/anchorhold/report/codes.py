"""What to do about each defect and gap, in words that hold for every check.

The meaning of a code stands in ``law.codes``; the law's own message names the place and the values of one check. These
steps are for readers in another language than the law's. May import: anchorhold.law, report.texts.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from anchorhold.law.codes import DEFECTS, GAPS, NOTES
from anchorhold.report.texts import mark

NEXT_STEPS: Mapping[str, str] = MappingProxyType(
    {
        "anchor_count": mark(
            "Pin as many anchors as the contract wants, and measure both endpoints against all of them."
        ),
        "anchor_twice": mark("Give every anchor a name of its own."),
        "anchor_identity_differs": mark("Measure again with the anchors as they were pinned, or pin a new set first."),
        "anchor_not_attested": mark("Attest the identity of every anchor at both endpoints."),
        "anchor_not_in_set": mark("Leave this anchor out, or pin a set that holds it before the check is opened."),
        "identity_missing": mark("Measure with a version that hashes the files it runs."),
        "conditions_differ": mark("Measure both endpoints again under the same conditions."),
        "old_is_not_last_new": mark("Open the check with the version that the last closing check measured as new."),
        "window_broken": mark("Give every entry of the window, each once."),
        "chain_broken": mark("Find the first entry that does not hold: anchorhold register verify."),
        "id_twice": mark("Give every test an id of its own."),
        "claim_without_value": mark("Give the long stage's Elo, or the counts that it can be computed from."),
        "claim_contradicts_counts": mark("Find out which of the two is wrong, and record the right one."),
        "counts_contradict": mark("Take the counts from the games again."),
        "delta_differs_from_counts": mark("Leave the reported value out: the counts give it."),
        "error_not_positive": mark("Give the half-width, or null when it is not known."),
        "rating_error_negative": mark("Give the half-width of the rating: 0 or more."),
        "joint_margins_differ": mark("Build the joint table from the same games as the counts."),
        "measurement_missing": mark("Measure this anchor at this endpoint."),
        "no_estimate": mark("Play more pairs, or take an anchor that is nearer in strength."),
        "rating_missing": mark("Give the anchor its rating and half-width."),
        "measurement_incomplete": mark("Play exactly the planned pairs; the check can be resumed."),
        "no_counted_gain": mark("Wait until a gain test has passed both stages, then open the next check."),
        "s_not_positive": mark("Look at the claims: their sum has to be above 0 to be compared with anything."),
    }
)


def meaning(code: str) -> str:
    """What a code means, to be translated; the code itself when it is not one of the closed list."""
    for listed in (DEFECTS, GAPS, NOTES):
        if code in listed:
            return listed[code]
    return code


WHY_UNCOUNTED: tuple[str, ...] = (
    mark("gain test without a pass of the short stage"),
    mark("gain test without a pass of the long stage"),
    mark("gain test without a pass of the short and the long stage"),
    mark("special path: edge_case"),
    mark("special path: tempo_change"),
    mark("special path: game_settings"),
    mark("special path: simplification"),
    mark("rejected test"),
    mark("retraction: earlier gains stay"),
    mark("epoch change of the oracle"),
    mark("note"),
    mark("genesis entry: carries no claim"),
    mark("contract entry: carries no claim"),
    mark("anchor_set entry: carries no claim"),
    mark("check_opened entry: carries no claim"),
    mark("measurement entry: carries no claim"),
    mark("check_closed entry: carries no claim"),
    mark("check_abandoned entry: carries no claim"),
    mark("release entry: carries no claim"),
)
"""What the law gives as the reason why an entry adds nothing to S."""

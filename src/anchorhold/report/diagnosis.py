"""The diagnosis in sentences: which part of the claims was lost where, how sure that is, and what to play next.

May import: anchorhold.law.diagnosis, report.texts.
"""

from __future__ import annotations

from collections.abc import Sequence

from anchorhold.law.diagnosis import Diagnosis, Loss
from anchorhold.report.texts import Texts, mark

CAUSES = {
    "stopping": mark("stopping at a lucky moment (S less its median-unbiased sum)"),
    "selection": mark("counting only what passed (less the selection-corrected sum)"),
    "overlap": mark("gains that overlap or do not add up (the sum less the direct match)"),
    "transfer": mark("gains that do not arrive against strangers (the direct match less ΔA)"),
    "overlap_and_transfer": mark("overlap and transfer together (the sum less ΔA; without a direct match one figure)"),
}
STEPS = {
    "direct_match": mark("To tell the two apart for the fewest games, play new against old directly."),
    "more_pairs": mark("What is least sure is the increase against the anchors: play more pairs against them."),
    "more_direct_pairs": mark("What is least sure is the direct match: play more pairs of new against old."),
    "more_claims": mark("What is least sure is the sum of the claims itself: wait for more of them."),
    "keep_all_tests": mark(
        "The parts are told apart. Keep rejected tests too: then what selection adds can be told from overlap."
    ),
    "clear": mark("The parts are told apart; more games would say the same."),
}


def diagnosis_in_words(diagnosis: Diagnosis, *, texts: Texts) -> Sequence[str]:
    """Return the losses, one sentence each, the largest one, and the next step."""
    sentences = [_loss(loss, texts) for loss in diagnosis.losses]
    largest = diagnosis.largest
    if largest.elo > 0.0 and len(diagnosis.losses) > 1:
        sentences.append(texts.gettext("The largest loss: {cause}.", cause=texts.gettext(CAUSES[largest.cause])))
    step = [texts.gettext(STEPS[diagnosis.step])]
    if diagnosis.pairs is not None:
        step.append(texts.gettext("About {pairs} pairs would do.", pairs=texts.whole(diagnosis.pairs)))
    if diagnosis.anchor is not None:
        step.append(texts.gettext("Most of the error comes from {anchor}.", anchor=diagnosis.anchor))
    return [*sentences, " ".join(step)]


def _loss(loss: Loss, texts: Texts) -> str:
    cause = texts.gettext(CAUSES[loss.cause])
    elo = texts.with_error(loss.elo, loss.error, signed=True)
    if loss.is_clear:
        return texts.gettext("{elo} Elo: {cause}.", elo=elo, cause=cause)
    return texts.gettext("{elo} Elo, not sure: {cause}.", elo=elo, cause=cause)

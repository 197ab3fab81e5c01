"""Which model Elo bounds are in, where the tool prints ``[…]`` whatever the model: the printed LLR tells.

OpenBench's text means normalized bounds (SPEC section 12), but its older versions, which know no pairs, printed
BayesElo bounds in the same form. May import: anchorhold.importers.base, anchorhold.importers.recount,
anchorhold.importers.report.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from anchorhold.importers.base import Remark
from anchorhold.importers.recount import LLR_TOLERANCE, checked_llrs, sound_counts
from anchorhold.importers.report import Report
from anchorhold.stats.sprt import BoundsModel

_SILENT = frozenset({"openbench", "fastchess"})
"""Tools whose text does not say the model."""
_OTHERS: tuple[BoundsModel, ...] = ("bayeselo", "logistic")


def settle_models(reports: Sequence[Report]) -> tuple[list[Report], list[Remark]]:
    """Return the reports, with another model where the printed LLR is that of exactly one other.

    Where the LLR fits the usual model, or fits none, the report stays as it is; ``recount`` names the difference.
    """
    settled, remarks = list(reports), list[Remark]()
    doubtful = [at for at, one in enumerate(reports) if one.tool in _SILENT and one.bounds_model == "normalized"]
    doubtful = [at for at, fits in zip(doubtful, _fits([reports[at] for at in doubtful]), strict=True) if fits is False]
    tried = {model: _fits([replace(reports[at], bounds_model=model) for at in doubtful]) for model in _OTHERS}
    for place, at in enumerate(doubtful):
        fitting = [model for model in _OTHERS if tried[model][place]]
        if len(fitting) == 1:
            settled[at] = replace(reports[at], bounds_model=fitting[0])
            remarks.append(
                Remark(
                    reports[at].place, f"the LLR is that of {fitting[0]} bounds, not of normalized ones; so recorded"
                )
            )
    return settled, remarks


def _fits(reports: Sequence[Report]) -> list[bool | None]:
    """Whether each printed LLR is that of the counts; None where one of the two is missing."""
    llrs = checked_llrs(reports, [sound_counts(one) for one in reports])
    return [
        None if llr is None or report.llr is None else abs(llr - report.llr) <= LLR_TOLERANCE
        for report, llr in zip(reports, llrs, strict=True)
    ]

"""A check of a register judged by the rule, its whole result; a closed one is judged again.

Source: SPEC sections 1 to 7. May import: anchorhold.domain, anchorhold.law, anchorhold.checks.
"""

from __future__ import annotations

from collections.abc import Sequence

from anchorhold.checks.deciding import known_from_register
from anchorhold.checks.document import contract_of, document_json
from anchorhold.checks.state import CheckState
from anchorhold.domain.entries import Entry
from anchorhold.law.document import document_from_json
from anchorhold.law.evaluation import DEFAULT_SEED, evaluate
from anchorhold.law.result import Result


def result_of_check(
    entries: Sequence[Entry], check: CheckState, *, closing: CheckState | None, seed: int = DEFAULT_SEED
) -> Result:
    """Evaluate a check from the entries that stand; a measured check that is not closed, or a closed one again.

    Parameters
    ----------
    closing : CheckState, optional
        The last check before it that closed its window.
    seed : int
        Of the Monte-Carlo band.

    Raises
    ------
    BadInput
        An entry of the window holds what no document may.
    """
    document = document_from_json(document_json(entries, check), where=f"check {check.id}")
    return evaluate(document, contract_of(check), seed=seed, register_check=known_from_register(closing))

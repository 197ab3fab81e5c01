"""A check of a register judged by the rule: its decision alone, or its whole result; a closed one is judged again.

Source: SPEC sections 1 to 7. May import: anchorhold.domain, anchorhold.law, anchorhold.checks.
"""

from __future__ import annotations

from collections.abc import Sequence

from anchorhold.checks.document import contract_of, document_json
from anchorhold.checks.state import CheckState
from anchorhold.domain.entries import Entry
from anchorhold.law.decision import Decision, RegisterCheck, decide
from anchorhold.law.document import Document, document_from_json
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
    return evaluate(
        _document(entries, check), contract_of(check), seed=seed, register_check=_known_from_register(closing)
    )


def decision_of_check(entries: Sequence[Entry], check: CheckState, *, closing: CheckState | None) -> Decision:
    """Decide a check as ``result_of_check`` does, and leave out what decides nothing: no draws, no corrected sums."""
    document = _document(entries, check, verdict_only=True)
    return decide(document, contract_of(check), register_check=_known_from_register(closing))


def _document(entries: Sequence[Entry], check: CheckState, *, verdict_only: bool = False) -> Document:
    return document_from_json(document_json(entries, check, verdict_only=verdict_only), where=f"check {check.id}")


def _known_from_register(closing: CheckState | None) -> RegisterCheck:
    return RegisterCheck(last_new=None if closing is None else closing.plan.new.version)

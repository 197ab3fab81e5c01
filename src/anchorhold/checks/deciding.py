"""A check of a register decided by the rule, without what decides nothing: no draws, no corrected sums.

Source: SPEC sections 1 to 3 and 6. May import: anchorhold.domain, anchorhold.law, anchorhold.checks.
"""

from __future__ import annotations

from collections.abc import Sequence

from anchorhold.checks.document import contract_of, document_json
from anchorhold.checks.state import CheckState
from anchorhold.domain.entries import Entry
from anchorhold.law.decision import Decision, RegisterCheck, decide
from anchorhold.law.document import document_from_json


def decision_of_check(entries: Sequence[Entry], check: CheckState, *, closing: CheckState | None) -> Decision:
    """Decide a check from the entries that stand, as ``checks.judging.result_of_check`` does.

    Parameters
    ----------
    closing : CheckState, optional
        The last check before it that closed its window.

    Raises
    ------
    BadInput
        An entry of the window holds what no document may.
    """
    document = document_from_json(document_json(entries, check, verdict_only=True), where=f"check {check.id}")
    return decide(document, contract_of(check), register_check=known_from_register(closing))


def known_from_register(closing: CheckState | None) -> RegisterCheck:
    """Return what the register says beyond a check's own document."""
    return RegisterCheck(last_new=None if closing is None else closing.plan.new.version)

"""Under which contract a result was made, found by the edition and digest that it names.

May import: anchorhold.errors, domain.contract, law.
"""

from __future__ import annotations

from anchorhold.domain.contract import BUILT_IN, Contract, edition
from anchorhold.errors import BadInput
from anchorhold.law.result import Result


def contract_of_result(result: Result, *, own: Contract | None = None) -> Contract:
    """Find the contract that a result was made under.

    Raises
    ------
    BadInput
        It is no built-in edition and not the one given, or its digest is another.
    """
    stamp = result.contract
    known = own
    if known is None and stamp.edition in BUILT_IN:
        known = edition(stamp.edition)
    if known is None or known.edition != stamp.edition:
        raise BadInput(
            f"the result was made under contract edition {stamp.edition}, which is not at hand",
            where="contract.edition",
            next_step="Give that edition with --contract FILE.",
        )
    if known.digest != stamp.digest:
        raise BadInput(
            f"the result names edition {stamp.edition} with digest {stamp.digest[:12]}…, the edition at hand has "
            f"{known.digest[:12]}…",
            where="contract.digest",
            next_step="Give the very edition that the result was made under with --contract FILE.",
        )
    return known

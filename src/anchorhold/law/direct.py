"""The direct match, new main against old main: how much of the claims is there at all, and how much of that arrives.

Source: SPEC section 4. May import: anchorhold.domain.contract, law.*.
"""

from __future__ import annotations

from anchorhold.domain.contract import Contract
from anchorhold.law.counts import read_measurement
from anchorhold.law.document import Document
from anchorhold.law.intervals import fieller_interval, finite
from anchorhold.law.numerator import Increase
from anchorhold.law.problems import Problems
from anchorhold.law.result import Direct, Note
from anchorhold.law.window import Sum


def direct_match(
    document: Document,
    delta_a: Increase | None,
    claims: Sum | None,
    *,
    ratio_stands: bool,
    contract: Contract,
    problems: Problems,
    notes: list[Note],
) -> Direct | None:
    """New main against old main: D ± h_D, survival D/S and transfer ΔA/D with their Fieller intervals.

    Parameters
    ----------
    ratio_stands : bool
        There is an R; without it survival and transfer are None.
    """
    if document.direct is None:
        notes.append(
            Note(
                code="no_direct_match",
                message="direct is null: the two versions did not meet, so survival and transfer are not told apart.",
            )
        )
        return None
    reading = read_measurement(document.direct, where="direct", scope="direct", contract=contract, problems=problems)
    if reading.value is None:
        if reading.why_missing:
            notes.append(Note(code="direct_not_estimable", message=f"direct is null: {reading.why_missing}."))
        return None
    elo, error = reading.value.delta, reading.value.error
    survival = transfer = None
    survival_interval = transfer_interval = None
    if ratio_stands and delta_a is not None and claims is not None:
        survival = finite(elo / claims.value)
        if claims.error is not None and survival is not None:
            survival_interval = fieller_interval(elo, error, claims.value, claims.error)
        if survival_interval is None:
            notes.append(
                Note(
                    code="survival_unbounded",
                    message="survival_interval is null: S is not beyond U(S), or U(S) is unknown.",
                )
            )
        if elo > error:
            transfer = finite(delta_a.value / elo)
            transfer_interval = (
                fieller_interval(delta_a.value, delta_a.error, elo, error) if transfer is not None else None
            )
        if transfer is None:
            notes.append(
                Note(
                    code="transfer_not_computed",
                    message=f"transfer is null: D = {elo:.2f} is not beyond its half-width {error:.2f}.",
                )
            )
    return Direct(
        elo=elo,
        error=error,
        survival=survival,
        survival_interval=survival_interval,
        transfer=transfer,
        transfer_interval=transfer_interval,
    )

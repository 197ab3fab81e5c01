"""Asks a register, chain and verdicts included, whether a merge may go on.

May import: anchorhold.checks, anchorhold.register, anchorhold.domain, anchorhold.errors, anchorhold.gate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from anchorhold.domain.entries import Entry
from anchorhold.errors import RegisterBroken
from anchorhold.gate.decision import GateAnswer, broken, decide
from anchorhold.gate.limits import Limits
from anchorhold.register.chain import Chain, Problem
from anchorhold.register.reading import ReadableRegister

Kept = Callable[[Sequence[Entry]], Problem | None]
"""Compares entries whose chain holds with what somebody kept of the register: ``register.extends``."""
_LOOKED_AT = frozenset({"contract", "check_opened", "measurement", "check_closed", "check_abandoned"})
"""Kinds that can contradict what stood before them, also where no check was opened."""


def ask(
    register: ReadableRegister,
    *,
    signers: Path | None,
    limits: Limits | None = None,
    now: datetime | None = None,
    kept: Sequence[Kept] = (),
) -> GateAnswer:
    """Say whether a merge may go on; see ``gate.decision.decide``.

    A register that cannot be read, or does not go on from what was kept of it, is ``broken``.
    """
    try:
        chain = register.verify(meanwhile=_load_law)
    except RegisterBroken as error:
        return broken(error.what)
    for compare in kept:
        problem = None if chain.problem is not None else compare(chain.entries)
        if problem is not None:
            return broken(f"at {problem}", problem=problem)
    return answer(chain, signers=signers, limits=limits, now=now)


def answer(
    chain: Chain, *, signers: Path | None, limits: Limits | None = None, now: datetime | None = None
) -> GateAnswer:
    """Say the same from entries whose chain was looked at already; every verdict is judged again."""
    try:
        require_verdicts(chain)
        return decide(chain, signers=signers, limits=limits, now=now)
    except RegisterBroken as error:
        return broken(error.what)


def require_verdicts(chain: Chain) -> None:
    """Refuse a chain in which a stored verdict does not follow from the stored counts.

    Raises
    ------
    RegisterBroken
        Names the first such verdict.
    """
    if chain.problem is not None or not any(entry.kind in _LOOKED_AT for entry in chain.entries):
        return
    # Loads the law, which a register without any of these does not need.
    from anchorhold.checks.verdicts import recompute_verdicts

    if differences := recompute_verdicts(chain.entries):
        raise RegisterBroken(f"{differences[0]}")


def _load_law() -> None:
    """Load what judges again, while the second process checks."""
    from anchorhold.checks import verdicts  # noqa: F401

"""Asks a register, chain and verdicts included, whether a merge may go on.

May import: anchorhold.checks, anchorhold.register, anchorhold.errors, anchorhold.gate.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from anchorhold.errors import RegisterBroken
from anchorhold.gate.decision import GateAnswer, broken, decide
from anchorhold.gate.limits import Limits
from anchorhold.register.chain import Chain
from anchorhold.register.store import Register


def ask(
    register: Register, *, signers: Path | None, limits: Limits | None = None, now: datetime | None = None
) -> GateAnswer:
    """Say whether a merge may go on; a register that cannot be read is ``broken``. See ``gate.decision.decide``."""
    try:
        chain = register.verify()
    except RegisterBroken as error:
        return broken(error.what)
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
    if chain.problem is not None or not any(entry.kind.startswith("check_") for entry in chain.entries):
        return
    # Loads the law, which a register without checks does not need.
    from anchorhold.checks.verdicts import recompute_verdicts

    if differences := recompute_verdicts(chain.entries):
        raise RegisterBroken(f"{differences[0]}")

"""The badge that a gate's answer gives. May import: anchorhold.gate.decision, anchorhold.report.badge."""

from __future__ import annotations

from anchorhold.gate.decision import GateAnswer
from anchorhold.report.badge import Badge


def badge_of(answer: GateAnswer) -> Badge:
    """What the gate says: the last check's R and verdict, held, broken, or nothing confirmed."""
    last = answer.last
    if answer.state == "broken":
        return Badge("broken")
    if answer.state == "held":
        return Badge("held", answer.held_by[0].r if answer.held_by else None)
    if last is None:
        return Badge("none")
    match last.verdict:
        case "CONTINUE":
            return Badge("continue", last.r)
        case "WARN":
            return Badge("warn", last.r)
        case "HALT":
            return Badge("released", last.r)
        case _:
            return Badge("gap")

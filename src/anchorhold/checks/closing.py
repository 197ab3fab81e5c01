"""The end of a check: the verdict from register entries alone, or the reason why it was given up.

Source: SPEC section 7. May import: anchorhold.errors, anchorhold.domain, anchorhold.law, anchorhold.register,
anchorhold.checks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from anchorhold.checks.judging import result_of_check
from anchorhold.checks.state import CheckState, checks_of, find_check, last_closing, payload_of, the_open_check
from anchorhold.domain.entries import Entry
from anchorhold.domain.payloads import CheckClosed
from anchorhold.errors import BadState
from anchorhold.law.result import Result
from anchorhold.register.store import Register


@dataclass(frozen=True, slots=True)
class Closed:
    """A closed check with its result."""

    check: CheckState
    result: Result


def stored_result(check: CheckState) -> Result:
    """Return the result of a closed check as it was recorded.

    Raises
    ------
    BadState
        The check is not closed.
    """
    if check.closed is None:
        raise BadState(f"{check.id} is not closed, it is {check.status}")
    return Result.model_validate(dict(payload_of(check.closed, CheckClosed).result))


def close_check(register: Register, *, author: str) -> Closed:
    """Judge the open check and record the result.

    CONTINUE, WARN and HALT close the window; GAP and DEFECTIVE leave it open, with the same old version.

    Raises
    ------
    BadState
        No check is open, or it is not measured whole.
    """
    entries = register.entries()
    check = the_open_check(entries)
    if missing := check.missing():
        named = ", ".join(f"{endpoint} ({stage})" for endpoint, stage in missing)
        raise BadState(
            f"{check.id} is not measured: {named} missing",
            next_step="Measure it ('anchorhold check measure'), or abandon it with a reason",
        )
    result = result_of_check(entries, check, closing=last_closing(checks_of(entries)))
    payload = {
        "check": check.id,
        "verdict": result.verdict,
        "window": {"after": check.plan.window.after, "until": check.opened.seq},
        "result": result.to_json(),
    }
    register.append("check_closed", payload, author=author, guard=_still("measured", check.id))
    return Closed(find_check(checks_of(register.entries()), check.id), result)


def abandon_check(register: Register, *, reason: str, author: str) -> CheckState:
    """Give the open check up; its entries stay, its window stays open, and it counts as an attempt.

    Raises
    ------
    BadState
        No check is open, or no reason is given.
    """
    check = the_open_check(register.entries())
    if not reason.strip():
        raise BadState("a check is abandoned with a reason", next_step="Say why, with --reason")
    payload = {"check": check.id, "reason": reason.strip()}
    register.append("check_abandoned", payload, author=author, guard=_still(check.status, check.id))
    return find_check(checks_of(register.entries()), check.id)


def _still(status: str, check_id: str) -> Callable[[Sequence[Entry]], None]:
    def guard(entries: Sequence[Entry]) -> None:
        now = find_check(checks_of(entries), check_id).status
        if now != status:
            raise BadState(f"{check_id} was {status} a moment ago and is {now} now", next_step="Look at it again")

    return guard

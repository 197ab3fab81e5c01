"""A whole check in one go: opened when none is, measured, closed; resumes whatever was interrupted.

May import: anchorhold.errors, anchorhold.domain, anchorhold.matches, anchorhold.register, anchorhold.checks.
"""

from __future__ import annotations

from collections.abc import Callable

from anchorhold.checks.anchors import DigestOf
from anchorhold.checks.closing import Closed, close_check, stored_result
from anchorhold.checks.measuring import OnProgress, measure
from anchorhold.checks.opening import open_new_check
from anchorhold.checks.plan import Plan
from anchorhold.checks.state import CheckState, checks_of, open_check
from anchorhold.domain.contract import Contract
from anchorhold.errors import BadInput, BadState
from anchorhold.matches.runner import Play
from anchorhold.register.store import Register


def run_check(
    register: Register,
    plan: Plan,
    *,
    old: str | None,
    new: str | None,
    contract: Contract,
    author: str,
    digest_of: Callable[[], DigestOf],
    reuse_old: bool = False,
    on_opened: Callable[[CheckState], None] | None = None,
    on_progress: OnProgress | None = None,
    play: Play | None = None,
) -> Closed:
    """Take a check from where it stands to its result.

    A run that was broken off after the result was recorded gives that result again, as long as the register holds
    nothing after it. Another attempt under an unchanged register is opened with ``open_new_check``.

    Parameters
    ----------
    old, new : str, optional
        Versions of main; both may be left out when a check is open, old also when a check has closed its window.
    digest_of : callable
        Makes a fresh hasher of files.
    reuse_old : bool
        See ``open_new_check``.
    on_opened : callable, optional
        Called with the check that is gone on with, before games are played.
    play : callable, optional
        Who plays; by default this machine with the plan's workers.

    Raises
    ------
    BadState
        Another check is open than the versions name, or a step is not allowed.
    BadInput
        No check is open and no new version is named.
    MatchStopped
        An engine does not start, or fails too often in a row.
    """
    entries = register.entries()
    checks = checks_of(entries)
    check = open_check(checks)
    if check is None:
        last = checks[-1] if checks else None
        if last is not None and last.closed == entries[-1] and _same_versions(last, old, new):
            return Closed(last, stored_result(last))
        if new is None:
            raise BadInput("no check is open, and no new version is named", next_step="Name it with --new")
        check = open_new_check(
            register,
            plan,
            old=old,
            new=new,
            contract=contract,
            author=author,
            digest_of=digest_of(),
            reuse_old=reuse_old,
        )
    elif not _same_versions(check, old, new):
        raise BadState(
            f"{check.id} is open for {check.plan.old.version} to {check.plan.new.version}",
            next_step=f"Leave --old and --new out to go on with it, or abandon {check.id} first",
        )
    if on_opened is not None:
        on_opened(check)
    measure(register, plan, author=author, digest_of=digest_of, on_progress=on_progress, play=play)
    return close_check(register, author=author)


def _same_versions(check: CheckState, old: str | None, new: str | None) -> bool:
    return old in (None, check.plan.old.version) and new in (None, check.plan.new.version)

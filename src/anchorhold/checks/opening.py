"""Opening a check: everything that decides is frozen in the register before a game is played.

Source: SPEC section 7. May import: anchorhold.errors, anchorhold.domain, anchorhold.matches, anchorhold.register,
anchorhold.checks.
"""

from __future__ import annotations

from collections.abc import Sequence

from anchorhold.checks.anchors import DigestOf, compare, pinned_anchors, require_pinned
from anchorhold.checks.changes import changes_since
from anchorhold.checks.conditions import difference
from anchorhold.checks.identity import differences, run_identity
from anchorhold.checks.plan import Plan
from anchorhold.checks.reuse import source_of
from anchorhold.checks.start import Start, next_start
from anchorhold.checks.state import CheckState, checks_of, find_check, last_anchor_set, last_closing
from anchorhold.domain.contract import Contract
from anchorhold.domain.entries import Entry
from anchorhold.errors import BadInput, BadState
from anchorhold.matches.books import load_book
from anchorhold.register.store import Register


def open_new_check(
    register: Register,
    plan: Plan,
    *,
    old: str | None,
    new: str,
    contract: Contract,
    author: str,
    digest_of: DigestOf,
    reuse_old: bool = False,
) -> CheckState:
    """Open a check; adopts the contract edition first when it is not the register's newest.

    Parameters
    ----------
    old, new : str
        Versions of main; old None: the new version of the last check that closed its window.
    contract : Contract
        Frozen from here on for this check.
    digest_of : callable
        SHA-256 of a file.
    reuse_old : bool
        Take the last closed check's measurement of old over, instead of playing it anew: ``checks.reuse``.

    Raises
    ------
    BadState
        A check is open; old is not the last new; no anchor set, or another number than the contract's; the anchors
        are not the pinned ones; old and new are the same program; the edition was adopted before with other
        parameters; nothing can be used again.
    BadInput
        A version, file or book that is not there.
    """
    entries = register.entries()
    start = next_start(entries)
    old = _old_version(start, old)
    if old == new:
        raise BadState(f"old and new are the same version {new!r}", next_step="Name two versions of main")
    anchor_set = _anchor_set(entries, contract)
    _refuse_changed_edition(entries, contract)
    require_pinned(
        compare(pinned_anchors(anchor_set), plan.anchors, digest_of=digest_of),
        next_step="Restore what was pinned, or pin the new set ('anchorhold anchors pin')",
    )
    payload = _payload(
        plan, start=start, old=old, new=new, contract=contract, anchor_set=anchor_set, digest_of=digest_of
    )
    notes = changes_since(last_closing(checks_of(entries)), payload)
    if reuse_old:
        source = source_of(checks_of(entries), payload)
        payload["reuse_old_from"] = source.id
        notes.append(f"{old} is not measured again: the measurement of {source.id} stands for it")
    if notes:
        payload["notes"] = notes

    def guard(now: Sequence[Entry]) -> None:
        newest = last_anchor_set(now)
        if next_start(now) != start or newest is None or newest.hash != anchor_set.hash:
            raise BadState("the register changed while the check was being opened", next_step="Try again")

    def guard_opening(now: Sequence[Entry]) -> None:
        guard(now)
        if not _is_in_force(now, contract):
            raise BadState("another contract was adopted while the check was being opened", next_step="Try again")

    if not _is_in_force(entries, contract):
        register.append("contract", _contract_json(contract), author=author, guard=guard)
    register.append("check_opened", payload, author=author, guard=guard_opening)
    return find_check(checks_of(register.entries()), start.check)


def adopt_contract(register: Register, contract: Contract, *, author: str) -> bool:
    """Record the contract that checks are opened under from now on; False: it is in force already.

    Raises
    ------
    BadState
        An edition of this number was adopted with other parameters, or the register changed meanwhile.
    """
    entries = register.entries()
    _refuse_changed_edition(entries, contract)
    if _is_in_force(entries, contract):
        return False

    def guard(now: Sequence[Entry]) -> None:
        if len(now) != len(entries):
            raise BadState("the register changed while the contract was being adopted", next_step="Try again")

    register.append("contract", _contract_json(contract), author=author, guard=guard)
    return True


def _is_in_force(entries: Sequence[Entry], contract: Contract) -> bool:
    adopted = next((entry.payload for entry in reversed(entries) if entry.kind == "contract"), None)
    return adopted is not None and all(adopted.get(name) == value for name, value in _contract_json(contract).items())


def _refuse_changed_edition(entries: Sequence[Entry], contract: Contract) -> None:
    for entry in entries:
        of_that_number = entry.kind == "contract" and entry.payload.get("edition") == contract.edition
        if of_that_number and entry.payload.get("digest") != contract.digest:
            raise BadState(
                f"edition {contract.edition} was adopted with other parameters (entry {entry.seq}), and an edition is "
                "never edited once released",
                next_step="Give the changed edition a new number",
            )


def _old_version(start: Start, old: str | None) -> str:
    if start.old is None:
        if old is None:
            raise BadInput("the first check needs an old version", next_step="Give it with --old")
        return old
    if old is not None and old != start.old:
        raise BadState(
            f"old is {old!r}, but must be {start.old!r}: {start.because}",
            next_step=f"Leave --old out, or give {start.old!r}",
        )
    return start.old


def _anchor_set(entries: Sequence[Entry], contract: Contract) -> Entry:
    entry = last_anchor_set(entries)
    if entry is None:
        raise BadState("no anchor set is pinned", next_step="Pin the anchors first: 'anchorhold anchors pin'")
    count, expected = len(pinned_anchors(entry)), contract.parameters.anchors
    if count != expected:
        raise BadState(
            f"{count} anchors are pinned, contract edition {contract.edition} needs {expected}",
            next_step=f"Configure {expected} anchors and pin them: 'anchorhold anchors pin'",
        )
    return entry


def main_identity(plan: Plan, version: str, *, digest_of: DigestOf) -> dict[str, object]:
    """Hash what would be run as one version of main, and return its identity for the register."""
    run = run_identity(plan.main.spec(version, plan.long.limit), digest_of=digest_of)
    identity = {"version": version, **run.to_json()}
    if plan.main.is_built(version):
        identity["build"] = plan.main.builds[version].facts.to_json()
    return identity


def stage_conditions(plan: Plan, old: str, new: str, *, book_sha256: str) -> dict[str, dict[str, object]]:
    """Return the conditions of each stage, which must be the same for both versions.

    Raises
    ------
    BadState
        The versions' options make their conditions differ.
    """
    found: dict[str, dict[str, object]] = {}
    for name, stage in plan.stages().items():
        conditions = plan.conditions(new, stage, book_sha256=book_sha256)
        differing = differences(plan.conditions(old, stage, book_sha256=book_sha256), conditions)
        if differing:
            raise BadState(
                f"the conditions of {new} and {old} differ: {'; '.join(differing)}",
                next_step="Give both versions the same options",
            )
        found[name] = conditions
    return found


def _payload(
    plan: Plan, *, start: Start, old: str, new: str, contract: Contract, anchor_set: Entry, digest_of: DigestOf
) -> dict[str, object]:
    identity = {version: main_identity(plan, version, digest_of=digest_of) for version in (old, new)}
    fields = ("sha256", "files", "options", "protocol")
    if all(identity[old].get(field) == identity[new].get(field) for field in fields):
        raise BadState(
            f"{old} and {new} are the same program with the same files and options",
            next_step="What lies between both changes nothing in the program"
            if plan.main.recipe
            else "Look at main's command: does it use {version}?",
        )
    book = load_book(
        plan.book.path, order=plan.book.order, seed=plan.book.seed, plies=plan.book.plies, variant=plan.book.variant
    )
    conditions = stage_conditions(plan, old, new, book_sha256=book.sha256)
    payload: dict[str, object] = {
        "check": start.check,
        "contract": _contract_json(contract),
        "anchor_set": {"digest": anchor_set.payload["digest"], "anchors": pinned_anchors(anchor_set)},
        "old": identity[old],
        "new": identity[new],
        "conditions": conditions["long"],
        "planned_pairs": plan.planned_pairs(),
        "window": {"after": start.after},
    }
    if "short" in conditions:
        payload["conditions_short"] = difference(conditions["long"], conditions["short"])
    return payload


def _contract_json(contract: Contract) -> dict[str, object]:
    return {**contract.to_json(), "digest": contract.digest}

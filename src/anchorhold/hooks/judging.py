"""May this push go on? The gate is asked before a protected branch moves; other branches pass unseen.

The rule, with a register outside the repository: any move of a protected branch (forward, back, made, deleted) needs
an open gate.

With the register kept as an export inside the repository:

* the gate is asked about the newest register that is known: those of the protected branches as they stood before the
  push, and those that the push brings; each of them must be a beginning of the newest, byte for byte;
* a protected branch keeps a register that continues its own: one that is missing, shorter or other is refused, and so
  is the branch's deletion;
* while the gate is held, a push that goes forward and changes nothing but the register's file passes: a HALT must be
  recorded, and a release must be able to come in. A release that comes with the push opens the gate for it.

The allowed-signers file, where it is kept inside the repository, is the one of the first protected branch as it stood
before the push: no push brings its own key. May import: anchorhold.errors, anchorhold.domain.sentences,
anchorhold.hooks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from anchorhold.domain.sentences import Sentence
from anchorhold.hooks.git import Repository
from anchorhold.hooks.settings import BRANCHES, Settings
from anchorhold.hooks.updates import Update


@dataclass(frozen=True, slots=True)
class Question:
    """What the gate is asked about."""

    register: str | None
    """Path or URL of a register."""
    export: bytes | None
    """An export; exactly one of the two is given."""
    signers: bytes | None
    """Content of an allowed-signers file from inside the repository."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the gate says."""

    state: Literal["open", "held", "broken"]
    lines: tuple[str, ...]
    """The sentence, and more where there is more to say."""


Ask = Callable[[Question], Answer]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a push is refused."""

    refs: tuple[str, ...]
    reasons: tuple[str, ...]
    next_step: str = ""

    def lines(self) -> list[str]:
        """Return what the pusher reads: short lines, because git writes ``remote:`` before each."""
        names = ", ".join(ref.removeprefix(BRANCHES) for ref in self.refs)
        return [
            Sentence("anchorhold: the gate holds {names}.", names=names),
            *self.reasons,
            *filter(None, (self.next_step,)),
        ]


def protected(updates: Sequence[Update], settings: Settings, repository: Repository) -> tuple[Update, ...]:
    """Return the updates that move a protected branch, each under its own name; a symbolic ref moves what it names."""
    targets = repository.targets(update.ref for update in updates if not settings.protects(update.ref))
    moved = (replace(update, ref=targets.get(update.ref, update.ref)) for update in updates)
    return tuple(update for update in moved if settings.protects(update.ref))


def branches_before(
    settings: Settings, repository: Repository, *, updates: Sequence[Update] = (), remote: str | None = None
) -> dict[str, str]:
    """Return the protected branches as they stood before the push, in the order in which they were named.

    Parameters
    ----------
    updates : Sequence[Update]
        Of a client: what git says about the other side counts more than what was fetched once.
    remote : str, optional
        Of a client: the remote's name; its branches are looked up as they were fetched last. None on a server.
    """
    if remote is None:
        found = {ref: oid for ref, oid in repository.refs(BRANCHES).items() if settings.protects(ref)}
    else:
        place = f"refs/remotes/{remote}/"
        fetched = {BRANCHES + ref.removeprefix(place): oid for ref, oid in repository.refs(place).items()}
        found = {ref: oid for ref, oid in fetched.items() if settings.protects(ref)}
        for update in updates:
            found.pop(update.ref, None)
            if update.old is not None:
                found[update.ref] = update.old
    order = {pattern: place for place, pattern in enumerate(settings.branches)}
    return {ref: found[ref] for ref in sorted(found, key=lambda ref: (order.get(ref, len(order)), ref))}


def judge(
    updates: Sequence[Update],
    *,
    before: Mapping[str, str],
    settings: Settings,
    repository: Repository,
    ask: Ask,
) -> Refusal | None:
    """Say whether a push may go on.

    Parameters
    ----------
    updates : Sequence[Update]
        The protected ones of a push; see ``protected``.
    before : Mapping
        See ``branches_before``.
    ask : callable
        Asks the gate.

    Returns
    -------
    Refusal | None
        None: it may.

    Raises
    ------
    BadInput, BadState, RegisterBroken
        The question cannot be answered: the push must be refused too.
    """
    if not updates:
        return None
    refs = tuple(update.ref for update in updates)
    absent = next((update for update in updates if update.old is not None and not repository.has(update.old)), None)
    if absent is not None:
        return Refusal(
            (absent.ref,),
            (Sentence("What stands there now was never fetched."),),
            Sentence("Fetch it, and push again."),
        )
    signers = _signers(before, settings, repository)
    if settings.export is None:
        answer = ask(Question(register=settings.register, export=None, signers=signers))
        return None if answer.state == "open" else Refusal(refs, answer.lines, _next_step(answer, settings))
    found = _newest(updates, before, settings.export, repository)
    if isinstance(found, Refusal):
        return found
    answer = ask(Question(register=None, export=found, signers=signers))
    if answer.state == "open":
        return None
    if answer.state == "held" and all(_records_only(update, settings.export, repository) for update in updates):
        return None
    return Refusal(refs, answer.lines, _next_step(answer, settings))


def _signers(before: Mapping[str, str], settings: Settings, repository: Repository) -> bytes | None:
    if settings.signers_in_repo is None:
        return None
    for commit in before.values():
        blob = repository.file(commit, settings.signers_in_repo)
        return b"" if blob is None else blob.data
    return b""  # the first push of all: there is nobody yet who may release


def _newest(updates: Sequence[Update], before: Mapping[str, str], path: str, repository: Repository) -> bytes | Refusal:
    """Return the newest register that is known, when all of them are one."""
    old: dict[str, bytes] = {}
    contents: dict[str, bytes] = {}  # by object: most branches carry the same register
    for ref, commit in before.items():
        blob = repository.file(commit, path)
        if blob is not None:
            old[ref] = contents.setdefault(blob.oid, blob.data)
    registers = list(old.items())
    for update in updates:
        if update.new is None:
            if update.ref in old:
                return Refusal(
                    (update.ref,), (Sentence("Deleting it would lose the register in its {path}.", path=path),)
                )
            continue
        blob = repository.file(update.new, path)
        if blob is None:
            return Refusal(
                (update.ref,),
                (Sentence("The pushed commit has no {path}, in which this project keeps its register.", path=path),),
                Sentence("Bring it in as it stands on the branch, and push again."),
            )
        if not blob.data.startswith(old.get(update.ref, b"")):
            return Refusal(
                (update.ref,),
                (
                    Sentence(
                        "The {path} of the pushed commit does not continue the one that stands there: "
                        "entries are gone or were changed.",
                        path=path,
                    ),
                ),
                Sentence("Take the branch's own file, add to it with anchorhold, and push again."),
            )
        registers.append((update.ref, contents.setdefault(blob.oid, blob.data)))
    if not registers:
        return Refusal(
            tuple(update.ref for update in updates),
            (Sentence("No protected branch has a register in {path}.", path=path),),
        )
    newest_ref, newest = max(registers, key=lambda one: len(one[1]))
    for ref, register in registers:
        if not newest.startswith(register):
            return Refusal(
                (ref,),
                (
                    Sentence(
                        "Its {path} and the one of {branch} are two registers: neither continues the other.",
                        path=path,
                        branch=newest_ref.removeprefix(BRANCHES),
                    ),
                ),
                Sentence("Bring the newer one in as it stands, and push again."),
            )
    return newest


def _records_only(update: Update, path: str, repository: Repository) -> bool:
    """Say whether an update goes forward and changes nothing but the register."""
    if update.old is None or update.new is None or not repository.is_ancestor(update.old, update.new):
        return False
    return repository.changed(update.old, update.new) <= {path}


def _next_step(answer: Answer, settings: Settings) -> str:
    if answer.state == "broken":
        return Sentence("Restore the register from an export that holds: 'anchorhold register verify' names the place.")
    if settings.export is None:
        return Sentence("Push again when that is done.")
    return Sentence(
        "Then bring the register's new export in as {path}, alone or with this, and push again.", path=settings.export
    )

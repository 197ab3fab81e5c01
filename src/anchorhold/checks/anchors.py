"""The anchor set: made from what would be run, pinned in the register, verified by hashing again.

Ratings in logistic Elo with 95 % half-widths. May import: anchorhold.errors, anchorhold.domain, anchorhold.register,
anchorhold.checks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from anchorhold.checks.identity import differences, run_identity
from anchorhold.checks.state import checks_of, last_anchor_set, open_check
from anchorhold.domain.anchors import AnchorIdentity, set_digest
from anchorhold.domain.entries import Entry
from anchorhold.domain.limits import Limit
from anchorhold.domain.project import AnchorEngine
from anchorhold.errors import BadInput, BadState
from anchorhold.register.store import Register

DigestOf = Callable[[Path], str]


@dataclass(frozen=True, slots=True)
class AnchorState:
    """One anchor of the pinned set or of the project, compared with the other side."""

    name: str
    pinned: Mapping[str, object] | None
    """Identity in the register; None: not in the set."""
    seen: Mapping[str, object] | None
    """Identity of what would be run now; None: not among the project's anchors, or not there at all."""
    problems: tuple[str, ...]
    """What differs, in words; empty when it is what was pinned."""


def identities(anchors: Sequence[AnchorEngine], *, digest_of: DigestOf) -> list[dict[str, object]]:
    """Hash what would be run for each anchor, and return the identity fields of all, in their order.

    Raises
    ------
    BadInput
        A command or file that is not there.
    """
    return [_identity(anchor, digest_of=digest_of).to_json() for anchor in anchors]


def _identity(anchor: AnchorEngine, *, digest_of: DigestOf) -> AnchorIdentity:
    # A limit of the stage is one of the conditions, not of the anchor; it only has to be some limit here.
    run = run_identity(anchor.spec(Limit(depth=1)), digest_of=digest_of)
    return AnchorIdentity(
        name=anchor.name,
        sha256=run.sha256,
        rating=anchor.rating,
        rating_error=anchor.rating_error,
        version=anchor.version,
        files=run.files,
        options=run.options,
        limit={} if anchor.limit is None else anchor.limit.to_json(),
        protocol=run.protocol,
        source=anchor.source,
    )


@dataclass(frozen=True, slots=True)
class Pinned:
    """What pinning did."""

    entry: Entry
    """The anchor_set entry that now stands."""
    added: bool
    """False: the same set was pinned already."""


def pin(register: Register, anchors: Sequence[AnchorEngine], *, author: str, digest_of: DigestOf) -> Pinned:
    """Pin a project's anchors as a whole; a set that is pinned already is not written again.

    Raises
    ------
    BadInput
        No anchors, two with the same program and settings, a file that is not there.
    BadState
        A check is open: its set is frozen.
    """
    if not anchors:
        raise BadInput("no anchor is configured", next_step="Add [[anchors]] tables to anchorhold.toml")
    found = identities(anchors, digest_of=digest_of)
    _refuse_twins(found)
    digest = set_digest(found)

    def guard(entries: Sequence[Entry]) -> None:
        check = open_check(checks_of(entries))
        if check is not None:
            raise BadState(
                f"the check {check.id} is open, and its anchors are frozen",
                next_step=f"Close or abandon {check.id} first",
            )

    entries = register.entries()
    last = last_anchor_set(entries)
    if last is not None and last.payload.get("digest") == digest:
        return Pinned(last, added=False)
    guard(entries)
    entry = register.append("anchor_set", {"digest": digest, "anchors": found}, author=author, guard=guard)
    return Pinned(entry, added=True)


def _refuse_twins(found: Sequence[Mapping[str, object]]) -> None:
    """Two anchors that are one engine under one limit count its opinion twice."""
    fields = ("sha256", "files", "options", "limit", "protocol")
    for place, one in enumerate(found):
        for other in found[:place]:
            if all(one.get(field) == other.get(field) for field in fields):
                raise BadInput(
                    f"the anchors {other['name']!r} and {one['name']!r} are the same engine with the same settings",
                    where="anchors",
                    next_step="Give one of them another engine",
                )


def pinned_anchors(entry: Entry) -> list[Mapping[str, object]]:
    """Return the identities of an anchor_set entry."""
    anchors = entry.payload["anchors"]
    assert isinstance(anchors, list)
    return anchors


def compare(
    pinned: Sequence[Mapping[str, object]], anchors: Sequence[AnchorEngine], *, digest_of: DigestOf
) -> list[AnchorState]:
    """Hash what would be run and compare it with a pinned set, anchor by anchor; nothing is raised for what differs."""
    configured = {anchor.name: anchor for anchor in anchors}
    states: list[AnchorState] = []
    for identity in pinned:
        name = str(identity["name"])
        anchor = configured.pop(name, None)
        if anchor is None:
            states.append(AnchorState(name, identity, None, ("is pinned, but not among the configured anchors",)))
            continue
        try:
            seen: Mapping[str, object] | None = _identity(anchor, digest_of=digest_of).to_json()
        except BadInput as error:
            states.append(AnchorState(name, identity, None, (str(error),)))
            continue
        assert seen is not None
        states.append(AnchorState(name, identity, seen, tuple(differences(identity, seen))))
    for name, anchor in configured.items():
        seen = None
        try:
            seen = _identity(anchor, digest_of=digest_of).to_json()
            problems: tuple[str, ...] = ("is configured, but not in the pinned set",)
        except BadInput as error:
            problems = ("is configured, but not in the pinned set", str(error))
        states.append(AnchorState(name, None, seen, problems))
    return states


def require_pinned(states: Sequence[AnchorState], *, next_step: str) -> None:
    """Refuse anchors that are not what was pinned; all that differs is named.

    Raises
    ------
    BadState
        Something differs.
    """
    wrong = [f"{state.name}: {'; '.join(state.problems)}" for state in states if state.problems]
    if wrong:
        raise BadState(f"the anchors are not the pinned ones: {' / '.join(wrong)}", next_step=next_step)

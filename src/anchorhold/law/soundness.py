"""Is the check sound: the anchor set, the identities at the endpoints, the conditions of both?

Values compare by value: 16 equals 16.0, true does not equal 1. Source: SPEC section 6.
May import: anchorhold.domain.contract, law.document, law.problems.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from anchorhold.domain.contract import Contract
from anchorhold.law.document import AnchorFields, Conditions, Document, Endpoint
from anchorhold.law.problems import Problems, Scope

ENDPOINTS: tuple[Scope, Scope] = ("old", "new")


def same_value(left: object, right: object) -> bool:
    """Whether two JSON values are equal by value."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return left.keys() == right.keys() and all(same_value(left[name], right[name]) for name in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(same_value(a, b) for a, b in zip(left, right, strict=True))
    return left == right


def check_set(document: Document, *, contract: Contract, problems: Problems) -> None:
    """The set has the contract's number of anchors, each name once."""
    expected = contract.parameters.anchors
    if len(document.anchors) != expected:
        problems.add(
            "anchor_count",
            scope="set",
            where="anchors",
            message=f"The set has {len(document.anchors)} anchors; contract edition {contract.edition} has {expected}.",
            next_step=f"Pin a set of {expected} foreign engines.",
        )
    _check_names(document.anchors, where="anchors", scope="set", problems=problems)


def _check_names(anchors: Sequence[AnchorFields], *, where: str, scope: Scope, problems: Problems) -> None:
    for name, count in Counter(anchor.name for anchor in anchors).items():
        if count > 1:
            problems.add(
                "anchor_twice",
                scope=scope,
                where=where,
                message=f"The anchor {name!r} stands {count} times.",
                next_step="Name every anchor once.",
            )


def check_identity(document: Document, *, attestation_needed: bool, problems: Problems) -> dict[str, set[str]]:
    """What ran at each endpoint is what was pinned.

    Parameters
    ----------
    attestation_needed : bool
        A register check: identity must be attested at both endpoints. In a bare document it may be left out.

    Returns
    -------
    dict
        Endpoint name → names of anchors whose identity does not hold there.
    """
    pinned = {anchor.name: anchor for anchor in document.anchors}
    doubtful: dict[str, set[str]] = {"old": set(), "new": set()}
    for scope in ENDPOINTS:
        endpoint: Endpoint = getattr(document.endpoints, scope)
        where = f"endpoints.{scope}.anchors"
        if endpoint.anchors is None:
            if attestation_needed:
                problems.add(
                    "identity_missing",
                    scope=scope,
                    where=where,
                    message=f"The {scope} endpoint does not attest which files were run.",
                    next_step="Measure it again; the runner hashes what it runs.",
                )
            continue
        _check_names(endpoint.anchors, where=where, scope=scope, problems=problems)
        seen = {anchor.name: anchor for anchor in endpoint.anchors}
        for name in sorted(seen.keys() - pinned.keys()):
            problems.add(
                "anchor_not_in_set",
                scope=scope,
                where=where,
                message=f"The anchor {name!r} is not in the pinned set.",
                next_step="Measure against the pinned set only.",
            )
        for name, anchor in pinned.items():
            if name not in seen:
                doubtful[scope].add(name)
                problems.add(
                    "anchor_not_attested",
                    scope=scope,
                    where=where,
                    message=f"The anchor {name!r} is pinned but not attested here.",
                    next_step="Attest all anchors of an endpoint, or measure it again.",
                )
                continue
            for field in AnchorFields.IDENTITY:
                there, here = getattr(anchor, field), getattr(seen[name], field)
                if not same_value(there, here):
                    doubtful[scope].add(name)
                    problems.add(
                        "anchor_identity_differs",
                        scope=scope,
                        where=f"{where}.{name}.{field}",
                        message=f"{field} of {name!r} is {_shown(here)} here and {_shown(there)} in the pinned set.",
                        next_step="Restore the pinned engine and measure again, or pin a new set for the next check.",
                    )
    return doubtful


def check_conditions(old: Mapping[str, object], new: Mapping[str, object], *, where: str, problems: Problems) -> None:
    """Both endpoints were played alike; one problem per condition that differs."""
    for field in Conditions.model_fields:
        there, here = old.get(field), new.get(field)
        if not same_value(there, here):
            problems.add(
                "conditions_differ",
                scope="comparison",
                where=f"{where}.{field}",
                message=f"{field} is {_shown(there)} at the old endpoint and {_shown(here)} at the new one.",
                next_step="Measure both endpoints under the same conditions.",
            )


def short_conditions(endpoint: Endpoint) -> dict[str, object]:
    """Conditions of the short stage: the long stage's, with what differs."""
    differing = endpoint.conditions_short.applying() if endpoint.conditions_short else {}
    return {**endpoint.conditions.applying(), **differing}


def _shown(value: object) -> str:
    if value is None:
        return "not stated"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"

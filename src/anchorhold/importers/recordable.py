"""Whether the register takes a proposed entry: at once where it plainly does, else by the entry's own form.

Loading the forms of all entries takes longer than reading thousands of commits, and nearly every entry is plain. May
import: anchorhold.errors, anchorhold.domain, anchorhold.importers.drafts, anchorhold.stats.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from anchorhold.errors import BadInput
from anchorhold.importers.drafts import Draft
from anchorhold.stats.elo import NoEstimate, elo_from_pentanomial, elo_from_trinomial
from anchorhold.stats.outcomes import Pentanomial, Trinomial

_MOST_COUNTED = 10**12
_MOST_ELO = 1000.0
_LONGEST = 1000
_TEXTS = frozenset({"id", "source", "date", "candidate", "base", "reason", "special", "of"})
_COUNTS = frozenset({"wins", "draws", "losses"})
_CONDITIONS = frozenset({"time_control", "movetime", "nodes", "depth", "threads", "hash_mb"})


def refusal(draft: Draft) -> str | None:
    """Return why the register would refuse an entry; None where it takes it."""
    if _is_plain(draft):
        return None
    from anchorhold.domain.payloads import read_payload_json

    try:
        read_payload_json(draft.kind, json.dumps(draft.payload, allow_nan=False))
    except BadInput as error:
        return str(error)
    return None


def _is_plain(draft: Draft) -> bool:
    """Whether each member is one that every form with it takes; False says nothing."""
    for name, value in draft.payload.items():
        if name in _TEXTS:
            if not isinstance(value, str) or not value.strip() or len(value) > _LONGEST:
                return False
        elif name not in {"short", "long"} or not isinstance(value, dict) or not _is_plain_stage(value):
            return False
    long = draft.payload.get("long")
    return draft.kind != "gain_test" or not isinstance(long, dict) or _counts_plainly(long)


def _counts_plainly(long: Mapping[str, Any]) -> bool:
    """Whether the counts of a plain stage give an Elo, and not another one than is printed."""
    pairs, games = long.get("pentanomial"), [long.get(name) for name in ("losses", "draws", "wins")]
    try:
        if pairs is not None:
            counted = elo_from_pentanomial(Pentanomial(*pairs))
        elif None not in games:
            counted = elo_from_trinomial(Trinomial(wins=long["wins"], draws=long["draws"], losses=long["losses"]))
        else:
            return False
    except NoEstimate:
        return False
    return "elo" not in long or bool(abs(long["elo"] - counted.elo) <= counted.error)


def _is_plain_stage(stage: Mapping[str, object]) -> bool:
    return all(_is_plain_member(name, value) for name, value in stage.items())


def _is_plain_member(name: str, value: object) -> bool:
    if name in _COUNTS:
        return type(value) is int and 0 <= value < _MOST_COUNTED
    if name == "pairs":
        return type(value) is int and 0 < value < _MOST_COUNTED
    if name == "pentanomial":
        return isinstance(value, list) and len(value) == 5 and all(_is_plain_member("wins", one) for one in value)
    if name == "passed":
        return isinstance(value, bool)
    if name in {"outcome", "bounds_model"}:
        return isinstance(value, str) and bool(value.strip())
    if name == "bounds":
        return isinstance(value, list) and len(value) == 2 and -_MOST_ELO < value[0] < value[1] < _MOST_ELO
    if name in {"elo", "llr"}:
        return type(value) is float and -_MOST_ELO < value < _MOST_ELO
    if name == "elo_error":
        return type(value) is float and 0.0 < value < _MOST_ELO
    if name in {"alpha", "beta"}:
        return type(value) is float and 0.0 < value < 0.5
    return name == "conditions" and isinstance(value, dict) and all(map(_is_plain_condition, value.items()))


def _is_plain_condition(item: tuple[str, object]) -> bool:
    name, value = item
    if name == "time_control":
        return isinstance(value, str) and bool(value.strip()) and len(value) < _LONGEST
    whole = name not in {"movetime", "hash_mb"}
    return (
        name in _CONDITIONS
        and (type(value) is int or (type(value) is float and not whole))
        and 0 < value < _MOST_COUNTED
    )

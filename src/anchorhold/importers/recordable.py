"""Whether the register takes a proposed entry: at once where it plainly does, else by the entry's own form.

Loading the forms of all entries takes longer than reading thousands of commits, and nearly every entry is plain. May
import: anchorhold.errors, anchorhold.domain, anchorhold.importers.drafts, anchorhold.stats.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from operator import mul
from typing import Any

from anchorhold.errors import BadInput
from anchorhold.importers.drafts import Draft
from anchorhold.stats.elo import NoEstimate, elo_from_pentanomial, elo_from_trinomial
from anchorhold.stats.outcomes import Pentanomial, Trinomial

_MOST_COUNTED = 10**12
_MOST_ELO = 1000.0
_LONGEST = 1000
_TEXTS = frozenset({"id", "source", "date", "candidate", "base", "reason", "special", "of"})
_MANY = 100
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
    counts = pairs if pairs is not None else games
    if None in counts:
        return False
    if "elo" not in long:
        total = sum(counts)
        score = sum(map(mul, counts, range(len(counts)))) / (len(counts) - 1)
        # Each such sample's estimate lies within what an estimate may be, however its classes are filled.
        if total >= _MANY and 0.2 * total < score < 0.8 * total and max(counts) < total:
            return True
    try:
        if pairs is not None:
            counted = elo_from_pentanomial(Pentanomial(*pairs))
        else:
            counted = elo_from_trinomial(Trinomial(wins=long["wins"], draws=long["draws"], losses=long["losses"]))
    except NoEstimate:
        return False
    return "elo" not in long or bool(abs(long["elo"] - counted.elo) <= counted.error)


def _is_plain_stage(stage: Mapping[str, object]) -> bool:
    for name, value in stage.items():
        sort = _SORTS.get(name)
        if sort is None or not sort(value):
            return False
    return True


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value < _MOST_COUNTED


def _is_five_counts(value: object) -> bool:
    return type(value) is list and len(value) == 5 and all(map(_is_count, value))


def _is_text(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) < _LONGEST and not value.isspace()


def _is_elo(value: object) -> bool:
    return type(value) is float and -_MOST_ELO < value < _MOST_ELO


def _is_rate(value: object) -> bool:
    return type(value) is float and 0.0 < value < 0.5


def _are_bounds(value: object) -> bool:
    return type(value) is list and len(value) == 2 and -_MOST_ELO < value[0] < value[1] < _MOST_ELO


def _are_conditions(value: object) -> bool:
    return type(value) is dict and all(map(_is_plain_condition, value.items()))


def _is_plain_condition(item: tuple[str, object]) -> bool:
    name, value = item
    if name == "time_control":
        return _is_text(value)
    whole = name not in {"movetime", "hash_mb"}
    return (
        name in _CONDITIONS
        and (type(value) is int or (type(value) is float and not whole))
        and 0 < value < _MOST_COUNTED
    )


_SORTS: dict[str, Callable[[object], bool]] = {
    "passed": lambda value: type(value) is bool,
    "elo": _is_elo,
    "elo_error": lambda value: type(value) is float and 0.0 < value < _MOST_ELO,
    "pentanomial": _is_five_counts,
    "pairs": lambda value: _is_count(value) and value != 0,
    "wins": _is_count,
    "draws": _is_count,
    "losses": _is_count,
    "bounds": _are_bounds,
    "bounds_model": _is_text,
    "alpha": _is_rate,
    "beta": _is_rate,
    "llr": _is_elo,
    "outcome": _is_text,
    "conditions": _are_conditions,
}
"""What each member of a stage must plainly be."""

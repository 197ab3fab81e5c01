r"""Entries of tests in the form that imports give them, known from their canonical text alone.

To load the forms of all entries (``domain.payloads``) takes longer than to read a history of thousands of tests, and
nearly every imported entry has one shape. What is said to be usual here is canonical JSON (RFC 8785) and taken by its
kind's form; what is not is looked at there. May import: anchorhold.stats.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_TEXT = r'"[!#-\[\]-~][ !#-\[\]-~]{0,999}"'
"""ASCII without escapes, beginning with a sign that is seen."""
_DAY = r'"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])"'
_WHOLE = r"(?:0|[1-9]\d{0,11})"
_ABOVE_0 = r"[1-9]\d{0,11}"
_PART = r"\.(?!0000)\d{0,9}[1-9]"
"""Up to ten decimals: with the digits before them at most 15, so that no shorter number is the same double."""
_REAL = rf"(?:-?[1-9]\d{{0,2}}(?:{_PART})?|-?0{_PART}|0)"
_POSITIVE = rf"(?:[1-9]\d{{0,2}}(?:{_PART})?|0{_PART})"
_SIZE = rf"(?:{_ABOVE_0}|{_POSITIVE})"
_RATE = r"0\.(?!0000)\d{0,18}[1-9]"
_CONDITIONS = (
    rf'\{{(?!\}})(?:"depth":{_ABOVE_0}(?:,(?!\}})|(?=\}})))?(?:"hash_mb":{_SIZE}(?:,(?!\}})|(?=\}})))?'
    rf'(?:"movetime":{_POSITIVE}(?:,(?!\}})|(?=\}})))?(?:"nodes":{_ABOVE_0}(?:,(?!\}})|(?=\}})))?'
    rf'(?:"threads":{_ABOVE_0}(?:,(?!\}})|(?=\}})))?(?:"time_control":{_TEXT})?\}}'
)
_STAGE = re.compile(
    rf'\{{(?:"alpha":({_RATE}),"beta":({_RATE}),)?(?:"bounds":\[({_REAL}),({_REAL})\],)?'
    rf'(?:"bounds_model":"(?:normalized|logistic|bayeselo)",)?(?:"conditions":{_CONDITIONS},)?'
    rf'(?:"draws":({_WHOLE}),)?(?:"elo":({_REAL}),)?(?:"elo_error":({_POSITIVE}),)?(?:"llr":{_REAL},)?'
    rf'(?:"losses":({_WHOLE}),)?"outcome":{_TEXT},(?:"pairs":{_ABOVE_0},)?"passed":(true|false)'
    rf'(?:,"pentanomial":\[({_WHOLE}),({_WHOLE}),({_WHOLE}),({_WHOLE}),({_WHOLE})\])?(?:,"wins":({_WHOLE}))?\}}',
    re.ASCII,
)
_HEAD = re.compile(
    rf'\{{(?:"all_kept":(?:true|false),)?(?:"base":{_TEXT},)?(?:"candidate":{_TEXT},)?(?:"date":{_DAY},)?"id":({_TEXT})',
    re.ASCII,
)
_TAIL = re.compile(
    rf'(?:,"source":{_TEXT})?(?:,"special":"(edge_case|tempo_change|game_settings|simplification)")?\}}', re.ASCII
)
_REASON = re.compile(rf',"reason":{_TEXT}', re.ASCII)
_RETRACTION = re.compile(rf'\{{"id":({_TEXT}),"of":{_TEXT}\}}', re.ASCII)
_GENESIS = re.compile(rf'\{{(?:"project":{_TEXT},)?"schema":"anchorhold/register/1"\}}', re.ASCII)
_TESTS = frozenset({"gain_test", "rejected_test", "special_path"})
_MANY = 100
_SURELY_SHORTEST = 16


def is_usual(kind: str, payload: str) -> bool:
    """Whether a payload's text is canonical and what its kind's form takes; False says nothing.

    Examples
    --------
    >>> is_usual("retraction", '{"id":"commit:1","of":"not named"}')
    True
    """
    return usual_id(kind, payload) is not None


def usual_id(kind: str, payload: str) -> str | None:
    """Return the id in a payload's usual text, empty for a form without one; None for a text that is not usual."""
    if kind in _TESTS:
        return _test_id(kind, payload)
    if kind == "retraction":
        found = _RETRACTION.fullmatch(payload)
        return None if found is None else found[1][1:-1]
    if kind == "genesis":
        return None if _GENESIS.fullmatch(payload) is None else ""
    return None


def _test_id(kind: str, payload: str) -> str | None:
    head = _HEAD.match(payload)
    if head is None:
        return None
    at, long, short = head.end(), None, None
    if payload.startswith(',"long":', at):
        long = _STAGE.match(payload, at + 8)
        if long is None or not _holds(long):
            return None
        at = long.end()
    if payload.startswith(',"reason":', at):
        reason = _REASON.match(payload, at)
        if reason is None:
            return None
        at = reason.end()
    if payload.startswith(',"short":', at):
        short = _STAGE.match(payload, at + 9)
        if short is None or not _holds(short):
            return None
        at = short.end()
    tail = _TAIL.fullmatch(payload, at)
    if tail is None or (tail[1] is None) == (kind == "special_path"):
        return None
    if kind == "gain_test" and long is not None and short is not None and long[9] == short[9] == "true":
        return head[1][1:-1] if _gives_an_elo(long) else None  # it counts, and so must have an Elo
    return head[1][1:-1]


def _holds(stage: re.Match[str]) -> bool:
    """Whether rates, bounds and counts are such as the form of a stage takes."""
    alpha, beta, low, high, draws, _, _, losses, _, ll, ld, dd, wd, ww, wins = stage.groups()
    if alpha is not None and not (_is_rate(alpha) and _is_rate(beta)):
        return False
    if low is not None and float(low) >= float(high):
        return False
    if draws is None:
        return losses is None and wins is None
    if losses is None or wins is None:
        return False
    if ll is None:
        return True
    pairs = int(ll), int(ld), int(dd), int(wd), int(ww)
    return _agree(pairs, int(wins), int(draws), int(losses))


def _is_rate(digits: str) -> bool:
    """Whether it is below 0.5, and the shortest text of its double."""
    return digits < "0.5" and (len(digits) <= _SURELY_SHORTEST or repr(float(digits)) == digits)


def _agree(pairs: Sequence[int], wins: int, draws: int, losses: int) -> bool:
    """Whether ``stats.outcomes.contradictions`` finds none, without saying which."""
    ll, ld, dd, wd, ww = pairs
    decided = ld + wd
    return (
        wins + draws + losses == 2 * (ll + decided + dd + ww)
        and wins - losses == 2 * (ww - ll) + wd - ld
        and decided <= draws <= decided + 2 * dd
    )


def _gives_an_elo(long: re.Match[str]) -> bool:
    """Whether the counts of a stage plainly give an Elo, and it prints none that could be another."""
    _, _, _, _, draws, elo, error, losses, _, ll, ld, dd, wd, ww, wins = long.groups()
    if ll is not None:
        counts: tuple[int, ...] = int(ll), int(ld), int(dd), int(wd), int(ww)
        score = counts[1] + 2 * counts[2] + 3 * counts[3] + 4 * counts[4]
    elif draws is not None:
        counts = int(losses), int(draws), int(wins)
        score = counts[1] + 2 * counts[2]
    else:
        return False
    if elo is None:
        total = sum(counts)
        most = (len(counts) - 1) * total
        # Each such sample's estimate lies within what an estimate may be, however its classes are filled.
        return total >= _MANY and 0.2 * most < score < 0.8 * most and max(counts) < total
    if not any(counts):
        return False
    from anchorhold.stats import elo as estimates
    from anchorhold.stats.outcomes import GAME_SCORES, PAIR_SCORES, Pentanomial, Trinomial

    if error is not None:
        near = estimates.near_elo(counts, PAIR_SCORES if ll is not None else GAME_SCORES)
        return abs(float(elo) - near) < float(error)
    try:
        if ll is not None:
            counted = estimates.elo_from_pentanomial(Pentanomial(*map(int, (ll, ld, dd, wd, ww))))
        else:
            counted = estimates.elo_from_trinomial(Trinomial(wins=int(wins), draws=int(draws), losses=int(losses)))
    except estimates.NoEstimate:
        return False
    return bool(abs(float(elo) - counted.elo) < counted.error)

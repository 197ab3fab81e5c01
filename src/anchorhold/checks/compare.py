"""Two result documents compared: one that was stored, one that the entries give.

Figures compare to 1e-9; the selection-corrected sum, which rests on a search, to a thousandth of an Elo; the
Monte-Carlo band within five standard errors, since a library's random stream may change. Texts of findings may be
worded anew, so their codes and places are compared. Source: SPEC sections 4 and 7.
May import: nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

TOLERANCE = 1e-9
SEARCHED = 1e-3
"""Elo by which a figure may differ that a search has found, not a formula."""
STANDARD_ERRORS = 5.0
SHARES = ("halt", "warn", "continue", "s_not_positive")
BAND_ENDS = 0.05
"""Ends of the band may differ by this part of its width."""
BOOTSTRAP_ENDS = 0.25
"""Those of the selection-corrected sum's interval by this part: five standard errors of quantiles of 400 draws."""
ADDED = frozenset({"s_median_unbiased_interval", "s_selection_corrected_interval"})
"""Members that results recorded by older programs do not have."""


def compare_results(stored: Mapping[str, object], again: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Yield place and message for everything in which two result documents differ beyond the tolerances."""
    for name in sorted(set(stored) | set(again)):
        if name in ADDED and name not in stored:
            continue
        if name == "band":
            yield from _band(stored.get(name), again.get(name))
        elif name in ("defects", "gaps", "notes"):
            yield from _findings(name, stored.get(name), again.get(name))
        elif name == "s_selection_corrected" and _is_near(stored.get(name), again.get(name)):
            continue
        elif name == "s_selection_corrected_interval":
            yield from _bootstrap(name, stored[name], again.get(name))
        elif name not in stored or name not in again:
            yield name, "is not stored" if name not in stored else "is stored, and no part of a result"
        else:
            yield from compare_values(name, stored[name], again[name])


def compare_values(where: str, stored: object, again: object) -> Iterator[tuple[str, str]]:
    """Yield place and message for every value in which two parts of result documents differ beyond 1e-9."""
    if isinstance(stored, Mapping) and isinstance(again, Mapping):
        for name in sorted(set(stored) | set(again)):
            yield from compare_values(f"{where}.{name}", stored.get(name), again.get(name))
    elif isinstance(stored, list) and isinstance(again, list) and len(stored) == len(again):
        for place, (one, other) in enumerate(zip(stored, again, strict=True)):
            yield from compare_values(f"{where}.{place}", one, other)
    elif _is_number(stored) and _is_number(again):
        if not math.isclose(float(stored), float(again), rel_tol=TOLERANCE, abs_tol=TOLERANCE):  # type: ignore[arg-type]
            yield where, f"{stored} is stored, the entries give {again}"
    elif stored != again or isinstance(stored, bool) != isinstance(again, bool):
        yield where, f"{_shown(stored)} is stored, the entries give {_shown(again)}"


def _findings(name: str, stored: object, again: object) -> Iterator[tuple[str, str]]:
    def codes(value: object) -> list[tuple[object, object]]:
        items = value if isinstance(value, list) else []
        return sorted(((item.get("code"), item.get("where")) for item in items if isinstance(item, Mapping)), key=str)

    if codes(stored) != codes(again):
        shown = [", ".join(str(code) for code, _ in codes(value)) or "none" for value in (stored, again)]
        yield name, f"{shown[0]} stored, the entries give {shown[1]}"


def _band(stored: object, again: object) -> Iterator[tuple[str, str]]:
    if not isinstance(stored, Mapping) or not isinstance(again, Mapping):
        yield from compare_values("band", stored, again)
        return
    for name in sorted(set(stored) | set(again) - {"low", "high", *SHARES}):
        if name in ("low", "high", *SHARES):
            continue
        yield from compare_values(f"band.{name}", stored.get(name), again.get(name))
    draws = again["draws"]
    assert isinstance(draws, int)
    for name in SHARES:
        one, other = stored.get(name), again[name]
        assert isinstance(other, float | int)
        # Both shares are estimates; half a draw keeps a share of 0 from having no error at all.
        share = min(max(float(other), 0.5 / draws), 1 - 0.5 / draws)
        allowed = STANDARD_ERRORS * math.sqrt(2 * share * (1 - share) / draws)
        if not _is_number(one) or abs(float(one) - float(other)) > allowed:  # type: ignore[arg-type]
            yield f"band.{name}", f"{one} is stored, the entries give {other}"
    yield from _ends("band", stored, again, allowed=BAND_ENDS)


def _ends(
    where: str, stored: Mapping[str, object], again: Mapping[str, object], *, allowed: float
) -> Iterator[tuple[str, str]]:
    """Compare the ends of a simulated interval; they may differ by this part of its width."""
    low, high = again["low"], again["high"]
    if not isinstance(low, float | int) or not isinstance(high, float | int):
        # Near the limit of draws without a ratio a repetition may have ends where this one has none.
        return
    for name, other in (("low", low), ("high", high)):
        one = stored.get(name)
        if one is not None and (not _is_number(one) or abs(float(one) - other) > allowed * (high - low)):  # type: ignore[arg-type]
            yield f"{where}.{name}", f"{one} is stored, the entries give {other}"


def _bootstrap(where: str, stored: object, again: object) -> Iterator[tuple[str, str]]:
    if not isinstance(stored, Mapping) or not isinstance(again, Mapping):
        yield from compare_values(where, stored, again)
        return
    # An interval always has both its ends; one that is missing differs.
    for name in sorted({"low", "high"} - {key for key, value in stored.items() if _is_number(value)}):
        yield f"{where}.{name}", f"{_shown(stored.get(name))} is stored, the entries give {again[name]}"
    yield from _ends(where, stored, again, allowed=BOOTSTRAP_ENDS)


def _is_near(stored: object, again: object) -> bool:
    return _is_number(stored) and _is_number(again) and abs(float(stored) - float(again)) <= SEARCHED  # type: ignore[arg-type]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"

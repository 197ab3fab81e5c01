"""The form that fishtest prints to the letter: nine rows in ten of a history, read without trying the others.

Whatever differs from it in one character is left to ``rows``. May import: anchorhold.importers.commits.fields.
"""

from __future__ import annotations

from anchorhold.importers.commits.fields import Fields
from anchorhold.importers.patterns import Pattern

_EXACT_LLR = (
    r"LLR: (?P<llr>-?\d{1,3}\.\d\d) \((?P<low>-\d\.\d\d), ?(?P<high>\d\.\d\d)\) "
    r"(?P<open>[\[<{])(?P<elo0>-?\d{1,2}\.\d\d), ?(?P<elo1>-?\d{1,2}\.\d\d)(?P<close>[\]>}])"
)
_EXACT_COUNTS = r"Total: (?P<n>\d{1,9}) W: (?P<w>\d{1,9}) L: (?P<l>\d{1,9}) D: (?P<d>\d{1,9})"
_EXACT_PAIRS = r"Ptnml\(0-2\): (?P<p>\d{1,9}, \d{1,9}, \d{1,9}, \d{1,9}, \d{1,9})"
_EXACT = Pattern(rf"{_EXACT_LLR}$|{_EXACT_COUNTS}$|{_EXACT_PAIRS}$")
_EXACT_REPORT = Pattern(rf"{_EXACT_LLR}\n{_EXACT_COUNTS}(?:\n{_EXACT_PAIRS})?(?=\n|$)")


def exact_row(text: str) -> Fields | None:
    """Read the form that nine rows in ten have to the letter, without trying all the others."""
    found = _EXACT.match(text)
    if found is None:
        return None
    if found.lastgroup == "close":
        llr, low, high, bracket, elo0, elo1 = found.group("llr", "low", "high", "open", "elo0", "elo1")
        return Fields(
            family="fishtest",
            starts=True,
            llr=float(llr),
            llr_bounds=(float(low), float(high)),
            elo_bounds=(float(elo0), float(elo1)),
            bracket=bracket,
        )
    if found.lastgroup == "d":
        games, wins, losses, draws = (int(digits) for digits in found.group("n", "w", "l", "d"))
        return Fields(family="fishtest", games=games, wins=wins, losses=losses, draws=draws)
    return Fields(family="fishtest", pentanomial=tuple(int(digits) for digits in found.group("p").split(", ")))


def is_exact_row(text: str) -> bool:
    """Whether a line is a row in the usual form of fishtest, to the letter."""
    return _EXACT.match(text) is not None


def exact_report(text: str) -> tuple[Fields, int] | None:
    """Read the rows of one report at the start of a text, as fishtest prints them to the letter; also their number."""
    found = _EXACT_REPORT.match(text)
    if found is None:
        return None
    llr, low, high, bracket, elo0, elo1, _, games, wins, losses, draws, pairs = found.groups()
    fields = Fields(
        family="fishtest",
        starts=True,
        llr=float(llr),
        llr_bounds=(float(low), float(high)),
        elo_bounds=(float(elo0), float(elo1)),
        bracket=bracket,
        games=int(games),
        wins=int(wins),
        losses=int(losses),
        draws=int(draws),
    )
    if pairs is None:
        return fields, 2
    fields.pentanomial = tuple(int(digits) for digits in pairs.split(", "))
    return fields, 3

"""Figures in one line of a report: counts, pairs, Elo, brackets, wherever in the line they stand.

May import: anchorhold.importers.commits.fields, anchorhold.importers.commits.numbers.
"""

from __future__ import annotations

import re

from anchorhold.importers.commits.fields import Fields
from anchorhold.importers.commits.numbers import COUNT, MARGIN, NUMBER, count, groups_after, number, tell_apart
from anchorhold.importers.patterns import Pattern

_I = re.IGNORECASE
_TOTAL = Pattern(rf"\b(?:Total|Games?|N)\b\s*[:=|]?\s*(?:N\s*[:=]\s*)?({COUNT})(?![\d.%])", _I)
_LETTER = {
    "wins": Pattern(rf"(?<![\w+.-])W(?:ins?|on)?\s*[:=]\s*({COUNT})(?![\d.%])", _I),
    "losses": Pattern(rf"(?<![\w+.-])L(?:oss(?:es)?|ost)?\s*[:=]\s*({COUNT})(?![\d.%])", _I),
    "draws": Pattern(rf"(?<![\w+.-])D(?:raws?|rawn)?\s*[:=]\s*({COUNT})(?![\d.%])", _I),
}
_NAMED = Pattern(r"[:=]\s*\d")
_ONLY_GAMES = Pattern(rf"(?:Total|Games)\s*[:|]?\s*(?:N:\s*)?({COUNT})(?=\s*$|\s*\[\s*w\s*:|\s+W)", _I)
_ORDERED = Pattern(
    rf"(?<!\w)([WLD])\s?[-/|,+]?\s?([WLD])\s?[-/|,=]?\s?([WLD])\s*[:=]?\s*"
    rf"({COUNT})\s*[-/|,]\s*({COUNT})\s*[-/|,]\s*({COUNT})(?![\d.%])",
    _I,
)
_BARE_LETTERS = Pattern(rf"\bW\s+({COUNT})\W+L\s+({COUNT})\W+D\s+({COUNT})", _I)
_WORD = {
    "wins": Pattern(rf"(?<![\w.])({COUNT})\s+wins?\b", _I),
    "losses": Pattern(rf"(?<![\w.])({COUNT})\s+loss(?:es)?\b", _I),
    "draws": Pattern(rf"(?<![\w.])({COUNT})\s+draws?\b", _I),
}
_PTNML = Pattern(
    r"\b(?P<name>Ptnml|Penta(?:nomial)?|LL\W+LD\W+(?:DD|D|WL)\S*\W+(?:WD|DW)\W+WW)\b\s*"
    r"(?:[(\[]\s*0\s*-\s*2\s*[)\]])?\s*[:=|]?\s*[\[({]?\s*"
    r"(?P<list>\d+(?:\s*[,;/|]\s*\d+|\s+\d+)*)\s*(?P<more>,?)\s*(?P<end>[\])}]?)",
    _I,
)
VALUE = rf"(?:{NUMBER}|[-+]?inf|[-+]?nan(?:\(ind\))?)"
_ELO = Pattern(
    rf"(?P<word>(?<![\w-])Elo(?:\s+(?:diff(?:erence)?|gain))?)\s*(?:[:=]\s*)?(?P<elo>{VALUE})"
    rf"\s*(?:\(?\s*{MARGIN}\s*(?:99\s*%\s*:\s*[\d.]+\s+95\s*%\s*:\s*)?(?P<error>{VALUE})"
    rf"|[(\[]?\s*-(?P<minus>[\d.]+)\s*[/,]?\s*\+(?P<plus>[\d.]+)|[(\[]?\s*\+(?P<plus_first>[\d.]+)\s*[/,]?\s*-(?P<minus_last>[\d.]+)|(?P<range>\[\s*{NUMBER}\s*(?:,|to)\s*{NUMBER}\s*\]))",
    _I,
)
_ELO_BEHIND = Pattern(rf"(?<![\w.+/-])(?P<elo>{VALUE})\s*{MARGIN}\s*(?P<error>{VALUE})\s*Elo\b", _I)
_NOT_LOGISTIC = Pattern(r"(?:game\s?pairs?|pair|norm\w*|n|bayes\w*|logistic)\s*$", _I)
_SIGNS = Pattern(rf"(?<![\w.+=-])([+=-])\s?({COUNT})[\s,;]+([+=-])\s?({COUNT})[\s,;]+([+=-])\s?({COUNT})(?![\d.%])")


def take_signed(row: Fields, text: str) -> re.Match[str] | None:
    """Take counts that signs tell apart: ``+6378 -6556 =8210``."""
    found = _SIGNS.search(text)
    if found is None or {found.group(1), found.group(3), found.group(5)} != {"+", "-", "="}:
        return None
    by_sign = {found.group(index): count(found.group(index + 1)) for index in (1, 3, 5)}
    row.wins, row.losses, row.draws = by_sign["+"], by_sign["-"], by_sign["="]
    return found


def take_counts(row: Fields, text: str) -> int:
    """Take games, wins, losses, draws from a line; returns where they begin, or the length of the text."""
    found: dict[str, re.Match[str] | None] = dict.fromkeys(_LETTER)
    if _NAMED.search(text):
        found = {name: pattern.search(text) for name, pattern in _LETTER.items()}
    if found["wins"] is None or found["losses"] is None:
        found = {name: pattern.search(text) for name, pattern in _WORD.items()} if "loss" in text.casefold() else {}
    starts = [match.start() for match in found.values() if match]
    if found.get("wins") and found.get("losses"):
        for name, match in found.items():
            setattr(row, name, count(match.group(1)) if match else None)
    elif bare := _BARE_LETTERS.search(text):
        row.wins, row.losses, row.draws = (count(bare.group(index)) for index in (1, 2, 3))
        starts.append(bare.start())
    elif (ordered := _ORDERED.search(text)) and {letter.upper() for letter in ordered.group(1, 2, 3)} == set("WLD"):
        by_letter = dict(zip(ordered.group(1, 2, 3), ordered.group(4, 5, 6), strict=True))
        row.wins, row.losses, row.draws = (count(by_letter.get(name) or by_letter[name.lower()]) for name in "WLD")
        starts.append(ordered.start())
    elif (lone := _LETTER["draws"].match(text)) and lone.end() == len(text):
        row.draws = count(lone.group(1))
    else:
        starts = []
        only = _ONLY_GAMES.match(text)
        if not only:
            return len(text)
        row.games = count(only.group(1))
        return 0
    if total := _TOTAL.search(text):
        row.games = count(total.group(1))
        starts.append(total.start())
    return min(starts, default=0)


def take_pairs(row: Fields, text: str) -> int:
    """Take a list of pairs from a line; returns where it begins, or the length of the text."""
    found = _PTNML.search(text)
    if not found:
        return len(text)
    if found.group("list").isdecimal() and not found.group("more"):
        return len(text)  # the head of a column, or a torn list with nothing to read
    row.pentanomial = integers(found.group("list"))
    if len(row.pentanomial) > 5 and len(parts := re.split(r",\s+|;|\s", found.group("list"))) == 5:
        row.pentanomial = integers(" ".join(part.replace(",", "") for part in parts))
    row.more_pairs = (len(row.pentanomial) < 5 and not found.group("end")) or None
    return found.start()


def take_elo(row: Fields, text: str) -> re.Match[str] | None:
    """Take logistic Elo with its error from a line; returns where it stands."""
    for found in _ELO.finditer(text):
        if _NOT_LOGISTIC.search(text, max(0, found.start() - 20), found.start()):
            continue
        row.elo = finite(found.group("elo"))
        row.elo_error = finite(found.group("error"))
        for below, above in (("minus", "plus"), ("minus_last", "plus_first")):
            if found.group(below) and found.group(below) == found.group(above):
                row.elo_error = finite(found.group(above))
        return found
    return None


def take_elo_behind(row: Fields, text: str) -> None:
    """Take Elo whose name stands behind it, ``+24.4 +- 22.6 Elo``: where counts stand, for prose has it, too."""
    if (found := _ELO_BEHIND.search(text)) is not None:
        row.elo, row.elo_error = finite(found.group("elo")), finite(found.group("error"))


def take_groups(row: Fields, text: str, at: int) -> None:
    """Take the bounds in brackets from a place in the line on; what follows them is the rest."""
    groups, end = groups_after(text, at)
    row.llr_bounds, row.elo_bounds, row.bracket = tell_apart(groups)
    row.rest = text[end:].strip() or None


def integers(text: str) -> tuple[int, ...]:
    """Return the whole numbers in a text; those with more digits than any count has are left out."""
    return tuple(int(digits) for digits in re.findall(r"\d+", text) if len(digits) <= 16)


def finite(text: str | None) -> float | None:
    """Return a printed number; None for none, and for what programs print where there is none."""
    if text is None or not re.fullmatch(NUMBER, text):
        return None
    return number(text)


def lead_of(text: str) -> str | None:
    """Return what stands before the data of a row without its punctuation."""
    return text.strip(" \t:-|,;*") or None

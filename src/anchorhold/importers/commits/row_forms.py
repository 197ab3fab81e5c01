"""The forms that a line of a report has: each reads one line by its own marks, or gives None.

Fishtest's lines and web page, OpenBench's table, the consoles of cutechess and fastchess, scripts and logs. May import:
anchorhold.importers.commits.*.
"""

from __future__ import annotations

import re

from anchorhold.importers.commits.fields import Fields
from anchorhold.importers.commits.numbers import COUNT, MARGIN, NUMBER, count, groups_after, number, tell_apart
from anchorhold.importers.commits.row_figures import (
    VALUE,
    finite,
    lead_of,
    take_counts,
    take_elo,
    take_elo_behind,
    take_groups,
    take_pairs,
    take_signed,
)
from anchorhold.importers.commits.spelling import table_rows
from anchorhold.importers.patterns import Pattern

_I = re.IGNORECASE
LONGEST_LEAD = 120
"""Characters before the data of a row; a longer text is prose that happens to name a figure."""
_PIPE = Pattern(
    r"^(?P<lead>[^|]*\||[^|]{1,60}[:>-]\s)?\s*(?P<name>ELO|LO|SPRT|CONF\w*|LLR|L?LR|GAMES?|PENTA\w*|PTNML(?:\(0-2\))?)\s*\|(?P<rest>.*)$",
    _I,
)
_LLR = Pattern(rf"(?:(?<![\w-])|(?<=inf)|(?<=\d))(?P<name>LLR|LR)\b\s*(?:[:=|]\s*)?(?P<llr>{NUMBER})(?![\w%])", _I)
_PAGE_LLR = Pattern(rf"^LLR\s*\[\s*({NUMBER})\s*,\s*({NUMBER})\s*\]\s*:\s*({NUMBER})$", _I)
_PAGE_SPRT = Pattern(rf"^SPRT\s.*?elo0\s*[:=]\s*({NUMBER}).*?elo1\s*[:=]\s*({NUMBER})", _I)
_PAGE_COUNT = Pattern(rf"^(Total|Wins?|Loss(?:es)?|Draws?)\s*:\s*({COUNT})\s*(?:\(\s*[\d.]+\s*%\s*\))?$", _I)
_PAGE_ELO = Pattern(rf"^LogisticElo range\s*:\s*\[\s*{NUMBER}\s*,\s*({NUMBER})\s*,\s*{NUMBER}\s*\]", _I)
_PAGE_PARTS = ("llr", "sprt", "log", "total", "w", "loss", "draw")
_DISTRIBUTION = Pattern(r"^Distr(?:ibution)?\s*:\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*$", _I)
_BARE_ELO = Pattern(rf"^Elo(?P<of> difference)?\s*[:=]\s*(?P<elo>{VALUE})\s*(?:\(95\s*%\))?\s*(?:,.*)?$", _I)
_THREE = rf"(?P<w>{COUNT})\s*-\s*(?P<l>{COUNT})\s*-\s*(?P<d>{COUNT})"
_SCORE = Pattern(
    rf"^(?P<lead>.*?)\bScore\b(?:\s+of\s+(?P<names>.+?\s+vs\.?\s+.+?))?(?:\s+after\s+\d+\s+(?:rounds|games))?\s*:\s*{_THREE}"
    rf"\s*(?:[\[(]\s*[\d.]+\s*%?\s*[\])])?\s*(?P<n>{COUNT})?(?P<rest>.*)$",
    _I,
)
_BARE_SCORE = Pattern(rf"^(?P<lead>(?:.*?[:\s])?){_THREE}\s*\[\s*[\d.]+\s*\]\s*(?P<n>{COUNT})?(?P<rest>.*)$")
_CUTECHESS_SPRT = Pattern(
    rf"\bSPRT\s*:?\s*llr\s*({NUMBER})\s*(?:\(\s*{VALUE}\s*%\s*\))?\s*,?\s*lbound\s*({VALUE})\s*,?\s*ubound\s*({VALUE})",
    _I,
)
_VERDICT_ROW = Pattern(r"^(?:=>\s*)?H[01]\b.{0,20}accepted|^SPRT\b.*\bcompleted\b.*H[01]", _I)
_RESULTS = Pattern(r"^(?P<lead>.*?)\bResults of\s+\S.*?\s+vs\.?\s+[^()]+?\s*(?P<conditions>\(.*\))?\s*:?\s*$", _I)
_SIGNED_ELO = Pattern(rf"({NUMBER})\s*ELO\b\s*(?:\(\s*{MARGIN}\s*({NUMBER})\s*\))?", _I)
_PLAIN_ELO = Pattern(rf"\bElo\s*[:=]?\s*({NUMBER})()", _I)
_VERSUS = Pattern(
    rf"^(?P<lead>.*?)(?P<w>{COUNT})(?:\s*-\s*|\s+)(?P<l>{COUNT})(?:\s*-\s*|\s+)(?P<d>{COUNT})\s+\(?\s*ELO\s*(?P<elo>{NUMBER})\s*\)?\s*(?:\(?\s*{MARGIN}\s*(?P<error>{NUMBER})\s*\)?)?",
    _I,
)
_SPRT_AT = Pattern(r"^(?P<lead>.{0,40}?)\bSPRT\s*(?:@|:)\s*(?P<rest>.*\d.*)$", _I)
_BOUNDS = Pattern(r"^(?:SPRT\s+)?BOUNDS?\s*[:=|]?\s*(?=[\[({<])", _I)
_ONLY_GROUPS = Pattern(r"^\s*[\[({<]\s*[-+\d.]")
_SCRIPT = Pattern(r"--wins[= ](\d+)\b.*--losses[= ](\d+)\b.*--draws[= ](\d+)\b", _I)
_SCRIPT_ELO = Pattern(rf"--elo0[= ]({NUMBER})\b.*--elo1[= ]({NUMBER})", _I)
_GAMES_WORD = Pattern(rf"(?<![\w.])({COUNT})\s+games\b", _I)


def table_row(text: str) -> Fields | None:
    """Read a row of OpenBench's table: ``LLR | …``; several on one line when they are of one report."""
    whole: Fields | None = None
    for part in table_rows(text):
        row = _pipe_row(part)
        if row is None or (whole is not None and whole.values().keys() & row.values().keys()):
            return None
        if whole is None:
            whole = row
        else:
            lead = whole.lead
            whole.take(row)
            whole.lead = lead
    return whole


def _pipe_row(text: str) -> Fields | None:
    found = _PIPE.match(text)
    if not found:
        return None
    name, rest = found.group("name").upper(), found.group("rest").strip().rstrip("|").strip()
    row = Fields(family="openbench", lead=lead_of((found.group("lead") or "").strip(" |")))
    if name in {"ELO", "LO"}:
        value = re.match(rf"({VALUE})\s*(?:{MARGIN}\s*({VALUE}))?", rest, _I)
        if value:
            row.elo, row.elo_error = finite(value.group(1)), finite(value.group(2))
        row.starts = True
    elif name == "SPRT":
        row.header = rest
    elif name.startswith("CONF"):
        row.header, row.fixed = rest, True
    elif name in {"LLR", "LR"}:
        value = re.match(NUMBER, rest)
        if value:
            row.llr = number(value.group())
            take_groups(row, rest, value.end())
    elif name.startswith("GAME"):
        if signed := re.match(rf"({COUNT})\s*:?\s*(?=[+=-]\s?\d)", rest):
            row.games = count(signed.group(1))
            take_signed(row, rest[signed.end() :])
        else:
            take_counts(row, f"Games | {rest}")
    else:
        take_pairs(row, f"Penta | {rest}")
    return row if row.values() else None


def cutechess_row(text: str) -> Fields | None:
    """Read a score or the sequential test of cutechess."""
    alike = text.casefold()
    found = _SCORE.match(text) if "score" in alike else None
    if found is None and "[" in text:
        found = _BARE_SCORE.match(text)
    if found:
        row = Fields(family="cutechess", lead=lead_of(found.group("lead")), starts=True)
        row.wins, row.losses, row.draws = (count(found.group(name)) for name in ("w", "l", "d"))
        row.games = count(found.group("n")) if found.group("n") else None
        rest = found.group("rest")
        elo = re.match(rf"\s*,?\s*({VALUE})\s*{MARGIN}\s*({VALUE})", rest, _I)
        if elo:
            row.elo, row.elo_error = finite(elo.group(1)), finite(elo.group(2))
        else:
            take_elo(row, rest)
        _take_cutechess_sprt(row, rest)
        return row
    row = Fields(family="cutechess")
    if "lbound" in alike and _take_cutechess_sprt(row, text):
        take_elo(row, text)
        return row
    return None


def _take_cutechess_sprt(row: Fields, text: str) -> bool:
    found = _CUTECHESS_SPRT.search(text)
    if not found:
        return False
    row.llr = number(found.group(1))
    low, high = finite(found.group(2)), finite(found.group(3))
    # A match without bounds prints "lbound -inf, ubound inf" or zeros: these are no bounds, and it is no SPRT.
    if low is not None and high is not None and low < high:
        row.llr_bounds = low, high
    else:
        row.fixed = True
    return True


def fastchess_head(text: str) -> Fields | None:
    """Read the head of a block of fastchess: ``Results of A vs B (10+0.1, 1t, 16MB, book):``."""
    found = _RESULTS.match(text)
    if not found:
        return None
    return Fields(
        family="fastchess",
        header=(found.group("conditions") or "").strip("() "),
        lead=lead_of(found.group("lead")),
        starts=True,
    )


def page_row(text: str) -> Fields | None:
    """Read a row of fishtest's web page, pasted."""
    if not text.casefold().startswith(_PAGE_PARTS):
        return None
    if found := _PAGE_LLR.match(text):
        return Fields(
            family="page",
            llr=number(found.group(3)),
            elo_bounds=(number(found.group(1)), number(found.group(2))),
            bracket="[",
        )
    if found := _PAGE_SPRT.match(text):
        return Fields(family="page", elo_bounds=(number(found.group(1)), number(found.group(2))), bracket="[")
    if found := _PAGE_ELO.match(text):
        return Fields(family="page", elo=number(found.group(1)))
    if found := _PAGE_COUNT.match(text):
        name = {"t": "games", "w": "wins", "l": "losses", "d": "draws"}[found.group(1)[0].lower()]
        row = Fields(family="page")
        setattr(row, name, count(found.group(2)))
        return row
    return None


def script_row(text: str) -> Fields | None:
    """Read the command line of a script that recomputes a test."""
    found = _SCRIPT.search(text)
    if not found:
        return None
    wins, losses, draws = (count(found.group(index)) for index in (1, 2, 3))
    row = Fields(family="script", wins=wins, losses=losses, draws=draws, starts=True)
    if bounds := _SCRIPT_ELO.search(text):
        row.elo_bounds = number(bounds.group(1)), number(bounds.group(2))
        row.bracket = "--"
    return row


def signed_row(text: str) -> Fields | None:
    """Read counts told apart by signs, or a score of the time before test servers."""
    row = Fields(family="old", starts=True)
    found = take_signed(row, text) if "=" in text and "+" in text and "-" in text else None
    if found is not None:
        lead, rest = text[: found.start()], text[found.end() :]
        row.lead = lead_of(lead)
        if games := _GAMES_WORD.search(lead):
            row.games = count(games.group(1))
        if llr := _LLR.search(rest):
            row.family, row.llr = "log", number(llr.group("llr"))
            take_groups(row, rest, llr.end())
        if not take_elo(row, rest) and (elo := _SIGNED_ELO.search(rest) or _PLAIN_ELO.search(rest)):
            row.elo, row.elo_error = number(elo.group(1)), finite(elo.group(2))
        return row
    found = _VERSUS.match(text) if "elo" in text.casefold() else None
    if found:
        row = Fields(family="old", lead=lead_of(found.group("lead")), starts=True)
        row.wins, row.losses, row.draws = (count(found.group(name)) for name in ("w", "l", "d"))
        row.elo, row.elo_error = number(found.group("elo")), finite(found.group("error"))
        return row
    return None


def fishtest_row(text: str) -> Fields | None:
    """Rows of fishtest and those like them; one line may hold several."""
    row = Fields(family="fishtest")
    begins, alike = len(text), text.casefold()
    if "lr" in alike and (llr := _LLR.search(text)):
        groups, end = groups_after(text, llr.end())
        named = llr.group("name").upper() == "LLR"
        if groups or (named and llr.start() == 0):
            row.llr, row.starts = number(llr.group("llr")), True
            row.llr_bounds, row.elo_bounds, row.bracket = tell_apart(groups)
            row.rest = text[end:].strip() or None
            begins = min(begins, llr.start())
    begins = min(begins, take_counts(row, text))
    if "ptnml" in alike or "penta" in alike or "ww" in alike:
        begins = min(begins, take_pairs(row, text))
    if distribution := _DISTRIBUTION.match(text):
        row.pentanomial, row.family, begins = tuple(int(n) for n in reversed(distribution.groups())), "cutechess", 0
    if "elo" in alike and (elo := take_elo(row, text)):
        begins = min(begins, elo.start())
        row.starts = row.starts or (elo.group().lower().startswith("elo") and "diff" not in elo.group().lower())
    elif row.wins is not None and "elo" in alike:
        take_elo_behind(row, text)
    elif begins == len(text) and (bare := _BARE_ELO.match(text)):
        row.elo, begins = finite(bare.group("elo")), 0
        row.starts = not bare.group("of")
    if begins == len(text) and "sprt" in alike and (at := _SPRT_AT.match(text)):
        row.header, row.family, row.starts = at.group("rest"), "openbench", "@" in text
        begins = len(at.group("lead"))
    if begins == len(text) or begins > LONGEST_LEAD or not row.values():
        return None
    row.lead = lead_of(text[:begins])
    return row


def bounds_row(text: str) -> Fields | None:
    """Read a line of bounds alone, or of a hypothesis that was accepted."""
    found = _BOUNDS.match(text)
    at = found.end() if found else 0
    if not found and not _ONLY_GROUPS.match(text):
        if _VERDICT_ROW.match(text):
            row = Fields(accepted=False)
            opened = text.find("[")
            if opened >= 0:
                groups, _ = groups_after(text, opened)
                row.llr_bounds, row.elo_bounds, row.bracket = tell_apart(groups)
            return row
        return None
    groups, end = groups_after(text, at)
    if not groups or (not found and text[end:].strip(" .:,;")):
        return None
    row = Fields()
    row.llr_bounds, row.elo_bounds, row.bracket = tell_apart(groups)
    return row

"""One line of a report: of fishtest, of the table of OpenBench, of the console of cutechess and fastchess, old forms.

A row is read by its own marks, not by its neighbours; what rows belong together is another question. May import:
anchorhold.importers.commits.exact, anchorhold.importers.commits.fields, anchorhold.importers.commits.numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from anchorhold.importers.commits.exact import exact_row
from anchorhold.importers.commits.fields import Bounds, Fields
from anchorhold.importers.commits.numbers import COUNT, MARGIN, NUMBER, count, groups_after, number, tell_apart
from anchorhold.importers.commits.spelling import table_rows, usual_numbers

LONGEST_LEAD = 120
"""Characters before the data of a row; a longer text is prose that happens to name a figure."""

_I = re.IGNORECASE
_PIPE = re.compile(
    r"^(?P<lead>[^|]*\||[^|]{1,60}[:>-]\s)?\s*(?P<name>ELO|LO|SPRT|CONF\w*|LLR|L?LR|GAMES?|PENTA\w*|PTNML(?:\(0-2\))?)\s*\|(?P<rest>.*)$",
    _I,
)
_LLR = re.compile(rf"(?:(?<![\w-])|(?<=inf)|(?<=\d))(?P<name>LLR|LR)\b\s*(?:[:=|]\s*)?(?P<llr>{NUMBER})(?![\w%])", _I)
_PAGE_LLR = re.compile(rf"^LLR\s*\[\s*({NUMBER})\s*,\s*({NUMBER})\s*\]\s*:\s*({NUMBER})$", _I)
_PAGE_SPRT = re.compile(rf"^SPRT\s.*?elo0\s*[:=]\s*({NUMBER}).*?elo1\s*[:=]\s*({NUMBER})", _I)
_PAGE_COUNT = re.compile(rf"^(Total|Wins?|Loss(?:es)?|Draws?)\s*:\s*({COUNT})\s*(?:\(\s*[\d.]+\s*%\s*\))?$", _I)
_PAGE_ELO = re.compile(rf"^LogisticElo range\s*:\s*\[\s*{NUMBER}\s*,\s*({NUMBER})\s*,\s*{NUMBER}\s*\]", _I)
_PAGE_PARTS = ("llr", "sprt", "log", "total", "w", "loss", "draw")
_TOTAL = re.compile(rf"\b(?:Total|Games?|N)\b\s*[:=|]?\s*(?:N\s*[:=]\s*)?({COUNT})(?![\d.%])", _I)
_LETTER = {
    "wins": re.compile(rf"(?<![\w+.-])W(?:ins?|on)?\s*[:=]\s*({COUNT})(?![\d.%])", _I),
    "losses": re.compile(rf"(?<![\w+.-])L(?:oss(?:es)?|ost)?\s*[:=]\s*({COUNT})(?![\d.%])", _I),
    "draws": re.compile(rf"(?<![\w+.-])D(?:raws?|rawn)?\s*[:=]\s*({COUNT})(?![\d.%])", _I),
}
_NAMED = re.compile(r"[:=]\s*\d")
_ONLY_GAMES = re.compile(rf"(?:Total|Games)\s*[:|]?\s*(?:N:\s*)?({COUNT})(?=\s*$|\s*\[\s*w\s*:|\s+W)", _I)
_ORDERED = re.compile(
    rf"(?<!\w)([WLD])\s?[-/|,+]?\s?([WLD])\s?[-/|,=]?\s?([WLD])\s*[:=]?\s*"
    rf"({COUNT})\s*[-/|,]\s*({COUNT})\s*[-/|,]\s*({COUNT})(?![\d.%])",
    _I,
)
_BARE_LETTERS = re.compile(rf"\bW\s+({COUNT})\W+L\s+({COUNT})\W+D\s+({COUNT})", _I)
_WORD = {
    "wins": re.compile(rf"(?<![\w.])({COUNT})\s+wins?\b", _I),
    "losses": re.compile(rf"(?<![\w.])({COUNT})\s+loss(?:es)?\b", _I),
    "draws": re.compile(rf"(?<![\w.])({COUNT})\s+draws?\b", _I),
}
_PTNML = re.compile(
    r"\b(?P<name>Ptnml|Penta(?:nomial)?|LL\W+LD\W+(?:DD|D|WL)\S*\W+(?:WD|DW)\W+WW)\b\s*"
    r"(?:[(\[]\s*0\s*-\s*2\s*[)\]])?\s*[:=|]?\s*[\[({]?\s*"
    r"(?P<list>\d+(?:\s*[,;/|]\s*\d+|\s+\d+)*)\s*(?P<more>,?)\s*(?P<end>[\])}]?)",
    _I,
)
_PAIRS_ONLY = re.compile(r"^(?P<list>\d+(?:\s*,\s*\d+){0,4})\s*[\])}]?$")
_DISTRIBUTION = re.compile(r"^Distr(?:ibution)?\s*:\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*$", _I)
_VALUE = rf"(?:{NUMBER}|[-+]?inf|[-+]?nan(?:\(ind\))?)"
_ELO = re.compile(
    rf"(?P<word>(?<![\w-])Elo(?:\s+(?:diff(?:erence)?|gain))?)\s*(?:[:=]\s*)?(?P<elo>{_VALUE})"
    rf"\s*(?:\(?\s*{MARGIN}\s*(?:99\s*%\s*:\s*[\d.]+\s+95\s*%\s*:\s*)?(?P<error>{_VALUE})"
    rf"|[(\[]?\s*-(?P<minus>[\d.]+)\s*[/,]?\s*\+(?P<plus>[\d.]+)|[(\[]?\s*\+(?P<plus_first>[\d.]+)\s*[/,]?\s*-(?P<minus_last>[\d.]+)|(?P<range>\[\s*{NUMBER}\s*(?:,|to)\s*{NUMBER}\s*\]))",
    _I,
)
_BARE_ELO = re.compile(rf"^Elo(?P<of> difference)?\s*[:=]\s*(?P<elo>{_VALUE})\s*(?:\(95\s*%\))?\s*(?:,.*)?$", _I)
_NOT_LOGISTIC = re.compile(r"(?:game\s?pairs?|pair|norm\w*|n|bayes\w*|logistic)\s*$", _I)
_THREE = rf"(?P<w>{COUNT})\s*-\s*(?P<l>{COUNT})\s*-\s*(?P<d>{COUNT})"
_SCORE = re.compile(
    rf"^(?P<lead>.*?)\bScore\b(?:\s+of\s+(?P<names>.+?\s+vs\.?\s+.+?))?(?:\s+after\s+\d+\s+(?:rounds|games))?\s*:\s*{_THREE}"
    rf"\s*(?:[\[(]\s*[\d.]+\s*%?\s*[\])])?\s*(?P<n>{COUNT})?(?P<rest>.*)$",
    _I,
)
_BARE_SCORE = re.compile(rf"^(?P<lead>(?:.*?[:\s])?){_THREE}\s*\[\s*[\d.]+\s*\]\s*(?P<n>{COUNT})?(?P<rest>.*)$")
_COLOURS = re.compile(r"\bplaying\s+(?:White|Black)\b|\bWhite\s+vs\.?\s+Black\b", _I)
_CUTECHESS_SPRT = re.compile(
    rf"\bSPRT\s*:?\s*llr\s*({NUMBER})\s*(?:\(\s*{_VALUE}\s*%\s*\))?\s*,?\s*lbound\s*({_VALUE})\s*,?\s*ubound\s*({_VALUE})",
    _I,
)
_ACCEPTED = re.compile(r"\bH([01])\b\s*(?:was|is)?\s*accepted", _I)
_VERDICT_ROW = re.compile(r"^(?:=>\s*)?H[01]\b.{0,20}accepted|^SPRT\b.*\bcompleted\b.*H[01]", _I)
_RESULTS = re.compile(r"^(?P<lead>.*?)\bResults of\s+\S.*?\s+vs\.?\s+[^()]+?\s*(?P<conditions>\(.*\))?\s*:?\s*$", _I)
_SIGNS = re.compile(rf"(?<![\w.+=-])([+=-])\s?({COUNT})[\s,;]+([+=-])\s?({COUNT})[\s,;]+([+=-])\s?({COUNT})(?![\d.%])")
_SIGNED_ELO = re.compile(rf"({NUMBER})\s*ELO\b\s*(?:\(\s*{MARGIN}\s*({NUMBER})\s*\))?", _I)
_PLAIN_ELO = re.compile(rf"\bElo\s*[:=]?\s*({NUMBER})()", _I)
_VERSUS = re.compile(
    rf"^(?P<lead>.*?)(?P<w>{COUNT})(?:\s*-\s*|\s+)(?P<l>{COUNT})(?:\s*-\s*|\s+)(?P<d>{COUNT})\s+\(?\s*ELO\s*(?P<elo>{NUMBER})\s*\)?\s*(?:\(?\s*{MARGIN}\s*(?P<error>{NUMBER})\s*\)?)?",
    _I,
)
_SPRT_AT = re.compile(r"^(?P<lead>.{0,40}?)\bSPRT\s*(?:@|:)\s*(?P<rest>.*\d.*)$", _I)
_BOUNDS = re.compile(r"^(?:SPRT\s+)?BOUNDS?\s*[:=|]?\s*(?=[\[({<])", _I)
_ONLY_GROUPS = re.compile(r"^\s*[\[({<]\s*[-+\d.]")
_SCRIPT = re.compile(r"--wins[= ](\d+)\b.*--losses[= ](\d+)\b.*--draws[= ](\d+)\b", _I)
_SCRIPT_ELO = re.compile(rf"--elo0[= ]({NUMBER})\b.*--elo1[= ]({NUMBER})", _I)
_GAMES_WORD = re.compile(rf"(?<![\w.])({COUNT})\s+games\b", _I)
_NEUTRAL = re.compile(
    r"^(?:Elo(?: difference)?\s*[:|]\s*[-+]?(?:inf|nan)|nElo|Norm\w* Pair|LOS|DrawRatio|PairsRatio"
    r"|Draw ratio|WL/DD|Score\s*:|Sensitivity\s*:|2\*\(W-L\)|BayesElo"
    r"|DrawElo|Stats:|White advantage|Distr|Gamepairs|Ptnml:\s+\D|Player:|Timeouts?:|Crashed:|Finished (?:match|game)"
    r"|Started game|Total Time|Time:|Warning:|SPRT\s*\(|\.\.\.|[-=_~^.*#|+:\s]*$|\d+ of \d+ games|Saved results"
    r"|Loading opening|Result\b\s*:|\|?\s*:?-{3,}|Points\s*:|Mean\b\s*:|Pairs:)",
    _I,
)
_DIGIT = re.compile(r"\d")
_SIGN = re.compile(r"[|=<>\[({:+)\]-]")
_MARK = re.compile(r"[|=<>\[({]\s*[-+.\d]|\d\s*[-)\]]|[:=+]\s?[-+]?\s*\d")
_MARK_PARTS = ("elo", "llr", "sprt", "tnml", "win", "loss", "draw", "games", "w ", "/ww", "wdl", "wld")
_MARK_WORD = re.compile(r"[Ee][Ll][Oo]|LLR|llr|SPRT|tnml|[Ww]ins?\b|[Ll]oss|[Dd]raw|Games|W \d|/WW|WDL|WLD")
_NEVER = re.compile(r"(?:bench|closes?|fix(?:es)?|resolves?|signed-off-by|co-authored-by)\b", _I)
_DATA_WORDS = re.compile(
    r"^\W*LLR\b\D{0,4}[-+]?\d|\bLLR\b\s*[:|]\s*[-+]?\d|\bPtnml|\bPenta\b\s*[|:]|\bW\s*:\s*\d"
    r"|Elo difference\s*:\s*[-+\d]|\bScore of\b.*\d+\s*-\s*\d+\s*-\s*\d|\blbound\b"
    r"|^\s*(?:ELO|GAMES|LLR|CONF|SPRT)\s*\|\s*\S",
    _I,
)

_DATA_PARTS = ("lr", "ptnml", "penta", ":", "elo", "score", "lbound", "|")


def has_digit(text: str) -> bool:
    """Whether a text has any figure; a row without one is the head of a report at most."""
    return _DIGIT.search(text) is not None


def looks_like_data(text: str) -> bool:
    """Whether a line has the marks of a report; one that is in none must not get lost."""
    if _DIGIT.search(text) is None:
        return False
    alike = text.casefold()
    if not any(part in alike for part in _DATA_PARTS):
        return False
    return bool(_DATA_WORDS.search(text)) and not _COLOURS.search(text)


def is_neutral(text: str) -> bool:
    """Whether a line may stand inside a report without saying anything that is read."""
    return _NEUTRAL.match(text) is not None or (("laying" in text or "White" in text) and bool(_COLOURS.search(text)))


def read_row(text: str) -> Fields | None:
    """Read one normalised line; None when it is no row of a report."""
    if (exact := exact_row(text)) is not None:
        return exact
    if "esults of" in text and (header := _header(text)) is not None:
        return header
    if not may_be_row(text):
        return None
    text = usual_numbers(text)
    alike = text.casefold()
    if ("play" in alike or "wh" in alike) and _COLOURS.search(text):
        return None
    for read, parts in _READERS:
        if parts and not any(part in alike for part in parts):
            continue
        row = read(text)
        if row is not None:
            if "accept" in alike and (found := _ACCEPTED.search(text)) is not None:
                row.accepted = found.group(1) == "1"
            return row
        if read is _pipe and len(table_rows(text)) > 1:
            return None  # two reports on one line: not to be put together, so the line is listed
    return None


def may_be_row(text: str) -> bool:
    """Whether a line has a digit and one of the marks that every row has; prose is passed over at once."""
    if _DIGIT.search(text) is None or _NEVER.match(text) is not None:
        return False
    if _SIGN.search(text) is not None and _MARK.search(text) is not None:
        return True
    alike = text.lower()
    return any(part in alike for part in _MARK_PARTS) and _MARK_WORD.search(text) is not None


def continues_pairs(text: str, so_far: tuple[int, ...]) -> Fields | None:
    """Read the rest of a list of pairs that was broken over two lines."""
    found = _PAIRS_ONLY.match(text)
    if not found:
        return None
    pairs = so_far + _integers(found.group("list"))
    return Fields(pentanomial=pairs) if len(pairs) <= 5 else None


def _pipe(text: str) -> Fields | None:
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
    row = Fields(family="openbench", lead=_lead((found.group("lead") or "").strip(" |")))
    if name in {"ELO", "LO"}:
        value = re.match(rf"({_VALUE})\s*(?:{MARGIN}\s*({_VALUE}))?", rest, _I)
        if value:
            row.elo, row.elo_error = _finite(value.group(1)), _finite(value.group(2))
        row.starts = True
    elif name == "SPRT":
        row.header = rest
    elif name.startswith("CONF"):
        row.header, row.fixed = rest, True
    elif name in {"LLR", "LR"}:
        value = re.match(NUMBER, rest)
        if value:
            row.llr = number(value.group())
            _take_groups(row, rest, value.end())
    elif name.startswith("GAME"):
        if signed := re.match(rf"({COUNT})\s*:?\s*(?=[+=-]\s?\d)", rest):
            row.games = count(signed.group(1))
            _take_signed(row, rest[signed.end() :])
        else:
            _counts(row, f"Games | {rest}")
    else:
        _pairs(row, f"Penta | {rest}")
    return row if row.values() else None


def _cutechess(text: str) -> Fields | None:
    alike = text.casefold()
    found = _SCORE.match(text) if "score" in alike else None
    if found is None and "[" in text:
        found = _BARE_SCORE.match(text)
    if found:
        row = Fields(family="cutechess", lead=_lead(found.group("lead")), starts=True)
        row.wins, row.losses, row.draws = (count(found.group(name)) for name in ("w", "l", "d"))
        row.games = count(found.group("n")) if found.group("n") else None
        rest = found.group("rest")
        elo = re.match(rf"\s*,?\s*({_VALUE})\s*{MARGIN}\s*({_VALUE})", rest, _I)
        if elo:
            row.elo, row.elo_error = _finite(elo.group(1)), _finite(elo.group(2))
        else:
            _elo(row, rest)
        _take_cutechess_sprt(row, rest)
        return row
    row = Fields(family="cutechess")
    if "lbound" in alike and _take_cutechess_sprt(row, text):
        _elo(row, text)
        return row
    return None


def _take_cutechess_sprt(row: Fields, text: str) -> bool:
    found = _CUTECHESS_SPRT.search(text)
    if not found:
        return False
    row.llr = number(found.group(1))
    low, high = _finite(found.group(2)), _finite(found.group(3))
    # A match without bounds prints "lbound -inf, ubound inf" or zeros: these are no bounds, and it is no SPRT.
    if low is not None and high is not None and low < high:
        row.llr_bounds = low, high
    else:
        row.fixed = True
    return True


def _header(text: str) -> Fields | None:
    found = _RESULTS.match(text)
    if not found:
        return None
    return Fields(
        family="fastchess",
        header=(found.group("conditions") or "").strip("() "),
        lead=_lead(found.group("lead")),
        starts=True,
    )


def _page(text: str) -> Fields | None:
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


def _script(text: str) -> Fields | None:
    found = _SCRIPT.search(text)
    if not found:
        return None
    wins, losses, draws = (count(found.group(index)) for index in (1, 2, 3))
    row = Fields(family="script", wins=wins, losses=losses, draws=draws, starts=True)
    if bounds := _SCRIPT_ELO.search(text):
        row.elo_bounds = number(bounds.group(1)), number(bounds.group(2))
        row.bracket = "--"
    return row


def _signs(text: str) -> Fields | None:
    row = Fields(family="old", starts=True)
    found = _take_signed(row, text) if "=" in text and "+" in text and "-" in text else None
    if found is not None:
        lead, rest = text[: found.start()], text[found.end() :]
        row.lead = _lead(lead)
        if games := _GAMES_WORD.search(lead):
            row.games = count(games.group(1))
        if llr := _LLR.search(rest):
            row.family, row.llr = "log", number(llr.group("llr"))
            _take_groups(row, rest, llr.end())
        if not _elo(row, rest) and (elo := _SIGNED_ELO.search(rest) or _PLAIN_ELO.search(rest)):
            row.elo, row.elo_error = number(elo.group(1)), _finite(elo.group(2))
        return row
    found = _VERSUS.match(text) if "elo" in text.casefold() else None
    if found:
        row = Fields(family="old", lead=_lead(found.group("lead")), starts=True)
        row.wins, row.losses, row.draws = (count(found.group(name)) for name in ("w", "l", "d"))
        row.elo, row.elo_error = number(found.group("elo")), _finite(found.group("error"))
        return row
    return None


def _take_signed(row: Fields, text: str) -> re.Match[str] | None:
    """Take counts that signs tell apart: ``+6378 -6556 =8210``."""
    found = _SIGNS.search(text)
    if found is None or {found.group(1), found.group(3), found.group(5)} != {"+", "-", "="}:
        return None
    by_sign = {found.group(index): count(found.group(index + 1)) for index in (1, 3, 5)}
    row.wins, row.losses, row.draws = by_sign["+"], by_sign["-"], by_sign["="]
    return found


def _lines(text: str) -> Fields | None:
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
    begins = min(begins, _counts(row, text))
    if "ptnml" in alike or "penta" in alike or "ww" in alike:
        begins = min(begins, _pairs(row, text))
    if distribution := _DISTRIBUTION.match(text):
        row.pentanomial, row.family, begins = tuple(int(n) for n in reversed(distribution.groups())), "cutechess", 0
    if "elo" in alike and (elo := _elo(row, text)):
        begins = min(begins, elo.start())
        row.starts = row.starts or (elo.group().lower().startswith("elo") and "diff" not in elo.group().lower())
    elif begins == len(text) and (bare := _BARE_ELO.match(text)):
        row.elo, begins = _finite(bare.group("elo")), 0
        row.starts = not bare.group("of")
    if begins == len(text) and "sprt" in alike and (at := _SPRT_AT.match(text)):
        row.header, row.family, row.starts = at.group("rest"), "openbench", "@" in text
        begins = len(at.group("lead"))
    if begins == len(text) or begins > LONGEST_LEAD or not row.values():
        return None
    row.lead = _lead(text[:begins])
    return row


def _counts(row: Fields, text: str) -> int:
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


def _pairs(row: Fields, text: str) -> int:
    found = _PTNML.search(text)
    if not found:
        return len(text)
    if found.group("list").isdecimal() and not found.group("more"):
        return len(text)  # the head of a column, or a torn list with nothing to read
    row.pentanomial = _integers(found.group("list"))
    if len(row.pentanomial) > 5 and len(parts := re.split(r",\s+|;|\s", found.group("list"))) == 5:
        row.pentanomial = _integers(" ".join(part.replace(",", "") for part in parts))
    row.more_pairs = (len(row.pentanomial) < 5 and not found.group("end")) or None
    return found.start()


def _elo(row: Fields, text: str) -> re.Match[str] | None:
    for found in _ELO.finditer(text):
        if _NOT_LOGISTIC.search(text, max(0, found.start() - 20), found.start()):
            continue
        row.elo = _finite(found.group("elo"))
        row.elo_error = _finite(found.group("error"))
        for below, above in (("minus", "plus"), ("minus_last", "plus_first")):
            if found.group(below) and found.group(below) == found.group(above):
                row.elo_error = _finite(found.group(above))
        return found
    return None


def _bounds(text: str) -> Fields | None:
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


def _take_groups(row: Fields, text: str, at: int) -> None:
    groups, end = groups_after(text, at)
    row.llr_bounds, row.elo_bounds, row.bracket = tell_apart(groups)
    row.rest = text[end:].strip() or None


# In this order, each with what stands in every row of its form (casefolded); most lines have none of it.
_READERS: tuple[tuple[Callable[[str], Fields | None], tuple[str, ...]], ...] = (
    (_pipe, ("|",)),
    (_cutechess, ("score", "lbound", "[")),
    (_page, ()),
    (_script, ("--w",)),
    (_signs, ("=", "elo")),
    (_lines, ()),
    (_bounds, ("bound", "[", "(", "<", "{", "h0", "h1")),
)


def _integers(text: str) -> tuple[int, ...]:
    return tuple(int(digits) for digits in re.findall(r"\d+", text) if len(digits) <= 16)


def _finite(text: str | None) -> float | None:
    if text is None or not re.fullmatch(NUMBER, text):
        return None
    return number(text)


def _lead(text: str) -> str | None:
    return text.strip(" \t:-|,;*") or None


__all__ = ["Bounds", "continues_pairs", "is_neutral", "looks_like_data", "read_row"]

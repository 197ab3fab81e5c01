"""What the words around a report say of it: stage, verdict, kind, bounds, clock, threads.

Only the label of a report is asked, never the prose of the message: "passed pawn" and "fail low" are chess. May import:
anchorhold.importers.commits.clocks, anchorhold.importers.commits.fields, anchorhold.importers.commits.numbers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from anchorhold.importers.commits.clocks import Clock, clock_in, hash_in, threads_in
from anchorhold.importers.commits.fields import Bounds
from anchorhold.importers.commits.numbers import NUMBER, groups_after, looks_like_wald, number
from anchorhold.importers.patterns import Pattern
from anchorhold.importers.report import Outcome, Stage, TestKind

_I = re.IGNORECASE
_OF_BOUNDS = Pattern(
    r"(?:\b(?:with|at|using|on|in|under|both|and|to)\b\s*)?(?:the\s+)?\(?\b(?:V*[SL]TC)\b(?:\s*(?:and|/|&|,)\s*V*[SL]TC)?"
    r"[\s-]*(?:simplification\s|gainer\s|non-?reg\w*\s|elo\s)?bounds?\b\)?",
    _I,
)
_STAGES: tuple[tuple[Pattern, Stage], ...] = (
    (
        Pattern(r"(?<![A-Za-z])(?:V{2,}LTC|VLTC|XLTC|very[\s-]+long(?:\s+(?:TC|time\s*controls?))?)(?![A-Za-z])", _I),
        "very_long",
    ),
    (
        Pattern(
            r"(?<![A-Za-z])(?:V+STC|USTC|MTC|ultra[\s-]?short|very[\s-]+short|medium\s+TC)(?:\s+TC)?(?![A-Za-z])", _I
        ),
        "other",
    ),
    (
        Pattern(
            r"(?<![A-Za-z])(?:LTC|LCT|long\s+TC|long[\s-]+time[\s-]*controls?|long\s+stage|long(?=\s*:))(?![A-Za-z])",
            _I,
        ),
        "long",
    ),
    (
        Pattern(
            r"(?<![A-Za-z])(?:STC|SCT|std(?=\s*(?:and|&|/|,)\s)|short\s+TC|short[\s-]+time[\s-]*controls?"
            r"|short\s+stage|short(?=\s*:))(?![A-Za-z])",
            _I,
        ),
        "short",
    ),
)
_OTHER = Pattern(r"\b(?:sudden[\s-]*death|fixed[\s-]+(?:nodes|depth|time))\b", _I)
_BOTH_LONG_SHORT = Pattern(r"\bshort\s+(?:and|&|/)\s+long\s+(?:TC|time)", _I)
_CHESS = Pattern(
    r"passed[\s-]*pawns?|passers?\b|pawns?\s+passed|fail(?:s|ed|ing)?[\s-]*(?:low|high|soft|hard)s?|(?:low|high)\s+fail\w*",
    _I,
)
_NOT_PASSED = Pattern(r"\b(?:\w+n't|not|never|cannot)\b(?:\s+\w+){0,3}\s+(?:pass|accept)\w*", _I)
_PASSED = Pattern(r"\b(?:pass|passe[sd]|pased|passd|passing|accepted?a?|green|success\w*|succeeded)\b", _I)
_FAILED = Pattern(r"\b(?:fail|fails|failed|failing|failure|rejected|yellow|red|lost)\b", _I)
_OPEN = Pattern(r"\b(?:stopped|interrupted|ongoing|running|unfinished|in progress|pending|aborted|cancell?ed)\b", _I)
_NON_REGRESSION = Pattern(
    r"\b(?:non?[\s_-]*reg\w*|nonreg\w*|no\s+regression|regression\s+test|simpl\w*\s+bounds?|neutral\w*\s+bounds?)\b", _I
)
_REGRESSION = Pattern(r"\bregressions?\b", _I)
_SPLIT_BOUNDS = Pattern(rf"\belo0\s*[=:]?\s*({NUMBER})\b.*?\belo1\s*[=:]?\s*({NUMBER})", _I)
_BRACKET = Pattern(r"[\[{<]")
_BOUNDS_WORD = Pattern(r"bounds?\s*(?:of|are|were|=|:)?\s*(?=\()", _I)
_FIXED = Pattern(r"\b\d+k?\s+(?:fixed\s+)?games?\b|\bfixed\s+(?:number\s+of\s+)?games?\b|\bfixed\s+nodes\b", _I)


_STAGE_WORD = r"(?:V*[SLM]TC|(?:short|long)\s+TC)"
_VERDICT_FIRST = Pattern(
    rf"^\W*(?:(?:pass|fail|reject|accept|yellow|green|stopped)\w*\W+(?:\S+\s+){{0,3}})?{_STAGE_WORD}\b", _I
)
_BEGINS = Pattern(rf"^\W*(?:\S+\s+){{0,3}}{_STAGE_WORD}\b.*[^.!?]$", _I)
_ENDS = Pattern(rf"(?:\b{_STAGE_WORD}|\d\+[\d.]+s?)\W*$", _I)
_COMMAND = Pattern(r"\s-each\s+\S+=")
"""The command line of a match, which says its conditions."""
LONGEST_LABEL = 120
WORDS_OF_A_LABEL = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """What a label says; None is "nothing"."""

    text: str = ""
    stages: tuple[Stage, ...] = ()
    """Stage words in their order, without the words that name bounds."""
    verdict: Outcome | None = None
    """``unknown``: it says that the test was stopped or goes on."""
    kind: TestKind | None = None
    bounds: Bounds | None = None
    bracket: str = ""
    clock: Clock = field(default_factory=Clock)
    threads: int | None = None
    hash_mb: int | None = None

    @property
    def says_something(self) -> bool:
        """Whether any of it helps to read a report."""
        return bool(
            self.stages or self.verdict or self.kind or self.bounds or self.clock.known or self.threads or self.hash_mb
        )


NO_LABEL = Label()


@lru_cache(maxsize=4096)
def label_of(text: str) -> Label:
    """Read a label; most histories repeat a few thousand times the same words."""
    if not text:
        return NO_LABEL
    stages, verdict, kind = stages_in(text), verdict_in(text), kind_in(text)
    if not any(digit in text for digit in "0123456789"):
        return Label(text=text, stages=stages, verdict=verdict, kind=kind)
    bounds, bracket = bounds_in(text)
    return Label(
        text=text,
        stages=stages,
        verdict=verdict,
        kind=kind,
        bounds=bounds,
        bracket=bracket,
        clock=clock_in(text),
        threads=threads_in(text),
        hash_mb=hash_in(text),
    )


def stages_in(text: str) -> tuple[Stage, ...]:
    """Stage words in the order in which they stand, each once; the longest word wins where they overlap.

    "VVLTC with STC bounds" is a very long test; "STC bounds" alone is a short one. Sudden death, or fixed nodes, is a
    stage of its own kind where no word names another.
    """
    found = _stage_words(text)
    if len(found) > 1 and "ound" in text:
        found = _stage_words(_OF_BOUNDS.sub(" ", text)) or found
    return found or (("other",) if _OTHER.search(text) else ())


def _stage_words(rest: str) -> tuple[Stage, ...]:
    found: list[tuple[int, Stage]] = []
    if _BOTH_LONG_SHORT.search(rest):
        return ("short", "long")
    for pattern, stage in _STAGES:
        here = [(match.start(), stage) for match in pattern.finditer(rest)]
        if here:
            found += here
            rest = pattern.sub(lambda match: " " * len(match.group()), rest)
    return tuple(dict.fromkeys(stage for _, stage in sorted(found)))


def verdict_in(text: str) -> Outcome | None:
    """Return the verdict that a label's words give; None when they give none, or two."""
    text = _CHESS.sub(" ", text)
    if _OPEN.search(text):
        return "unknown"
    without = _NOT_PASSED.sub(" ", text)
    passed, failed = bool(_PASSED.search(without)), bool(_FAILED.search(without))
    if passed == failed:
        return None
    return "passed" if passed else "failed"


def kind_in(text: str) -> TestKind | None:
    """Return the kind that a label's words give."""
    return "non_regression" if _NON_REGRESSION.search(text) else None


def bounds_in(text: str) -> tuple[Bounds | None, str]:
    """Return the Elo bounds that a text prints, with their bracket."""
    if found := _SPLIT_BOUNDS.search(text):
        return (number(found.group(1)), number(found.group(2))), "--"
    starts = [found.start() for found in _BRACKET.finditer(text)]
    starts += [found.end() for found in _BOUNDS_WORD.finditer(text)]
    for at in sorted(starts):
        groups, _ = groups_after(text, at)
        for bracket, pair in groups:
            if pair[0] <= pair[1] and not looks_like_wald(pair) and max(map(abs, pair)) <= 200:
                return pair, bracket
    return None, ""


@lru_cache(maxsize=4096)
def is_label(text: str) -> bool:
    """Whether a line of words reads like a label, and not like prose that happens to stand above a report."""
    if _COMMAND.search(text):
        return True
    if len(text) > LONGEST_LABEL:
        return False
    if text.endswith(":") or len(text.split()) <= WORDS_OF_A_LABEL:
        return True
    return bool(_VERDICT_FIRST.match(text) or _BEGINS.match(text) or _ENDS.search(text))


def says_fixed(text: str) -> bool:
    """Whether a label says that the number of games was fixed."""
    return bool(_FIXED.search(text))

"""The law's messages in the reader's language and words: recognised by their form, filled with the same numbers.

The law writes its reasons in English, with names of the result's members; they are part of stored results and stay as
they are there. A message of no known form is shown as it is. May import: anchorhold.domain.sentences,
report.texts, report.codes.
"""

from __future__ import annotations

import re
from functools import lru_cache

from anchorhold.domain.sentences import Sentence, said_in
from anchorhold.report.codes import meaning
from anchorhold.report.law_messages import FORMS
from anchorhold.report.texts import MINUS, Texts, mark

_MEMBERS = {
    "delta_a": "ΔA",
    "delta_a_error": "U(ΔA)",
    "s": "S",
    "s_error": "U(S)",
    "r": "R",
    "a_old": mark("A of the old version"),
    "a_new": mark("A of the new version"),
    "delta_a_error_weighted": mark("sampling error of ΔA"),
    "paired": mark("paired ΔA"),
    "reweighting": mark("reweighting"),
    "heterogeneity": mark("disagreement of the anchors"),
    "direct": "D",
    "band": mark("Monte-Carlo band of R"),
    "fieller": mark("Fieller interval of R"),
    "overfitting": mark("suspicion of overfitting"),
    "r_normalized": mark("R in normalized Elo"),
    "s_median_unbiased": mark("S, median-unbiased"),
    "s_selection_corrected": mark("S, selection-corrected"),
}
_PLACE = re.compile(r"\\\{([a-z_0-9]+)\\\}")
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:%)?")
_NAMES = {"name", "anchor", "old", "new", "here", "there", "where", "field", "margin", "counts", "endpoint", "limit"}


@lru_cache(maxsize=1)
def _compiled() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(_PLACE.sub(r"(?P<\1>.+?)", re.escape(form)), re.DOTALL), shown) for form, shown in FORMS)


def in_own_words(message: str, texts: Texts) -> str | None:
    """Say a message of the law in the reader's language; None when its form is not known."""
    for pattern, shown in _compiled():
        if (found := pattern.fullmatch(message)) is not None:
            return texts.gettext(
                shown, **{name: _filled(name, value, texts) for name, value in found.groupdict().items()}
            )
    return None


def _filled(name: str, value: str, texts: Texts) -> str:
    if name in ("reason", "fault"):
        return in_own_words(value, texts) or _at_its_place(value, texts) or value
    if name == "members":
        return ", ".join(texts.gettext(_MEMBERS.get(one, one)) for one in value.split(", "))
    if name == "codes":
        return ", ".join(
            f"„{_meaning(one, texts)}“" if texts.language == "de" else f"“{_meaning(one, texts)}”"
            for one in value.split(", ")
        )
    if name in _NAMES or not _NUMBER.fullmatch(value):
        return (
            value.replace("'", "")
            if name in ("name", "anchor", "old", "new") and value[:1] == value[-1:] == "'"
            else value
        )
    number = value.replace("-", MINUS)
    if texts.language == "de":
        number = number.replace(".", ",")
    return number.replace("%", "\N{NO-BREAK SPACE}%")


def _at_its_place(fault: str, texts: Texts) -> str | None:
    """Say a fault that is quoted with its place before it and without its full stop."""
    where, _, message = fault.partition(": ")
    found = in_own_words(f"{message}.", texts) or in_own_words(message, texts)
    return None if found is None else f"{where}: {found.rstrip('.')}"


def _meaning(code: str, texts: Texts) -> str:
    return texts.gettext(meaning(code)).rstrip(".")


def reason_of(code: str, message: str, texts: Texts) -> str:
    """Return the reason that a note gives, in the reader's language: exact, or the meaning of its code."""
    found = in_own_words(message, texts)
    if found is not None:
        return found
    return message if texts.language == "en" else texts.gettext(meaning(code))


def reason_in_words(reason: str, texts: Texts) -> str:
    """Say why a sum is not known, in the reader's language; in English as it was given."""
    if texts.language == "en":
        return reason
    if isinstance(reason, Sentence):
        return said_in(texts, reason)
    return in_own_words(reason, texts) or reason

"""Defects, gaps and notes as the page shows them: those of one code together, with one step for all of them.

May import: anchorhold.law, report.codes, report.reasons, report.texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from anchorhold.law.result import Finding, Note
from anchorhold.report.codes import NEXT_STEPS, meaning
from anchorhold.report.reasons import in_own_words
from anchorhold.report.texts import Texts


@dataclass(frozen=True, slots=True)
class Place:
    """One place where something was found."""

    where: str
    message: str
    """What the law found, with the values of this check."""
    foreign: bool = False
    """The message is the law's own English on a page of another language."""


@dataclass(frozen=True, slots=True)
class FindingView:
    """Defects, gaps or notes of one code, with one step for all of them."""

    code: str
    meaning: str
    places: tuple[Place, ...]
    next: str
    """What to do; empty for a note."""


def findings_of(findings: Sequence[Finding], texts: Texts) -> list[FindingView]:
    """Gather defects or gaps by their code and step."""
    places: dict[tuple[str, str], list[Place]] = {}
    for finding in findings:
        # The law's step is the more exact one; in another language the general one is what can be read.
        step = finding.next if texts.language == "en" else texts.gettext(NEXT_STEPS.get(finding.code, finding.next))
        places.setdefault((finding.code, step), []).append(_place(finding.where, finding.message, texts))
    return [
        FindingView(code, texts.gettext(meaning(code)), tuple(found), step) for (code, step), found in places.items()
    ]


def notes_of(notes: Sequence[Note], texts: Texts) -> list[FindingView]:
    """Gather notes by their code."""
    places: dict[str, list[Place]] = {}
    for note in notes:
        places.setdefault(note.code, []).append(_place("", note.message, texts))
    return [FindingView(code, texts.gettext(meaning(code)), tuple(found), "") for code, found in places.items()]


def _place(where: str, message: str, texts: Texts) -> Place:
    said = in_own_words(message, texts)
    return Place(where, message, foreign=texts.language != "en") if said is None else Place(where, said)

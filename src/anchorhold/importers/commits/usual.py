"""Messages in the usual form: every row of a report is fishtest's to the letter, under a heading that names one stage.

They are read at once, as ``reading.read_closely`` would read them: a test compares both. May import:
anchorhold.importers.*.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from anchorhold.importers.base import Place
from anchorhold.importers.commits.exact import exact_report
from anchorhold.importers.commits.fields import Fields
from anchorhold.importers.commits.headings import LONGEST_BELOW, is_trailer
from anchorhold.importers.commits.labels import Label, is_label, label_of, stages_in
from anchorhold.importers.commits.rows import is_neutral
from anchorhold.importers.commits.screen import worth_a_look
from anchorhold.importers.commits.text import Line
from anchorhold.importers.commits.verdicts import model_of, outcome_by_llr
from anchorhold.importers.patterns import Pattern
from anchorhold.importers.report import Report, kind_of_bounds

SMP = Pattern(r"\bSMP\b|\bmulti-?thread", re.IGNORECASE)
"""Words that say that several threads searched."""
_MOST_BLANKS = 2


class _Words(NamedTuple):
    """What a line that is no row of a report is."""

    is_blank: bool
    link: str | None
    """Of a line that is nothing but an address."""
    is_sure: bool
    """Blank, an address, or words wherever it stands."""
    label: Label | None
    """Of a heading that names one stage."""
    may_stand_below: bool
    """Whether it may be the label of a report above it."""


def usual_reports(message: str, *, source: str) -> tuple[Report, ...] | None:
    """Read the reports of a message; None for one that has to be read closely.

    Parameters
    ----------
    message : str
        The whole message; any text.
    source : str
        How places name it.
    """
    if "\nTotal: " not in message or "\r" in message or "](http" in message:
        return None
    raws = message.split("\n")
    rows, at, reports, end = worth_a_look(raws), 0, list[Report](), -1
    while at < len(rows):
        first = rows[at]
        if not raws[first].startswith("LLR: ") or (found := exact_report("\n".join(raws[first : first + 3]))) is None:
            return None
        fields, taken = found
        at += taken
        label = _heading(raws, first, end)
        end = first + taken - 1
        known, link = _below(raws, end + 1)
        report = _report(fields, label, Place(source, first + 1), link) if known and label is not None else None
        if report is None:
            return None
        reports.append(report)
    return tuple(reports)


def _heading(raws: Sequence[str], first: int, floor: int) -> Label | None:
    """Return the label above a report, at most two blank lines away; None where that is not plain."""
    blanks = 0
    for index in range(first - 1, floor, -1):
        words = _words(raws[index])
        if words.is_blank:
            blanks += 1
            if blanks > _MOST_BLANKS:
                return None
        elif words.link is None:
            return None if index == 0 and blanks else words.label
    return None


def _below(raws: Sequence[str], start: int) -> tuple[bool, str | None]:
    """Say whether what stands below a report is plain, and give its link."""
    for index in range(start, len(raws)):
        words = _words(raws[index])
        if not words.is_sure:
            return False, None
        if words.link is not None:
            return True, words.link
        if not words.is_blank:
            # Words directly below, with nothing under them, may be the label.
            below = index == start and words.may_stand_below
            return not below or (index + 1 < len(raws) and _has_text(raws[index + 1])), None
    return True, None


def _has_text(raw: str) -> bool:
    words = _words(raw)
    return not words.is_blank and words.link is None


@lru_cache(maxsize=4096)
def _words(raw: str) -> _Words:
    """Look at a line; most histories repeat the same ones around reports."""
    if not raw:
        return _Words(True, None, True, None, False)
    line = Line(0, raw)
    text = line.text
    if not text:
        return _Words(line.link is None, line.link, True, None, False)
    sure = not is_neutral(text)
    label = label_of(text) if sure and not is_trailer(text) and is_label(text) else None
    stages = stages_in(text)
    below = len(stages) == 1 and len(text) <= LONGEST_BELOW and not text.endswith(":")
    return _Words(False, None, sure, label if label is not None and len(label.stages) == 1 else None, below)


def _report(fields: Fields, label: Label, place: Place, link: str | None) -> Report | None:
    """Return a report under its heading; None where the two do not agree, or the bounds are none of a test."""
    bounds, outcome = fields.elo_bounds, outcome_by_llr(fields)
    if bounds is None or bounds[0] >= bounds[1] or (label.verdict in {"passed", "failed"} and label.verdict != outcome):
        return None
    clock, threads = label.clock, label.threads
    return Report(
        place=place,
        tool=fields.family,
        stage=label.stages[0],
        outcome=outcome,
        kind=kind_of_bounds(bounds),
        time_control=clock.text,
        nodes=clock.nodes,
        depth=clock.depth,
        movetime=clock.movetime,
        threads=threads,
        smp=(threads or 1) > 1 or SMP.search(label.text) is not None,
        hash_mb=label.hash_mb or None,
        llr=fields.llr,
        llr_bounds=fields.llr_bounds,
        elo_bounds=bounds,
        bounds_model=model_of(fields, fields.bracket),
        wins=fields.wins,
        losses=fields.losses,
        draws=fields.draws,
        games=fields.games,
        pentanomial=fields.pentanomial,  # type: ignore[arg-type]  # five: to the letter
        link=link,
    )

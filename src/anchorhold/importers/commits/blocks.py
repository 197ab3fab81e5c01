"""Which rows of a message make up one report, and which words are its label.

A report ends where a field would be filled twice, where prose stands between, or where a row begins that opens a report
in its family; not at blank lines alone. May import: anchorhold.importers.commits.*.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from anchorhold.importers.commits.claims import claim_in
from anchorhold.importers.commits.exact import exact_report, is_exact_row
from anchorhold.importers.commits.fields import Fields
from anchorhold.importers.commits.labels import LONGEST_LABEL, Label, is_label, label_of, stages_in
from anchorhold.importers.commits.rows import (
    continues_pairs,
    has_digit,
    is_neutral,
    looks_like_data,
    read_row,
)
from anchorhold.importers.commits.tables import may_head_table, table_at
from anchorhold.importers.commits.text import Line
from anchorhold.importers.report import Stage

_SHARED = re.compile(
    r"^.{0,40}\b(?:all|each|every|both)\b.{0,40}\b(?:tests?|games|match(?:es)?|runs?)\b"
    r"|^.{0,40}\b(?:tests?|games|match(?:es)?)\b.{0,20}\ball\b",
    re.IGNORECASE,
)
_LONGEST_SHARED = 200
_TRAILER = re.compile(
    r"^(?:bench\b|closes\b|fixes\b|resolves\b|signed-off-by|co-authored-by|reviewed-on|no functional change)",
    re.IGNORECASE,
)
_LABEL_LINES = 6


@dataclass(slots=True)
class Block:
    """The rows of one report, with its label."""

    fields: Fields
    first: int
    """Index of its first line."""
    last: int
    label: Label = field(default_factory=Label)
    stage_of_label: Stage | None = None
    """The stage that the label names for this report."""
    unclear_label: bool = False
    """The label names several stages, and which is meant is open."""
    text_above: bool = False
    """Whether words stand between the report before and this one."""
    link: str | None = None

    @property
    def is_claim(self) -> bool:
        """Whether it is a claim on the games of another report."""
        return self.fields.family == "claim"


@dataclass(frozen=True, slots=True)
class Blocks:
    """What a message holds."""

    blocks: tuple[Block, ...]
    unread: tuple[tuple[Line, str], ...]
    """Lines that look like data and are in no report, with the reason."""
    shared: Label
    """What one sentence above says of all reports."""


def blocks_of(lines: Sequence[Line]) -> Blocks:
    """Find the reports of a message, in their order."""
    return _Reader(lines).read()


def _may_share(text: str) -> bool:
    alike = text.casefold()
    return "all" in alike or "each" in alike or "every" in alike or "both" in alike


class _Reader:
    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        self.blocks: list[Block] = []
        self.open: Block | None = None
        self.gap = False
        """Whether a blank line or a link stands after the open report's last row."""
        self.unread: list[tuple[Line, str]] = []
        self.words: set[int] = set()
        """Indexes of lines that are words, no rows."""

    def read(self) -> Blocks:
        index = 0
        while index < len(self.lines):
            index = self._step(index)
        self._close()
        self._labels_below()
        for at, block in enumerate(self.blocks):
            self._label(at, block)
        self._share_labels()
        return Blocks(tuple(self.blocks), tuple(self.unread), self._shared())

    def _step(self, index: int) -> int:
        line = self.lines[index]
        if not line.raw:
            self.gap = True
            return index + 1
        if line.raw.startswith("LLR: ") and (rows := self._exact_report(index)):
            return index + rows
        if not line.may_hold_data and not self._llr_follows(index):
            return self._is_words(index)
        text = line.text
        if not text:
            self.gap = self.gap or line.link is None
            if line.link and self.open is not None and self.open.link is None:
                self.open.link = line.link
            return index + 1
        table = table_at([row.text for row in self.lines[index : index + 200]]) if may_head_table(text) else None
        if table is not None:
            self._close()
            self.blocks.append(Block(table.fields, index, index + table.rows))
            if table.fields.wins is None:
                self.unread.append((line, "the games of one change cannot be taken out of a rating list"))
            return index + table.rows + 1
        if not has_digit(text) and not self._near_llr(index):
            return index + 1 if is_neutral(text) else self._is_words(index)
        if (taken := self._claim(index)) > index:
            return taken
        row = read_row(text)
        if row is None and self.open is not None and self.open.fields.more_pairs and self.open.fields.pentanomial:
            row = continues_pairs(text, self.open.fields.pentanomial)
            if row is not None:
                self.open.fields.take(row)
                self.open.fields.more_pairs = None
                self.open.last = index
                return index + 1
        if row is not None and not (
            row.accepted is not None and not row.values().keys() - {"accepted"} and self.open is None
        ):
            self._take(index, row)
            if line.link and self.open is not None and self.open.link is None:
                self.open.link = line.link
            return index + 1
        if is_neutral(text):
            return index + 1
        if looks_like_data(text):
            self.unread.append((line, "looks like a line of a test report, but could not be read"))
            if self.open is not None:
                return index + 1
        return self._is_words(index)

    def _llr_follows(self, index: int) -> bool:
        return index + 1 < len(self.lines) and "LLR" in self.lines[index + 1].raw

    def _near_llr(self, index: int) -> bool:
        """Whether a line without figures may yet be a claim or the head of a report."""
        raw = self.lines[index].raw
        return "LLR" in raw or "esults of" in raw or self._llr_follows(index)

    def _is_words(self, index: int) -> int:
        self.words.add(index)
        self._close()
        return index + 1

    def _claim(self, index: int) -> int:
        """Take a claim that begins at a line; returns the index after it."""
        text, end = self.lines[index].text, index + 1
        found = claim_in(text)
        follows = self.lines[end].text if end < len(self.lines) else ""
        if found is None and "LLR" in follows and not is_exact_row(follows):
            found, end = claim_in(f"{text} {follows}"), end + 1
            if found is not None and (read_row(text) is not None or read_row(follows) is not None):
                return index
        if found is None:
            return index
        self._close()
        self.blocks.append(Block(found, index, end - 1))
        return end

    def _exact_report(self, index: int) -> int:
        """Take the rows of a report in the usual form at once; returns their number, 0 where others may join."""
        if self.open is not None and self.open.fields.llr is None:
            return 0
        found = exact_report("\n".join(line.raw for line in self.lines[index : index + 3]))
        if found is None:
            return 0
        fields, rows = found
        self.open = Block(fields, index, index + rows - 1)
        self.blocks.append(self.open)
        self.gap = False
        return rows

    def _take(self, index: int, row: Fields) -> None:
        current = self.open
        if current is not None and self._begins_another(current.fields, row):
            self._close()
            current = None
        if current is None:
            self.open = current = Block(row, index, index)
            self.blocks.append(current)
        else:
            lead, family = current.fields.lead, current.fields.family
            current.fields.take(row)
            current.fields.lead = lead
            current.fields.family = row.family if family in {"", "fishtest"} and row.family else family
            current.last = index
        self.gap = False

    def _begins_another(self, so_far: Fields, row: Fields) -> bool:
        have, new = so_far.values(), row.values()
        twice = have.keys() & new.keys() - {"fixed", "accepted"}
        if so_far.elo_bounds == row.elo_bounds:
            twice -= {"elo_bounds"}
        if not self.gap and (so_far.elo, so_far.elo_error) == (row.elo, row.elo_error):
            twice -= {"elo", "elo_error"}
        if twice:
            return True
        if row.family == "cutechess" and row.lead is None and not self.gap and have.keys() <= {"elo", "elo_error"}:
            return False  # the difference was printed above the score
        counted = "games" in have or "wins" in have
        if row.family == "old" and row.lead is None and not self.gap and not counted:
            return False  # counts by their signs, in a report that has none yet
        conditions = {"header", "elo_bounds", "fixed", "accepted"}
        if row.starts and row.family in {"cutechess", "fastchess", "old", "log", "script"}:
            return not have.keys() <= conditions or so_far.family == row.family
        if row.family == "openbench" and so_far.family not in {"openbench", ""}:
            return (counted or "llr" in have) and bool(row.starts or self.gap or "header" in new)
        return bool(row.starts and self.gap and counted and so_far.family != "page" and row.lead is None) or bool(
            row.lead is not None and stages_in(row.lead) and counted
        )

    def _close(self) -> None:
        self.open = None
        self.gap = False

    # Labels

    def _labels_below(self) -> None:
        """Where each label stands under its report, directly and alone, say so."""
        for at, block in enumerate(self.blocks):
            below = block.last + 1
            if below not in self.words or (below + 1 < len(self.lines) and self.lines[below + 1].text):
                continue
            stages = stages_in(self.lines[below].text)
            if len(stages) != 1 or len(self.lines[below].text) > 30 or self.lines[below].text.endswith(":"):
                continue
            if self._label_above(at, block).stages:
                return  # labels stand above in this message
            block.stage_of_label = stages[0]
            block.label = label_of(self.lines[below].text)
            self.words.discard(below)

    def _label(self, at: int, block: Block) -> None:
        label = self._label_above(at, block)
        floor = self.blocks[at - 1].last if at else -1
        block.text_above = bool(label.text) or any(index in self.words for index in range(floor + 1, block.first))
        if block.stage_of_label is None:
            block.label = label

    def _label_above(self, at: int, block: Block) -> Label:
        floor = self.blocks[at - 1].last if at else -1
        texts = [block.fields.lead] if block.fields.lead else []
        said = label_of(texts[0]) if texts else Label()
        if said.stages:
            return said
        nearest = self._nearest_words(block.first - 1, floor)
        if nearest is None or (texts and said.says_something and block.first - nearest > 1):
            return said if texts else Label()
        return self._longest_label(nearest, floor, texts)

    def _nearest_words(self, index: int, floor: int) -> int | None:
        """Index of the nearest line of words above, at most two blank lines away; the title only when adjacent."""
        blanks = 0
        while index > floor:
            if index in self.words:
                text = self.lines[index].text
                if (index == 0 and blanks) or _TRAILER.match(text) or not is_label(text):
                    return None
                return index
            if not self.lines[index].text and not self.lines[index].link:
                blanks += 1
                if blanks > 2:
                    return None
            index -= 1
        return None

    def _longest_label(self, nearest: int, floor: int, texts: list[str]) -> Label:
        """Go up from the nearest line until a stage or a clock is named; a sentence that has ended is another one."""
        first: Label | None = None
        joined = list(texts)
        for index in range(nearest, max(floor, nearest - _LABEL_LINES), -1):
            text = self.lines[index].text
            if index != nearest and not self._goes_on(index):
                break
            joined.insert(0, text)
            label = label_of(" ".join(joined)[-4 * LONGEST_LABEL :])
            first = first or label
            if label.stages or label.clock.known:
                return label
            if re.match(r"\s*[*-]\s", self.lines[index].raw):
                break
        return first or Label()

    def _goes_on(self, index: int) -> bool:
        """Whether a line of words may be the first half of a label that goes on below it."""
        text = self.lines[index].text
        ended = text.endswith((".", "!", "?")) or len(text) > LONGEST_LABEL
        return index in self.words and not ended and not _TRAILER.match(text)

    def _share_labels(self) -> None:
        """One heading may name the stages of the reports that follow it without words of their own."""
        at = 0
        while at < len(self.blocks):
            block = self.blocks[at]
            stages = block.label.stages
            if block.stage_of_label is not None or not stages:
                at += 1
                continue
            followers = [block]
            while len(followers) < len(stages) and at + len(followers) < len(self.blocks):
                follower = self.blocks[at + len(followers)]
                if follower.text_above or follower.stage_of_label is not None:
                    break
                followers.append(follower)
            if len(stages) == 1:
                block.stage_of_label = stages[0]
            elif len(followers) == len(stages):
                for follower, stage in zip(followers, stages, strict=True):
                    follower.stage_of_label = stage
                    follower.label = block.label
            else:
                block.unclear_label = True
            at += len(followers)

    def _shared(self) -> Label:
        first = self.blocks[0].first if self.blocks else 0
        for index in sorted(self.words):
            if index >= first:
                break
            text = self.lines[index].text
            if len(text) <= _LONGEST_SHARED and _may_share(text) and _SHARED.match(text):
                label = label_of(text)
                if label.clock.known or label.bounds:
                    return label
        return Label()

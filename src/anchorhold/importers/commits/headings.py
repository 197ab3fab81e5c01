"""Which words of a message are the label of which report: those on its first row, above it, or below it.

May import: anchorhold.importers.commits.*.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from anchorhold.importers.commits.block import Block
from anchorhold.importers.commits.labels import LONGEST_LABEL, NO_LABEL, Label, is_label, label_of, stages_in
from anchorhold.importers.commits.text import Lines
from anchorhold.importers.patterns import Pattern

_SHARED = Pattern(
    r"^.{0,40}\b(?:all|each|every|both)\b.{0,40}\b(?:tests?|games|match(?:es)?|runs?)\b"
    r"|^.{0,40}\b(?:tests?|games|match(?:es)?)\b.{0,20}\ball\b",
    re.IGNORECASE,
)
_LONGEST_SHARED = 200
_TRAILER = Pattern(
    r"^(?:bench\b|closes\b|fixes\b|resolves\b|signed-off-by|co-authored-by|reviewed-on|no functional change)",
    re.IGNORECASE,
)
_LABEL_LINES = 6
LONGEST_BELOW = 30
"""Characters of a label that stands under its report."""


def is_trailer(text: str) -> bool:
    """Whether a line is one of those that end a message: bench, closed issues, who signed it off."""
    return _TRAILER.match(text) is not None


def _may_share(text: str) -> bool:
    alike = text.casefold()
    return "all" in alike or "each" in alike or "every" in alike or "both" in alike


class Headings:
    """The labels of the reports of one message."""

    def __init__(self, lines: Lines, blocks: Sequence[Block], is_words: Callable[[int], bool]) -> None:
        self.lines = lines
        self.blocks = blocks
        self.is_words = is_words
        """Whether the line of an index is words, no row."""
        self._taken: set[int] = set()
        """Lines that are the label of the report above them."""

    def give(self) -> None:
        """Give every report its label, and the stage that it names."""
        self._labels_below()
        for at, block in enumerate(self.blocks):
            self._label(at, block)
        self._share_labels()

    def _words(self, index: int) -> bool:
        return index < len(self.lines) and index not in self._taken and self.is_words(index)

    def _labels_below(self) -> None:
        """Where each label stands under its report, directly and alone, say so."""
        for at, block in enumerate(self.blocks):
            below = block.last + 1
            if not self._words(below) or (below + 1 < len(self.lines) and self.lines[below + 1].text):
                continue
            stages = stages_in(self.lines[below].text)
            if len(stages) != 1 or len(self.lines[below].text) > LONGEST_BELOW or self.lines[below].text.endswith(":"):
                continue
            if self._label_above(at, block).stages:
                return  # labels stand above in this message
            block.stage_of_label = stages[0]
            block.label = label_of(self.lines[below].text)
            self._taken.add(below)

    def _label(self, at: int, block: Block) -> None:
        label = self._label_above(at, block)
        floor = self.blocks[at - 1].last if at else -1
        block.text_above = bool(label.text) or any(self._words(index) for index in range(floor + 1, block.first))
        if block.stage_of_label is None:
            block.label = label

    def _label_above(self, at: int, block: Block) -> Label:
        floor = self.blocks[at - 1].last if at else -1
        texts = [block.fields.lead] if block.fields.lead else []
        said = label_of(texts[0]) if texts else NO_LABEL
        if said.stages:
            return said
        nearest = self._nearest_words(block.first - 1, floor)
        if nearest is None or (texts and said.says_something and block.first - nearest > 1):
            return said if texts else NO_LABEL
        return self._longest_label(nearest, floor, texts)

    def _nearest_words(self, index: int, floor: int) -> int | None:
        """Index of the nearest line of words above, at most two blank lines away; the title only when adjacent."""
        blanks = 0
        while index > floor:
            if self._words(index):
                text = self.lines[index].text
                if (index == 0 and blanks) or is_trailer(text) or not is_label(text):
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
        return first or NO_LABEL

    def _goes_on(self, index: int) -> bool:
        """Whether a line of words may be the first half of a label that goes on below it."""
        text = self.lines[index].text
        ended = text.endswith((".", "!", "?")) or len(text) > LONGEST_LABEL
        return not ended and self._words(index) and not is_trailer(text)

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

    def shared(self) -> Label:
        """Return what one sentence above says of all reports."""
        for index in range(self.blocks[0].first if self.blocks else 0):
            if not _may_share(self.lines.raws[index]) or not self._words(index):
                continue
            text = self.lines[index].text
            if len(text) <= _LONGEST_SHARED and _SHARED.match(text):
                label = label_of(text)
                if label.clock.known or label.bounds:
                    return label
        return NO_LABEL

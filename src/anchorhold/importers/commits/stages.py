"""Which stage each report of a message is of: the word of its label decides before its clock does.

May import: anchorhold.importers.commits.*, anchorhold.importers.report.
"""

from __future__ import annotations

from collections.abc import Sequence

from anchorhold.importers.commits.block import Block
from anchorhold.importers.commits.clocks import Clock, clock_in, threads_in
from anchorhold.importers.report import Stage

SURELY_SHORT, SURELY_LONG = 10.0, 30.0
"""Base times in seconds that no engine of the survey calls long, or short, on one thread."""


class Stages:
    """The reports of one message with their clocks and threads, each at the same place."""

    def __init__(self, blocks: Sequence[Block], clocks: Sequence[Clock], threads: Sequence[int | None]) -> None:
        self.blocks, self.clocks, self.threads = blocks, clocks, threads

    def stage(self, at: int) -> tuple[Stage | None, str]:
        """Return the stage of a report; None where it is not clear, with the reason."""
        block, clock = self.blocks[at], self.clocks[at]
        if block.is_claim:
            return self._stage_of_claim(at), ""
        if self.label_belongs_elsewhere(block):
            return None, f"its label says {block.stage_of_label}, its clock is {clock.text}"
        if block.stage_of_label is not None:
            return block.stage_of_label, ""
        if block.unclear_label:
            return None, "its label names several stages"
        if not clock.known and (other := self._same_games(at)) is not None:
            return self.stage(other)
        stage = stage_of_clock(clock)
        if stage is None:
            return None, f"the unit of the time control {clock.text} is open"
        if stage == "long" and (why := self._not_the_long_one(at, clock, self.threads[at])):
            return None, why
        return stage, ""

    @staticmethod
    def label_belongs_elsewhere(block: Block) -> bool:
        """Whether the label names the one stage and the printed clock, of one thread, is plainly the other's."""
        if not block.fields.header:
            return False
        clock = clock_in(block.fields.header)
        if clock.base is None or (threads_in(block.fields.header or "") or 1) > 1:
            return False
        if block.stage_of_label == "long":
            return clock.base <= SURELY_SHORT
        return block.stage_of_label == "short" and clock.base >= SURELY_LONG

    def _same_games(self, at: int) -> int | None:
        """Index of an earlier report that counts the very same games: this one reads them under other bounds."""
        counts = self._counts(at)
        if None in counts:
            return None
        return next((other for other in range(at) if self._counts(other) == counts), None)

    def _counts(self, at: int) -> tuple[int | None, int | None, int | None]:
        fields = self.blocks[at].fields
        return fields.wins, fields.losses, fields.draws

    def _stage_of_claim(self, at: int) -> Stage | None:
        """The stage of the report whose games are meant: the one directly below the claim, else the one above."""
        below = at + 1 < len(self.blocks) and self.blocks[at + 1].first - self.blocks[at].last == 1
        other = at + 1 if below else at - 1
        if other < 0 or other >= len(self.blocks) or self.blocks[other].is_claim:
            return "unknown"
        return self.stage(other)[0]

    def _not_the_long_one(self, at: int, clock: Clock, threads: int | None) -> str:
        """Say why a long clock may not be the long stage: other reports name theirs, or a ladder has one before it."""
        assert clock.base is not None
        same = [
            other.base
            for index, other in enumerate(self.clocks)
            if index != at
            and other.base is not None
            and other.moves is None
            and self.threads[index] == threads
            and self.blocks[index].stage_of_label is None
        ]
        shorter_long = [base for base in same if 20.0 <= base <= clock.base / 2.0]
        if shorter_long and any(base < 20.0 for base in same):
            return (
                f"{clock.text} is long by its clock, but stands above {min(shorter_long):g} seconds, which is long too"
            )
        named = {block.stage_of_label for block in self.blocks} - {None}
        if {"short", "long"} <= named and self.blocks[at].text_above:
            return f"which stage {clock.text} is, is not said, and others are named"
        return ""


def stage_of_clock(clock: Clock) -> Stage | None:
    """Return the stage that a clock has by itself; None where its unit is open.

    Base time under 5 s is other, to below 20 s short, to below 100 s long, from 100 s very long; moves per session,
    nodes, depth, time per move and sudden death are other.
    """
    if clock.nodes is not None or clock.depth is not None or clock.movetime is not None:
        return "other"
    if clock.base is None:
        return "unknown"
    if clock.moves is not None:
        return "other"
    if not clock.increment:
        return "other" if clock.seconds_said or clock.base >= 5.0 else None
    if clock.base < 5.0:
        return "other"
    if clock.base < 20.0:
        return "short"
    return "long" if clock.base < 100.0 else "very_long"

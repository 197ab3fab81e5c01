"""Which rows of a message make up one report.

A report ends where a field would be filled twice, where prose stands between, or where a row begins that opens a report
in its family; not at blank lines alone. May import: anchorhold.importers.commits.*.
"""

from __future__ import annotations

from dataclasses import dataclass

from anchorhold.importers.commits.block import Block
from anchorhold.importers.commits.claims import claim_in
from anchorhold.importers.commits.exact import exact_report, is_exact_row
from anchorhold.importers.commits.fields import Fields
from anchorhold.importers.commits.headings import Headings
from anchorhold.importers.commits.labels import stages_in
from anchorhold.importers.commits.rows import (
    continues_pairs,
    has_digit,
    is_neutral,
    looks_like_data,
    read_row,
)
from anchorhold.importers.commits.screen import worth_a_look
from anchorhold.importers.commits.tables import heads_table, table_at
from anchorhold.importers.commits.text import Line, Lines


@dataclass(frozen=True, slots=True)
class Blocks:
    """What a message holds."""

    blocks: tuple[Block, ...]
    unread: tuple[tuple[Line, str], ...]
    """Lines that look like data and are in no report, with the reason."""
    headings: Headings
    """The words around them."""


def blocks_of(lines: Lines) -> Blocks:
    """Find the reports of a message, in their order."""
    return _Reader(lines).read()


class _Reader:
    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.blocks: list[Block] = []
        self.open: Block | None = None
        self.gap = False
        """Whether a blank line or a link stands after the open report's last row."""
        self.unread: list[tuple[Line, str]] = []
        self.words: dict[int, bool] = {}
        """Of the lines that were looked at, whether they are words, no rows."""

    def read(self) -> Blocks:
        raws, index = self.lines.raws, 0
        for at in (*worth_a_look(raws), len(raws)):
            index = self._rest_of_pairs(index, at)
            if at < index:
                continue
            self._pass_over(index, at)
            index = self._step(at) if at < len(raws) else at
        self._close()
        headings = Headings(self.lines, self.blocks, self._is_words)
        headings.give()
        return Blocks(tuple(self.blocks), tuple(self.unread), headings)

    def _rest_of_pairs(self, index: int, end: int) -> int:
        """Take the lines on which a list of pairs that was broken off may go on; returns the index of the next line."""
        while index < end and self.open is not None and self.open.fields.more_pairs:
            at = next((at for at in range(index, end) if self.lines.raws[at]), end)
            self._pass_over(index, at)
            index = self._step(at) if at < end else end
        return index

    def _pass_over(self, start: int, end: int) -> None:
        """Go over lines that are no rows, as far as the open report asks what they are."""
        for index in range(start, end):
            if self.open is None:
                return
            if not self.lines.raws[index]:
                self.gap = True
                continue
            line = self.lines[index]
            if not line.text:
                self._skip_empty(line)
            elif self._is_words(index):
                self._close()

    def _skip_empty(self, line: Line) -> None:
        """Pass over a blank line, or one with nothing but an address, which is the open report's."""
        self.gap = self.gap or line.link is None
        if line.link and self.open is not None and self.open.link is None:
            self.open.link = line.link

    def _is_words(self, index: int) -> bool:
        found = self.words.get(index)
        if found is None:
            line = self.lines[index]
            if not line.raw:
                found = False
            elif not line.may_hold_data and not self._llr_follows(index):
                found = True
            else:
                found = bool(line.text) and not is_neutral(line.text)
            self.words[index] = found
        return found

    def _step(self, index: int) -> int:
        """Take a line that may be a row; returns the index of the line after what was taken."""
        if self.lines.raws[index].startswith("LLR: ") and (rows := self._exact_report(index)):
            return self._taken(index, index + rows)
        line = self.lines[index]
        if not line.may_hold_data and not self._llr_follows(index):
            return self._take_words(index)
        text = line.text
        if not text:
            self._skip_empty(line)
            return index + 1
        table = table_at(self._texts(index)) if heads_table(text) else None
        if table is not None:
            self._close()
            self.blocks.append(Block(table.fields, index, index + table.rows))
            if table.fields.wins is None:
                self.unread.append((line, "the games of one change cannot be taken out of a rating list"))
            return self._taken(index, index + table.rows + 1)
        if not has_digit(text) and not self._near_llr(index):
            return self._taken(index, index + 1) if is_neutral(text) else self._take_words(index)
        if (end := self._claim(index)) > index:
            return self._taken(index, end)
        row = read_row(text)
        if row is None and self.open is not None and self.open.fields.more_pairs and self.open.fields.pentanomial:
            row = continues_pairs(text, self.open.fields.pentanomial)
            if row is not None:
                self.open.fields.take(row)
                self.open.fields.more_pairs = None
                self.open.last = index
                return self._taken(index, index + 1)
        if row is not None and not (
            row.accepted is not None and not row.values().keys() - {"accepted"} and self.open is None
        ):
            self._take(index, row)
            if line.link and self.open is not None and self.open.link is None:
                self.open.link = line.link
            return self._taken(index, index + 1)
        if is_neutral(text):
            return self._taken(index, index + 1)
        if looks_like_data(text):
            self.unread.append((line, "looks like a line of a test report, but could not be read"))
            if self.open is not None:
                return self._taken(index, index + 1)
        return self._take_words(index)

    def _taken(self, index: int, end: int) -> int:
        for at in range(index, end):
            self.words[at] = False
        return end

    def _take_words(self, index: int) -> int:
        self.words[index] = True
        self._close()
        return index + 1

    def _texts(self, index: int) -> list[str]:
        return [self.lines[at].text for at in range(index, min(index + 200, len(self.lines)))]

    def _llr_follows(self, index: int) -> bool:
        return index + 1 < len(self.lines) and "LLR" in self.lines.raws[index + 1]

    def _near_llr(self, index: int) -> bool:
        """Whether a line without figures may yet be a claim or the head of a report."""
        raw = self.lines.raws[index]
        return "LLR" in raw or "esults of" in raw or self._llr_follows(index)

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
        found = exact_report("\n".join(self.lines.raws[index : index + 3]))
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

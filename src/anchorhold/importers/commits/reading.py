"""From the rows and the label of a report to what it means: outcome, stage, kind; what is not clear stays open.

The conventions are those of SURVEY and SPEC section 12: the bounds decide the kind, the LLR decides the outcome;
the stage is found by ``stages``. May import: anchorhold.stats,
anchorhold.importers.*.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from anchorhold.importers.base import Place, Problem
from anchorhold.importers.commits.block import Block
from anchorhold.importers.commits.blocks import blocks_of
from anchorhold.importers.commits.clocks import Clock, clock_in, hash_in, threads_in
from anchorhold.importers.commits.fields import Bounds
from anchorhold.importers.commits.headings import Headings
from anchorhold.importers.commits.labels import Label, says_fixed
from anchorhold.importers.commits.stages import Stages
from anchorhold.importers.commits.text import Lines, lines_of
from anchorhold.importers.commits.usual import SMP, usual_reports
from anchorhold.importers.commits.verdicts import model_of, outcome_by_llr
from anchorhold.importers.report import Outcome, Report, Stage, TestKind, kind_of_bounds


@dataclass(frozen=True, slots=True)
class Reading:
    """The reports of one message, with everything that could not be read or is not clear."""

    reports: tuple[Report, ...]
    claims: frozenset[int]
    """Indexes of reports that only claim a pass on the games of another."""
    problems: tuple[Problem, ...]


def read_message(message: str, *, source: str) -> Reading:
    """Read a commit message.

    Parameters
    ----------
    message : str
        The whole message; any text.
    source : str
        How places name it: the commit, or a file.
    """
    usual = usual_reports(message, source=source)
    return read_closely(message, source=source) if usual is None else Reading(usual, frozenset(), ())


def read_closely(message: str, *, source: str) -> Reading:
    """Read a message of any form, line by line; parameters are those of ``read_message``."""
    lines = lines_of(message)
    found = blocks_of(lines)
    reader = _Meaning(lines, found.blocks, found.headings, source)
    reports = tuple(reader.report(at) for at in range(len(found.blocks)))
    unread = [Problem(Place(source, line.number), why, line.raw) for line, why in found.unread]
    problems = sorted(reader.problems + unread, key=lambda one: one.place.line or 0)
    return Reading(reports, frozenset(at for at, block in enumerate(found.blocks) if block.is_claim), tuple(problems))


class _Meaning:
    def __init__(self, lines: Lines, blocks: Sequence[Block], headings: Headings, source: str) -> None:
        self.lines, self.blocks, self.headings, self.source = lines, blocks, headings, source
        self._shared: Label | None = None
        self.problems: list[Problem] = []
        self.clocks = [self._clock(block) for block in blocks]
        self.threads = [self._threads(block) for block in blocks]
        self.stages = Stages(blocks, self.clocks, self.threads)

    def report(self, at: int) -> Report:
        block = self.blocks[at]
        fields, label = block.fields, block.label
        place = Place(self.source, self.lines[block.first].number)
        clock, threads = self.clocks[at], self.threads[at]
        bounds, bracket = self._bounds(block)
        kind = self._kind(block, bounds, place)
        pentanomial = fields.pentanomial
        if pentanomial is not None and len(pentanomial) != 5:
            self._problem(place, f"a pentanomial has five numbers, here stand {len(pentanomial)}", block)
            pentanomial = None
        return Report(
            place=place,
            tool="claim" if block.is_claim else fields.family or "fishtest",
            stage=self._stage(at, place),
            outcome=self._outcome(block, kind, place),
            kind=kind,
            time_control=clock.text,
            nodes=clock.nodes,
            depth=clock.depth,
            movetime=clock.movetime,
            threads=threads,
            smp=(threads or 1) > 1 or SMP.search(label.text) is not None,
            hash_mb=self._hash(block),
            llr=fields.llr,
            llr_bounds=fields.llr_bounds,
            elo_bounds=bounds,
            bounds_model=model_of(fields, bracket),
            wins=fields.wins,
            losses=fields.losses,
            draws=fields.draws,
            games=fields.games,
            pentanomial=pentanomial,
            elo=fields.elo,
            elo_error=fields.elo_error,
            link=block.link,
        )

    def _stage(self, at: int, place: Place) -> Stage | None:
        stage, why = self.stages.stage(at)
        if stage is None:
            self._problem(place, why, self.blocks[at])
        return stage

    def _problem(self, place: Place, what: str, block: Block) -> None:
        self.problems.append(Problem(place, what, self.lines[block.first].raw))

    def _clock(self, block: Block) -> Clock:
        for text in (block.fields.header, block.fields.rest):
            if text and (found := clock_in(text)).known:
                return found
        if block.is_claim:
            return Clock()
        if block.label.clock.known:
            return block.label.clock
        if self._uses_shared(block):
            return self.shared.clock
        return Clock()

    def _threads(self, block: Block) -> int | None:
        for text in (block.fields.header, block.fields.rest):
            if text and (found := threads_in(text)) is not None:
                return found
        if block.is_claim:
            return None
        return block.label.threads or (self.shared.threads if self._uses_shared(block) else None)

    @property
    def shared(self) -> Label:
        """What one sentence above says of all reports; few messages have one, and few reports ask."""
        if self._shared is None:
            self._shared = self.headings.shared()
        return self._shared

    def _uses_shared(self, block: Block) -> bool:
        """Whether what is told of all reports is told of this one: it says nothing of its own."""
        return block.fields.header is None and not block.label.clock.known and not block.label.stages

    def _hash(self, block: Block) -> int | None:
        for text in (block.fields.header, block.fields.rest):
            if text and (found := hash_in(text)) is not None:
                return found
        return block.label.hash_mb or (self.shared.hash_mb if self._uses_shared(block) else None)

    def _bounds(self, block: Block) -> tuple[Bounds | None, str]:
        if block.fields.elo_bounds is not None:
            return block.fields.elo_bounds, block.fields.bracket
        if block.fields.llr is None and block.fields.accepted is None:
            return None, ""
        if block.label.bounds is not None:
            return block.label.bounds, block.label.bracket
        return self.shared.bounds, self.shared.bracket

    def _kind(self, block: Block, bounds: Bounds | None, place: Place) -> TestKind | None:
        fields = block.fields
        sequential = fields.llr is not None or (fields.accepted is not None and not fields.fixed)
        if bounds is not None and bounds[0] > bounds[1]:
            self._problem(place, f"the Elo bounds {bounds[0]:g} and {bounds[1]:g} are not in rising order", block)
            return None
        if fields.fixed or (bounds is not None and bounds[0] == bounds[1]):
            return "fixed_games"
        if fields.values().keys() == {"pentanomial"}:
            self._problem(place, "pairs of a test whose other rows could not be read", block)
            return None
        if not sequential:
            if fields.family == "openbench" and fields.header is not None:
                self._problem(place, "a sequential test without an LLR: its bounds are not known", block)
                return None
            return "fixed_games"
        if bounds is not None:
            return kind_of_bounds(bounds)
        return block.label.kind or ("non_regression" if self._is_regression(block) else "unknown")

    def _is_regression(self, block: Block) -> bool:
        return "regression" in block.label.text.lower()

    def _outcome(self, block: Block, kind: TestKind | None, place: Place) -> Outcome | None:
        fields, words = block.fields, block.label.verdict
        if block.is_claim:
            return "passed" if fields.accepted else "failed"
        if kind == "fixed_games" or (fields.llr is None and fields.accepted is None):
            if words in {"passed", "failed"} and kind == "fixed_games" and not says_fixed(block.label.text):
                self._problem(place, f"the label says {words}, but of a fixed number of games", block)
                return None
            return "unknown"
        by_numbers = outcome_by_llr(fields)
        if fields.accepted is not None and by_numbers in {None, "unknown"}:
            by_numbers = "passed" if fields.accepted else "failed"
        if by_numbers is None:
            if words in {"passed", "failed"} and fields.llr is not None and (fields.llr > 0) == (words == "passed"):
                return words
            self._problem(place, "the bounds of the LLR are not printed, so its outcome is open", block)
            return None
        if words in {"passed", "failed"} and words != by_numbers and not self.stages.label_belongs_elsewhere(block):
            self._problem(place, f"the label says {words}, its figures say {by_numbers}", block)
            return None
        return by_numbers

"""What is shown on the terminal while a match is played: figures of every meeting, progress, what engines did wrong.

Without a terminal only faults and, where asked for, the figures at an interval. All of it goes to stderr.
May import: rich, anchorhold.cli.match_figures, match_print, anchorhold.matches.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self

from anchorhold.cli.match_figures import Meeting, SprtState, Tallies
from anchorhold.cli.match_print import each_meeting, percent
from anchorhold.matches.jobs import PairOutcome
from anchorhold.stats.figures import draw_ratio, likelihood_of_superiority, pairs_ratio

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

MOST_ROWS = 12
"""Meetings in the live table: more would not fit a terminal."""


class Display:
    """Shows a match; use as a context.

    Parameters
    ----------
    tallies : Tallies
        Counted elsewhere, shown here.
    done, total : int
        Pairs that are there already, and pairs in all.
    state : callable
        Where the sequential test stands; None where none runs.
    interval : int
        Games after which the figures are printed where there is no terminal; 0: never.
    conditions : Sequence of str
        Of each meeting, for the printed figures.
    """

    def __init__(
        self,
        tallies: Tallies,
        *,
        done: int,
        total: int,
        state: Callable[[], SprtState | None],
        interval: int,
        conditions: Sequence[str],
    ) -> None:
        self._tallies = tallies
        self._state = state
        self._interval = interval
        self._conditions = conditions
        self._printed_at = tallies.pairs
        self._said: set[str] = set()
        # A terminal's tools are slow to load: only for a terminal.
        self._live = _Live(self._figures, done=done, total=total) if sys.stderr.isatty() else None

    def __enter__(self) -> Self:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def saw(self, outcome: PairOutcome) -> None:
        """Show that a pair has ended, which has been counted already."""
        for event in outcome.events:
            # Each worker warns of what it meets first; once is enough.
            if event.kind != "warning" or event.message not in self._said:
                self._said.add(event.message)
                self._say(f"{event.kind}: {event.message}")
        if self._live is not None:
            self._live.advance()
        elif self._interval and 2 * (self._tallies.pairs - self._printed_at) >= self._interval:
            self._printed_at = self._tallies.pairs
            self._say(each_meeting(self._tallies.meetings(), self._conditions, self._state()))

    def _say(self, text: str) -> None:
        if self._live is None:
            print(text, file=sys.stderr, flush=True)
        else:
            self._live.say(text)

    def _figures(self) -> Table:
        return live_table(self._tallies.meetings()[:MOST_ROWS], self._state())


class _Live:
    """The table and the progress on a terminal."""

    def __init__(self, figures: Callable[[], Table], *, done: int, total: int) -> None:
        from rich.console import Console
        from rich.live import Live
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        self._figures = figures
        self._console: Console = Console(stderr=True)
        self._progress = Progress(
            TextColumn("pairs"),
            BarColumn(bar_width=None),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=self._console,
        )
        self._task = self._progress.add_task("pairs", total=total, completed=done)
        self._live = Live(console=self._console, get_renderable=self._render, refresh_per_second=2, transient=True)
        self.start, self.stop = self._live.start, self._live.stop

    def advance(self) -> None:
        """One more pair has ended."""
        self._progress.advance(self._task)

    def say(self, text: str) -> None:
        """Print above the table."""
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)

    def _render(self) -> RenderableType:
        from rich.console import Group

        return Group(self._figures(), self._progress)


def live_table(meetings: Sequence[Meeting], state: SprtState | None) -> Table:
    """Return the figures of the meetings as a table."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, expand=False)
    table.add_column("")
    for name in ("Pairs", "Elo", "nElo", "LOS", "Draws", "Won/lost", "Ptnml(0-2)"):
        table.add_column(name, justify="right")
    if state is not None:
        table.add_column("LLR", justify="right")
    for meeting in meetings:
        pairs, e = meeting.pairs, meeting.estimate
        cells = [
            f"{meeting.first} – {meeting.second}",
            str(pairs.pairs),
            "" if e is None else f"{e.elo:+.2f} ± {e.error:.2f}",
            "" if e is None else f"{e.nelo:+.2f} ± {e.nelo_error:.2f}",
            _cell(likelihood_of_superiority(pairs)),
            _cell(draw_ratio(pairs)),
            "" if (won := pairs_ratio(pairs)) is None else f"{won:.2f}",
            str(list(pairs.as_tuple())),
        ]
        if state is not None:
            bounds = state.test.bounds
            cells.append(f"{state.llr:+.2f} ({bounds.lower:.2f}, {bounds.upper:.2f})")
        # As Text: a name may hold what rich would take for markup.
        table.add_row(*(Text(cell) for cell in cells))
    return table


def _cell(share: float | None) -> str:
    return "" if share is None else percent(share)

"""Pairs of a check while they are played: a bar on a terminal, else lines, on standard error.

May import: rich, anchorhold.checks.measuring, anchorhold.cli.status.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from anchorhold.cli.status import INTERRUPTED

if TYPE_CHECKING:
    from anchorhold.checks.measuring import OnProgress, Progress

SHOWN_STEPS = 20
"""Lines of progress when standard error is no terminal."""


@contextmanager
def shown_progress() -> Iterator[OnProgress]:
    """Show pairs as they come. Ctrl-C has an exit status of its own."""
    try:
        if sys.stderr.isatty():
            with _bar() as on_progress:
                yield on_progress
        else:
            yield _lines()
    except KeyboardInterrupt:
        print("anchorhold: interrupted; the pairs played so far are kept, the same command goes on", file=sys.stderr)
        raise SystemExit(INTERRUPTED) from None


@contextmanager
def _bar() -> Iterator[OnProgress]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    with Bar(
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        MofNCompleteColumn(),
        TextColumn("pairs"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    ) as bar:
        task = bar.add_task("measuring", total=None)

        def on_progress(progress: Progress) -> None:
            bar.update(task, description=progress.check, total=progress.planned, completed=progress.done)
            for event in progress.outcome.events if progress.outcome else ():
                bar.console.print(f"{progress.check}: {event.message}", highlight=False, markup=False, soft_wrap=True)

        yield on_progress


def _lines() -> OnProgress:
    shown = -1

    def on_progress(progress: Progress) -> None:
        nonlocal shown
        for event in progress.outcome.events if progress.outcome else ():
            print(f"{progress.check}: {event.message}", file=sys.stderr)
        step = progress.done * SHOWN_STEPS // max(progress.planned, 1)
        if step != shown:
            shown = step
            print(f"{progress.check}: {progress.done} of {progress.planned} pairs", file=sys.stderr, flush=True)

    return on_progress

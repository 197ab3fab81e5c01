"""Which pairs a run consists of, and in which order: endpoints and anchors interleaved over the same openings.

Opening by opening, so that drift of the machine hits all sides alike. Jobs are made lazily, always the same for the
same arguments. Source: SPEC section 10. May import: anchorhold.errors, anchorhold.domain, anchorhold.matches.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Literal

from anchorhold.domain.engines import EngineSpec
from anchorhold.domain.games import PairKey
from anchorhold.errors import BadInput
from anchorhold.matches.books import Book
from anchorhold.matches.jobs import MatchRules, PairJob

Tournament = Literal["gauntlet", "round-robin"]


def check_jobs(
    *,
    run: str,
    stage: str,
    endpoints: Mapping[str, EngineSpec],
    anchors: Sequence[EngineSpec],
    book: Book,
    pairs: int,
    rules: MatchRules,
) -> Iterator[PairJob]:
    """Yield the pairs of one stage of a check: for every opening, for every anchor, one endpoint after the other.

    Parameters
    ----------
    run, stage : str
        Parts of every key.
    endpoints : Mapping
        Engine by role, in the order of play: usually ``old``, then ``new``.
    anchors : Sequence
        The second engines; a key's ``anchor`` is the engine's name.
    pairs : int
        Pairs per endpoint and anchor: openings 1 to ``pairs`` of the book.

    Raises
    ------
    BadInput
        Two anchors of one name.
    """
    _distinct([anchor.name for anchor in anchors], "anchors")
    for opening in range(1, pairs + 1):
        for anchor in anchors:
            for role, engine in endpoints.items():
                yield _job(run, role, anchor.name, stage, opening, engine, anchor, book, rules)


def duel_jobs(
    *,
    run: str,
    stage: str,
    first: EngineSpec,
    second: EngineSpec,
    endpoint: str,
    anchor: str,
    book: Book,
    pairs: int,
    rules: MatchRules,
) -> Iterator[PairJob]:
    """Yield the pairs of one engine against one other: the oracle's test, the direct match.

    Parameters
    ----------
    endpoint, anchor : str
        The roles of the first and the second engine in every key, such as ``candidate`` and ``base``.
    """
    for opening in range(1, pairs + 1):
        yield _job(run, endpoint, anchor, stage, opening, first, second, book, rules)


def match_jobs(
    *,
    run: str,
    engines: Sequence[EngineSpec],
    tournament: Tournament,
    book: Book,
    pairs: int,
    rules: MatchRules,
    stage: str = "match",
    seeds: int = 1,
) -> Iterator[PairJob]:
    """Yield the pairs of a plain match: for every opening, every meeting.

    Raises
    ------
    BadInput
        As for ``meetings``.
    """
    met = meetings(engines, tournament=tournament, seeds=seeds)
    for opening in range(1, pairs + 1):
        for first, second in met:
            yield _job(run, first.name, second.name, stage, opening, first, second, book, rules)


def meetings(
    engines: Sequence[EngineSpec], *, tournament: Tournament, seeds: int = 1
) -> list[tuple[EngineSpec, EngineSpec]]:
    """Who meets whom: each meets each (round robin), or each of the first ``seeds`` engines all others (gauntlet).

    Raises
    ------
    BadInput
        Fewer than two engines, two of one name, or seeds that leave nobody else.
    """
    _distinct([engine.name for engine in engines], "engines")
    if len(engines) < 2:
        raise BadInput(f"{len(engines)} engine given, a match needs at least two")
    if not 1 <= seeds < len(engines):
        raise BadInput(f"{seeds} seeds among {len(engines)} engines: expected 1 to {len(engines) - 1}")
    met = list(combinations(engines, 2))
    return met if tournament == "round-robin" else [pair for pair in met if pair[0] in engines[:seeds]]


def _job(
    run: str,
    endpoint: str,
    anchor: str,
    stage: str,
    opening: int,
    first: EngineSpec,
    second: EngineSpec,
    book: Book,
    rules: MatchRules,
) -> PairJob:
    return PairJob(
        key=PairKey(run=run, endpoint=endpoint, anchor=anchor, stage=stage, opening=opening),
        first=first,
        second=second,
        opening=book.opening(opening),
        variant=book.variant,
        rules=rules,
    )


def _distinct(names: Sequence[str], what: str) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise BadInput(
            f"two {what} are named {twice[0]!r}", next_step="Give each a name of its own: results are kept by name"
        )

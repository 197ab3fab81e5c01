"""The opening book: can it be read, has it enough openings, can every engine play from it?

May import: anchorhold.config, errors, matches.books, anchorhold.adopt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from anchorhold.adopt.doctor.findings import Finding
from anchorhold.adopt.greeting import greet
from anchorhold.adopt.searching import Failed
from anchorhold.config.record import Config
from anchorhold.domain.engines import EngineSpec
from anchorhold.domain.limits import Limit
from anchorhold.errors import BadInput
from anchorhold.matches.books import Book, load_book

LOOKED_AT = 200
"""Openings that are looked at for positions which not every engine can be given."""


def load_project_book(config: Config) -> Book:
    """Read the book as a check would.

    Raises
    ------
    BadInput
        It cannot be read, or nothing in it can be played.
    """
    choice = config.book
    return load_book(choice.path, order=choice.order, seed=choice.seed, plies=choice.plies, variant=choice.variant)


def look_at_book(config: Config, engines: Sequence[EngineSpec]) -> Iterator[Finding]:
    """Look at the book, how many openings it has, and whether all engines can play from it.

    Parameters
    ----------
    engines : sequence of EngineSpec
        Those of XBoard are asked whether they can be given a position, where the book has any.
    """
    try:
        book = load_project_book(config)
        size = book.size
    except BadInput as error:
        yield Finding("book", "failure", str(error), "Mend [book] file in anchorhold.toml")
        return
    if book.problems:
        yield Finding(
            "book",
            "warning",
            f"{len(book.problems)} entries cannot be played; the first: {book.problems[0]}",
            "Mend them, or leave them: they are passed over",
        )
    yield from _enough(config, size)
    yield from _positions(book, engines)


def _enough(config: Config, size: int) -> Iterator[Finding]:
    wanted = {
        "the long stage": (config.long.pairs, config.long.limit),
        "the direct match": (config.direct_pairs, config.long.limit),
    }
    if config.short is not None:
        wanted["the short stage"] = (config.short.pairs, config.short.limit)
    for name, stage in (("oracle.short", config.oracle_short), ("oracle.long", config.oracle_long)):
        if stage is not None:
            wanted[name] = (stage.max_pairs, stage.limit)
    short = {name: (pairs, limit) for name, (pairs, limit) in wanted.items() if pairs > size}
    for name, (pairs, limit) in short.items():
        # On a clock a repeated opening is another game; at a fixed depth it is the same game counted again.
        repeated = _repeats(limit)
        yield Finding(
            "book",
            "failure" if repeated else "warning",
            f"{size} openings for {pairs} pairs of {name}: they come again"
            + (", and engines that repeat themselves play the same games again" if repeated else ""),
            f"Give a book of at least {pairs} openings, or plan fewer pairs",
        )
    if not short:
        most = max(pairs for pairs, _ in wanted.values())
        yield Finding("book", "ok", f"{size} openings, {most} are needed at most")


def _repeats(limit: Limit) -> bool:
    return limit.time_control is None and limit.movetime is None


def _positions(book: Book, engines: Sequence[EngineSpec]) -> Iterator[Finding]:
    first = next(
        (opening for number in range(1, min(book.size, LOOKED_AT) + 1) if (opening := book.opening(number)).fen), None
    )
    if first is None:
        return
    for spec in engines:
        if spec.protocol != "xboard":
            continue
        try:
            takes = greet(spec).setboard
        except Failed:
            continue  # that it does not start is said elsewhere
        if not takes:
            yield Finding(
                "book",
                "failure",
                f"{spec.name} cannot be given a position, and the book has them ({first.source})",
                "Take a book of move lists from the usual starting position (PGN)",
            )

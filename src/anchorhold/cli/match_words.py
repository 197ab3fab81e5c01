"""Openings, adjudication and tests as words on the command line, in the notation that users of match runners know.

``--draw movenumber=40,movecount=8,score=10``; defaults are the field's. May import: anchorhold.errors,
anchorhold.matches, anchorhold.stats, anchorhold.cli.words.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

from anchorhold.cli.words import split
from anchorhold.errors import BadInput
from anchorhold.matches.books import Format, Order
from anchorhold.matches.jobs import DrawRule, ResignRule, TablebaseRule
from anchorhold.stats.sprt import BoundsModel, Sprt

DECIDES: dict[str, Literal["both", "wins", "draws"]] = {"both": "both", "win_loss": "wins", "draw": "draws"}
PGN_EXTRAS = ("seldepth", "nps", "hashfull", "tbhits", "pv", "timeleft", "latency", "min")
"""What the field can write into a PGN and this program does not."""


@dataclass(frozen=True, slots=True)
class OpeningsChoice:
    """Which book is played, and how."""

    file: Path | None = None
    """None: the book that comes with the package, or numbered positions."""
    positions: str | None = None
    """Numbers of Chess960's starting positions, instead of a file."""
    format: Format | None = None
    """None: by the file's content."""
    order: Order = "random"
    seed: int | None = None
    """None: the match's seed."""
    plies: int | None = None
    start: int = 1


def parse_openings(text: str | None) -> OpeningsChoice:
    """Read ``file=book.epd,order=random,seed=7,plies=8``; words may also be separated by spaces.

    The book of the package is shuffled unless told otherwise, others are played in their own order, as in the field.

    Raises
    ------
    BadInput
        An unknown key or a value of another form.
    """
    if text is None:
        return OpeningsChoice()
    words = split(
        text, "--openings", keys=("file", "format", "order", "seed", "plies", "start", "positions"), commas=True
    )
    own = "file" in words.members or "positions" in words.members
    if "file" in words.members and "positions" in words.members:
        raise BadInput("file= and positions= exclude each other", where=words.where)
    found = words.choice("format", ("epd", "pgn", "bin", "auto"), "auto")
    return OpeningsChoice(
        file=Path(words.members["file"]) if "file" in words.members else None,
        positions=words.members.get("positions"),
        format=None if found == "auto" else cast(Format, found),
        order=cast(Order, words.choice("order", ("sequential", "random"), "sequential" if own else "random")),
        seed=words.whole("seed", least=0),
        plies=words.whole("plies"),
        start=words.whole("start", 1) or 1,
    )


def parse_draw(text: str | None) -> DrawRule | None:
    """Read ``movenumber=40 movecount=8 score=10``."""
    if text is None:
        return None
    words = split(text, "--draw", keys=("movenumber", "movecount", "score"))
    words.required("movecount", "score")
    return DrawRule(
        number=words.whole("movenumber", 0, least=0) or 0,
        count=words.whole("movecount") or 1,
        score=words.whole("score", least=0) or 0,
    )


def parse_resign(text: str | None) -> ResignRule | None:
    """Read ``movecount=3 score=400 twosided=true``; one side's score is enough unless told otherwise."""
    if text is None:
        return None
    words = split(text, "--resign", keys=("movecount", "score", "twosided"))
    words.required("movecount", "score")
    return ResignRule(
        count=words.whole("movecount") or 1,
        score=words.whole("score") or 1,
        two_sided=words.choice("twosided", ("true", "false"), "false") == "true",
    )


def parse_tablebases(paths: str | None, *, pieces: int | None, ignore_50: bool, decides: str) -> TablebaseRule | None:
    """Read directories with colons between them (on Windows semicolons), and what they may decide."""
    if paths is None:
        if pieces is not None or ignore_50 or decides != "BOTH":
            raise BadInput("tablebases are described but not given", next_step="Give their directories with --tb")
        return None
    if decides.lower() not in DECIDES:
        raise BadInput(f"--tbadjudicate is {decides!r}; known are BOTH, WIN_LOSS, DRAW")
    # Absolute: the processes that look them up need not share this directory.
    directories = tuple(Path(part).absolute() for part in paths.split(os.pathsep) if part)
    if not directories:
        raise BadInput("no directory is named", where="--tb")
    return TablebaseRule(directories, pieces=pieces, fifty_moves=not ignore_50, decides=DECIDES[decides.lower()])


def parse_sprt(text: str | None) -> Sprt | None:
    """Read ``elo0=0 elo1=5 alpha=0.05 beta=0.05 model=normalized``."""
    if text is None:
        return None
    words = split(text, "--sprt", keys=("elo0", "elo1", "alpha", "beta", "model"))
    words.required("elo0", "elo1")
    low, high = words.number("elo0"), words.number("elo1")
    alpha, beta = words.number("alpha", above=0.0), words.number("beta", above=0.0)
    if words.members.get("model") == "bayesian":
        raise BadInput(
            "model is 'bayesian', whose bounds are made for single games, not for pairs",
            where=words.where,
            next_step="Give model=normalized or model=logistic, with bounds in that scale",
        )
    model = words.choice("model", ("normalized", "logistic"), "normalized")
    assert low is not None
    assert high is not None
    return Sprt(
        low,
        high,
        model=cast(BoundsModel, model),
        alpha=0.05 if alpha is None else alpha,
        beta=0.05 if beta is None else beta,
    )


def parse_pgnout(text: str | None) -> Path | None:
    """Read ``file=games.pgn notation=san nodes=true``, of which only the file is to choose.

    Raises
    ------
    BadInput
        Another notation, or something to be written that is not written here.
    """
    if text is None:
        return None
    words = split(text, "--pgnout", keys=("file", "notation", "append", "nodes", *PGN_EXTRAS))
    words.required("file")
    words.choice("notation", ("san",), "san")
    words.choice("append", ("true", "false"), "true")
    words.choice("nodes", ("true", "false"), "true")
    for extra in PGN_EXTRAS:
        if words.choice(extra, ("true", "false"), "false") == "true":
            raise BadInput(
                f"{extra} is not written: moves have score, depth, time, nodes",
                where=words.where,
                next_step=f"Leave {extra}= out",
            )
    return Path(words.members["file"])

"""Engines, openings and rules as words on the command line, in the notation that users of match runners know.

``name=Alpha cmd=./alpha args='--uci' tc=8+0.08 option.Hash=16``: words are split as a shell splits them. Time margins
are milliseconds, as there; everything inside is seconds. May import: anchorhold.canonical, anchorhold.errors,
anchorhold.domain, anchorhold.matches.
"""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, cast

from anchorhold.canonical import nearest
from anchorhold.domain.engines import EngineSpec, OptionValue, Protocol
from anchorhold.domain.limits import Limit, TimeControl
from anchorhold.errors import BadInput
from anchorhold.matches.books import Order
from anchorhold.matches.jobs import DrawRule, ResignRule
from anchorhold.stats.sprt import BoundsModel, Sprt

ENGINE_KEYS = (
    "name",
    "cmd",
    "args",
    "dir",
    "proto",
    "tc",
    "st",
    "nodes",
    "depth",
    "timemargin",
    "restart",
    "initstr",
    "depthcmd",
    "option.NAME",
)
_WHOLE = re.compile(r"[+-]?\d{1,15}")


@dataclass(frozen=True, slots=True)
class OpeningsChoice:
    """Which book is played, and how."""

    file: Path | None = None
    """None: the book that comes with the package."""
    order: Order = "random"
    seed: int | None = None
    """None: the match's seed."""
    plies: int | None = None


@dataclass(frozen=True, slots=True)
class _Words:
    """``key=value`` words of one option, as given, later ones winning."""

    where: str
    members: dict[str, str] = field(default_factory=dict)

    def whole(self, name: str, default: int | None = None, *, least: int = 1) -> int | None:
        text = self.members.get(name)
        if text is None:
            return default
        if not _WHOLE.fullmatch(text) or int(text) < least:
            raise BadInput(f"{name} is {text!r}, expected a whole number of at least {least}", where=self.where)
        return int(text)

    def number(self, name: str, *, above: float = -math.inf) -> float | None:
        text = self.members.get(name)
        if text is None:
            return None
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value) or value <= above:
            more = "" if above == -math.inf else f" above {above:g}"
            raise BadInput(f"{name} is {text!r}, expected a number{more}", where=self.where)
        return value

    def required(self, *names: str) -> None:
        for name in names:
            if name not in self.members:
                raise BadInput(f"{name}= is missing", where=self.where, next_step=f"Expected {' '.join(names)}")


def parse_engines(texts: Sequence[str], *, each: str | None) -> tuple[EngineSpec, ...]:
    """Read the engines; what ``each`` says holds for all that do not say otherwise.

    Raises
    ------
    BadInput
        An unknown key, a value of another form, no command, no limit.
    """
    common = _split(each, "--each", separator=None).members if each else {}
    _known(common, ENGINE_KEYS, "--each")
    return tuple(_engine(text, common, number=number) for number, text in enumerate(texts, start=1))


def _engine(text: str, common: dict[str, str], *, number: int) -> EngineSpec:
    own = _split(text, f"--engine {number}", separator=None)
    _known(own.members, ENGINE_KEYS, own.where)
    # A limit of its own replaces the common one as a whole: tc with st is no limit.
    bounds = {"tc", "st", "nodes", "depth"}
    inherited = {k: v for k, v in common.items() if k not in bounds or not bounds & own.members.keys()}
    words = _Words(own.where, {**inherited, **own.members})
    words.required("cmd")
    name = words.members.get("name") or Path(words.members["cmd"]).name
    where = f"--engine {number} ({name})"
    words = _Words(where, words.members)
    protocol = words.members.get("proto", "uci").lower()
    if protocol not in ("uci", "xboard"):
        raise BadInput(
            f"proto is {protocol!r}; known are uci, xboard", where=where, next_step=nearest(protocol, ["uci", "xboard"])
        )
    restart = words.members.get("restart", "off").lower()
    if restart not in ("on", "off", "pair", "never", "auto"):
        raise BadInput(f"restart is {restart!r}; known are on (a fresh process per pair), off", where=where)
    if not name.isprintable():
        raise BadInput(f"the name {name!r} has signs that cannot be printed", where=where)
    margin = words.number("timemargin", above=-1.0)
    spec = EngineSpec(
        name=name,
        command=(words.members["cmd"], *_shell_words(words.members.get("args", ""), where)),
        limit=_limit(words),
        protocol=cast(Protocol, protocol),
        options=tuple(
            (key.removeprefix("option."), _option_value(value))
            for key, value in words.members.items()
            if key.startswith("option.")
        ),
        setup=tuple(line for line in words.members.get("initstr", "").replace("\\n", "\n").split("\n") if line),
        depth_command=words.members.get("depthcmd", "sd"),
        restart="pair" if restart in ("on", "pair") else "never",
        directory=Path(words.members["dir"]) if "dir" in words.members else None,
    )
    return spec if margin is None else replace(spec, margin=margin / 1000)


def _limit(words: _Words) -> Limit:
    clock = words.members.get("tc")
    nodes, depth = words.whole("nodes"), words.whole("depth")
    movetime = words.number("st", above=0.0)
    try:
        return Limit(
            time_control=None if clock in (None, "inf") else TimeControl.parse(str(clock)),
            movetime=movetime,
            nodes=nodes,
            depth=depth,
        )
    except BadInput as error:
        raise BadInput(error.what, where=words.where, next_step="Give tc=, st=, nodes= or depth=") from error


def parse_openings(text: str | None) -> OpeningsChoice:
    """Read ``file=book.epd,order=random,seed=7,plies=8``; words may also be separated by spaces.

    Raises
    ------
    BadInput
        An unknown key or a value of another form.
    """
    if text is None:
        return OpeningsChoice()
    known = ("file", "order", "seed", "plies", "format")
    words = _split(text, "--openings", separator=",", keys=known)
    _known(words.members, known, words.where)
    order = words.members.get("order", "random")
    if order not in ("sequential", "random"):
        raise BadInput(
            f"order is {order!r}; known are sequential, random",
            where=words.where,
            next_step=nearest(order, ["sequential", "random"]),
        )
    return OpeningsChoice(
        file=Path(words.members["file"]) if "file" in words.members else None,
        order=cast(Order, order),
        seed=words.whole("seed", least=0),
        plies=words.whole("plies"),
    )


def parse_draw(text: str | None) -> DrawRule | None:
    """Read ``movenumber=40 movecount=8 score=10``."""
    if text is None:
        return None
    words = _split(text, "--draw", separator=",", keys=("movenumber", "movecount", "score"))
    _known(words.members, ("movenumber", "movecount", "score"), words.where)
    words.required("movecount", "score")
    return DrawRule(
        number=words.whole("movenumber", 0, least=0) or 0,
        count=words.whole("movecount") or 1,
        score=words.whole("score", least=0) or 0,
    )


def parse_resign(text: str | None) -> ResignRule | None:
    """Read ``movecount=3 score=400 twosided=true``."""
    if text is None:
        return None
    words = _split(text, "--resign", separator=",", keys=("movecount", "score", "twosided"))
    _known(words.members, ("movecount", "score", "twosided"), words.where)
    words.required("movecount", "score")
    two_sided = words.members.get("twosided", "true").lower()
    if two_sided not in ("true", "false"):
        raise BadInput(f"twosided is {two_sided!r}, expected true or false", where=words.where)
    return ResignRule(
        count=words.whole("movecount") or 1,
        score=words.whole("score") or 1,
        two_sided=two_sided == "true",
    )


def parse_sprt(text: str | None) -> Sprt | None:
    """Read ``elo0=0 elo1=5 alpha=0.05 beta=0.05 model=normalized``."""
    if text is None:
        return None
    keys = ("elo0", "elo1", "alpha", "beta", "model")
    words = _split(text, "--sprt", separator=",", keys=keys)
    _known(words.members, keys, words.where)
    words.required("elo0", "elo1")
    low, high = words.number("elo0"), words.number("elo1")
    alpha, beta = words.number("alpha", above=0.0), words.number("beta", above=0.0)
    model = words.members.get("model", "normalized")
    if model not in ("normalized", "logistic"):
        raise BadInput(
            f"model is {model!r}; known are normalized, logistic",
            where=words.where,
            next_step=nearest(model, ["normalized", "logistic"]),
        )
    assert low is not None
    assert high is not None
    return Sprt(
        low,
        high,
        model=cast(BoundsModel, model),
        alpha=0.05 if alpha is None else alpha,
        beta=0.05 if beta is None else beta,
    )


def _split(text: str, where: str, *, separator: Literal[","] | None, keys: Sequence[str] = ()) -> _Words:
    if separator:
        # A comma separates only where a known key follows: file names may hold commas.
        text = re.sub(rf",\s*(?=(?:{'|'.join(keys)})=)", " ", text)
    members: dict[str, str] = {}
    for word in _shell_words(text, where):
        key, sign, value = word.partition("=")
        if not sign:
            raise BadInput(f"{word!r} is not of the form key=value", where=where)
        if key in members:
            raise BadInput(f"{key}= is given twice", where=where)
        members[key] = value
    return _Words(where, members)


def _shell_words(text: str, where: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        raise BadInput(f"{text!r} cannot be split into words: {error}", where=where) from error


def _known(members: dict[str, str], keys: Sequence[str], where: str) -> None:
    for name in members:
        if name in keys or (name.startswith("option.") and len(name) > 7 and "option.NAME" in keys):
            continue
        raise BadInput(
            f"unknown key {name!r}", where=where, next_step=nearest(name, keys) or f"Known are: {', '.join(keys)}"
        )


def _option_value(text: str) -> OptionValue:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    # A leading zero or sign is part of a text, not of a number.
    return int(text) if re.fullmatch(r"-?(0|[1-9]\d{0,14})", text) else text

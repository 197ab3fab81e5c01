"""Engines as words on the command line, in the notation that users of match runners know.

``name=Alpha cmd=./alpha args='--uci' tc=8+0.08 option.Hash=16``. Time margins are milliseconds, as there; everything
inside is seconds. May import: anchorhold.errors, anchorhold.domain, anchorhold.cli.words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

from anchorhold.cli.words import Words, shell_words, split
from anchorhold.domain.engines import EngineSpec, OptionValue, Protocol
from anchorhold.domain.limits import Limit, TimeControl
from anchorhold.errors import BadInput

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
    "plies",
    "timemargin",
    "restart",
    "initstr",
    "depthcmd",
    "option.NAME",
)


def parse_engines(texts: Sequence[str], *, each: str | None) -> tuple[EngineSpec, ...]:
    """Read the engines; what ``each`` says holds for all that do not say otherwise.

    Raises
    ------
    BadInput
        An unknown key, a value of another form, no command, no limit.
    """
    common = _words(each, "--each").members if each else {}
    return tuple(_engine(text, common, number=number) for number, text in enumerate(texts, start=1))


def _words(text: str, where: str) -> Words:
    words = split(text, where, keys=ENGINE_KEYS, commas=False)
    if "plies" in words.members:
        if "depth" in words.members:
            raise BadInput("depth= and plies= are the same, give one of them", where=where)
        words.members["depth"] = words.members.pop("plies")
    return words


def _engine(text: str, common: dict[str, str], *, number: int) -> EngineSpec:
    own = _words(text, f"--engine {number}")
    # A limit of its own replaces the common one as a whole: tc with st is no limit.
    bounds = {"tc", "st", "nodes", "depth"}
    inherited = {k: v for k, v in common.items() if k not in bounds or not bounds & own.members.keys()}
    words = Words(own.where, {**inherited, **own.members})
    words.required("cmd")
    name = words.members.get("name") or Path(words.members["cmd"]).name
    where = f"--engine {number} ({name})"
    words = Words(where, words.members)
    protocol = words.choice("proto", ("uci", "xboard"), "uci")
    restart = words.choice("restart", ("on", "off", "pair", "never", "auto"), "off")
    if not name.isprintable():
        raise BadInput(f"the name {name!r} has signs that cannot be printed", where=where)
    margin = words.number("timemargin", above=-1.0)
    spec = EngineSpec(
        name=name,
        command=(words.members["cmd"], *shell_words(words.members.get("args", ""), where)),
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


def _limit(words: Words) -> Limit:
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


def _option_value(text: str) -> OptionValue:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    # A leading zero or sign is part of a text, not of a number.
    return int(text) if re.fullmatch(r"-?(0|[1-9]\d{0,14})", text) else text

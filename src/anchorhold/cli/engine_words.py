"""Engines as words on the command line, in the notation that users of match runners know.

``name=Alpha cmd=./alpha args='--uci' tc=8+0.08 option.Hash=16``. Time margins are milliseconds, as there; everything
inside is seconds. ``conf=NAME`` stands for all that is known of an engine by that name, as if it were written there.
May import: anchorhold.errors, anchorhold.domain, anchorhold.adopt.known, anchorhold.cli.known, anchorhold.cli.words.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from anchorhold.cli.known import engine_named
from anchorhold.cli.words import Words, shell_words, split
from anchorhold.domain.engines import EngineSpec, OptionValue, Protocol
from anchorhold.domain.limits import Limit, TimeControl
from anchorhold.errors import BadInput

if TYPE_CHECKING:
    from anchorhold.adopt.known import KnownEngine

LIMIT_KEYS = frozenset({"tc", "st", "nodes", "depth"})
ENGINE_KEYS = (
    "conf",
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
        An unknown key, a value of another form, no command, no limit, a name after ``conf=`` that nothing has.
    """
    common = _words(each, "--each").members if each else {}
    if "conf" in common:
        raise BadInput("conf= names one engine", where="--each", next_step="Give it with --engine")
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
    members = dict(own.members)
    known = engine_named(members.pop("conf")) if "conf" in members else None
    if known is not None:
        below = _known_words(known)
        if "cmd" in members:
            below.pop("args", None)  # of another program
        members = _over(members, below)
    words = Words(own.where, _over(members, common))
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
        files=() if known is None else known.template.files,
    )
    return spec if margin is None else replace(spec, margin=margin / 1000)


def _over(own: dict[str, str], below: dict[str, str]) -> dict[str, str]:
    """Put an engine's own words over others. Its limit replaces theirs as a whole: tc with st is no limit."""
    limited = bool(LIMIT_KEYS & own.keys())
    return {**{key: value for key, value in below.items() if not (limited and key in LIMIT_KEYS)}, **own}


def _known_words(known: KnownEngine) -> dict[str, str]:
    """Return what is known of an engine as the words that say it; what is as it is without a word has none."""
    template, limit = known.template, known.limit
    usual = type(template)(command=template.command)
    members = {"name": known.name, "cmd": template.command[0]}
    if len(template.command) > 1:
        members["args"] = shlex.join(template.command[1:])
    if template.directory is not None:
        members["dir"] = str(template.directory)
    if template.protocol != usual.protocol:
        members["proto"] = template.protocol
    if template.setup:
        members["initstr"] = "\n".join(template.setup)
    if template.depth_command != usual.depth_command:
        members["depthcmd"] = template.depth_command
    if template.restart != usual.restart:
        members["restart"] = template.restart
    if template.margin != usual.margin:
        members["timemargin"] = f"{1000 * template.margin:g}"
    for name, value in template.options:
        members[f"option.{name}"] = str(value).lower() if isinstance(value, bool) else str(value)
    if limit is not None:
        bounds = {"tc": limit.time_control, "st": limit.movetime, "nodes": limit.nodes, "depth": limit.depth}
        members |= {key: str(value) for key, value in bounds.items() if value is not None}
    return members


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

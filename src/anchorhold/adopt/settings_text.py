"""The first ``anchorhold.toml`` of a project, with what its reader should know beside every part.

May import: anchorhold.domain, anchorhold.adopt.anchor_text, surroundings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from anchorhold.adopt.anchor_text import engine_lines, quoted
from anchorhold.adopt.surroundings import Build
from anchorhold.domain.limits import Limit
from anchorhold.domain.project import EngineTemplate

FOLDER = "anchorhold"
"""Holds register, book and games, beside the settings."""
GAMES = "games"
"""Folder in it for what is large, which a repository ignores."""


@dataclass(frozen=True, slots=True)
class FirstSettings:
    """What the first settings say."""

    name: str
    language: str
    main: EngineTemplate | None
    """None: main is built, or its command is not known."""
    build: Build | None
    limit: Limit
    """Of main, at both stages and in the oracle."""
    limit_reason: str
    pairs: int
    openings: int
    workers: int
    anchors: Sequence[str]
    """Their tables."""


def settings_text(first: FirstSettings) -> str:
    """Write the file."""
    limit = "\n".join(f"{key} = {_value(value)}" for key, value in first.limit.to_json().items())
    parts = [
        f"""\
# Settings of anchorhold for {first.name}, written by `anchorhold init`. Paths are relative to this file.
# `anchorhold doctor` says what is wrong with them on this machine.

[project]
name = {quoted(first.name)}
register = "{FOLDER}/register.sqlite"   # the append-only record: keep it, and keep copies of it
data = "{FOLDER}/{GAMES}"                 # journals, games, builds: large, and ignored by git
language = {quoted(first.language)}
""",
        _main(first),
        f"""\
# A check plays main's old and new version against every anchor under these conditions.
# {first.limit_reason}
# Many projects play on a clock: time_control = "8+0.08". Then let the anchors play on it too (take their `limit` out)
# and rate them so: anchorhold anchors rate --pairs 50 --write
[stages.long]
{limit}
pairs = {first.pairs}          # per anchor and version; `anchorhold plan` says how many it takes

[check]
direct_pairs = {first.pairs}   # new against old: how much of the claims is there at all?

# Every change is tested against its predecessor, short stage, then long. Bounds in normalized Elo.
[oracle.short]
{limit}
bounds = [0.0, 30.0]
max_pairs = {first.openings}

[oracle.long]
{limit}
bounds = [0.0, 20.0]
max_pairs = {first.openings}

[book]
file = "{FOLDER}/openings.pgn"   # EPD, PGN or Polyglot; at a fixed depth no more pairs than it has openings

[match]
workers = {first.workers}   # pairs that are played at a time
max_moves = 200

# [match.tablebases]   # ends games by Syzygy tables (.rtbw), in checks and tests alike
# directories = ["syzygy"]

# [gate]
# allowed_signers = "signers"   # SSH keys of those who may release a HALT
""",
        "\n".join(
            [
                "# The anchors: foreign engines with fixed ratings, of which only differences matter. Each keeps a",
                "# limit of its own, at which it was rated, and is started anew for every pair.",
                *first.anchors,
            ]
        )
        if first.anchors
        else "# The anchors: foreign engines with fixed ratings. `anchorhold engines add NAME` adds one.\n",
    ]
    return "\n".join(parts)


def _main(first: FirstSettings) -> str:
    if first.build is not None:
        lines = [
            "# Versions of main are revisions of this repository, built when they are needed.",
            "[main.build]",
            f"command = {quoted(first.build.command)}",
        ]
        if first.build.program is not None:
            lines.append(f"program = {quoted(first.build.program)}   # where the command leaves it")
        lines.append('# bench = "{program} bench"   # then a build must have the bench that its commit message names')
        return "\n".join(lines) + "\n"
    if first.main is not None:
        lines = engine_lines(first.main)
        if any("{version}" in word for word in first.main.command):
            return "\n".join(["# A version of main is what stands for {version}.", "[main]", *lines, ""])
        about = "# Versions of main by name; a check compares two of them. Add the next one as another table."
        return "\n".join([about, '[main.versions."1"]', *lines, ""])
    return f"""\
# To be edited: where versions of main are, or [main.versions."NAME"] tables with a command each.
[main]
command = {quoted("builds/{version}/" + _program(first.name))}
"""


def _program(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum() or letter in "-_") or "engine"


def _value(value: object) -> str:
    return quoted(value) if isinstance(value, str) else repr(value)

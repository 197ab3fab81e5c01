"""The demo's project folder: the programs it needs are found, its template is filled in, its runs are numbered.

May import: anchorhold.adopt, canonical, errors, domain, matches.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import string
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import chess.pgn

from anchorhold.adopt.lineup import Lineup, MeasuredAnchor, data_file
from anchorhold.adopt.recipes import GAMES
from anchorhold.canonical import file_sha256
from anchorhold.errors import BadInput, BadState

OLD = "Stockfish.js 8"
NEW = "Stockfish.js 15"
CHECK_OPENINGS = 300
"""Openings of the book that the check plays from; the oracle has those after them."""
CONFIG_FILE = "anchorhold.toml"
CHECK_BOOK = "check.pgn"
ORACLE_BOOK = "oracle.pgn"
NPM_PACKAGES = ("sf-old@npm:stockfish@8.0.0", "sf-new@npm:stockfish@15.0.0")

# Program → name of the anchor, Debian's package.
ANCHORS: dict[str, tuple[str, str]] = {
    "toga2": ("Toga II", "toga2"),
    "gnuchess": ("GNU Chess", "gnuchess"),
    "ethereal-chess": ("Ethereal", "ethereal-chess"),
    "fairymax": ("Fairy-Max", "fairymax"),
    "phalanx": ("Phalanx", "phalanx"),
    "hoichess": ("HoiChess", "hoichess"),
}


@dataclass(frozen=True, slots=True)
class Programs:
    """Where the programs of the demo are on this machine."""

    node: Path
    sf_old: Path
    sf_new: Path
    anchors: Mapping[str, Path]
    """By program name."""


def find_anchor_programs(*, path: str) -> dict[str, Path]:
    """Find the six anchors; ``path`` is a search path as in the environment.

    Raises
    ------
    BadInput
        One or more are missing; all are named with the packages that bring them.
    """
    found = {program: shutil.which(program, path=f"{path}{os.pathsep}{GAMES}") for program in ANCHORS}
    missing = [program for program, place in found.items() if place is None]
    if missing:
        packages = " ".join(ANCHORS[program][1] for program in missing)
        raise BadInput(
            f"engines of the demo are missing: {', '.join(missing)}",
            next_step=f"'make demo' installs them, or: apt-get install --no-install-recommends {packages}",
        )
    return {program: Path(place) for program, place in found.items() if place is not None}


def find_programs(engines: Path, *, path: str) -> Programs:
    """Find everything that plays in the demo.

    Parameters
    ----------
    engines : Path
        Folder with the two Stockfish builds, where npm put them.
    path : str
        Search path as in the environment.

    Raises
    ------
    BadInput
        Something is missing; the message names it and the command that brings it.
    """
    anchors = find_anchor_programs(path=path)
    node = shutil.which("node", path=path) or shutil.which("nodejs", path=path)
    if node is None:
        raise BadInput(
            "Node.js is missing, which runs both versions of main",
            next_step="'make demo' installs it, or: apt-get install --no-install-recommends nodejs npm",
        )
    modules = engines.absolute() / "node_modules"
    old, new = (modules / name / "src" / "stockfish.js" for name in ("sf-old", "sf-new"))
    if not old.is_file() or not new.is_file():
        raise BadInput(
            "the two Stockfish builds are missing, old and new main of the demo",
            where=str(engines),
            next_step=f"'make demo' fetches them, or: npm install --prefix {engines} --no-audit --no-fund"
            f" {' '.join(NPM_PACKAGES)}",
        )
    return Programs(node=Path(node), sf_old=old, sf_new=new, anchors=anchors)


def other_builds(programs: Mapping[str, Path], lineup: Lineup) -> list[str]:
    """Name the anchors that are not byte for byte those whose ratings were measured."""
    names = {program: ANCHORS[program][0] for program in programs}
    return [
        names[program]
        for program, path in programs.items()
        if file_sha256(path) != lineup.anchors[names[program]].sha256
    ]


@dataclass(frozen=True, slots=True)
class Scale:
    """How much the demo plays."""

    pairs: int
    """Against each anchor, for each version."""
    direct_pairs: int
    """Between the versions."""
    workers: int


def config_text(programs: Programs, lineup: Lineup, scale: Scale) -> str:
    """Fill in the template of the demo's ``anchorhold.toml``."""
    others = other_builds(programs.anchors, lineup)
    words: dict[str, str] = {
        "node": _quoted(programs.node),
        "no_fetch": _quoted(data_file("no_fetch.cjs")),
        "sf_old": _quoted(programs.sf_old),
        "sf_new": _quoted(programs.sf_new),
        "sf_new_wasm": _quoted(programs.sf_new.with_name("stockfish.wasm")),
        "pairs": str(scale.pairs),
        "direct_pairs": str(scale.direct_pairs),
        "workers": str(scale.workers),
    }
    for program, path in programs.anchors.items():
        key = program.removesuffix("-chess")
        measured = lineup.anchors[ANCHORS[program][0]]
        words[key] = _quoted(path)
        words[f"measured_{key}"] = _measured(measured, another_build=measured.name in others, lineup=lineup)
    return string.Template(data_file("demo.toml").read_text(encoding="utf-8")).substitute(words)


def _measured(anchor: MeasuredAnchor, *, another_build: bool, lineup: Lineup) -> str:
    source = lineup.source
    if another_build:
        source += " (of another build than this one)"
    lines = [] if another_build else [f"version = {_quoted(anchor.version)}"]
    lines += [
        f"rating = {anchor.rating}",
        f"rating_error = {anchor.rating_error}",
        f"source = {_quoted(source)}",
    ]
    return "\n".join(lines)


def _quoted(value: Path | str) -> str:
    """Write a text as TOML has it; JSON's notation is a part of TOML's."""
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")


@dataclass(frozen=True, slots=True)
class Run:
    """One run of the demo: a project folder of its own."""

    directory: Path
    resumed: bool

    @property
    def config(self) -> Path:
        """The settings file."""
        return self.directory / CONFIG_FILE

    @property
    def oracle_book(self) -> Path:
        """The openings that the oracle plays from."""
        return self.directory / ORACLE_BOOK

    def report(self, language: str) -> Path:
        """Return where the report of this run is written; that it is there says that the run is finished."""
        return self.directory / ("report.html" if language == "en" else f"report.{language}.html")


_RUN = re.compile(r"run-([1-9][0-9]*)")


def last_run(directory: Path) -> Run | None:
    """Return the run with the highest number; None when there is none."""
    if not directory.is_dir():
        return None
    numbers = [int(found[1]) for path in directory.iterdir() if (found := _RUN.fullmatch(path.name))]
    return Run(directory / f"run-{max(numbers)}", resumed=True) if numbers else None


def finished(run: Run) -> bool:
    """Has this run come to its report?"""
    return any(run.report(language).is_file() for language in ("en", "de"))


def begin_run(directory: Path, text: str) -> Run:
    """Make the folder of a new run with its settings and books; it appears whole or not at all."""
    last = last_run(directory)
    number = 1 if last is None else int(last.directory.name.removeprefix("run-")) + 1
    target = directory / f"run-{number}"
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=directory, prefix=".new-") as made:
            folder = Path(made) / target.name
            folder.mkdir()
            (folder / CONFIG_FILE).write_text(text, encoding="utf-8")
            _split_book(folder)
            folder.rename(target)
    except OSError as error:
        raise BadState(f"the demo's folder cannot be made: {error.strerror}", where=str(target)) from error
    return Run(target, resumed=False)


def _split_book(folder: Path) -> None:
    """Give check and oracle different openings: with engines that repeat themselves, one opening is one pair."""
    with data_file("openings.pgn").open(encoding="ascii") as handle:
        games = []
        while (game := chess.pgn.read_game(handle)) is not None:
            games.append(f"{game}\n")
    (folder / CHECK_BOOK).write_text("\n".join(games[:CHECK_OPENINGS]), encoding="ascii")
    (folder / ORACLE_BOOK).write_text("\n".join(games[CHECK_OPENINGS:]), encoding="ascii")

"""Digests of the games that entries refer to, against the files on this disk.

Source: SPEC section 7. May import: anchorhold.canonical, anchorhold.errors, anchorhold.domain, anchorhold.checks,
anchorhold.oracle.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from anchorhold.canonical import file_sha256
from anchorhold.checks.following import Difference
from anchorhold.checks.games import check_directory
from anchorhold.checks.oracle_figures import TESTS
from anchorhold.checks.state import payload_of
from anchorhold.domain.entries import Entry, id_of
from anchorhold.domain.payloads import Measurement
from anchorhold.oracle.places import ORACLE, oracle_name


@dataclass(frozen=True, slots=True)
class GamesFile:
    """A file that an entry refers to, with the digest that it had."""

    seq: int
    check: str
    where: str
    sha256: str
    path: str
    """Under the project's data directory, with slashes."""


@dataclass(frozen=True, slots=True)
class FilesSeen:
    """What became of the files that a register refers to."""

    compared: int
    missing: tuple[GamesFile, ...]
    """Not there, or there is no data directory to look in."""
    differences: tuple[Difference, ...]


def compare_files(entries: Sequence[Entry], data: Path | None) -> FilesSeen:
    """Hash every file that is there; one that is not is no difference, since games may lie elsewhere.

    Parameters
    ----------
    data : Path, optional
        The project's data directory; None: unknown, so nothing is there.

    Raises
    ------
    BadInput
        A file that is there and cannot be read.
    """
    digests: dict[Path, str] = {}
    missing: list[GamesFile] = []
    differences: list[Difference] = []
    compared = 0
    for file in _referred(entries):
        # A long register refers to as many files as it has tests, which mostly lie elsewhere: no Path is made for them.
        if data is None or not os.path.isfile(os.path.join(data, file.path)):
            missing.append(file)
            continue
        path = data / file.path
        compared += 1
        if path not in digests:
            digests[path] = file_sha256(path)
        if digests[path] != file.sha256:
            message = f"{file.sha256[:12]}… is stored, {path} has {digests[path][:12]}…"
            differences.append(Difference(file.seq, file.check, file.where, message))
    return FilesSeen(compared, tuple(missing), tuple(differences))


def _referred(entries: Sequence[Entry]) -> Iterator[GamesFile]:
    for entry in entries:
        if entry.kind == "measurement":
            measured = payload_of(entry, Measurement)
            file = measured.games_file
            # A name that leads elsewhere is none that this program wrote.
            if file is not None and Path(file).name == file:
                path = check_directory(Path(), measured.reused_from or measured.check) / file
                yield GamesFile(entry.seq, measured.check, "games_sha256", measured.games_sha256, path.as_posix())
        elif entry.kind in TESTS and (name := id_of(entry.payload)) is not None:
            for stage in ("short", "long"):
                report = entry.payload.get(stage)
                if isinstance(report, dict) and isinstance(sha256 := report.get("games_sha256"), str):
                    games = f"{ORACLE}/{oracle_name(name)}/{stage}.pgn"
                    yield GamesFile(entry.seq, "", f"{stage}.games_sha256", sha256, games)

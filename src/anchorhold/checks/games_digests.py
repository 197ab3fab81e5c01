"""Digests of the games that entries refer to, against the files on this disk.

Source: SPEC section 7. May import: anchorhold.canonical, anchorhold.errors, anchorhold.domain, anchorhold.checks,
anchorhold.oracle.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from anchorhold.canonical import file_sha256
from anchorhold.checks.following import Difference
from anchorhold.checks.games import check_directory
from anchorhold.checks.oracle_figures import TESTS
from anchorhold.checks.state import payload_of
from anchorhold.domain.entries import Entry, id_of
from anchorhold.domain.payloads import Measurement
from anchorhold.oracle.places import oracle_directory


@dataclass(frozen=True, slots=True)
class GamesFile:
    """A file that an entry refers to, with the digest that it had."""

    seq: int
    check: str
    where: str
    sha256: str
    path: Path
    """Under the project's data directory."""


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
        path = None if data is None else data / file.path
        if path is None or not path.is_file():
            missing.append(file)
            continue
        compared += 1
        if path not in digests:
            digests[path] = file_sha256(path)
        if digests[path] != file.sha256:
            message = f"{file.sha256[:12]}… is stored, {path} has {digests[path][:12]}…"
            differences.append(Difference(file.seq, file.check, file.where, message))
    return FilesSeen(compared, tuple(missing), tuple(differences))


def _referred(entries: Sequence[Entry]) -> Iterator[GamesFile]:
    here = Path()
    for entry in entries:
        if entry.kind == "measurement":
            measured = payload_of(entry, Measurement)
            file = measured.games_file
            # A name that leads elsewhere is none that this program wrote.
            if file is not None and Path(file).name == file:
                path = check_directory(here, measured.reused_from or measured.check) / file
                yield GamesFile(entry.seq, measured.check, "games_sha256", measured.games_sha256, path)
        elif entry.kind in TESTS and (name := id_of(entry.payload)) is not None:
            for stage in ("short", "long"):
                report = entry.payload.get(stage)
                if isinstance(report, Mapping) and isinstance(sha256 := report.get("games_sha256"), str):
                    path = oracle_directory(here, name) / f"{stage}.pgn"
                    yield GamesFile(entry.seq, "", f"{stage}.games_sha256", sha256, path)

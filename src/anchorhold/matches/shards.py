"""Parts of one run that are played on machines which share nothing, and the way back into one journal.

Every n-th opening belongs to a part, with all its pairs: so each part has both endpoints and all anchors alike. A part
that is complete becomes one file: a line that says which part of what it is, a line for each pair, a line with their
number and the SHA-256 of all lines before; compressed with gzip.
May import: anchorhold.canonical, anchorhold.errors, anchorhold.domain, anchorhold.matches.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import tempfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast, get_args

from anchorhold.canonical import canonical_json, digest
from anchorhold.domain.games import PairKey, PairRecord, Result, Variant
from anchorhold.errors import BadInput, BadState
from anchorhold.matches.journal import Journal, describe
from anchorhold.matches.plans import plan_differences
from anchorhold.matches.records import record_from_json, record_to_json

FORMAT = "anchorhold/shard/1"
MOST_PARTS = 10_000


@dataclass(frozen=True, slots=True)
class Shard:
    """One part of a run."""

    part: int
    """From 1."""
    of: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Read ``3/8``.

        Raises
        ------
        BadInput
            It is no such text.
        """
        found = re.fullmatch(r"([0-9]{1,5})/([0-9]{1,5})", text)
        shard = cls(int(found[1]), int(found[2])) if found else cls(0, 0)
        if not 1 <= shard.part <= shard.of <= MOST_PARTS:
            raise BadInput(f"is {text!r}, expected a part and the number of parts, such as 3/8", where="--shard")
        return shard

    def holds(self, opening: int) -> bool:
        """Whether the pairs of this opening, numbered from 1, are played in this part."""
        return (opening - 1) % self.of == self.part - 1

    def openings(self, count: int) -> int:
        """How many of the openings 1 to ``count`` it holds."""
        return len(range(self.part, count + 1, self.of))

    @property
    def suffix(self) -> str:
        """For names of files."""
        return f"-{self.part}of{self.of}"

    def __str__(self) -> str:
        return f"{self.part}/{self.of}"


WHOLE = Shard(1, 1)


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a shard file is a part of."""

    plan: Mapping[str, object]
    """The plan of the journal that the parts are merged into."""
    shard: Shard
    pairs: int
    """Pairs of this part."""
    total: int
    """Pairs of all parts together."""
    engines: Mapping[str, object]
    """What was run, by hashing."""
    runner: str
    """Name and version of the program that played."""

    def to_json(self) -> dict[str, object]:
        """Return the first line of the file."""
        return {
            "format": FORMAT,
            "plan_sha256": digest(self.plan),
            "plan": dict(self.plan),
            "shard": [self.shard.part, self.shard.of],
            "pairs": self.pairs,
            "total": self.total,
            "engines": dict(self.engines),
            "runner": self.runner,
        }

    def conditions(self) -> dict[str, object]:
        """Return what must be the same in all parts."""
        members = self.to_json()
        for name in ("format", "plan_sha256", "pairs"):
            del members[name]
        members["shard"] = {"of": self.shard.of}
        return members


@dataclass(frozen=True, slots=True)
class Parts:
    """All parts of one run, looked through and found to belong together."""

    paths: tuple[Path, ...]
    first: Manifest


def require_new(path: Path) -> None:
    """Refuse to play for a file that is there already.

    Raises
    ------
    BadState
        It is there.
    """
    if path.exists():
        raise BadState(
            "this shard has been played", where=str(path), next_step="Merge it, or remove it to play it again"
        )


def write_shard(path: Path, *, journal: Journal, manifest: Manifest) -> None:
    """Write a complete part; the file is there whole or not at all.

    Raises
    ------
    BadState
        The journal holds another number of pairs than the part has.
    BadInput
        The file cannot be written.
    """
    if len(journal) != manifest.pairs:
        raise BadState(
            f"holds {len(journal)} pairs, shard {manifest.shard} has {manifest.pairs}", where=str(journal.path)
        )
    try:
        handle, name = tempfile.mkstemp(dir=path.absolute().parent, prefix=f".{path.name}.")
        try:
            with open(handle, "wb") as file:
                # Neither name nor time in it: the same journal gives the same bytes.
                with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed:
                    seen = hashlib.sha256()
                    for line in _lines(journal, manifest):
                        seen.update(line)
                        packed.write(line)
                    packed.write(canonical_json({"pairs": manifest.pairs, "sha256": seen.hexdigest()}) + b"\n")
                file.flush()
                os.fsync(handle)
            os.chmod(name, 0o644)
            os.replace(name, path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise BadInput(f"cannot be written: {error.strerror}", where=str(path)) from error


def _lines(journal: Journal, manifest: Manifest) -> Iterator[bytes]:
    yield canonical_json(manifest.to_json()) + b"\n"
    for record in journal.pairs():
        key = record.key
        document = {
            "key": [key.run, key.endpoint, key.anchor, key.stage, key.opening],
            "record": record_to_json(record),
        }
        yield json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def look_through(paths: Sequence[Path]) -> Parts:
    """Read all parts and see that they belong together, none is missing, and none contradicts another.

    Raises
    ------
    BadInput
        A file cannot be read, is no shard or is not whole.
    BadState
        Files that are parts of different runs, pairs that are in two files and differ, parts that are missing.
    """
    if not paths:
        raise BadInput("no shard is given", next_step="Name all files of the run")
    first: Manifest | None = None
    holder: dict[int, Path] = {}
    pairs: dict[PairKey, tuple[bytes, Path]] = {}
    for path in paths:
        reading = _Reading(path)
        manifest = reading.manifest
        if first is None:
            first = manifest
        elif changes := plan_differences(first.conditions(), manifest.conditions()):
            raise BadState(
                f"was not played as {paths[0]}: {'; '.join(changes[:3])}",
                where=str(path),
                next_step="Only parts of one run can be merged",
            )
        for key, line, _ in reading.pairs():
            seen = hashlib.sha256(line).digest()
            known, where = pairs.setdefault(key, (seen, path))
            if known != seen:
                raise BadState(
                    f"has the pair {describe(key)}, which {where} has otherwise",
                    where=str(path),
                    next_step="One part was played twice: leave one of the files out",
                )
        holder.setdefault(manifest.shard.part, path)
    assert first is not None
    missing = sorted(set(range(1, first.shard.of + 1)) - holder.keys())
    if missing:
        named = ", ".join(f"{part}/{first.shard.of}" for part in missing[:20])
        more = f" and {len(missing) - 20} more" if len(missing) > 20 else ""
        raise BadState(f"shards are missing: {named}{more}", next_step="Name the files of all parts")
    if len(pairs) != first.total:
        raise BadState(f"the parts hold {len(pairs)} pairs, the run has {first.total}")
    return Parts(paths=tuple(holder[part] for part in sorted(holder)), first=first)


def merge(parts: Parts, journal: Journal) -> int:
    """Put all pairs into a journal, or none; return how many were not there yet.

    Raises
    ------
    BadState
        The journal has one of the pairs otherwise.
    """
    added = 0

    def new() -> Iterator[PairRecord]:
        nonlocal added
        for path in parts.paths:
            for key, _, record in _Reading(path).pairs():
                known = journal.get(key)
                if known is None:
                    added += 1
                    yield record
                elif known != record:
                    raise BadState(
                        f"has the pair {describe(key)}, which {path} has otherwise",
                        where=str(journal.path),
                        next_step="Some of the run was played here, too; merge into a new journal",
                    )

    journal.add_all(new())
    return added


class _Reading:
    """One shard file while it is read."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lines = self._read()
        self._seen = hashlib.sha256()
        line = self._take()
        self._seen.update(line)
        head = self._document(line)
        if head.get("format") != FORMAT:
            raise self._torn("it is no shard of a run")
        try:
            part, of = cast("list[int]", head["shard"])
            self.manifest = Manifest(
                plan=_mapping(head["plan"]),
                shard=Shard.parse(f"{part}/{of}"),
                pairs=_count(head["pairs"]),
                total=_count(head["total"]),
                engines=_mapping(head["engines"]),
                runner=str(head["runner"]),
            )
        except (KeyError, TypeError, ValueError, BadInput) as error:
            raise self._torn("its first line does not say what it is a part of") from error
        if head.get("plan_sha256") != digest(self.manifest.plan):
            raise self._torn("its plan is not the one that its digest was made of")

    def pairs(self) -> Iterator[tuple[PairKey, bytes, PairRecord]]:
        """Yield key, line and record of each pair; what is not whole is refused at the end at the latest."""
        for _ in range(self.manifest.pairs):
            line = self._take()
            self._seen.update(line)
            document = self._document(line)
            try:
                run, endpoint, anchor, stage, opening = cast("list[object]", document["key"])
                key = PairKey(str(run), str(endpoint), str(anchor), str(stage), _count(opening))
                record = record_from_json(key, document["record"])
                _require_results(record)
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                raise self._torn("one of its lines is no pair") from error
            if not self.manifest.shard.holds(key.opening):
                raise self._torn(f"the pair {describe(key)} is no part of shard {self.manifest.shard}")
            yield key, line, record
        expected = {"pairs": self.manifest.pairs, "sha256": self._seen.hexdigest()}
        if self._document(self._take()) != expected or next(self._lines, None) is not None:
            raise self._torn("its last line does not fit the others")

    def _read(self) -> Iterator[bytes]:
        try:
            with gzip.open(self._path, "rb") as file:
                yield from file
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise self._torn("its compressed data ends early or is damaged") from error
        except OSError as error:
            raise BadInput(f"cannot be read: {error.strerror or error}", where=str(self._path)) from error

    def _take(self) -> bytes:
        line = next(self._lines, None)
        if line is None:
            raise self._torn("it ends early")
        return line

    def _document(self, line: bytes) -> dict[str, object]:
        try:
            document = json.loads(line, parse_constant=_no_number)
        except (ValueError, RecursionError) as error:
            raise self._torn("it has a line that is not JSON") from error
        if not isinstance(document, dict):
            raise self._torn("it has a line that is no JSON object")
        return document

    def _torn(self, why: str) -> BadInput:
        return BadInput(
            f"is no whole shard: {why}", where=str(self._path), next_step="Copy the file again from where it was made"
        )


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number")


def _require_results(record: PairRecord) -> None:
    if record.key.opening < 1 or record.variant not in get_args(Variant):
        raise ValueError("no opening")
    if not all(game.result in get_args(Result) for game in record.games):
        raise ValueError("no result")
    if [game.first_is_white for game in record.games] != [True, False]:
        raise ValueError("no pair")


def _mapping(value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise TypeError("no mapping")
    return value


def _count(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError("no count")
    return value

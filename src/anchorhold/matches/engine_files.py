"""The files that an engine is run from, on this machine and, at other paths, on another one.

Files are named by their role in the run (``program``, ``argument 2``, ``option EvalFile``), so that two machines can be
compared whatever their paths. May import: anchorhold.canonical, anchorhold.domain.engines.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from anchorhold.canonical import file_sha256
from anchorhold.domain.engines import EngineSpec


def at_absolute_paths(spec: EngineSpec) -> EngineSpec:
    """Return the same run with every word that names a file made absolute: it can be started from anywhere.

    A program that is given without a folder stays so: every machine finds it on its own path.
    """
    base = (spec.directory or Path()).absolute()

    def absolute(word: str) -> str:
        head, tail = _split(word)
        return head + str(base / tail) if _is_file(base, tail) else word

    program = spec.command[0]
    return replace(
        spec,
        command=(str(base / program) if "/" in program else program, *(absolute(word) for word in spec.command[1:])),
        options=tuple((name, absolute(value) if isinstance(value, str) else value) for name, value in spec.options),
        directory=None if spec.directory is None else base,
        files=tuple(path.absolute() for path in spec.files),
    )


def at_other_paths(spec: EngineSpec, paths: Mapping[str, str]) -> EngineSpec:
    """Return the same run with the beginnings of absolute paths replaced.

    Parameters
    ----------
    paths : Mapping
        What stands here for which folder of the machine that the spec comes from.
    """

    def moved(word: str) -> str:
        head, tail = _split(word)
        return head + other_path(tail, paths)

    return replace(
        spec,
        command=tuple(moved(word) for word in spec.command),
        options=tuple((name, moved(value) if isinstance(value, str) else value) for name, value in spec.options),
        directory=None if spec.directory is None else Path(other_path(str(spec.directory), paths)),
        files=tuple(Path(other_path(str(path), paths)) for path in spec.files),
    )


def other_path(path: str, paths: Mapping[str, str]) -> str:
    """Return where a path lies here; the longest folder that fits decides, a path that none fits stays."""
    for folder in sorted(paths, key=len, reverse=True):
        stem = folder.rstrip("/")
        if path == stem or path.startswith(f"{stem}/"):
            return paths[folder].rstrip("/") + path[len(stem) :]
    return path


def engine_files(spec: EngineSpec) -> dict[str, Path]:
    """Return the files of a run by role; ``program`` is always among them, whether it is there or not."""
    base = spec.directory or Path()
    program = spec.command[0]
    found = {"program": base / program if "/" in program else Path(shutil.which(program) or program)}
    for role, word in _words(spec):
        tail = _split(word)[1]
        if _is_file(base, tail):
            found[role] = base / tail
    found.update({f"file {number}": path for number, path in enumerate(spec.files, start=1)})
    return found


def file_digests(spec: EngineSpec) -> dict[str, str]:
    """Return the SHA-256 of each file of a run by role.

    Raises
    ------
    BadInput
        A file cannot be read, or the program is not there.
    """
    return {role: file_sha256(path) for role, path in engine_files(spec).items()}


def difference(spec: EngineSpec, expected: Mapping[str, str]) -> str:
    """Say in words how the files of a run differ from what is expected of them; empty when they are the same.

    Raises
    ------
    BadInput
        A file that is there cannot be read.
    """
    here = engine_files(spec)
    words = {"program": spec.command[0], **dict(_words(spec))}
    for role in sorted(here.keys() | expected.keys(), key=lambda role: (role != "program", role)):
        path = here.get(role)
        if path is None or not path.is_file():
            return f"the {role} of {spec.name}, {path or words.get(role, 'a file')}, is not there"
        if role not in expected:
            return f"the {role} of {spec.name} names the file {path} here, and no file where the run was begun"
        if (found := file_sha256(path)) != expected[role]:
            return f"the {role} of {spec.name}, {path}, has the SHA-256 {found}, expected {expected[role]}"
    return ""


def _words(spec: EngineSpec) -> Iterator[tuple[str, str]]:
    """Yield what may name a file, by role."""
    for number, word in enumerate(spec.command[1:], start=1):
        yield f"argument {number}", word
    for name, value in spec.options:
        if isinstance(value, str):
            yield f"option {name}", value


def _split(word: str) -> tuple[str, str]:
    """Split ``--name=path`` before the path; another word is all path."""
    head, equals, tail = word.rpartition("=") if word.startswith("-") else ("", "", word)
    return head + equals, tail


def _is_file(base: Path, tail: str) -> bool:
    # os.path.isfile answers no where Path.is_file raises: an option's text may be longer than any file's name.
    return bool(tail) and os.path.isfile(base / tail)

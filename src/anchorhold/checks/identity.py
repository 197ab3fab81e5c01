"""What an engine run is: SHA-256 of its binary and of every file it is given, options, limit, protocol.

The first command word is the binary; every further command word and every text option that names a file, and the
listed files, are hashed under their names. Arguments and set-up lines change how an engine plays, so they stand among
the options under names in brackets, which no engine uses. May import: anchorhold.canonical, errors, domain.
"""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from anchorhold.canonical import file_sha256
from anchorhold.domain.engines import EngineSpec
from anchorhold.errors import BadInput

ARGUMENTS = "[arguments]"
SETUP = "[setup]"
DEPTH_COMMAND = "[depth command]"
RESTART = "[restart]"


@dataclass(frozen=True, slots=True)
class RunIdentity:
    """Identity of what is started, attested by hashing."""

    sha256: str
    """Of the file that the first command word stands for."""
    files: Mapping[str, str]
    """File name → SHA-256 of scripts, networks, books."""
    options: Mapping[str, object]
    protocol: str

    def to_json(self) -> dict[str, object]:
        """Return the JSON form, without members that are empty."""
        members: dict[str, object] = {"sha256": self.sha256, "protocol": self.protocol}
        if self.files:
            members["files"] = dict(self.files)
        if self.options:
            members["options"] = dict(self.options)
        return members


class FileDigests:
    """SHA-256 of files, each read once: six anchors and two versions often share an interpreter."""

    def __init__(self) -> None:
        self._known: dict[Path, str] = {}

    def __call__(self, path: Path) -> str:
        """Return the digest of a file's content.

        Raises
        ------
        BadInput
            The file cannot be read.
        """
        if path not in self._known:
            self._known[path] = file_sha256(path)
        return self._known[path]


def run_identity(spec: EngineSpec, *, digest_of: Callable[[Path], str]) -> RunIdentity:
    """Hash what would be started.

    Raises
    ------
    BadInput
        The command, or a listed file, does not exist or cannot be read.
    """
    directory = spec.directory or Path()
    binary = _binary(spec, directory)
    found: dict[str, Path] = {}
    arguments = [_named(word, directory, found) for word in spec.command[1:]]
    options: dict[str, object] = {
        name: _named(value, directory, found) if isinstance(value, str) else value for name, value in spec.options
    }
    for path in spec.files:
        if not path.is_file():
            raise BadInput(
                "there is no such file", where=str(path), next_step=f"It is listed among the files of {spec.name}"
            )
        _register(path, found)
    if arguments:
        options[ARGUMENTS] = shlex.join(arguments)
    if spec.setup:
        options[SETUP] = "; ".join(spec.setup)
    if spec.protocol == "xboard" and spec.depth_command != "sd":
        options[DEPTH_COMMAND] = spec.depth_command
    if spec.restart != "never":
        options[RESTART] = spec.restart
    return RunIdentity(
        sha256=digest_of(binary),
        files={name: digest_of(path) for name, path in sorted(found.items())},
        options=options,
        protocol=spec.protocol,
    )


def _binary(spec: EngineSpec, directory: Path) -> Path:
    word = spec.command[0]
    if "/" in word:
        path = directory / word
        if path.is_file():
            return path
    elif found := shutil.which(word):
        return Path(found)
    raise BadInput(
        f"the command {word!r} does not exist",
        where=f"engine {spec.name}",
        next_step="Install it, or mend its command",
    )


def _named(word: str, directory: Path, found: dict[str, Path]) -> str:
    """Replace a path to an existing file, also after ``--name=``, by the file's name; leave other words alone."""
    head, equals, tail = word.rpartition("=") if word.startswith("-") else ("", "", word)
    path = directory / tail
    # os.path.isfile answers no where Path.is_file raises: an option's text may be longer than any file's name.
    if not tail or not os.path.isfile(path):
        return word
    return f"{head}{equals}{_register(path, found)}"


def _register(path: Path, found: dict[str, Path]) -> str:
    """Note a file under its name, with as many of its folders as make the name unique; the rest is this machine's."""
    parts = path.parts
    for length in range(1, len(parts) + 1):
        name = "/".join(parts[-length:])
        if found.get(name, path) == path:
            found[name] = path
            return name
    raise AssertionError("an absolute path is unique")


def differences(pinned: Mapping[str, object], seen: Mapping[str, object]) -> list[str]:
    """Say field by field how two identities differ, in words; empty when they are the same.

    Values compare by value (16 equals 16.0); a field that stands on one side only differs.
    """
    found: list[str] = []
    for name in sorted(set(pinned) | set(seen)):
        one, other = pinned.get(name), seen.get(name)
        if isinstance(one, Mapping) or isinstance(other, Mapping):
            one_part, other_part = _part(one), _part(other)
            found.extend(
                f"{name}.{key} {_change(one_part.get(key), other_part.get(key))}"
                for key in sorted(set(one_part) | set(other_part))
                if not _same(one_part.get(key), other_part.get(key))
            )
        elif not _same(one, other):
            found.append(f"{name} {_change(one, other)}")
    return found


def _part(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _same(one: object, other: object) -> bool:
    # True equals 1 in Python, but an option that is true is not an option that is 1.
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def _change(pinned: object, seen: object) -> str:
    def shown(value: object) -> str:
        if value is None:
            return "absent"
        text = repr(value)
        return text if len(text) <= 40 else text[:16] + "…" + text[-1]

    return f"is {shown(seen)}, was {shown(pinned)}"

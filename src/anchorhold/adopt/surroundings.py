"""What a directory says about an engine's project: its repository, its name, how it is built.

Files are only read; nothing is started. May import: nothing.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

OUTPUT = "{output}"
"""Where a build puts the program, in a build command."""
LONGEST = 1_000_000
"""Bytes of a build file that are read."""


@dataclass(frozen=True, slots=True)
class Build:
    """How the program is made from a checkout."""

    system: str
    command: str
    program: str | None
    """Where the command leaves the program, from the root of the repository; None: at ``{output}`` in the command."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What was found."""

    repository: Path | None
    """Root of the git repository around the directory."""
    name: str
    build: Build | None


def look_around(directory: Path, *, jobs: int) -> Surroundings:
    """Look for the repository around a directory, and for a build system in it.

    Parameters
    ----------
    jobs : int
        Processes that a build may use.
    """
    directory = directory.absolute()
    repository = next((place for place in (directory, *directory.parents) if (place / ".git").exists()), None)
    root = repository or directory
    name = root.name or "engine"
    return Surroundings(repository, name, _build(root, name, jobs) if repository else None)


def _build(root: Path, name: str, jobs: int) -> Build | None:
    # What the engine's language brings goes before a Makefile, which often only calls it.
    for look in (_cargo, _go, _zig, _nimble, _make, _cmake, _meson):
        if (found := look(root, name, jobs)) is not None:
            return found
    return None


def _cargo(root: Path, name: str, _jobs: int) -> Build | None:
    text = _text(root / "Cargo.toml")
    if text is None:
        return None
    try:
        members = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None
    package = members.get("package")
    binaries = members.get("bin") or [package if isinstance(package, dict) else {}]
    program = str(binaries[0].get("name", name))
    return Build("Cargo", "cargo build --release", f"target/release/{program}")


def _go(root: Path, _name: str, _jobs: int) -> Build | None:
    return Build("Go", f"go build -o {OUTPUT} .", None) if (root / "go.mod").is_file() else None


def _zig(root: Path, name: str, _jobs: int) -> Build | None:
    text = _text(root / "build.zig")
    if text is None:
        return None
    program = _first(r'\.name\s*=\s*"([^"]+)"', text) or name
    return Build("Zig", "zig build -Doptimize=ReleaseFast", f"zig-out/bin/{program}")


def _nimble(root: Path, name: str, _jobs: int) -> Build | None:
    file = next(iter(sorted(root.glob("*.nimble"))), None)
    text = None if file is None else _text(file)
    if file is None or text is None:
        return None
    return Build("nimble", "nimble build -y -d:release", _first(r'^bin\s*=\s*@\["([^"]+)"', text) or file.stem or name)


def _make(root: Path, name: str, jobs: int) -> Build | None:
    for folder in ("", "src"):
        text = next((t for n in ("GNUmakefile", "makefile", "Makefile") if (t := _text(root / folder / n))), None)
        if text is None:
            continue
        words = ["make", *(["-C", folder] if folder else []), f"-j{jobs}"]
        if re.search(r"^build\s*:", text, re.MULTILINE):
            words.append("build")
        if re.search(r"^(?:export\s+)?EXE\s*[:?+]?=|\$[({]EXE[)}]", text, re.MULTILINE):
            # As OpenBench builds engines.
            return Build("make", " ".join([*words, f"EXE={OUTPUT}"]), None)
        program = (
            _first(r"^(?:TARGET|PROGRAM|PROG|BIN|BINARY|NAME|ENGINE)\s*[:?]?=\s*(\S+)\s*$", text)
            or _first(r"\s-o\s+([\w./-]+)", text)
            or name
        )
        return Build("make", " ".join(words), str(Path(folder) / program))
    return None


def _cmake(root: Path, name: str, jobs: int) -> Build | None:
    text = _text(root / "CMakeLists.txt")
    if text is None:
        return None
    program = _first(r"add_executable\s*\(\s*([\w.-]+)", text) or _first(r"project\s*\(\s*([\w.-]+)", text) or name
    command = f"cmake -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build -j{jobs}"
    return Build("CMake", command, f"build/{program}")


def _meson(root: Path, name: str, _jobs: int) -> Build | None:
    text = _text(root / "meson.build")
    if text is None:
        return None
    program = _first(r"executable\s*\(\s*'([^']+)'", text) or name
    return Build("Meson", "meson setup build --buildtype=release && meson compile -C build", f"build/{program}")


def _text(path: Path) -> str | None:
    try:
        if not path.is_file():
            return None
        with path.open("rb") as handle:
            return handle.read(LONGEST).decode("utf-8", "replace")
    except OSError:
        return None


def _first(pattern: str, text: str) -> str | None:
    found = re.search(pattern, text, re.MULTILINE)
    return found[1] if found else None

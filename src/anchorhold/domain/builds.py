"""Main from source: how a revision becomes a program, and what the register keeps about one that did.

May import: anchorhold.canonical.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from anchorhold.canonical import digest

OUTPUT = "{output}"
"""In a build command: the name that the program is to get, wherever in the worktree it comes to lie."""
PROGRAM = "{program}"
"""In main's command and in a bench command: the program that was built."""
TIMEOUT = 1800.0


@dataclass(frozen=True, slots=True)
class BuildRecipe:
    """How a revision of main is built."""

    repository: Path
    """Its git repository, or any directory inside of it."""
    command: str
    """A line for the shell, run at the root of a clean worktree; ``{output}`` is the name that the program gets."""
    program: str | None = None
    """Where the command leaves the program, seen from the worktree's root; None: it is named ``{output}``."""
    environment: tuple[tuple[str, str], ...] = ()
    """Variables that the command gets beside the usual ones."""
    timeout: float = TIMEOUT
    """Seconds that a build may take; its bench too."""
    bench: tuple[str, ...] = ()
    """Command that prints the bench; empty: none is run."""
    bench_pattern: str | None = None
    """Regular expression whose last match holds the bench; None: the forms of the field."""
    id: str | None = None
    """Regular expression that the name which the program gives itself must match as a whole; None: any."""

    def digest(self, flags: Mapping[str, str]) -> str:
        """Return what tells two builds of one commit apart: command, place of the program, flags."""
        return digest({"command": self.command, "program": self.program, "flags": dict(flags)})


@dataclass(frozen=True, slots=True)
class BuildFacts:
    """What the register keeps about the build of one version of main."""

    commit: str
    """Full id."""
    command: str
    sha256: str
    """Of the program that was built."""
    compilers: Mapping[str, str] = field(default_factory=dict)
    """Name → the first line of what it says about its version."""
    flags: Mapping[str, str] = field(default_factory=dict)
    """Variables of the environment that choose compilers or what they do."""
    bench: int | None = None
    name: str | None = None
    """What the program calls itself."""

    def to_json(self) -> dict[str, object]:
        """Return the JSON form, without members that are empty."""
        members: dict[str, object] = {"commit": self.commit, "command": self.command, "sha256": self.sha256}
        if self.compilers:
            members["compilers"] = dict(sorted(self.compilers.items()))
        if self.flags:
            members["flags"] = dict(sorted(self.flags.items()))
        if self.bench is not None:
            members["bench"] = self.bench
        if self.name is not None:
            members["name"] = self.name
        return members


@dataclass(frozen=True, slots=True)
class BuiltVersion:
    """A version of main that was built from source."""

    program: Path
    facts: BuildFacts

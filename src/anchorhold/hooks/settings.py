"""What a hook was told at its installation, kept in the repository's own git configuration.

Only that file is read: neither the pusher's configuration nor ``git -c`` reaches it. May import: anchorhold.canonical,
anchorhold.errors, anchorhold.hooks.git.
"""

from __future__ import annotations

import fnmatch
import re
from dataclasses import dataclass
from pathlib import Path

from anchorhold.canonical import nearest
from anchorhold.errors import BadInput
from anchorhold.hooks.git import Repository

SECTION = "anchorhold"
BRANCHES = "refs/heads/"
TIMEOUT = 60
LONGEST = 3600
_NUMBER = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?", re.ASCII)
_NAMES = (
    "branch", "register", "export", "signers", "signersinrepo", "timeout",
    "maxunauditedelo", "maxunauditedtests", "maxagedays",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Settings:
    """What a hook protects, and by what it judges."""

    branches: tuple[str, ...]
    """Full names of the protected branches; ``*`` stands for any characters, also for a slash."""
    register: str | None
    """Path or URL of a register outside the repository."""
    export: str | None
    """Path, inside the repository, of the register's export. Exactly one of the two is given."""
    signers: str | None = None
    """Path of the allowed-signers file, outside the repository."""
    signers_in_repo: str | None = None
    """Path of the allowed-signers file inside the repository. At most one of the two is given."""
    timeout: int = TIMEOUT
    """Seconds after which a hook without an answer refuses."""
    max_unaudited_elo: float | None = None
    """This and the following: limits of the gate; None: off."""
    max_unaudited_tests: int | None = None
    max_age_days: float | None = None

    def __post_init__(self) -> None:
        if not self.branches:
            raise BadInput("no branch is protected", where=f"{SECTION}.branch", next_step=_AGAIN)
        for name in self.branches:
            if not name.startswith(BRANCHES) or not name.isprintable() or " " in name or name == BRANCHES:
                raise BadInput(f"{name!r} is no branch", where=f"{SECTION}.branch", next_step="Such as main, release/*")
        if (self.register is None) == (self.export is None):
            raise BadInput("either a register or an export is needed, and not both", where=SECTION, next_step=_AGAIN)
        if self.signers is not None and self.signers_in_repo is not None:
            raise BadInput("signers and signersInRepo exclude each other", where=SECTION, next_step=_AGAIN)
        for path in filter(None, (self.export, self.signers_in_repo)):
            if path.startswith("/") or not path.isprintable() or {"", ".", ".."} & set(path.split("/")):
                raise BadInput(f"{path!r} is no path inside a repository", where=SECTION, next_step="Such as a/b.jsonl")
        if not 1 <= self.timeout <= LONGEST:
            raise BadInput(f"{self.timeout} is not between 1 and {LONGEST} s", where=f"{SECTION}.timeout")

    def protects(self, ref: str) -> bool:
        """Say whether a ref is one of the protected branches."""
        return any(fnmatch.fnmatchcase(ref, pattern) for pattern in self.branches)

    def pairs(self) -> list[tuple[str, str]]:
        """Return the settings as they are written into git's configuration."""
        given = {
            "register": self.register,
            "export": self.export,
            "signers": self.signers,
            "signersInRepo": self.signers_in_repo,
            "timeout": self.timeout,
            "maxUnauditedElo": self.max_unaudited_elo,
            "maxUnauditedTests": self.max_unaudited_tests,
            "maxAgeDays": self.max_age_days,
        }
        named = [(name, str(value)) for name, value in given.items() if value is not None]
        return [*(("branch", branch) for branch in self.branches), *named]


_AGAIN = "Install it again with 'anchorhold hook install'"


def branch_name(text: str) -> str:
    """Return the full name of a branch that somebody named shortly."""
    return text if text.startswith("refs/") else BRANCHES + text


def read_settings(repository: Repository) -> Settings:
    """Read the settings of a hook.

    Raises
    ------
    BadInput
        There are none, an unknown name, a name given twice, a value of another form.
    """
    found: dict[str, list[str]] = {name: [] for name in _NAMES}
    pairs = repository.settings(SECTION)
    if not pairs:
        raise BadInput("there are no settings of the hook", where=str(repository.git_dir()), next_step=_AGAIN)
    for name, value in pairs:
        if name not in found:
            hint = nearest(name, _NAMES) or f"Known are: {', '.join(_NAMES)}"
            raise BadInput("there is no such setting", where=f"{SECTION}.{name}", next_step=hint)
        if found[name] and name != "branch":
            raise BadInput("stands twice", where=f"{SECTION}.{name}", next_step=_AGAIN)
        found[name].append(value)

    def one(name: str) -> str | None:
        return found[name][0] if found[name] else None

    timeout, tests = _number(one("timeout"), "timeout"), _number(one("maxunauditedtests"), "maxunauditedtests")
    return Settings(
        branches=tuple(found["branch"]),
        register=one("register"),
        export=one("export"),
        signers=one("signers"),
        signers_in_repo=one("signersinrepo"),
        timeout=TIMEOUT if timeout is None else int(timeout),
        max_unaudited_elo=_number(one("maxunauditedelo"), "maxunauditedelo"),
        max_unaudited_tests=None if tests is None else int(tests),
        max_age_days=_number(one("maxagedays"), "maxagedays"),
    )


def _number(text: str | None, name: str) -> float | None:
    if text is None:
        return None
    if not _NUMBER.fullmatch(text):
        raise BadInput(f"{text!r} is not a number", where=f"{SECTION}.{name}", next_step=_AGAIN)
    return float(text)


def write_settings(repository: Repository, settings: Settings) -> None:
    """Write the settings of a hook, in the place of all that stood there."""
    repository.write_settings(SECTION, settings.pairs())


def absolute(path: str, directory: Path) -> str:
    """Return a path or URL so that it means the same from anywhere."""
    if "://" in path:
        scheme, _, rest = path.partition("://")
        return f"sqlite:///{directory / rest[1:]}" if scheme == "sqlite" and rest.startswith("/") else path
    return str(directory / path)

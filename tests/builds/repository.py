"""A real git repository with a real engine in C: what tests build."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from anchorhold.builds.building import Builder
from anchorhold.domain.builds import BuildRecipe

ENGINE = Path(__file__).parent.parent / "engines" / "cmover"
BUILD = "make EXE={output}"
ENVIRONMENT = {"PATH": os.environ["PATH"], "HOME": "/nonexistent"}
_GIT = {
    **ENVIRONMENT,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.org", "GIT_AUTHOR_DATE": "2026-11-30T12:00:00Z",
    "GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.org", "GIT_COMMITTER_DATE": "2026-11-30T12:00:00Z",
}  # fmt: skip


@dataclass(frozen=True)
class EngineRepository:
    """A repository whose commits are engines that play differently."""

    directory: Path

    def git(self, *words: str) -> str:
        return subprocess.run(
            ["git", *words], cwd=self.directory, env=_GIT, check=True, capture_output=True, text=True
        ).stdout.strip()

    def write(self, name: str, text: str) -> None:
        path = self.directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def edit(self, name: str, old: str, new: str) -> None:
        text = (self.directory / name).read_text(encoding="utf-8")
        assert old in text
        self.write(name, text.replace(old, new, 1))

    def commit(self, message: str, *, tag: str = "") -> str:
        self.git("add", "--all", ".")
        self.git("commit", "--quiet", "--allow-empty", "-m", message)
        if tag:
            self.git("tag", tag)
        return self.git("rev-parse", "HEAD")

    def seed(self, number: int, message: str, *, tag: str = "") -> str:
        """Commit an engine that plays other moves than those before."""
        text = (ENGINE / "engine.c").read_text(encoding="utf-8")
        self.write("engine.c", text.replace("#define SEED 1", f"#define SEED {number}"))
        return self.commit(message, tag=tag)

    def worktrees(self) -> list[str]:
        """Worktrees that the repository knows beside its own, whether they are there or not."""
        lines = self.git("worktree", "list", "--porcelain").splitlines()
        return [line for line in lines if line.startswith("worktree ")][1:]


def make_repository(directory: Path) -> EngineRepository:
    """Two tagged versions that differ by their seed, and a later one on the branch."""
    directory.mkdir(parents=True)
    repository = EngineRepository(directory)
    repository.git("init", "--quiet", "--initial-branch=master", ".")
    shutil.copy(ENGINE / "Makefile", directory)
    repository.seed(1, "First engine\n\nBench: 1209", tag="v1")
    repository.seed(2, "Prune more\n\nBench: 1281", tag="v2")
    repository.seed(3, "Reduce less")
    return repository


def builder(
    repository: EngineRepository,
    folder: Path,
    *,
    command: str = BUILD,
    environment: Mapping[str, str] = ENVIRONMENT,
    notices: list[str] | None = None,
    program: str | None = None,
    variables: tuple[tuple[str, str], ...] = (),
    timeout: float = 60.0,
    bench: tuple[str, ...] = (),
    id: str | None = None,
    start_timeout: float = 30.0,
    scratch: Path | None = None,
) -> Builder:
    recipe = BuildRecipe(
        repository=repository.directory,
        command=command,
        program=program,
        environment=variables,
        timeout=timeout,
        bench=bench,
        id=id,
    )
    heard = [] if notices is None else notices
    return Builder(
        recipe,
        folder=folder,
        scratch=scratch_of(folder) if scratch is None else scratch,
        environment=environment,
        start_timeout=start_timeout,
        on_notice=heard.append,
    )


def scratch_of(folder: Path) -> Path:
    """Where worktrees lie while something is built."""
    return folder.with_name(f"{folder.name}-scratch")


def left_over(repository: EngineRepository, folder: Path) -> list[str]:
    """What a build must not leave behind."""
    folders = [path for path in folder.iterdir() if path.is_dir() and not (path / "build.json").is_file()]
    return repository.worktrees() + [str(path) for path in [*folders, *scratch_of(folder).iterdir()]]


def runs(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False

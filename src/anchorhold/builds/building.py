"""Builds of main, kept by commit and by what builds them: made once, used ever after.

``BUILDS/<commit>-<command>/`` holds the program and its record, ``….log`` beside it what the build printed. The
worktree lies elsewhere, because build tools look into the folders above them, and always at one path, because programs
hold paths. Seconds everywhere.
May import: anchorhold.canonical, anchorhold.domain, anchorhold.errors, anchorhold.builds, anchorhold.matches.family.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from anchorhold.builds.compilers import compilers_of
from anchorhold.builds.environment import build_environment, flags_of, git_environment
from anchorhold.builds.examining import Run, Said, ask_bench, ask_name, bench_in_message
from anchorhold.builds.expecting import require_expected
from anchorhold.builds.git import SHORT, Commit, Source
from anchorhold.builds.keeping import BuildFolders
from anchorhold.builds.record import BuildRecord, read_record
from anchorhold.builds.running import Ended, run_bounded
from anchorhold.canonical import file_sha256
from anchorhold.domain.builds import OUTPUT, PROGRAM, BuildRecipe, BuiltVersion
from anchorhold.domain.engines import Protocol
from anchorhold.errors import BadState

LINES_SHOWN = 3
"""Last lines of a log that a message holds."""
_SHELL = "/bin/sh"
_PROGRAM_NAME = "engine"


@dataclass(frozen=True, slots=True)
class Built:
    """A build that is there."""

    record: BuildRecord
    folder: Path
    made_now: bool
    """False: it was kept from an earlier call."""

    @property
    def program(self) -> Path:
        """The program."""
        return self.folder / self.record.program

    @property
    def log(self) -> Path:
        """What the build printed."""
        return self.folder.parent / self.record.log

    def version(self) -> BuiltVersion:
        """Return it as a version of main."""
        return BuiltVersion(self.program.absolute(), self.record.facts())


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """A second build of what is kept, made to compare."""

    kept: Built
    sha256: str
    """Of the second program, which is not kept."""
    log: Path

    @property
    def same(self) -> bool:
        """Whether both are the same bytes."""
        return self.kept.record.sha256 == self.sha256


class Builder:
    """Builds revisions of main.

    Parameters
    ----------
    recipe : BuildRecipe
        How.
    folder : Path
        Where builds are kept.
    scratch : Path
        Where worktrees lie while something is built: a folder that this user alone may write; made when needed.
    environment : Mapping
        The caller's variables; builds get those that ``builds.environment`` lets pass.
    protocol : Protocol
        Which the program speaks.
    start_timeout : float
        Seconds in which the program must start and say who it is.
    on_notice : callable, optional
        Told what takes long.

    Raises
    ------
    BadInput
        There is no repository.
    """

    def __init__(
        self,
        recipe: BuildRecipe,
        *,
        folder: Path,
        scratch: Path,
        environment: Mapping[str, str],
        protocol: Protocol = "uci",
        start_timeout: float,
        on_notice: Callable[[str], None] = lambda _text: None,
    ) -> None:
        self.recipe = recipe
        self.folder = folder.absolute()
        self.flags = flags_of(environment, recipe.environment)
        self._environment = environment
        self._git_environment = git_environment(environment)
        self._protocol: Protocol = protocol
        self._start_timeout = start_timeout
        self._say = on_notice
        self.source = Source(recipe.repository, environment=self._git_environment)
        self._kept = BuildFolders(self.folder, scratch.absolute(), source=self.source, on_notice=on_notice)

    def built(self, commit: Commit, *, bench: int | None = None) -> Built:
        """Return the build of a commit, made now when none is kept; another one under way is waited for.

        Parameters
        ----------
        bench : int, optional
            That the program must have; by default the one that the commit message names, if it does.

        Raises
        ------
        BadState
            The build fails, takes too long, makes no program, or one that is no engine; what it says about itself is
            not what is expected; what is kept was changed.
        BadInput
            The folder cannot be written.
        """
        key = self._key(commit)
        kept = self.folder / key
        with self._kept.locked(key, commit):
            record = read_record(kept)
            made_now = record is None
            if record is None:
                record = self._make(commit, key, bench)
            elif record.bench_command != list(self.recipe.bench):
                record = self._examined_again(record, kept)
            require_expected(Said(record.name, record.bench), commit, self.recipe, bench=bench)
        return Built(record, kept, made_now)

    def again(self, commit: Commit, *, bench: int | None = None) -> Rebuilt:
        """Build what is kept once more, and compare; what is kept stays. Raises as ``built`` does."""
        kept = self.built(commit, bench=bench)
        key = self._key(commit)
        with self._kept.locked(key, commit), self._kept.work(key) as work:
            log = self._kept.new_log(f"{key}.again.log")
            program, _ = self._program(commit, key, work, log)
            return Rebuilt(kept, file_sha256(program), log)

    # -- the steps

    def _make(self, commit: Commit, key: str, bench: int | None) -> BuildRecord:
        with self._kept.work(key) as work:
            log = self._kept.new_log(f"{key}.log")
            program, ended = self._program(commit, key, work, log)
            compilers = compilers_of(
                command=self.recipe.command,
                log=log,
                flags=self.flags,
                environment=self._build_environment(commit),
                directory=work / "tree",
            )
            ready = work / "ready"
            ready.mkdir()
            # A name of every version: a wrapper's arguments and files must not differ by it.
            own = ready / (_PROGRAM_NAME if self.recipe.program is None else program.name)
            shutil.copyfile(program, own)
            own.chmod(0o555)
            said = self._examine(own, key, log)
            require_expected(said, commit, self.recipe, bench=bench)
            record = BuildRecord(
                commit=commit.id,
                subject=commit.subject,
                command=self.recipe.command,
                flags=self.flags,
                compilers=compilers,
                program=own.name,
                size=own.stat().st_size,
                sha256=file_sha256(own),
                name=said.name,
                bench=said.bench,
                bench_command=list(self.recipe.bench),
                built_at=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
                seconds=round(ended.seconds, 3),
                log=log.name,
            )
            if said.bench is None and (expected := bench_in_message(commit.message)) is not None:
                self._say(f"the commit says bench {expected}, and no bench is run: main.build.bench is not set")
            record.write(ready)
            self._kept.keep(ready, key)
        return record

    def _program(self, commit: Commit, key: str, work: Path, log: Path) -> tuple[Path, Ended]:
        """Check the commit out and build it; return where the program lies, and how the command ended."""
        tree = work / "tree"
        self.source.add_worktree(tree, commit)
        if self.source.has_submodules(tree):
            words = self.source.submodule_command()
            ended = self._run(words, key, tree, log, environment=self._git_environment)
            self._require_done(ended, "fetching the submodules", commit, log)
        self._say(f"building {commit.name} ({commit.subject[:60]}): {self.recipe.command}; log: {log}")
        # A bare name, as OpenBench has it: a Makefile may run ./$(EXE) to profile it.
        output = f"engine-{commit.id[:SHORT]}"
        line = self.recipe.command.replace(OUTPUT, output)
        ended = self._run((_SHELL, "-c", line), key, tree, log, environment=self._build_environment(commit))
        self._require_done(ended, "the build", commit, log)
        program = _named(tree, output) if self.recipe.program is None else tree / self.recipe.program
        if program is None or not program.is_file() or not os.access(program, os.X_OK):
            made = OUTPUT if self.recipe.program is None else self.recipe.program
            others = sorted(str(path.relative_to(tree)) for path in tree.rglob(f"{output}?*"))
            found = f"; {output} was {OUTPUT}, and it made {', '.join(others[:LINES_SHOWN])}" if others else ""
            raise BadState(
                f"the build of {commit.name} left no program {made}{found}",
                where=str(log),
                next_step=f"Let the command use {OUTPUT}, or say with main.build.program where it leaves the program",
            )
        return program, ended

    def _examine(self, program: Path, key: str, log: Path) -> Said:
        environment = build_environment(self._environment, flags={}, moment=0)

        def within(seconds: float) -> Run:
            return lambda command, said: self._run(
                command, key, program.parent, log, environment=environment, said=said, timeout=seconds
            )

        name = ask_name(within(self._start_timeout), str(program), self._protocol)
        bench = None
        if self.recipe.bench:
            words = [word.replace(PROGRAM, str(program)) for word in self.recipe.bench]
            bench = ask_bench(within(self.recipe.timeout), words, self.recipe.bench_pattern)
        return Said(name, bench)

    def _examined_again(self, record: BuildRecord, kept: Path) -> BuildRecord:
        """The settings ask for another bench than the kept build was asked for."""
        log = self.folder / record.log
        said = self._examine(kept / record.program, kept.name, log)
        record = record.model_copy(update={"bench": said.bench, "bench_command": list(self.recipe.bench)})
        record.write(kept)
        return record

    def _require_done(self, ended: Ended, what: str, commit: Commit, log: Path) -> None:
        if ended.status == 0:
            return
        how = f"was not done in {self.recipe.timeout:g} s" if ended.status is None else f"failed with {ended.status}"
        lines = [line.strip() for line in ended.output.decode("utf-8", "replace").splitlines() if line.strip()]
        shown = " | ".join(
            "".join(letter if letter.isprintable() else "?" for letter in line[:160]) for line in lines[-LINES_SHOWN:]
        )
        raise BadState(
            f"{what} of {commit.name} {how}{f'; its last lines: {shown}' if shown else ''}",
            where=str(log),
            next_step="Raise main.build.timeout" if ended.status is None else "The whole output stands in that file",
        )

    # -- where and how

    def _key(self, commit: Commit) -> str:
        return f"{commit.id[:SHORT]}-{self.recipe.digest(self.flags)[:SHORT]}"

    def _build_environment(self, commit: Commit) -> dict[str, str]:
        return build_environment(self._environment, flags=self.flags, moment=commit.moment)

    def _run(
        self,
        command: Sequence[str],
        key: str,
        directory: Path,
        log: Path,
        *,
        environment: Mapping[str, str],
        said: bytes = b"",
        timeout: float | None = None,
    ) -> Ended:
        try:
            return run_bounded(
                command,
                directory=directory,
                environment=environment,
                timeout=self.recipe.timeout if timeout is None else timeout,
                mark=self._kept.mark(key),
                log=log,
                said=said,
            )
        except OSError as error:
            raise BadState(f"{command[0]} cannot be started: {error.strerror}", where=str(log)) from error


def _named(tree: Path, name: str) -> Path | None:
    """Return the program of a name that lies nearest to the root of a worktree; None when there is none."""
    found = [path for path in tree.rglob(name) if path.is_file()]
    return min(found, key=lambda path: (len(path.parts), str(path)), default=None)

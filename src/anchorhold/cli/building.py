"""Versions of main for commands: those that come from source are built, or found where they are kept.

May import: anchorhold.builds, anchorhold.checks, anchorhold.config, anchorhold.register, anchorhold.cli.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from anchorhold.cli.status import INTERRUPTED

if TYPE_CHECKING:
    from anchorhold.builds.building import Builder
    from anchorhold.checks.state import CheckState
    from anchorhold.config.record import Config
    from anchorhold.domain.builds import BuildRecipe
    from anchorhold.register.store import Register

BUILDS = "builds"
"""Folder in the project's data."""
_TERMINATED = 128 + signal.SIGTERM


def builder_of(config: Config, recipe: BuildRecipe) -> Builder:
    """Return what builds revisions of the configured project; it says on standard error what takes long."""
    from anchorhold.builds.building import Builder

    protocol = config.main.template.protocol if config.main.template else "uci"
    return Builder(
        recipe,
        folder=config.data / BUILDS,
        scratch=Path(tempfile.gettempdir()) / f"anchorhold-{os.getuid()}",
        environment=os.environ,
        protocol=protocol,
        start_timeout=config.rules.start_timeout,
        on_notice=_say,
    )


def with_built(config: Config, checks: Sequence[CheckState], revisions: Sequence[str]) -> tuple[Config, list[str]]:
    """Build revisions; return settings in which their versions can be played, and the versions' names.

    Versions that [main.versions] lists, and all of a project that names no build, are ready-made, and stay as they are.

    Raises
    ------
    BadInput, BadState
        See ``checks.versions.version_of`` and ``builds.building.Builder.built``.
    """
    recipe = config.main.recipe
    if recipe is None or not any(config.main.is_built(revision) for revision in revisions):
        return config, list(revisions)
    from anchorhold.checks.versions import version_of

    builder = builder_of(config, recipe)
    builds = dict(config.main.builds)
    names: list[str] = []
    with interruptible():
        found = [
            version_of(revision, source=builder.source, checks=checks) if config.main.is_built(revision) else None
            for revision in revisions
        ]
        for revision, version in zip(revisions, found, strict=True):
            if version is None:
                names.append(revision)
                continue
            name, commit = version
            builds[name] = builder.built(commit).version()
            names.append(name)
    return replace(config, main=replace(config.main, builds=builds)), names


def built_for_opening(
    config: Config, register: Register, *, old: str | None, new: str
) -> tuple[Config, str | None, str]:
    """Build what a check that is to be opened needs; return the settings with it, and the names of old and new."""
    if config.main.recipe is None:
        return config, old, new
    from anchorhold.checks.start import next_start
    from anchorhold.checks.state import checks_of

    entries = register.entries()
    start = next_start(entries)  # while a check is open nothing need be built
    wanted = old or start.old
    config, names = with_built(config, checks_of(entries), [new] if wanted is None else [new, wanted])
    return config, names[1] if old is not None else None, names[0]


def built_for_measuring(config: Config, register: Register) -> Config:
    """Build what the open check needs, where it is not kept; return the settings with it."""
    if config.main.recipe is None:
        return config
    from anchorhold.checks.state import checks_of, open_check

    checks = checks_of(register.entries())
    check = open_check(checks)
    return config if check is None else with_built(config, checks, _versions(check))[0]


def built_for_run(
    config: Config, register: Register, *, old: str | None, new: str | None
) -> tuple[Config, str | None, str | None]:
    """Build what the open check needs, or one that is to be opened; return the settings with it, and the names."""
    if config.main.recipe is None:
        return config, old, new
    from anchorhold.checks.state import checks_of, open_check
    from anchorhold.checks.versions import version_of

    checks = checks_of(register.entries())
    check = open_check(checks)
    if check is None:
        return (config, old, new) if new is None else built_for_opening(config, register, old=old, new=new)
    source = builder_of(config, config.main.recipe).source

    def name(revision: str | None) -> str | None:
        if revision is None or not config.main.is_built(revision):
            return revision
        return version_of(revision, source=source, checks=checks)[0]

    return with_built(config, checks, _versions(check))[0], name(old), name(new)


@contextmanager
def interruptible() -> Iterator[None]:
    """Let Ctrl-C and SIGTERM end a build with all that belongs to it, and this command with their status."""

    def leave(_number: int, _frame: FrameType | None) -> None:
        raise SystemExit(_TERMINATED)

    in_main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGTERM, leave) if in_main else None
    try:
        yield
    except KeyboardInterrupt:
        print("anchorhold: interrupted; nothing of the unfinished build is left", file=sys.stderr)
        raise SystemExit(INTERRUPTED) from None
    finally:
        if in_main:
            signal.signal(signal.SIGTERM, before)


def _versions(check: CheckState) -> list[str]:
    return [check.plan.old.version, check.plan.new.version]


def _say(what: str) -> None:
    print(f"anchorhold: {what}", file=sys.stderr, flush=True)

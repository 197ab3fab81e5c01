"""What this machine can give a match: cores, how busy they are, what a container takes away.

Linux tells all of it; elsewhere only the number of cores is known. May import: anchorhold.errors.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from anchorhold.errors import BadInput

BUSY_SHARE = 0.25
"""Of a core that others use on average per core: more than that disturbs games on the clock."""


@dataclass(frozen=True, slots=True)
class Host:
    """A machine as a match sees it; None: this system does not say it."""

    cores: int
    """Logical cores of the machine."""
    usable: tuple[int, ...]
    """Numbers of those that this process may run on (affinity, cpuset); empty when the system does not say it."""
    quota: float | None
    """Cores' worth of time that a cgroup allows; None: no limit is set."""
    load: float | None
    """Processes that wanted a core over the last minute, on average."""

    @property
    def available(self) -> float:
        """Cores that a match can really have."""
        cores = float(len(self.usable) or self.cores)
        return cores if self.quota is None else min(cores, self.quota)


def read_host(*, proc: Path = Path("/proc"), cgroups: Path = Path("/sys/fs/cgroup")) -> Host:
    """Ask the system; the paths are arguments so that other machines' files can be read."""
    cores = os.cpu_count() or 1
    usable = tuple(sorted(os.sched_getaffinity(0))) if hasattr(os, "sched_getaffinity") else ()
    try:
        load = os.getloadavg()[0]
    except OSError:
        load = None
    return Host(cores=cores, usable=usable, quota=read_quota(proc=proc, cgroups=cgroups), load=load)


def read_quota(*, proc: Path, cgroups: Path) -> float | None:
    """The tightest limit on processor time from this process's cgroup up to the root, in cores; None: there is none."""
    limits: list[float] = []
    for line in _lines(proc / "self" / "cgroup"):
        number, _, rest = line.partition(":")
        controllers, _, group = rest.partition(":")
        if number == "0" and not controllers:
            tops, read = (cgroups, cgroups / "unified"), _quota_v2
        elif "cpu" in controllers.split(","):
            tops, read = (cgroups / "cpu", cgroups / controllers), _quota_v1
        else:
            continue
        for top in tops:
            # In a container the group's path may be the host's, while the group itself is mounted at the top.
            for folder in _upwards(top, group.strip("/")):
                found = read(folder)
                if found is not None:
                    limits.append(found)
    return min(limits, default=None)


def warnings(host: Host, *, workers: int, threads: int = 1) -> list[str]:
    """What should be said before so many pairs are played at a time; one sentence each.

    Parameters
    ----------
    threads : int
        Threads of the engine with the most: one side of a game thinks at a time.
    """
    found: list[str] = []
    needed = workers * threads
    words = f"{workers} pairs at a time" + (f" with {threads} threads each" if threads > 1 else "")
    usable = len(host.usable) or host.cores
    if needed > usable:
        of = f" of the machine's {host.cores}" if usable < host.cores else ""
        found.append(f"{words} need {needed} cores, but {usable}{of} can be used: clocks will run while engines wait")
    elif host.quota is not None and needed > host.quota:
        found.append(
            f"{words} need {needed} cores, but a cgroup allows {host.quota:g} cores' worth of time:"
            " engines will be held back"
        )
    if host.load is not None and host.load > BUSY_SHARE * host.cores and host.load + needed > host.available:
        found.append(
            f"the machine is busy (load {host.load:.2f} on {host.cores} cores): results on the clock will suffer"
        )
    return found


def pin_plan(host: Host, *, workers: int, threads: int = 1) -> tuple[tuple[int, ...], ...]:
    """Cores for each worker, none of them twice; an engine inherits those of its worker.

    Raises
    ------
    BadInput
        The system cannot pin, or has too few cores.
    """
    if not host.usable:
        raise BadInput(f"{platform.system()} cannot pin processes to cores", next_step="Leave pinning out")
    if workers * threads > len(host.usable):
        raise BadInput(
            f"{workers} workers with {threads} cores each need {workers * threads} cores, but {len(host.usable)} can"
            " be used",
            next_step="Use fewer workers, or leave pinning out",
        )
    return tuple(host.usable[threads * worker : threads * (worker + 1)] for worker in range(workers))


def fill_plan(host: Host, *, workers: int, threads: int = 1) -> tuple[tuple[int, ...], ...]:
    """A core for each worker where workers take all cores of one quick move after the other; empty: better no pinning.

    Only one process of a pair runs at a time. On a core of its own a pair wakes no other core for every move, and what
    it has in the caches stays there. Whoever else wants cores, another match of this kind too, shares them evenly, as
    long as none is left out.
    """
    fills = threads == 1 and workers == len(host.usable) and host.quota is None and _may_be_pinned()
    return pin_plan(host, workers=workers) if fills else ()


def _may_be_pinned() -> bool:
    """Whether the system lets a process choose its cores; some sandboxes do not."""
    try:
        os.sched_setaffinity(0, os.sched_getaffinity(0))
    except (OSError, AttributeError):
        return False
    return True


def _quota_v2(folder: Path) -> float | None:
    words = " ".join(_lines(folder / "cpu.max")).split()
    return _share(words)


def _quota_v1(folder: Path) -> float | None:
    words = [*_lines(folder / "cpu.cfs_quota_us"), *_lines(folder / "cpu.cfs_period_us")]
    return _share(words)


def _share(words: Sequence[str]) -> float | None:
    try:
        quota, period = (int(word) for word in words)
    except ValueError:
        return None  # "max", or files that are not there
    return quota / period if quota > 0 and period > 0 else None


def _upwards(top: Path, group: str) -> list[Path]:
    parts = group.split("/") if group else []
    return [top.joinpath(*parts[:count]) for count in range(len(parts), -1, -1)]


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8", errors="replace").split("\n")[:-1]
    except OSError:
        return []

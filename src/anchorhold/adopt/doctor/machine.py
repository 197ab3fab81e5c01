"""The machine: cores and what takes them away, disk, places to write, clocks.

Seconds and bytes everywhere. May import: anchorhold.config, anchorhold.matches.host, anchorhold.adopt.doctor.findings.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

from anchorhold.adopt.doctor.findings import Finding
from anchorhold.config.record import Config
from anchorhold.matches.host import Host, warnings

PAIR_BYTES = 40_000
"""What a pair takes in journal and PGN together, generously: two games of 120 plies with comments."""
LEAST_FREE = 200_000_000
"""Bytes that should be free whatever is planned."""
CLOCK_READINGS = 10_000
STEP = 0.5
"""Seconds by which two clocks may drift apart while one looks."""


def cores(host: Host, config: Config) -> Iterator[Finding]:
    """Compare the workers with what the machine can give them."""
    found = warnings(host, workers=config.workers, threads=_most_threads(config))
    quieter = "Use fewer workers ([match] workers), or wait until the machine is quiet"
    for text in found:
        yield Finding("cores", "warning", text, quieter)
    if not found:
        load = "" if host.load is None else f", load {host.load:.2f}"
        yield Finding("cores", "ok", f"{config.workers} at a time, {host.available:g} cores can be used{load}")


def _most_threads(config: Config) -> int:
    main = [] if config.main.template is None else [config.main.template]
    templates = [*main, *config.main.versions.values(), *(anchor.engine for anchor in config.anchors)]
    counts = [value for one in templates for name, value in one.options if name.lower() == "threads"]
    return max([1, *(count for count in counts if isinstance(count, int))])


def disk(config: Config) -> Iterator[Finding]:
    """Is there room for the games of a check?"""
    pairs = 2 * len(config.anchors) * (config.long.pairs + (config.short.pairs if config.short else 0))
    needed = max(LEAST_FREE, PAIR_BYTES * (pairs + config.direct_pairs))
    place = _existing(config.data)
    free = shutil.disk_usage(place).free
    text = (
        f"{_bytes(free)} free at {place}, a check of {pairs + config.direct_pairs} pairs takes up to {_bytes(needed)}"
    )
    if free < needed:
        yield Finding("disk", "failure", text, "Make room, or put the data elsewhere: [project] data")
    else:
        yield Finding("disk", "ok", text)


def writable(config: Config | None) -> Iterator[Finding]:
    """Can files be made where they are needed?"""
    try:
        with tempfile.TemporaryFile():
            yield Finding("temporary", "ok", f"{tempfile.gettempdir()} can be written")
    except OSError as error:
        yield Finding(
            "temporary",
            "failure",
            f"no temporary file can be made: {error.strerror}",
            "Name a directory that can be written with TMPDIR",
        )
    if config is not None:
        place = _existing(config.data)
        try:
            with tempfile.TemporaryFile(dir=place):
                yield Finding("data", "ok", f"{place} can be written")
        except OSError as error:
            yield Finding(
                "data", "failure", f"{place} cannot be written: {error.strerror}", "Mend its rights, or [project] data"
            )


def clock(
    *,
    monotonic: Callable[[], float] = time.monotonic,
    wall: Callable[[], float] = time.time,
    last_entry: str | None = None,
    since: tuple[float, float] | None = None,
) -> Iterator[Finding]:
    """Look at the clocks that games and register are timed by.

    Parameters
    ----------
    last_entry : str, optional
        When the register's last entry was recorded, RFC 3339.
    since : tuple of float, optional
        Readings of both clocks, monotonic and wall, some while ago: they must have gone on alike.
    """
    readings = [monotonic() for _ in range(CLOCK_READINGS)]
    backwards = sum(later < earlier for earlier, later in pairwise(readings))
    if backwards:
        yield Finding(
            "clock",
            "failure",
            f"the monotonic clock went back {backwards} times",
            "Play on another machine: its clock cannot time games",
        )
        return
    apart = 0.0 if since is None else (wall() - since[1]) - (monotonic() - since[0])
    now = datetime.fromtimestamp(wall(), tz=UTC)
    if abs(apart) > STEP:
        yield Finding(
            "clock", "warning", f"the time of day was set by {apart:+.1f} s while this ran", "Let it be kept by NTP"
        )
    elif last_entry is not None and datetime.fromisoformat(last_entry) > now + timedelta(seconds=60):
        yield Finding(
            "clock",
            "warning",
            f"the register's last entry is of {last_entry}, now it is {now:%Y-%m-%dT%H:%M:%SZ}",
            "Set the time of day, and let it be kept by NTP",
        )
    else:
        yield Finding("clock", "ok", "goes forward, and the time of day goes with it")


def _existing(path: Path) -> Path:
    """Return the path, or the nearest directory above it that is there."""
    return next(place for place in (path, *path.parents) if place.is_dir())


def _bytes(count: int) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.0f} MB"

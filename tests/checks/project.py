"""A project with engines of its own: two dozen lines of configuration, deterministic games in milliseconds."""

import copy
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import chess

from anchorhold.checks.anchors import pin
from anchorhold.checks.closing import Closed, close_check
from anchorhold.checks.conditions import frozen_conditions
from anchorhold.checks.identity import FileDigests
from anchorhold.checks.life import run_check
from anchorhold.checks.measuring import OnProgress
from anchorhold.checks.opening import open_new_check
from anchorhold.checks.plan import Plan
from anchorhold.checks.state import CheckState, checks_of, the_open_check
from anchorhold.cli.project import contract_of, plan_of
from anchorhold.config import load
from anchorhold.config.record import Config
from anchorhold.domain.entries import Entry
from anchorhold.register.store import Register

ANCHORS = 6
EVEN = (5, 10, 20, 10, 5)
"""50 pairs with an even score."""
AHEAD = (3, 8, 20, 12, 7)
"""50 pairs with a score of 0.56."""
TEMPLATE = (Path(__file__).parent / "hash_engine.py").read_text(encoding="utf-8")

CONFIG = """
[project]
name = "Example"
author = "Ada"

[main]
command = "./{{version}}"
options = {{ Hash = 4 }}

[stages.long]
depth = 1
pairs = {pairs}

[stages.short]
nodes = 10
pairs = {short}

[check]
direct_pairs = {direct}

[book]
file = "book.epd"
order = "random"
seed = 3

[match]
workers = {workers}
max_moves = 15
resign = {{ count = 1, score = 200, sides = "one" }}
"""

ANCHOR = """
[[anchors]]
name = "Anchor {number}"
command = "./anchor{number}"
limit = {{ depth = {number} }}
rating = {rating}
rating_error = 8.5
"""


def write_engine(path: Path, *, strength: int = 0) -> None:
    """Put a program of its own there: another name makes other games and another digest."""
    text = TEMPLATE.replace("@PATH@", str(Path(chess.__file__).parent.parent))
    text = text.replace("@NAME@", path.name).replace("@STRENGTH@", str(strength))
    path.write_text(f"#!{sys.executable} -S\n{text}", encoding="utf-8")
    path.chmod(0o755)


@dataclass(frozen=True)
class Project:
    """A directory with engines, book, settings and register."""

    directory: Path

    @property
    def config_path(self) -> Path:
        return self.directory / "anchorhold.toml"

    @property
    def register_path(self) -> Path:
        return self.directory / "register.sqlite"

    def register(self) -> Register:
        """Open the register, with a clock that nobody waits for."""
        moments = iter(datetime(2026, 11, 30, tzinfo=UTC) + timedelta(seconds=n) for n in range(10_000))
        return Register.open(str(self.register_path), clock=lambda: next(moments))

    def settings(self, **flags: object) -> Config:
        return load(self.config_path, environment={}, flags=flags)

    def plan(self, **flags: object) -> Plan:
        return plan_of(self.settings(**flags))

    def pin(self) -> None:
        with self.register() as register:
            pin(register, self.settings().anchors, author="Ada", digest_of=FileDigests())

    def open(self, old: str | None = "v1", new: str = "v2", **flags: object) -> CheckState:
        loaded = self.settings(**flags)
        with self.register() as register:
            return open_new_check(
                register,
                plan_of(loaded),
                old=old,
                new=new,
                contract=contract_of(loaded),
                author="Ada",
                digest_of=FileDigests(),
            )

    def append(self, kind: str, payload: Mapping[str, object]) -> Entry:
        with self.register() as register:
            return register.append(kind, payload, author="Ada")

    def entries(self) -> list[Entry]:
        with self.register() as register:
            return register.entries()

    def checks(self) -> tuple[CheckState, ...]:
        return checks_of(self.entries())

    def close(
        self,
        *,
        old: Sequence[int] = EVEN,
        new: Sequence[int] = AHEAD,
        seen: Callable[[list[dict[str, object]]], object] | None = None,
    ) -> Closed:
        """Close the open check with made-up counts."""
        with self.register() as register:
            record_measurements(register, old=old, new=new, seen=seen)
            return close_check(register, author="Ada")

    def run(
        self,
        old: str | None = None,
        new: str | None = None,
        *,
        on_progress: OnProgress | None = None,
        on_opened: Callable[[CheckState], None] | None = None,
    ) -> Closed:
        loaded = self.settings()
        with self.register() as register:
            return run_check(
                register,
                plan_of(loaded),
                old=old,
                new=new,
                contract=contract_of(loaded),
                author="Ada",
                digest_of=FileDigests,
                on_opened=on_opened,
                on_progress=on_progress,
            )

    def edit(self, old: str, new: str) -> None:
        text = self.config_path.read_text(encoding="utf-8")
        assert old in text
        self.config_path.write_text(text.replace(old, new, 1), encoding="utf-8")


def make_project(directory: Path, *, pairs: int = 50, short: int = 0, direct: int = 0, workers: int = 1) -> Project:
    directory.mkdir(parents=True, exist_ok=True)
    for number in range(1, ANCHORS + 1):
        write_engine(directory / f"anchor{number}", strength=10 * number)
    for number in range(1, 5):
        write_engine(directory / f"v{number}", strength=20 * number)
    board = chess.Board()
    lines = []
    for move in list(board.legal_moves)[:12]:
        board.push(move)
        lines.append(board.epd())
        board.pop()
    (directory / "book.epd").write_text("\n".join(lines) + "\n", encoding="utf-8")
    text = CONFIG.format(pairs=pairs, short=short, direct=direct, workers=workers)
    if not short:
        start = text.index("[stages.short]")
        text = text[:start] + text[text.index("[check]") :]
    text += "".join(ANCHOR.format(number=n, rating=3000.0 + 10 * n) for n in range(1, ANCHORS + 1))
    (directory / "anchorhold.toml").write_text(text, encoding="utf-8")
    project = Project(directory)
    Register.create(str(project.register_path), author="Ada").close()
    return project


def record_measurements(
    register: Register,
    *,
    old: Sequence[int] = EVEN,
    new: Sequence[int] = EVEN,
    seen: Callable[[list[dict[str, object]]], object] | None = None,
    conditions_of_new: Mapping[str, object] | None = None,
) -> None:
    """Record measurements of the open check as if the same counts had been played against every anchor.

    ``seen`` may change what the new endpoint attests.
    """
    check = the_open_check(register.entries())
    opened = check.opened.payload
    frozen = frozen_conditions(check)
    for endpoint, stage in check.missing():
        attested = copy.deepcopy(pinned_anchors_of(check))
        conditions: dict[str, object] = dict(frozen[stage])
        if endpoint == "new":
            if seen is not None:
                seen(attested)
            conditions.update(conditions_of_new or {})
        counts = list(old if endpoint == "old" else new)
        names = ["old"] if endpoint == "direct" else [str(anchor["name"]) for anchor in pinned_anchors_of(check)]
        payload: dict[str, object] = {
            "check": check.id,
            "endpoint": endpoint,
            "stage": stage,
            "version": check.plan.old.version if endpoint == "old" else check.plan.new.version,
            "main": opened["old" if endpoint == "old" else "new"],
            "conditions": conditions,
            "counts": {name: {"pentanomial": counts} for name in names},
            "games_sha256": "0" * 64,
        }
        if endpoint != "direct":
            payload["anchors"] = attested
        register.append("measurement", payload, author="Ada")


def pinned_anchors_of(check: CheckState) -> list[dict[str, object]]:
    """Return the anchor set that a check was opened with."""
    anchor_set = check.opened.payload["anchor_set"]
    assert isinstance(anchor_set, dict)
    anchors = anchor_set["anchors"]
    assert isinstance(anchors, list)
    return anchors


def gain(elo: float, *, name: str = "dev-1", passed: bool = True) -> dict[str, object]:
    """A gain test as it stands in a register."""
    stage = {"passed": passed, "elo": elo, "elo_error": 1.5}
    return {"id": name, "short": stage, "long": stage}

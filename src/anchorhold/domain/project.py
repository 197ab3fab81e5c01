"""What a project brings to its checks: main in its versions, anchors, stages, book, oracle stages.

Nothing here is read from a file: ``config`` makes these records, checks and oracle use them. Elo throughout is
logistic unless the bounds' model says otherwise. May import: anchorhold.canonical, errors, domain.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from anchorhold.canonical import nearest
from anchorhold.domain.builds import PROGRAM, BuildRecipe, BuiltVersion
from anchorhold.domain.engines import EngineSpec, OptionValue, Protocol
from anchorhold.domain.games import Variant
from anchorhold.domain.limits import Limit
from anchorhold.errors import BadInput

BoundsModel = Literal["normalized", "logistic"]
BookOrder = Literal["sequential", "random"]


@dataclass(frozen=True, slots=True)
class EngineTemplate:
    """How an engine is started, before it is known how long it may think."""

    command: tuple[str, ...]
    protocol: Protocol = "uci"
    options: tuple[tuple[str, OptionValue], ...] = ()
    setup: tuple[str, ...] = ()
    depth_command: str = "sd"
    restart: Literal["never", "pair"] = "never"
    directory: Path | None = None
    files: tuple[Path, ...] = ()
    margin: float = 0.15
    """Seconds that the clock may be overrun before the game is lost."""

    def spec(self, name: str, limit: Limit) -> EngineSpec:
        """Return the engine under one name and limit."""
        return EngineSpec(
            name=name,
            command=self.command,
            limit=limit,
            protocol=self.protocol,
            options=self.options,
            setup=self.setup,
            depth_command=self.depth_command,
            restart=self.restart,
            directory=self.directory,
            files=self.files,
            margin=self.margin,
        )


@dataclass(frozen=True, slots=True)
class MainEngine:
    """The project's own engine: a template in which ``{version}`` is replaced, or one entry per version.

    With a recipe the template is how a built program is started, and ``{program}`` in it is replaced too.
    """

    template: EngineTemplate | None
    """None: only the listed versions exist."""
    versions: Mapping[str, EngineTemplate] = field(default_factory=dict)
    recipe: BuildRecipe | None = None
    """How revisions are built; None: programs are ready-made."""
    builds: Mapping[str, BuiltVersion] = field(default_factory=dict)
    """The versions that were built, by name."""

    def is_built(self, version: str) -> bool:
        """Say whether a version comes from source."""
        return self.recipe is not None and version not in self.versions

    def spec(self, version: str, limit: Limit) -> EngineSpec:
        """Return one version of main, ready to be played at a limit; its name is the version.

        Raises
        ------
        BadInput
            There is no template, and the version is not listed; or it comes from source and was not built.
        """
        template = self.versions.get(version, self.template)
        built = self.builds.get(version) if self.is_built(version) else None
        if self.is_built(version) and built is None:
            raise BadInput(f"version {version!r} was not built", where="main", next_step="Build it: 'anchorhold build'")
        if template is None:
            raise BadInput(
                f"main has no version {version!r}",
                where="main.versions",
                next_step=nearest(version, self.versions)
                or f"Listed are: {', '.join(sorted(self.versions)) or 'none'}",
            )
        return _filled_in(template, version, built).spec(version, limit)


def _filled_in(template: EngineTemplate, version: str, built: BuiltVersion | None) -> EngineTemplate:
    def fill(text: str) -> str:
        text = text.replace("{version}", version)
        return text if built is None else text.replace(PROGRAM, str(built.program))

    return EngineTemplate(
        command=tuple(fill(word) for word in template.command),
        protocol=template.protocol,
        options=tuple((name, fill(value) if isinstance(value, str) else value) for name, value in template.options),
        setup=tuple(fill(line) for line in template.setup),
        depth_command=template.depth_command,
        restart=template.restart,
        directory=None if template.directory is None else Path(fill(str(template.directory))),
        files=tuple(Path(fill(str(path))) for path in template.files),
        margin=template.margin,
    )


@dataclass(frozen=True, slots=True)
class AnchorEngine:
    """A foreign engine with its fixed rating, as the project runs it."""

    name: str
    engine: EngineTemplate
    rating: float
    rating_error: float
    """95 % half-width, Elo."""
    limit: Limit | None = None
    """Its own limit at every stage; None: the stage's."""
    version: str | None = None
    """None: what the engine calls itself when it starts."""
    source: str | None = None
    """Where the rating comes from."""

    def spec(self, stage_limit: Limit) -> EngineSpec:
        """Return the anchor, ready to be played at a stage."""
        return self.engine.spec(self.name, self.limit or stage_limit)


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of the measurement: how long main may think, and how many pairs each anchor plays per endpoint."""

    limit: Limit
    pairs: int


@dataclass(frozen=True, slots=True)
class BookChoice:
    """Which openings are played, and in which order."""

    path: Path
    order: BookOrder = "sequential"
    seed: int = 1
    plies: int | None = None
    """Book moves played at most; None: all."""
    variant: Variant = "standard"


@dataclass(frozen=True, slots=True)
class OracleStage:
    """One stage of the oracle: a sequential test of the candidate against its predecessor."""

    limit: Limit
    bounds: tuple[float, float]
    """Elo under the null and under the alternative hypothesis, in ``model``."""
    model: BoundsModel
    alpha: float
    beta: float
    max_pairs: int
    overshoot_corrected: bool = False
    """Whether the test stops before its bound by the overshoot that it has seen (``stats.overshoot``)."""

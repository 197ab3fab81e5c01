"""``anchorhold plan``: what a check would tell, before it is played, and when the next one is due.

May import: typer, anchorhold.checks, anchorhold.config, anchorhold.domain, anchorhold.errors,
anchorhold.report, anchorhold.stats, anchorhold.cli.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from anchorhold.cli.clean import fail_cleanly
from anchorhold.cli.options import ConfigOption, JsonOption, RegisterOption

if TYPE_CHECKING:
    from anchorhold.checks.outlook import Outlook
    from anchorhold.stats.power import Chances, Design

T = TypeVar("T")

RATIOS = (0.0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.75, 0.9, 1.0)
DISTANCES = (0.0, 50.0, 100.0, 200.0, 300.0, 400.0)
DRAWS = 0.5
RATING_ERROR = 10.0
ANCHORS = 6


@dataclass(frozen=True, slots=True)
class Source:
    """Where a figure of the plan comes from."""

    name: str
    value: str
    source: str


@fail_cleanly
def plan(
    claims: Annotated[
        float | None, typer.Option("--claims", metavar="ELO", help="S; by default that of the open window.")
    ] = None,
    pairs: Annotated[
        int | None, typer.Option("--pairs", min=1, help="Against each anchor, for each version; by default as set.")
    ] = None,
    distance: Annotated[
        list[float] | None,
        typer.Option("--distance", metavar="ELO", help="Main minus an anchor; repeat it. By default as measured last."),
    ] = None,
    draws: Annotated[
        float | None, typer.Option("--draws", min=0.0, max=0.99, help="Share of draws between equals.")
    ] = None,
    rating_error: Annotated[
        float | None, typer.Option("--rating-error", min=0.0, metavar="ELO", help="Half-width of the anchors' ratings.")
    ] = None,
    correlation: Annotated[
        float | None,
        typer.Option("--correlation", min=0.0, max=0.99, help="Of old's and new's pairs on the same opening."),
    ] = None,
    alpha: Annotated[float, typer.Option("--alpha", help="Chance of taking R = 0.40 for 0.75.")] = 0.05,
    beta: Annotated[float, typer.Option("--beta", help="Chance of taking R = 0.75 for 0.40.")] = 0.05,
    pair_seconds: Annotated[
        float | None,
        typer.Option("--pair-seconds", min=0.0, max=1e6, help="Time of one pair; by default as measured last."),
    ] = None,
    workers: Annotated[int | None, typer.Option("--workers", min=1, help="Pairs that are played at a time.")] = None,
    picture: Annotated[
        Path | None, typer.Option("--picture", metavar="FILE", help="Draw the chances as an SVG picture, too.")
    ] = None,
    register: RegisterOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say how likely each verdict is for a true R, how many pairs are needed, how long it takes, when a check is due.

    What is not given is taken from the register's last measured check and the settings, and said; --claims with
    --distance needs neither.

    Example: anchorhold plan --claims 20 --pairs 1000 --distance 0 --distance 80 --distance 120 --draws 0.5
    """
    from anchorhold.checks.foresight import far_distances
    from anchorhold.errors import BadInput
    from anchorhold.stats import power
    from anchorhold.stats.elo import EDITION_7

    found, settings = _known(register, config, needed=claims is None)
    measured = f"measured by {found.check}"
    said: list[Source] = []

    def choose(name: str, *options: tuple[T | None, str]) -> T:
        value, source = next((value, source) for value, source in options if value is not None)
        said.append(Source(name, _shown(value), source))
        return value

    total = choose("claims", (claims, "given"), (found.claims, "the open window"), (0.0, ""))
    if not total > 0.0:
        raise BadInput(
            "there is no positive sum of claims to plan for", next_step="Give the S that you expect with --claims."
        )
    distances = choose(
        "distances",
        (tuple(distance) if distance else None, "given"),
        (found.distances, measured),
        ((0.0,) * ANCHORS, "assumed: anchors as strong as main"),
    )
    errors = found.rating_errors if rating_error is None else None
    if errors is None or len(errors) != len(distances):
        errors = (RATING_ERROR if rating_error is None else rating_error,) * len(distances)
    design = power.Design(
        pairs=choose("pairs", (pairs, "given"), (settings.pairs, "the settings"), (1000, "assumed")),
        distances=distances,
        rating_errors=errors,
        draws=choose("draws", (draws, "given"), (found.draws, measured), (DRAWS, "assumed")),
        correlation=choose("correlation", (correlation, "given"), (found.correlation, measured), (0.0, "assumed")),
    )
    if picture is not None:
        _draw(design, total, picture, config)
    seconds = pair_seconds if pair_seconds is not None else settings.pair_seconds
    planned = 2 * len(distances) * design.pairs
    answer = _Answer(
        claims=total,
        design=design,
        deviation=power.increase_deviation(design),
        chances=power.verdict_chances(design, claims=total, ratios=RATIOS),
        pairs_needed=power.pairs_needed(design, claims=total, alpha=alpha, beta=beta),
        claims_needed=power.claims_needed(design, alpha=alpha, beta=beta),
        costs=[(at, power.distance_cost(at, draws=design.draws)) for at in DISTANCES],
        hours=None if seconds is None else planned * seconds / 3600 / (workers or settings.workers),
        error_rates=(alpha, beta),
        outlook=found,
        sources=said,
        warnings=[*far_distances(design, rule=EDITION_7)],
    )
    typer.echo(
        json.dumps(answer.to_json(), ensure_ascii=False, indent=2, allow_nan=False) if as_json else answer.words()
    )


def _draw(design: Design, claims: float, picture: Path, config: Path | None) -> None:
    from anchorhold.cli.files import write_whole
    from anchorhold.cli.language import language_of
    from anchorhold.domain.contract import DEFAULT_EDITION, edition
    from anchorhold.report.pictures import chances, standalone
    from anchorhold.report.scale import Thresholds
    from anchorhold.report.sureness import sureness_for
    from anchorhold.report.texts import texts_in

    thresholds = Thresholds.of(edition(DEFAULT_EDITION).parameters)
    found = sureness_for(design, claims=claims, thresholds=thresholds)
    write_whole(picture, standalone(chances(found, r=None, texts=texts_in(language_of(None, config)))))
    typer.echo(f"Wrote {picture}.", err=True)


@dataclass(frozen=True, slots=True)
class _Settings:
    pairs: int | None = None
    workers: int = 1
    pair_seconds: float | None = None


def _known(register: str | None, config: Path | None, *, needed: bool) -> tuple[Outlook, _Settings]:
    """Read the register and the settings; without either a plan is made from flags alone."""
    import os

    from anchorhold.checks.outlook import Outlook, outlook_of, seconds_per_pair
    from anchorhold.cli.reading import open_register
    from anchorhold.config import default_file, load
    from anchorhold.errors import BadInput

    loaded = load(config) if config is not None or default_file(os.environ).is_file() else None
    if register is None and loaded is None:
        if needed:
            raise BadInput(
                "there is neither a register nor an anchorhold.toml here",
                next_step="Give --claims, or name a register with --register.",
            )
        return Outlook(), _Settings()
    try:
        with open_register(register, config) as opened:
            found = outlook_of(opened.entries())
    except BadInput:
        if needed or register is not None:
            raise
        found = Outlook()
    if loaded is None:
        return found, _Settings()
    seconds = None if found.check is None else seconds_per_pair(loaded.data, found.check)
    return found, _Settings(pairs=loaded.long.pairs, workers=loaded.workers, pair_seconds=seconds)


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(f"{one:+.0f}" for one in value)
    return f"{value:g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True, slots=True)
class _Answer:
    claims: float
    design: Design
    deviation: float
    chances: list[Chances]
    pairs_needed: int | None
    claims_needed: float
    costs: list[tuple[float, float]]
    hours: float | None
    error_rates: tuple[float, float]
    outlook: Outlook
    sources: list[Source]
    warnings: list[str]
    """Distances that are too far for the pairs."""

    def due(self) -> str | None:
        """Day on which the claims will be enough for this design, at the pace of the register."""
        pace = self.outlook.pace
        day = None if pace is None else pace.day_of(self.claims_needed - self.claims)
        return None if day is None else day.isoformat()

    def to_json(self) -> dict[str, object]:
        pace = self.outlook.pace
        return {
            "schema": "anchorhold/plan/1",
            "claims": self.claims,
            "pairs": self.design.pairs,
            "distances": list(self.design.distances),
            "draws": self.design.draws,
            "correlation": self.design.correlation,
            "delta_a_deviation": self.deviation,
            "verdicts": [
                {"ratio": one.ratio, "halt": one.halt, "warn": one.warn, "continue": one.proceed}
                for one in self.chances
            ],
            "alpha": self.error_rates[0],
            "beta": self.error_rates[1],
            "pairs_needed": self.pairs_needed,
            "claims_needed": self.claims_needed,
            "distance_cost": [{"distance": at, "games": factor} for at, factor in self.costs],
            "hours": self.hours,
            "elo_per_day": None if pace is None else pace.elo_per_day,
            "due": self.due(),
            "warnings": [str(one) for one in self.warnings],
            "sources": [{"name": one.name, "value": one.value, "source": one.source} for one in self.sources],
        }

    def words(self) -> str:
        games = 2 * self.design.pairs * len(self.design.distances)
        lines = [
            f"{len(self.design.distances)} anchors, {self.design.pairs} pairs against each for each version: "
            f"{games} games for each, and ΔA has a standard deviation of {self.deviation:.2f} Elo.",
            "",
            "  true R     HALT     WARN  CONTINUE",
        ]
        lines += [f"  {one.ratio:>6.2f}{one.halt:>9.1%}{one.warn:>9.1%}{one.proceed:>10.1%}" for one in self.chances]
        alpha, beta = self.error_rates
        risk = f"with risks of {alpha:.0%} and {beta:.0%}"
        if self.pairs_needed is None:
            lines += ["", f"No number of pairs tells R = 0.40 from R = 0.75 at S = {self.claims:.1f} {risk}."]
        else:
            needed = 2 * self.pairs_needed * len(self.design.distances)
            lines += [
                "",
                f"To tell R = 0.40 from R = 0.75 at S = {self.claims:.1f} {risk}: {self.pairs_needed} pairs against "
                f"each anchor, {needed} games for each version.",
            ]
        lines.append(f"With the pairs above that takes claims of {self.claims_needed:.1f} Elo; {self._due_in_words()}")
        if self.hours is not None:
            lines.append(f"Long stage, thinking time alone: {self.hours:.1f} hours.")
        costs = ", ".join(f"{factor:.2f} at {at:.0f}" for at, factor in self.costs[1:])
        lines += ["", f"Games that an anchor needs, against one as strong as main: {costs} Elo of distance."]
        lines += [f"Warning: {one}" for one in self.warnings]
        lines.append("")
        lines += [f"  {one.name}: {one.value} ({one.source})" for one in self.sources]
        return "\n".join(lines)

    def _due_in_words(self) -> str:
        if self.claims >= self.claims_needed:
            return "the next check is due now."
        due = self.due()
        if due is None or self.outlook.pace is None:
            return f"{self.claims_needed - self.claims:.1f} Elo more than now."
        return f"at {self.outlook.pace.elo_per_day:.2f} Elo a day, the next check is due on {due}."

"""``anchorhold oracle plan``: chance to pass and length of the sequential tests, before they run.

May import: typer, anchorhold.config, anchorhold.errors, anchorhold.stats, anchorhold.cli.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from anchorhold.cli.clean import fail_cleanly
from anchorhold.cli.options import ConfigOption, JsonOption

if TYPE_CHECKING:
    from anchorhold.stats.sequential import Course, StageDesign

MOST_PAIRS = 10**9
DRAWS = 0.5

Courses = dict[str, "list[Course]"]


@fail_cleanly
def plan_command(
    bounds: Annotated[
        tuple[float, float] | None,
        typer.Option("--bounds", metavar="LOW HIGH", help="Elo bounds of the long stage, instead of the configured."),
    ] = None,
    short_bounds: Annotated[
        tuple[float, float] | None,
        typer.Option("--short-bounds", metavar="LOW HIGH", help="Those of the short stage; with --bounds the same."),
    ] = None,
    model: Annotated[
        Literal["normalized", "logistic"] | None, typer.Option("--bounds-model", help="Unit of the bounds.")
    ] = None,
    alpha: Annotated[float | None, typer.Option("--alpha", help="Chance to pass at the lower bound.")] = None,
    beta: Annotated[float | None, typer.Option("--beta", help="Chance to fail at the upper bound.")] = None,
    max_pairs: Annotated[int | None, typer.Option("--max-pairs", min=1, help="Of each stage.")] = None,
    draws: Annotated[
        float | None,
        typer.Option("--draws", min=0.0, max=0.99, help="Share of draws between equals; by default 0.5."),
    ] = None,
    pairs: Annotated[
        tuple[int, int, int, int, int] | None,
        typer.Option("--pentanomial", help="Instead of --draws: counts of pairs whose shape is taken."),
    ] = None,
    overshoot: Annotated[
        Literal["none", "dynamic"] | None, typer.Option("--overshoot", help="Whether overshoot is corrected.")
    ] = None,
    elo: Annotated[
        list[float] | None, typer.Option("--elo", metavar="ELO", help="True logistic Elo to look at; repeat it.")
    ] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say how likely a change passes, and how many pairs it takes, for each true Elo.

    Each stage is a GSPRT: after every pair the log-likelihood ratio is compared with ln(beta/(1 - alpha)) and
    ln((1 - beta)/alpha). The figures are those of Brownian motion between these bounds, moved outwards by the mean
    overshoot of a pair; with --overshoot dynamic the test itself moves its bounds inwards by it. The true Elo is taken
    to be the same at both stages.

    Example: anchorhold oracle plan --bounds 0.5 2.5 --short-bounds 0 2 --draws 0.6
    """
    from anchorhold.stats.sequential import both_stages, bounds_in_elo, course_elos, stage_course

    stages = _designs(
        config,
        bounds=bounds,
        short_bounds=short_bounds,
        model=model,
        alpha=alpha,
        beta=beta,
        max_pairs=max_pairs,
        draws=_draws(draws, pairs),
        overshoot=overshoot,
    )
    elos = _elos(elo) or course_elos(list(stages.values()))
    courses: Courses = {name: [stage_course(design, at) for at in elos] for name, design in stages.items()}
    courses["both"] = [both_stages(stages["short"], stages["long"], at) for at in elos]
    logistic = {name: bounds_in_elo(design) for name, design in stages.items()}
    if as_json:
        document = {
            "schema": "anchorhold/oracle-plan/1",
            "stages": {name: _design_json(design, logistic[name]) for name, design in stages.items()},
            "courses": {name: [_course_json(one) for one in found] for name, found in courses.items()},
        }
        typer.echo(json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False))
        return
    typer.echo("\n".join(_lines(stages, logistic, courses)))


def _draws(draws: float | None, pairs: tuple[int, int, int, int, int] | None) -> float:
    from anchorhold.errors import BadInput
    from anchorhold.stats.outcomes import Pentanomial
    from anchorhold.stats.power import draws_of

    if pairs is None:
        return DRAWS if draws is None else draws
    if draws is not None:
        raise BadInput("--draws and --pentanomial both say how drawish games are", next_step="Give one of them.")
    if min(pairs) < 0 or sum(count > 0 for count in pairs) < 2:
        raise BadInput(f"--pentanomial is {pairs}, expected five counts of which at least two are above 0")
    return draws_of(Pentanomial(*pairs))


def _elos(elo: list[float] | None) -> list[float]:
    from anchorhold.errors import BadInput

    for value in elo or []:
        if not abs(value) <= 400.0:
            raise BadInput(f"--elo is {value:g}, expected a number within ±400")
    return sorted(elo or [])


def _designs(
    config: Path | None,
    *,
    bounds: tuple[float, float] | None,
    short_bounds: tuple[float, float] | None,
    model: Literal["normalized", "logistic"] | None,
    alpha: float | None,
    beta: float | None,
    max_pairs: int | None,
    draws: float,
    overshoot: str | None,
) -> dict[str, StageDesign]:
    """Put together what is configured and what is given; what is given wins."""
    from anchorhold import config as settings
    from anchorhold.errors import BadInput
    from anchorhold.stats.sequential import StageDesign
    from anchorhold.stats.sprt import Sprt

    configured = None
    if config is not None or settings.default_file().is_file():
        loaded = settings.load(config)
        configured = {"short": loaded.oracle_short, "long": loaded.oracle_long}
    given = {"short": short_bounds or bounds, "long": bounds}
    designs = {}
    for name in ("short", "long"):
        stage = configured[name] if configured else None
        between = given[name] or (stage.bounds if stage else None)
        if between is None:
            raise BadInput(
                f"nothing says which Elo bounds the {name} stage has",
                next_step="Give --bounds LOW HIGH, or run it where anchorhold.toml has both oracle stages.",
            )
        designs[name] = StageDesign(
            test=Sprt(
                *between,
                model=model or (stage.model if stage else "normalized"),
                alpha=alpha if alpha is not None else (stage.alpha if stage else 0.05),
                beta=beta if beta is not None else (stage.beta if stage else 0.05),
            ),
            draws=draws,
            max_pairs=max_pairs or (stage.max_pairs if stage else MOST_PAIRS),
            overshoot_corrected=(overshoot == "dynamic")
            if overshoot
            else (stage.overshoot_corrected if stage else False),
        )
    return designs


def _design_json(design: StageDesign, logistic: tuple[float, float]) -> dict[str, object]:
    test = design.test
    return {
        "bounds": [test.elo0, test.elo1],
        "bounds_model": test.model,
        "bounds_elo": list(logistic),
        "alpha": test.alpha,
        "beta": test.beta,
        "llr_bounds": [test.bounds.lower, test.bounds.upper],
        "draws": design.draws,
        "max_pairs": design.max_pairs,
        "overshoot": "dynamic" if design.overshoot_corrected else "none",
    }


def _course_json(course: Course) -> dict[str, object]:
    from anchorhold.stats.sequential import QUANTILES

    return {
        "elo": course.elo,
        "passes": course.passes,
        "undecided": course.undecided,
        "mean_pairs": course.mean_pairs,
        "pairs": {f"{share:g}": pairs for share, pairs in zip(QUANTILES, course.quantiles, strict=True)},
    }


def _lines(stages: dict[str, StageDesign], logistic: dict[str, tuple[float, float]], courses: Courses) -> list[str]:
    lines = []
    for name, design in stages.items():
        test, (low, high) = design.test, logistic[name]
        most = "" if design.max_pairs >= MOST_PAIRS else f", at most {design.max_pairs} pairs"
        lines.append(
            f"{name:<5} {test.elo0:g} to {test.elo1:g} {test.model} ({low:.2f} to {high:.2f} Elo), alpha"
            f" {test.alpha:g}, beta {test.beta:g}, LLR {test.bounds.lower:.2f} to {test.bounds.upper:.2f}{most}"
        )
    titles = {"short": "short stage", "long": "long stage", "both": "both stages"}
    lines += ["", " " * 9 + "".join(f"{titles[name]:^34}" for name in courses).rstrip()]
    lines.append(f"{'Elo':>7}  " + f"{'passes':>8}{'pairs':>10}{'5 % to 95 %':>16}" * len(courses))
    for rows in zip(*courses.values(), strict=True):
        lines.append(
            f"{rows[0].elo:7.2f}  "
            + "".join(
                f"{one.passes:>8.1%}{one.mean_pairs:>10.0f}{f'{one.quantiles[0]:.0f} to {one.quantiles[2]:.0f}':>16}"
                for one in rows
            )
        )
    if any(one.undecided > 0.001 for found in courses.values() for one in found):
        worst = max(one.undecided for one in courses["both"])
        lines.append(f"Up to {worst:.1%} are not decided within the pairs that are allowed, and have not passed.")
    return lines

"""``anchorhold calibrate``: do the intervals cover, and how often is a verdict wrong? By simulation of the whole chain.

May import: typer, anchorhold.calibration, anchorhold.domain, anchorhold.cli.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from anchorhold.cli.clean import fail_cleanly
from anchorhold.cli.options import JsonOption

if TYPE_CHECKING:
    from anchorhold.calibration.coverage import Calibration
    from anchorhold.calibration.shares import Share

_INTERVALS = (
    ("ΔA ± U(ΔA), true increase", "increase_rule"),
    ("ΔA ± weighted, true increase", "increase_weighted"),
    ("paired ΔA, joint tables, true increase", "increase_paired"),
    ("paired ΔA, as if unpaired, true increase", "increase_unpaired"),
    ("S ± U(S), sum of the true gains", "sum_naive"),
    ("median-unbiased sum, sum of the true gains", "sum_median_unbiased"),
    ("band, true increase / claimed S", "band_claimed"),
    ("band, true increase / true gains", "band_true"),
    ("Fieller, true increase / claimed S", "fieller_claimed"),
    ("Fieller, true increase / true gains", "fieller_true"),
    ("Fieller by weighted, true incr. / true gains", "fieller_weighted_true"),
)


@fail_cleanly
def calibrate(
    checks: Annotated[int, typer.Option("--checks", min=1, help="Simulated checks for each true share.")] = 2000,
    gains: Annotated[int, typer.Option("--gains", min=1, max=500, help="Counted gains in a window.")] = 15,
    pairs: Annotated[int, typer.Option("--pairs", min=1, help="Against each anchor, for each version.")] = 2000,
    distance: Annotated[
        list[float] | None, typer.Option("--distance", metavar="ELO", help="Old main minus an anchor; repeat it.")
    ] = None,
    rating_error: Annotated[float, typer.Option("--rating-error", min=0.0, help="Of the anchors, in Elo.")] = 10.0,
    draws: Annotated[float, typer.Option("--draws", min=0.0, max=0.99, help="Share of draws between equals.")] = 0.5,
    bias: Annotated[
        float, typer.Option("--opening-bias", min=0.0, max=400.0, help="Standard deviation for White, in Elo.")
    ] = 80.0,
    intransitivity: Annotated[
        float, typer.Option("--intransitivity", min=0.0, help="Spread of the anchors' true increases, in Elo.")
    ] = 3.0,
    mean: Annotated[float, typer.Option("--gain-mean", help="True gains of what is tried, normalized Elo.")] = 0.0,
    deviation: Annotated[float, typer.Option("--gain-deviation", min=0.01, help="Their standard deviation.")] = 2.0,
    unselected: Annotated[
        int | None,
        typer.Option(
            "--unselected",
            min=1,
            metavar="PAIRS",
            help="Claims by one test of so many pairs each, all counted: no luck of stopping or selection in S.",
        ),
    ] = None,
    selected: Annotated[
        int,
        typer.Option(
            "--selected-sums", min=0, help="Registers for the selection-corrected sum, about a second each; 0: none."
        ),
    ] = 0,
    seed: Annotated[int, typer.Option("--seed", min=0)] = 1,
    workers: Annotated[int | None, typer.Option("--workers", min=1, help="Processes; by default every core.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Simulate checks from true gains and games to verdicts, and count how often the truth was covered.

    Each figure comes with the standard error of the simulation. The same seed gives the same figures, with any number
    of processes.

    Example: anchorhold calibrate --checks 250 --gains 12 --pairs 1500
    """
    import os

    from anchorhold.calibration.claims import Stream
    from anchorhold.calibration.coverage import SHARES, World
    from anchorhold.calibration.coverage import calibrate as simulate
    from anchorhold.calibration.selected import selected_sums
    from anchorhold.domain.contract import DEFAULT_EDITION, edition
    from anchorhold.errors import BadInput

    if unselected is not None and selected:
        raise BadInput("has no meaning with --unselected: nothing is selected there", where="--selected-sums")
    if unselected is not None and mean <= 0.0:
        raise BadInput(
            f"is {mean:g}: gains that are all counted add up to about as much, and without a positive S there is no R",
            where="--gain-mean",
            next_step="Give a number above 0, such as 2.",
        )

    distances = tuple(distance) if distance else (-120.0, -60.0, 0.0, 30.0, 80.0, 150.0)
    world = World(
        stream=Stream(
            mean=mean,
            deviation=deviation,
            bounds_short=(0.0, 2.0),
            bounds_long=(0.5, 2.5),
            # Draws make a game's score vary less, and a normalized Elo worth less.
            elo_per_nelo=(1.0 - draws) ** 0.5,
            unselected_pairs=unselected,
        ),
        gains=gains,
        pairs=pairs,
        distances=distances,
        rating_errors=(rating_error,) * len(distances),
        draws=draws,
        bias_deviation=bias,
        intransitivity=intransitivity,
    )
    cores = workers or len(os.sched_getaffinity(0))
    found = simulate(world, edition(DEFAULT_EDITION), checks=checks, seed=seed, workers=cores)
    sums = selected_sums(world.stream, gains=gains, registers=selected, seed=seed, workers=cores) if selected else None
    if as_json:
        report = {
            "schema": "anchorhold/calibration/1",
            "seed": seed,
            "world": {
                **{name: getattr(world, name) for name in ("gains", "pairs", "distances", "draws")},
                "unselected_pairs": unselected,
            },
            "shares": [one.to_json() for one in found],
            "selection_corrected": None if sums is None else sums.to_json(),
        }
        typer.echo(json.dumps(report, ensure_ascii=False, indent=2, allow_nan=False))
        return
    typer.echo("\n".join(_lines(found, shares=SHARES)))
    if sums is not None:
        typer.echo(
            f"selection-corrected sum, sum of the true gains: covered {_share(sums.covered).strip()}, sum over the true"
            f" {sums.overstatement:.3f} ({sums.covered.of} registers that kept all tests)"
        )


def _lines(found: list[Calibration], *, shares: tuple[float, ...]) -> list[str]:
    width = 44
    lines = [f"{'true increase / true gains':<{width}}" + "".join(f"{share:>15.2f}" for share in shares), ""]
    for name, member in (("HALT", "halt"), ("WARN", "warn"), ("CONTINUE", "proceed"), ("GAP", "gap")):
        lines.append(f"{name:<{width}}" + "".join(_share(getattr(one, member)) for one in found))
    lines += ["", "covered (95 % asked for)"]
    for name, member in _INTERVALS:
        lines.append(f"{name:<{width}}" + "".join(_share(getattr(one, member)) for one in found))
    lines += ["", f"{'S / sum of the true gains':<{width}}" + "".join(_figure(one.overstatement) for one in found)]
    lines.append(
        f"{'median-unbiased sum / sum of the true gains':<{width}}"
        + "".join(_figure(one.overstatement_median_unbiased) for one in found)
    )
    saved = "".join(_figure(one.pairs_saved, "15.1%") for one in found)
    lines.append(f"{'games saved by paired openings':<{width}}{saved}")
    return lines


def _share(share: Share) -> str:
    return (f"{share.value:.3f} ± {share.error:.3f}" if share.of else "no case").rjust(15)


def _figure(value: float | None, form: str = "15.3f") -> str:
    return "no case".rjust(15) if value is None else f"{value:>{form}}"

"""Worlds at the rim of what can be asked for: figures without NaN or infinity, or one line of what was expected."""

import json
import math
import warnings
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from anchorhold.calibration.claims import Stream
from anchorhold.calibration.coverage import AT_ONCE, World, calibrate
from anchorhold.domain.contract import DEFAULT_EDITION, edition
from anchorhold.errors import BadInput

CONTRACT = edition(DEFAULT_EDITION)
STREAM: dict[str, Any] = {
    "mean": 1.0, "deviation": 2.0, "bounds_short": (0.0, 2.0), "bounds_long": (0.5, 2.5),
    "unselected_pairs": None, "elo_per_nelo": 0.7,
}  # fmt: skip
WORLD: dict[str, Any] = {
    "gains": 3, "pairs": 40, "distances": (0.0, 60.0), "rating_errors": (10.0, 10.0),
    "draws": 0.5, "bias_deviation": 80.0, "intransitivity": 3.0,
}  # fmt: skip
STRANGE = (math.nan, math.inf, -math.inf, 1e300, -1e300, -1.0, 0.0)
CHANGES: dict[str, tuple[object, ...]] = {
    "mean": (*STRANGE, 200.0, -0.5, 20.0),
    "deviation": (*STRANGE, 0.01, 200.0),
    "bounds_long": ((0.0, 0.0), (2.0, -2.0), (-200.0, 200.0), (math.nan, 1.0)),
    "unselected_pairs": (1, 10**9, 0, 10**30),
    "elo_per_nelo": (*STRANGE, 0.1),
    "gains": (1, 0, -3),
    "pairs": (1, 2, 10**9, 0, 10**30),
    "distances": ((), (2000.0, -2000.0), (1e9, 0.0), (math.nan, 0.0), (5.0,)),
    "rating_errors": ((0.0, 0.0), (2000.0, 0.0), (math.inf, 1.0), (-1.0, 1.0)),
    "draws": (*STRANGE, 0.99),
    "bias_deviation": (*STRANGE, 400.0),
    "intransitivity": (*STRANGE, 2000.0),
}


def figures(changes: dict[str, object]) -> dict[str, Any] | str:
    """Simulate a world, or say why not."""
    stream = {name: value for name, value in changes.items() if name in STREAM}
    world = {name: value for name, value in changes.items() if name in WORLD}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            made = World(stream=Stream(**STREAM | stream), **WORLD | world)
            (found,) = calibrate(made, CONTRACT, checks=1, seed=1, shares=(0.5,))
        except BadInput as refusal:
            return str(refusal)
    report: dict[str, Any] = json.loads(json.dumps(found.to_json(), allow_nan=False))
    return report


def require_sound(found: dict[str, Any] | str) -> None:
    if isinstance(found, str):
        assert found
        assert "\n" not in found
    else:
        assert sum(found[name]["value"] for name in ("halt", "warn", "proceed", "gap")) == pytest.approx(1.0)


@pytest.mark.parametrize("name", CHANGES)
def test_an_extreme_figure_is_simulated_or_refused_in_a_line(name: str) -> None:
    for value in CHANGES[name]:
        require_sound(figures({name: value}))


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.dictionaries(st.sampled_from(sorted(CHANGES)), st.integers(0, 20), min_size=2, max_size=3))
def test_extreme_figures_together_are_simulated_or_refused_in_a_line(places: dict[str, int]) -> None:
    require_sound(figures({name: CHANGES[name][place % len(CHANGES[name])] for name, place in places.items()}))


def test_checks_of_which_none_has_an_r_are_gaps_and_give_no_figures() -> None:
    far = World(stream=Stream(**STREAM), **WORLD | {"distances": (2000.0, 2000.0)})
    (found,) = calibrate(far, CONTRACT, checks=1, seed=1, shares=(1.0,))
    assert (found.gap.value, found.gap.of) == (1.0, AT_ONCE)
    assert (found.fieller_true.of, found.pairs_saved) == (0, None)

"""Counts of a real history against what fishtest's functions, and its server, say of them."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from anchorhold.stats.elo import elo_from_pentanomial
from anchorhold.stats.outcomes import Pentanomial, Trinomial
from anchorhold.stats.sprt import BoundsModel, draw_elo, log_likelihood_ratio
from anchorhold.stats.sprt_many import log_likelihood_ratios
from anchorhold.stats.stopped import NotStopped, median_unbiased

GOLDEN = Path(__file__).parent.parent / "golden" / "sequential"


@dataclass(frozen=True)
class Row:
    """One test, and fishtest's numbers."""

    pairs: Pentanomial
    games: Trinomial
    bounds: tuple[float, float]
    model: BoundsModel
    llr: float
    llr_logistic: float
    llr_normalized: float
    elo: float
    error: float
    nelo: float
    estimate: tuple[float, float, float]


def rows() -> list[Row]:
    stored: list[list[Any]] = json.loads((GOLDEN / "fishtest-200.json").read_text(encoding="utf-8"))
    return [
        Row(
            Pentanomial(*pairs),
            Trinomial(wins=games[0], draws=games[1], losses=games[2]),
            (bounds[0], bounds[1]),
            model,
            llr=llr,
            llr_logistic=logistic,
            llr_normalized=normalized,
            elo=elo,
            error=error,
            nelo=nelo,
            estimate=(estimate[0], estimate[1], estimate[2]),
        )
        for pairs, games, bounds, model, llr, logistic, normalized, elo, error, nelo, *estimate in stored
    ]


def test_llr_elo_and_normalized_elo_are_fishtests() -> None:
    assert len(rows()) == 200
    for row in rows():
        llr = log_likelihood_ratio(row.pairs, bounds=row.bounds, model=row.model, games=row.games)
        assert llr == pytest.approx(row.llr, abs=1e-5)
        for model, expected in (("logistic", row.llr_logistic), ("normalized", row.llr_normalized)):
            found = log_likelihood_ratio(row.pairs, bounds=row.bounds, model=model)  # type: ignore[arg-type]
            assert found == pytest.approx(expected, abs=1e-5)
        elo = elo_from_pentanomial(row.pairs)
        assert elo.elo == pytest.approx(row.elo, abs=1e-5)
        assert elo.error == pytest.approx(row.error, abs=1e-5)
        assert elo.nelo == pytest.approx(row.nelo, abs=1e-5)


def test_median_unbiased_estimates_and_intervals_are_fishtests() -> None:
    open_tests = 0
    for row in rows():
        try:
            found = median_unbiased(
                row.pairs, bounds=row.bounds, model=row.model, alpha=0.05, beta=0.05, games=row.games
            )
        except NotStopped:
            open_tests += 1
            continue
        # Beyond |drift/variance| · span = 15 fishtest changes to an approximation, which is up to 1e-3 Elo off.
        assert (found.elo, found.low, found.high) == pytest.approx(row.estimate, abs=1e-3)
    assert open_tests == 2


def test_every_llr_that_was_printed_is_recomputed_within_a_hundredth() -> None:
    count = 0
    for group in json.loads((GOLDEN / "quoted-llr.json").read_text(encoding="utf-8")):
        tests, model = group["tests"], group["model"]
        draws = (
            np.array([draw_elo(Trinomial(wins=won, draws=drawn, losses=lost)) for *_, won, drawn, lost, _ in tests])
            if model == "bayeselo"
            else None
        )
        found = log_likelihood_ratios(
            np.array([test[:5] for test in tests], dtype=np.float64),
            np.array([group["bounds"]] * len(tests)),
            model=model,
            draws=draws,
        )
        assert found.known.all()
        assert found.llr == pytest.approx(np.array([test[-1] for test in tests]), abs=0.01)
        count += len(tests)
    assert count == 2956


@pytest.mark.parametrize(
    ("pairs", "bounds", "expected"),
    [
        ((379, 10170, 21828, 10640, 343), (0.0, 2.0), 2.94550),
        ((61, 2691, 6215, 2979, 74), (0.5, 2.5), 2.95913),
        ((31, 1322, 3103, 1508, 38), (0.0, 3.0), 2.94744),
        ((120, 4687, 10670, 4998, 125), (0.0, 2.0), 2.94907),
        ((20, 130, 180, 150, 20), (0.0, 5.0), 0.32997),
        ((0, 0, 0, 0, 50), (0.0, 2.0), 0.40539),
        ((0, 0, 10, 0, 0), (0.0, 2.0), -0.00035),
    ],
)
def test_the_published_vectors_of_the_field(
    pairs: tuple[int, ...], bounds: tuple[float, float], expected: float
) -> None:
    found = log_likelihood_ratio(Pentanomial(*pairs), bounds=bounds, model="normalized")
    assert found == pytest.approx(expected, abs=6e-6)

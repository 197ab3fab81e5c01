"""The log-likelihood ratios of many tests at once: the formulas of ``stats.sprt``, one row per test.

An import recomputes thousands of tests; one at a time they would take longer than everything else together. May import:
numpy, anchorhold.stats.elo, anchorhold.stats.outcomes, anchorhold.stats.sprt.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anchorhold.errors import BadInput
from anchorhold.stats.elo import NELO_PER_SIGMA
from anchorhold.stats.outcomes import GAME_SCORES, PAIR_SCORES
from anchorhold.stats.sprt import LARGEST_BOUND, ZERO_COUNT, BoundsModel

Matrix = npt.NDArray[np.float64]
_ROUNDS = 200
_SETTLED = 1e-12


@dataclass(frozen=True, slots=True)
class Ratios:
    """The log-likelihood ratios of many tests, each of shape (tests,)."""

    llr: Matrix
    """0 where none is known."""
    known: npt.NDArray[np.bool_]
    """False where ``log_likelihood_ratio`` refuses a test's bounds for its counts."""


def log_likelihood_ratios(counts: Matrix, bounds: Matrix, *, model: BoundsModel, draws: Matrix | None = None) -> Ratios:
    """Return the LLR of each test.

    Parameters
    ----------
    counts : Matrix
        Shape (tests, 5), pairs in the order of ``PAIR_SCORES``, or (tests, 3), games in that of ``GAME_SCORES``.
    bounds : Matrix
        Shape (tests, 2), Elo of H0 and H1 in the unit of ``model``.
    model : {"normalized", "logistic", "bayeselo"}
        Unit of all the bounds.
    draws : Matrix, optional
        Shape (tests,), the draw Elo of each test; needed by BayesElo bounds.

    Returns
    -------
    Ratios
        Agree with ``log_likelihood_ratio`` to 1e-8.

    Raises
    ------
    BadInput
        Arrays of other shapes, counts below 0 or no numbers, BayesElo bounds without draw Elo.
    """
    _require_tests(counts, bounds, draws if model == "bayeselo" else None, bayeselo=model == "bayeselo")
    pairs = counts.shape[1] == len(PAIR_SCORES)
    scores = np.array(PAIR_SCORES if pairs else GAME_SCORES, dtype=np.float64)
    replaced = np.where(counts > 0, counts, ZERO_COUNT)
    n = replaced.sum(axis=1)
    shares = replaced / n[:, None]
    with np.errstate(all="ignore"):
        if model == "normalized":
            per_unit = math.sqrt(2.0 if pairs else 1.0) / NELO_PER_SIGMA
            h0, h1 = (_with_t(shares, scores, bounds[:, side] * per_unit) for side in (0, 1))
        else:
            elo = bounds if model == "logistic" else _logistic_of_bayeselo(bounds, draws)
            means = 1.0 / (1.0 + 10.0 ** (-elo / 400.0))
            h0, h1 = (_tilted(shares, scores[None, :] - means[:, side, None]) for side in (0, 1))
        llr: Matrix = n * (shares * (np.log(h1) - np.log(h0))).sum(axis=1)
    found = np.where(counts.sum(axis=1) > 0, llr, 0.0)
    known = (
        np.isfinite(found) & (bounds[:, 0] < bounds[:, 1]) & (np.abs(bounds).max(axis=1, initial=0.0) <= LARGEST_BOUND)
    )
    return Ratios(llr=np.where(known, found, 0.0), known=known)


def _require_tests(counts: Matrix, bounds: Matrix, draws: Matrix | None, *, bayeselo: bool) -> None:
    tests = len(counts)
    if counts.ndim != 2 or counts.shape[1] not in (len(PAIR_SCORES), len(GAME_SCORES)):
        raise BadInput(f"the counts have the shape {counts.shape}, expected five of pairs or three of games per test")
    if bounds.shape != (tests, 2) or (draws is not None and draws.shape != (tests,)):
        raise BadInput(f"there are {tests} tests and bounds of the shape {bounds.shape}, expected two for each")
    if not ((counts >= 0.0) & (counts < 1e15)).all():
        raise BadInput("a count is below 0 or no number")
    if bayeselo and draws is None:
        raise BadInput("BayesElo bounds need the draw Elo of each test")


def _logistic_of_bayeselo(bounds: Matrix, draws: Matrix | None) -> Matrix:
    assert draws is not None
    win = 1.0 / (1.0 + 10.0 ** ((draws[:, None] - bounds) / 400.0))
    loss = 1.0 / (1.0 + 10.0 ** ((draws[:, None] + bounds) / 400.0))
    return -400.0 * np.log10(1.0 / (0.5 + (win - loss) / 2.0) - 1.0)


def _with_t(observed: Matrix, scores: Matrix, t: Matrix) -> Matrix:
    """Fit (expected score − ½)/σ = t as ``most_likely_with_t`` does; NaN where that does not settle."""
    shares = np.full_like(observed, 1.0 / observed.shape[1])
    todo = np.arange(len(observed))
    for _ in range(_ROUNDS):
        now = shares[todo]
        mean = now @ scores
        sigma = np.sqrt((now * (scores[None, :] - mean[:, None]) ** 2).sum(axis=1))
        off = (scores[None, :] - mean[:, None]) / sigma[:, None]
        tangent = scores[None, :] - 0.5 - (t[todo] * sigma)[:, None] * (1.0 + off**2) / 2.0
        possible = (sigma >= 1e-9) & (tangent.min(axis=1) < 0.0) & (tangent.max(axis=1) > 0.0)
        shares[todo[~possible]] = np.nan
        todo, now, tangent = todo[possible], now[possible], tangent[possible]
        fitted = _tilted(observed[todo], tangent)
        shares[todo] = fitted
        todo = todo[~(np.abs(fitted - now).max(axis=1, initial=0.0) < _SETTLED)]
        if not len(todo):
            return shares
    shares[todo] = np.nan
    return shares


def _tilted(shares: Matrix, values: Matrix) -> Matrix:
    """Return the distributions under which ``values`` have expectation 0; see ``stats.sprt``."""
    rows = np.arange(len(shares))
    falls = (shares * values).sum(axis=1) > 0.0
    extreme = np.where(falls, values.argmin(axis=1), values.argmax(axis=1))
    ratios = values / values[rows, extreme][:, None]
    weights, rest = shares * ratios, 1.0 - ratios
    low, high = shares[rows, extreme].copy(), np.ones(len(shares))
    x = np.where((weights / (rest + ratios)).sum(axis=1) >= 0.0, high, 0.0)
    x = np.where((x == 0.0) & ((weights / (rest + low[:, None] * ratios)).sum(axis=1) <= 0.0), low, x)
    u, open_ = np.where(x > 0.0, x, high), x == 0.0
    for _ in range(_ROUNDS):
        if not open_.any():
            break
        inverse = 1.0 / (rest + u[:, None] * ratios)
        value = (weights * inverse).sum(axis=1)
        slope = -(weights * ratios * inverse**2).sum(axis=1)
        low = np.where(open_ & (value > 0.0), u, low)
        high = np.where(open_ & (value <= 0.0), u, high)
        done = (np.abs(value) <= 4e-16 * np.abs(slope) * u) | (high - low <= 4e-16 * high)
        open_ = open_ & ~done
        step = u - value / slope
        u = np.where(open_, np.where((low < step) & (step < high), step, 0.5 * (low + high)), u)
    tilted = shares / (rest + u[:, None] * ratios)
    fitted: Matrix = tilted / tilted.sum(axis=1, keepdims=True)
    return fitted

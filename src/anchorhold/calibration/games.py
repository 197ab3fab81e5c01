"""Game pairs by model: openings that favour one colour, draws, and two versions that play the same openings.

Elo is logistic. A game's win and loss follow the logistic curve, shifted by the draw Elo on either side; the opening
adds its bias to White, so the two games of a pair, and old's and new's pairs on one opening, depend on each other.
May import: numpy, anchorhold.stats.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from anchorhold.stats.outcomes import PAIR_SCORES
from anchorhold.stats.vectors import Vector

_NODES = 15
"""Points of the Gauss–Hermite rule over the openings' bias."""


def opening_biases(deviation: float) -> tuple[Vector, Vector]:
    """Biases of openings, normally distributed, and their weights, which sum to 1."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(_NODES)
    return nodes * deviation, weights / weights.sum()


def pair_shares(advantage: Vector, *, bias: Vector, draw_elo: float) -> Vector:
    """Probabilities of 0, ½, 1, 1½ and 2 points of a pair.

    Parameters
    ----------
    advantage : Vector
        Of the first engine, in Elo; any shape.
    bias : Vector
        Of the opening towards White, in Elo, shape (B,).

    Returns
    -------
    Vector
        Shape of ``advantage`` + (B, 5); the last axis sums to 1.
    """
    win, draw, loss = [], [], []
    for sign in (1.0, -1.0):
        at = advantage[..., None] + sign * bias
        win.append(1.0 / (1.0 + 10.0 ** ((draw_elo - at) / 400.0)))
        loss.append(1.0 / (1.0 + 10.0 ** ((draw_elo + at) / 400.0)))
        draw.append(1.0 - win[-1] - loss[-1])
    return np.stack(
        [
            loss[0] * loss[1],
            loss[0] * draw[1] + draw[0] * loss[1],
            draw[0] * draw[1] + win[0] * loss[1] + loss[0] * win[1],
            win[0] * draw[1] + draw[0] * win[1],
            win[0] * win[1],
        ],
        axis=-1,
    )


def advantages(elo: Vector, *, bias_deviation: float, draw_elo: float) -> Vector:
    """Advantages at which the expected score has these Elo; the model's own advantage is another scale."""
    return np.interp(elo, *_scales(bias_deviation, draw_elo))


@lru_cache(maxsize=8)
def _scales(bias_deviation: float, draw_elo: float) -> tuple[Vector, Vector]:
    """Elo of the expected score, and the advantage behind it."""
    advantage = np.linspace(-1500.0, 1500.0, 1501)
    bias, weights = opening_biases(bias_deviation)
    shares = pair_shares(advantage, bias=bias, draw_elo=draw_elo)
    score = np.einsum("b,abi,i->a", weights, shares, np.array(PAIR_SCORES))
    return -400.0 * np.log10(1.0 / score - 1.0), advantage


def joint_shares(old: Vector, new: Vector, *, bias_deviation: float, draw_elo: float) -> Vector:
    """Probabilities of old's (rows) and new's (columns) pair scores on one opening, averaged over the openings.

    Parameters
    ----------
    old, new : Vector
        Advantages over the anchor, of one shape.
    bias_deviation : float
        Standard deviation of the openings' bias, in Elo.

    Returns
    -------
    Vector
        Shape of ``old`` + (5, 5), summing to 1.
    """
    bias, weights = opening_biases(bias_deviation)
    one, other = (pair_shares(advantage, bias=bias, draw_elo=draw_elo) for advantage in (old, new))
    return np.asarray(np.einsum("b,...bi,...bj->...ij", weights, one, other), dtype=np.float64)


def played(shares: Vector, *, pairs: int, rng: np.random.Generator) -> Vector:
    """Counts of so many pairs: a joint table per entry, shape of ``shares``."""
    flat = np.maximum(shares.reshape(-1, 25), 0.0)
    flat /= flat.sum(axis=1, keepdims=True)
    return np.asarray(rng.multinomial(pairs, flat).reshape(shares.shape), dtype=np.float64)

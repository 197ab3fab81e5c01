"""The R scale as numbers: which stretch of it is shown, and where its zones, its point and its band lie on it.

One geometry for the picture and for the terminal. Positions are shares of the width, 0 (left) to 1 (right).
May import: anchorhold.domain.contract, law.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from anchorhold.domain.contract import Parameters
from anchorhold.law.result import Verdict

# Up to here the scale is linear; beyond, one far point would press the zones together to nothing.
_LINEAR_LOW, _LINEAR_HIGH = -1.5, 2.5
# The least that is shown, so that pictures of different checks look alike.
_LEAST_LOW, _LEAST_BEYOND = -0.25, 0.5
# A band may widen the scale as far as this; beyond, it ends in an arrow.
_BAND_LOW, _BAND_HIGH = -1.0, 2.25


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Where R changes its verdict; from the contract."""

    halt_below: float
    continue_from: float

    @classmethod
    def of(cls, parameters: Parameters) -> Thresholds:
        """Take them from a contract's parameters."""
        return cls(halt_below=parameters.halt_below, continue_from=parameters.continue_from)

    def as_tuple(self) -> tuple[float, float]:
        """Return both, in rising order."""
        return (self.halt_below, self.continue_from)


@dataclass(frozen=True, slots=True)
class Zone:
    """A stretch of the scale with one verdict."""

    verdict: Verdict
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class BandOnScale:
    """The part of the Monte-Carlo band that is shown, and on which sides it goes on beyond the scale."""

    low: float
    high: float
    beyond_low: bool
    beyond_high: bool


@dataclass(frozen=True, slots=True)
class Scale:
    """The stretch of R that is shown."""

    low: float
    high: float
    logarithmic: bool
    """sign(R)·ln(1 + |R|) instead of R: for an R far away from the zones."""
    zones: tuple[Zone, ...]
    ticks: tuple[float, ...]
    band: BandOnScale | None

    def place(self, r: float) -> float:
        """Return the position of an R on the scale, 0 to 1 for what is shown."""
        low, high, value = (self._stretch(number) for number in (self.low, self.high, r))
        return (value - low) / (high - low)

    def _stretch(self, r: float) -> float:
        return math.copysign(math.log1p(abs(r)), r) if self.logarithmic else r


def scale_for(r: float | None, *, band_low: float | None, band_high: float | None, thresholds: Thresholds) -> Scale:
    """Choose the scale for one result: the three zones always, the point always, the band as far as it is useful."""
    least_high = thresholds.continue_from + _LEAST_BEYOND
    logarithmic = r is not None and not _LINEAR_LOW <= r <= max(_LINEAR_HIGH, least_high)
    point = r if r is not None else thresholds.halt_below
    if logarithmic:
        # A quarter more than the point on its side; the band may reach ten times as far.
        low, high = min(-0.5, 1.5 * point), max(least_high, 1.5 * point)
        widest_low, widest_high = min(-2.0, 10 * low), max(10.0, 10 * high)
    else:
        low, high = min(_LEAST_LOW, point - 0.15), max(least_high, point + 0.15)
        widest_low, widest_high = _BAND_LOW, max(_BAND_HIGH, least_high)
    band = None
    if band_low is not None and band_high is not None:
        low = min(low, max(band_low - 0.05, widest_low))
        high = max(high, min(band_high + 0.05, widest_high))
        if band_low < high and band_high > low:
            band = BandOnScale(
                low=max(low, band_low),
                high=min(high, band_high),
                beyond_low=band_low < low,
                beyond_high=band_high > high,
            )
    zones = (
        Zone("HALT", low, thresholds.halt_below),
        Zone("WARN", thresholds.halt_below, thresholds.continue_from),
        Zone("CONTINUE", thresholds.continue_from, high),
    )
    return Scale(low, high, logarithmic, zones, _ticks(low, high, logarithmic=logarithmic), band)


def _ticks(low: float, high: float, *, logarithmic: bool) -> tuple[float, ...]:
    if logarithmic:
        decades = [float(10**power) for power in range(1, 8)]
        wanted: Sequence[float] = [-decade for decade in decades] + [2.0, 0.0, -2.0] + decades
    else:
        step = 0.5 if high - low < 4 else 1.0
        wanted = [step * number for number in range(math.ceil(low / step), math.floor(high / step) + 1)]
    return tuple(sorted(tick for tick in wanted if low <= tick <= high))

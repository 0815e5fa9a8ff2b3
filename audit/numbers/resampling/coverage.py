"""What intervals over few resampled tournaments, or models, cover, by simulation with known truth.

Figures of ``python -m benchmarks.block_coverage``, which says how they were made: the lowest of its
cells. They stand beside every such interval and decide which one is quoted first.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from audit.numbers.estimate import Choice

__all__ = [
    "COVERED_LEVEL",
    "UNITS",
    "Method",
    "Scheme",
    "coverage_of",
    "primary_of",
    "said",
    "two_shares_covered",
]


class Scheme(Choice):
    """What is resampled."""

    CARRIED = "tournaments in order"
    """Whole tournaments, ratings carried from one to the next."""
    RESET = "tournaments"
    """Whole tournaments that each start anew."""
    FITTED = "tournaments fitted together"
    """Whole tournaments, ratings fitted to all their matches at once."""
    BELIEVED = "tournaments believed"
    """Whole tournaments, ratings by Glicko-2 or Weng and Lin: not simulated."""
    MODELS = "models"
    """Players, their ratings taken as known."""


class Method(Choice):
    """How an interval is read off the law of resamples."""

    PERCENTILE = "percentile"
    BASIC = "basic"
    BCA = "bca"
    STUDENT = "student"


COVERED_LEVEL = 0.95
"""The level of the simulated intervals."""

UNITS: Mapping[Scheme, int] = {
    Scheme.CARRIED: 5,
    Scheme.RESET: 5,
    Scheme.FITTED: 5,
    Scheme.MODELS: 6,
}
"""How many tournaments, or models, were resampled."""

_SIMULATED: Mapping[tuple[Scheme, str], tuple[float, float, float, float]] = {
    (Scheme.CARRIED, "rating.gap"): (0.848, 0.701, 0.729, 0.948),
    (Scheme.CARRIED, "rating.gap.least"): (0.903, 0.730, 0.752, 0.987),
    (Scheme.CARRIED, "rating.sd_seeker"): (0.867, 0.697, 0.678, 0.985),
    (Scheme.CARRIED, "rating.sd_holder"): (0.872, 0.697, 0.678, 0.993),
    (Scheme.CARRIED, "rating.range_seeker"): (0.888, 0.679, 0.680, 0.985),
    (Scheme.CARRIED, "rating.range_holder"): (0.892, 0.689, 0.685, 0.995),
    (Scheme.CARRIED, "d.gap"): (0.788, 0.655, 0.685, 0.894),
    (Scheme.CARRIED, "spread.seeker_less_holder"): (0.944, 0.766, 0.796, 0.984),
    (Scheme.RESET, "rating.gap"): (0.817, 0.818, 0.818, 0.943),
    (Scheme.RESET, "rating.gap.least"): (0.868, 0.760, 0.764, 0.977),
    (Scheme.RESET, "rating.sd_seeker"): (0.832, 0.713, 0.668, 0.980),
    (Scheme.RESET, "rating.sd_holder"): (0.839, 0.690, 0.653, 0.992),
    (Scheme.RESET, "rating.range_seeker"): (0.859, 0.698, 0.678, 0.980),
    (Scheme.RESET, "rating.range_holder"): (0.863, 0.681, 0.671, 0.991),
    (Scheme.RESET, "d.gap"): (0.744, 0.664, 0.668, 0.875),
    (Scheme.RESET, "spread.seeker_less_holder"): (0.937, 0.796, 0.831, 0.982),
    (Scheme.FITTED, "rating.gap"): (0.739, 0.616, 0.135, 0.914),
    (Scheme.FITTED, "rating.gap.least"): (0.879, 0.692, 0.176, 0.973),
    (Scheme.FITTED, "rating.sd_seeker"): (0.773, 0.567, 0.139, 0.932),
    (Scheme.FITTED, "rating.sd_holder"): (0.804, 0.544, 0.145, 0.956),
    (Scheme.FITTED, "rating.range_seeker"): (0.790, 0.555, 0.147, 0.936),
    (Scheme.FITTED, "rating.range_holder"): (0.824, 0.553, 0.144, 0.954),
    (Scheme.FITTED, "d.gap"): (0.710, 0.604, 0.170, 0.852),
    (Scheme.FITTED, "spread.seeker_less_holder"): (0.865, 0.654, 0.214, 0.927),
    (Scheme.MODELS, "rating.gap"): (0.859, 0.859, 0.862, 0.950),
    (Scheme.MODELS, "rating.sd_seeker"): (0.593, 0.773, 0.673, 0.842),
}

_TWO_SHARES: Mapping[str, float] = {
    "newcombe": 0.953,
    "percentile difference": 0.945,
    "conditional exact": 0.972,
    "mid-p": 0.956,
    "percentile odds": 0.930,
}
"""At 146 and 143 matches with true shares of 22 % and 3.5 %, over all counts."""


def coverage_of(scheme: Scheme, quantity: str, method: Method, units: int, level: float) -> float:
    """Return the simulated coverage of an interval, in [0, 1]; NaN for what was not simulated.

    Parameters
    ----------
    scheme : Scheme
    quantity : str
        As estimates name it.
    method : Method
    units : int
        How many tournaments, or models, there are.
    level : float
        The interval's own level.
    """
    row = _SIMULATED.get((scheme, quantity))
    if row is None or units != UNITS[scheme] or level != COVERED_LEVEL:
        return math.nan
    return row[list(Method).index(Method(method))]


def primary_of(scheme: Scheme, quantity: str) -> Method:
    """Return the method that covers best; t for what was not simulated."""
    row = _SIMULATED.get((scheme, quantity))
    if row is None:
        return Method.STUDENT
    return max(Method, key=lambda method: row[list(Method).index(method)])


def two_shares_covered(interval: str, level: float) -> float:
    """Return what an interval of two shares covers; NaN at another level than .95.

    Parameters
    ----------
    interval : str
        ``newcombe``, ``percentile difference``, ``conditional exact``, ``mid-p`` or ``percentile
        odds``.
    level : float
        The interval's own level.
    """
    return _TWO_SHARES[interval] if level == COVERED_LEVEL else math.nan


def said(coverage: float) -> str:
    """Return how a simulated coverage is put beside an interval."""
    if math.isnan(coverage):
        return "coverage not simulated"
    return f"coverage {coverage:.2f} in simulation"

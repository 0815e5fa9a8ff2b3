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

UNITS: Mapping[Scheme, int] = {Scheme.CARRIED: 5, Scheme.RESET: 5, Scheme.MODELS: 6}
"""How many tournaments, or models, were resampled."""

_SIMULATED: Mapping[tuple[Scheme, str], tuple[float, float, float, float]] = {
    (Scheme.CARRIED, "rating.gap"): (0.85, 0.70, 0.73, 0.95),
    (Scheme.CARRIED, "rating.gap.least"): (0.90, 0.73, 0.75, 0.99),
    (Scheme.CARRIED, "rating.sd_seeker"): (0.87, 0.70, 0.68, 0.99),
    (Scheme.CARRIED, "rating.sd_holder"): (0.87, 0.70, 0.68, 0.99),
    (Scheme.CARRIED, "rating.range_seeker"): (0.89, 0.68, 0.68, 0.99),
    (Scheme.CARRIED, "rating.range_holder"): (0.89, 0.69, 0.69, 1.00),
    (Scheme.CARRIED, "d.gap"): (0.79, 0.65, 0.69, 0.89),
    (Scheme.CARRIED, "spread.seeker_less_holder"): (0.94, 0.77, 0.80, 0.98),
    (Scheme.RESET, "rating.gap"): (0.82, 0.82, 0.82, 0.94),
    (Scheme.RESET, "rating.gap.least"): (0.87, 0.76, 0.76, 0.98),
    (Scheme.RESET, "rating.sd_seeker"): (0.83, 0.71, 0.67, 0.98),
    (Scheme.RESET, "rating.sd_holder"): (0.84, 0.69, 0.65, 0.99),
    (Scheme.RESET, "rating.range_seeker"): (0.86, 0.70, 0.68, 0.98),
    (Scheme.RESET, "rating.range_holder"): (0.86, 0.68, 0.67, 0.99),
    (Scheme.RESET, "d.gap"): (0.74, 0.66, 0.67, 0.88),
    (Scheme.RESET, "spread.seeker_less_holder"): (0.94, 0.80, 0.83, 0.98),
    (Scheme.MODELS, "rating.gap"): (0.86, 0.86, 0.86, 0.95),
    (Scheme.MODELS, "rating.sd_seeker"): (0.59, 0.77, 0.67, 0.84),
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

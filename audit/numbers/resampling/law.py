"""The law of a statistic under resampling: its values, their probabilities, and what it is not.

Quantiles follow one convention, the inverse of the distribution function (type 1 of Hyndman and
Fan, doi:10.2307/2684934): the smallest value at which it reaches q. A law of few atoms jumps, and
any interpolation would name values that no resample can take.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy.stats import binom

from audit.numbers._check import FloatArray, as_level
from audit.numbers.estimate import Choice, Interval

__all__ = ["QUANTILE_RULE", "TOTAL_SLACK", "Engine", "Law"]

TOTAL_SLACK = 1e-12
"""How far the probabilities may sum from 1, and so how finely a quantile can tell them apart."""


QUANTILE_RULE = "inverse cdf"


class Engine(Choice):
    """How a law was computed."""

    ENUMERATED = "enumerated"
    """Every resample counted, probabilities as floats: free of Monte Carlo error."""
    RATIONAL = "enumerated, rational"
    """The same with probabilities as exact fractions."""
    CONVOLUTION = "enumerated, convolution"
    """Every sum of resampled clusters counted: free of Monte Carlo error."""
    SEQUENCES = "enumerated, blocks in order"
    """Every sequence of resampled blocks counted: free of Monte Carlo error."""
    MONTE_CARLO = "monte carlo"
    """Resamples drawn: read every quantile with its `Law.quantile_band`."""


@dataclass(frozen=True, slots=True, eq=False)
class Law:
    """The distribution of a statistic over resamples.

    Moments and quantiles are those of the law given that the statistic is defined; the mass on
    which it is not is kept beside them.

    Attributes
    ----------
    values : ndarray of float64, shape (v,)
        The distinct defined values, ascending; ±∞ count as defined.
    weights : ndarray of float64, shape (v,)
        Their probabilities.
    undefined_mass : float
        The probability that the statistic is undefined (NaN), in [0, 1].
    atoms : int
        How many count vectors were enumerated, or resamples drawn.
    engine : Engine
        How the law was computed.
    degenerate_groups : tuple of int
        The groups whose observations all lie in one cell: resampling never leaves it, and an
        interval made from it understates what is not known.
    rational_weights : tuple of Fraction or None
        The probabilities without rounding, for `Engine.RATIONAL`.
    rational_undefined : Fraction or None
        The undefined mass without rounding, for `Engine.RATIONAL`.

    Raises
    ------
    ValueError
        If shapes differ, values are not ascending, a weight is negative, or the total is not 1
        within 1e-12.
    """

    values: FloatArray
    weights: FloatArray
    undefined_mass: float
    atoms: int
    engine: Engine
    degenerate_groups: tuple[int, ...] = ()
    rational_weights: tuple[Fraction, ...] | None = None
    rational_undefined: Fraction | None = None

    def __post_init__(self) -> None:
        if self.values.shape != self.weights.shape or self.values.ndim != 1:
            raise ValueError(
                f"values and weights must be vectors of one length, found shapes "
                f"{self.values.shape} and {self.weights.shape}"
            )
        # Compared pairwise rather than by difference, which is NaN between two infinities.
        if not (self.values[:-1] < self.values[1:]).all() or np.isnan(self.values).any():
            raise ValueError("values must be strictly ascending and not NaN")
        if self.undefined_mass < 0.0 or (self.weights < 0.0).any():
            raise ValueError("weights must not be negative")
        if not abs(self.total - 1.0) <= TOTAL_SLACK:
            raise ValueError(f"weights must sum to 1, found {self.total!r}")
        self.values.flags.writeable = self.weights.flags.writeable = False

    @property
    def total(self) -> float:
        """The sum of all probabilities, with the undefined mass."""
        return math.fsum((float(self.weights.sum()), self.undefined_mass))

    @property
    def degenerate(self) -> bool:
        """Whether the observations of some group all lie in one cell."""
        return bool(self.degenerate_groups)

    @property
    def mean(self) -> float:
        """The mean where defined; NaN if the law holds both infinities or nothing."""
        possible = self.weights > 0.0
        values, weights = self.values[possible], self.weights[possible]
        if not values.size:
            return math.nan
        edges = values[np.isinf(values)]
        if edges.size:
            return float(edges[0]) if edges.size == 1 else math.nan
        return float(values @ weights / weights.sum())

    @property
    def sd(self) -> float:
        """The standard deviation where defined; NaN if a value is infinite."""
        mean = self.mean
        if not math.isfinite(mean):
            return math.nan
        possible = self.weights > 0.0
        values, weights = self.values[possible], self.weights[possible]
        return math.sqrt(float((values - mean) ** 2 @ weights / weights.sum()))

    def quantile(self, q: float) -> float:
        """Return the smallest value at which the distribution function reaches q.

        Parameters
        ----------
        q : float
            A probability, in [0, 1].

        Returns
        -------
        float
            One of the values; NaN if the statistic is never defined.

        Raises
        ------
        ValueError
            If q lies outside [0, 1].
        """
        if not 0.0 <= q <= 1.0:
            raise ValueError(f"q must lie in [0, 1], found {q!r}")
        if not self.values.size:
            return math.nan
        if q == 1.0:
            return float(self.values[-1])
        reached = np.cumsum(self.weights)
        # The slack keeps a step that lies at q in the reals from being missed by rounding.
        position = int(np.searchsorted(reached, q * reached[-1] - TOTAL_SLACK))
        return float(self.values[min(position, self.values.size - 1)])

    def quantile_band(self, q: float, level: float = 0.99) -> Interval:
        """Return the Monte Carlo error of a quantile, as an interval of order statistics.

        Parameters
        ----------
        q : float
            A probability, in [0, 1].
        level : float
            The least probability that the band holds the quantile of the enumerated law, in (0, 1).

        Returns
        -------
        Interval
            A single point if the law was enumerated; (-∞, ∞) if the statistic was never defined.

        Raises
        ------
        ValueError
            If q or the level are not allowed.
        """
        level = as_level(level)
        value = self.quantile(q)
        if math.isnan(value):
            return Interval(-math.inf, math.inf, level, "never defined")
        if self.engine is not Engine.MONTE_CARLO:
            return Interval(value, value, level, self.engine)
        draws = round(self.atoms * (1.0 - self.undefined_mass))
        tail = (1.0 - level) / 2.0
        ranks = np.array([binom.ppf(tail, draws, q) - 1.0, binom.isf(tail, draws, q) + 1.0])
        low, high = np.clip(ranks / draws, 0.0, 1.0)
        return Interval(self.quantile(low), self.quantile(high), level, "order statistics")

    def percentile_interval(self, level: float = 0.95) -> Interval | None:
        """Return the percentile interval, the quantiles at (1 ∓ level)/2.

        Parameters
        ----------
        level : float
            Confidence level, in (0, 1). Enumeration removes Monte Carlo error only: at small n the
            coverage of this interval is below its level.

        Returns
        -------
        Interval or None
            The interval; None if the statistic is never defined.

        Raises
        ------
        ValueError
            If the level is not allowed.

        References
        ----------
        Efron, doi:10.1214/aos/1176344552.
        """
        tail = (1.0 - as_level(level)) / 2.0
        if not self.values.size:
            return None
        method = f"bootstrap percentile, {QUANTILE_RULE}, {self.engine}"
        return Interval(self.quantile(tail), self.quantile(1.0 - tail), level, method)

    def basic_interval(self, level: float, at: float) -> Interval | None:
        """Return the basic interval, the percentile interval mirrored at the estimate.

        Parameters
        ----------
        level : float
            Confidence level, in (0, 1).
        at : float
            The estimate from the data, finite.

        Returns
        -------
        Interval or None
            The interval; None if the statistic is never defined.

        Raises
        ------
        ValueError
            If the level is not allowed or the estimate is not finite.
        """
        if not math.isfinite(at):
            raise ValueError(f"at must be finite, found {at!r}")
        span = self.percentile_interval(level)
        if span is None:
            return None
        method = f"bootstrap basic, {QUANTILE_RULE}, {self.engine}"
        return Interval(2.0 * at - span.high, 2.0 * at - span.low, level, method)

"""How close together averaged Holder ratings come by chance, if all Holders are alike.

The average of two experiments is looked at. Given their margins the experiments are independent, so
that every simulation of the one may stand beside every simulation of the other: n·m pairs, whose
share below a bound has the error of a two-sample U-statistic, not that of n·m independent draws.

References
----------
Hoeffding, doi:10.1214/aoms/1177730196 (the variance of a U-statistic).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from audit.numbers._check import FloatArray

_BLOCK = 512


@dataclass(frozen=True, slots=True)
class Closeness:
    """The standard deviation of averaged ratings over players (ddof 0), by chance.

    Attributes
    ----------
    bound : float
        The printed one, in rating points.
    share, error : float
        The share of pairs at or below the bound, and its standard error.
    below : int
        How many pairs that is.
    pairs : int
    least, first_percentile, median : float
        Over all pairs.
    """

    bound: float
    share: float
    error: float
    below: int
    pairs: int
    least: float
    first_percentile: float
    median: float


def closeness(first: FloatArray, second: FloatArray, bound: float) -> Closeness:
    """Return how often averages of two experiments lie as close together as a bound.

    Parameters
    ----------
    first, second : ndarray of float64, shapes (n, players) and (m, players)
        Simulated ratings of one role, players in the same order; at least two rows each.
    bound : float
        In rating points, at least 0.

    Raises
    ------
    ValueError
        If the players differ in number, or there are fewer than two rows.
    """
    if first.shape[1] != second.shape[1] or min(len(first), len(second)) < 2:
        raise ValueError("must hold at least two simulations of each, of the same players")
    spreads = _spreads(first, second)
    below = spreads <= bound
    share = float(below.mean())
    rows, columns = below.mean(axis=1), below.mean(axis=0)
    variance = rows.var(ddof=1) / len(first) + columns.var(ddof=1) / len(second)
    least, first_percentile, median = np.quantile(spreads, [0.0, 0.01, 0.5])
    return Closeness(
        bound,
        share,
        math.sqrt(variance),
        int(below.sum()),
        below.size,
        float(least),
        float(first_percentile),
        float(median),
    )


def _spreads(first: FloatArray, second: FloatArray) -> FloatArray:
    """Return the standard deviation of every average, of shape (n, m)."""
    x = (first - first.mean(axis=1, keepdims=True)) / 2.0
    y = (second - second.mean(axis=1, keepdims=True)) / 2.0
    found = np.empty((len(x), len(y)))
    for low in range(0, len(x), _BLOCK):
        part = x[low : low + _BLOCK]
        square = (part**2).sum(axis=1)[:, None] + (y**2).sum(axis=1) + 2.0 * part @ y.T
        found[low : low + _BLOCK] = np.sqrt(np.maximum(square, 0.0) / x.shape[1])
    return found

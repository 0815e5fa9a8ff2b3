"""Limits of a function of several shares, recovered from the limits of each share.

The distance from the estimate to a limit of one share stands for its standard error on that side,
so that a share of which none was seen still reaches up. Distances add in squares.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from scipy.special import betaincinv, ndtri, stdtrit

from ._check import FloatArray, as_level, as_numbers
from .estimate import Choice

__all__ = [
    "CellLimits",
    "cell_limits",
    "cluster_distance",
    "clustered_size",
    "effective_size",
    "recovered",
]


class CellLimits(Choice):
    """How the limits of one cell's share are made."""

    WILSON = "wilson"
    JEFFREYS = "jeffreys"
    CLOPPER_PEARSON = "clopper-pearson"


def effective_size(weights: npt.ArrayLike) -> float:
    """Return how many equally weighted items say as much as some weighted ones.

    Parameters
    ----------
    weights : array_like of float, shape (n,)
        Above 0.

    Returns
    -------
    float
        In [1, n]; 0 without items.

    Raises
    ------
    ValueError
        If a weight is not above 0.

    References
    ----------
    Kish, Survey Sampling (1965), 11.7.
    """
    heavy = as_numbers("weights", weights)
    if not (heavy > 0.0).all():
        raise ValueError(f"weights must be above 0, found {heavy.min()}")
    return float(heavy.sum() ** 2 / (heavy**2).sum()) if len(heavy) else 0.0


def clustered_size(yes: npt.ArrayLike, weights: npt.ArrayLike, cluster: npt.ArrayLike) -> float:
    """Return how many independent, equally weighted items say as much as some of a few clusters.

    Parameters
    ----------
    yes : array_like of bool, shape (n,)
    weights : array_like of float, shape (n,)
        Above 0.
    cluster : array_like of int, shape (n,)
        What items have in common.

    Returns
    -------
    float
        `effective_size` over the design effect of the clusters, where that is above 1.

    Raises
    ------
    ValueError
        If lengths differ or a weight is not above 0.

    References
    ----------
    Kish, Survey Sampling (1965), 5.4 and 8.2.
    """
    said, heavy = as_numbers("yes", yes), as_numbers("weights", weights)
    size, names = effective_size(heavy), np.asarray(cluster)
    if not len(said) == len(heavy) == len(names):
        raise ValueError("yes, weights and cluster must be of one length")
    clusters, place = np.unique(names, return_inverse=True)
    share = float(heavy @ said / heavy.sum()) if len(said) else 0.0
    if len(clusters) < 2 or not 0.0 < share < 1.0:
        return size
    sums = np.bincount(place, weights=heavy * (said - share)) / heavy.sum()
    varies = len(clusters) / (len(clusters) - 1) * float(sums @ sums)
    return size / max(1.0, varies * size / (share * (1.0 - share)))


def cell_limits(
    shares: npt.ArrayLike, sizes: npt.ArrayLike, level: float, method: CellLimits
) -> tuple[FloatArray, FloatArray]:
    """Return limits of shares, each of a number of items that need not be whole.

    Parameters
    ----------
    shares : array_like of float, shape (cells,)
        In [0, 1]; whatever stands where the size is 0.
    sizes : array_like of float, shape (cells,)
        At least 0; with 0 the limits are 0 and 1.
    level : float
        Confidence level, in (0, 1).
    method : CellLimits

    Returns
    -------
    tuple of ndarray of float64, each of shape (cells,)
        Lower and upper limits, in [0, 1].

    Raises
    ------
    ValueError
        If an argument is not allowed.
    """
    level, method = as_level(level), CellLimits(method)
    n = as_numbers("sizes", sizes)
    known = n > 0.0
    p = as_numbers("shares", np.where(known, shares, 0.5))
    if len(p) != len(n) or (n < 0.0).any() or ((p < 0.0) | (p > 1.0)).any():
        raise ValueError("shares must lie in [0, 1], each of a size of at least 0")
    low, high = _LIMITS[method](p, np.where(known, n, 1.0), level)
    # At 0 and 1 the limit is the edge itself, which rounding must not move.
    low, high = np.where(p == 0.0, 0.0, low), np.where(p == 1.0, 1.0, high)
    return np.where(known, low, 0.0), np.where(known, high, 1.0)


def recovered(
    function: Callable[[FloatArray], float],
    points: FloatArray,
    lows: FloatArray,
    highs: FloatArray,
    *,
    known: npt.NDArray[np.bool_],
    distance: float,
) -> tuple[float, float]:
    """Return the limits of a function that falls in none of its shares.

    Parameters
    ----------
    function : callable
        Shares of shape (cells,) to a number.
    points, lows, highs : ndarray of float64, shape (cells,)
        Each share with its limits, independent of one another.
    known : ndarray of bool, shape (cells,)
        Whether anything is known of a share; of one of which nothing is, the worst is taken for
        each side, and not weighed against what chance does to the others.
    distance : float
        What else moves the number, as a distance to both sides, at least 0.

    References
    ----------
    Zou and Donner, doi:10.1002/sim.3095.
    """
    below = _side(function, np.where(known, points, 0.0), lows, known, distance)
    above = _side(function, np.where(known, points, 1.0), highs, known, distance)
    return below[0] - below[1], above[0] + above[1]


def _side(
    function: Callable[[FloatArray], float],
    points: FloatArray,
    limits: FloatArray,
    known: npt.NDArray[np.bool_],
    distance: float,
) -> tuple[float, float]:
    """Return the number at the shares, and how far their limits on one side lie from it."""
    at, squares = function(points), distance**2
    for cell in np.flatnonzero(known):
        moved = points.copy()
        moved[cell] = limits[cell]
        squares += (at - function(moved)) ** 2
    return at, math.sqrt(squares)


def cluster_distance(residuals: FloatArray, level: float) -> float:
    """Return half the width of an interval that only the draw of clusters gives.

    Parameters
    ----------
    residuals : ndarray of float64, shape (clusters,)
        What each adds to the number beyond its part, of sum 0; at least two clusters.
    level : float
        Confidence level, in (0, 1); the quantile is that of t.
    """
    clusters = len(residuals)
    spread = math.sqrt(clusters / (clusters - 1) * float((residuals**2).sum()))
    return float(stdtrit(clusters - 1, (1.0 + level) / 2.0)) * spread


_Limits = tuple[FloatArray, FloatArray]


def _wilson(p: FloatArray, n: FloatArray, level: float) -> _Limits:
    z = float(ndtri((1.0 + level) / 2.0))
    centre = (p + z * z / (2.0 * n)) / (1.0 + z * z / n)
    half = z * np.sqrt(p * (1.0 - p) / n + z * z / (4.0 * n * n)) / (1.0 + z * z / n)
    return centre - half, centre + half


def _jeffreys(p: FloatArray, n: FloatArray, level: float) -> _Limits:
    tail = (1.0 - level) / 2.0
    a, b = p * n + 0.5, (1.0 - p) * n + 0.5
    return np.asarray(betaincinv(a, b, tail)), np.asarray(betaincinv(a, b, 1.0 - tail))


def _clopper_pearson(p: FloatArray, n: FloatArray, level: float) -> _Limits:
    tail, x = (1.0 - level) / 2.0, p * n
    # Where a parameter would be 0 the limit is the edge, set by the caller.
    low = betaincinv(np.maximum(x, 1e-9), n - x + 1.0, tail)
    high = betaincinv(x + 1.0, np.maximum(n - x, 1e-9), 1.0 - tail)
    return np.asarray(low), np.asarray(high)


_LIMITS: dict[CellLimits, Callable[[FloatArray, FloatArray, float], _Limits]] = {
    CellLimits.WILSON: _wilson,
    CellLimits.JEFFREYS: _jeffreys,
    CellLimits.CLOPPER_PEARSON: _clopper_pearson,
}

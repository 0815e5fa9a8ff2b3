"""Statistics of count vectors, vectorised over resamples, for `bootstrap`.

Each takes whole counts of shape (atoms, cells) and gives one value an atom, NaN where undefined.
Each is a single division of two whole numbers. As long as both stay below 2^53 that division is
correctly rounded, so equal ratios give equal floats and ties need no tolerance.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ._check import FloatArray, IntArray
from .estimate import Choice

__all__ = [
    "Disagreement",
    "Statistic",
    "difference_statistic",
    "disagreement_weights",
    "kappa_statistic",
    "odds_ratio_statistic",
    "proportion_statistic",
    "risk_ratio_statistic",
]

Statistic = Callable[[IntArray], FloatArray]
"""Counts of shape (atoms, cells) to values of shape (atoms,), NaN where undefined."""


class Disagreement(Choice):
    """How much two categories differ."""

    NOMINAL = "nominal"
    """0 if they are the same, else 1: Cohen's unweighted κ."""
    LINEAR = "linear"
    """The number of steps between them."""
    QUADRATIC = "quadratic"
    """The square of that number."""


def disagreement_weights(categories: int, disagreement: Disagreement) -> IntArray:
    """Return how much each pair of categories differs, in whole numbers.

    Parameters
    ----------
    categories : int
        The number k of declared categories, used or not.
    disagreement : Disagreement
        How differences count.

    Returns
    -------
    ndarray of int64, shape (k, k)
        0 on the diagonal.

    Raises
    ------
    ValueError
        If the kind is not allowed.
    """
    steps = np.abs(np.subtract.outer(np.arange(categories), np.arange(categories)))
    weights: dict[Disagreement, IntArray] = {
        Disagreement.NOMINAL: np.minimum(steps, 1),
        Disagreement.LINEAR: steps,
        Disagreement.QUADRATIC: steps**2,
    }
    return weights[Disagreement(disagreement)]


def proportion_statistic(counts: IntArray) -> FloatArray:
    """Return the share of the first cell.

    Parameters
    ----------
    counts : ndarray of int64, shape (atoms, cells)
        Counts, the event first.

    Returns
    -------
    ndarray of float64, shape (atoms,)
        Shares in [0, 1].
    """
    return _ratio(counts[:, 0], counts.sum(axis=1))


def difference_statistic(counts: IntArray) -> FloatArray:
    """Return the difference of two rates, first minus second.

    Parameters
    ----------
    counts : ndarray of int64, shape (atoms, 4)
        Event and no event of the first sample, then of the second.

    Returns
    -------
    ndarray of float64, shape (atoms,)
        Differences in [-1, 1].

    Raises
    ------
    ValueError
        If there are not four cells.
    """
    a, b, c, d = _four(counts)
    return _ratio(a * (c + d) - c * (a + b), (a + b) * (c + d))


def risk_ratio_statistic(counts: IntArray) -> FloatArray:
    """Return the ratio of two rates, first over second.

    Parameters
    ----------
    counts : ndarray of int64, shape (atoms, 4)
        Event and no event of the first sample, then of the second.

    Returns
    -------
    ndarray of float64, shape (atoms,)
        Ratios in [0, ∞].

    Raises
    ------
    ValueError
        If there are not four cells.
    """
    a, b, c, d = _four(counts)
    return _ratio(a * (c + d), c * (a + b))


def odds_ratio_statistic(counts: IntArray) -> FloatArray:
    """Return the sample odds ratio.

    Parameters
    ----------
    counts : ndarray of int64, shape (atoms, 4)
        Event and no event of the first sample, then of the second.

    Returns
    -------
    ndarray of float64, shape (atoms,)
        Ratios in [0, ∞].

    Raises
    ------
    ValueError
        If there are not four cells.
    """
    a, b, c, d = _four(counts)
    return _ratio(a * d, b * c)


def kappa_statistic(
    counts: IntArray, disagreement: Disagreement = Disagreement.NOMINAL
) -> FloatArray:
    """Return Cohen's κ of square tables.

    Parameters
    ----------
    counts : ndarray of int64, shape (atoms, k²)
        Tables read row by row over the declared categories.
    disagreement : Disagreement
        How differences count; for another than nominal, pass ``functools.partial`` on.

    Returns
    -------
    ndarray of float64, shape (atoms,)
        Values in [-1, 1]; NaN where both raters used one and the same category.

    Raises
    ------
    ValueError
        If the number of cells is no square of 2 or more, or the kind is not allowed.

    References
    ----------
    Cohen, doi:10.1177/001316446002000104 and doi:10.1037/h0026256.
    """
    size = math.isqrt(counts.shape[1])
    if size < 2 or size * size != counts.shape[1]:
        raise ValueError(f"kappa needs the cells of a square table, found {counts.shape[1]}")
    tables = counts.reshape(-1, size, size)
    weights = disagreement_weights(size, disagreement)
    seen = counts.sum(axis=1) * (counts @ weights.ravel())
    # Summed as rows' (weights · columns) so that no (atoms, k, k) product is formed.
    chance = ((tables.sum(axis=2) @ weights) * tables.sum(axis=1)).sum(axis=1)
    return _ratio(chance - seen, chance)


def _four(counts: IntArray) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    if counts.shape[1] != 4:
        raise ValueError(f"two samples have four cells, found {counts.shape[1]}")
    a, b, c, d = counts.T
    return a, b, c, d


def _ratio(numerator: IntArray, denominator: IntArray) -> FloatArray:
    # 0/0 becomes NaN and x/0 infinity, which is what the law has to see.
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(numerator / denominator, dtype=np.float64)

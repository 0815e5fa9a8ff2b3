"""The law of a two-by-two table given both margins, and what inverts it.

Given its margins a table is one number, the upper left cell, whose law depends on the odds ratio
alone (Fisher's non-central hypergeometric). The odds ratio is therefore estimated, and bounded,
without a word about the two rates.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq
from scipy.special import gammaln

from ._check import FloatArray, IntArray, as_level, as_two_by_two

__all__ = ["conditional_limits", "conditional_mle", "mid_p_limits"]


def conditional_mle(table: npt.ArrayLike) -> float:
    """Return the odds ratio that makes the table likeliest given both margins.

    Parameters
    ----------
    table : array_like of int, shape (2, 2)
        The counts.

    Returns
    -------
    float
        The ratio, in [0, ∞]; NaN if a margin is empty, since one table only is then possible.

    Raises
    ------
    ValueError
        If the table is not allowed.

    References
    ----------
    Fisher, doi:10.2307/2342435.
    """
    cells, logs = _conditional(counts := as_two_by_two(table))
    seen = int(counts[0, 0])
    if len(cells) == 1:
        return math.nan
    if seen in (cells[0], cells[-1]):
        return 0.0 if seen == cells[0] else math.inf
    # The likeliest ratio is that at which the table seen is the mean one.
    return math.exp(_root(lambda t: float((_mass(cells, logs, t) * (cells - seen)).sum())))


def conditional_limits(table: npt.ArrayLike, *, level: float = 0.95) -> tuple[float, float]:
    """Return the exact limits of an odds ratio given both margins.

    Parameters
    ----------
    table : array_like of int, shape (2, 2)
        The counts.
    level : float
        Confidence level, in (0, 1).

    Returns
    -------
    tuple of float
        The two ratios at which a tail with the table seen is (1 - level)/2; 0 or ∞ on the side
        where the table is the most extreme one.

    Raises
    ------
    ValueError
        If the table or the level are not allowed.

    References
    ----------
    Fisher, doi:10.2307/2342435. Fay, doi:10.1093/biostatistics/kxp050.
    """
    return _limits(as_two_by_two(table), as_level(level), counted=1.0)


def mid_p_limits(table: npt.ArrayLike, *, level: float = 0.95) -> tuple[float, float]:
    """Return the mid-p limits of an odds ratio given both margins.

    Parameters
    ----------
    table : array_like of int, shape (2, 2)
        The counts.
    level : float
        Confidence level, in (0, 1).

    Returns
    -------
    tuple of float
        The two ratios at which the tail, counting the table seen by half, is (1 - level)/2;
        0 or ∞ on the side where the table is the most extreme one.

    Raises
    ------
    ValueError
        If the table or the level are not allowed.

    References
    ----------
    Lancaster, doi:10.1080/01621459.1961.10482105. Fagerland, Lydersen and Laake,
    doi:10.1177/0962280211415469.
    """
    return _limits(as_two_by_two(table), as_level(level), counted=0.5)


def _limits(counts: IntArray, level: float, *, counted: float) -> tuple[float, float]:
    """Return the ratios at which either tail is (1 - level)/2, the table seen counted in part."""
    tail = (1.0 - level) / 2.0
    cells, logs = _conditional(counts)
    seen = int(counts[0, 0])

    def beyond(log_ratio: float, side: int) -> float:
        mass = _mass(cells, logs, log_ratio)
        return float(mass[side * (cells - seen) > 0].sum() + counted * mass[cells == seen].sum())

    # A table at an end of its law leaves no tail beyond it, and no limit on that side.
    low = 0.0 if seen == cells[0] else math.exp(_root(lambda t: beyond(t, 1) - tail))
    high = math.inf if seen == cells[-1] else math.exp(_root(lambda t: tail - beyond(t, -1)))
    return low, high


def _conditional(counts: IntArray) -> tuple[IntArray, FloatArray]:
    """Return the possible upper left cells and their log masses, up to a constant, at ratio 1."""
    first, column, total = int(counts[0].sum()), int(counts[:, 0].sum()), int(counts.sum())
    cells = np.arange(max(0, first + column - total), min(first, column) + 1, dtype=np.int64)
    rest = total - first - column + cells
    logs = -gammaln(np.stack([cells, first - cells, column - cells, rest]) + 1.0).sum(axis=0)
    return cells, logs


def _mass(cells: IntArray, logs: FloatArray, log_ratio: float) -> FloatArray:
    weights = logs + cells * log_ratio
    mass = np.exp(weights - weights.max())
    return np.asarray(mass / mass.sum(), dtype=np.float64)


def _root(gap: Callable[[float], float]) -> float:
    """Return the zero of a rising function of the log ratio."""
    reach = 1.0
    # 512 is a ratio of e^512, near the largest float; no table of counts comes close to it.
    while gap(-reach) * gap(reach) > 0.0 and reach < 512.0:
        reach *= 2.0
    return float(brentq(gap, -reach, reach, xtol=1e-12, rtol=1e-12))

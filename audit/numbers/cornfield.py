"""Limits of an odds ratio by inverting the score test: Cornfield's, without continuity correction.

Given the margins, an odds ratio fixes the cells that it leads to expect; the limits are the two
ratios whose expected cell lies just z standard errors from the cell seen.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy.typing as npt
from scipy.optimize import brentq
from scipy.special import ndtri

from ._check import as_level, as_two_by_two

__all__ = ["cornfield_limits", "expected_cell"]

# How near to its bounds an expected cell is looked for, relative to the distance between them.
_NEAR = 1e-12


def expected_cell(first: float, second: float, column: float, ratio: float) -> float:
    """Return the upper left cell in which a two-by-two table has a given odds ratio.

    Parameters
    ----------
    first, second : float
        Totals of the two rows, above 0.
    column : float
        Total of the first column, strictly between 0 and the total.
    ratio : float
        The odds ratio, in (0, ∞).

    Returns
    -------
    float
        The cell, strictly within what the margins allow.

    Raises
    ------
    ValueError
        If a margin is empty or the ratio is not in (0, ∞).
    """
    if min(first, second, column, first + second - column) <= 0.0:
        raise ValueError(f"margins must be filled, found {first}, {second}, {column}")
    if not 0.0 < ratio < math.inf:
        raise ValueError(f"ratio must lie in (0, ∞), found {ratio!r}")
    total = first + second
    # (ratio - 1)x² - linear·x + constant = 0, its smaller root in the form that does not cancel.
    linear = ratio * (first + column) + second - column
    constant = ratio * first * column
    inner = max(linear**2 - 4.0 * (ratio - 1.0) * constant, 0.0)
    cell = 2.0 * constant / (linear + math.sqrt(inner))
    return min(max(cell, 0.0, first + column - total), first, column)


def cornfield_limits(table: npt.ArrayLike, *, level: float = 0.95) -> tuple[float, float]:
    """Return the score limits of an odds ratio.

    Parameters
    ----------
    table : array_like of int, shape (2, 2)
        The counts, rows are samples, the first column is the event.
    level : float
        Confidence level, in (0, 1).

    Returns
    -------
    tuple of float
        The two ratios; 0 or ∞ on the side where the table is the most extreme one, and (0, ∞) if
        a margin is empty.

    Raises
    ------
    ValueError
        If the table or the level are not allowed.

    References
    ----------
    Cornfield, Proceedings of the Third Berkeley Symposium 4 (1956), 135. Gart, doi:10.2307/1402350.
    """
    (a, b), (c, d) = as_two_by_two(table).tolist()
    z = float(ndtri((1.0 + as_level(level)) / 2.0))
    if 0 in (a + b, c + d, a + c, b + d):
        return 0.0, math.inf
    least, most = max(0, a - d), min(a + b, a + c)

    def cells(x: float) -> tuple[float, float, float, float]:
        return x, a + b - x, a + c - x, d - a + x

    def distance(x: float) -> float:
        return float(a - x) * math.sqrt(sum(1.0 / cell for cell in cells(x)))

    def ratio(x: float) -> float:
        upper_left, upper_right, lower_left, lower_right = cells(x)
        return upper_left * lower_right / (upper_right * lower_left)

    low = 0.0 if a == least else ratio(_root(lambda x: distance(x) - z, least, a))
    high = math.inf if a == most else ratio(_root(lambda x: distance(x) + z, most, a))
    return low, high


def _root(gap: Callable[[float], float], edge: float, seen: float) -> float:
    """Return the zero between the edge of what the margins allow and the cell seen.

    Towards the edge the distance grows without bound; towards the cell seen it falls to 0. Neither
    end itself can be put in: there a cell may be empty.
    """
    start, stop = edge + (seen - edge) * _NEAR, seen + (edge - seen) * _NEAR
    return float(brentq(gap, start, stop, xtol=1e-13, rtol=1e-13))

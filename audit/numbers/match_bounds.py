"""From shares of items to shares of matches, where a match ends at the first yes that is seen.

A yes that was right ended its match rightly. A yes that was missed changes a match too, and how
many matches the missed ones fell into is not known from items: hence bounds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from ._check import FloatArray, as_level, as_numbers
from .estimate import Estimate, Interval, Undefined
from .recovery import CellLimits, cell_limits, cluster_distance, recovered
from .two_phase import Checked

__all__ = ["MatchBounds", "Parts", "bounds_of_parts", "match_bounds"]

Parts = Callable[[FloatArray], FloatArray]
"""Shares of the cells, shape (cells,), to what each match adds, shape (matches,)."""


@dataclass(frozen=True, slots=True)
class MatchBounds:
    """Between what the share of matches with a true yes on record lies.

    Attributes
    ----------
    least : Estimate
        Every yes that was missed fell into as few matches as can be.
    most : Estimate
        Those that were missed do not attract one another.
    interval : Interval
        From the lower limit of the least to the upper limit of the most.
    """

    least: Estimate
    most: Estimate
    interval: Interval


def match_bounds(
    ended: npt.ArrayLike,
    passed: npt.ArrayLike,
    cluster: npt.ArrayLike,
    checked: Checked,
    *,
    level: float = 0.95,
    method: CellLimits = CellLimits.WILSON,
) -> MatchBounds:
    """Bound the share of matches that hold a true yes, each match ending at the first yes seen.

    Parameters
    ----------
    ended : array_like of int, shape (matches,)
        1 where the first rater's yes ended the match, else 0.
    passed : array_like of int, shape (matches,)
        How many items the first rater let pass.
    cluster : array_like of int, shape (matches,)
        The cluster of each match.
    checked : Checked
        Of three cells: the yes that ended a match; what was passed in such a match; what was
        passed in another.
    level : float
        Confidence level, in (0, 1).
    method : CellLimits
        How a cell's limits are made.

    Returns
    -------
    MatchBounds
        Undefined without matches (``EMPTY``) or with one cluster (``TOO_FEW``), the interval then
        from 0 to 1. A cell of which nothing was checked holds
        none in the least and is full in the most.

    Raises
    ------
    ValueError
        If lengths differ or an argument is not allowed.

    Notes
    -----
    Were missed yeses of one match independent given the match, 1 - (1 - r)^t of its mean rate r
    and t items would be the most, since it is concave in r.
    """
    yes, rest = as_numbers("ended", ended), as_numbers("passed", passed)
    if not len(yes) == len(rest) == len(np.asarray(cluster)):
        raise ValueError("ended, passed and cluster must be of one length")
    sides = partial(_least, yes, rest), partial(_most, yes, rest)
    return bounds_of_parts(*sides, cluster, checked, level=level, method=method)


def bounds_of_parts(
    least: Parts,
    most: Parts,
    cluster: npt.ArrayLike,
    checked: Checked,
    *,
    level: float,
    method: CellLimits,
) -> MatchBounds:
    """Bound a share of matches from what each match adds to it at least, and at most.

    Parameters
    ----------
    least, most : callable
        What each match adds, in [0, 1] on average; falls in no cell's share.
    cluster : array_like of int, shape (matches,)
        The cluster of each match.
    checked : Checked
        Of the cells.
    level : float
        Confidence level, in (0, 1).
    method : CellLimits
        How a cell's limits are made.

    Returns
    -------
    MatchBounds
        As `match_bounds` returns it.

    Raises
    ------
    ValueError
        If an argument is not allowed.
    """
    names, level = np.asarray(cluster), as_level(level)
    clusters = np.unique(names)
    if len(clusters) < 2:
        reason = Undefined.TOO_FEW if len(names) else Undefined.EMPTY
        nothing = Estimate.undefined(reason, len(names))
        return MatchBounds(nothing, nothing, Interval(0.0, 1.0, level, "nothing known"))
    limits = cell_limits(checked.filled, checked.sizes, level, method)
    by_cluster = (names[None, :] == clusters[:, None]).astype(np.float64)
    low, high = (
        _bound(by_cluster, side, checked.worst(of_unknown), limits, level)
        for side, of_unknown in ((least, 0.0), (most, 1.0))
    )
    outer = Interval(low[1].low, high[1].high, level, f"bounds, {method.value} recovered")
    fewest, highest = (Estimate(value, span, len(names)) for value, span in (low, high))
    return MatchBounds(fewest, highest, outer)


def _least(ended: FloatArray, passed: FloatArray, p: FloatArray) -> FloatArray:
    """Return each match's part: missed yeses fill the longest match, then the next."""
    longest = max(float(passed.max()), 1.0)
    return np.where(ended > 0, p[0], passed / longest * p[2])


def _most(ended: FloatArray, passed: FloatArray, p: FloatArray) -> FloatArray:
    """Return each match's part: in a match that ended, the earlier miss may meet the wrong end."""
    missed = 1.0 - (1.0 - p[2]) ** passed
    return np.where(ended > 0, p[0] + np.minimum(1.0 - p[0], passed * p[1]), missed)


def _bound(
    by_cluster: FloatArray,
    parts: Parts,
    checked: Checked,
    limits: tuple[FloatArray, FloatArray],
    level: float,
) -> tuple[float, Interval]:
    points, known = checked.shares, checked.sizes > 0.0
    each = parts(points)
    value = float(each.mean())
    distance = cluster_distance(by_cluster @ (each - value) / len(each), level)
    low, high = recovered(
        lambda p: float(parts(p).mean()), points, *limits, known=known, distance=distance
    )
    return value, Interval(max(low, 0.0), min(high, 1.0), level, "bound")

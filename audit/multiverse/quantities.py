"""What a set of ratings is asked: gaps, spreads, effect sizes, rank correlations.

Every function takes ratings of many specifications at once, C of every player and then V in each
row, and returns one value a row, NaN where it is not defined.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.stats import rankdata

from audit.numbers._check import FloatArray

Quantity = Callable[[FloatArray], FloatArray]


def gap(ratings: FloatArray) -> FloatArray:
    """Return the mean of V less C."""
    return np.asarray(_gaps(ratings).mean(axis=1), dtype=np.float64)


def least_gap(ratings: FloatArray) -> FloatArray:
    """Return the smallest V less C of any player."""
    return np.asarray(_gaps(ratings).min(axis=1), dtype=np.float64)


def paired_effect(ratings: FloatArray) -> FloatArray:
    """Return the mean of V less C in units of its standard deviation over players (ddof 1)."""
    gaps = _gaps(ratings)
    if gaps.shape[1] < 2:
        return np.full(len(gaps), np.nan)
    spread = gaps.std(axis=1, ddof=1)
    found: FloatArray = np.full(len(gaps), np.nan)
    np.divide(gaps.mean(axis=1), spread, out=found, where=spread > 1e-9)
    return found


def sd_seeker(ratings: FloatArray) -> FloatArray:
    """Return the standard deviation of C over players (ddof 0)."""
    return np.asarray(_roles(ratings)[0].std(axis=1), dtype=np.float64)


def sd_holder(ratings: FloatArray) -> FloatArray:
    """Return the standard deviation of V over players (ddof 0)."""
    return np.asarray(_roles(ratings)[1].std(axis=1), dtype=np.float64)


def range_seeker(ratings: FloatArray) -> FloatArray:
    """Return the largest less the smallest C."""
    return np.asarray(np.ptp(_roles(ratings)[0], axis=1), dtype=np.float64)


def range_holder(ratings: FloatArray) -> FloatArray:
    """Return the largest less the smallest V."""
    return np.asarray(np.ptp(_roles(ratings)[1], axis=1), dtype=np.float64)


def more_varied_seekers(ratings: FloatArray) -> FloatArray:
    """Return the standard deviation of C less that of V."""
    return sd_seeker(ratings) - sd_holder(ratings)


def rank_correlation(first: FloatArray, second: FloatArray) -> FloatArray:
    """Return Spearman's correlation of the rows of two tables; NaN where all are tied in one."""
    one, other = (rankdata(table.round(9), axis=1) for table in (first, second))
    one, other = (table - table.mean(axis=1, keepdims=True) for table in (one, other))
    scale = np.sqrt((one**2).sum(axis=1) * (other**2).sum(axis=1))
    found = np.full(len(one), np.nan)
    np.divide((one * other).sum(axis=1), scale, out=found, where=scale > 0.0)
    return found


QUANTITIES: dict[str, Quantity] = {
    "rating.gap": gap,
    "rating.gap.least": least_gap,
    "rating.sd_seeker": sd_seeker,
    "rating.sd_holder": sd_holder,
    "rating.range_seeker": range_seeker,
    "rating.range_holder": range_holder,
    "d.gap": paired_effect,
}
"""Estimands of ratings by the name that `estimates` gives them."""


def _roles(ratings: FloatArray) -> tuple[FloatArray, FloatArray]:
    players = ratings.shape[1] // 2
    return ratings[:, :players], ratings[:, players:]


def _gaps(ratings: FloatArray) -> FloatArray:
    seeker, holder = _roles(ratings)
    return holder - seeker

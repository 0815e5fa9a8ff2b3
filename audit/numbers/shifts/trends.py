"""Whether a series drifts: Spearman's correlation of block means with their order."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata, spearmanr, theilslopes

from audit.numbers._check import FloatArray, as_level, as_numbers
from audit.numbers.estimate import Alternative, Estimate, Interval, PValue, Undefined

from .blocks import block_means
from .orders import Law, largest_p, laws

__all__ = ["Trend", "trend"]

_METHOD = "Spearman, orders of block means"


@dataclass(frozen=True, slots=True)
class Trend:
    """A trend over blocks.

    Attributes
    ----------
    test : PValue
        Spearman's ρ of block means with their order, and its p-value over their orders.
    naive_p : float
        The textbook p-value over single rounds, as if they did not depend; NaN where undefined.
    slope : Estimate
        Theil and Sen's slope with Sen's interval, in units of the values a block.
    """

    test: PValue
    naive_p: float
    slope: Estimate


def trend(values: npt.ArrayLike, blocks: npt.ArrayLike, *, level: float = 0.95) -> Trend:
    """Test a series for a trend, by the means of its blocks.

    Parameters
    ----------
    values : array_like of float, shape (rounds,)
        Finite, in order.
    blocks : array_like of int, shape (rounds,)
        The block of every round, never falling.
    level : float
        Of the slope's interval.

    Returns
    -------
    Trend
        Undefined below three blocks (``TOO_FEW``) or where means do not vary (``NO_SPREAD``).

    References
    ----------
    Sen, Journal of the American Statistical Association 63 (1968), doi:10.2307/2285891.
    """
    level, rounds = as_level(level), as_numbers("values", values)
    means = block_means(rounds, blocks).means
    reason = _undefined(means)
    if reason is not None:
        nothing = PValue(math.nan, math.nan, Alternative.TWO_SIDED, _METHOD, len(means), reason)
        return Trend(nothing, math.nan, Estimate.undefined(reason, len(means)))
    ranks = rankdata(means)
    observed = float(np.clip(_rho(ranks[None, :])[0], -1.0, 1.0))
    p = largest_p(_laws(tuple(sorted(ranks.tolist()))), abs(observed))
    test = PValue(observed, p, Alternative.TWO_SIDED, _METHOD, len(means))
    naive = float(spearmanr(range(len(rounds)), rounds.tolist()).pvalue)
    return Trend(test, naive, _slope(means, level))


def _rho(ranks: FloatArray) -> FloatArray:
    time = np.arange(ranks.shape[1]) - (ranks.shape[1] - 1) / 2.0
    away = ranks[0] - ranks[0].mean()  # every row has the same ranks
    result: FloatArray = ranks @ time / (np.linalg.norm(time) * np.linalg.norm(away))
    return result


@lru_cache(maxsize=32)
def _laws(ranks: tuple[float, ...]) -> tuple[Law, ...]:
    return laws(np.array(ranks), lambda series: np.abs(_rho(series)))


def _slope(means: FloatArray, level: float) -> Estimate:
    found = theilslopes(means, alpha=level)
    low, high = float(found.low_slope), float(found.high_slope)
    return Estimate(float(found.slope), Interval(low, high, level, "Sen"), len(means))


def _undefined(means: FloatArray) -> Undefined | None:
    if len(means) < 3:
        return Undefined.TOO_FEW
    return Undefined.NO_SPREAD if (means == means[0]).all() else None

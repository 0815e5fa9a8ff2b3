"""Whether the halves of a series differ: Mann and Whitney's test on block means."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit
from scipy.stats import mannwhitneyu, rankdata

from audit.numbers._check import FloatArray, as_level, as_numbers
from audit.numbers.estimate import Alternative, Estimate, Interval, PValue, Undefined

from .blocks import block_means
from .orders import Law, largest_p, laws

__all__ = ["Halves", "halves"]

_METHOD = "Mann-Whitney, orders of block means"


@dataclass(frozen=True, slots=True)
class Halves:
    """The second half of a series against the first.

    Attributes
    ----------
    test : PValue
        The share of pairs of block means in which the second half's is higher, ties counted half,
        and its p-value over the orders of block means.
    naive_p : float
        The textbook p-value over single rounds, as if they did not depend; NaN where undefined.
    difference : Estimate
        Mean of the second half's block means less that of the first, in units of the values, with
        Student's interval.
    """

    test: PValue
    naive_p: float
    difference: Estimate


def halves(values: npt.ArrayLike, blocks: npt.ArrayLike, *, level: float = 0.95) -> Halves:
    """Test whether the halves of a series differ, by the means of its blocks.

    Parameters
    ----------
    values : array_like of float, shape (rounds,)
        Finite, in order.
    blocks : array_like of int, shape (rounds,)
        The block of every round, never falling. Of an odd number of blocks the middle one is left
        out.
    level : float
        Of the difference's interval.

    Returns
    -------
    Halves
        Undefined below four blocks (``TOO_FEW``) or where means do not vary (``NO_SPREAD``).

    References
    ----------
    Mann & Whitney, Annals of Mathematical Statistics 18 (1947), doi:10.1214/aoms/1177730491.
    """
    level, rounds = as_level(level), as_numbers("values", values)
    found = block_means(rounds, blocks)
    half, out = divmod(len(found), 2)
    first, second = found.means[:half], found.means[half + out :]
    both = np.concatenate([first, second])
    reason = None
    if half < 2:
        reason = Undefined.TOO_FEW
    elif (both == both[0]).all():
        reason = Undefined.NO_SPREAD
    if reason is not None:
        nothing = PValue(math.nan, math.nan, Alternative.TWO_SIDED, _METHOD, len(both), reason)
        return Halves(nothing, math.nan, Estimate.undefined(reason, len(both), out))
    test = _test(both, half)
    ends = np.append(found.starts, len(rounds))
    before, after = rounds[: ends[half]], rounds[ends[half + out] :]
    naive = float(mannwhitneyu(after, before, method="asymptotic").pvalue)
    return Halves(test, naive, _difference(first, second, level, out))


def _test(means: FloatArray, half: int) -> PValue:
    ranks = rankdata(means)
    above = float(_above(ranks[None, :])[0])
    p = largest_p(_laws(tuple(sorted(ranks.tolist()))), abs(above))
    return PValue(above + 0.5, p, Alternative.TWO_SIDED, _METHOD, 2 * half)


def _above(ranks: FloatArray) -> FloatArray:
    """Return the share of pairs in which the second half is higher, less one half."""
    half = ranks.shape[1] // 2
    result: FloatArray = (ranks[:, half:].sum(axis=1) - half * (half + 1) / 2.0) / half**2 - 0.5
    return result


@lru_cache(maxsize=32)
def _laws(ranks: tuple[float, ...]) -> tuple[Law, ...]:
    return laws(np.array(ranks), lambda series: np.abs(_above(series)))


def _difference(first: FloatArray, second: FloatArray, level: float, out: int) -> Estimate:
    half = len(first)
    gap = float(second.mean() - first.mean())
    error = math.sqrt((float(first.var(ddof=1)) + float(second.var(ddof=1))) / half)
    reach = float(stdtrit(2 * half - 2, (1.0 + level) / 2.0)) * error
    interval = Interval(gap - reach, gap + reach, level, "t on block means")
    return Estimate(gap, interval, 2 * half, out)

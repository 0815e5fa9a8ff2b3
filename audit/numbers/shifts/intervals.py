"""Means of series whose rounds depend on each other, with intervals that know it."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from audit.numbers._check import FloatArray, as_level, as_numbers
from audit.numbers.estimate import Estimate, Interval, Undefined

from .blocks import block_means

__all__ = ["BY_BLOCKS", "BY_REPLICATES", "replicate_mean", "series_mean"]

BY_BLOCKS = "t on block means of one series"
BY_REPLICATES = "t on replicates"


def series_mean(
    values: npt.ArrayLike, blocks: npt.ArrayLike, *, level: float = 0.95, left_out: int = 0
) -> Estimate:
    """Return the mean of a series, its interval by Student's t on block means.

    Parameters
    ----------
    values : array_like of float, shape (rounds,)
        Finite, in order.
    blocks : array_like of int, shape (rounds,)
        The block of every round, never falling.
    level : float
        Of the interval.
    left_out : int
        Rounds that were left out beforehand.

    Returns
    -------
    Estimate
        The mean of all rounds; blocks of unequal size weigh as their rounds do. Without an
        interval below two blocks (``TOO_FEW``) or where block means do not vary (``NO_SPREAD``).
        It speaks of this series: what another start would have brought is in replicates alone.

    Notes
    -----
    Simulated coverage of 95 % (``benchmarks/arms_race.py``): 93.6 to 96.1 % where dependence ends
    within a block, autoregressions of 0.6 included; 93.5 % of two blocks; 89.9 % where neighbouring
    block means correlate by 0.2.
    """
    level, found = as_level(level), as_numbers("values", values)
    by_block = block_means(found, blocks)
    if not found.size:
        return Estimate.undefined(Undefined.EMPTY, 0, left_out)
    mean = float(found.mean())
    # Residuals of the ratio of sums to sizes, which is what the mean of all rounds is.
    weights = by_block.sizes / by_block.sizes.mean()
    away = weights * (by_block.means - mean)
    return _with_interval(mean, away, level=level, method=BY_BLOCKS, counts=(len(found), left_out))


def replicate_mean(
    series: Sequence[tuple[npt.ArrayLike, npt.ArrayLike]],
    *,
    level: float = 0.95,
    left_out: int = 0,
) -> Estimate:
    """Return the mean over replicates, each a cluster that counts alike.

    Parameters
    ----------
    series : sequence of pairs
        Values and blocks of each replicate, as `series_mean` takes them; each with a round.
    level : float
        Of the interval.
    left_out : int
        Rounds that were left out beforehand, over all.

    Returns
    -------
    Estimate
        Of two replicates or more the mean of their means, by Student's t on these; of one that of
        `series_mean`. The interval's method says which. Undefined without any (``EMPTY``).
    """
    as_level(level)
    if not series:
        return Estimate.undefined(Undefined.EMPTY, 0, left_out)
    if len(series) == 1:
        return series_mean(*series[0], level=level, left_out=left_out)
    parts = [as_numbers("values", values) for values, _ in series]
    if not all(part.size for part in parts):
        raise ValueError("every replicate must have a round, found one without")
    means = np.array([part.mean() for part in parts])
    rounds = sum(len(part) for part in parts)
    mean = float(means.mean())
    return _with_interval(
        mean, means - mean, level=level, method=BY_REPLICATES, counts=(rounds, left_out)
    )


def _with_interval(
    mean: float, away: FloatArray, *, level: float, method: str, counts: tuple[int, int]
) -> Estimate:
    units = len(away)
    if units < 2:
        return Estimate(mean, None, *counts, Undefined.TOO_FEW)
    error = math.sqrt(float(away @ away) / (units * (units - 1)))
    if error <= 1e-12 * abs(mean):
        return Estimate(mean, None, *counts, Undefined.NO_SPREAD)
    reach = float(stdtrit(units - 1, (1.0 + level) / 2.0)) * error
    return Estimate(mean, Interval(mean - reach, mean + reach, level, method), *counts)

"""Correlation of a few pairs, with permutation p-values, and rank orders.

With six models there are 720 orders; a p-value from them is enumerated and owes nothing to
normality. Not covered: partial correlation, intervals, Kendall's τ.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata

from ._check import FloatArray, IntArray, as_numbers, as_size, same_length
from ._tail import SLACK, share_as_extreme
from .estimate import Alternative, Estimate, PValue, Undefined

__all__ = ["ENUMERATED_PAIRS", "Correlation", "average_ranks", "pearson", "rank_order", "spearman"]

ENUMERATED_PAIRS = 8
"""The most pairs whose orders, 8! = 40,320, are enumerated."""


@dataclass(frozen=True, slots=True)
class Correlation:
    """A correlation and its permutation test.

    Attributes
    ----------
    estimate : Estimate
        The coefficient, in [-1, 1], without interval; its ``counts_in`` is the number of pairs.
    test : PValue
        The test of exchangeable pairing.
    """

    estimate: Estimate
    test: PValue


def pearson(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    alternative: Alternative = Alternative.TWO_SIDED,
    rng: np.random.Generator | None = None,
    draws: int = 9999,
    counts_out: int = 0,
) -> Correlation:
    """Correlate two measurements of the same items.

    Parameters
    ----------
    first, second : array_like of float, shape (n,)
        Finite values, in the same order of items.
    alternative : Alternative
        ``GREATER`` means a positive correlation.
    rng : numpy.random.Generator, optional
        For more than `ENUMERATED_PAIRS` pairs; without it the p-value is missing
        (``NOT_ENUMERATED``).
    draws : int
        How many orders to draw then, at least 1.
    counts_out : int
        Pairs left out beforehand, carried into the result.

    Returns
    -------
    Correlation
        Undefined below two pairs (``TOO_FEW``) or if one side is constant (``NO_SPREAD``).

    Raises
    ------
    ValueError
        If lengths differ, a value is not finite, or the alternative or draws are not allowed.

    References
    ----------
    Pitman, doi:10.2307/2983647.
    """
    one, other = as_numbers("first", first), as_numbers("second", second)
    same_length(first=one, second=other)
    side = Alternative(alternative)
    return _correlate(
        one, other, "pearson", alternative=side, rng=rng, draws=draws, counts_out=counts_out
    )


def spearman(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    alternative: Alternative = Alternative.TWO_SIDED,
    rng: np.random.Generator | None = None,
    draws: int = 9999,
    counts_out: int = 0,
) -> Correlation:
    """Correlate the ranks of two measurements, tied values at their average rank.

    Parameters
    ----------
    first, second : array_like of float, shape (n,)
        Finite values, in the same order of items.
    alternative : Alternative
        ``GREATER`` means a positive correlation.
    rng : numpy.random.Generator, optional
        For more than `ENUMERATED_PAIRS` pairs; without it the p-value is missing
        (``NOT_ENUMERATED``).
    draws : int
        How many orders to draw then, at least 1.
    counts_out : int
        Pairs left out beforehand, carried into the result.

    Returns
    -------
    Correlation
        Undefined below two pairs (``TOO_FEW``) or if one side is constant (``NO_SPREAD``).

    Raises
    ------
    ValueError
        If lengths differ, a value is not finite, or the alternative or draws are not allowed.

    References
    ----------
    Spearman, doi:10.2307/1412159.
    """
    one, other = as_numbers("first", first), as_numbers("second", second)
    same_length(first=one, second=other)
    # Doubled ranks are whole, so that sums over orders tie exactly.
    ranks = 2.0 * average_ranks(one), 2.0 * average_ranks(other)
    side = Alternative(alternative)
    return _correlate(
        *ranks, "spearman", alternative=side, rng=rng, draws=draws, counts_out=counts_out
    )


def average_ranks(values: npt.ArrayLike) -> FloatArray:
    """Return ranks from 1, the smallest first, tied values at their average.

    Parameters
    ----------
    values : array_like of float, shape (n,)
        Finite values.

    Returns
    -------
    ndarray of float64, shape (n,)
        Ranks in [1, n].

    Raises
    ------
    ValueError
        If a value is not finite.
    """
    return np.asarray(rankdata(as_numbers("values", values)), dtype=np.float64)


def rank_order(values: npt.ArrayLike) -> tuple[tuple[int, ...], ...]:
    """Return positions from the highest value to the lowest, tied ones together.

    Parameters
    ----------
    values : array_like of float, shape (n,)
        Finite values.

    Returns
    -------
    tuple of tuple of int
        Positions in [0, n), each once; within a tie ascending.

    Raises
    ------
    ValueError
        If a value is not finite.
    """
    found = as_numbers("values", values)
    levels = np.unique(found)[::-1]
    return tuple(tuple(np.flatnonzero(found == level).tolist()) for level in levels)


def _correlate(
    one: FloatArray,
    other: FloatArray,
    name: str,
    *,
    alternative: Alternative,
    rng: np.random.Generator | None,
    draws: int,
    counts_out: int,
) -> Correlation:
    size = len(one)
    reason = Undefined.TOO_FEW if size < 2 else None
    if reason is None and 0.0 in (np.ptp(one), np.ptp(other)):
        reason = Undefined.NO_SPREAD
    if reason is not None:
        test = PValue(math.nan, math.nan, alternative, f"{name}, permutation", size, reason)
        return Correlation(Estimate.undefined(reason, size, counts_out), test)
    x, y = _centred(one), _centred(other)
    # One root of a product, so that whole ranks in the same order give exactly 1.
    scale = math.sqrt(float(x @ x) * float(y @ y))
    value = min(max(float(x @ y) / scale, -1.0), 1.0)
    test = _permute(x / scale, y, value, name, alternative=alternative, rng=rng, draws=draws)
    return Correlation(Estimate(value, None, size, counts_out), test)


def _permute(
    x: FloatArray,
    y: FloatArray,
    value: float,
    name: str,
    *,
    alternative: Alternative,
    rng: np.random.Generator | None,
    draws: int,
) -> PValue:
    size = len(x)
    if size <= ENUMERATED_PAIRS:
        arranged, method = y[_orders(size)] @ x, f"{name}, permutation, enumerated"
    elif rng is None:
        reason = Undefined.NOT_ENUMERATED
        return PValue(value, math.nan, alternative, f"{name}, permutation", size, reason)
    else:
        if as_size("draws", draws) == 0:
            raise ValueError("draws must be at least 1, found 0")
        arranged = rng.permuted(np.tile(y, (draws, 1)), axis=1) @ x
        method = f"{name}, permutation, {draws} draws"
    sampled = size > ENUMERATED_PAIRS
    p = share_as_extreme(arranged, value, alternative, SLACK, sampled=sampled)
    return PValue(value, p, alternative, method, size)


def _centred(values: FloatArray) -> FloatArray:
    # By powers of two, which round nothing: tiny values would otherwise have squares of 0.
    scaled = _to_unit(values)
    return _to_unit(scaled - scaled.mean())


def _to_unit(values: FloatArray) -> FloatArray:
    _, exponent = math.frexp(float(np.abs(values).max()))
    return np.ldexp(values, -exponent)


@lru_cache(maxsize=ENUMERATED_PAIRS)
def _orders(size: int) -> IntArray:
    return np.array(list(permutations(range(size))), dtype=np.int64)

"""Tests of paired differences: Student's t, all sign flips, Wilcoxon's signed ranks.

With n pairs there are 2^n sign flips, and no two-sided p below 2^(1-n): six pairs cannot give less
than 1/32, whatever the numbers.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr
from scipy.stats import rankdata

from ._check import FloatArray, as_numbers, as_size, same_length
from ._tail import SLACK, share_as_extreme
from .estimate import Alternative, PValue, Undefined

__all__ = ["ENUMERATED_FLIPS", "paired_t", "sign_flip", "wilcoxon"]

ENUMERATED_FLIPS = 20
"""The most pairs whose sign flips, 2^20 = 1,048,576, are enumerated."""


def paired_t(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    alternative: Alternative = Alternative.TWO_SIDED,
) -> PValue:
    """Test a mean difference of pairs by Student's t with n - 1 degrees of freedom.

    Parameters
    ----------
    first, second : array_like of float, shape (n,)
        Finite values, in the same order of pairs.
    alternative : Alternative
        ``GREATER`` means that the first is larger.

    Returns
    -------
    PValue
        t and its p-value; undefined below two pairs (``TOO_FEW``) or if all differences are equal
        (``NO_SPREAD``).

    Raises
    ------
    ValueError
        If lengths differ, a value is not finite or the alternative is not allowed.
    """
    gaps, scale = _gaps(first, second)
    alternative, size = Alternative(alternative), len(gaps)
    if size < 2:
        return _no_p(alternative, "paired t", size, Undefined.TOO_FEW)
    error = float(gaps.std(ddof=1)) / math.sqrt(size)
    if error <= SLACK * scale:
        return _no_p(alternative, "paired t", size, Undefined.NO_SPREAD)
    t = float(gaps.mean()) / error
    p = {
        Alternative.GREATER: float(stdtr(size - 1, -t)),
        Alternative.LESS: float(stdtr(size - 1, t)),
        Alternative.TWO_SIDED: 2.0 * float(stdtr(size - 1, -abs(t))),
    }[alternative]
    return PValue(t, p, alternative, "paired t", size)


def sign_flip(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    alternative: Alternative = Alternative.TWO_SIDED,
    rng: np.random.Generator | None = None,
    draws: int = 9999,
) -> PValue:
    """Test a mean difference of pairs by swapping the two members of each pair.

    Parameters
    ----------
    first, second : array_like of float, shape (n,)
        Finite values, in the same order of pairs.
    alternative : Alternative
        ``GREATER`` means that the first is larger.
    rng : numpy.random.Generator, optional
        For more than `ENUMERATED_FLIPS` pairs; without it the p-value is missing
        (``NOT_ENUMERATED``).
    draws : int
        How many flips to draw then, at least 1.

    Returns
    -------
    PValue
        The mean difference and its p-value; undefined without pairs (``EMPTY``).

    Raises
    ------
    ValueError
        If lengths differ, a value is not finite, or the alternative or draws are not allowed.

    References
    ----------
    Pitman, doi:10.2307/2984124.
    """
    gaps, scale = _gaps(first, second)
    alternative, size = Alternative(alternative), len(gaps)
    if size == 0:
        return _no_p(alternative, "sign flip", 0, Undefined.EMPTY)
    if size <= ENUMERATED_FLIPS:
        arranged, method = _all_flips(gaps), "sign flip, enumerated"
    elif rng is None:
        return _no_p(alternative, "sign flip", size, Undefined.NOT_ENUMERATED)
    else:
        if as_size("draws", draws) == 0:
            raise ValueError("draws must be at least 1, found 0")
        arranged = rng.choice([-1.0, 1.0], size=(draws, size)) @ gaps
        method = f"sign flip, {draws} draws"
    sampled = size > ENUMERATED_FLIPS
    seen = float(gaps.sum())
    p = share_as_extreme(arranged, seen, alternative, SLACK * scale * size, sampled=sampled)
    return PValue(seen / size, p, alternative, method, size)


def wilcoxon(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    alternative: Alternative = Alternative.TWO_SIDED,
) -> PValue:
    """Test paired differences by Wilcoxon's signed ranks, enumerated with ties as they are.

    Parameters
    ----------
    first, second : array_like of float, shape (n,)
        Finite values, in the same order of pairs. Pairs without a difference drop out.
    alternative : Alternative
        ``GREATER`` means that the first is larger.

    Returns
    -------
    PValue
        The sum of positive ranks and its p-value, which for two sides is twice the smaller tail;
        ``counts_in`` is the number of differing pairs. Undefined without any (``EMPTY``).

    Raises
    ------
    ValueError
        If lengths differ, a value is not finite or the alternative is not allowed.

    References
    ----------
    Wilcoxon, doi:10.2307/3001968.
    """
    gaps, scale = _gaps(first, second)
    alternative = Alternative(alternative)
    # 0.3 - 0.1 and 0.2 tie in decimals but not in floats: compare to twelve digits of the values.
    gaps = np.round(gaps / scale, 12) if scale else gaps
    gaps = gaps[gaps != 0.0]
    if not gaps.size:
        return _no_p(alternative, "wilcoxon, enumerated", 0, Undefined.EMPTY)
    doubled = np.rint(2.0 * rankdata(np.abs(gaps))).astype(np.int64)
    seen = int(doubled[gaps > 0.0].sum())
    law = _signed_ranks(doubled.tolist())
    less, greater = float(law[: seen + 1].sum()), float(law[seen:].sum())
    p = {
        Alternative.GREATER: greater,
        Alternative.LESS: less,
        Alternative.TWO_SIDED: 2.0 * min(less, greater),
    }[alternative]
    return PValue(seen / 2.0, min(p, 1.0), alternative, "wilcoxon, enumerated", gaps.size)


def _gaps(first: npt.ArrayLike, second: npt.ArrayLike) -> tuple[FloatArray, float]:
    """Return the differences, and the largest value, which scales their rounding error."""
    one, other = as_numbers("first", first), as_numbers("second", second)
    size = same_length(first=one, second=other)
    scale = float(np.abs(np.concatenate([one, other])).max()) if size else 0.0
    return one - other, scale


def _all_flips(gaps: FloatArray) -> FloatArray:
    sums = np.zeros(1)
    for gap in gaps:
        sums = np.concatenate([sums - gap, sums + gap])
    return sums


def _signed_ranks(doubled: list[int]) -> FloatArray:
    """Return the law of the sum of those ranks whose sign is positive, rank by rank."""
    law = np.zeros(sum(doubled) + 1)
    law[0] = 1.0
    reach = 0
    for rank in doubled:
        moved = law[: reach + 1] / 2.0
        law[: reach + 1] = moved
        law[rank : rank + reach + 1] += moved
        reach += rank
    return law


def _no_p(alternative: Alternative, method: str, size: int, reason: Undefined) -> PValue:
    return PValue(math.nan, math.nan, alternative, method, size, reason)

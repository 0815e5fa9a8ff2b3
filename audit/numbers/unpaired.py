"""Tests of two independent means: Student's and Welch's t, and all splits of the values."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr

from ._check import as_numbers
from ._tail import SLACK, share_as_extreme
from .estimate import Alternative, PValue, Undefined
from .spread import Spread, spread

__all__ = ["ENUMERATED_SPLITS", "all_splits", "unpaired_t", "unpaired_t_from_summary"]

ENUMERATED_SPLITS = 200_000
"""The most splits of the values in two that are enumerated: 10 against 10 are 184,756."""


def unpaired_t(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    welch: bool,
    alternative: Alternative = Alternative.TWO_SIDED,
) -> PValue:
    """Test the difference of two means by t.

    Parameters
    ----------
    first, second : array_like of float, shapes (n1,) and (n2,)
        Finite values of two independent samples.
    welch : bool
        Whether the variances may differ. Required, since printed values differ by it.
    alternative : Alternative
        ``GREATER`` means that the first mean is larger.

    Returns
    -------
    PValue
        As `unpaired_t_from_summary`.

    Raises
    ------
    ValueError
        If a value is not finite or the alternative is not allowed.
    """
    one, other = spread(first, ddof=1), spread(second, ddof=1)
    return unpaired_t_from_summary(one, other, welch=welch, alternative=alternative)


def unpaired_t_from_summary(
    first: Spread,
    second: Spread,
    *,
    welch: bool,
    alternative: Alternative = Alternative.TWO_SIDED,
) -> PValue:
    """Test the difference of two printed means by t.

    Parameters
    ----------
    first, second : Spread
        The two samples, their deviations with divisor n - 1.
    welch : bool
        Whether the variances may differ; degrees of freedom are then Satterthwaite's.
    alternative : Alternative
        ``GREATER`` means that the first mean is larger.

    Returns
    -------
    PValue
        t and its p-value; undefined below two values in a sample (``TOO_FEW``) or without spread
        (``NO_SPREAD``).

    Raises
    ------
    ValueError
        If a deviation has divisor n or the alternative is not allowed.

    References
    ----------
    Student, doi:10.1093/biomet/6.1.1. Welch, doi:10.1093/biomet/34.1-2.28.
    """
    alternative = Alternative(alternative)
    if (first.ddof, second.ddof) != (1, 1):
        raise ValueError(f"deviations need ddof 1, found {first.ddof} and {second.ddof}")
    n1, n2 = first.size, second.size
    name = "welch t" if welch else "pooled t"
    if min(n1, n2) < 2:
        return _no_p(alternative, name, n1 + n2, Undefined.TOO_FEW)
    if first.sd == second.sd == 0.0:
        return _no_p(alternative, name, n1 + n2, Undefined.NO_SPREAD)
    own, theirs = first.sd**2 / n1, second.sd**2 / n2
    if welch:
        variance = own + theirs
        df = variance**2 / (own**2 / (n1 - 1) + theirs**2 / (n2 - 1))
    else:
        df = float(n1 + n2 - 2)
        pooled = ((n1 - 1) * first.sd**2 + (n2 - 1) * second.sd**2) / df
        variance = pooled * (1.0 / n1 + 1.0 / n2)
    t = (first.mean - second.mean) / math.sqrt(variance)
    p = {
        Alternative.GREATER: float(stdtr(df, -t)),
        Alternative.LESS: float(stdtr(df, t)),
        Alternative.TWO_SIDED: 2.0 * float(stdtr(df, -abs(t))),
    }[alternative]
    return PValue(t, p, alternative, name, n1 + n2)


def all_splits(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    alternative: Alternative = Alternative.TWO_SIDED,
) -> PValue:
    """Test the difference of two means by every way to split the values into two such samples.

    Parameters
    ----------
    first, second : array_like of float, shapes (n1,) and (n2,)
        Finite values of two independent samples.
    alternative : Alternative
        ``GREATER`` means that the first mean is larger.

    Returns
    -------
    PValue
        The difference of the means and its p-value; undefined without values in a sample
        (``EMPTY``), missing beyond `ENUMERATED_SPLITS` (``NOT_ENUMERATED``).

    Raises
    ------
    ValueError
        If a value is not finite or the alternative is not allowed.

    References
    ----------
    Pitman, doi:10.2307/2984124.
    """
    one, other = as_numbers("first", first), as_numbers("second", second)
    alternative, name = Alternative(alternative), "all splits, enumerated"
    n1, n2 = len(one), len(other)
    if 0 in (n1, n2):
        return _no_p(alternative, name, n1 + n2, Undefined.EMPTY)
    if math.comb(n1 + n2, n1) > ENUMERATED_SPLITS:
        return _no_p(alternative, name, n1 + n2, Undefined.NOT_ENUMERATED)
    values = np.concatenate([one, other])
    # Centred, the sum over the first sample alone orders the splits, and is signed as they are.
    centred = values - values.mean()
    chosen = np.array(list(combinations(range(n1 + n2), n1)), dtype=np.int64)
    slack = SLACK * float(np.abs(values).max()) * n1
    seen = float(centred[:n1].sum())
    p = share_as_extreme(centred[chosen].sum(axis=1), seen, alternative, slack, sampled=False)
    return PValue(float(one.mean() - other.mean()), p, alternative, name, n1 + n2)


def _no_p(alternative: Alternative, method: str, size: int, reason: Undefined) -> PValue:
    return PValue(math.nan, math.nan, alternative, method, size, reason)

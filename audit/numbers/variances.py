"""Whether two measurements of the same items vary equally.

With a handful of pairs the test has little power: two deviations of six values may differ threefold
before it says so.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr

from ._check import as_numbers, same_length
from .correlation import pearson
from .estimate import Alternative, PValue, Undefined

__all__ = ["pitman_morgan"]


def pitman_morgan(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    alternative: Alternative = Alternative.TWO_SIDED,
) -> PValue:
    """Test that paired measurements have one variance: their sums and differences do not correlate.

    Parameters
    ----------
    first, second : array_like of float, shape (n,)
        Finite values, in the same order of items.
    alternative : Alternative
        ``GREATER`` means that the first varies more.

    Returns
    -------
    PValue
        t with n - 2 degrees of freedom and its p-value; undefined below three pairs (``TOO_FEW``)
        or if all sums or all differences are equal (``NO_SPREAD``).

    Raises
    ------
    ValueError
        If lengths differ, a value is not finite or the alternative is not allowed.

    References
    ----------
    Pitman, doi:10.1093/biomet/31.1-2.9. Morgan, doi:10.1093/biomet/31.1-2.13.
    """
    one, other = as_numbers("first", first), as_numbers("second", second)
    size, alternative = same_length(first=one, second=other), Alternative(alternative)
    if size < 3:
        return _no_p(alternative, size, Undefined.TOO_FEW)
    r = pearson(one + other, one - other, rng=np.random.default_rng(0), draws=1).estimate.value
    if math.isnan(r):
        return _no_p(alternative, size, Undefined.NO_SPREAD)
    t = math.copysign(math.inf, r) if abs(r) == 1.0 else r * math.sqrt((size - 2) / (1.0 - r * r))
    p = {
        Alternative.GREATER: float(stdtr(size - 2, -t)),
        Alternative.LESS: float(stdtr(size - 2, t)),
        Alternative.TWO_SIDED: 2.0 * float(stdtr(size - 2, -abs(t))),
    }[alternative]
    return PValue(t, p, alternative, "pitman-morgan", size)


def _no_p(alternative: Alternative, size: int, reason: Undefined) -> PValue:
    return PValue(math.nan, math.nan, alternative, "pitman-morgan", size, reason)

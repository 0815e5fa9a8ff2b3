"""Boschloo's exact test of two rates, which fixes the sizes of the samples but not the events.

It is never less powerful than Fisher's. Not covered: Barnard's test, whose two-sided p-value from
scipy falls short of the true supremum in some tables.
"""

from __future__ import annotations

import math

from scipy.stats import boschloo_exact

from ._check import as_share
from .estimate import Alternative, PValue, Undefined

__all__ = ["boschloo"]


def boschloo(
    successes_first: int,
    total_first: int,
    successes_second: int,
    total_second: int,
    *,
    alternative: Alternative = Alternative.TWO_SIDED,
) -> PValue:
    """Test two independent proportions by Fisher's p as the statistic, at the worst common rate.

    Parameters
    ----------
    successes_first, total_first, successes_second, total_second : int
        Counts, in each sample 0 ≤ successes ≤ total.
    alternative : Alternative
        ``GREATER`` means that the first rate is the higher one; two-sided is twice the smaller
        one-sided p-value, at most 1.

    Returns
    -------
    PValue
        Fisher's p as the statistic, and the p-value; undefined if a sample is empty (``EMPTY``) or
        all trials ended alike (``ZERO_DENOMINATOR``).

    Raises
    ------
    ValueError
        If the counts or the alternative are not allowed.

    References
    ----------
    Boschloo, doi:10.1111/j.1467-9574.1970.tb00104.x.
    """
    x1, n1 = as_share(successes_first, total_first)
    x2, n2 = as_share(successes_second, total_second)
    alternative = Alternative(alternative)
    if 0 in (n1, n2):
        return _no_p(alternative, n1 + n2, Undefined.EMPTY)
    if x1 + x2 in (0, n1 + n2):
        return _no_p(alternative, n1 + n2, Undefined.ZERO_DENOMINATOR)
    # scipy wants the samples as columns.
    found = boschloo_exact([[x1, x2], [n1 - x1, n2 - x2]], alternative=alternative.value)
    p = min(float(found.pvalue), 1.0)
    return PValue(float(found.statistic), p, alternative, "boschloo", n1 + n2)


def _no_p(alternative: Alternative, size: int, reason: Undefined) -> PValue:
    return PValue(math.nan, math.nan, alternative, "boschloo", size, reason)

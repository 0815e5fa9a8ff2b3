"""Two yes/no answers about the same things: whether one of the two says yes more often.

Only the pairs that differ tell anything; without a difference each is as likely to go one way as
the other. Not covered: intervals, more than two answers, clusters.
"""

from __future__ import annotations

from scipy.stats import binom

from ._check import as_size
from .estimate import Alternative, PValue, Undefined

__all__ = ["mcnemar"]


def mcnemar(
    first_only: int, second_only: int, *, alternative: Alternative = Alternative.TWO_SIDED
) -> PValue:
    """Test that pairs differ one way as often as the other, by the binomial law.

    Parameters
    ----------
    first_only, second_only : int
        Pairs in which only the first, or only the second, says yes.
    alternative : Alternative
        ``GREATER`` means that the first says yes more often.

    Returns
    -------
    PValue
        ``first_only`` and its p-value, for two sides twice the smaller tail; ``counts_in`` is the
        number of pairs that differ. Undefined without any (``EMPTY``).

    Raises
    ------
    ValueError
        If a count or the alternative is not allowed.

    References
    ----------
    McNemar, doi:10.1007/BF02295996.
    """
    one, other = as_size("first_only", first_only), as_size("second_only", second_only)
    alternative, pairs = Alternative(alternative), one + other
    if pairs == 0:
        nan = float("nan")
        return PValue(nan, nan, alternative, "mcnemar, exact", 0, Undefined.EMPTY)
    greater, less = float(binom.sf(one - 1, pairs, 0.5)), float(binom.cdf(one, pairs, 0.5))
    p = {
        Alternative.GREATER: greater,
        Alternative.LESS: less,
        Alternative.TWO_SIDED: min(1.0, 2.0 * min(greater, less)),
    }[alternative]
    return PValue(float(one), p, alternative, "mcnemar, exact", pairs)

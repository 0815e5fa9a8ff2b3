"""One estimate out of several completed data sets."""

from __future__ import annotations

import math

import numpy.typing as npt
from scipy.special import stdtrit

from ._check import as_level, as_numbers
from .estimate import Estimate, Interval, Undefined

__all__ = ["pooled"]


def pooled(
    values: npt.ArrayLike, variances: npt.ArrayLike, counts_in: int, *, level: float = 0.95
) -> Estimate:
    """Estimate a number from its values in data sets completed at random.

    Parameters
    ----------
    values, variances : array_like of float, shape (sets,)
        In each set the number and its variance had the set been complete, the latter at least 0.
    counts_in : int
        Observations of each set.
    level : float
        Confidence level, in (0, 1).

    Returns
    -------
    Estimate
        The mean, with the t interval of Rubin's total variance; undefined with fewer than two sets
        (``TOO_FEW``), without an interval where nothing varies (``NO_SPREAD``).

    Raises
    ------
    ValueError
        If lengths differ, a number is not finite, or a variance is below 0.

    References
    ----------
    Rubin, Multiple Imputation for Nonresponse in Surveys (1987), 3.1.
    """
    found, within = as_numbers("values", values), as_numbers("variances", variances)
    level = as_level(level)
    if len(found) != len(within) or (within < 0.0).any():
        raise ValueError("variances must be one a value, each at least 0")
    if len(found) < 2:
        return Estimate.undefined(Undefined.TOO_FEW, counts_in)
    sets, value, inside = len(found), float(found.mean()), float(within.mean())
    between = (1.0 + 1.0 / sets) * float(found.var(ddof=1))
    total = inside + between
    if total == 0.0:
        return Estimate(value, None, counts_in, reason=Undefined.NO_SPREAD)
    # Beyond a billion degrees t is normal to the last digit.
    share = max(between / total, math.sqrt((sets - 1) / 1e9))
    half = float(stdtrit((sets - 1) / share**2, (1.0 + level) / 2.0)) * math.sqrt(total)
    return Estimate(
        value, Interval(value - half, value + half, level, f"{sets} imputations"), counts_in
    )

"""Mean and standard deviation, with the divisor said."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ._check import as_numbers
from .estimate import Undefined

__all__ = ["Spread", "spread"]


@dataclass(frozen=True, slots=True)
class Spread:
    """A mean and a standard deviation, computed or printed.

    Attributes
    ----------
    mean, sd : float
        NaN where undefined.
    size : int
        How many values went in.
    ddof : int
        What was taken off the size in the divisor of the variance, 0 or 1.
    reason : Undefined or None
        Why something is missing.
    """

    mean: float
    sd: float
    size: int
    ddof: int
    reason: Undefined | None = None


def spread(values: npt.ArrayLike, *, ddof: int) -> Spread:
    """Return the mean and the standard deviation.

    Parameters
    ----------
    values : array_like of float, shape (n,)
        Finite values.
    ddof : int
        0 for the deviation of these values, 1 for an estimate of a population's. Required, since
        printed values differ by it.

    Returns
    -------
    Spread
        Without values both are undefined (``EMPTY``); with at most ``ddof`` the deviation is
        (``TOO_FEW``).

    Raises
    ------
    ValueError
        If a value is not finite or ddof is neither 0 nor 1.
    """
    found = as_numbers("values", values)
    if ddof not in (0, 1):
        raise ValueError(f"ddof must be 0 or 1, found {ddof!r}")
    size = len(found)
    if size == 0:
        return Spread(math.nan, math.nan, 0, ddof, Undefined.EMPTY)
    if size <= ddof:
        return Spread(float(found.mean()), math.nan, size, ddof, Undefined.TOO_FEW)
    # The mean of equal values may be off by rounding, and their deviation then not 0.
    sd = float(found.std(ddof=ddof)) if np.ptp(found) > 0.0 else 0.0
    return Spread(float(found.mean()), sd, size, ddof)

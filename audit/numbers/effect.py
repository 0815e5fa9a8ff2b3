"""Standardised mean differences, raw and corrected for small samples.

A standardised difference of a handful of ratings describes those ratings, not the matches behind
them: it grows as their spread shrinks.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln

from ._check import as_numbers, as_size, same_length
from .estimate import Choice, Undefined
from .spread import Spread, spread

__all__ = [
    "EffectSize",
    "HedgesCorrection",
    "hedges_correction",
    "paired_d",
    "pooled_d",
    "pooled_d_from_summary",
]


class HedgesCorrection(Choice):
    """How the bias of a standardised difference is taken off."""

    GAMMA = "gamma"
    """The ratio of gamma functions, unbiased under normality."""
    APPROXIMATE = "approximate"
    """1 - 3/(4·df - 1)."""


@dataclass(frozen=True, slots=True)
class EffectSize:
    """A standardised mean difference, raw and corrected for small samples.

    Attributes
    ----------
    d, variance : float
        Cohen's d and its large-sample variance; NaN where undefined.
    g, variance_g : float
        The same after Hedges' correction; NaN below 2 degrees of freedom (``TOO_FEW``).
    df : int
        Degrees of freedom of the standard deviation.
    size : int
        How many values, or pairs, went in.
    reason : Undefined or None
        Why something is missing.
    """

    d: float
    variance: float
    g: float
    variance_g: float
    df: int
    size: int
    reason: Undefined | None = None


def hedges_correction(df: int, kind: HedgesCorrection = HedgesCorrection.GAMMA) -> float:
    """Return the factor that takes the bias off a standardised difference.

    Parameters
    ----------
    df : int
        Degrees of freedom of the standard deviation.
    kind : HedgesCorrection
        The exact factor or its usual approximation.

    Returns
    -------
    float
        A factor in (0, 1); NaN below 2 degrees of freedom, where the mean of d does not exist.

    Raises
    ------
    ValueError
        If df is no count or the kind is not allowed.

    References
    ----------
    Hedges, doi:10.3102/10769986006002107.
    """
    kind = HedgesCorrection(kind)
    if as_size("df", df) < 2:
        return math.nan
    if kind is HedgesCorrection.APPROXIMATE:
        return 1.0 - 3.0 / (4.0 * df - 1.0)
    return math.exp(float(gammaln(df / 2.0) - gammaln((df - 1) / 2.0))) / math.sqrt(df / 2.0)


def paired_d(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    correction: HedgesCorrection = HedgesCorrection.GAMMA,
) -> EffectSize:
    """Return the mean difference of pairs over the standard deviation of the differences (d_z).

    Parameters
    ----------
    first, second : array_like of float, shape (n,)
        Finite values, in the same order of pairs.
    correction : HedgesCorrection
        The small-sample correction, with n - 1 degrees of freedom.

    Returns
    -------
    EffectSize
        Undefined below two pairs (``TOO_FEW``) or if all differences are equal (``NO_SPREAD``).

    Raises
    ------
    ValueError
        If lengths differ, a value is not finite or the correction is not allowed.

    References
    ----------
    Borenstein et al., doi:10.1002/9780470743386, chapter 4.
    """
    correction = HedgesCorrection(correction)
    one, other = as_numbers("first", first), as_numbers("second", second)
    size = same_length(first=one, second=other)
    summary = spread(one - other, ddof=1)
    # Differences that are equal in decimals differ by rounding, some 1e-16 of the values.
    scale = float(np.abs(np.concatenate([one, other])).max()) if size else 0.0
    if not summary.sd > 1e-13 * scale:
        return _no_effect(size - 1, size, Undefined.TOO_FEW if size < 2 else Undefined.NO_SPREAD)
    d = summary.mean / summary.sd
    return _effect(d, (1.0 + d * d / 2.0) / size, size - 1, size, correction)


def pooled_d(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    correction: HedgesCorrection = HedgesCorrection.GAMMA,
) -> EffectSize:
    """Return the difference of two means over the pooled standard deviation.

    Parameters
    ----------
    first, second : array_like of float, shapes (n1,) and (n2,)
        Finite values of two independent samples.
    correction : HedgesCorrection
        The small-sample correction, with n1 + n2 - 2 degrees of freedom.

    Returns
    -------
    EffectSize
        Undefined below two values in a sample (``TOO_FEW``) or without spread (``NO_SPREAD``).

    Raises
    ------
    ValueError
        If a value is not finite or the correction is not allowed.
    """
    return pooled_d_from_summary(
        spread(first, ddof=1), spread(second, ddof=1), correction=correction
    )


def pooled_d_from_summary(
    first: Spread, second: Spread, *, correction: HedgesCorrection = HedgesCorrection.GAMMA
) -> EffectSize:
    """Return the standardised difference from printed means and standard deviations.

    Parameters
    ----------
    first, second : Spread
        The two samples, their deviations with divisor n - 1.
    correction : HedgesCorrection
        The small-sample correction, with n1 + n2 - 2 degrees of freedom.

    Returns
    -------
    EffectSize
        Undefined below two values in a sample (``TOO_FEW``) or without spread (``NO_SPREAD``).

    Raises
    ------
    ValueError
        If a deviation has divisor n or the correction is not allowed.

    References
    ----------
    Borenstein et al., doi:10.1002/9780470743386, chapter 4.
    """
    correction = HedgesCorrection(correction)
    if (first.ddof, second.ddof) != (1, 1):
        raise ValueError(f"deviations need ddof 1, found {first.ddof} and {second.ddof}")
    n1, n2 = first.size, second.size
    size, df = n1 + n2, n1 + n2 - 2
    if min(n1, n2) < 2:
        return _no_effect(df, size, Undefined.TOO_FEW)
    pooled = math.sqrt(((n1 - 1) * first.sd**2 + (n2 - 1) * second.sd**2) / df)
    if pooled == 0.0:
        return _no_effect(df, size, Undefined.NO_SPREAD)
    d = (first.mean - second.mean) / pooled
    variance = size / (n1 * n2) + d * d / (2.0 * size)
    return _effect(d, variance, df, size, correction)


def _effect(
    d: float, variance: float, df: int, size: int, correction: HedgesCorrection
) -> EffectSize:
    factor = hedges_correction(df, correction)
    reason = Undefined.TOO_FEW if math.isnan(factor) else None
    return EffectSize(d, variance, factor * d, factor**2 * variance, df, size, reason)


def _no_effect(df: int, size: int, reason: Undefined) -> EffectSize:
    nan = math.nan
    return EffectSize(nan, nan, nan, nan, max(df, 0), size, reason)

"""The scale of a series whose rounds depend on each other.

The mean of n rounds has a standard error of about λ/√n, where λ² is the long-run variance: the sum
of all autocovariances. Of rounds it is estimated by Bartlett's weights after an autoregression of
order one has been taken out (prewhitened); of block means, which hardly depend, by their successive
differences, which a few shifts of the level do not inflate.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from audit.numbers._check import FloatArray, as_numbers, as_size

__all__ = ["autocorrelation", "bandwidth", "difference_scale", "effective_size", "long_run_scale"]

_MOST = 0.97
"""A larger coefficient is taken as this, lest the long-run variance run away."""


def bandwidth(size: int) -> int:
    """Return up to which lag autocovariances are summed: ⌊4 (n/100)^(2/9)⌋ (Newey & West)."""
    return int(4.0 * (as_size("size", size) / 100.0) ** (2.0 / 9.0))


def autocorrelation(values: npt.ArrayLike) -> float:
    """Return the correlation of a series with itself one place on; NaN where it does not vary.

    Parameters
    ----------
    values : array_like of float, shape (n,)

    Returns
    -------
    float
        In [-1, 1]: Σ (x_i - x̄)(x_{i+1} - x̄) / Σ (x_i - x̄)².
    """
    found = as_numbers("values", values)
    if _constant(found):
        return math.nan
    away = found - found.mean()
    return float(away[1:] @ away[:-1] / (away @ away))


def long_run_scale(values: npt.ArrayLike, *, lags: int | None = None) -> float:
    """Return the square root of the long-run variance of a series.

    Parameters
    ----------
    values : array_like of float, shape (n,)
        Finite, in order.
    lags : int, optional
        Bartlett's weights of the prewhitened series reach to this lag; `bandwidth` if not given.

    Returns
    -------
    float
        In the unit of the values, for one round: the standard deviation where rounds are
        independent, that of the innovations over 1 - φ under an autoregression of order one. 0
        where the series does not vary, NaN below three values.

    Notes
    -----
    A shift of the level inflates it: it is the scale of a series taken to have none.

    References
    ----------
    Andrews & Monahan, Econometrica 60 (1992), doi:10.2307/2951574.
    """
    found = as_numbers("values", values)
    size = len(found)
    if size < 3:
        return math.nan
    if _constant(found):
        return 0.0
    away = found - found.mean()
    slope = float(np.clip(away[1:] @ away[:-1] / (away[:-1] @ away[:-1]), -_MOST, _MOST))
    white = away[1:] - slope * away[:-1]
    white = white - white.mean()
    reach = min(bandwidth(size) if lags is None else as_size("lags", lags), size - 2)
    variance = float(white @ white)
    for lag in range(1, reach + 1):
        variance += 2.0 * (1.0 - lag / (reach + 1)) * float(white[lag:] @ white[:-lag])
    # Two degrees are spent: on the mean and on the slope.
    return math.sqrt(variance / (size - 2)) / (1.0 - slope)


def effective_size(values: npt.ArrayLike) -> float:
    """Return how many independent rounds would give the mean the same standard error.

    Parameters
    ----------
    values : array_like of float, shape (n,)

    Returns
    -------
    float
        n times the variance over the long-run variance, at most n; NaN below three values or where
        they do not vary.
    """
    found = as_numbers("values", values)
    scale = long_run_scale(found)
    if not scale > 0.0:
        return math.nan
    return len(found) * min(1.0, float(found.var(ddof=1)) / scale**2)


def difference_scale(means: npt.ArrayLike) -> FloatArray:
    """Return the scale of values about a level that rarely shifts, by successive differences.

    Parameters
    ----------
    means : array_like of float, shape (..., n)
        Finite; of n ≥ 2 values in order, one series a row.

    Returns
    -------
    ndarray of float64, shape (...)
        √(Σ (x_{i+1} - x_i)² / 2(n-1)).

    References
    ----------
    von Neumann, Annals of Mathematical Statistics 12 (1941), doi:10.1214/aoms/1177731677.
    """
    found = np.asarray(means, dtype=np.float64)
    if found.ndim == 0 or found.shape[-1] < 2:
        raise ValueError(f"means must hold at least 2 values a row, found shape {found.shape}")
    if not np.isfinite(found).all():
        raise ValueError(f"means must be finite, found {found[~np.isfinite(found)][0]}")
    steps = np.diff(found, axis=-1)
    result: FloatArray = np.sqrt(np.square(steps).mean(axis=-1) / 2.0)
    return result


def _constant(values: FloatArray) -> bool:
    return len(values) < 2 or bool((values == values[0]).all())

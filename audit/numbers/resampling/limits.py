"""BCa and t intervals from a bootstrap law, their arithmetic over many laws at once.

BCa moves the two levels at which the law is read: by how far the estimate lies from its median, and
by how the spread changes with the estimate (the acceleration, from leaving each observation out).
The t interval takes nothing from the law but its standard deviation.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri, stdtrit

from audit.numbers._check import FloatArray, as_level, as_size
from audit.numbers.estimate import Interval

from .law import QUANTILE_RULE, Law

__all__ = ["acceleration", "bca_interval", "bca_levels", "t_factor", "t_interval"]


def acceleration(left_out: Sequence[tuple[FloatArray, npt.ArrayLike]]) -> FloatArray:
    """Return the acceleration of BCa from values with each observation left out.

    Parameters
    ----------
    left_out : sequence of (ndarray of shape (k, ...), array_like of shape (k,))
        For each independent group, the values without one observation of each kind, and how many
        observations are of that kind.

    Returns
    -------
    ndarray of float64, shape (...)
        NaN where leaving out an observation changes nothing, or a value is not finite.

    References
    ----------
    Efron, doi:10.1080/01621459.1987.10478410. Several groups: Davison and Hinkley, Bootstrap
    Methods and their Application (1997), 5.3.
    """
    cubes: FloatArray = np.zeros(())
    squares: FloatArray = np.zeros(())
    for values, kinds in left_out:
        many = np.asarray(kinds, dtype=np.float64)
        size = float(many.sum())
        if not size:
            continue
        with np.errstate(invalid="ignore"):
            mean = np.tensordot(many, values, axes=1) / size
            influence = (size - 1.0) / size * (mean - values)
        cubes = np.asarray(cubes + np.tensordot(many, influence**3, axes=1))
        squares = np.asarray(squares + np.tensordot(many, influence**2, axes=1))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(cubes / (6.0 * squares**1.5), dtype=np.float64)


def bca_levels(
    below: npt.ArrayLike, accelerated: npt.ArrayLike, level: float
) -> tuple[FloatArray, FloatArray]:
    """Return the two levels at which BCa reads a law.

    Parameters
    ----------
    below : array_like of float, shape (...)
        The share of the law below the estimate, with half of that at it, in [0, 1].
    accelerated : array_like of float, shape (...)
        The acceleration.
    level : float
        Confidence level, in (0, 1).

    Returns
    -------
    low, high : ndarray of float64, shape (...)
        In [0, 1]; NaN where the estimate lies outside the law, or there is no acceleration.

    Raises
    ------
    ValueError
        If the level is not allowed.
    """
    shift, reach = ndtri(np.asarray(below)), float(ndtri((1.0 + as_level(level)) / 2.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = (
            ndtr(shift + moved / (1.0 - np.asarray(accelerated) * moved))
            for moved in (shift - reach, shift + reach)
        )
    return low, high


def bca_interval(
    law: Law, at: float, accelerated: float, level: float = 0.95, *, tolerance: float = 1e-12
) -> Interval | None:
    """Return the bias-corrected and accelerated interval of a law.

    Parameters
    ----------
    law : Law
    at : float
        The estimate from the data, finite.
    accelerated : float
        As `acceleration` gives it.
    level : float
        Confidence level, in (0, 1).
    tolerance : float
        Relative distance up to which a value of the law is the estimate itself.

    Returns
    -------
    Interval or None
        None if the law or the acceleration does not allow for one.

    Raises
    ------
    ValueError
        If the level is not allowed or the estimate is not finite.

    References
    ----------
    Efron, doi:10.1080/01621459.1987.10478410.
    """
    if not math.isfinite(at):
        raise ValueError(f"at must be finite, found {at!r}")
    level, defined = as_level(level), float(law.weights.sum())
    if not defined > 0.0:
        return None
    near = tolerance * max(abs(at), 1.0)
    under = float(law.weights[law.values < at - near].sum())
    equal = float(law.weights[np.abs(law.values - at) <= near].sum())
    low, high = bca_levels((under + equal / 2.0) / defined, accelerated, level)
    if math.isnan(low) or math.isnan(high):
        return None
    one, other = law.quantile(float(low)), law.quantile(float(high))
    return Interval(
        min(one, other), max(one, other), level, f"bootstrap BCa, {QUANTILE_RULE}, {law.engine}"
    )


def t_factor(blocks: int, level: float) -> float:
    """Return by what to multiply the deviation of a bootstrap law of few blocks.

    The law's deviation has divisor T where the data's own has T - 1; so √(T/(T-1)), times the
    quantile of t with T - 1 degrees of freedom.

    Parameters
    ----------
    blocks : int
        The number T of blocks, at least 2.
    level : float
        Confidence level, in (0, 1).

    Raises
    ------
    ValueError
        If the blocks or the level are not allowed.
    """
    if as_size("blocks", blocks) < 2:
        raise ValueError(f"blocks must be at least 2, found {blocks}")
    quantile = float(stdtrit(blocks - 1, (1.0 + as_level(level)) / 2.0))
    return quantile * math.sqrt(blocks / (blocks - 1.0))


def t_interval(law: Law, at: float, blocks: int, level: float = 0.95) -> Interval | None:
    """Return the t interval around an estimate, its standard error from the law of blocks.

    Of a mean of blocks this is Student's own interval.

    Parameters
    ----------
    law : Law
    at : float
        The estimate from the data.
    blocks : int
        The number T of blocks, at least 2.
    level : float
        Confidence level, in (0, 1).

    Returns
    -------
    Interval or None
        None if the law has no deviation.

    Raises
    ------
    ValueError
        If the blocks or the level are not allowed.

    References
    ----------
    Student, doi:10.1093/biomet/6.1.1.
    """
    half = t_factor(blocks, level) * law.sd
    if not math.isfinite(half) or not math.isfinite(at):
        return None
    return Interval(at - half, at + half, level, f"t on {blocks} blocks, error {law.engine}")

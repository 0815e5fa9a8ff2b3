"""One proportion, and the difference of two independent ones, with their intervals.

Not covered: paired proportions, more than two of them, finite populations.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from scipy.special import ndtri
from scipy.stats import beta

from ._check import as_level, as_share
from .estimate import Choice, Estimate, Interval, Undefined

__all__ = ["DifferenceMethod", "ProportionMethod", "difference", "proportion", "proportion_limits"]

Limits = tuple[float, float]


class ProportionMethod(Choice):
    """How the interval of one proportion is made."""

    CLOPPER_PEARSON = "clopper-pearson"
    WILSON = "wilson"
    JEFFREYS = "jeffreys"
    AGRESTI_COULL = "agresti-coull"
    WALD = "wald"


class DifferenceMethod(Choice):
    """How the interval of a difference of two proportions is made."""

    NEWCOMBE = "newcombe hybrid score"
    AGRESTI_CAFFO = "agresti-caffo"
    WALD = "wald"


def proportion(
    successes: int,
    total: int,
    *,
    level: float = 0.95,
    method: ProportionMethod = ProportionMethod.WILSON,
    counts_out: int = 0,
) -> Estimate:
    """Estimate a proportion from independent trials.

    Parameters
    ----------
    successes, total : int
        Counts, 0 ≤ successes ≤ total.
    level : float
        Confidence level, in (0, 1).
    method : ProportionMethod
        How the interval is made.
    counts_out : int
        Trials left out beforehand, carried into the result.

    Returns
    -------
    Estimate
        The share, in [0, 1]; undefined (``EMPTY``) without trials.

    Raises
    ------
    ValueError
        If the counts, the level or the method are not allowed.

    References
    ----------
    As `proportion_limits`.
    """
    successes, total = as_share(successes, total)
    level, method = as_level(level), ProportionMethod(method)
    if total == 0:
        return Estimate.undefined(Undefined.EMPTY, 0, counts_out)
    low, high = proportion_limits(successes, total, level=level, method=method)
    return Estimate(successes / total, Interval(low, high, level, method), total, counts_out)


def proportion_limits(
    successes: int,
    total: int,
    *,
    level: float = 0.95,
    method: ProportionMethod = ProportionMethod.WILSON,
) -> Limits:
    """Return the two limits of a proportion.

    Parameters
    ----------
    successes, total : int
        Counts, 0 ≤ successes ≤ total, total at least 1.
    level : float
        Confidence level, in (0, 1).
    method : ProportionMethod
        How the limits are made. Only Wald and Agresti–Coull can leave [0, 1]; they are not clipped.

    Returns
    -------
    tuple of float
        Lower and upper limit.

    Raises
    ------
    ValueError
        If the counts, the level or the method are not allowed, or there are no trials.

    References
    ----------
    Clopper and Pearson, doi:10.1093/biomet/26.4.404. Wilson, doi:10.1080/01621459.1927.10502953.
    Jeffreys and Agresti–Coull as in Brown, Cai and DasGupta, doi:10.1214/ss/1009213286.
    """
    successes, total = as_share(successes, total)
    if total == 0:
        raise ValueError("limits need at least one trial, found total 0")
    return _LIMITS[ProportionMethod(method)](successes, total, as_level(level))


def difference(
    successes_first: int,
    total_first: int,
    successes_second: int,
    total_second: int,
    *,
    level: float = 0.95,
    method: DifferenceMethod = DifferenceMethod.NEWCOMBE,
    counts_out: int = 0,
) -> Estimate:
    """Estimate the difference, first minus second, of two independent proportions.

    Parameters
    ----------
    successes_first, total_first, successes_second, total_second : int
        Counts, in each sample 0 ≤ successes ≤ total.
    level : float
        Confidence level, in (0, 1).
    method : DifferenceMethod
        How the interval is made. Only the Newcombe interval stays within [-1, 1].
    counts_out : int
        Trials left out beforehand, carried into the result.

    Returns
    -------
    Estimate
        The difference, in [-1, 1]; undefined (``EMPTY``) if a sample has no trials.

    Raises
    ------
    ValueError
        If the counts, the level or the method are not allowed.

    References
    ----------
    Newcombe, doi:10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I, method 10.
    Agresti and Caffo, doi:10.1080/00031305.2000.10474560.
    """
    x1, n1 = as_share(successes_first, total_first)
    x2, n2 = as_share(successes_second, total_second)
    level, method = as_level(level), DifferenceMethod(method)
    if 0 in (n1, n2):
        return Estimate.undefined(Undefined.EMPTY, n1 + n2, counts_out)
    low, high = _DIFFERENCE_LIMITS[method](x1, n1, x2, n2, level)
    # One division of whole numbers, so that equal rates differ by exactly 0.
    value = (x1 * n2 - x2 * n1) / (n1 * n2)
    return Estimate(value, Interval(low, high, level, method), n1 + n2, counts_out)


def _z(level: float) -> float:
    return float(ndtri((1.0 + level) / 2.0))


def _clopper_pearson(x: int, n: int, level: float) -> Limits:
    tail = (1.0 - level) / 2.0
    low = 0.0 if x == 0 else float(beta.ppf(tail, x, n - x + 1))
    high = 1.0 if x == n else float(beta.isf(tail, x + 1, n - x))
    return low, high


def _wilson(x: int, n: int, level: float) -> Limits:
    z2 = _z(level) ** 2
    centre = (x + z2 / 2.0) / (n + z2)
    half = math.sqrt(z2 * (x * (n - x) / n + z2 / 4.0)) / (n + z2)
    # At 0 and n the limit is exact in the reals; rounding must not move it off the edge.
    return (0.0 if x == 0 else centre - half), (1.0 if x == n else centre + half)


def _jeffreys(x: int, n: int, level: float) -> Limits:
    tail = (1.0 - level) / 2.0
    low = 0.0 if x == 0 else float(beta.ppf(tail, x + 0.5, n - x + 0.5))
    high = 1.0 if x == n else float(beta.isf(tail, x + 0.5, n - x + 0.5))
    return low, high


def _agresti_coull(x: int, n: int, level: float) -> Limits:
    z = _z(level)
    trials = n + z * z
    centre = (x + z * z / 2.0) / trials
    half = z * math.sqrt(centre * (1.0 - centre) / trials)
    return centre - half, centre + half


def _wald(x: int, n: int, level: float) -> Limits:
    half = _z(level) * math.sqrt(x * (n - x) / n) / n
    return x / n - half, x / n + half


def _newcombe(x1: int, n1: int, x2: int, n2: int, level: float) -> Limits:
    p1, p2 = x1 / n1, x2 / n2
    low1, high1 = _wilson(x1, n1, level)
    low2, high2 = _wilson(x2, n2, level)
    return (
        p1 - p2 - math.hypot(p1 - low1, high2 - p2),
        p1 - p2 + math.hypot(high1 - p1, p2 - low2),
    )


def _agresti_caffo(x1: int, n1: int, x2: int, n2: int, level: float) -> Limits:
    # One success and one failure more in each sample.
    p1, p2 = (x1 + 1) / (n1 + 2), (x2 + 1) / (n2 + 2)
    half = _z(level) * math.sqrt(p1 * (1 - p1) / (n1 + 2) + p2 * (1 - p2) / (n2 + 2))
    return p1 - p2 - half, p1 - p2 + half


def _wald_difference(x1: int, n1: int, x2: int, n2: int, level: float) -> Limits:
    p1, p2 = x1 / n1, x2 / n2
    half = _z(level) * math.sqrt(p1 * (1 - p1) / n1 + p2 * (1 - p2) / n2)
    return p1 - p2 - half, p1 - p2 + half


_LIMITS: dict[ProportionMethod, Callable[[int, int, float], Limits]] = {
    ProportionMethod.CLOPPER_PEARSON: _clopper_pearson,
    ProportionMethod.WILSON: _wilson,
    ProportionMethod.JEFFREYS: _jeffreys,
    ProportionMethod.AGRESTI_COULL: _agresti_coull,
    ProportionMethod.WALD: _wald,
}

_DIFFERENCE_LIMITS: dict[DifferenceMethod, Callable[[int, int, int, int, float], Limits]] = {
    DifferenceMethod.NEWCOMBE: _newcombe,
    DifferenceMethod.AGRESTI_CAFFO: _agresti_caffo,
    DifferenceMethod.WALD: _wald_difference,
}

"""Odds ratio, risk ratio and risk difference of a two-by-two table.

Rows are the two samples, columns are event and no event: ``[[a, b], [c, d]]``.
Not covered: strata, matched pairs, Baptista–Pike and Blaker intervals.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy.typing as npt
from scipy.special import ndtri

from ._check import IntArray, as_level, as_two_by_two
from .conditional import conditional_limits, conditional_mle, mid_p_limits
from .estimate import Choice, Estimate, Interval, Undefined
from .proportion import DifferenceMethod, difference

__all__ = ["OddsInterval", "OddsKind", "odds_ratio", "risk_difference", "risk_ratio"]


class OddsKind(Choice):
    """Which odds ratio is estimated."""

    SAMPLE = "sample"
    """ad/bc."""
    CONDITIONAL = "conditional maximum likelihood"
    """The maximum of the likelihood given both margins; what R's fisher.test prints."""
    HALDANE = "haldane-anscombe"
    """ad/bc after adding ½ to all four cells, whether or not one is empty."""


class OddsInterval(Choice):
    """How the interval of an odds ratio is made."""

    WOOLF = "woolf"
    """Normal on the logarithm; with ``HALDANE`` from the enlarged cells."""
    CONDITIONAL_EXACT = "conditional exact"
    """Each tail given the margins holds at most (1 - level)/2; agrees with Fisher's central p."""
    MID_P = "mid-p"
    """The same with half the probability of the table seen; shorter, no guarantee of coverage."""


def odds_ratio(
    table: npt.ArrayLike,
    *,
    kind: OddsKind = OddsKind.SAMPLE,
    interval: OddsInterval = OddsInterval.CONDITIONAL_EXACT,
    level: float = 0.95,
    counts_out: int = 0,
) -> Estimate:
    """Estimate the odds ratio of a two-by-two table.

    Parameters
    ----------
    table : array_like of int, shape (2, 2)
        The counts.
    kind : OddsKind
        Which odds ratio.
    interval : OddsInterval
        How its interval is made.
    level : float
        Confidence level, in (0, 1).
    counts_out : int
        Observations left out beforehand, carried into the result.

    Returns
    -------
    Estimate
        The ratio, in [0, ∞]. With an empty cell it is 0 or ∞ (``SEPARATED``), with a one-sided
        exact or mid-p interval and no Woolf interval. With an empty margin it is undefined
        (``ZERO_DENOMINATOR``) and the exact and mid-p intervals are (0, ∞). ``HALDANE`` is finite
        unless the table is empty (``EMPTY``), and says ``SEPARATED`` where a cell was empty.

    Raises
    ------
    ValueError
        If the table, the kind, the interval or the level are not allowed.

    References
    ----------
    Woolf, doi:10.1111/j.1469-1809.1955.tb01348.x. Haldane, doi:10.1111/j.1469-1809.1955.tb01285.x.
    Exact interval: Fay, doi:10.1093/biostatistics/kxp050. Mid-p: Lancaster,
    doi:10.1080/01621459.1961.10482105.
    """
    counts = as_two_by_two(table)
    kind, interval, level = OddsKind(kind), OddsInterval(interval), as_level(level)
    total = int(counts.sum())
    if total == 0:
        return Estimate.undefined(Undefined.EMPTY, 0, counts_out)
    limits = _LIMITS[interval](counts, kind, level)
    span = None if limits is None else Interval(*limits, level, interval)
    reason = _reason(counts)
    if reason is Undefined.ZERO_DENOMINATOR and kind is not OddsKind.HALDANE:
        return Estimate.undefined(reason, total, counts_out, span)
    return Estimate(_point(counts, kind), span, total, counts_out, reason)


def risk_ratio(table: npt.ArrayLike, *, level: float = 0.95, counts_out: int = 0) -> Estimate:
    """Estimate the ratio of two rates, first row over second, with the Katz log interval.

    Parameters
    ----------
    table : array_like of int, shape (2, 2)
        The counts, rows are samples, the first column is the event.
    level : float
        Confidence level, in (0, 1).
    counts_out : int
        Observations left out beforehand, carried into the result.

    Returns
    -------
    Estimate
        The ratio, in [0, ∞]; 0 or ∞ without interval (``SEPARATED``) if one sample has no event;
        undefined if a sample is empty (``EMPTY``) or neither has one (``ZERO_DENOMINATOR``).
        Without variance in both samples the interval is missing (``NO_SPREAD``).

    Raises
    ------
    ValueError
        If the table or the level are not allowed.

    References
    ----------
    Katz, Baptista, Azen and Pike, doi:10.2307/2530610.
    """
    counts, level = as_two_by_two(table), as_level(level)
    (a, b), (c, d) = counts.tolist()
    total = a + b + c + d
    if 0 in (a + b, c + d):
        return Estimate.undefined(Undefined.EMPTY, total, counts_out)
    if a == c == 0:
        return Estimate.undefined(Undefined.ZERO_DENOMINATOR, total, counts_out)
    if 0 in (a, c):
        edge = 0.0 if a == 0 else math.inf
        return Estimate(edge, None, total, counts_out, Undefined.SEPARATED)
    value = (a * (c + d)) / (c * (a + b))
    if b == d == 0:
        return Estimate(value, None, total, counts_out, Undefined.NO_SPREAD)
    error = math.sqrt(1 / a - 1 / (a + b) + 1 / c - 1 / (c + d))
    span = Interval(*_log_normal(value, error, level), level, "katz log")
    return Estimate(value, span, total, counts_out)


def risk_difference(
    table: npt.ArrayLike,
    *,
    level: float = 0.95,
    method: DifferenceMethod = DifferenceMethod.NEWCOMBE,
    counts_out: int = 0,
) -> Estimate:
    """Estimate the difference of two rates, first row minus second.

    Parameters
    ----------
    table : array_like of int, shape (2, 2)
        The counts, rows are samples, the first column is the event.
    level : float
        Confidence level, in (0, 1).
    method : DifferenceMethod
        How the interval is made.
    counts_out : int
        Observations left out beforehand, carried into the result.

    Returns
    -------
    Estimate
        As `proportion.difference`.

    Raises
    ------
    ValueError
        If the table, the level or the method are not allowed.
    """
    (a, b), (c, d) = as_two_by_two(table).tolist()
    return difference(a, a + b, c, c + d, level=level, method=method, counts_out=counts_out)


def _reason(counts: IntArray) -> Undefined | None:
    if 0 in counts.sum(axis=0) or 0 in counts.sum(axis=1):
        return Undefined.ZERO_DENOMINATOR
    return Undefined.SEPARATED if 0 in counts else None


def _point(counts: IntArray, kind: OddsKind) -> float:
    if kind is OddsKind.CONDITIONAL:
        return conditional_mle(counts)
    shift = 0.5 if kind is OddsKind.HALDANE else 0.0
    (a, b), (c, d) = (counts + shift).tolist()
    return math.inf if b * c == 0.0 else (a * d) / (b * c)


def _woolf(counts: IntArray, kind: OddsKind, level: float) -> tuple[float, float] | None:
    cells = counts + (0.5 if kind is OddsKind.HALDANE else 0.0)
    if (cells == 0.0).any():
        return None
    centre, error = _point(counts, kind), math.sqrt(float((1.0 / cells).sum()))
    return _log_normal(centre, error, level)


_LIMITS: dict[OddsInterval, Callable[[IntArray, OddsKind, float], tuple[float, float] | None]] = {
    OddsInterval.WOOLF: _woolf,
    OddsInterval.CONDITIONAL_EXACT: lambda counts, _, level: conditional_limits(
        counts, level=level
    ),
    OddsInterval.MID_P: lambda counts, _, level: mid_p_limits(counts, level=level),
}


def _log_normal(value: float, error: float, level: float) -> tuple[float, float]:
    factor = math.exp(float(ndtri((1.0 + level) / 2.0)) * error)
    return value / factor, value * factor

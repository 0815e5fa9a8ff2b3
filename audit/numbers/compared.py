"""Two independent shares compared through their intervals, however these were made."""

from __future__ import annotations

import math
from collections.abc import Callable

from .estimate import Estimate, Interval, Undefined
from .match_bounds import MatchBounds

__all__ = ["bounds_of", "difference_of", "odds_ratio_of"]


def difference_of(first: Estimate, second: Estimate) -> Estimate:
    """Estimate the difference of two independent shares from their intervals.

    Parameters
    ----------
    first, second : Estimate
        Shares with intervals of one level.

    Returns
    -------
    Estimate
        In [-1, 1]; undefined where either is, its interval made of what both still exclude.

    References
    ----------
    Newcombe, doi:10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I, method 10.
    """
    return _combined(first, second, lambda share: share, lambda value: value)


def odds_ratio_of(first: Estimate, second: Estimate) -> Estimate:
    """Estimate the odds ratio of two independent shares from their intervals.

    Parameters
    ----------
    first, second : Estimate
        Shares with intervals of one level.

    Returns
    -------
    Estimate
        In [0, ∞], limits too; undefined where either is or where it is 0/0.

    References
    ----------
    Zou and Donner, doi:10.1002/sim.3095, on the logarithms of the odds.
    """
    return _combined(first, second, _log_odds, _exp)


def bounds_of(
    compare: Callable[[Estimate, Estimate], Estimate], first: MatchBounds, second: MatchBounds
) -> MatchBounds:
    """Return between what a comparison of two bounded shares lies.

    Parameters
    ----------
    compare : callable
        `difference_of` or `odds_ratio_of`.
    first, second : MatchBounds

    Returns
    -------
    MatchBounds
        From the least of the first against the most of the second to the reverse.
    """
    least, most = compare(first.least, second.most), compare(first.most, second.least)
    low = least.interval.low if least.interval else -math.inf
    high = most.interval.high if most.interval else math.inf
    return MatchBounds(least, most, Interval(low, high, first.interval.level, "bounds compared"))


def _combined(
    first: Estimate,
    second: Estimate,
    scale: Callable[[float], float],
    back: Callable[[float], float],
) -> Estimate:
    counts = first.counts_in + second.counts_in, first.counts_out + second.counts_out
    one, two = first.interval, second.interval
    if one is None or two is None:
        without = first if one is None else second
        return Estimate.undefined(without.reason or Undefined.TOO_FEW, *counts)
    value = scale(first.value) - scale(second.value)
    corners = scale(one.low) - scale(two.high), scale(one.high) - scale(two.low)
    if math.isfinite(value):
        down = math.hypot(
            scale(first.value) - scale(one.low), scale(two.high) - scale(second.value)
        )
        up = math.hypot(scale(one.high) - scale(first.value), scale(second.value) - scale(two.low))
        corners = value - down, value + up
    if any(math.isnan(corner) for corner in corners):
        return Estimate.undefined(Undefined.ZERO_DENOMINATOR, *counts)
    name = one.method if one.method == two.method else f"{one.method}; {two.method}"
    span = Interval(back(corners[0]), back(corners[1]), one.level, name)
    if math.isnan(value):
        known = first.reason or second.reason or Undefined.ZERO_DENOMINATOR
        return Estimate.undefined(known, *counts, span)
    return Estimate(back(value), span, *counts)


def _log_odds(share: float) -> float:
    if share in (0.0, 1.0):
        return math.inf if share else -math.inf
    return math.log(share / (1.0 - share))


def _exp(value: float) -> float:
    return math.exp(value) if value < 700.0 else math.inf

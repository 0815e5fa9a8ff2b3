"""Two samples with a rater who errs in each by its own rates: what is left, and what undoes it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy.typing as npt

from ._check import as_level, as_two_by_two
from .estimate import Estimate, Undefined
from .misclassified import rogan_gladen
from .recovery import CellLimits, cell_limits

__all__ = ["ErrorRates", "Tipping", "corrected_odds_ratio", "tipping_error"]

_STEPS = 60
"""Halvings of [0, 1]: past the last digit of a float."""


@dataclass(frozen=True, slots=True)
class ErrorRates:
    """A rater's sensitivity and specificity in one sample, each in [0, 1]."""

    sensitivity: float
    specificity: float


@dataclass(frozen=True, slots=True)
class Tipping:
    """The smallest error in one of two samples that leaves no difference between their shares.

    Attributes
    ----------
    false_alarms : float
        Share of the true no called yes in the sample of the larger share, the other being free of
        them, at which the shares are equal; in [0, 1].
    misses : float
        Share of the true yes called no in the sample of the smaller share, the other being free of
        them; in [0, 1].
    false_alarms_unclear, misses_unclear : float
        The same at which the interval of the difference first holds 0; 0 if it already does.
    false_alarms_a_turn : float
        What the first comes to for each of the turns of a match; NaN without turns.
    """

    false_alarms: float
    misses: float
    false_alarms_unclear: float
    misses_unclear: float
    false_alarms_a_turn: float


def corrected_odds_ratio(table: npt.ArrayLike, first: ErrorRates, second: ErrorRates) -> Estimate:
    """Estimate the odds ratio of two samples if the rater had not erred.

    Parameters
    ----------
    table : array_like of int, shape (2, 2)
        A row a sample: called yes, called no.
    first, second : ErrorRates
        Of the rater in each; known, so that no interval follows.

    Returns
    -------
    Estimate
        Undefined without a sample (``EMPTY``), where the rater does no better than a coin
        (``ZERO_DENOMINATOR``), and where a corrected share leaves [0, 1] (``SEPARATED``): the rates
        and the shares then cannot both be right.

    Raises
    ------
    ValueError
        If the table or a rate is not allowed.

    References
    ----------
    Rogan and Gladen, doi:10.1093/oxfordjournals.aje.a112510, for each row. Fox, MacLehose and Lash,
    doi:10.1007/978-3-030-82673-4, chapter 6.
    """
    counts = as_two_by_two(table)
    totals, everything = counts.sum(axis=1), int(counts.sum())
    if 0 in totals:
        return Estimate.undefined(Undefined.EMPTY, everything)
    if any(rates.sensitivity + rates.specificity <= 1.0 for rates in (first, second)):
        return Estimate.undefined(Undefined.ZERO_DENOMINATOR, everything)
    one, two = (
        rogan_gladen(yes / total, rates.sensitivity, rates.specificity)
        for yes, total, rates in zip(counts[:, 0], totals, (first, second), strict=True)
    )
    if not (0.0 <= one <= 1.0 and 0.0 <= two <= 1.0):
        return Estimate.undefined(Undefined.SEPARATED, everything)
    top, bottom = one * (1.0 - two), two * (1.0 - one)
    if top == bottom == 0.0:
        return Estimate.undefined(Undefined.ZERO_DENOMINATOR, everything)
    return Estimate(top / bottom if bottom else math.inf, None, everything)


def tipping_error(
    table: npt.ArrayLike, *, turns: float = math.nan, level: float = 0.95
) -> Tipping | None:
    """Return the smallest error, of one sample only, that explains a difference away.

    Parameters
    ----------
    table : array_like of int, shape (2, 2)
        A row a sample: called yes, called no.
    turns : float
        Mean turns of a match in the sample of the larger share, above 0; NaN if there are none.
    level : float
        Confidence level of the difference, in (0, 1).

    Returns
    -------
    Tipping or None
        None if the shares are equal or a sample is empty: there is nothing to explain.

    Raises
    ------
    ValueError
        If an argument is not allowed.
    """
    (a, b), (c, d) = as_two_by_two(table).tolist()
    level = as_level(level)
    if 0 in (a + b, c + d) or a * (c + d) == c * (a + b):
        return None
    if a * (c + d) < c * (a + b):
        a, b, c, d = c, d, a, b
    high, low, sizes = a / (a + b), c / (c + d), (a + b, c + d)
    alarms, misses = (high - low) / (1.0 - low), 1.0 - low / high

    def clear(first: float, second: float) -> bool:
        return _clear(first, second, sizes, level)

    return Tipping(
        false_alarms=alarms,
        misses=misses,
        false_alarms_unclear=_smallest(lambda e: clear((high - e) / (1.0 - e), low), alarms),
        misses_unclear=_smallest(lambda e: clear(high, low / (1.0 - e)), misses),
        false_alarms_a_turn=1.0 - (1.0 - alarms) ** (1.0 / turns),
    )


def _clear(high: float, low: float, sizes: tuple[int, int], level: float) -> bool:
    """Return whether the interval of a difference lies above 0, each share being of its size."""
    lows, highs = cell_limits([high, low], sizes, level, CellLimits.WILSON)
    return high - low > math.hypot(high - lows[0], highs[1] - low)


def _smallest(clear: Callable[[float], bool], equal: float) -> float:
    """Return the smallest error that leaves no clear difference; ``equal`` leaves none at all."""
    if not clear(0.0):
        return 0.0
    below, above = 0.0, equal
    for _ in range(_STEPS):
        middle = (below + above) / 2.0
        below, above = (middle, above) if clear(middle) else (below, middle)
    return above

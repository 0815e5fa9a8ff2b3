"""A share as a rater sees it, and the share that it would be without the rater's errors.

Corrections that differ in how the checked items were drawn: by what they are, or by what the
rater said of them. Errors that differ between the samples compared are in `differential`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from scipy.special import ndtri
from scipy.stats import beta

from ._check import FloatArray, as_level, as_share
from .estimate import Estimate, Interval, Undefined

__all__ = ["clipped", "corrected_share", "plug_in_share", "reweighted_share", "rogan_gladen"]

# Quantiles that stand for each rate's posterior; their product, a million points, for all three.
_GRID = 101


def rogan_gladen(share: float, sensitivity: float, specificity: float) -> float:
    """Return the true share behind an apparent one, the rater's error rates being known.

    Parameters
    ----------
    share, sensitivity, specificity : float
        Each in [0, 1]; the last two with a sum above 1, or the rater does no better than a coin.

    Returns
    -------
    float
        The share, which is not clipped: below 0 or above 1 the three cannot hold together.

    Raises
    ------
    ValueError
        If an argument is outside its range.

    References
    ----------
    Rogan and Gladen, doi:10.1093/oxfordjournals.aje.a112510.
    """
    for name, value in (
        ("share", share),
        ("sensitivity", sensitivity),
        ("specificity", specificity),
    ):
        if not 0.0 <= value <= 1.0:
            raise ValueError(f"{name} must lie in [0, 1], found {value!r}")
    if sensitivity + specificity <= 1.0:
        found = sensitivity + specificity
        raise ValueError(f"sensitivity + specificity must be above 1, found {found!r}")
    return (share + specificity - 1.0) / (sensitivity + specificity - 1.0)


def corrected_share(
    positive: int,
    total: int,
    *,
    hits: int,
    misses: int,
    rejections: int,
    false_alarms: int,
    level: float = 0.95,
) -> Estimate:
    """Estimate a share corrected by sensitivity and specificity, both from a checked sample.

    Parameters
    ----------
    positive, total : int
        What the rater says of the whole material, 0 ≤ positive ≤ total.
    hits, misses, rejections, false_alarms : int
        Of the checked items: truly positive and called so or not, truly negative and called so or
        not.
    level : float
        Confidence level, in (0, 1).

    Returns
    -------
    Estimate
        `rogan_gladen` at the rates seen, unclipped, with the central interval over Jeffreys
        posteriors of the three rates, from a grid of their quantiles. Undefined if either kind of
        checked item is missing (``EMPTY``) or if the rater does no better than a coin
        (``ZERO_DENOMINATOR``).

    Raises
    ------
    ValueError
        If the counts or the level are not allowed.

    References
    ----------
    Rogan and Gladen, doi:10.1093/oxfordjournals.aje.a112510.
    """
    counts = _counts(positive, total, hits, hits + misses, rejections, rejections + false_alarms)
    # Sensitivity + specificity above 1, without dividing.
    if hits * rejections <= misses * false_alarms and 0 not in (n for _, n in counts):
        return Estimate.undefined(Undefined.ZERO_DENOMINATOR, total)

    def value(share: FloatArray, sensitivity: FloatArray, specificity: FloatArray) -> FloatArray:
        return (share + specificity - 1.0) / (sensitivity + specificity - 1.0)

    return _estimate(value, counts, level)


def reweighted_share(
    positive: int,
    total: int,
    *,
    hits: int,
    misses: int,
    rejections: int,
    false_alarms: int,
    level: float = 0.95,
) -> Estimate:
    """Estimate a share from how often the rater is right where it says yes, and where it says no.

    Parameters
    ----------
    positive, total : int
        What the rater says of the whole material, 0 ≤ positive ≤ total.
    hits, misses, rejections, false_alarms : int
        Of the checked items, drawn by what the rater said: as for `corrected_share`.
    level : float
        Confidence level, in (0, 1).

    Returns
    -------
    Estimate
        The mean of both error rates weighted by the whole material, in [0, 1], with an interval
        as for `corrected_share`; undefined if the rater said only yes or only no of the checked
        items (``EMPTY``).

    Raises
    ------
    ValueError
        If the counts or the level are not allowed.
    """
    counts = _counts(positive, total, hits, hits + false_alarms, misses, misses + rejections)

    def value(share: FloatArray, right: FloatArray, wrong: FloatArray) -> FloatArray:
        return share * right + (1.0 - share) * wrong

    return _estimate(value, counts, level)


def plug_in_share(
    positive: int,
    total: int,
    *,
    hits: int,
    misses: int,
    rejections: int,
    false_alarms: int,
    level: float = 0.95,
) -> Estimate:
    """Estimate a share corrected by sensitivity and specificity, with Lee's plug-in interval.

    Parameters
    ----------
    positive, total, hits, misses, rejections, false_alarms, level
        As for `corrected_share`.

    Returns
    -------
    Estimate
        `rogan_gladen` at the rates seen, unclipped. Pseudocounts enter the rates of the interval
        on both sides, and its middle is moved by their curvature; there is none where, with
        these, the rater does no better than a coin (``ZERO_DENOMINATOR``). Undefined as
        `corrected_share` is.

    Raises
    ------
    ValueError
        If the counts or the level are not allowed.

    References
    ----------
    Lee et al. (2025), doi:10.48550/arXiv.2511.21140.
    """
    counts = _counts(positive, total, hits, hits + misses, rejections, rejections + false_alarms)
    z = float(ndtri((1.0 + as_level(level)) / 2.0))
    if 0 in (n for _, n in counts):
        return Estimate.undefined(Undefined.EMPTY, total)
    if hits * rejections <= misses * false_alarms:
        return Estimate.undefined(Undefined.ZERO_DENOMINATOR, total)
    added = (z * z / 2.0, 1.0, 1.0)
    sizes = [n + 2.0 * more for (_, n), more in zip(counts, added, strict=True)]
    rates = [(x + more) / n for (x, _), n, more in zip(counts, sizes, added, strict=True)]
    share, right, wrong = (r * (1.0 - r) / n for r, n in zip(rates, sizes, strict=True))
    seen, better = rogan_gladen(*(x / n for x, n in counts)), rates[1] + rates[2] - 1.0
    if better <= 0.0:
        return Estimate(seen, None, total, reason=Undefined.ZERO_DENOMINATOR)
    middle = (rates[0] + rates[2] - 1.0) / better
    half = z * math.sqrt(share + (1.0 - middle) ** 2 * wrong + middle**2 * right) / better
    middle += 2.0 * z * z * (middle * right - (1.0 - middle) * wrong)
    return Estimate(seen, Interval(middle - half, middle + half, level, "plug-in"), total)


def clipped(share: Estimate) -> Estimate:
    """Return a share and its interval moved into [0, 1]; what leaves it stays known to the caller.

    Parameters
    ----------
    share : Estimate
        With or without an interval, or undefined.
    """
    if not share.defined:
        return share
    span, value = share.interval, min(max(share.value, 0.0), 1.0)
    if span is not None:
        low, high = (min(max(end, 0.0), 1.0) for end in (span.low, span.high))
        span = Interval(low, high, span.level, f"{span.method}, clipped")
    return replace(share, value=value, interval=span)


def _counts(*counts: int) -> list[tuple[int, int]]:
    return [as_share(*pair) for pair in zip(counts[::2], counts[1::2], strict=True)]


def _estimate(
    value: Callable[[FloatArray, FloatArray, FloatArray], FloatArray],
    counts: list[tuple[int, int]],
    level: float,
) -> Estimate:
    level, total = as_level(level), counts[0][1]
    if 0 in (n for _, n in counts):
        return Estimate.undefined(Undefined.EMPTY, total)
    middle = (np.arange(_GRID) + 0.5) / _GRID
    axes = [beta.ppf(middle, x + 0.5, n - x + 0.5) for x, n in counts]
    point = float(value(*(np.array(x / n) for x, n in counts)))
    surface = value(*np.meshgrid(*axes, indexing="ij", sparse=True)).ravel()
    tail = (1.0 - level) / 2.0
    low, high = np.quantile(surface, [tail, 1.0 - tail]).tolist()
    return Estimate(point, Interval(low, high, level, "jeffreys posteriors"), total)

"""Tests that two rows of a two-by-two table share one rate.

Not covered: unconditional exact tests (Barnard, Boschloo), larger tables, strata.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr
from scipy.stats import chi2

from ._check import FloatArray, IntArray, as_share, as_two_by_two
from .estimate import Alternative, Choice, PValue, Undefined

__all__ = ["TwoSided", "chi_square", "fisher", "pooled_z"]


class TwoSided(Choice):
    """What "as extreme" means on the other side of Fisher's test."""

    MINLIKE = "minimum likelihood"
    """Every table that is no likelier than the one seen; what R and scipy print."""
    CENTRAL = "central"
    """Twice the smaller one-sided p-value; the rule that agrees with the exact interval."""


def pooled_z(
    successes_first: int,
    total_first: int,
    successes_second: int,
    total_second: int,
    *,
    alternative: Alternative = Alternative.TWO_SIDED,
) -> PValue:
    """Test two independent proportions by the normal score with the pooled rate.

    Parameters
    ----------
    successes_first, total_first, successes_second, total_second : int
        Counts, in each sample 0 ≤ successes ≤ total.
    alternative : Alternative
        ``GREATER`` means that the first rate is the higher one.

    Returns
    -------
    PValue
        z and its p-value; its square is `chi_square` without correction. Undefined if a sample is
        empty (``EMPTY``) or all trials ended alike (``ZERO_DENOMINATOR``).

    Raises
    ------
    ValueError
        If the counts or the alternative are not allowed.
    """
    x1, n1 = as_share(successes_first, total_first)
    x2, n2 = as_share(successes_second, total_second)
    alternative = Alternative(alternative)
    total, successes = n1 + n2, x1 + x2
    if 0 in (n1, n2):
        return _no_p(alternative, "pooled z", total, Undefined.EMPTY)
    if successes in (0, total):
        return _no_p(alternative, "pooled z", total, Undefined.ZERO_DENOMINATOR)
    z = (x1 * n2 - x2 * n1) / math.sqrt(successes * (total - successes) * n1 * n2 / total)
    p = {
        Alternative.GREATER: float(ndtr(-z)),
        Alternative.LESS: float(ndtr(z)),
        Alternative.TWO_SIDED: 2.0 * float(ndtr(-abs(z))),
    }[alternative]
    return PValue(z, p, alternative, "pooled z", total)


def chi_square(table: npt.ArrayLike, *, yates: bool) -> PValue:
    """Test independence in a two-by-two table by Pearson's chi-square with one degree of freedom.

    Parameters
    ----------
    table : array_like of int, shape (2, 2)
        The counts.
    yates : bool
        Whether to apply the continuity correction. Required, since printed values differ by it.

    Returns
    -------
    PValue
        The statistic, at least 0, and its p-value; undefined (``EMPTY``, ``ZERO_DENOMINATOR``)
        if the table or a margin is empty.

    Raises
    ------
    ValueError
        If the table is not allowed.

    References
    ----------
    Yates, doi:10.2307/2983604.
    """
    counts = as_two_by_two(table)
    method = "chi-square, Yates" if yates else "chi-square"
    reason = _empty_margin(counts)
    total = int(counts.sum())
    if reason is not None:
        return _no_p(Alternative.TWO_SIDED, method, total, reason)
    (a, b), (c, d) = counts.tolist()
    margins = (a + b) * (c + d) * (a + c) * (b + d)
    # The correction moves the cells at most as far as their expectation, never past it.
    distance = max(abs(a * d - b * c) - (total / 2.0 if yates else 0.0), 0.0)
    statistic = total * distance**2 / margins
    return PValue(statistic, float(chi2.sf(statistic, 1)), Alternative.TWO_SIDED, method, total)


def fisher(
    table: npt.ArrayLike,
    *,
    alternative: Alternative = Alternative.TWO_SIDED,
    two_sided: TwoSided = TwoSided.MINLIKE,
) -> PValue:
    """Test independence in a two-by-two table given both margins.

    Parameters
    ----------
    table : array_like of int, shape (2, 2)
        The counts.
    alternative : Alternative
        ``GREATER`` means an odds ratio ad/bc above 1.
    two_sided : TwoSided
        The rule for two sides. Beside an exact interval of the odds ratio only ``CENTRAL`` never
        contradicts it.

    Returns
    -------
    PValue
        The upper left cell as the statistic, and the p-value, which is enumerated; an empty margin
        leaves one table only, and p = 1. Undefined (``EMPTY``) without counts.

    Raises
    ------
    ValueError
        If the table, the alternative or the rule are not allowed.

    References
    ----------
    Fisher, doi:10.2307/2342435. On the two rules: Fay, doi:10.1093/biostatistics/kxp050.
    """
    counts = as_two_by_two(table)
    alternative, two_sided = Alternative(alternative), TwoSided(two_sided)
    total = int(counts.sum())
    sided = f", {two_sided}" if alternative is Alternative.TWO_SIDED else ""
    if total == 0:
        return _no_p(alternative, f"fisher{sided}", 0, Undefined.EMPTY)
    less, greater, minlike = _fisher_tails(counts)
    p = {
        Alternative.LESS: less,
        Alternative.GREATER: greater,
        Alternative.TWO_SIDED: (
            minlike if two_sided is TwoSided.MINLIKE else 2.0 * min(less, greater)
        ),
    }[alternative]
    return PValue(float(counts[0, 0]), min(p, 1.0), alternative, f"fisher{sided}", total)


def _fisher_tails(counts: IntArray) -> tuple[float, float, float]:
    first, column, total = int(counts[0].sum()), int(counts[:, 0].sum()), int(counts.sum())
    low = max(0, first + column - total)
    mass = _hypergeometric(low, min(first, column), first, column, total)
    seen = int(counts[0, 0]) - low
    # Tables of the same probability must be counted in spite of rounding; 1e-7 is R's own slack.
    likely = mass[seen] * (1.0 + 1e-7)
    return (
        math.fsum(mass[: seen + 1]),
        math.fsum(mass[seen:]),
        math.fsum(mass[mass <= likely]),
    )


def _hypergeometric(low: int, high: int, first: int, column: int, total: int) -> FloatArray:
    """Return the probability of every count from ``low`` to ``high``, which are all there are.

    Each is had from the one before it: scipy's own law takes minutes for 100,000 trials.
    """
    cells = np.arange(low, high, dtype=np.float64)
    steps = np.log((column - cells) * (first - cells))
    steps -= np.log((cells + 1.0) * (total - column - first + cells + 1.0))
    logs = np.concatenate(([0.0], np.cumsum(steps)))
    mass: FloatArray = np.exp(logs - logs.max())
    mass /= math.fsum(mass)
    return mass


def _empty_margin(counts: IntArray) -> Undefined | None:
    if counts.sum() == 0:
        return Undefined.EMPTY
    margins = [*counts.sum(axis=0).tolist(), *counts.sum(axis=1).tolist()]
    return Undefined.ZERO_DENOMINATOR if 0 in margins else None


def _no_p(alternative: Alternative, method: str, total: int, reason: Undefined) -> PValue:
    return PValue(math.nan, math.nan, alternative, method, total, reason)

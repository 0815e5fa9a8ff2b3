"""Whether several samples share one rate, or whether their rates rise along a scale.

Not covered: categories beyond event and no event, strata, comparisons of single pairs.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr
from scipy.stats import chi2

from ._check import IntArray, as_counts, as_numbers, same_length
from .estimate import Alternative, PValue, Undefined

__all__ = [
    "ENUMERATED_STATES",
    "ENUMERATED_TRIALS",
    "enumerated_homogeneity",
    "homogeneity",
    "trend",
]

ENUMERATED_STATES = 150_000
"""The most intermediate sums that an enumeration of tables may hold."""
ENUMERATED_TRIALS = 3_000
"""The most trials that it may be of, whose numbers of ways have a digit for every few of them."""


def homogeneity(successes: npt.ArrayLike, totals: npt.ArrayLike) -> PValue:
    """Test that samples share one rate, by Pearson's chi-square.

    Parameters
    ----------
    successes, totals : array_like of int, shape (samples,)
        Counts, in each sample 0 ≤ successes ≤ total and total at least 1.

    Returns
    -------
    PValue
        The statistic with one degree of freedom fewer than samples; undefined for one sample
        (``TOO_FEW``) or if all trials ended alike (``ZERO_DENOMINATOR``).

    Raises
    ------
    ValueError
        If the counts are not allowed.

    References
    ----------
    Pearson, doi:10.1080/14786440009463897.
    """
    x, n = _samples(successes, totals)
    reason = _undefined(x, n)
    if reason is not None:
        return _no_p("chi-square, homogeneity", n, reason)
    statistic = _statistic(x, n)
    p = float(chi2.sf(statistic, len(n) - 1))
    return PValue(statistic, p, Alternative.TWO_SIDED, "chi-square, homogeneity", int(n.sum()))


def enumerated_homogeneity(successes: npt.ArrayLike, totals: npt.ArrayLike) -> PValue:
    """Test that samples share one rate by all tables with the same margins.

    Parameters
    ----------
    successes, totals : array_like of int, shape (samples,)
        Counts, in each sample 0 ≤ successes ≤ total and total at least 1.

    Returns
    -------
    PValue
        Pearson's chi-square and the share of tables, by their probability given the margins, with
        at least that statistic; no p-value (``NOT_ENUMERATED``) beyond `ENUMERATED_STATES` or
        `ENUMERATED_TRIALS`, and undefined as for `homogeneity`.

    Raises
    ------
    ValueError
        If the counts are not allowed.

    References
    ----------
    Freeman and Halton, doi:10.1093/biomet/38.1-2.141, with the statistic as the order.
    """
    x, n = _samples(successes, totals)
    name = "homogeneity, enumerated"
    reason = _undefined(x, n)
    if reason is not None:
        return _no_p(name, n, reason)
    # For given margins the statistic rises with Σ x²/n, which over a common divisor is whole.
    common = math.lcm(*n.tolist())
    factors = [common // total for total in n.tolist()]
    few = int(n.sum()) <= ENUMERATED_TRIALS
    tables = _tables(n.tolist(), int(x.sum()), factors) if few else None
    if tables is None:
        return _no_p(name, n, Undefined.NOT_ENUMERATED)
    seen = sum(factor * k * k for factor, k in zip(factors, x.tolist(), strict=True))
    extreme = sum(ways for order, ways in tables.items() if order >= seen)
    p = extreme / sum(tables.values())
    return PValue(_statistic(x, n), p, Alternative.TWO_SIDED, name, int(n.sum()))


def trend(
    successes: npt.ArrayLike, totals: npt.ArrayLike, positions: npt.ArrayLike | None = None
) -> PValue:
    """Test that rates do not rise or fall along a scale, by Cochran and Armitage.

    Parameters
    ----------
    successes, totals : array_like of int, shape (samples,)
        Counts, in each sample 0 ≤ successes ≤ total and total at least 1.
    positions : array_like of float, shape (samples,), optional
        Where each sample stands; 0, 1, 2, … by default.

    Returns
    -------
    PValue
        z, positive where the rate rises, and its two-sided p; undefined as for `homogeneity`, and
        if all positions are the same (``NO_SPREAD``).

    Raises
    ------
    ValueError
        If the counts or the positions are not allowed.

    References
    ----------
    Cochran, doi:10.2307/3001616. Armitage, doi:10.2307/3001775.
    """
    x, n = _samples(successes, totals)
    at = as_numbers("positions", np.arange(len(n)) if positions is None else positions)
    same_length(totals=n, positions=at)
    reason = _undefined(x, n)
    if reason is not None:
        return _no_p("trend", n, reason)
    rate = float(x.sum() / n.sum())
    centred = at - float((n * at).sum() / n.sum())
    variance = rate * (1.0 - rate) * float((n * centred**2).sum())
    if variance == 0.0:
        return _no_p("trend", n, Undefined.NO_SPREAD)
    z = float((x * centred).sum()) / math.sqrt(variance)
    return PValue(z, 2.0 * float(ndtr(-abs(z))), Alternative.TWO_SIDED, "trend", int(n.sum()))


def _tables(totals: list[int], events: int, factors: list[int]) -> dict[int, int] | None:
    """Return the ways to reach every value of the order, sample by sample."""
    reached: dict[tuple[int, int], int] = {(0, 0): 1}
    rest = np.cumsum(totals[::-1])[::-1].tolist()
    for place, (total, factor) in enumerate(zip(totals, factors, strict=True)):
        after = rest[place + 1] if place + 1 < len(rest) else 0
        further: dict[tuple[int, int], int] = {}
        chosen = _ways(total)
        for (done, order), ways in reached.items():
            least, most = max(0, events - done - after), min(total, events - done)
            for k in range(least, most + 1):
                key = done + k, order + factor * k * k
                further[key] = further.get(key, 0) + ways * chosen[k]
            if len(further) > ENUMERATED_STATES:
                return None
        reached = further
    return {order: ways for (_, order), ways in reached.items()}


def _ways(total: int) -> list[int]:
    """Return in how many ways 0 to ``total`` may be chosen out of ``total``."""
    ways = [1]
    for k in range(total):
        ways.append(ways[-1] * (total - k) // (k + 1))
    return ways


def _statistic(x: IntArray, n: IntArray) -> float:
    total, events = int(n.sum()), int(x.sum())
    expected = n * (events / total)
    gaps = (x - expected) ** 2
    return float((gaps / expected + gaps / (n - expected)).sum())


def _samples(successes: npt.ArrayLike, totals: npt.ArrayLike) -> tuple[IntArray, IntArray]:
    x, n = as_counts("successes", successes), as_counts("totals", totals)
    same_length(successes=x, totals=n)
    if (x > n).any() or (n == 0).any():
        raise ValueError("totals must be at least 1 and not below the successes")
    return x, n


def _undefined(x: IntArray, n: IntArray) -> Undefined | None:
    if len(n) < 2:
        return Undefined.TOO_FEW
    return Undefined.ZERO_DENOMINATOR if int(x.sum()) in (0, int(n.sum())) else None


def _no_p(method: str, n: IntArray, reason: Undefined) -> PValue:
    return PValue(math.nan, math.nan, Alternative.TWO_SIDED, method, int(n.sum()), reason)

"""The interval to quote for a share, a difference or an odds ratio, and a resampled one beside it.

For these there are intervals that need no resampling and cover what they say, so that these come
first. The percentile interval over every resample is free of Monte Carlo error and covers less.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.stats import binom

from audit.numbers._check import FloatArray, as_level, as_share, as_two_by_two
from audit.numbers.estimate import Estimate, Interval
from audit.numbers.odds import OddsInterval, odds_ratio, risk_difference
from audit.numbers.proportion import ProportionMethod, proportion, proportion_limits
from audit.numbers.statistic import (
    Statistic,
    difference_statistic,
    odds_ratio_statistic,
    proportion_statistic,
)

from .call import Resampled, enumerated_bootstrap
from .coverage import two_shares_covered
from .law import TOTAL_SLACK
from .samples import Counts

__all__ = [
    "Reported",
    "covered_share",
    "reported_difference",
    "reported_odds_ratio",
    "reported_share",
]


@dataclass(frozen=True, slots=True, eq=False)
class Reported:
    """A figure with the interval to quote and the resampled one.

    Attributes
    ----------
    estimate : Estimate
        With the interval to quote.
    beside : Interval or None
        Another that needs no resampling: mid-p for an odds ratio.
    resampled : Resampled
        The bootstrap law and what is read off it; its groups in one cell are named.
    quoted_covers, percentile_covers : float
        What the quoted interval and the percentile interval cover: of a share, enumerated at the
        share seen with half a success and half a failure added; of two shares, in simulation at
        the sizes of the print. NaN at another level than was simulated.
    """

    estimate: Estimate
    beside: Interval | None
    resampled: Resampled
    quoted_covers: float
    percentile_covers: float

    @property
    def percentile(self) -> Interval | None:
        """The percentile interval over resamples; None where all resamples are alike."""
        return self.resampled.percentile


def reported_share(successes: int, total: int, *, level: float = 0.95) -> Reported:
    """Return a share with Clopper and Pearson's interval, and the percentile interval beside it.

    Parameters
    ----------
    successes, total : int
        Counts, 0 ≤ successes ≤ total, total at least 1.
    level : float
        Confidence level, in (0, 1).

    Raises
    ------
    ValueError
        If the counts or the level are not allowed.
    """
    successes, total = as_share(successes, total)
    if total == 0:
        raise ValueError("a share needs at least one trial, found total 0")
    exact = ProportionMethod.CLOPPER_PEARSON
    found = _resampled([[successes, total - successes]], proportion_statistic, level)
    at = (successes + 0.5) / (total + 1.0)
    every = [proportion_limits(x, total, level=level, method=exact) for x in range(total + 1)]
    return Reported(
        proportion(successes, total, level=level, method=exact),
        None,
        found,
        covered_share(np.array(every), at),
        covered_share(_percentiles(total, level), at),
    )


def covered_share(limits: FloatArray, share: float) -> float:
    """Return the probability that the interval of a share holds it, over all counts.

    Parameters
    ----------
    limits : ndarray of float64, shape (n + 1, 2)
        The limits for 0 to n successes.
    share : float
        The true share, in [0, 1].
    """
    inside = (limits[:, 0] <= share) & (share <= limits[:, 1])
    return float(binom.pmf(np.arange(len(limits)), len(limits) - 1, share)[inside].sum())


def _percentiles(total: int, level: float) -> FloatArray:
    """Return the percentile limits of a share for every count: quantiles of a binomial."""
    shares, tail = np.arange(total + 1) / total, (1.0 - level) / 2.0
    ends = (tail - TOTAL_SLACK, 1.0 - tail - TOTAL_SLACK)
    return np.stack([binom.ppf(q, total, shares) / total for q in ends], axis=1)


def reported_difference(table: npt.ArrayLike, *, level: float = 0.95) -> Reported:
    """Return a difference of shares with Newcombe's interval, and the percentile one beside it.

    Parameters
    ----------
    table : array_like of int, shape (2, 2)
        Rows are samples, the first column is the event.
    level : float
        Confidence level, in (0, 1).

    Raises
    ------
    ValueError
        If the table or the level are not allowed.
    """
    counts = as_two_by_two(table)
    found = _resampled(counts.tolist(), difference_statistic, level)
    covers = (two_shares_covered(name, level) for name in ("newcombe", "percentile difference"))
    return Reported(risk_difference(counts, level=level), None, found, *covers)


def reported_odds_ratio(table: npt.ArrayLike, *, level: float = 0.95) -> Reported:
    """Return an odds ratio with the exact conditional interval, mid-p and percentile beside it.

    Parameters
    ----------
    table : array_like of int, shape (2, 2)
        Rows are samples, the first column is the event.
    level : float
        Confidence level, in (0, 1).

    Raises
    ------
    ValueError
        If the table or the level are not allowed.
    """
    counts = as_two_by_two(table)
    found = _resampled(counts.tolist(), odds_ratio_statistic, level)
    exact = odds_ratio(counts, interval=OddsInterval.CONDITIONAL_EXACT, level=level)
    mid_p = odds_ratio(counts, interval=OddsInterval.MID_P, level=level).interval
    covers = (two_shares_covered(name, level) for name in ("conditional exact", "percentile odds"))
    return Reported(exact, mid_p, found, *covers)


def _resampled(groups: list[list[int]], statistic: Statistic, level: float) -> Resampled:
    # Seeded, for the two samples of some thousand each that are too many to list.
    rng = np.random.default_rng(0)
    return enumerated_bootstrap(Counts(groups), statistic, level=as_level(level), rng=rng)

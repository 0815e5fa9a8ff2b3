"""Where a printed arrangement of two lists stands among all the ways to arrange them.

A statistic of two columns over the same rows rests on which value stands beside which. If nothing
but chance had paired them, every pairing would be as likely; the printed one is then one of n!.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import permutations

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata

from .rounding import Number

FloatArray = npt.NDArray[np.float64]

ENUMERATED_ROWS = 8
"""The most rows whose pairings, 8! = 40,320, are all looked at."""


# Relative distance under which two values of a statistic are one.
_SLACK = 1e-12


class PairStatistic(StrEnum):
    """A statistic of two columns over the same rows."""

    SD_OF_MEANS = "sd_of_means"
    """The standard deviation of the rows' means, its divisor the number of rows."""
    SAMPLE_SD_OF_MEANS = "sample_sd_of_means"
    """The same, its divisor one less."""
    RANGE_OF_MEANS = "range_of_means"
    PEARSON = "pearson"
    SPEARMAN = "spearman"


# Where 0 means that nothing goes with anything.
_CORRELATIONS = frozenset({PairStatistic.PEARSON, PairStatistic.SPEARMAN})


@dataclass(frozen=True, slots=True)
class Arrangements:
    """A statistic over all pairings of two columns.

    Attributes
    ----------
    statistic : PairStatistic
    published : float
        For the rows as printed.
    values : ndarray of float64, shape (pairings,)
        For every pairing, ascending.
    at_most, at_least : int
        How many pairings give no more, and no less, than the printed one; it counts in both.
    """

    statistic: PairStatistic
    published: float
    values: FloatArray
    at_most: int
    at_least: int

    @property
    def total(self) -> int:
        """How many pairings there are."""
        return len(self.values)

    @property
    def share_at_most(self) -> float:
        """The share of pairings that give no more, in (0, 1]."""
        return self.at_most / self.total

    @property
    def share_at_least(self) -> float:
        """The share of pairings that give no less, in (0, 1]."""
        return self.at_least / self.total

    @property
    def share_as_far(self) -> float | None:
        """The share of pairings as far from 0 to either side: of a correlation, its p-value."""
        if self.statistic not in _CORRELATIONS:
            return None
        reach = abs(self.published) - _slack(self.published)
        return np.count_nonzero(np.abs(self.values) >= reach) / self.total

    @property
    def rank(self) -> int:
        """The place of the printed one from the smallest up, 1 the smallest; ties share it."""
        return self.total - self.at_least + 1

    @property
    def least(self) -> float:
        """The smallest value over all pairings."""
        return float(self.values[0])

    @property
    def median(self) -> float:
        """The middle value over all pairings."""
        return float(np.median(self.values))

    @property
    def most(self) -> float:
        """The largest value over all pairings."""
        return float(self.values[-1])

    @property
    def following(self) -> float:
        """The smallest value above the printed one; NaN if there is none."""
        above = self.values[self.values > self.published + _slack(self.published)]
        return float(above[0]) if len(above) else math.nan

    def within(self, bound: float) -> int:
        """Return how many pairings give at most a bound."""
        return int(np.count_nonzero(self.values <= bound + _slack(bound)))


def pairings(
    first: Sequence[Number], second: Sequence[Number], statistic: PairStatistic
) -> Arrangements:
    """Return a statistic over every pairing of two columns.

    Parameters
    ----------
    first, second : sequence of Fraction or float, each of length n
        Values of the same rows, as printed; 2 to `ENUMERATED_ROWS` of them.
    statistic : PairStatistic

    Returns
    -------
    Arrangements
        Of n! pairings, equal values counted as often as they occur.

    Raises
    ------
    ValueError
        If the columns differ in length, there are too few rows or too many, or the statistic has no
        value since a column does not vary.
    """
    one, other = (np.array([float(value) for value in side]) for side in (first, second))
    rows = len(one)
    if len(other) != rows:
        raise ValueError(f"must join columns of one length, found {rows} and {len(other)}")
    if not 2 <= rows <= ENUMERATED_ROWS:
        raise ValueError(f"must hold 2 to {ENUMERATED_ROWS} rows to be paired, found {rows}")
    statistic = PairStatistic(statistic)
    if np.ptp(one) == 0.0 or np.ptp(other) == 0.0:
        raise ValueError("must hold columns that vary, or every pairing is the same")
    values = _STATISTICS[statistic](one, other[_orders(rows)])
    # The first order is the identity: the rows as printed.
    published, slack = float(values[0]), _slack(float(values[0]))
    return Arrangements(
        statistic,
        published,
        np.sort(values),
        int(np.count_nonzero(values <= published + slack)),
        int(np.count_nonzero(values >= published - slack)),
    )


def caveat(arrangements: Arrangements, tried: int = 1) -> str:
    """Return how much a rare arrangement means if it was found by looking for one.

    Parameters
    ----------
    arrangements : Arrangements
    tried : int
        How many statistics and pairs of columns could have been looked at, at least 1.

    Raises
    ------
    ValueError
        If nothing was tried.
    """
    if tried < 1:
        raise ValueError(f"must be at least 1 way of looking, found {tried}")
    share = min(arrangements.share_at_most, arrangements.share_at_least)
    expected = share * tried
    looked = "one way of looking" if tried == 1 else f"{tried} ways of looking"
    return (
        f"with {looked}, {expected:.2g} such arrangements are to be expected by chance alone; "
        "a statistic picked because it looked odd counts for less than its share says"
    )


def _orders(rows: int) -> npt.NDArray[np.int64]:
    return np.array(list(permutations(range(rows))), dtype=np.int64)


def _slack(value: float) -> float:
    return _SLACK * max(1.0, abs(value))


def _means(one: FloatArray, others: FloatArray) -> FloatArray:
    return (one + others) / 2.0


def _correlation(one: FloatArray, others: FloatArray) -> FloatArray:
    x = one - one.mean()
    y = others - others[0].mean()
    scale = math.sqrt(float(x @ x) * float(y[0] @ y[0]))
    return np.asarray(np.clip(y @ x / scale, -1.0, 1.0))


def _rank_correlation(one: FloatArray, others: FloatArray) -> FloatArray:
    ranks = rankdata(others[0])
    return _correlation(rankdata(one), ranks[_orders(len(one))])


_STATISTICS: dict[PairStatistic, Callable[[FloatArray, FloatArray], FloatArray]] = {
    PairStatistic.SD_OF_MEANS: lambda one, others: _means(one, others).std(axis=1),
    PairStatistic.SAMPLE_SD_OF_MEANS: lambda one, others: _means(one, others).std(axis=1, ddof=1),
    PairStatistic.RANGE_OF_MEANS: lambda one, others: np.ptp(_means(one, others), axis=1),
    PairStatistic.PEARSON: _correlation,
    PairStatistic.SPEARMAN: _rank_correlation,
}

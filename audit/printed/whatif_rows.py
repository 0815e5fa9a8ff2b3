"""What would change a table of shares, or a correlation of few rows.

Each row has an uncertainty of its own; parts of one whole move together by arithmetic; observations
of one cluster are worth less than as many others; few rows cannot show much.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy.special import ndtr, ndtri

from ..numbers.correlation import Correlation, pearson
from ..numbers.proportion import ProportionMethod, proportion_limits
from .coincidence import PairStatistic, pairings
from .shares import check_share

# Fieller, Hartley and Pearson: the variance of Fisher's z of a rank correlation, times rows - 3.
_RANK_VARIANCE = 1.06
_LIMITS = (ProportionMethod.WILSON, ProportionMethod.CLOPPER_PEARSON)


@dataclass(frozen=True, slots=True)
class RowInterval:
    """A row's share with Wilson's interval, and with Clopper and Pearson's.

    Attributes
    ----------
    name : str
    k, n : int
    low, high : float
        Wilson's.
    exact_low, exact_high : float
        Clopper and Pearson's, never too narrow.
    """

    name: str
    k: int
    n: int
    low: float
    high: float
    exact_low: float
    exact_high: float


@dataclass(frozen=True, slots=True)
class PartWhole:
    """A correlation between two parts of one whole, and what arithmetic alone makes of it.

    Attributes
    ----------
    seen : Correlation
        Of the part's share with the other event's share of the whole.
    rate : Fraction
        The other event's share of what the part leaves, all rows together.
    forced : float
        The correlation if every row had just that rate: -1 by construction.
    conditional : Correlation
        Of the part's share with each row's own rate in what the part leaves.
    left_out : int
        Rows that are nothing but the part, which have no such rate.
    """

    seen: Correlation
    rate: Fraction
    forced: float
    conditional: Correlation
    left_out: int


@dataclass(frozen=True, slots=True)
class Clustered:
    """A z statistic if observations of one cluster are alike.

    Attributes
    ----------
    icc : float
        Correlation within a cluster.
    design_effect, z, p : float
    """

    icc: float
    design_effect: float
    z: float
    p: float


@dataclass(frozen=True, slots=True)
class Power:
    """How little a rank correlation of few rows can show.

    Attributes
    ----------
    rows : int
    ways : int
        Orders of the rows with the strongest correlation that these values allow, either sign.
    orders : int
        All orders.
    without_ties : Fraction
        The smallest p-value of as many rows without a tie.
    reach : float
        How far from 0 the 95 % interval of a correlation of 0 goes; NaN below 4 rows.
    """

    rows: int
    ways: int
    orders: int
    without_ties: Fraction
    reach: float

    @property
    def smallest_p(self) -> float:
        """The smallest two-sided p-value that any order of these values has."""
        return self.ways / self.orders


def row_intervals(
    k: Sequence[int], n: Sequence[int], names: Sequence[str] = (), *, level: float = 0.95
) -> tuple[RowInterval, ...]:
    """Return every row's share with Wilson's interval, and with Clopper and Pearson's.

    Parameters
    ----------
    k, n : sequence of int, each of length rows
        Events and size of each row.
    names : sequence of str
        Names of the rows; numbered if there are none.
    level : float
        Confidence level, in (0, 1).

    Raises
    ------
    ValueError
        If lengths differ or a row holds no share.
    """
    called = names or [f"row {place}" for place in range(1, len(k) + 1)]
    if not len(k) == len(n) == len(called):
        found = f"{len(k)}, {len(n)} and {len(called)}"
        raise ValueError(f"must have one size and one name for each row, found {found}")
    found_rows = []
    for name, events, size in zip(called, k, n, strict=True):
        check_share(events, size)
        wilson, exact = (proportion_limits(events, size, level=level, method=m) for m in _LIMITS)
        found_rows.append(RowInterval(name, events, size, *wilson, *exact))
    return tuple(found_rows)


def part_whole(part: Sequence[int], rest: Sequence[int], n: Sequence[int]) -> PartWhole:
    """Return what is left of a correlation of two parts of one whole.

    Where one kind of ending grows, all others have less room; a correlation of their shares shows
    that first.

    Parameters
    ----------
    part, rest : sequence of int, each of length rows
        Events of the one kind and of the other, in each row at most n together.
    n : sequence of int, length rows
        Size of each row.

    Raises
    ------
    ValueError
        If lengths differ, a row holds more than it has, or nothing is left beside the part.
    """
    if not len(part) == len(rest) == len(n):
        found = f"{len(part)}, {len(rest)} and {len(n)}"
        raise ValueError(f"must join columns of one length, found {found}")
    for one, other, size in zip(part, rest, n, strict=True):
        check_share(one, size)
        check_share(one + other, size)
    shares = [one / size for one, size in zip(part, n, strict=True)]
    room = [size - one for one, size in zip(part, n, strict=True)]
    if not sum(room):
        raise ValueError("must leave something beside the part")
    rate = Fraction(sum(rest), sum(room))
    kept = [row for row, left in enumerate(room) if left]
    own = [rest[row] / room[row] for row in kept]
    even = [float(rate) * (1.0 - share) for share in shares]
    return PartWhole(
        pearson(shares, [other / size for other, size in zip(rest, n, strict=True)]),
        rate,
        pearson(shares, even).estimate.value,
        pearson([shares[row] for row in kept], own),
        len(n) - len(kept),
    )


def clustered(z: float, observations: int, clusters: int, icc: float) -> Clustered:
    """Return what is left of a z statistic if observations of one cluster are alike.

    Parameters
    ----------
    z : float
        From independent observations.
    observations, clusters : int
        How many there are, at least as many observations as clusters.
    icc : float
        Correlation within a cluster, in [0, 1].

    Raises
    ------
    ValueError
        If a number is outside its range.

    References
    ----------
    Kish, Survey Sampling (1965), 5.4.
    """
    if not (1 <= clusters <= observations and 0.0 <= icc <= 1.0):
        raise ValueError("must hold clusters, as many observations or more, and an icc in [0, 1]")
    effect = 1.0 + (observations / clusters - 1.0) * icc
    left = z / math.sqrt(effect)
    return Clustered(icc, effect, left, 2.0 * float(ndtr(-abs(left))))


def power(first: Sequence[Fraction], second: Sequence[Fraction]) -> Power:
    """Return how little a rank correlation of two columns can show, whatever the order of rows.

    Parameters
    ----------
    first, second : sequence of Fraction, each of length rows
        2 to 8 of them.

    Raises
    ------
    ValueError
        As `pairings`.

    References
    ----------
    Fieller, Hartley and Pearson, doi:10.1093/biomet/44.3-4.470.
    """
    found = np.abs(pairings(first, second, PairStatistic.SPEARMAN).values)
    rows, strongest = len(first), float(found.max())
    ways = int(np.count_nonzero(found >= strongest - 1e-9))
    error = math.sqrt(_RANK_VARIANCE / (rows - 3)) if rows > 3 else math.nan
    orders = math.factorial(rows)
    reach = math.tanh(float(ndtri(0.975)) * error)
    return Power(rows, ways, orders, Fraction(2, orders), reach)

"""What would change a comparison of two shares: cases lost, counted otherwise, or left out.

Plain functions from a table to tables with their odds ratio and Fisher's two-sided p-value.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from ..numbers.independence import fisher
from ..numbers.proportion import difference
from .shares import TwoByTwo

SIGNIFICANT = 0.05
"""Above this a p-value is not called significant."""
CONFIDENCE = 0.95
"""The level of an interval of which nothing else is said."""

# Fisher's test takes too long beyond, and so does one for every event that may be taken.
_MOST_TRIALS = 100_000
_MOST_EVENTS = 2_000


@dataclass(frozen=True, slots=True)
class Compared:
    """Two shares and how they compare.

    Attributes
    ----------
    table : TwoByTwo
    odds_ratio : float
        In [0, ∞]; NaN where it is 0/0.
    p : float
        Fisher's, two-sided.
    difference, low, high : float
        First share minus second with Newcombe's limits.
    level : float
        Of these limits, in (0, 1).
    """

    table: TwoByTwo
    odds_ratio: float
    p: float
    difference: float
    low: float
    high: float
    level: float = CONFIDENCE


@dataclass(frozen=True, slots=True)
class Attrition:
    """What cases that are missing could do at most.

    Attributes
    ----------
    seen : Compared
        Without them.
    worst, best : Compared
        With all of them against the difference seen, and for it.
    """

    seen: Compared
    worst: Compared
    best: Compared


@dataclass(frozen=True, slots=True)
class Threshold:
    """The fewest events to count otherwise before a difference is not significant.

    Attributes
    ----------
    events : int
        At least 1.
    before, after : Compared
        With one event fewer, and with these.
    """

    events: int
    before: Compared
    after: Compared


@dataclass(frozen=True, slots=True)
class Reclassification:
    """What it takes to lose a difference by counting events of the higher share otherwise.

    Attributes
    ----------
    seen : Compared
    first_is_higher : bool
        Whose events are meant.
    moved, dropped : Threshold or None
        Where events become other cases, and where they are left out; None if the difference is not
        significant as it is, or stays so however many are taken.
    """

    seen: Compared
    first_is_higher: bool
    moved: Threshold | None
    dropped: Threshold | None


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A comparison with all cases, and without some.

    Attributes
    ----------
    seen, without : Compared
    """

    seen: Compared
    without: Compared


def compared(table: TwoByTwo, level: float = CONFIDENCE) -> Compared:
    """Return how the two shares of a table compare, their difference with limits of a level.

    Raises
    ------
    ValueError
        If there are more than 100,000 trials in all.
    """
    if (trials := table.n1 + table.n2) > _MOST_TRIALS:
        raise ValueError(f"must hold at most {_MOST_TRIALS:,} trials in all, found {trials:,}")
    (a, b), (c, d) = table.cells
    ratio = table.odds_ratio
    edge = math.inf if a * d else math.nan
    found = difference(table.k1, table.n1, table.k2, table.n2, level=level)
    low, high = (-1.0, 1.0) if found.interval is None else (found.interval.low, found.interval.high)
    p = fisher(((a, b), (c, d))).p
    shown = edge if ratio is None else float(ratio)
    return Compared(table, shown, p, found.value, low, high, level)


def attrition(table: TwoByTwo, lost1: int, lost2: int) -> Attrition:
    """Return what cases lost from either sample could do at most.

    Parameters
    ----------
    table : TwoByTwo
        Without the cases lost.
    lost1, lost2 : int
        How many were lost, at least 0.

    Raises
    ------
    ValueError
        If a number is negative.
    """
    if min(lost1, lost2) < 0:
        raise ValueError(f"must lose at least 0 cases, found {lost1} and {lost2}")
    n1, n2 = table.n1 + lost1, table.n2 + lost2
    against_first = TwoByTwo(table.k1, n1, table.k2 + lost2, n2)
    for_first = TwoByTwo(table.k1 + lost1, n1, table.k2, n2)
    ends = compared(against_first), compared(for_first)
    worst, best = ends if first_is_higher(table) else ends[::-1]
    return Attrition(compared(table), worst, best)


def reclassification(table: TwoByTwo, *, level: float = SIGNIFICANT) -> Reclassification:
    """Return how many events of the higher share must be counted otherwise for p to pass a level.

    Parameters
    ----------
    table : TwoByTwo
    level : float
        Of significance, in (0, 1).

    Raises
    ------
    ValueError
        If the level is not in (0, 1) or the higher share has more than 2,000 events.
    """
    if not 0.0 < level < 1.0:
        raise ValueError(f"must be a level strictly between 0 and 1, found {level!r}")
    if (events := table.k1 if first_is_higher(table) else table.k2) > _MOST_EVENTS:
        rule = f"must hold at most {_MOST_EVENTS:,} events of the higher share"
        raise ValueError(f"{rule}, found {events:,}")
    seen = compared(table)
    return Reclassification(
        seen,
        first_is_higher(table),
        _threshold(seen, _taken(table, stay=True), level),
        _threshold(seen, _taken(table, stay=False), level),
    )


def reclassified(table: TwoByTwo, moved1: int, moved2: int) -> Compared:
    """Return the comparison with some events of either sample counted as other cases.

    Raises
    ------
    ValueError
        If a sample has not so many events.
    """
    return compared(TwoByTwo(table.k1 - moved1, table.n1, table.k2 - moved2, table.n2))


def exclusion(
    table: TwoByTwo,
    *,
    events1: int = 0,
    others1: int = 0,
    events2: int = 0,
    others2: int = 0,
    level: float = CONFIDENCE,
) -> Exclusion:
    """Return the comparison without some events, and without some other cases, of either sample.

    Parameters
    ----------
    table : TwoByTwo
    events1, others1, events2, others2 : int
        How many to leave out.
    level : float
        Confidence level of the differences, in (0, 1).

    Raises
    ------
    ValueError
        If a sample has not so many, or none are left.
    """
    if min(events1, others1, events2, others2) < 0:
        raise ValueError("must leave out at least 0 cases of every kind")
    left = TwoByTwo(
        table.k1 - events1,
        table.n1 - events1 - others1,
        table.k2 - events2,
        table.n2 - events2 - others2,
    )
    return Exclusion(compared(table, level), compared(left, level))


def first_is_higher(table: TwoByTwo) -> bool:
    """Return whether the first share is at least the second."""
    return table.k1 * table.n2 >= table.k2 * table.n1


def _taken(table: TwoByTwo, *, stay: bool) -> Iterator[TwoByTwo]:
    """Yield the table with one more event of the higher share taken each time."""
    first = first_is_higher(table)
    for taken in range(1, (table.k1 if first else table.k2) + 1):
        gone = 0 if stay else taken
        sizes = (table.n1 - gone, table.n2) if first else (table.n1, table.n2 - gone)
        if 0 in sizes:
            return
        events = (table.k1 - taken, table.k2) if first else (table.k1, table.k2 - taken)
        yield TwoByTwo(events[0], sizes[0], events[1], sizes[1])


def _threshold(seen: Compared, tables: Iterator[TwoByTwo], level: float) -> Threshold | None:
    if seen.p > level:
        return None
    before = seen
    for events, table in enumerate(tables, start=1):
        after = compared(table)
        if after.p > level:
            return Threshold(events, before, after)
        before = after
    return None

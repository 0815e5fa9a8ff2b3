"""Two-by-two tables behind a printed odds ratio, and what they say that the print does not.

Two samples of known sizes have few tables, and far fewer that print one odds ratio: with 220 and
219 cases nine of 47,742 print 7.75. Its interval, its p-value and the two shares leave fewer still.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from ..numbers.cornfield import cornfield_limits
from ..numbers.independence import chi_square, fisher
from ..numbers.odds import OddsInterval, OddsKind, odds_ratio
from .counts import possible_counts
from .rounding import Comparator, PrintedNumber, Rounding, magnitude
from .shares import TwoByTwo

NEAREST = (Rounding.HALF_UP, Rounding.HALF_EVEN, Rounding.HALF_DOWN)
"""The rules that round to the nearest."""

# What is tried for a printed interval of an odds ratio: its name, the estimate, the method.
INTERVALS = (
    ("the Woolf interval", OddsKind.SAMPLE, OddsInterval.WOOLF),
    ("the Woolf interval after adding ½", OddsKind.HALDANE, OddsInterval.WOOLF),
    ("the exact interval", OddsKind.CONDITIONAL, OddsInterval.CONDITIONAL_EXACT),
    ("the mid-p interval", OddsKind.CONDITIONAL, OddsInterval.MID_P),
)

# Every number of events of a sample is gone through.
_MOST_CASES = 3_000
_MOST_NEAREST = 20_000
# So many tables are tested, and of so many the interval is computed: some seconds either way.
_MOST_TESTED = 1_000
_MOST_LIMITS = 200


@dataclass(frozen=True, slots=True)
class PrintedEffect:
    """What is printed of two samples.

    Attributes
    ----------
    odds_ratio : PrintedNumber
        The sample odds ratio, first over second.
    low, high : PrintedNumber or None
        Its 95 % interval.
    p : PrintedNumber or None
        The p-value of a test of the two shares, or a bound on it.
    first, second : PrintedNumber or None
        The share of events in either sample.
    events : int or None
        Events in both samples together.
    """

    odds_ratio: PrintedNumber
    low: PrintedNumber | None = None
    high: PrintedNumber | None = None
    p: PrintedNumber | None = None
    first: PrintedNumber | None = None
    second: PrintedNumber | None = None
    events: int | None = None


def tables_behind(printed: PrintedEffect, n1: int, n2: int) -> tuple[TwoByTwo, ...]:
    """Return every table of two samples that prints all that is printed of them.

    Parameters
    ----------
    printed : PrintedEffect
        The interval by any of the usual methods, the same for both ends; the p-value by Fisher's
        test or chi-square with or without Yates' correction.
    n1, n2 : int
        Sizes of the samples, at least 1.

    Returns
    -------
    tuple of TwoByTwo
        By events of the first sample; tables with an empty cell have no odds ratio to print.

    Raises
    ------
    ValueError
        If a size is below 1, the odds ratio is not above 0, or too many tables are left to try.
    """
    _check_sizes(n1, n2)
    ratio = _with_odds_ratio(printed.odds_ratio, n1, n2)
    found = _few([table for table in ratio if _has_shares(table, printed)], _MOST_TESTED)
    if printed.p is not None:
        found = [table for table in found if _has_p(table, printed.p)]
    if printed.low is not None or printed.high is not None:
        # An exact interval takes longest by far, so it comes last.
        found = [table for table in _few(found, _MOST_LIMITS) if _has_interval(table, printed)]
    return tuple(found)


def nearest_table(odds_ratio: PrintedNumber, n1: int, n2: int) -> TwoByTwo:
    """Return the table without an empty cell whose odds ratio is nearest to a printed one.

    Parameters
    ----------
    odds_ratio : PrintedNumber
        Above 0.
    n1, n2 : int
        Sizes of the samples, at least 2.

    Raises
    ------
    ValueError
        If a size is below 2 or the odds ratio is not above 0.
    """
    if min(n1, n2) < 2 or odds_ratio.value <= 0:
        raise ValueError("must hold an odds ratio above 0 and samples of at least 2")
    if n1 > _MOST_NEAREST:
        raise ValueError(f"must hold a first sample of at most {_MOST_NEAREST:,}, found {n1:,}")
    tables = (
        TwoByTwo(k1, n1, k2, n2)
        for k1 in range(1, n1)
        for k2 in _around(_events(k1, n1, n2, odds_ratio.value), n2)
    )
    return min(tables, key=lambda table: magnitude((table.odds_ratio or 0) - odds_ratio.value))


def _with_odds_ratio(printed: PrintedNumber, n1: int, n2: int) -> Iterator[TwoByTwo]:
    if min(n1, n2) < 1 or printed.value <= 0:
        raise ValueError("must hold an odds ratio above 0 and samples of at least 1")
    low, high = printed.value - printed.step / 2, printed.value + printed.step / 2
    for k1 in range(1, n1):
        # The ratio falls as events of the second sample grow, so its ends bound them.
        least = math.ceil(_events(k1, n1, n2, high))
        most = n2 - 1 if low <= 0 else math.floor(_events(k1, n1, n2, low))
        for k2 in range(max(least, 1), min(most, n2 - 1) + 1):
            yield TwoByTwo(k1, n1, k2, n2)


def _events(k1: int, n1: int, n2: int, ratio: Fraction) -> Fraction:
    """Return the events of the second sample at which the odds ratio is just this."""
    return k1 * n2 / (k1 + ratio * (n1 - k1))


def _around(events: Fraction, n2: int) -> set[int]:
    return {min(max(whole, 1), n2 - 1) for whole in (math.floor(events), math.ceil(events))}


def _has_shares(table: TwoByTwo, printed: PrintedEffect) -> bool:
    shares = ((table.k1, table.n1, printed.first), (table.k2, table.n2, printed.second))
    fits = all(share is None or k in possible_counts(share, n) for k, n, share in shares)
    return fits and printed.events in (None, table.k1 + table.k2)


def _check_sizes(n1: int, n2: int) -> None:
    if (size := max(n1, n2)) > _MOST_CASES:
        raise ValueError(f"must hold samples of at most {_MOST_CASES:,}, found {size:,}")


def _few(tables: list[TwoByTwo], most: int) -> list[TwoByTwo]:
    if len(tables) > most:
        rule = f"must leave at most {most:,} tables to be tried, found {len(tables):,}"
        raise ValueError(f"{rule}: say more of them, such as their events, shares or p")
    return tables


def _has_interval(table: TwoByTwo, printed: PrintedEffect) -> bool:
    return any(
        (printed.low is None or _prints(printed.low, low))
        and (printed.high is None or _prints(printed.high, high))
        for low, high in _intervals(table)
    )


def _intervals(table: TwoByTwo) -> Iterator[tuple[float, float]]:
    for _, kind, interval in INTERVALS:
        span = odds_ratio(table.cells, kind=kind, interval=interval).interval
        if span is not None:
            yield span.low, span.high
    yield cornfield_limits(table.cells)


def _has_p(table: TwoByTwo, p: PrintedNumber) -> bool:
    corrected, plain = (chi_square(table.cells, yates=yates) for yates in (True, False))
    return any(_prints(p, test.p) for test in (fisher(table.cells), corrected, plain))


def _prints(printed: PrintedNumber, value: float) -> bool:
    bounds = {
        Comparator.LESS: value < printed.value,
        Comparator.AT_MOST: value <= printed.value,
        Comparator.GREATER: value > printed.value,
        Comparator.AT_LEAST: value >= printed.value,
    }
    if printed.comparator in bounds:
        return bounds[printed.comparator]
    return any(printed.span(rule).meets(value) for rule in NEAREST)

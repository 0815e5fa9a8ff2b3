"""Whole numbers behind printed percentages.

A share of n trials is k/n, so a printed percentage leaves few k, often one. Only the rules that
round to the nearest are looked at: truncation would let a second count in nearly everywhere.

References
----------
Brown and Heathers, doi:10.1177/1948550616673876 (the same idea for means).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from .rounding import PrintedNumber

# More counts than this behind one share are not listed; a printed share of up to ten million trials
# in tenths of a percent leaves fewer.
MOST_COUNTS = 100_000
# A stratum whose size is not printed may hold this many trials, and this many ways to add up two
# sets of strata are tried: seconds, and far beyond any table of a paper.
_MOST_TRIALS = 1_000
_MOST_WAYS = 5_000_000


def possible_counts(percent: PrintedNumber, total: int) -> tuple[int, ...]:
    """Return every count whose share of a total prints as a percentage.

    Parameters
    ----------
    percent : PrintedNumber
        The printed share; without a unit it is taken as it stands ("0.128").
    total : int
        Trials, at least 1.

    Returns
    -------
    tuple of int
        Ascending, each in [0, total]; empty if no count prints so.

    Raises
    ------
    ValueError
        If the total is below 1, or more than 100,000 counts print so.
    """
    low, high = _ends(percent, total)
    if high - low >= MOST_COUNTS:
        raise ValueError(
            f"must leave at most {MOST_COUNTS:,} whole numbers out of {total}, "
            f"but {low} to {high} all print {percent.text}"
        )
    return tuple(range(low, high + 1))


def _ends(percent: PrintedNumber, total: int) -> tuple[int, int]:
    """Return the least and the largest count that print so; the least is above if none does."""
    if total < 1:
        raise ValueError(f"must be at least 1, found {total}")
    # Half up takes one tie and half down the other, so between them both ends are in.
    low = math.ceil((percent.value - percent.step / 2) * total)
    high = math.floor((percent.value + percent.step / 2) * total)
    return max(low, 0), min(high, total)


def count_from_percent(percent: PrintedNumber, total: int) -> int:
    """Return the only count whose share of a total prints as a percentage.

    Parameters
    ----------
    percent : PrintedNumber
        The printed share.
    total : int
        Trials, at least 1.

    Raises
    ------
    ValueError
        If no count prints so, or several do.
    """
    low, high = _ends(percent, total)
    if low > high:
        raise ValueError(
            f"must come from a whole number out of {total}; none prints {percent.text}"
        )
    if low < high:
        raise ValueError(
            f"must come from one whole number out of {total}; "
            f"{low} to {high} all print {percent.text}"
        )
    return low


def joint_totals(percents: Sequence[PrintedNumber], most: int, total: int) -> tuple[int, ...]:
    """Return every total count that several printed shares of one whole allow.

    Each share is of a number of trials of its own that is not printed: at most ``most``, and all
    together ``total``.

    Parameters
    ----------
    percents : sequence of PrintedNumber
        The printed shares.
    most : int
        The largest number of trials behind one share, at least 1.
    total : int
        All trials, at least 1.

    Returns
    -------
    tuple of int
        Ascending; empty if no table of counts prints these shares.

    Raises
    ------
    ValueError
        If a bound is below 1, a share may have more than 1,000 trials, or there are more ways to
        add the shares up than can be tried.
    """
    if min(most, total) < 1:
        raise ValueError(f"must be at least 1, found {min(most, total)}")
    if most > _MOST_TRIALS:
        raise ValueError(f"must have at most {_MOST_TRIALS:,} trials behind a share, found {most}")
    reached, ways = {(0, 0)}, 0
    for place, percent in enumerate(percents, start=1):
        left = (len(percents) - place) * most
        steps = [(n, k) for n in range(1, most + 1) for k in possible_counts(percent, n)]
        ways += len(reached) * len(steps)
        if ways > _MOST_WAYS:
            raise ValueError(f"must leave at most {_MOST_WAYS:,} ways to add up the shares")
        reached = {
            (trials + n, count + k)
            for trials, count in reached
            for n, k in steps
            if trials + n <= total <= trials + n + left
        }
    return tuple(sorted(count for trials, count in reached if trials == total))

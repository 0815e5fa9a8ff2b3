"""Whole numbers behind printed means, and totals behind printed shares.

The mean of n whole numbers is a whole number over n, so only some means can be printed. Both ends
of a span of rounding are allowed, since half up prints one and half down the other: what is refused
here no rule of rounding to the nearest explains.

References
----------
Brown and Heathers, doi:10.1177/1948550616673876.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from .counts import possible_counts
from .rounding import PrintedNumber

# More totals than these take too long to try.
_MOST_TOTALS = 100_000


def sums_behind(mean: PrintedNumber, n: int, items: int = 1) -> range:
    """Return the whole sums whose mean prints as a number does.

    Parameters
    ----------
    mean : PrintedNumber
        The printed mean, or the printed share.
    n : int
        Cases, at least 1.
    items : int
        Whole numbers averaged in each case, at least 1.

    Returns
    -------
    range
        Of the sum over all cases and items; empty if none prints so.

    Raises
    ------
    ValueError
        If n or items is below 1.
    """
    parts = _parts(n, items)
    low = math.ceil((mean.value - mean.step / 2) * parts)
    high = math.floor((mean.value + mean.step / 2) * parts)
    return range(low, high + 1)


def nearest_sums(mean: PrintedNumber, n: int, items: int = 1) -> tuple[int, int]:
    """Return the whole sum whose mean is nearest to a printed one, and the next on its other side.

    Parameters
    ----------
    mean : PrintedNumber
    n, items : int
        As for `sums_behind`.

    Raises
    ------
    ValueError
        If n or items is below 1.
    """
    exact = mean.value * _parts(n, items)
    below = math.floor(exact)
    return (below, below + 1) if exact - below <= Fraction(1, 2) else (below + 1, below)


def chance_of_passing(mean: PrintedNumber, n: int, items: int = 1) -> Fraction:
    """Return the share of numbers with so many decimals that are means of whole numbers.

    Parameters
    ----------
    mean : PrintedNumber
        Only its last digit counts.
    n, items : int
        As for `sums_behind`.

    Returns
    -------
    Fraction
        In (0, 1]: how likely a number drawn at random is to pass.

    Raises
    ------
    ValueError
        If n or items is below 1.
    """
    parts, printable = _parts(n, items), 1 / mean.step
    if parts >= printable:
        return Fraction(1)
    # A mean that lies on a tie prints as two numbers; there are `common` of them, or none.
    common = math.gcd(parts, int(printable))
    ties = common if (parts // common) % 2 == 0 else 0
    return min(Fraction(1), (parts + ties) / printable)


def admissible_totals(shares: Sequence[PrintedNumber], least: int, most: int) -> tuple[int, ...]:
    """Return the totals of which every one of some printed shares can be a share.

    Parameters
    ----------
    shares : sequence of PrintedNumber
        Shares of one and the same total, which is not printed.
    least, most : int
        Bounds of the total, at least 1.

    Returns
    -------
    tuple of int
        Ascending; empty if none will do.

    Raises
    ------
    ValueError
        If least is below 1, or there are more than 100,000 totals to try.
    """
    if most - least >= _MOST_TOTALS:
        found = f"found {most - least + 1:,}"
        raise ValueError(f"must leave at most {_MOST_TOTALS:,} totals to be tried, {found}")
    return tuple(
        total
        for total in range(least, most + 1)
        if all(possible_counts(share, total) for share in shares)
    )


def _parts(n: int, items: int) -> int:
    if min(n, items) < 1:
        raise ValueError(f"must have at least 1 case and 1 item, found {n} and {items}")
    return n * items

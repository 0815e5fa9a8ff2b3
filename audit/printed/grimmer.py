"""Whole numbers behind a printed mean and standard deviation.

The squares of whole numbers have a whole sum, odd where the sum of the numbers is odd, so only some
deviations can stand beside a mean. Zeros and ones are their own squares and leave fewer still.

References
----------
Anaya, doi:10.7287/peerj.preprints.2400v1. Allard, Analytic-GRIMMER (2018). Heathers and Brown,
DEBIT (2019).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from .counts import possible_counts
from .grim import sums_behind
from .rounding import Number, PrintedNumber, Rounding, magnitude

# With five numbers or more every sum of squares of the right parity can be had.
_FREE = 5


@dataclass(frozen=True, slots=True)
class Moments:
    """A standard deviation and the whole numbers that it comes from.

    Attributes
    ----------
    sd : Fraction or float
        A fraction where the root is rational, as at every edge of a span of rounding.
    total, squares : int
        Sum and sum of squares of the numbers, each counted in parts of one item.
    """

    sd: Number
    total: int
    squares: int


def nearest_deviation(
    mean: PrintedNumber, sd: PrintedNumber, n: int, *, ddof: int, items: int = 1
) -> Moments | None:
    """Return a standard deviation of whole numbers that prints as one does, or else the nearest.

    Parameters
    ----------
    mean, sd : PrintedNumber
    n : int
        Cases, more than ``ddof``.
    ddof : int
        What is taken off n in the divisor of the variance, 0 or 1.
    items : int
        Whole numbers averaged in each case, at least 1.

    Returns
    -------
    Moments or None
        None if no whole numbers have such a mean.

    Raises
    ------
    ValueError
        If n, ddof or items is not allowed.
    """
    if ddof not in (0, 1) or n <= ddof:
        raise ValueError(f"must have ddof 0 or 1 and more cases than that, found {ddof} and {n}")
    scale = items**2 * (n - ddof)
    found = (
        Moments(root((squares - Fraction(total**2, n)) / scale), total, squares)
        for total in sums_behind(mean, n, items)
        for squares in _squares_near(total**2 / Fraction(n) + sd.value**2 * scale, total, n)
    )
    return _printing(found, sd)


def nearest_binary_deviation(
    mean: PrintedNumber, sd: PrintedNumber, n: int, *, ddof: int
) -> Moments | None:
    """Return a standard deviation of zeros and ones that prints as one does, or else the nearest.

    Parameters
    ----------
    mean, sd : PrintedNumber
        The printed share of ones, and the deviation.
    n : int
        Cases, more than ``ddof``.
    ddof : int
        What is taken off n in the divisor of the variance, 0 or 1.

    Returns
    -------
    Moments or None
        None if no number of ones out of n prints as the share.

    Raises
    ------
    ValueError
        If n or ddof is not allowed.
    """
    if ddof not in (0, 1) or n <= ddof:
        raise ValueError(f"must have ddof 0 or 1 and more cases than that, found {ddof} and {n}")
    found = (
        Moments(root(Fraction(ones * (n - ones), n * (n - ddof))), ones, ones)
        for ones in possible_counts(mean, n)
    )
    return _printing(found, sd)


def root(square: Fraction) -> Number:
    """Return a square root, exact where it is rational.

    Raises
    ------
    ValueError
        If the square is negative.
    """
    if square < 0:
        raise ValueError(f"must be the root of at least 0, found {square}")
    top, bottom = math.isqrt(square.numerator), math.isqrt(square.denominator)
    if top**2 == square.numerator and bottom**2 == square.denominator:
        return Fraction(top, bottom)
    return math.sqrt(square)


def _printing(found: Iterable[Moments], sd: PrintedNumber) -> Moments | None:
    """Return the first that prints as a deviation, so that a large n ends soon; or the nearest."""
    nearest, least = None, math.inf
    for one in found:
        distance = float(magnitude(one.sd - sd.value))
        if distance < least:
            nearest, least = one, distance
        if sd.span(Rounding.HALF_UP).meets(one.sd):
            return one
    return nearest


def _squares_near(target: Fraction, total: int, n: int) -> Iterator[int]:
    """Yield the sums of squares next to a target that n whole numbers with a sum can have."""
    whole, rest = divmod(total, n)
    least = rest * (whole + 1) ** 2 + (n - rest) * whole**2
    # Squares have the parity of their numbers, so sums of squares go by twos.
    below = least + 2 * math.floor(max(target - least, Fraction(0)) / 2)
    above = below + 2
    while not _attained(n, total, below):
        below -= 2
    yield below
    while not _attained(n, total, above):
        above += 2
    yield above


def _attained(n: int, total: int, squares: int) -> bool:
    """Return whether some n whole numbers have a sum and a sum of squares of the right parity."""
    if n >= _FREE:
        return True
    if n == 1:
        return squares == total**2
    left = n * squares - total**2
    if n == 2:
        return left >= 0 and math.isqrt(left) ** 2 == left
    # One number lies within √(left·(n - 1))/n of the mean; the others are the same question.
    reach = math.isqrt(max(left, 0) * (n - 1))
    first, last = -((reach - total) // n), (total + reach) // n
    return left >= 0 and any(
        _attained(n - 1, total - one, squares - one**2) for one in range(first, last + 1)
    )

"""Shares as whole numbers of whole numbers: one, two, a row of them, two in each stratum."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from .rounding import PrintedNumber

Column = tuple[Fraction, ...]
Printed = tuple[PrintedNumber, ...]


@dataclass(frozen=True, slots=True)
class TwoByTwo:
    """Events in two samples.

    Attributes
    ----------
    k1, n1, k2, n2 : int
        Events and size of either sample, 0 ≤ k ≤ n and n at least 1.

    Raises
    ------
    ValueError
        If the counts are not in order.
    """

    k1: int
    n1: int
    k2: int
    n2: int

    def __post_init__(self) -> None:
        check_share(self.k1, self.n1)
        check_share(self.k2, self.n2)

    @property
    def cells(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Events and the rest, by sample."""
        return (self.k1, self.n1 - self.k1), (self.k2, self.n2 - self.k2)

    @property
    def odds_ratio(self) -> Fraction | None:
        """The sample odds ratio; None where it would divide by 0."""
        (a, b), (c, d) = self.cells
        return Fraction(a * d, b * c) if b * c else None


def two_by_two(k1: Fraction, n1: Fraction, k2: Fraction, n2: Fraction) -> TwoByTwo:
    """Return two shares as a table.

    Raises
    ------
    ValueError
        If a number is not whole or a share is not one.
    """
    return TwoByTwo(whole(k1), whole(n1), whole(k2), whole(n2))


def strata(k1: Column, n1: Column, k2: Column, n2: Column) -> list[TwoByTwo]:
    """Return columns of two shares as tables, one a row; a single number stands for every row.

    Raises
    ------
    ValueError
        If columns differ in length or hold no shares.
    """
    columns = (k1, n1, k2, n2)
    rows = max(len(column) for column in columns)
    if any(len(column) not in (1, rows) for column in columns):
        found = ", ".join(str(len(column)) for column in columns)
        raise ValueError(f"must join columns of one length, found {found}")
    full = [column * rows if len(column) == 1 else column for column in columns]
    return [two_by_two(*row) for row in zip(*full, strict=True)]


def rows_of(k: Column, n: Column) -> tuple[list[int], list[int]]:
    """Return events and sizes row by row; a single size stands for every row.

    Raises
    ------
    ValueError
        If the columns differ in length or hold no shares.
    """
    sizes = n * len(k) if len(n) == 1 else n
    if len(sizes) != len(k):
        raise ValueError(f"must have one n for each of {len(k)} rows, found {len(n)}")
    rows = [(whole(events), whole(size)) for events, size in zip(k, sizes, strict=True)]
    for events, size in rows:
        check_share(events, size)
    return [events for events, _ in rows], [size for _, size in rows]


def whole(number: Fraction) -> int:
    """Return a number as a count.

    Raises
    ------
    ValueError
        If it is not whole.
    """
    if number.denominator != 1:
        raise ValueError(f"must be a whole number, found {float(number)}")
    return int(number)


def level_of(level: Printed) -> float:
    """Return a confidence level from a printed one.

    Raises
    ------
    ValueError
        If it is not a single number strictly between 0 and 1.
    """
    share = only(level).value
    if not 0 < share < 1:
        raise ValueError(f"must be a confidence level such as 95%, found {level[0].text}")
    return float(share)


def only(printed: Printed) -> PrintedNumber:
    """Return the number of an input that wants a single printed one.

    Raises
    ------
    ValueError
        If there are none or several.
    """
    if len(printed) != 1:
        raise ValueError(f"must be one printed number, found {len(printed)}")
    return printed[0]


def check_share(k: Fraction | int, n: Fraction | int) -> None:
    """Raise unless k of n is a share.

    Raises
    ------
    ValueError
        If k is not within [0, n] or n is 0.
    """
    if not 0 <= k <= n or n == 0:
        raise ValueError(f"must hold 0 ≤ k ≤ n and n above 0, found {k} of {n}")

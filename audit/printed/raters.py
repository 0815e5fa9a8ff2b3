"""Two raters on yes or no of whom little is printed: an agreement, a κ, a number of items.

Agreement and κ leave few tables of counts, often some that differ only in who said yes where the
raters differ. Each table has rates of error of its own, and what they say of the whole material
hangs on how often yes is true there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from .counts import possible_counts
from .effect_tables import NEAREST
from .rounding import PrintedNumber, magnitude

# Far more than two people have rated for one κ; the tables grow with the square of it and more.
MOST_ITEMS = 1_000
_MOST_TABLES = 250_000


@dataclass(frozen=True, slots=True)
class RaterTable:
    """How often two raters said yes and no.

    Attributes
    ----------
    both_yes, only_first, only_second, both_no : int

    Raises
    ------
    ValueError
        If they hold more than 1,000 items, of which nobody could list all tables.
    """

    both_yes: int
    only_first: int
    only_second: int
    both_no: int

    def __post_init__(self) -> None:
        if self.items > MOST_ITEMS:
            raise ValueError(f"must hold at most {MOST_ITEMS:,} items, found {self.items}")

    @property
    def cells(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The first rater's yes and no by the second's."""
        return (self.both_yes, self.only_first), (self.only_second, self.both_no)

    @property
    def items(self) -> int:
        """How many items both rated."""
        return self.both_yes + self.only_first + self.only_second + self.both_no

    @property
    def agreement(self) -> Fraction:
        """The share of items on which they agree."""
        return Fraction(self.both_yes + self.both_no, self.items)

    @property
    def first_yes(self) -> Fraction:
        """How often the first rater said yes."""
        return Fraction(self.both_yes + self.only_first, self.items)

    @property
    def second_yes(self) -> Fraction:
        """How often the second rater said yes."""
        return Fraction(self.both_yes + self.only_second, self.items)

    @property
    def kappa(self) -> Fraction | None:
        """Cohen's κ; None if both used one and the same label."""
        (a, b), (c, d) = self.cells
        # (agreement - chance) / (1 - chance) with both multiplied by the items squared.
        rest = (a + b) * (b + d) + (a + c) * (c + d)
        return Fraction(2 * (a * d - b * c), rest) if rest else None

    def __str__(self) -> str:
        apart = f"{self.only_first} against {self.only_second} where the raters differ"
        return f"{self.both_yes} joint yes, {self.both_no} joint no, and {apart}"


def kappa_at(agreement: Fraction, share: Fraction) -> Fraction:
    """Return the κ of two raters who agree so often and both say yes at one rate.

    Parameters
    ----------
    agreement : Fraction
        In [0, 1].
    share : Fraction
        Strictly between 0 and 1.

    Raises
    ------
    ValueError
        If either is outside its range.
    """
    if not (0 <= agreement <= 1 and 0 < share < 1):
        raise ValueError("must hold an agreement in [0, 1] and a share of yes strictly within it")
    chance = share**2 + (1 - share) ** 2
    return (agreement - chance) / (1 - chance)


def tables_of_raters(
    n: int, agreement: PrintedNumber | None, kappa: PrintedNumber | None
) -> tuple[RaterTable, ...]:
    """Return every table of two raters that prints an agreement and a κ.

    Parameters
    ----------
    n : int
        Items, at least 1.
    agreement, kappa : PrintedNumber or None
        As printed, under any rule that rounds to the nearest; None if it is not.

    Raises
    ------
    ValueError
        If there are no items or too many tables to try, or neither is printed.
    """
    if agreement is None and kappa is None:
        raise ValueError("must have an agreement or a κ to go by")
    return tuple(table for table in _tables(n, agreement) if _prints(table, kappa))


def nearest_kappa(n: int, agreement: PrintedNumber, kappa: PrintedNumber) -> RaterTable | None:
    """Return the table with a printed agreement whose κ is nearest to a printed one.

    Parameters
    ----------
    n : int
        Items, at least 1.
    agreement, kappa : PrintedNumber

    Returns
    -------
    RaterTable or None
        None if no whole number of items prints the agreement.

    Raises
    ------
    ValueError
        If there are no items, or too many tables to try.
    """
    defined = [(table.kappa, table) for table in _tables(n, agreement)]
    return min(
        (table for value, table in defined if value is not None),
        key=lambda table: magnitude((table.kappa or Fraction(0)) - kappa.value),
        default=None,
    )


def _tables(n: int, agreement: PrintedNumber | None) -> Iterator[RaterTable]:
    if n < 1:
        raise ValueError(f"must hold at least 1 item, found {n}")
    if n > MOST_ITEMS:
        raise ValueError(f"must hold at most {MOST_ITEMS:,} items, found {n}")
    possible = range(n + 1) if agreement is None else possible_counts(agreement, n)
    tables = sum((agreed + 1) * (n - agreed + 1) for agreed in possible)
    if tables > _MOST_TABLES:
        raise ValueError(f"must leave at most {_MOST_TABLES:,} tables to try, found {tables:,}")
    for agreed in possible:
        for both_yes in range(agreed + 1):
            for only_first in range(n - agreed + 1):
                yield RaterTable(both_yes, only_first, n - agreed - only_first, agreed - both_yes)


def _prints(table: RaterTable, kappa: PrintedNumber | None) -> bool:
    value = table.kappa
    if kappa is None:
        return True
    return value is not None and any(kappa.span(rule).meets(value) for rule in NEAREST)

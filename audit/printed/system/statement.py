"""Statements about unknown whole numbers: a printed number of a ratio, or a relation by design.

A printed ``p`` of ``N/D`` is the linear statement ``low·D <= N <= high·D`` with ``D > 0``, where
``low`` and ``high`` end the reals that print as ``p``. Numbers rounded to the nearest take both
ties, since one author rounds halves up and another down.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from audit.printed.rounding import Comparator, PrintedNumber, Rounding, Span

from .forms import Inequality, Ranges, Ratio, at_most_zero


class Convention(StrEnum):
    """How the numbers of one system were all made to fit their digits."""

    NEAREST = "rounded to the nearest"
    TRUNCATED = "cut off, not rounded"


_RULES = {
    Convention.NEAREST: (Rounding.HALF_UP, Rounding.HALF_EVEN, Rounding.HALF_DOWN),
    Convention.TRUNCATED: (Rounding.TRUNCATION,),
}


@dataclass(frozen=True, slots=True)
class Printed:
    """What a printed number is the rounding of.

    Attributes
    ----------
    ratio : Ratio
    number : PrintedNumber
        With its comparator; a bound is never rounded.
    exact : bool
        Whether the number is not rounded.
    """

    ratio: Ratio
    number: PrintedNumber
    exact: bool = False

    def inequalities(self, convention: Convention) -> tuple[Inequality, ...]:
        """Return what it says of the unknowns, that the denominator is above 0 among it."""
        over, under = self.ratio.numerator, self.ratio.denominator
        low, high = self._ends(convention)
        found = [positive(self.ratio)]
        if low is not None:
            found.append(at_most_zero(under.times(low[0]) - over, strict=not low[1]))
        if high is not None:
            found.append(at_most_zero(over - under.times(high[0]), strict=not high[1]))
        return tuple(found)

    def _ends(self, convention: Convention) -> tuple[_End | None, _End | None]:
        """Return both ends of what prints so, each with whether it does itself; None is open."""
        value = self.number.value
        match self.number.comparator:
            case Comparator.LESS | Comparator.AT_MOST as sign:
                return None, (value, sign is Comparator.AT_MOST)
            case Comparator.GREATER | Comparator.AT_LEAST as sign:
                return (value, sign is Comparator.AT_LEAST), None
        if self.exact:
            return (value, True), (value, True)
        spans = [self.number.span(rule) for rule in _RULES[convention]]
        return _hull(spans)


_End = tuple[Fraction, bool]


def _hull(spans: Sequence[Span]) -> tuple[_End, _End]:
    low = min((span.low, not span.low_in) for span in spans)
    high = max((span.high, span.high_in) for span in spans)
    return (low[0], not low[1]), high


def positive(ratio: Ratio) -> Inequality:
    """Return that a ratio's denominator is above 0."""
    return at_most_zero(ratio.denominator.times(Fraction(-1)), strict=True)


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing said of the unknowns: a printed number, or relations that hold by design.

    Attributes
    ----------
    id : str
    printed : Printed or None
    relations : tuple of Inequality
        What holds by design; empty for a printed number.
    """

    id: str
    printed: Printed | None = None
    relations: tuple[Inequality, ...] = ()

    def inequalities(self, convention: Convention) -> tuple[Inequality, ...]:
        """Return what it says of the unknowns if numbers fit their digits by a convention."""
        if self.printed is None:
            return self.relations
        return self.printed.inequalities(convention)

    @property
    def names(self) -> tuple[str, ...]:
        """The unknowns that it speaks of, in order."""
        if self.printed is not None:
            return self.printed.ratio.names
        return tuple(sorted({name for one in self.relations for name in one.names}))


@dataclass(frozen=True, slots=True)
class System:
    """Unknown whole numbers with their ranges, and statements about them.

    Attributes
    ----------
    ranges : mapping
        Name to least and most, both included.
    statements : tuple of Statement
        With ids of their own.
    convention : Convention
        How its numbers were made to fit their digits.
    """

    ranges: Ranges
    statements: tuple[Statement, ...]
    convention: Convention = Convention.NEAREST

    def __post_init__(self) -> None:
        ids = [statement.id for statement in self.statements]
        if repeated := sorted({id for id in ids if ids.count(id) > 1}):
            raise ValueError(f"must not repeat the statement {repeated[0]!r}")
        for statement in self.statements:
            for name in statement.names:
                if name not in self.ranges:
                    raise ValueError(
                        f"must give a range to {name!r}, of which {statement.id} speaks"
                    )

    def said(self, statements: Iterable[Statement]) -> list[Inequality]:
        """Return what some statements say of the unknowns."""
        return [one for each in statements for one in each.inequalities(self.convention)]

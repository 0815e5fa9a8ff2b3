"""What a printed number says: the reals that would have been printed so.

A printed number is read from its string, since "2.0" and "2" say different things. Arithmetic is in
exact fractions, so a value on the edge between two printed numbers is on the edge here too.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

Number = Fraction | float

# A float that ought to lie on an edge of a span may miss it by its own rounding.
FLOAT_SLACK = 1e-12
# What print has before a negative number: a hyphen, a minus, or the en dash of many a page.
_MINUS = ("-", "\N{MINUS SIGN}", "\N{EN DASH}")
# No source prints so many digits; thousands of them would make every later step slow.
_MOST_DIGITS = 100


class Rounding(StrEnum):
    """The rounding rules in common use, the most common first."""

    HALF_UP = "half up"
    HALF_EVEN = "half even"
    HALF_DOWN = "half down"
    TRUNCATION = "truncation"


class Comparator(StrEnum):
    """What stands before a printed number."""

    EQUAL = ""
    LESS = "<"
    GREATER = ">"
    AT_MOST = "≤"
    AT_LEAST = "≥"


class Unit(StrEnum):
    """What stands after a printed number."""

    NONE = ""
    PERCENT = "%"
    POINTS = "pp"
    TIMES = "×"
    ELO = "ELO"
    BILLION = "B"


_SCALE: dict[Unit, Fraction] = {
    Unit.NONE: Fraction(1),
    Unit.PERCENT: Fraction(1, 100),
    Unit.POINTS: Fraction(1, 100),
    Unit.TIMES: Fraction(1),
    Unit.ELO: Fraction(1),
    Unit.BILLION: Fraction(10**9),
}
_COMPARATORS: dict[str | None, Comparator] = {
    **{comparator.value: comparator for comparator in Comparator if comparator.value},
    **{"<=": Comparator.AT_MOST, ">=": Comparator.AT_LEAST},
    **dict.fromkeys((None, "=", "≈", "~"), Comparator.EQUAL),
}
_UNITS: dict[str | None, Unit] = {
    **{unit.value: unit for unit in Unit if unit.value},
    **{None: Unit.NONE, "x": Unit.TIMES},
}
_NUMBER = re.compile(
    r"""\s*(?P<comparator><=|>=|[<>≤≥=≈~])?\s*
        (?P<sign>[-\u2212\u2013+])?
        (?P<whole>[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+|(?=\.[0-9]))(?:\.(?P<decimals>[0-9]+))?
        (?:[eE](?P<power>[-+]?[0-9]{1,2}))?
        \s*(?P<unit>%|pp|×|x|ELO|B)?\s*""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Span:
    """An interval of reals, each end in it or not.

    Attributes
    ----------
    low, high : Fraction
    low_in, high_in : bool
        Whether the end belongs to the span.
    """

    low: Fraction
    high: Fraction
    low_in: bool
    high_in: bool

    def meets(self, value: Number, slack: Number = Fraction(0)) -> bool:
        """Return whether some real within ``slack`` of a value lies in the span.

        Parameters
        ----------
        value : Fraction or float
            An exact fraction is compared exactly, a float within its own rounding. NaN and
            infinities meet nothing.
        slack : Fraction or float
            Half the width of what is compared, at least 0.
        """
        if not isinstance(value, Fraction):
            if not math.isfinite(value):
                return False
            slack = Fraction(slack) + Fraction(FLOAT_SLACK * max(1.0, abs(value)))
        reach = Fraction(slack)
        left, right = Fraction(value) - reach, Fraction(value) + reach
        above = right > self.low or (self.low_in and right == self.low)
        below = left < self.high or (self.high_in and left == self.high)
        return above and below


@dataclass(frozen=True, slots=True)
class PrintedNumber:
    """A number as printed.

    Attributes
    ----------
    text : str
        The string.
    comparator : Comparator
    value : Fraction
        In natural units: "86.6%" is 0.866.
    step : Fraction
        What one more in the last printed digit would add, in natural units; above 0.
    unit : Unit
    """

    text: str
    comparator: Comparator
    value: Fraction
    step: Fraction
    unit: Unit

    @property
    def scale(self) -> Fraction:
        """What one printed unit is worth: 1/100 for a percentage."""
        return _SCALE[self.unit]

    @property
    def is_count(self) -> bool:
        """Whether it is a bare whole number, which in a table is a count and not rounded."""
        bare = self.comparator is Comparator.EQUAL and self.unit is Unit.NONE
        return bare and self.step == 1 and self.value.denominator == 1

    def span(self, rule: Rounding) -> Span:
        """Return the reals that a rounding rule prints so; the comparator plays no part."""
        half = self.step / 2
        if rule is Rounding.TRUNCATION:
            # Towards zero: "0" takes both neighbours, any other number the one further out.
            low = self.value - (self.step if self.value <= 0 else 0)
            high = self.value + (self.step if self.value >= 0 else 0)
            return Span(low, high, self.value > 0, self.value < 0)
        low_in, high_in = self._ties(rule)
        return Span(self.value - half, self.value + half, low_in, high_in)

    def _ties(self, rule: Rounding) -> tuple[bool, bool]:
        """Return whether the lower and the upper tie are printed as this number."""
        if rule is Rounding.HALF_EVEN:
            even = (self.value / self.step) % 2 == 0
            return even, even
        outward = rule is Rounding.HALF_UP
        # "Up" means away from zero, so the tie nearer to zero is the one that comes here.
        return (
            self.value > 0 if outward else self.value <= 0,
            self.value < 0 if outward else self.value >= 0,
        )

    def rules(self, value: Number, slack: Number = Fraction(0)) -> tuple[Rounding, ...]:
        """Return the rounding rules under which a value, give or take a slack, prints so."""
        return tuple(rule for rule in Rounding if self.span(rule).meets(value, slack))

    def agrees(self, other: PrintedNumber) -> bool:
        """Return whether one real can print as both, each under a rule of its own."""
        return any(_overlap(mine, theirs) for mine in self._spans() for theirs in other._spans())

    def _spans(self) -> Iterable[Span]:
        return (self.span(rule) for rule in Rounding)


def _overlap(first: Span, second: Span) -> bool:
    low = max((first.low, not first.low_in), (second.low, not second.low_in))
    high = min((first.high, first.high_in), (second.high, second.high_in))
    return low[0] < high[0] or (low[0] == high[0] and not low[1] and high[1])


def read_number(text: str) -> PrintedNumber:
    """Return a printed number from its string.

    Parameters
    ----------
    text : str
        Digits with thousands commas or a power of ten, the nought before a point there or not, and
        around them at most one of ``< > <= >= ≤ ≥``, a sign, and one of ``% pp × x ELO B``. "=",
        "≈" and "~" say nothing that counts here.

    Raises
    ------
    ValueError
        If the string is no such number or has more than 100 digits; it says what was found.
    """
    found = _NUMBER.fullmatch(text)
    if found is None:
        rule = "must be a printed number such as 1,663, -0.95, 41.3%, 7.75× or <.001"
        raise ValueError(f"{rule}, found {text!r}")
    if (printed := sum(letter.isdigit() for letter in text)) > _MOST_DIGITS:
        raise ValueError(f"must have at most {_MOST_DIGITS} digits, found {printed:,}")
    decimals, power = found["decimals"] or "", int(found["power"] or 0)
    unit = _UNITS[found["unit"]]
    step = Fraction(10) ** (power - len(decimals)) * _SCALE[unit]
    digits = int(found["whole"].replace(",", "") + decimals)
    sign = -1 if found["sign"] in _MINUS else 1
    comparator = _COMPARATORS[found["comparator"]]
    return PrintedNumber(text.strip(), comparator, sign * digits * step, step, unit)


def magnitude(value: Number) -> Number:
    """Return the absolute value."""
    return value if value >= 0 else -value

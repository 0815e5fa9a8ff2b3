"""Linear forms over unknown whole numbers, and the inequalities between whole numbers they make.

All arithmetic is exact. An inequality is kept in whole numbers and in lowest terms, which rounds
its right side down: ``2x <= 5`` is ``x <= 2``, since the unknowns are whole.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

Point = Mapping[str, int]
Range = tuple[int, int]
Ranges = Mapping[str, Range]


@dataclass(frozen=True, slots=True)
class Form:
    """A constant plus multiples of unknowns.

    Attributes
    ----------
    terms : tuple of (str, Fraction)
        Names in order, each once, with a multiple other than 0.
    constant : Fraction
    """

    terms: tuple[tuple[str, Fraction], ...]
    constant: Fraction

    def __add__(self, other: Form) -> Form:
        """Return the sum."""
        return _form((*self.terms, *other.terms), self.constant + other.constant)

    def __sub__(self, other: Form) -> Form:
        """Return the difference."""
        return self + other.times(Fraction(-1))

    def times(self, by: Fraction) -> Form:
        """Return the form multiplied by a number."""
        return _form(((name, much * by) for name, much in self.terms), self.constant * by)

    def given(self, point: Point) -> Form:
        """Return the form with the unknowns that a point names put in."""
        known = {name: point[name] for name, _ in self.terms if name in point}
        kept = tuple((name, much) for name, much in self.terms if name not in known)
        return Form(
            kept, self.constant + sum(much * known[n] for n, much in self.terms if n in known)
        )

    def at(self, point: Point) -> Fraction:
        """Return the value at a point, which must name every unknown of the form."""
        return sum((much * point[name] for name, much in self.terms), self.constant)

    @property
    def names(self) -> tuple[str, ...]:
        """The unknowns in it, in order."""
        return tuple(name for name, _ in self.terms)


def _form(terms: Iterable[tuple[str, Fraction]], constant: Fraction) -> Form:
    total: dict[str, Fraction] = {}
    for name, much in terms:
        total[name] = total[name] + much if name in total else much
    kept = tuple((name, total[name]) for name in sorted(total) if total[name])
    return Form(kept, constant)


def constant(value: Fraction | int) -> Form:
    """Return the form that is a number."""
    return Form((), Fraction(value))


def unknown(name: str) -> Form:
    """Return the form that is one unknown."""
    return Form(((name, Fraction(1)),), Fraction(0))


@dataclass(frozen=True, slots=True)
class Ratio:
    """One form over another; a form alone is one over the constant 1.

    Attributes
    ----------
    numerator, denominator : Form
    """

    numerator: Form
    denominator: Form

    @property
    def names(self) -> tuple[str, ...]:
        """The unknowns in it, in order."""
        return tuple(sorted({*self.numerator.names, *self.denominator.names}))

    def given(self, point: Point) -> Ratio:
        """Return the ratio with the unknowns that a point names put in."""
        return Ratio(self.numerator.given(point), self.denominator.given(point))


@dataclass(frozen=True, slots=True)
class Inequality:
    """Whole multiples of unknowns that together are at most a whole number.

    Attributes
    ----------
    terms : tuple of (str, int)
        Names in order, each once, with a multiple other than 0; without any, it holds or it does
        not by ``most`` alone.
    most : int
    """

    terms: tuple[tuple[str, int], ...]
    most: int

    @property
    def names(self) -> tuple[str, ...]:
        """The unknowns in it, in order."""
        return tuple(name for name, _ in self.terms)

    def denied(self) -> Inequality:
        """Return the inequality that holds of whole numbers where this one does not."""
        return Inequality(tuple((name, -much) for name, much in self.terms), -self.most - 1)

    def holds(self, point: Point) -> bool:
        """Return whether it holds at a point."""
        return sum(much * point[name] for name, much in self.terms) <= self.most


def at_most_zero(form: Form, *, strict: bool = False) -> Inequality:
    """Return the inequality between whole numbers that says a form is at most 0, or below it.

    Parameters
    ----------
    form : Form
    strict : bool
        Whether the form must be below 0.
    """
    by, terms = whole_terms(form)
    most = int(-form.constant * by) - strict
    common = math.gcd(*(much for _, much in terms)) or 1
    return Inequality(tuple((name, much // common) for name, much in terms), most // common)


def whole_terms(form: Form) -> tuple[int, tuple[tuple[str, int], ...]]:
    """Return the least whole multiple that makes a form whole, and its terms times that."""
    by = math.lcm(form.constant.denominator, *(much.denominator for _, much in form.terms))
    return by, tuple((name, int(much * by)) for name, much in form.terms)

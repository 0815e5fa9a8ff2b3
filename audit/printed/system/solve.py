"""What a system of statements leaves open: whether it can be, how many ways, and between what.

Everything here is exact: numbers are whole, ratios are fractions, and CP-SAT proves what it says or
raises. A ratio's ends are found by Dinkelbach's method, which asks for the largest of a linear form
a few times.

References
----------
Dinkelbach, doi:10.1287/mnsc.13.7.492.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from .cpsat import Search
from .forms import Form, Inequality, Point, Range, Ranges, Ratio, at_most_zero, whole_terms
from .listing import has_point, points_of
from .parts import Part, parts_of, tightened

# More solutions than this are not listed, and more than so few where only the ends matter.
LIMIT = 2_000
FEW = 20


@dataclass(frozen=True, slots=True)
class Quotient:
    """A value of a ratio with the two numbers that it is made of.

    Attributes
    ----------
    over, under : Fraction
        ``under`` is above 0.
    """

    over: Fraction
    under: Fraction

    @property
    def value(self) -> Fraction:
        """The one over the other."""
        return self.over / self.under


@dataclass(frozen=True, slots=True)
class Spread:
    """What a ratio may be.

    Attributes
    ----------
    least, most : Quotient
        Of those with the same value, the one with the smallest denominator.
    values : tuple of Quotient or None
        All of them, ascending, then by denominator; None if they were not listed.
    """

    least: Quotient
    most: Quotient
    values: tuple[Quotient, ...] | None


@dataclass(frozen=True, slots=True)
class Open:
    """What a system leaves open once its ranges are tight.

    Attributes
    ----------
    box : dict
        Name to what is left of its range.
    parts : tuple of Part
        Those of its unknowns that inequalities still join.
    """

    box: dict[str, Range]
    parts: tuple[Part, ...]

    def touching(self, names: Iterable[str]) -> tuple[Part, ...]:
        """Return the parts that hold some of the names; a free unknown is a part of its own."""
        wanted = {name for name in names if self.box[name][0] < self.box[name][1]}
        held = [part for part in self.parts if wanted & set(part.names)]
        free = wanted - {name for part in held for name in part.names}
        return (*held, *(Part(((name, self.box[name]),), ()) for name in sorted(free)))

    def count(self, names: Iterable[str], limit: int = LIMIT) -> int | None:
        """Return in how many ways the parts that hold some names can be, or None if not counted.

        A part with more solutions than the limit is not counted.
        """
        listed = [points_of(part, limit) for part in self.touching(names)]
        found = [len(points) for points in listed if points is not None]
        return math.prod(found) if len(found) == len(listed) else None


def opened(ranges: Ranges, inequalities: Sequence[Inequality]) -> Open | None:
    """Return what inequalities leave open, or None if they leave nothing.

    Raises
    ------
    Unsearched
        If the search is given up.
    """
    box = tightened(ranges, inequalities)
    if box is None:
        return None
    parts = parts_of(box, inequalities)
    return Open(box, parts) if all(has_point(part) for part in parts) else None


def implied(ranges: Ranges, said: Sequence[Inequality], what: Iterable[Inequality]) -> bool:
    """Return whether inequalities hold wherever others do, in which case nothing denies them.

    Raises
    ------
    Unsearched
        If the search is given up.
    """
    return all(opened(ranges, (*said, one.denied())) is None for one in what)


def feasible(ranges: Ranges, inequalities: Sequence[Inequality]) -> bool:
    """Return whether some whole numbers in their ranges satisfy every inequality.

    Raises
    ------
    Unsearched
        If the search is given up.
    """
    return opened(ranges, inequalities) is not None


def solutions(
    ranges: Ranges, inequalities: Sequence[Inequality], limit: int = LIMIT
) -> tuple[dict[str, int], ...] | None:
    """Return every solution, or None if there are more than a limit.

    Returns
    -------
    tuple of dict or None
        Each names every unknown; in lexicographic order of the sorted names.

    Raises
    ------
    Unsearched
        If the search is given up.
    """
    left = opened(ranges, inequalities)
    if left is None:
        return ()
    count = left.count(ranges, limit)
    if count is None or count > limit:
        return None
    found: list[dict[str, int]] = [{name: low for name, (low, _) in left.box.items()}]
    for part in left.touching(ranges):
        points = points_of(part, limit)
        rows = [] if points is None else points.tolist()
        found = [base | dict(zip(part.names, row, strict=True)) for base in found for row in rows]
    names = sorted(ranges)
    return tuple(sorted(found, key=lambda point: [point[name] for name in names]))


def spread(left: Open, ratio: Ratio, limit: int = LIMIT) -> Spread | None:
    """Return what a ratio may be, or None if its denominator may fail to be above 0.

    Parameters
    ----------
    left : Open
    ratio : Ratio
        In unknowns of the system.
    limit : int
        The most solutions that are listed one by one.

    Raises
    ------
    Unsearched
        If the search is given up.
    """
    fixed = {name: low for name, (low, high) in left.box.items() if low == high}
    parts = left.touching(ratio.names)
    part = Part(
        tuple(sorted(pair for one in parts for pair in one.ranges)),
        tuple(inequality for one in parts for inequality in one.inequalities),
    )
    count = left.count(ratio.names, limit)
    points = None if count is None or count > limit else points_of(part, limit)
    if points is None:
        return _ends(part, ratio.given(fixed))
    found = [dict(zip(part.names, row, strict=True)) for row in points.tolist()]
    return _listed(found, ratio.given(fixed))


def _listed(points: Sequence[Point], ratio: Ratio) -> Spread | None:
    """Return what a ratio may be at some points."""
    pairs = {(ratio.numerator.at(point), ratio.denominator.at(point)) for point in points}
    if any(under <= 0 for _, under in pairs):
        return None
    ordered = sorted((over / under, under, over) for over, under in pairs)
    values = tuple(Quotient(over, under) for _, under, over in ordered)
    most = next(one for one in values if one.value == values[-1].value)
    return Spread(values[0], most, values)


def _ends(part: Part, ratio: Ratio) -> Spread | None:
    """Return a ratio's least and most by search, where its values are too many to list."""
    start = _smallest(part, ratio.denominator)
    if ratio.denominator.at(start) <= 0:
        return None
    turned = Ratio(ratio.numerator.times(Fraction(-1)), ratio.denominator)
    low, high = _highest(part, turned, start), _highest(part, ratio, start)
    return Spread(Quotient(-low.over, low.under), high, None)


def _highest(part: Part, ratio: Ratio, point: Point) -> Quotient:
    """Return the largest value of a ratio, of several alike that with the smallest denominator."""
    search = Search(dict(part.ranges), part.inequalities)
    while True:
        value = ratio.numerator.at(point) / ratio.denominator.at(point)
        short = ratio.denominator.times(value) - ratio.numerator
        further = _least(search, short)
        if short.at(further) >= 0:
            break
        point = further
    alike = Part(part.ranges, (*part.inequalities, at_most_zero(short)))
    point = _smallest(alike, ratio.denominator)
    return Quotient(ratio.numerator.at(point), ratio.denominator.at(point))


def _smallest(part: Part, form: Form) -> Point:
    return _least(Search(dict(part.ranges), part.inequalities), form)


def _least(search: Search, form: Form) -> Point:
    """Return a point at which a form is smallest."""
    _, terms = whole_terms(form)
    point = search.largest([(name, -much) for name, much in terms])
    if point is None:
        raise ValueError("must have a solution")
    return point

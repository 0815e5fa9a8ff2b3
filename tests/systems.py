"""Small random systems of statements, and what is true of them by looking at every point."""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product

from hypothesis import strategies as st

from audit.printed.rounding import read_number
from audit.printed.system.language import Names, read_ratio, read_relation
from audit.printed.system.statement import Convention, Printed, Statement, System

UNKNOWN = ("x", "y", "z")
NAMES = Names(dict.fromkeys(UNKNOWN), {})
RELATIONS = {
    "=": operator.eq,
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}


@dataclass(frozen=True)
class Sum:
    """A multiple of each unknown, and a constant."""

    much: tuple[int, ...]
    constant: int

    def text(self):
        terms = [f"{m} * {name}" for m, name in zip(self.much, UNKNOWN, strict=True) if m]
        return f"({' + '.join([*terms, str(self.constant)])})"

    def at(self, point):
        return sum(m * point[n] for m, n in zip(self.much, UNKNOWN, strict=True)) + self.constant


@dataclass(frozen=True)
class Said:
    """``over / under`` printed with a number of decimals, or ``over sign under``."""

    over: Sum
    under: Sum
    sign: str
    number: Fraction
    decimals: int

    def statement(self, id):
        if self.sign:
            says = f"{self.over.text()} {self.sign} {self.under.text()}"
            return Statement(id, relations=read_relation(says, NAMES))
        ratio = read_ratio(f"{self.over.text()} / {self.under.text()}", NAMES)
        shown = f"{float(abs(self.number)):.{self.decimals}f}"
        sign = "-" if self.number < 0 else ""
        return Statement(id, Printed(ratio, read_number(sign + shown)))

    def holds(self, point, convention):
        over, under = self.over.at(point), self.under.at(point)
        if self.sign:
            return RELATIONS[self.sign](over, under)
        if under <= 0:
            return False
        shift = 10**self.decimals
        if convention is Convention.TRUNCATED:
            return math.trunc(Fraction(over, under) * shift) == self.number * shift
        return abs(Fraction(over, under) - self.number) <= Fraction(1, 2 * shift)


@dataclass(frozen=True)
class Drawn:
    """A system as drawn, and as the engine has it."""

    ranges: dict
    said: tuple

    @property
    def system(self):
        statements = [one.statement(f"s{place}") for place, one in enumerate(self.said)]
        return System(self.ranges, tuple(statements))

    def points(self, places=None, convention=Convention.NEAREST):
        """Return every point at which the statements at some places hold."""
        said = self.said if places is None else [self.said[place] for place in places]
        spans = [range(low, high + 1) for low, high in self.ranges.values()]
        every = [dict(zip(self.ranges, values, strict=True)) for values in product(*spans)]
        return [point for point in every if all(one.holds(point, convention) for one in said)]

    def minimal_sets(self, convention=Convention.NEAREST):
        """Return every minimal conflicting set, as places."""
        found = []
        for size in range(len(self.said) + 1):
            for places in combinations(range(len(self.said)), size):
                smaller = any(set(one) <= set(places) for one in found)
                if not smaller and not self.points(places, convention):
                    found.append(places)
        return found


def sums(least):
    multiples = st.tuples(*[st.integers(least, 2) for _ in UNKNOWN])
    return st.builds(Sum, multiples, st.integers(0, 3))


def lower_sums(least):
    """Draw what may stand below: not a constant below 1, whose sign would move above."""
    return sums(least).filter(lambda one: any(one.much) or one.constant > 0)


def printed(value, decimals):
    """Return a value rounded half up to some decimals."""
    shift = 10**decimals
    return Fraction(math.floor(abs(value) * shift + Fraction(1, 2)), shift) * (
        -1 if value < 0 else 1
    )


@st.composite
def said(draw, point=None):
    """Draw a statement, true at a point if one is given."""
    over, under = draw(sums(-2)), draw(lower_sums(0))
    decimals = draw(st.integers(0, 2))
    if draw(st.booleans()):
        true = [s for s, f in RELATIONS.items() if not point or f(over.at(point), under.at(point))]
        return Said(over, under, draw(st.sampled_from(true)), Fraction(0), 0)
    if point is None:
        number = Fraction(draw(st.integers(-20, 60)), 10**decimals)
        return Said(over, under, "", number, decimals)
    if under.at(point) <= 0:
        under = Sum(under.much, under.constant + 1)
    return Said(
        over, under, "", printed(Fraction(over.at(point), under.at(point)), decimals), decimals
    )


@st.composite
def drawn(draw, true=False, most=5):
    """Draw a system; if true, one that holds at some point."""
    ranges = {}
    for name in UNKNOWN:
        low = draw(st.integers(0, 2))
        ranges[name] = (low, low + draw(st.integers(0, 4)))
    point = None
    if true:
        point = {name: draw(st.integers(*ranges[name])) for name in UNKNOWN}
    count = draw(st.integers(1, most))
    return Drawn(ranges, tuple(draw(said(point)) for _ in range(count)))

"""The bootstrap law of Cohen's κ for two categories, folded, and its quantiles without a lattice.

With e disagreements b + c among n items and D = ad - bc, κ is 2D/(2D + ne). It is the same for
``[[a, b], [c, d]]``, for b and c exchanged, and for a and d exchanged, so that four tables of the
lattice are one class: 3.6 million classes for n = 439 where there are 14.3 million tables. Given e,
ad and bc are independent, and a class has the probability of a product of three binomials.

For one e, κ only grows with D. The distribution function at a value is therefore a sum over e and
ad of tails of bc, of some n²/2 terms, and a quantile is found by bisection without any lattice.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.stats import binom

from audit.numbers._check import FloatArray, IntArray, as_level, as_two_by_two
from audit.numbers.estimate import Interval

from .bootstrap import AtomLimitError, support_size
from .law import TOTAL_SLACK, Engine, Law

__all__ = ["CLASS_LIMIT", "PERCENTILE_ITEMS", "kappa_classes", "kappa_law", "kappa_percentile"]

CLASS_LIMIT = 8_000_000
"""Classes above which no law is made: n = 575, and half a GiB."""

PERCENTILE_ITEMS = 1_500
"""Items up to which percentile limits are found without a lattice in some five seconds."""


def kappa_classes(total: int) -> int:
    """Return the number of classes of tables of so many items."""
    return sum(((total - e) // 2 + 1) * (e // 2 + 1) for e in range(total + 1))


def kappa_law(table: npt.ArrayLike, *, limit: int = CLASS_LIMIT) -> Law:
    """Return the bootstrap law of κ, every table counted, equal values merged without a tolerance.

    Parameters
    ----------
    table : array_like of int, shape (2, 2)
        Items by the category of the first rater and of the second.
    limit : int
        The largest number of classes.

    Returns
    -------
    Law
        ``atoms`` counts tables, as the plain lattice would.

    Raises
    ------
    AtomLimitError
        If there are more classes than the limit.
    ValueError
        If this is no table of counts.

    References
    ----------
    Cohen, doi:10.1177/001316446002000104.
    """
    counts = as_two_by_two(table)
    classes = kappa_classes(int(counts.sum()))
    if classes > limit:
        raise AtomLimitError(classes, limit)
    folded = _Folded.of(counts)
    values, weights = _classes(folded)
    undefined = np.isnan(values)
    missing = float(weights[undefined].sum())
    order = np.argsort(values[~undefined])
    ordered, mass = values[~undefined][order], weights[~undefined][order]
    new = np.ones(len(ordered), dtype=np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
    starts = np.flatnonzero(new)
    merged = np.add.reduceat(mass, starts) if len(starts) else mass
    degenerate = (0,) if np.count_nonzero(counts) < 2 else ()
    return Law(ordered[starts], merged, missing, folded.atoms, Engine.ENUMERATED, degenerate)


def kappa_percentile(table: npt.ArrayLike, *, level: float = 0.95) -> Interval | None:
    """Return the percentile interval of κ over every resample of items, without a lattice.

    Memory and time grow with n² where those of a lattice grow with n³; the limits are the same.

    Parameters
    ----------
    table : array_like of int, shape (2, 2)
        Items by the category of the first rater and of the second.
    level : float
        Confidence level, in (0, 1).

    Returns
    -------
    Interval or None
        None if κ is defined in no resample.

    Raises
    ------
    ValueError
        If this is no table of counts or the level is not allowed.
    """
    folded, tail = _Folded.of(as_two_by_two(table)), (1.0 - as_level(level)) / 2.0
    if not folded.reached(1.0)[0] > 0.0:
        return None
    low, high = (_quantile(folded, q) for q in (tail, 1.0 - tail))
    return Interval(low, high, level, f"bootstrap percentile, inverse cdf, {Engine.ENUMERATED}")


@dataclass(frozen=True, slots=True, eq=False)
class _Folded:
    """The parts of which every class is made.

    Attributes
    ----------
    total, atoms : int
        Items; tables of the lattice.
    disagreed : ndarray, shape (n + 1,)
        The probability of each e.
    agreed, crossed : ndarray, shape (n + 1, n // 2 + 1)
        Given e, that of min(a, d), and of min(b, c).
    tails : ndarray, shape (n + 1, n // 2 + 1)
        Given e, the probability that min(b, c) is as large or larger.
    can_agree, can_cross : ndarray of bool, shape (n + 1, n // 2 + 1)
        Whether these can come about at all: 0 as a probability may be too small a number.
    """

    total: int
    atoms: int
    disagreed: FloatArray
    agreed: FloatArray
    crossed: FloatArray
    tails: FloatArray
    can_agree: npt.NDArray[np.bool_]
    can_cross: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, counts: IntArray) -> _Folded:
        (a, b), (c, d) = counts.tolist()
        total = a + b + c + d
        e = np.arange(total + 1)
        share = (b + c) / total if total else 0.0
        ways = np.asarray(binom.pmf(e, total, share), dtype=np.float64)
        possible = (e == 0) | (b + c > 0)
        possible &= (e == total) | (a + d > 0)
        agreed, can_agree = _smaller(total - e, a, d)
        crossed, can_cross = _smaller(e, b, c)
        atoms = support_size(total, int(np.count_nonzero(counts)))
        tails = np.cumsum(crossed[:, ::-1], axis=1)[:, ::-1]
        can_agree &= possible[:, None]
        return cls(total, atoms, ways, agreed, crossed, tails, can_agree, can_cross)

    def reached(self, value: float) -> tuple[float, float]:
        """Return P(κ ≤ value), and the largest value up to there that κ can take."""
        n = self.total
        e = np.arange(n + 1)
        most = _most(value, e, n)
        x = np.arange(n // 2 + 1)
        agreed = x * ((n - e)[:, None] - x)
        need = agreed - most[:, None]
        y = _least_root(need, e[:, None])
        there = self.can_agree & (y <= e[:, None] // 2)
        if value < 1.0:
            there[0] = False  # e = 0: κ is 1, or undefined with D = 0
        else:
            there[0] &= agreed[0] > 0
        at = np.where(there, y, 0)
        tail = np.take_along_axis(self.tails, at, axis=1)
        mass = (self.disagreed[:, None] * self.agreed * tail)[there].sum()
        return float(mass), self._largest(there, at, agreed)

    def _largest(self, there: npt.NDArray[np.bool_], y: IntArray, agreed: IntArray) -> float:
        # With b or c empty bc is 0 in every resample: the least bc that will do is then none.
        can = there & np.take_along_axis(self.can_cross, y, axis=1)
        e = np.broadcast_to(np.arange(self.total + 1)[:, None], y.shape)[can]
        differences = (agreed[can] - y[can] * (e - y[can])).astype(np.int64)
        values = _kappa(differences, e, self.total)
        return float(values.max(initial=-math.inf))


def _smaller(sizes: IntArray, one: int, other: int) -> tuple[FloatArray, npt.NDArray[np.bool_]]:
    """Return for each size the law of the smaller part when it is split as one to other."""
    n = len(sizes) - 1
    part = np.arange(n // 2 + 1)
    share = one / (one + other) if one + other else 0.0
    left = sizes[:, None]
    there = part <= left // 2
    if not (one and other):
        there &= part == 0
    split = binom.pmf(part, left, share) + binom.pmf(left - part, left, share)
    split = np.where(2 * part == left, split / 2.0, split)
    return np.where(there, split, 0.0), there


def _classes(folded: _Folded) -> tuple[FloatArray, FloatArray]:
    """Return the value and the probability of every class that can come about."""
    n = folded.total
    values, weights = [], []
    for e, ways in enumerate(folded.disagreed.tolist()):
        x, y = np.flatnonzero(folded.can_agree[e]), np.flatnonzero(folded.can_cross[e])
        each = np.subtract.outer(x * (n - e - x), y * (e - y)).ravel()
        values.append(_kappa(each, e, n))
        weights.append(np.outer(ways * folded.agreed[e, x], folded.crossed[e, y]).ravel())
    return np.concatenate(values), np.concatenate(weights)


def _most(value: float, e: IntArray, n: int) -> IntArray:
    """Return for each e the largest D at which 2D/(2D + ne), as rounded, is at most the value."""
    top = n * n
    if value >= 1.0:
        return np.full(len(e), top)
    found = np.clip(np.floor(value * n * e / (2.0 * (1.0 - value))), -top, top).astype(np.int64)
    # Rounding may have lost one, or gained one.
    found = np.where(_kappa(found + 1, e, n) <= value, found + 1, found)
    return np.asarray(np.where(_kappa(found, e, n) <= value, found, found - 1), dtype=np.int64)


def _kappa(difference: IntArray, e: IntArray | int, n: int) -> FloatArray:
    twice = 2 * difference
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(twice / (twice + n * e), dtype=np.float64)


def _least_root(need: IntArray, e: IntArray) -> IntArray:
    """Return the smallest y with y(e - y) of at least what is needed; more than e/2 if none is."""
    inner = np.maximum(e * e - 4 * np.maximum(need, 0), 0)
    y: IntArray = np.ceil((e - np.sqrt(inner)) / 2.0).astype(np.int64)
    y = np.where(y * (e - y) < need, y + 1, y)
    lower = np.maximum(y - 1, 0)
    y = np.where(lower * (e - lower) >= need, lower, y)
    return np.asarray(np.where(4 * need > e * e, e + 1, y), dtype=np.int64)


def _quantile(folded: _Folded, q: float) -> float:
    """Return the quantile by closing in on it from both sides, mostly in proportion to the mass."""
    top, value = folded.reached(1.0)
    aim = q * top - TOTAL_SLACK
    low, under, turn = -2.0, 0.0, 0  # κ itself may be -1
    while low < value:
        # If what lies below the value is too little, the value is the quantile.
        top, largest = folded.reached(math.nextafter(value, -math.inf))
        if top < aim:
            break
        value = largest
        share = 0.5 if turn % 3 == 2 else min(max((aim - under) / (top - under), 0.02), 0.98)
        middle, turn = low + (value - low) * share, turn + 1
        mass, largest = folded.reached(middle)
        if mass >= aim:
            top, value = mass, largest
        else:
            low, under = middle, mass
    return value

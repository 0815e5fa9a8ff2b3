"""Recomputations that start from printed values: columns, formulas, ratings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction

from ..numbers.rating import expected_win
from .formula import Value, evaluate
from .inputs import Shape
from .method import Method
from .recipe import Recipe, Variant
from .shares import Column, check_share

# What a printed rating is worth: as many points are tenfold odds.
_POINTS = 400


def total(values: Column) -> list[Variant]:
    """Return the sum of some numbers."""
    return [Variant("", sum(values, Fraction(0)))]


def difference(first: Fraction, second: Fraction) -> list[Variant]:
    """Return the first number minus the second."""
    return [Variant("", first - second)]


def ratio(first: Fraction, second: Fraction) -> list[Variant]:
    """Return the first number over the second."""
    if second == 0:
        raise ValueError("must not divide by 0")
    return [Variant("", first / second)]


def mean(values: Column) -> list[Variant]:
    """Return the mean of some numbers, then their median."""
    return [Variant("the mean", mean_of(values)), Variant("the median", _median(values))]


def smallest(values: Column) -> list[Variant]:
    """Return the smallest of some numbers."""
    return [Variant("", min(_filled(values)))]


def largest(values: Column) -> list[Variant]:
    """Return the largest of some numbers."""
    return [Variant("", max(_filled(values)))]


def reach(values: Column) -> list[Variant]:
    """Return the largest of some numbers minus the smallest."""
    return [Variant("", max(_filled(values)) - min(values))]


def mean_difference(first: Column, second: Column) -> list[Variant]:
    """Return the mean over rows of first minus second, then the median."""
    return mean(gaps(first, second))


def rows_above(first: Column, second: Column) -> list[Variant]:
    """Return in how many rows the first number exceeds the second."""
    return [Variant("", Fraction(sum(gap > 0 for gap in gaps(first, second))))]


def formula(formula: str, **names: Value) -> list[Variant]:
    """Return what a formula comes to."""
    return [Variant("", evaluate(formula, names))]


def ranking(values: tuple[tuple[str, Fraction], ...]) -> list[Variant]:
    """Return the rows of a column, each under its name: the raw material of an ordering."""
    return [Variant(name, value) for name, value in values]


def expected_score(rating: Fraction, opponent: Fraction) -> list[Variant]:
    """Return the share that Elo expects the first rating to win."""
    return [Variant("", float(expected_win(float(rating), float(opponent))))]


def implied_rate(first: Column, second: Column) -> list[Variant]:
    """Return the share that the first ratings win against the second, as Elo expects it.

    Nobody plays against himself: each rating of the first column meets the other rows of the
    second; then, since a mean of shares is not the share at the mean, at the mean ratings.
    """
    gaps(first, second)
    if len(first) < 2:
        raise ValueError(f"must hold at least 2 rows, found {len(first)}")
    shares = [
        float(expected_win(float(one), float(other)))
        for row, one in enumerate(first)
        for place, other in enumerate(second)
        if place != row
    ]
    at_means = float(expected_win(float(mean_of(first)), float(mean_of(second))))
    return [
        Variant("the mean over all pairs", sum(shares) / len(shares)),
        Variant("the mean ratings", at_means),
    ]


def elo_of_share(k: Fraction, n: Fraction) -> list[Variant]:
    """Return the difference of ratings at which Elo expects a share of wins."""
    check_share(k, n)
    return [Variant("", rating_of(k, n - k))]


def rating_start(ratings: Column) -> list[Variant]:
    """Return the mean of all ratings: where they started, if one gains what another loses."""
    return [Variant("", mean_of(ratings))]


def rating_of(wins: Fraction, losses: Fraction) -> float:
    """Return the difference of ratings at which Elo expects so many wins against so many losses.

    Parameters
    ----------
    wins, losses : Fraction
        At least 0, not both 0; need not be whole.

    Returns
    -------
    float
        In points; -∞ without wins, ∞ without losses.
    """
    if 0 in (wins, losses):
        return math.copysign(math.inf, wins - losses)
    return _POINTS * math.log10(wins / losses)


def floats(values: Sequence[Fraction]) -> list[float]:
    """Return values as floats."""
    return [float(value) for value in values]


def mean_of(values: Column) -> Fraction:
    """Return the mean of at least one value.

    Raises
    ------
    ValueError
        If there is none.
    """
    return sum(_filled(values), Fraction(0)) / len(values)


def gaps(first: Column, second: Column) -> Column:
    """Return first minus second, row by row.

    Raises
    ------
    ValueError
        If the columns differ in length.
    """
    if len(first) != len(second):
        raise ValueError(f"must join columns of one length, found {len(first)} and {len(second)}")
    return tuple(a - b for a, b in zip(first, second, strict=True))


def _filled(values: Column) -> Column:
    if not values:
        raise ValueError("must hold at least one number")
    return values


def _median(values: Column) -> Fraction:
    ordered, half = sorted(_filled(values)), len(values) // 2
    return ordered[half] if len(values) % 2 else (ordered[half - 1] + ordered[half]) / 2


_VALUES = {"values": Shape.NUMBERS}
_TWO = {"first": Shape.NUMBER, "second": Shape.NUMBER}
_ROWS = {"first": Shape.NUMBERS, "second": Shape.NUMBERS}

RECIPES: Mapping[Method, Recipe] = {
    Method.SUM: Recipe(total, _VALUES),
    Method.DIFFERENCE: Recipe(difference, _TWO),
    Method.RATIO: Recipe(ratio, _TWO),
    Method.MEAN: Recipe(mean, _VALUES),
    Method.MINIMUM: Recipe(smallest, _VALUES),
    Method.MAXIMUM: Recipe(largest, _VALUES),
    Method.RANGE: Recipe(reach, _VALUES),
    Method.MEAN_DIFFERENCE: Recipe(mean_difference, _ROWS),
    Method.ROWS_ABOVE: Recipe(rows_above, _ROWS),
    Method.FORMULA: Recipe(formula, {"formula": Shape.TEXT}, free=True),
    Method.ORDER: Recipe(ranking, {"values": Shape.NAMED}),
    Method.EXPECTED_SCORE: Recipe(
        expected_score, {"rating": Shape.NUMBER, "opponent": Shape.NUMBER}
    ),
    Method.IMPLIED_RATE: Recipe(implied_rate, _ROWS),
    Method.ELO_OF_SHARE: Recipe(elo_of_share, {"k": Shape.COUNT, "n": Shape.COUNT}),
    Method.RATING_START: Recipe(rating_start, {"ratings": Shape.NUMBERS}),
}

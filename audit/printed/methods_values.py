"""Recomputations that start from printed values: columns, ratings, correlations, formulas."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
from scipy.special import stdtr
from scipy.stats import rankdata

from ..numbers.correlation import Correlation
from ..numbers.correlation import pearson as pearson_of
from ..numbers.correlation import spearman as spearman_of
from ..numbers.effect import paired_d, pooled_d
from ..numbers.estimate import Alternative
from ..numbers.paired import paired_t, sign_flip
from ..numbers.rating import expected_win
from ..numbers.spread import spread
from .formula import Value, evaluate
from .recipe import Variant

Column = tuple[Fraction, ...]


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
    return [Variant("the mean", _mean(values)), Variant("the median", _median(values))]


def smallest(values: Column) -> list[Variant]:
    """Return the smallest of some numbers."""
    return [Variant("", min(_filled(values)))]


def largest(values: Column) -> list[Variant]:
    """Return the largest of some numbers."""
    return [Variant("", max(_filled(values)))]


def reach(values: Column) -> list[Variant]:
    """Return the largest of some numbers minus the smallest."""
    return [Variant("", max(_filled(values)) - min(values))]


def deviation(values: Column) -> list[Variant]:
    """Return the standard deviation of some numbers, as of a sample first."""
    return [Variant(f"ddof {ddof}", spread(_floats(values), ddof=ddof).sd) for ddof in (1, 0)]


def mean_difference(first: Column, second: Column) -> list[Variant]:
    """Return the mean over rows of first minus second, then the median."""
    return mean(_gaps(first, second))


def rows_above(first: Column, second: Column) -> list[Variant]:
    """Return in how many rows the first number exceeds the second."""
    return [Variant("", Fraction(sum(gap > 0 for gap in _gaps(first, second))))]


def effect_size(first: tuple[Column, ...], second: tuple[Column, ...]) -> list[Variant]:
    """Return Cohen's d of first minus second over rows.

    Several columns a side, one of each an experiment, are averaged row by row; a mean of the
    experiments' own d is another thing, and so is d over all rows of all experiments.
    """
    pairs = _experiments(first, second)
    one, other = (_floats(_averaged(side)) for side in (first, second))
    variants = [
        Variant("d with the pooled SD", pooled_d(one, other).d),
        Variant("paired d_z", paired_d(one, other).d),
    ]
    if len(pairs) == 1:
        return variants
    stacked = [[value for column in side for value in column] for side in zip(*pairs, strict=True)]
    return [
        *variants,
        Variant("paired d_z over all rows of all experiments", paired_d(*stacked).d),
        Variant(
            "the mean of the experiments' d with the pooled SD",
            float(np.mean([pooled_d(*pair).d for pair in pairs])),
        ),
        Variant(
            "the mean of the experiments' paired d_z",
            float(np.mean([paired_d(*pair).d for pair in pairs])),
        ),
    ]


def paired_p(first: tuple[Column, ...], second: tuple[Column, ...]) -> list[Variant]:
    """Return the p-value of a mean difference over rows; several columns a side are averaged."""
    _experiments(first, second)
    one, other = (_floats(_averaged(side)) for side in (first, second))
    sides = [paired_t(one, other, alternative=side).p for side in _ONE_SIDED]
    return [
        Variant("a two-sided paired t test", paired_t(one, other).p),
        Variant("a one-sided paired t test", min(sides)),
        Variant("all sign flips of the pairs", sign_flip(one, other).p),
    ]


def pearson(first: Column, second: Column) -> list[Variant]:
    """Return Pearson's correlation over rows."""
    return [Variant("", _same_size(first, second, pearson_of).estimate.value)]


def pearson_p(first: Column, second: Column) -> list[Variant]:
    """Return the p-value of Pearson's correlation, the usual t approximation first."""
    found = _same_size(first, second, pearson_of)
    return _correlation_p("", found.estimate.value, found.test.p, len(first))


def spearman(first: Column, second: Column) -> list[Variant]:
    """Return Spearman's correlation over rows; tied values at their average rank first."""
    return [Variant(name, value) for name, value, _ in _rank_correlations(first, second)]


def spearman_p(first: Column, second: Column) -> list[Variant]:
    """Return the p-value of Spearman's correlation, by rule of ties and then by test."""
    return [
        variant
        for name, value, p in _rank_correlations(first, second)
        for variant in _correlation_p(f"{name}, ", value, p, len(first))
    ]


def expected_score(rating: Fraction, opponent: Fraction) -> list[Variant]:
    """Return the share that Elo expects the first rating to win."""
    return [Variant("", float(expected_win(float(rating), float(opponent))))]


def formula(formula: str, **names: Value) -> list[Variant]:
    """Return what a formula comes to."""
    return [Variant("", evaluate(formula, names))]


def ranking(values: tuple[tuple[str, Fraction], ...]) -> list[Variant]:
    """Return the rows of a column, each under its name: the raw material of an ordering."""
    return [Variant(name, value) for name, value in values]


def _rank_correlations(first: Column, second: Column) -> list[tuple[str, float, float]]:
    """Return name, coefficient and permutation p by rule of ties."""
    rules: dict[str, Callable[[Column], Sequence[float]]] = {
        "ties at their average rank": _floats,
        "ties at their lowest rank": lambda values: rankdata(_floats(values), "min").tolist(),
        "ties at their highest rank": lambda values: rankdata(_floats(values), "max").tolist(),
        "ties broken in the order listed": lambda values: rankdata(
            _floats(values), "ordinal"
        ).tolist(),
        "ties broken against the order listed": lambda values: rankdata(
            _floats(values)[::-1], "ordinal"
        ).tolist()[::-1],
    }
    found = []
    for name, rank in rules.items():
        # Lowest and highest ranks stay tied, and must not be ranked again: Pearson on them.
        correlate = spearman_of if rank is _floats else pearson_of
        one = _same_size(first, second, lambda a, b, r=rank, c=correlate: c(r(a), r(b)))
        found.append((name, one.estimate.value, one.test.p))
    return found


def _correlation_p(prefix: str, value: float, permuted: float, size: int) -> list[Variant]:
    return [
        Variant(f"{prefix}the t approximation", _t_approximation(value, size)),
        Variant(f"{prefix}all permutations", permuted),
    ]


def _t_approximation(value: float, size: int) -> float:
    if size < 3 or math.isnan(value):
        return math.nan
    if abs(value) >= 1.0:
        return 0.0
    t = abs(value) * math.sqrt((size - 2) / (1.0 - value**2))
    return 2.0 * float(stdtr(size - 2, -t))


def _same_size(first: Column, second: Column, correlate: Callable[..., Correlation]) -> Correlation:
    _gaps(first, second)
    return correlate(_floats(first), _floats(second))


_ONE_SIDED = (Alternative.LESS, Alternative.GREATER)


def _floats(values: Sequence[Fraction]) -> list[float]:
    return [float(value) for value in values]


def _filled(values: Column) -> Column:
    if not values:
        raise ValueError("must hold at least one number")
    return values


def _mean(values: Column) -> Fraction:
    return sum(_filled(values), Fraction(0)) / len(values)


def _median(values: Column) -> Fraction:
    ordered, half = sorted(_filled(values)), len(values) // 2
    return ordered[half] if len(values) % 2 else (ordered[half - 1] + ordered[half]) / 2


def _gaps(first: Column, second: Column) -> Column:
    if len(first) != len(second):
        raise ValueError(f"must join columns of one length, found {len(first)} and {len(second)}")
    return tuple(a - b for a, b in zip(first, second, strict=True))


def _experiments(
    first: tuple[Column, ...], second: tuple[Column, ...]
) -> list[tuple[list[float], list[float]]]:
    if len(first) != len(second) or len({len(column) for column in (*first, *second)}) != 1:
        raise ValueError("must join as many columns on both sides, all of one length")
    return [(_floats(a), _floats(b)) for a, b in zip(first, second, strict=True)]


def _averaged(columns: tuple[Column, ...]) -> Column:
    return tuple(_mean(row) for row in zip(*columns, strict=True))

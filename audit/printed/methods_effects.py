"""Recomputations of spread, of standardised differences and of their tests.

Several columns a side, one of each an experiment, are averaged row by row; a mean of the
experiments' own statistics is another thing, and so is one over all rows of all experiments.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from ..numbers.effect import paired_d, pooled_d, pooled_d_from_summary
from ..numbers.estimate import Alternative, PValue
from ..numbers.paired import paired_t, sign_flip, wilcoxon
from ..numbers.spread import Spread, spread
from ..numbers.unpaired import all_splits, unpaired_t, unpaired_t_from_summary
from ..numbers.variances import pitman_morgan
from .inputs import Shape
from .method import Method
from .methods_values import floats, mean_of
from .recipe import Recipe, Variant
from .shares import Column, whole

Columns = tuple[Column, ...]
Side = list[float]


def deviation(values: Column) -> list[Variant]:
    """Return the standard deviation of some numbers, as of a sample first."""
    return [Variant(f"ddof {ddof}", spread(floats(values), ddof=ddof).sd) for ddof in (1, 0)]


def averaged_deviation(columns: Columns) -> list[Variant]:
    """Return the standard deviation of the rows' means over columns, as of a sample first."""
    _check_columns(columns)
    averaged, each = averages(columns), [floats(column) for column in columns]
    stacked = [value for column in each for value in column]
    variants = []
    for ddof in (1, 0):
        own = [spread(column, ddof=ddof).sd for column in each]
        variants += [
            Variant(f"ddof {ddof}", spread(averaged, ddof=ddof).sd),
            Variant(f"ddof {ddof}, the mean of the columns' deviations", float(np.mean(own))),
            Variant(f"ddof {ddof}, their root mean square", math.sqrt(np.mean(np.square(own)))),
            Variant(f"ddof {ddof}, over all rows of all columns", spread(stacked, ddof=ddof).sd),
        ]
    return variants


def deviation_ratio(first: Columns, second: Columns) -> list[Variant]:
    """Return the standard deviation of the first over that of the second."""
    pairs = experiments(first, second)
    whole_ratio = _deviations(averages(first), averages(second))
    if len(pairs) == 1:
        return [Variant("", whole_ratio)]
    own = [_deviations(*pair) for pair in pairs]
    return [
        Variant("rows averaged over experiments", whole_ratio),
        Variant("the mean of the experiments' ratios", float(np.mean(own))),
    ]


def paired_deviation_p(first: Columns, second: Columns) -> list[Variant]:
    """Return the p-value of two columns of the same rows varying equally."""
    experiments(first, second)
    one, other = averages(first), averages(second)
    sides = [pitman_morgan(one, other, alternative=side).p for side in _ONE_SIDED]
    return [
        Variant("a two-sided Pitman-Morgan test", pitman_morgan(one, other).p),
        Variant("a one-sided Pitman-Morgan test", min(sides)),
    ]


def effect_size(first: Columns, second: Columns) -> list[Variant]:
    """Return Cohen's d of first minus second over rows, then Hedges' g."""
    pairs = experiments(first, second)
    one, other = averages(first), averages(second)
    pooled, paired = pooled_d(one, other), paired_d(one, other)
    variants = [
        Variant("d with the pooled SD", pooled.d),
        Variant("paired d_z", paired.d),
        Variant("Hedges' g with the pooled SD", pooled.g),
        Variant("Hedges' g of the paired differences", paired.g),
    ]
    if len(pairs) == 1:
        return variants
    every = [[value for column in side for value in column] for side in zip(*pairs, strict=True)]
    own_pooled = [pooled_d(*pair).d for pair in pairs]
    own_paired = [paired_d(*pair).d for pair in pairs]
    return [
        *variants,
        Variant("paired d_z over all rows of all experiments", paired_d(*every).d),
        Variant("the mean of the experiments' d with the pooled SD", float(np.mean(own_pooled))),
        Variant("the mean of the experiments' paired d_z", float(np.mean(own_paired))),
    ]


def t_statistic(first: Columns, second: Columns) -> list[Variant]:
    """Return t of first minus second over rows."""
    experiments(first, second)
    return [Variant(name, found.statistic) for name, found in _t_tests(first, second)]


def paired_p(first: Columns, second: Columns) -> list[Variant]:
    """Return the p-value of a mean difference over rows."""
    experiments(first, second)
    one, other = averages(first), averages(second)
    (paired, two_sided), *unpaired = _t_tests(first, second)
    one_sided = min(paired_t(one, other, alternative=side).p for side in _ONE_SIDED)
    return [
        Variant(f"a two-sided {paired}", two_sided.p),
        Variant(f"a one-sided {paired}", one_sided),
        Variant("all sign flips of the pairs", sign_flip(one, other).p),
        Variant("Wilcoxon's signed ranks", wilcoxon(one, other).p),
        *(Variant(f"a two-sided {name}", found.p) for name, found in unpaired),
        Variant("all splits of the values in two samples", all_splits(one, other).p),
    ]


def effect_of_summary(
    *, mean1: Fraction, sd1: Fraction, n1: Fraction, mean2: Fraction, sd2: Fraction, n2: Fraction
) -> list[Variant]:
    """Return Cohen's d of two printed means and standard deviations, then Hedges' g."""
    one, other = _summary(mean1, sd1, n1), _summary(mean2, sd2, n2)
    found = pooled_d_from_summary(one, other)
    return [
        Variant("d with the pooled SD", found.d),
        Variant("Hedges' g", found.g),
        Variant("d with the second SD", _over(one.mean - other.mean, other.sd)),
        Variant("d with the first SD", _over(one.mean - other.mean, one.sd)),
    ]


def t_of_summary(
    *, mean1: Fraction, sd1: Fraction, n1: Fraction, mean2: Fraction, sd2: Fraction, n2: Fraction
) -> list[Variant]:
    """Return t of two printed means and standard deviations."""
    one, other = _summary(mean1, sd1, n1), _summary(mean2, sd2, n2)
    return [
        Variant("equal variances", unpaired_t_from_summary(one, other, welch=False).statistic),
        Variant("Welch's t", unpaired_t_from_summary(one, other, welch=True).statistic),
    ]


def p_of_summary(
    *, mean1: Fraction, sd1: Fraction, n1: Fraction, mean2: Fraction, sd2: Fraction, n2: Fraction
) -> list[Variant]:
    """Return the p-value of t of two printed means and standard deviations."""
    one, other = _summary(mean1, sd1, n1), _summary(mean2, sd2, n2)
    pooled, welch = (unpaired_t_from_summary(one, other, welch=welch).p for welch in (False, True))
    return [
        Variant("a two-sided t test with equal variances", pooled),
        Variant("a two-sided Welch test", welch),
        Variant("a one-sided t test with equal variances", pooled / 2),
        Variant("a one-sided Welch test", welch / 2),
    ]


def experiments(first: Columns, second: Columns) -> list[tuple[Side, Side]]:
    """Return both sides of every experiment.

    Raises
    ------
    ValueError
        If the sides differ in columns, or columns in length.
    """
    if len(first) != len(second) or len({len(column) for column in (*first, *second)}) != 1:
        raise ValueError("must join as many columns on both sides, all of one length")
    return [(floats(a), floats(b)) for a, b in zip(first, second, strict=True)]


def row_means(columns: Columns) -> Column:
    """Return the means of rows over columns of one length."""
    return tuple(mean_of(row) for row in zip(*columns, strict=True))


def averages(columns: Columns) -> Side:
    """Return the means of rows over columns of one length, as floats."""
    return floats(row_means(columns))


def _t_tests(first: Columns, second: Columns) -> list[tuple[str, PValue]]:
    one, other = averages(first), averages(second)
    return [
        ("paired t test", paired_t(one, other)),
        ("unpaired t test", unpaired_t(one, other, welch=False)),
        ("Welch test", unpaired_t(one, other, welch=True)),
    ]


def _check_columns(columns: Columns) -> None:
    if len({len(column) for column in columns}) != 1:
        raise ValueError("must join columns of one length")


def _deviations(first: Side, second: Side) -> float:
    return _over(spread(first, ddof=1).sd, spread(second, ddof=1).sd)


def _over(top: float, bottom: float) -> float:
    return top / bottom if bottom else math.nan


def _summary(mean: Fraction, sd: Fraction, n: Fraction) -> Spread:
    if sd < 0 or n < 2:
        raise ValueError("must hold a standard deviation of at least 0 and at least 2 values")
    return Spread(float(mean), float(sd), whole(n), 1)


_ONE_SIDED = (Alternative.LESS, Alternative.GREATER)
_SIDES = {"first": Shape.COLUMNS, "second": Shape.COLUMNS}
_SUMMARY = {
    f"{name}{sample}": shape
    for sample in (1, 2)
    for name, shape in (("mean", Shape.NUMBER), ("sd", Shape.NUMBER), ("n", Shape.COUNT))
}

RECIPES: Mapping[Method, Recipe] = {
    Method.SD: Recipe(deviation, {"values": Shape.NUMBERS}),
    Method.AVERAGED_SD: Recipe(averaged_deviation, {"columns": Shape.COLUMNS}),
    Method.SD_RATIO: Recipe(deviation_ratio, _SIDES),
    Method.PAIRED_SD_P: Recipe(paired_deviation_p, _SIDES),
    Method.EFFECT_SIZE: Recipe(effect_size, _SIDES),
    Method.T_STATISTIC: Recipe(t_statistic, _SIDES),
    Method.PAIRED_P: Recipe(paired_p, _SIDES),
    Method.EFFECT_OF_SUMMARY: Recipe(effect_of_summary, _SUMMARY),
    Method.T_OF_SUMMARY: Recipe(t_of_summary, _SUMMARY),
    Method.P_OF_SUMMARY: Recipe(p_of_summary, _SUMMARY),
}

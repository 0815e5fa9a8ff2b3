"""Recomputations that start from two shares, k1 of n1 and k2 of n2, or from strata of them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

from ..numbers.cornfield import cornfield_limits
from ..numbers.estimate import Alternative, Estimate
from ..numbers.independence import TwoSided, chi_square, fisher
from ..numbers.independence import pooled_z as pooled_z_test
from ..numbers.odds import OddsKind
from ..numbers.odds import odds_ratio as estimate_odds_ratio
from ..numbers.odds import risk_ratio as estimate_risk_ratio
from ..numbers.stratified import breslow_day, mantel_haenszel, mantel_haenszel_test
from ..numbers.unconditional import boschloo
from .effect_tables import INTERVALS
from .inputs import Shape
from .method import Method
from .recipe import Recipe, Variant
from .shares import Column, Printed, TwoByTwo, level_of, strata, two_by_two

# Trials in all up to which a method answers within seconds, and up to which floats hold its counts.
_UNCONDITIONAL, _EXACT, _FLOAT = 500, 100_000, 10**9


def odds_ratio(k1: Fraction, n1: Fraction, k2: Fraction, n2: Fraction) -> list[Variant]:
    """Return the odds ratio of two shares, first over second."""
    cells = _within(_EXACT, two_by_two(k1, n1, k2, n2)).cells
    return [
        Variant(f"the {kind.value} odds ratio", estimate_odds_ratio(cells, kind=kind).value)
        for kind in (OddsKind.SAMPLE, OddsKind.CONDITIONAL, OddsKind.HALDANE)
    ]


def odds_ratio_low(
    k1: Fraction, n1: Fraction, k2: Fraction, n2: Fraction, level: Printed
) -> list[Variant]:
    """Return the lower limit of an odds ratio."""
    limits = _limits(_within(_EXACT, two_by_two(k1, n1, k2, n2)), level_of(level))
    return [Variant(name, low) for name, low, _ in limits]


def odds_ratio_high(
    k1: Fraction, n1: Fraction, k2: Fraction, n2: Fraction, level: Printed
) -> list[Variant]:
    """Return the upper limit of an odds ratio."""
    limits = _limits(_within(_EXACT, two_by_two(k1, n1, k2, n2)), level_of(level))
    return [Variant(name, high) for name, _, high in limits]


def _limits(table: TwoByTwo, level: float) -> list[tuple[str, float, float]]:
    found = []
    for name, kind, interval in INTERVALS:
        estimate = estimate_odds_ratio(table.cells, kind=kind, interval=interval, level=level)
        found.append((name, *_ends(estimate)))
    return [*found, ("the Cornfield interval", *cornfield_limits(table.cells, level=level))]


def risk_ratio(k1: Fraction, n1: Fraction, k2: Fraction, n2: Fraction) -> list[Variant]:
    """Return the ratio of two shares, first over second."""
    table = _within(_FLOAT, two_by_two(k1, n1, k2, n2))
    if table.k2 == 0:
        return [Variant("", estimate_risk_ratio(table.cells).value)]
    return [Variant("", Fraction(table.k1 * table.n2, table.k2 * table.n1))]


def risk_ratio_low(
    k1: Fraction, n1: Fraction, k2: Fraction, n2: Fraction, level: Printed
) -> list[Variant]:
    """Return the lower limit of a ratio of shares."""
    found = estimate_risk_ratio(
        _within(_FLOAT, two_by_two(k1, n1, k2, n2)).cells, level=level_of(level)
    )
    return [Variant("the Katz interval", _ends(found)[0])]


def risk_ratio_high(
    k1: Fraction, n1: Fraction, k2: Fraction, n2: Fraction, level: Printed
) -> list[Variant]:
    """Return the upper limit of a ratio of shares."""
    found = estimate_risk_ratio(
        _within(_FLOAT, two_by_two(k1, n1, k2, n2)).cells, level=level_of(level)
    )
    return [Variant("the Katz interval", _ends(found)[1])]


def fisher_p(k1: Fraction, n1: Fraction, k2: Fraction, n2: Fraction) -> list[Variant]:
    """Return the p-value of Fisher's test."""
    cells = _within(_EXACT, two_by_two(k1, n1, k2, n2)).cells
    return [
        Variant("a two-sided test", fisher(cells).p),
        Variant("a one-sided test", min(fisher(cells, alternative=side).p for side in ONE_SIDED)),
        Variant("twice the one-sided p", fisher(cells, two_sided=TwoSided.CENTRAL).p),
    ]


def boschloo_p(k1: Fraction, n1: Fraction, k2: Fraction, n2: Fraction) -> list[Variant]:
    """Return the p-value of Boschloo's test."""
    table = _within(_UNCONDITIONAL, two_by_two(k1, n1, k2, n2))
    counts = table.k1, table.n1, table.k2, table.n2
    return [
        Variant("a two-sided test", boschloo(*counts).p),
        Variant("a one-sided test", min(boschloo(*counts, alternative=s).p for s in ONE_SIDED)),
    ]


def chi_square_statistic(k1: Fraction, n1: Fraction, k2: Fraction, n2: Fraction) -> list[Variant]:
    """Return Pearson's chi-square of two shares; the correction first, as R and scipy have it."""
    cells = _within(_FLOAT, two_by_two(k1, n1, k2, n2)).cells
    return [Variant(name, chi_square(cells, yates=yates).statistic) for name, yates in _YATES]


def chi_square_p(k1: Fraction, n1: Fraction, k2: Fraction, n2: Fraction) -> list[Variant]:
    """Return the p-value of Pearson's chi-square of two shares."""
    cells = _within(_FLOAT, two_by_two(k1, n1, k2, n2)).cells
    return [Variant(name, chi_square(cells, yates=yates).p) for name, yates in _YATES]


def pooled_z(k1: Fraction, n1: Fraction, k2: Fraction, n2: Fraction) -> list[Variant]:
    """Return z of two shares with the pooled rate; a printed z need not carry its sign."""
    table = _within(_FLOAT, two_by_two(k1, n1, k2, n2))
    z = pooled_z_test(table.k1, table.n1, table.k2, table.n2).statistic
    return [Variant("first share minus second", z), Variant("second share minus first", -z)]


def pooled_z_p(k1: Fraction, n1: Fraction, k2: Fraction, n2: Fraction) -> list[Variant]:
    """Return the p-value of z of two shares with the pooled rate."""
    table = _within(_FLOAT, two_by_two(k1, n1, k2, n2))
    p = pooled_z_test(table.k1, table.n1, table.k2, table.n2).p
    return [Variant("a two-sided test", p), Variant("a one-sided test", p / 2)]


def shared_odds_ratio(k1: Column, n1: Column, k2: Column, n2: Column) -> list[Variant]:
    """Return the odds ratio that strata share; then that of all of them thrown together."""
    tables = _strata(k1, n1, k2, n2)
    lumped = estimate_odds_ratio(_lumped(tables).cells).value
    return [
        Variant("Mantel and Haenszel's", mantel_haenszel(_cells(tables)).value),
        Variant("strata thrown together", lumped),
    ]


def shared_odds_ratio_low(
    k1: Column, n1: Column, k2: Column, n2: Column, level: Printed
) -> list[Variant]:
    """Return the lower limit of the odds ratio that strata share."""
    found = mantel_haenszel(_cells(_strata(k1, n1, k2, n2)), level=level_of(level))
    return [Variant("Robins, Breslow and Greenland's interval", _ends(found)[0])]


def shared_odds_ratio_high(
    k1: Column, n1: Column, k2: Column, n2: Column, level: Printed
) -> list[Variant]:
    """Return the upper limit of the odds ratio that strata share."""
    found = mantel_haenszel(_cells(_strata(k1, n1, k2, n2)), level=level_of(level))
    return [Variant("Robins, Breslow and Greenland's interval", _ends(found)[1])]


def shared_odds_ratio_p(k1: Column, n1: Column, k2: Column, n2: Column) -> list[Variant]:
    """Return the p-value of an odds ratio of 1 in all strata."""
    found = mantel_haenszel_test(_cells(_strata(k1, n1, k2, n2)))
    return [Variant("no continuity correction", found.p)]


def breslow_day_p(k1: Column, n1: Column, k2: Column, n2: Column) -> list[Variant]:
    """Return the p-value of the strata having one odds ratio."""
    cells = _cells(_strata(k1, n1, k2, n2))
    return [
        Variant("Tarone's correction", breslow_day(cells).p),
        Variant("no correction", breslow_day(cells, tarone=False).p),
    ]


def _within(most: int, table: TwoByTwo) -> TwoByTwo:
    """Return a table, or raise if it holds more trials than its method can take."""
    if (found := table.n1 + table.n2) > most:
        raise ValueError(f"must hold at most {most:,} trials in all, found {found}")
    return table


def _strata(k1: Column, n1: Column, k2: Column, n2: Column) -> list[TwoByTwo]:
    return [_within(_FLOAT, table) for table in strata(k1, n1, k2, n2)]


def _cells(tables: list[TwoByTwo]) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    return [table.cells for table in tables]


def _lumped(tables: list[TwoByTwo]) -> TwoByTwo:
    rows = [(table.k1, table.n1, table.k2, table.n2) for table in tables]
    return TwoByTwo(*(sum(column) for column in zip(*rows, strict=True)))


def _ends(found: Estimate) -> tuple[float, float]:
    span = found.interval
    return (math.nan, math.nan) if span is None else (span.low, span.high)


ONE_SIDED = (Alternative.LESS, Alternative.GREATER)
_YATES = (("Yates' correction", True), ("no continuity correction", False))
_SHARES = dict.fromkeys(("k1", "n1", "k2", "n2"), Shape.COUNT)
_LIMIT = {**_SHARES, "level": Shape.PRINTED}
_STRATA = dict.fromkeys(("k1", "n1", "k2", "n2"), Shape.NUMBERS)
_STRATA_LIMIT = {**_STRATA, "level": Shape.PRINTED}

RECIPES: Mapping[Method, Recipe] = {
    Method.ODDS_RATIO: Recipe(odds_ratio, _SHARES),
    Method.ODDS_RATIO_LOW: Recipe(odds_ratio_low, _LIMIT),
    Method.ODDS_RATIO_HIGH: Recipe(odds_ratio_high, _LIMIT),
    Method.RISK_RATIO: Recipe(risk_ratio, _SHARES),
    Method.RISK_RATIO_LOW: Recipe(risk_ratio_low, _LIMIT),
    Method.RISK_RATIO_HIGH: Recipe(risk_ratio_high, _LIMIT),
    Method.FISHER_P: Recipe(fisher_p, _SHARES),
    Method.BOSCHLOO_P: Recipe(boschloo_p, _SHARES),
    Method.CHI_SQUARE: Recipe(chi_square_statistic, _SHARES),
    Method.CHI_SQUARE_P: Recipe(chi_square_p, _SHARES),
    Method.POOLED_Z: Recipe(pooled_z, _SHARES),
    Method.POOLED_Z_P: Recipe(pooled_z_p, _SHARES),
    Method.MANTEL_HAENSZEL: Recipe(shared_odds_ratio, _STRATA),
    Method.MANTEL_HAENSZEL_LOW: Recipe(shared_odds_ratio_low, _STRATA_LIMIT),
    Method.MANTEL_HAENSZEL_HIGH: Recipe(shared_odds_ratio_high, _STRATA_LIMIT),
    Method.MANTEL_HAENSZEL_P: Recipe(shared_odds_ratio_p, _STRATA),
    Method.BRESLOW_DAY_P: Recipe(breslow_day_p, _STRATA),
}

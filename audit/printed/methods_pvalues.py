"""Recomputations of p from a printed statistic, with all that the statistic's rounding allows."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from .inputs import Shape
from .method import Method
from .pvalues import PSpan, Statistic, p_span
from .recipe import Recipe, Variant
from .shares import Printed, only


def p_of_z(z: Printed) -> list[Variant]:
    """Return the p-values behind a printed z."""
    return _sides(p_span(Statistic.Z, only(z)))


def p_of_t(t: Printed, df: Fraction) -> list[Variant]:
    """Return the p-values behind a printed t."""
    return _sides(p_span(Statistic.T, only(t), (float(df),)))


def p_of_r(r: Printed, df: Fraction) -> list[Variant]:
    """Return the p-values behind a printed correlation; df is two less than its pairs."""
    return _sides(p_span(Statistic.R, only(r), (float(df),)))


def p_of_f(f: Printed, df1: Fraction, df2: Fraction) -> list[Variant]:
    """Return the p-values behind a printed F."""
    return [_ranged("", p_span(Statistic.F, only(f), (float(df1), float(df2))), 1)]


def p_of_chi_square(statistic: Printed, df: Fraction) -> list[Variant]:
    """Return the p-values behind a printed chi-square."""
    return [_ranged("", p_span(Statistic.CHI_SQUARE, only(statistic), (float(df),)), 1)]


def _sides(span: PSpan) -> list[Variant]:
    return [_ranged("a two-sided test, ", span, 1), _ranged("a one-sided test, ", span, 2)]


def _ranged(name: str, span: PSpan, sides: int) -> Variant:
    low, high = span.low / sides, span.high / sides
    reach = f"p from {low:.3g} to {high:.3g} as the statistic was rounded"
    return Variant(f"{name}{reach}", (low + high) / 2, (high - low) / 2)


RECIPES: Mapping[Method, Recipe] = {
    Method.P_OF_Z: Recipe(p_of_z, {"z": Shape.PRINTED}),
    Method.P_OF_T: Recipe(p_of_t, {"t": Shape.PRINTED, "df": Shape.NUMBER}),
    Method.P_OF_R: Recipe(p_of_r, {"r": Shape.PRINTED, "df": Shape.COUNT}),
    Method.P_OF_F: Recipe(p_of_f, {"f": Shape.PRINTED, "df1": Shape.NUMBER, "df2": Shape.NUMBER}),
    Method.P_OF_CHI_SQUARE: Recipe(
        p_of_chi_square, {"statistic": Shape.PRINTED, "df": Shape.COUNT}
    ),
}

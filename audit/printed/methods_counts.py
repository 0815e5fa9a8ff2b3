"""Recomputations that start from counts: shares, rows of shares, questions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product

from ..numbers.estimate import PValue
from ..numbers.homogeneity import enumerated_homogeneity, homogeneity, trend
from ..numbers.independence import pooled_z as pooled_z_test
from ..numbers.proportion import DifferenceMethod, ProportionMethod, difference, proportion_limits
from .counts import joint_totals, possible_counts
from .inputs import Shape
from .method import Method
from .recipe import Recipe, Variant
from .rounding import PrintedNumber
from .shares import Column, Printed, check_share, level_of, rows_of, whole

# Pairs of sample sizes and counts of which z is taken; a second or two.
_MOST_SAMPLE = 10_000
_MOST_PAIRS = 100_000
# Beyond this the float arithmetic of a test is no longer sure of whole numbers.
_LARGEST_COUNT = 10**9
# All tables of several rates take seconds up to here.
_MOST_LISTED = 3_000


def proportion(k: Fraction, n: Fraction) -> list[Variant]:
    """Return k/n."""
    check_share(k, n)
    return [Variant("", k / n)]


def proportion_low(k: Fraction, n: Fraction, level: Printed) -> list[Variant]:
    """Return the lower limit of a share."""
    return [Variant(name, low) for name, low, _ in _share_limits(k, n, level)]


def proportion_high(k: Fraction, n: Fraction, level: Printed) -> list[Variant]:
    """Return the upper limit of a share."""
    return [Variant(name, high) for name, _, high in _share_limits(k, n, level)]


def _share_limits(k: Fraction, n: Fraction, level: Printed) -> list[tuple[str, float, float]]:
    check_share(k, n)
    _check_total(n, _LARGEST_COUNT)
    found = [
        (
            f"the {method.value} interval",
            *proportion_limits(whole(k), whole(n), level=level_of(level), method=method),
        )
        for method in (
            ProportionMethod.WILSON,
            ProportionMethod.CLOPPER_PEARSON,
            ProportionMethod.WALD,
            ProportionMethod.JEFFREYS,
            ProportionMethod.AGRESTI_COULL,
        )
    ]
    return found + [
        (f"{name}, kept between 0% and 100%", max(low, 0.0), min(high, 1.0))
        for name, low, high in found
        if low < 0.0 or high > 1.0
    ]


def proportion_difference(k1: Fraction, n1: Fraction, k2: Fraction, n2: Fraction) -> list[Variant]:
    """Return k1/n1 - k2/n2."""
    return [Variant("", proportion(k1, n1)[0].value - proportion(k2, n2)[0].value)]


def difference_low(
    k1: Fraction, n1: Fraction, k2: Fraction, n2: Fraction, level: Printed
) -> list[Variant]:
    """Return the lower limit of a difference of shares."""
    limits = _difference_limits((k1, n1, k2, n2), level)
    return [Variant(name, low) for name, low, _ in limits]


def difference_high(
    k1: Fraction, n1: Fraction, k2: Fraction, n2: Fraction, level: Printed
) -> list[Variant]:
    """Return the upper limit of a difference of shares."""
    limits = _difference_limits((k1, n1, k2, n2), level)
    return [Variant(name, high) for name, _, high in limits]


def _difference_limits(
    shares: tuple[Fraction, Fraction, Fraction, Fraction], level: Printed
) -> list[tuple[str, float, float]]:
    proportion_difference(*shares)
    _check_total(shares[1] + shares[3], _LARGEST_COUNT)
    counts = [whole(part) for part in shares]
    found = []
    for method in DifferenceMethod:
        estimate = difference(
            counts[0], counts[1], counts[2], counts[3], level=level_of(level), method=method
        )
        span = estimate.interval
        ends = (math.nan, math.nan) if span is None else (span.low, span.high)
        found.append((f"the {method.value} interval", *ends))
    return found


def joint_share(rates: tuple[PrintedNumber, ...], most: Fraction, total: Fraction) -> list[Variant]:
    """Return the overall share that printed shares of its strata allow, sizes not printed."""
    totals = joint_totals(rates, int(most), int(total))
    if len(totals) == 1:
        return [Variant(f"{totals[0]} of {total}", Fraction(totals[0], int(total)))]
    several = [Variant(f"{count} of {total}", Fraction(count, int(total))) for count in totals]
    return [Variant("sizes of the strata that are not printed", math.nan), *several]


def pooled_z_of_sizes(
    first: tuple[PrintedNumber, ...], second: tuple[PrintedNumber, ...], total: Fraction
) -> list[Variant]:
    """Return z for every pair of sample sizes that the printed distributions allow.

    Each sample is printed as the shares of all its categories, the tested one first. The sizes are
    not printed, so no variant is the conventional one: the first has no value.
    """
    _check_total(total, _MOST_SAMPLE)
    variants = [Variant("sizes of the samples that are not printed", math.nan)]
    for n1 in range(1, int(total)):
        n2 = int(total) - n1
        for k1, k2 in product(_leading_counts(first, n1), _leading_counts(second, n2)):
            if len(variants) > _MOST_PAIRS:
                raise ValueError(f"must leave at most {_MOST_PAIRS:,} pairs of samples to try")
            z = pooled_z_test(k1, n1, k2, n2).statistic
            variants.append(Variant(f"samples of {n1} and {n2}", z))
    return variants


def _leading_counts(shares: Sequence[PrintedNumber], total: int) -> list[int]:
    """Return the counts of the first category that the others can fill up to the total."""
    possible = [possible_counts(share, total) for share in shares]
    if not all(possible):
        return []
    least, most = sum(other[0] for other in possible[1:]), sum(other[-1] for other in possible[1:])
    return [count for count in possible[0] if least <= total - count <= most]


def rates_chi_square(k: Column, n: Column) -> list[Variant]:
    """Return the chi-square of several rates."""
    return [Variant("", homogeneity(*_rows(k, n, _LARGEST_COUNT)).statistic)]


def rates_p(k: Column, n: Column) -> list[Variant]:
    """Return the p-value of several rates being one."""
    rows = _rows(k, n, _MOST_LISTED)
    return [
        Variant("the chi-square law", homogeneity(*rows).p),
        Variant("all tables with these margins", enumerated_homogeneity(*rows).p),
    ]


def trend_z(k: Column, n: Column, positions: Column | None = None) -> list[Variant]:
    """Return z of rates along their rows or positions; a printed z need not carry its sign."""
    z = trend_along(k, n, positions).statistic
    by = "row" if positions is None else "position"
    return [Variant(f"rates by {by}", z), Variant(f"rates by {by}, the last first", -z)]


def trend_p(k: Column, n: Column, positions: Column | None = None) -> list[Variant]:
    """Return the p-value of a trend of rates along their rows, or along positions of these."""
    p = trend_along(k, n, positions).p
    return [Variant("a two-sided test", p), Variant("a one-sided test", p / 2)]


def trend_along(k: Column, n: Column, positions: Column | None) -> PValue:
    """Return the test of a trend of rates along positions, or along their rows without any.

    Raises
    ------
    ValueError
        If the columns differ in length, hold no shares or too many trials.
    """
    rows = _rows(k, n, _LARGEST_COUNT)
    if positions is None:
        return trend(*rows)
    if len(positions) != len(k):
        found = len(positions)
        raise ValueError(f"must have one position for each of {len(k)} rows, found {found}")
    return trend(*rows, [float(position) for position in positions])


def _rows(k: Column, n: Column, most: int) -> tuple[list[int], list[int]]:
    rows = rows_of(k, n)
    _check_total(sum(rows[1]), most)
    return rows


def _check_total(total: Fraction | int, most: int) -> None:
    if total > most:
        raise ValueError(f"must hold at most {most:,} trials in all, found {total}")


def query_bound(candidates: Fraction, answers: Fraction) -> list[Variant]:
    """Return the fewest questions that tell candidates apart with a number of answers each."""
    if candidates < 1 or answers < 2:
        raise ValueError("must hold at least 1 candidate and 2 answers")
    return [
        Variant(f"{answers} answers to a question", Fraction(_fewest(candidates, answers))),
        Variant("2 answers to a question", Fraction(_fewest(candidates, Fraction(2)))),
    ]


def _fewest(candidates: Fraction, answers: Fraction) -> int:
    questions, told_apart = 0, Fraction(1)
    while told_apart < candidates:
        questions, told_apart = questions + 1, told_apart * answers
    return questions


_SHARES = dict.fromkeys(("k1", "n1", "k2", "n2"), Shape.COUNT)
_ONE = {"k": Shape.COUNT, "n": Shape.COUNT}
_ROWS = {"k": Shape.NUMBERS, "n": Shape.NUMBERS}
_RATES = {"rates": Shape.PRINTED, "most": Shape.COUNT, "total": Shape.COUNT}
_SAMPLES = {"first": Shape.PRINTED, "second": Shape.PRINTED, "total": Shape.COUNT}
_QUESTIONS = {"candidates": Shape.COUNT, "answers": Shape.COUNT}
_LEVEL = {"level": Shape.PRINTED}
_POSITIONS = {"positions": Shape.NUMBERS}

RECIPES: Mapping[Method, Recipe] = {
    Method.PROPORTION: Recipe(proportion, _ONE),
    Method.PROPORTION_LOW: Recipe(proportion_low, _ONE | _LEVEL),
    Method.PROPORTION_HIGH: Recipe(proportion_high, _ONE | _LEVEL),
    Method.PROPORTION_DIFFERENCE: Recipe(proportion_difference, _SHARES),
    Method.DIFFERENCE_LOW: Recipe(difference_low, _SHARES | _LEVEL),
    Method.DIFFERENCE_HIGH: Recipe(difference_high, _SHARES | _LEVEL),
    Method.JOINT_SHARE: Recipe(joint_share, _RATES),
    Method.POOLED_Z_OF_SIZES: Recipe(pooled_z_of_sizes, _SAMPLES),
    Method.HOMOGENEITY: Recipe(rates_chi_square, _ROWS),
    Method.HOMOGENEITY_P: Recipe(rates_p, _ROWS),
    Method.TREND_Z: Recipe(trend_z, _ROWS, _POSITIONS),
    Method.TREND_P: Recipe(trend_p, _ROWS, _POSITIONS),
    Method.QUERY_BOUND: Recipe(query_bound, _QUESTIONS),
}

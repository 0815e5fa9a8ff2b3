"""Recomputations that start from counts: shares, two-by-two tables, raters, questions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from scipy.stats import chi2, norm

from ..numbers.agreement import cohen_kappa
from ..numbers.estimate import Alternative, Estimate
from ..numbers.independence import TwoSided, chi_square, fisher
from ..numbers.independence import pooled_z as pooled_z_test
from ..numbers.odds import OddsInterval, OddsKind
from ..numbers.odds import odds_ratio as estimate_odds_ratio
from .counts import joint_totals, possible_counts
from .recipe import Variant
from .rounding import PrintedNumber

Table = tuple[tuple[int, int], tuple[int, int]]


def proportion(k: Fraction, n: Fraction) -> list[Variant]:
    """Return k/n."""
    if not 0 <= k <= n or n == 0:
        raise ValueError(f"must hold 0 ≤ k ≤ n and n above 0, found {k} of {n}")
    return [Variant("", k / n)]


def proportion_difference(k1: Fraction, n1: Fraction, k2: Fraction, n2: Fraction) -> list[Variant]:
    """Return k1/n1 - k2/n2."""
    return [Variant("", proportion(k1, n1)[0].value - proportion(k2, n2)[0].value)]


def odds_ratio(k1: Fraction, n1: Fraction, k2: Fraction, n2: Fraction) -> list[Variant]:
    """Return the odds ratio of two shares, first over second."""
    table = _table(k1, n1, k2, n2)
    return [
        Variant(f"the {kind.value} odds ratio", estimate_odds_ratio(table, kind=kind).value)
        for kind in (OddsKind.SAMPLE, OddsKind.CONDITIONAL, OddsKind.HALDANE)
    ]


def odds_ratio_low(k1: Fraction, n1: Fraction, k2: Fraction, n2: Fraction) -> list[Variant]:
    """Return the lower 95 % limit of an odds ratio."""
    return [
        Variant(name, math.nan if found.interval is None else found.interval.low)
        for name, found in _limits(_table(k1, n1, k2, n2))
    ]


def odds_ratio_high(k1: Fraction, n1: Fraction, k2: Fraction, n2: Fraction) -> list[Variant]:
    """Return the upper 95 % limit of an odds ratio."""
    return [
        Variant(name, math.nan if found.interval is None else found.interval.high)
        for name, found in _limits(_table(k1, n1, k2, n2))
    ]


def _limits(table: Table) -> list[tuple[str, Estimate]]:
    kinds = [
        ("the Woolf interval", OddsKind.SAMPLE, OddsInterval.WOOLF),
        ("the Woolf interval after adding ½", OddsKind.HALDANE, OddsInterval.WOOLF),
        ("the exact interval", OddsKind.CONDITIONAL, OddsInterval.CONDITIONAL_EXACT),
        ("the mid-p interval", OddsKind.CONDITIONAL, OddsInterval.MID_P),
    ]
    return [
        (name, estimate_odds_ratio(table, kind=kind, interval=interval))
        for name, kind, interval in kinds
    ]


def fisher_p(k1: Fraction, n1: Fraction, k2: Fraction, n2: Fraction) -> list[Variant]:
    """Return the p-value of Fisher's test."""
    table = _table(k1, n1, k2, n2)
    sides = [fisher(table, alternative=side).p for side in (Alternative.LESS, Alternative.GREATER)]
    return [
        Variant("a two-sided test", fisher(table).p),
        Variant("a one-sided test", min(sides)),
        Variant("twice the one-sided p", fisher(table, two_sided=TwoSided.CENTRAL).p),
    ]


def chi_square_statistic(k1: Fraction, n1: Fraction, k2: Fraction, n2: Fraction) -> list[Variant]:
    """Return Pearson's chi-square of two shares; the correction first, as R and scipy have it."""
    table = _table(k1, n1, k2, n2)
    return [
        Variant("Yates' correction", chi_square(table, yates=True).statistic),
        Variant("no continuity correction", chi_square(table, yates=False).statistic),
    ]


def chi_square_p(k1: Fraction, n1: Fraction, k2: Fraction, n2: Fraction) -> list[Variant]:
    """Return the p-value of Pearson's chi-square of two shares."""
    table = _table(k1, n1, k2, n2)
    return [
        Variant("Yates' correction", chi_square(table, yates=True).p),
        Variant("no continuity correction", chi_square(table, yates=False).p),
    ]


def pooled_z(k1: Fraction, n1: Fraction, k2: Fraction, n2: Fraction) -> list[Variant]:
    """Return z of two shares with the pooled rate; a printed z need not carry its sign."""
    (a, b), (c, d) = _table(k1, n1, k2, n2)
    z = pooled_z_test(a, a + b, c, c + d).statistic
    return [Variant("first share minus second", z), Variant("second share minus first", -z)]


def pooled_z_of_sizes(
    first: tuple[PrintedNumber, ...], second: tuple[PrintedNumber, ...], total: Fraction
) -> list[Variant]:
    """Return z for every pair of sample sizes that the printed distributions allow.

    Each sample is printed as the shares of all its categories, the tested one first. The sizes are
    not printed, so no variant is the conventional one: the first has no value.
    """
    variants = [Variant("sizes of the samples that are not printed", math.nan)]
    for n1 in range(1, int(total)):
        n2 = int(total) - n1
        for k1, k2 in product(_leading_counts(first, n1), _leading_counts(second, n2)):
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


def p_of_z(z: Fraction) -> list[Variant]:
    """Return the p-value behind a printed z."""
    tail = float(norm.sf(abs(float(z))))
    return [Variant("a two-sided test", 2.0 * tail), Variant("a one-sided test", tail)]


def p_of_chi_square(statistic: Fraction, df: Fraction) -> list[Variant]:
    """Return the p-value behind a printed chi-square."""
    if statistic < 0 or df < 1:
        raise ValueError(f"must hold a statistic of at least 0 and df of at least 1, found {df}")
    return [Variant("", float(chi2.sf(float(statistic), int(df))))]


def joint_share(rates: tuple[PrintedNumber, ...], most: Fraction, total: Fraction) -> list[Variant]:
    """Return the overall share that printed shares of its strata allow, sizes not printed."""
    totals = joint_totals(rates, int(most), int(total))
    if len(totals) == 1:
        return [Variant(f"{totals[0]} of {total}", Fraction(totals[0], int(total)))]
    several = [Variant(f"{count} of {total}", Fraction(count, int(total))) for count in totals]
    return [Variant("sizes of the strata that are not printed", math.nan), *several]


def kappa(agreed: Fraction, n: Fraction, k: Fraction, of: Fraction) -> list[Variant]:
    """Return Cohen's κ behind a printed agreement of two raters on yes or no.

    The conventional variant lets both raters say yes as often as the whole material does (k of the
    total), as in a sample that represents it; the others are all tables with that agreement.
    """
    same, items, rate = int(agreed), int(n), float(proportion(k, of)[0].value)
    chance = rate**2 + (1.0 - rate) ** 2
    if chance == 1.0 or not 0 < same <= items:
        raise ValueError("must hold agreements out of n, and a share of yes strictly within (0, 1)")
    variants = [
        Variant(
            "a sample that says yes as often as the whole", (same / items - chance) / (1 - chance)
        )
    ]
    apart = items - same
    for both_yes, only_first in product(range(same + 1), range(apart + 1)):
        table = [[both_yes, only_first], [apart - only_first, same - both_yes]]
        name = (
            f"{both_yes} joint yes, {same - both_yes} joint no, "
            f"and {only_first} against {apart - only_first} where the raters differ"
        )
        variants.append(Variant(name, cohen_kappa(table).estimate.value))
    return variants


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


def _table(k1: Fraction, n1: Fraction, k2: Fraction, n2: Fraction) -> Table:
    for k, n in ((k1, n1), (k2, n2)):
        proportion(k, n)
    return (int(k1), int(n1 - k1)), (int(k2), int(n2 - k2))

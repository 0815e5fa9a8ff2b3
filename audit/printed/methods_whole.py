"""Recomputations that look for the whole numbers behind a printed number.

Each takes the printed number itself, and its first variant is the nearest number that whole numbers
can have: beside what is printed it says whether they could have been printed so.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from itertools import product

from . import grim as means
from .effect_tables import nearest_table
from .grimmer import nearest_binary_deviation, nearest_deviation
from .inputs import Shape
from .method import Method
from .raters import MOST_ITEMS, RaterTable, kappa_at, nearest_kappa, tables_of_raters
from .recipe import Recipe, Variant
from .shares import Printed, only, whole


def grim(mean: Printed, n: Fraction, items: Fraction) -> list[Variant]:
    """Return the means of whole numbers on either side of a printed one, the nearer first."""
    one, cases, parts = only(mean), whole(n), whole(items)
    chance = means.chance_of_passing(one, cases, parts)
    sums = means.nearest_sums(one, cases, parts)
    names = [f"a sum of {total} over {cases * parts}" for total in sums]
    names[0] += f", which {_percent(chance)} of numbers printed so have"
    return [
        Variant(name, Fraction(total, cases * parts))
        for name, total in zip(names, sums, strict=True)
    ]


def grimmer(mean: Printed, sd: Printed, n: Fraction, items: Fraction) -> list[Variant]:
    """Return the nearest standard deviation of whole numbers whose mean prints so."""
    variants = []
    for ddof in (1, 0):
        found = nearest_deviation(only(mean), only(sd), whole(n), ddof=ddof, items=whole(items))
        if found is None:
            missing = f"ddof {ddof}, though no whole numbers have the mean {only(mean).text}"
            variants.append(Variant(missing, math.nan))
        else:
            how = f"a sum of {found.total} and a sum of squares of {found.squares}"
            variants.append(Variant(f"ddof {ddof}, {how}", found.sd))
    return variants


def debit(mean: Printed, sd: Printed, n: Fraction) -> list[Variant]:
    """Return the nearest standard deviation of zeros and ones whose mean prints so."""
    variants = []
    for ddof in (1, 0):
        found = nearest_binary_deviation(only(mean), only(sd), whole(n), ddof=ddof)
        if found is None:
            missing = f"ddof {ddof}, though no ones out of {n} print {only(mean).text}"
            variants.append(Variant(missing, math.nan))
        else:
            variants.append(Variant(f"ddof {ddof}, {found.total} ones out of {n}", found.sd))
    return variants


def admissible_totals(shares: Printed, least: Fraction, most: Fraction) -> list[Variant]:
    """Return the totals of which every printed share can be a share, one if it is the only one."""
    totals = means.admissible_totals(shares, whole(least), whole(most))
    if len(totals) == 1:
        return [Variant(f"the only total from {least} to {most}", Fraction(totals[0]))]
    first = f"{len(totals) or 'no'} totals from {least} to {most}"
    return [Variant(first, math.nan), *(Variant(f"a total of {t}", Fraction(t)) for t in totals)]


def odds_ratio_of_sizes(odds_ratio: Printed, n1: Fraction, n2: Fraction) -> list[Variant]:
    """Return the nearest odds ratio that two samples of these sizes have."""
    table = nearest_table(only(odds_ratio), whole(n1), whole(n2))
    name = f"{table.k1} of {table.n1} and {table.k2} of {table.n2}"
    return [Variant(name, math.nan if table.odds_ratio is None else table.odds_ratio)]


def kappa_of_agreement(agreement: Printed, kappa: Printed, n: Fraction) -> list[Variant]:
    """Return the nearest κ that two raters with this agreement on n items have."""
    found = nearest_kappa(whole(n), only(agreement), only(kappa))
    if found is None or found.kappa is None:
        return [Variant(f"no whole number of {n} items agreed on", math.nan)]
    tables = len(tables_of_raters(whole(n), only(agreement), only(kappa)))
    return [Variant(f"{found} ({tables} tables print so)", found.kappa)]


def kappa(agreed: Fraction, n: Fraction, k: Fraction, of: Fraction) -> list[Variant]:
    """Return Cohen's κ behind a printed agreement of two raters on yes or no.

    The conventional variant lets both raters say yes as often as the whole material does (k of the
    total), as in a sample that represents it; the others are all tables with that agreement.
    """
    same, items = int(agreed), int(n)
    if not (0 < same <= items and 0 < k < of):
        raise ValueError("must hold agreements out of n, and a share of yes strictly within (0, 1)")
    if items > MOST_ITEMS:
        raise ValueError(f"must hold at most {MOST_ITEMS:,} items, found {items:,}")
    at_base = kappa_at(Fraction(same, items), k / of)
    apart = items - same
    tables = [
        RaterTable(both_yes, only_first, apart - only_first, same - both_yes)
        for both_yes, only_first in product(range(same + 1), range(apart + 1))
    ]
    return [
        Variant("a sample that says yes as often as the whole", at_base),
        *(Variant(str(t), math.nan if t.kappa is None else t.kappa) for t in tables),
    ]


def _percent(share: Fraction) -> str:
    return f"{float(share):.0%}" if share >= Fraction(1, 100) else "under 1%"


_COUNT, _PRINTED = Shape.COUNT, Shape.PRINTED

RECIPES: Mapping[Method, Recipe] = {
    Method.GRIM: Recipe(grim, {"mean": _PRINTED, "n": _COUNT, "items": _COUNT}),
    Method.GRIMMER: Recipe(
        grimmer, {"mean": _PRINTED, "sd": _PRINTED, "n": _COUNT, "items": _COUNT}
    ),
    Method.DEBIT: Recipe(debit, {"mean": _PRINTED, "sd": _PRINTED, "n": _COUNT}),
    Method.ADMISSIBLE_TOTALS: Recipe(
        admissible_totals, {"shares": _PRINTED, "least": _COUNT, "most": _COUNT}
    ),
    Method.ODDS_RATIO_OF_SIZES: Recipe(
        odds_ratio_of_sizes, {"odds_ratio": _PRINTED, "n1": _COUNT, "n2": _COUNT}
    ),
    Method.KAPPA_OF_AGREEMENT: Recipe(
        kappa_of_agreement, {"agreement": _PRINTED, "kappa": _PRINTED, "n": _COUNT}
    ),
    Method.KAPPA: Recipe(kappa, dict.fromkeys(("agreed", "n", "k", "of"), _COUNT)),
}

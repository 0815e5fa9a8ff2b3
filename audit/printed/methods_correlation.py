"""Recomputations of correlations, by every rule of ties and by every order of the rows.

With few rows a tie decides: four values of which two are tied have a rank correlation that depends
on whether the tie is averaged or broken, and on how.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, permutations, product

from scipy.special import stdtr
from scipy.stats import rankdata

from ..numbers.correlation import Correlation
from ..numbers.correlation import pearson as pearson_of
from ..numbers.correlation import spearman as spearman_of
from .inputs import Shape
from .method import Method
from .methods_values import floats, gaps
from .recipe import Recipe, Variant
from .shares import Column

Ranks = list[float]

# More ways to break ties than these are not tried one by one.
_BREAKS = 24


def pearson(first: Column, second: Column) -> list[Variant]:
    """Return Pearson's correlation over rows."""
    gaps(first, second)
    return [Variant("", pearson_of(floats(first), floats(second)).estimate.value)]


def pearson_p(first: Column, second: Column) -> list[Variant]:
    """Return the p-value of Pearson's correlation, the usual t approximation first."""
    gaps(first, second)
    return _tests("", pearson_of(floats(first), floats(second)), len(first))


def spearman(first: Column, second: Column) -> list[Variant]:
    """Return Spearman's correlation over rows; tied values at their average rank first."""
    return [Variant(name, found.estimate.value) for name, found in by_rule(first, second)]


def spearman_p(first: Column, second: Column) -> list[Variant]:
    """Return the p-value of Spearman's correlation, by rule of ties and then by test."""
    return [
        variant
        for name, found in by_rule(first, second)
        for variant in _tests(f"{name}, ", found, len(first))
    ]


def by_rule(first: Column, second: Column) -> list[tuple[str, Correlation]]:
    """Return Spearman's correlation by every rule of ties.

    Parameters
    ----------
    first, second : tuple of Fraction
        Columns of one length.

    Returns
    -------
    list of (str, Correlation)
        Average, lowest and highest rank; broken in the order listed and against it; then, if they
        are few, every other way to break them.

    Raises
    ------
    ValueError
        If the columns differ in length.
    """
    gaps(first, second)
    one, other = floats(first), floats(second)
    found = [("ties at their average rank", spearman_of(one, other))]
    for name, rank in _RULES.items():
        # These ranks are final, and must not be averaged again: Pearson on them.
        found.append((name, pearson_of(rank(one), rank(other))))
    for breaks in _other_breaks(one, other):
        name = f"ties broken so that the rows rank {_listed(breaks[0])} and {_listed(breaks[1])}"
        found.append((name, pearson_of(*breaks)))
    return found


def _lowest(values: Sequence[float]) -> Ranks:
    return rankdata(values, "min").tolist()


def _highest(values: Sequence[float]) -> Ranks:
    return rankdata(values, "max").tolist()


def _in_order(values: Sequence[float]) -> Ranks:
    return rankdata(values, "ordinal").tolist()


def _against_order(values: Sequence[float]) -> Ranks:
    return rankdata(values[::-1], "ordinal").tolist()[::-1]


_RULES: dict[str, Callable[[Sequence[float]], Ranks]] = {
    "ties at their lowest rank": _lowest,
    "ties at their highest rank": _highest,
    "ties broken in the order listed": _in_order,
    "ties broken against the order listed": _against_order,
}


def _other_breaks(one: Sequence[float], other: Sequence[float]) -> list[tuple[Ranks, Ranks]]:
    """Return the further ways to break ties, none if they are many."""
    known = [tuple(rank(side) for side in (one, other)) for rank in (_in_order, _against_order)]
    ways = list(islice(product(_breaks(one), _breaks(other)), _BREAKS + 1))
    return [] if len(ways) > _BREAKS else [way for way in ways if way not in known]


def _breaks(values: Sequence[float]) -> Iterator[Ranks]:
    """Yield every way to give ranks without ties."""
    ranks = _in_order(values)
    groups = [[i for i, one in enumerate(values) if one == value] for value in sorted(set(values))]
    # Only the first few ways are ever taken, so that a column of equal values ends too.
    for order in product(*(islice(permutations(group), _BREAKS + 1) for group in groups)):
        broken = list(ranks)
        for group, taken in zip(groups, order, strict=True):
            for place, row in zip(group, taken, strict=True):
                broken[row] = ranks[place]
        yield broken


def _listed(ranks: Ranks) -> str:
    return ", ".join(str(int(rank)) for rank in ranks)


def _tests(prefix: str, found: Correlation, size: int) -> list[Variant]:
    approximate = t_approximation(found.estimate.value, size)
    return [
        Variant(f"{prefix}the t approximation", approximate),
        Variant(f"{prefix}all permutations", found.test.p),
        Variant(f"{prefix}the t approximation, one-sided", approximate / 2),
    ]


def t_approximation(value: float, size: int) -> float:
    """Return the two-sided p-value that t with two fewer degrees of freedom than rows gives.

    Parameters
    ----------
    value : float
        A correlation, or NaN.
    size : int
        How many rows; below 3 there is no p-value.

    Returns
    -------
    float
        In [0, 1]; NaN also at ±1, where t is infinite and its p of 0 is none: not one order of
        the rows but all of them say how rare a full agreement is.
    """
    if size < 3 or math.isnan(value) or abs(value) >= 1.0:
        return math.nan
    t = abs(value) * math.sqrt((size - 2) / (1.0 - value**2))
    return 2.0 * float(stdtr(size - 2, -t))


_ROWS = {"first": Shape.NUMBERS, "second": Shape.NUMBERS}

RECIPES: Mapping[Method, Recipe] = {
    Method.PEARSON: Recipe(pearson, _ROWS),
    Method.PEARSON_P: Recipe(pearson_p, _ROWS),
    Method.SPEARMAN: Recipe(spearman, _ROWS),
    Method.SPEARMAN_P: Recipe(spearman_p, _ROWS),
}

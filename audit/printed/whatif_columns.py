"""What would change a statistic of two short columns, or of ratings made from few matches.

A handful of pairs has few ways to turn its signs, and no test of them can give less than one in so
many. A rating may be set beside what its share of wins alone stands for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ..numbers.estimate import PValue
from ..numbers.paired import sign_flip, wilcoxon
from ..numbers.spread import spread
from ..numbers.unpaired import all_splits
from .methods_values import rating_of
from .shares import check_share

# Haldane and Anscombe: so much is added to wins and to losses, and no share is without odds.
_HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Flipped:
    """Tests of a mean difference of pairs that count arrangements and assume no law.

    Attributes
    ----------
    pairs : int
    flips, ranks, splits : PValue
        By all turns of the signs, by Wilcoxon's signed ranks, by all splits of the values in two
        samples.
    """

    pairs: int
    flips: PValue
    ranks: PValue
    splits: PValue

    @property
    def smallest_p(self) -> float:
        """The smallest two-sided p-value that turns of the signs of so many pairs can have."""
        return math.ldexp(1.0, 1 - self.pairs)


@dataclass(frozen=True, slots=True)
class RatingSpread:
    """How far ratings lie apart.

    Attributes
    ----------
    source : str
        What they were made of.
    sample, population : float
        Standard deviation in points, its divisor one less than the ratings or as many; NaN where a
        share has no odds.
    """

    source: str
    sample: float
    population: float


def sign_flips(first: Sequence[Fraction], second: Sequence[Fraction]) -> Flipped:
    """Return how the mean difference of pairs stands among all arrangements of them.

    Parameters
    ----------
    first, second : sequence of Fraction, each of length pairs
        At least 1 of them.

    Raises
    ------
    ValueError
        If the columns differ in length or are empty.
    """
    if len(first) != len(second) or not first:
        found = f"{len(first)} and {len(second)}"
        raise ValueError(f"must join columns of one length of at least 1, found {found}")
    sides = [float(value) for value in first], [float(value) for value in second]
    return Flipped(len(first), sign_flip(*sides), wilcoxon(*sides), all_splits(*sides))


def rating_spreads(
    k: Sequence[int], n: Sequence[int], ratings: Sequence[Fraction] = ()
) -> tuple[RatingSpread, ...]:
    """Return how far the ratings lie apart that shares of wins stand for by themselves.

    Parameters
    ----------
    k, n : sequence of int, each of length rows
        Wins and matches of each row, at least 2 rows.
    ratings : sequence of Fraction
        Printed ratings to set beside them.

    Returns
    -------
    tuple of RatingSpread
        From the shares as they are, from the shares with half a win and half a loss more, and of
        the printed ratings if there are any.

    Raises
    ------
    ValueError
        If lengths differ, a row holds no share, or there are fewer than 2 rows.

    References
    ----------
    Anscombe, doi:10.1093/biomet/43.3-4.461, for the halves.
    """
    if len(k) != len(n) or len(k) < 2:
        raise ValueError(f"must have at least 2 rows with one n each, found {len(k)} and {len(n)}")
    for wins, matches in zip(k, n, strict=True):
        check_share(wins, matches)
    rows = [(Fraction(wins), Fraction(size - wins)) for wins, size in zip(k, n, strict=True)]
    found = [
        ("the shares of wins alone", [rating_of(*row) for row in rows]),
        (
            "half a win and half a loss more in each row",
            [rating_of(wins + _HALF, losses + _HALF) for wins, losses in rows],
        ),
    ]
    if ratings:
        found.append(("the ratings as printed", [float(rating) for rating in ratings]))
    return tuple(_spread_of(source, values) for source, values in found)


def _spread_of(source: str, values: Sequence[float]) -> RatingSpread:
    if not all(math.isfinite(value) for value in values):
        return RatingSpread(source, math.nan, math.nan)
    return RatingSpread(source, spread(values, ddof=1).sd, spread(values, ddof=0).sd)

"""What is asked of resampled ratings, with every interval, many steps side by side.

Of the mean of two experiments whose pairs of sequences are too many to list, a quantity that is
linear in the ratings is still read off all of them; any other off pairs drawn, and then the
percentile limits have certified bands.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from audit.numbers._check import FloatArray

from .coverage import Method
from .law import Engine
from .limits import acceleration, bca_levels, t_factor
from .many import Limits, ManyLaws
from .pairs import PairMeans
from .rated import Rated

__all__ = ["Found", "Quantity", "found_of"]

_BAND = 0.99

Quantity = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """A quantity of ratings with its intervals, one element a step.

    Attributes
    ----------
    value : ndarray of float64, shape (lanes,)
    limits : mapping
        Every method to its limits; NaN where there are none.
    bands : tuple of Limits
        Where the lower, and the upper, percentile limit of all resamples lies, at 99 %; points if
        all were counted.
    undefined : ndarray of float64, shape (lanes,)
        The share of resamples in which the quantity is not defined.
    engine : Engine
    atoms : int
        Resamples, or pairs of them.
    total : float
        The sum of their probabilities, the undefined among them.
    """

    value: FloatArray
    limits: Mapping[Method, Limits]
    bands: tuple[Limits, Limits]
    undefined: FloatArray
    engine: Engine
    atoms: int
    total: float


def found_of(
    part: Rated, quantity: Quantity, *, linear: bool = False, level: float = 0.95
) -> Found:
    """Return a quantity of ratings over resamples, with its intervals.

    Parameters
    ----------
    part : Rated
    quantity : callable
        Ratings of shape (n, 2 * players) to values of shape (n,), NaN where undefined.
    linear : bool
        Whether the quantity of a mean of ratings is the mean of the quantity.
    level : float
        Confidence level, in (0, 1).
    """
    value = quantity(part.whole.T)
    left_out = [
        (_over(quantity, each.swapaxes(0, 1)), np.ones(len(each))) for each in part.left_out
    ]
    accelerated = acceleration(left_out)
    if linear and part.parts:
        return _linear(part, quantity, value, accelerated, level)
    laws = ManyLaws.of(_over(quantity, part.ratings).T, part.probability)
    limits = {
        Method.PERCENTILE: laws.percentile(level),
        Method.BASIC: laws.basic(value, level),
        Method.BCA: laws.bca(value, accelerated, level),
        Method.STUDENT: laws.student(value, part.blocks, level),
    }
    drawn = part.engine is Engine.MONTE_CARLO
    bands = laws.bands(level, _BAND) if drawn else _points(limits[Method.PERCENTILE])
    total = 1.0 if part.probability is None else float(part.probability.sum())
    return Found(value, limits, bands, laws.undefined, part.engine, laws.resamples, total)


def _over(quantity: Quantity, ratings: FloatArray) -> FloatArray:
    """Return a quantity of ratings of shape (2 * players, n, lanes), of shape (n, lanes)."""
    rows, n, lanes = ratings.shape
    # Without a copy: sums over players then run along resamples, which is how they lie in memory.
    return quantity(ratings.reshape(rows, -1).T).reshape(n, lanes)


def _points(limits: Limits) -> tuple[Limits, Limits]:
    return Limits(limits.low, limits.low), Limits(limits.high, limits.high)


def _linear(
    part: Rated,
    quantity: Quantity,
    value: FloatArray,
    accelerated: FloatArray,
    level: float,
) -> Found:
    """Return the same from all pairs of sequences, none of which is kept."""
    one, other = (_over(quantity, each.ratings).T for each in part.parts)
    laws = [PairMeans.of(*pair) for pair in zip(one, other, strict=True)]
    tail = (1.0 - level) / 2.0
    below = np.array([law.below(at) for law, at in zip(laws, value.tolist(), strict=True)])
    levels = bca_levels(below, accelerated, level)
    span, moved = (
        Limits(*(_read(laws, each) for each in ends))
        for ends in ((np.full(len(laws), tail), np.full(len(laws), 1.0 - tail)), levels)
    )
    half = t_factor(part.blocks, level) * np.array([law.deviation() for law in laws])
    limits = {
        Method.PERCENTILE: span,
        Method.BASIC: Limits(2.0 * value - span.high, 2.0 * value - span.low),
        Method.BCA: Limits(np.minimum(moved.low, moved.high), np.maximum(moved.low, moved.high)),
        Method.STUDENT: Limits(value - half, value + half),
    }
    none = np.zeros(len(laws))
    return Found(value, limits, _points(span), none, Engine.SEQUENCES, laws[0].atoms, 1.0)


def _read(laws: list[PairMeans], levels: FloatArray) -> FloatArray:
    return np.array(
        [
            math.nan if math.isnan(q) else law.quantile(q)
            for law, q in zip(laws, levels.tolist(), strict=True)
        ]
    )

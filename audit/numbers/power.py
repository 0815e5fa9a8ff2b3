"""Power: how often a decision on counts falls as it should, at given rates and sizes.

Samples are taken as independent binomial ones. All tables of counts that matter are enumerated
where they are few, and drawn where they are many; a drawn figure carries its Monte Carlo error.
Not covered: clusters, rates that vary within a sample.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy.special import gammaln, xlog1py, xlogy
from scipy.stats import binom

from ._check import FloatArray, IntArray, as_size

__all__ = ["LISTED_TABLES", "MOST_GAMES", "Decision", "Power", "power", "scaled", "size_needed"]

Decision = Callable[[tuple[int, ...], tuple[int, ...]], bool]
"""Successes and sizes, one each a sample, to whether the decision falls."""

LISTED_TABLES = 3_000
"""As many tables of counts are enumerated; of more, tables are drawn."""

MOST_GAMES = 20_000
"""Sizes are not sought beyond this in the largest sample."""

# What enumeration leaves out in each tail of each sample.
_TAIL = 1e-9


@dataclass(frozen=True, slots=True)
class Power:
    """How often a decision falls.

    Attributes
    ----------
    value : float
        In [0, 1].
    error : float
        Monte Carlo standard error, above 0; 0 where every table was enumerated.
    """

    value: float
    error: float = 0.0


def power(
    rates: Sequence[float],
    sizes: Sequence[int],
    decision: Decision,
    rng: np.random.Generator,
    draws: int = 10_000,
) -> Power:
    """Return how often a decision falls over independent binomial samples.

    Parameters
    ----------
    rates : sequence of float
        Each sample's chance of success, in [0, 1].
    sizes : sequence of int
        Each sample's number of trials, at least 1.
    decision : callable
        Called once for every different table.
    rng : numpy.random.Generator
        Used only where there are more than ``LISTED_TABLES`` tables.
    draws : int
        How many tables are drawn then, at least 1.

    Raises
    ------
    ValueError
        If there are not as many rates as sizes, or one of them is out of its range.
    """
    _check(rates, sizes, draws)
    supports = [_support(rate, size) for rate, size in zip(rates, sizes, strict=True)]
    total = tuple(sizes)
    if math.prod(map(len, supports)) <= LISTED_TABLES:
        tables, chances = _listed(supports, rates, sizes)
        fallen = [decision(table, total) for table in tables]
        return Power(min(float(chances @ np.array(fallen, dtype=np.float64)), 1.0))
    found, counts = np.unique(
        rng.binomial(sizes, rates, size=(draws, len(total))), axis=0, return_counts=True
    )
    times = sum(
        int(count)
        for row, count in zip(found.tolist(), counts, strict=True)
        if decision(tuple(row), total)
    )
    share = times / draws
    # With one success and one failure more: no drawn figure is free of error, not even 0 or 1.
    near = (times + 1) / (draws + 2)
    return Power(share, math.sqrt(near * (1.0 - near) / draws))


def _check(rates: Sequence[float], sizes: Sequence[int], draws: int) -> None:
    if len(rates) != len(sizes) or not sizes:
        raise ValueError(
            f"rates and sizes must be as many, at least 1, found {len(rates)} and {len(sizes)}"
        )
    for rate in rates:
        if not 0.0 <= rate <= 1.0:
            raise ValueError(f"rates must lie in [0, 1], found {rate}")
    for name, values in (("sizes", sizes), ("draws", (draws,))):
        if min(as_size(name, value) for value in values) < 1:
            raise ValueError(f"{name} must be at least 1, found 0")


def _support(rate: float, size: int) -> IntArray:
    low, high = (int(binom.ppf(tail, size, rate)) for tail in (_TAIL, 1.0 - _TAIL))
    return np.arange(low, high + 1, dtype=np.int64)


def _listed(
    supports: Sequence[IntArray], rates: Sequence[float], sizes: Sequence[int]
) -> tuple[list[tuple[int, ...]], FloatArray]:
    """Return every table of the supports with its chance."""
    each = [_chances(*sample) for sample in zip(supports, sizes, rates, strict=True)]
    chances = np.array([math.prod(parts) for parts in product(*each)], dtype=np.float64)
    return list(product(*(support.tolist() for support in supports))), chances


def _chances(counts: IntArray, size: int, rate: float) -> FloatArray:
    # By logarithms, which hold for a rate however close to 0; scipy's own law overflows there.
    ways = gammaln(size + 1) - gammaln(counts + 1) - gammaln(size - counts + 1)
    return np.exp(ways + xlogy(counts, rate) + xlog1py(size - counts, -rate))


def scaled(sizes: Sequence[int], largest: int) -> tuple[int, ...]:
    """Return sizes in the same proportion, rounded up, the largest of them as given."""
    most = max(sizes)
    return tuple(-(-size * largest // most) for size in sizes)


def size_needed(
    sizes: Sequence[int],
    reached: Callable[[tuple[int, ...]], bool],
    most: int = MOST_GAMES,
) -> tuple[int, ...] | None:
    """Return sizes in the same proportion at which something is reached and just below is not.

    Power over whole counts is not quite monotone, so that somewhat larger sizes may fall a little
    below again; what is returned is one crossing, found by halving.

    Parameters
    ----------
    sizes : sequence of int
        Whose proportions are kept, each at least 1.
    reached : callable
        Sizes to whether they are enough.
    most : int
        The largest sample that is tried.

    Returns
    -------
    tuple of int or None
        None if ``most`` is not enough.
    """
    low, high = 0, 1
    while not reached(scaled(sizes, high)):
        if high == most:
            return None
        low, high = high, min(2 * high, most)
    while high - low > 1:
        middle = (low + high) // 2
        if reached(scaled(sizes, middle)):
            high = middle
        else:
            low = middle
    return scaled(sizes, high)

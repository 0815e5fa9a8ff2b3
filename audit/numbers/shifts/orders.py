"""What block means look like in any order: the null law of every test here.

Without a shift, block means could have come in any order. Rounds that depend beyond the end of a
block make some orders likelier than others, so that not one law is used but one for each of three
correlations of neighbouring block means, and a p-value is the largest of the three. Orders are
those of an autoregression of order one; at a correlation of 0 all are alike likely, which is the
permutation test, enumerated where there are few blocks.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

import numpy as np

from audit.numbers._check import FloatArray, IntArray, as_size

__all__ = [
    "ALLOWED",
    "DRAWS",
    "ENUMERATED_BLOCKS",
    "Law",
    "Statistic",
    "largest_p",
    "laws",
    "normal_laws",
    "orders",
    "paths",
]

ALLOWED = (-0.2, 0.0, 0.2)
"""Correlations of neighbouring block means under which a test keeps its level."""
DRAWS = 9_999
"""Orders drawn for each correlation."""
ENUMERATED_BLOCKS = 7
"""The most blocks whose orders, 7! = 5,040, are enumerated."""
_SEED = 20261130
_SLACK = 1e-9


@lru_cache(maxsize=64)
def paths(blocks: int, correlation: float) -> FloatArray:
    """Return normal series without a shift, one a row, always the same.

    Parameters
    ----------
    blocks : int
        n, at least 1.
    correlation : float
        Of neighbours, in (-1, 1).

    Returns
    -------
    ndarray of float64, shape (DRAWS, n)
        Variance 1; read-only.
    """
    if as_size("blocks", blocks) == 0:
        raise ValueError("blocks must be at least 1, found 0")
    if not -1.0 < correlation < 1.0:
        raise ValueError(f"correlation must lie strictly between -1 and 1, found {correlation!r}")
    drawn = np.random.default_rng([_SEED, blocks]).standard_normal((DRAWS, blocks))
    fresh = math.sqrt(1.0 - correlation**2)
    for place in range(1, blocks):
        drawn[:, place] = correlation * drawn[:, place - 1] + fresh * drawn[:, place]
    drawn.flags.writeable = False
    return drawn


@lru_cache(maxsize=64)
def orders(blocks: int, correlation: float) -> IntArray:
    """Return orders of block means: at every place, the rank of the value that stands there.

    Parameters
    ----------
    blocks : int
        n, at least 1.
    correlation : float
        Of neighbours, in (-1, 1).

    Returns
    -------
    ndarray of int64, shape (orders, n)
        Ranks in [0, n). All n! of them at a correlation of 0 and up to `ENUMERATED_BLOCKS` blocks,
        else those of `paths`; read-only.
    """
    if correlation == 0.0 and 0 < blocks <= ENUMERATED_BLOCKS:
        ranks = np.array(list(permutations(range(blocks))), dtype=np.int64)
    else:
        ranks = paths(blocks, correlation).argsort(axis=1).argsort(axis=1).astype(np.int64)
    ranks.flags.writeable = False
    return ranks


@dataclass(frozen=True, slots=True, eq=False)
class Law:
    """A statistic of block means without a shift, under one of the correlations allowed.

    Attributes
    ----------
    values : ndarray of float64, shape (draws,)
        Rising.
    enumerated : bool
        Whether these are all there are; else what was observed counts as one more draw.
    """

    values: FloatArray
    enumerated: bool

    def share(self, observed: float) -> float:
        """Return the share, in [0, 1], that is as large as what was observed, or larger."""
        # Equal values differ by rounding: as large is meant.
        bar = observed - _SLACK * max(1.0, abs(observed))
        larger = len(self.values) - int(np.searchsorted(self.values, bar))
        more = 0 if self.enumerated else 1
        return (larger + more) / (len(self.values) + more)


Statistic = Callable[[FloatArray], FloatArray]
"""From series, one a row, shape (series, n), to a number each that is large against the null."""


def laws(ascending: FloatArray, statistic: Statistic) -> tuple[Law, ...]:
    """Return the laws of a statistic of block means: the values stay, their order is drawn.

    Parameters
    ----------
    ascending : ndarray of float64, shape (n,)
        The values, sorted; n at least 1.
    statistic : callable

    Returns
    -------
    tuple of Law
        One for each of the `ALLOWED` correlations.
    """
    blocks = len(ascending)
    found = []
    for correlation in ALLOWED:
        whole = correlation == 0.0 and blocks <= ENUMERATED_BLOCKS
        drawn = np.sort(statistic(ascending[orders(blocks, correlation)]))
        found.append(Law(drawn, whole))
    return tuple(found)


def normal_laws(blocks: int, statistic: Statistic) -> tuple[Law, ...]:
    """Return the laws of a statistic of normal block means, one for each correlation allowed."""
    return tuple(Law(np.sort(statistic(paths(blocks, each))), False) for each in ALLOWED)


def largest_p(under: tuple[Law, ...], observed: float) -> float:
    """Return the p-value of what was observed: the largest over laws."""
    return max(law.share(observed) for law in under)

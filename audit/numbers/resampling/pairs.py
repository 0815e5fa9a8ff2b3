"""The law of the mean of two independent statistics, each with equally likely values.

Two experiments of 3,125 sequences each give 9.8 million equally likely pairs. For a figure of their
mean that is linear, none of them is kept: pairs up to a value are counted by bisecting one list for
each element of the other, and a quantile is closed in from both sides until few pairs are left.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from audit.numbers._check import FloatArray

from .law import TOTAL_SLACK

__all__ = ["PairMeans"]

_FEW = 4_096
_ROUNDS = 60


@dataclass(frozen=True, slots=True, eq=False)
class PairMeans:
    """All means of a value of one list and a value of another.

    Attributes
    ----------
    first, second : ndarray of float64, shapes (n,) and (m,)
        Halves of the values, ascending and finite.
    """

    first: FloatArray
    second: FloatArray

    @classmethod
    def of(cls, first: FloatArray, second: FloatArray) -> PairMeans:
        """Return the means of two lists of finite values.

        Raises
        ------
        ValueError
            If a list is empty or holds what is not finite.
        """
        for values in (first, second):
            if not values.size or not np.isfinite(values).all():
                raise ValueError("both lists must hold finite values")
        return cls(np.sort(first) / 2.0, np.sort(second) / 2.0)

    @property
    def atoms(self) -> int:
        """How many pairs there are."""
        return len(self.first) * len(self.second)

    def deviation(self) -> float:
        """Return the standard deviation of the means."""
        return math.sqrt(float(self.first.var() + self.second.var()))

    def count(self, value: float) -> int:
        """Return how many pairs have a mean of at most the value."""
        return int(np.searchsorted(self.second, value - self.first, side="right").sum())

    def below(self, at: float, tolerance: float = 1e-9) -> float:
        """Return the share of pairs below a value, with half of those at it."""
        near = tolerance * max(abs(at), 1.0)
        return (self.count(at - near) + self.count(at + near)) / 2.0 / self.atoms

    def quantile(self, q: float) -> float:
        """Return the smallest mean at which the distribution function reaches q.

        Parameters
        ----------
        q : float
            In [0, 1].

        Raises
        ------
        ValueError
            If q lies outside [0, 1].
        """
        if not 0.0 <= q <= 1.0:
            raise ValueError(f"q must lie in [0, 1], found {q!r}")
        rank = max(math.ceil((q - TOTAL_SLACK) * self.atoms), 1)
        low = float(self.first[0] + self.second[0])
        high = float(self.first[-1] + self.second[-1])
        # A unit in the last place further out, so that rounding leaves no pair beyond the ends.
        low, high = np.nextafter(low, -np.inf) - 1e-9, np.nextafter(high, np.inf) + 1e-9
        under, up_to = 0, self.atoms
        for turn in range(_ROUNDS):
            if up_to - under <= _FEW:
                break
            middle = _between(low, high, (rank - under) / (up_to - under), turn)
            found = self.count(middle)
            if found >= rank:
                high, up_to = middle, found
            else:
                low, under = middle, found
        return self._ranked(low, high, rank - under)

    def _ranked(self, low: float, high: float, rank: int) -> float:
        """Return the mean of a rank among the pairs above one value and up to another."""
        start = np.searchsorted(self.second, low - self.first, side="right")
        stop = np.searchsorted(self.second, high - self.first, side="right")
        many = stop - start
        if int(many.sum()) > _FEW:
            # So many equal means that no value lies between: the largest one is all of them.
            reached = stop > 0
            return float((self.first[reached] + self.second[stop[reached] - 1]).max())
        rows = np.repeat(np.arange(len(self.first)), many)
        offset = np.arange(len(rows)) - np.repeat(np.cumsum(many) - many, many)
        means = self.first[rows] + self.second[start[rows] + offset]
        return float(np.partition(means, rank - 1)[rank - 1])


def _between(low: float, high: float, share: float, turn: int) -> float:
    """Return where to look next: in proportion to the ranks, and every third time in the middle."""
    if turn % 3 == 2:
        return (low + high) / 2.0
    return low + (high - low) * min(max(share, 0.02), 0.98)

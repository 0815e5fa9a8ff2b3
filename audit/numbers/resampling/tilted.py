"""The interval that inverts a test, from one lattice whose weights are tilted.

A limit is the value of the statistic in a population in which a statistic as far out as the one
seen has a probability of just (1 - level)/2. The populations looked at are those on the observed
cells whose shares are tilted exponentially along the statistic's influence: the least favourable
ones, in which it moves with the least information. The lattice of resamples is the same for all of
them; only its weights change. For one proportion this is Clopper and Pearson's interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq

from audit.numbers._check import FloatArray, IntArray, as_counts, as_level
from audit.numbers.estimate import Interval
from audit.numbers.statistic import Statistic

from ._resamples import blocks
from .bootstrap import AtomLimitError, support_size

__all__ = ["TILTED_LIMIT", "tilted_interval"]

TILTED_LIMIT = 500_000
"""Count vectors that are kept and weighed anew some fifty times."""

_MOVE = 1e-5
_FARTHEST = 2.0**12
_NEAR = 1e-12


def tilted_interval(
    counts_by_group: Sequence[npt.ArrayLike],
    statistic: Statistic,
    level: float = 0.95,
    *,
    limit: int = TILTED_LIMIT,
) -> Interval | None:
    """Return the interval that inverts the bootstrap test, every resample counted.

    Parameters
    ----------
    counts_by_group : sequence of array_like of int
        The counts of each group, each resampled by itself.
    statistic : callable
        Counts of shape (atoms, cells of all groups) to values of shape (atoms,), NaN where
        undefined; it must take counts that are not whole, and change with them smoothly.
    level : float
        Confidence level, in (0, 1).
    limit : int
        The largest number of count vectors.

    Returns
    -------
    Interval or None
        None where the statistic is not finite on the data, or takes one value in all resamples. A
        limit beyond every population on the observed cells is the last one of these.

    Raises
    ------
    AtomLimitError
        If there are more count vectors than the limit.
    ValueError
        If the counts or the level are not allowed.

    References
    ----------
    Efron, doi:10.1139/cjs-9-2-139 (nonparametric tilting). Davison and Hinkley, Bootstrap Methods
    and their Application (1997), 5.3 and 10.2.
    """
    level = as_level(level)
    groups = [as_counts(f"counts of group {i}", one) for i, one in enumerate(counts_by_group)]
    atoms = int(np.prod([support_size(int(g.sum()), np.count_nonzero(g)) for g in groups]))
    if atoms > limit:
        raise AtomLimitError(atoms, limit)
    counts = np.concatenate(groups)
    at = float(statistic(counts[None, :])[0])
    if not np.isfinite(at):
        return None
    tilted = _Tilted.of(groups, statistic)
    if tilted is None:
        return None
    tail = (1.0 - level) / 2.0
    low, high = (tilted.limit(at, tail, sign) for sign in (-1.0, 1.0))
    return Interval(min(low, at), max(high, at), level, "bootstrap test inverted, tilted")


@dataclass(frozen=True, slots=True, eq=False)
class _Tilted:
    """Every count vector with its value and weight, and the direction in which to tilt.

    Attributes
    ----------
    groups : list of ndarray of int64
    statistic : callable
    vectors : ndarray of int64, shape (atoms, cells)
    values, logs : ndarray of float64, shape (atoms,)
        Of the statistic; logarithms of the probabilities under the data.
    direction : ndarray of float64, shape (cells,)
        The influence of each cell, scaled to a deviation of 1 in the sum over a resample.
    """

    groups: list[IntArray]
    statistic: Statistic
    vectors: IntArray
    values: FloatArray
    logs: FloatArray
    direction: FloatArray

    @classmethod
    def of(
        cls,
        groups: list[IntArray],
        statistic: Statistic,
    ) -> _Tilted | None:
        """Return what is to be tilted; None if there is no direction or nothing to tilt."""
        found = list(blocks(groups))
        vectors = np.concatenate([block for block, _ in found])
        weights = np.concatenate([mass for _, mass in found])
        values = statistic(vectors)
        kept = ~np.isnan(values) & (weights > 0.0)
        if len(np.unique(values[kept])) < 2:
            return None
        direction = _direction(groups, statistic)
        if direction is None:
            return None
        logs = np.log(weights[kept])
        return cls(groups, statistic, vectors[kept], values[kept], logs, direction)

    def limit(self, at: float, tail: float, sign: float) -> float:
        """Return the lower limit (sign -1) or the upper one (sign 1)."""
        near = _NEAR * max(abs(at), 1.0)
        beyond = self.values <= at + near if sign > 0.0 else self.values >= at - near
        power = self.vectors @ self.direction

        def excess(tilt: float) -> float:
            logs = self.logs + sign * tilt * power
            weights = np.exp(logs - logs.max())
            return float(weights[beyond].sum() / weights.sum()) - tail

        if excess(0.0) <= 0.0:
            return at
        far = 1.0
        while excess(far) > 0.0 and far < _FARTHEST:
            far *= 2.0
        found = brentq(excess, 0.0, far, xtol=1e-13) if excess(far) < 0.0 else far
        return self._population(sign * found)

    def _population(self, tilt: float) -> float:
        """Return the statistic in the tilted population itself."""
        shares, first = [], 0
        for group in self.groups:
            logs = tilt * self.direction[first : first + len(group)]
            tilted = group * np.exp(logs - logs[group > 0].max(initial=0.0))
            shares.append(tilted / tilted.sum() * group.sum() if group.any() else tilted)
            first += len(group)
        return float(self.statistic(np.concatenate(shares)[None, :])[0])


def _direction(groups: list[IntArray], statistic: Statistic) -> FloatArray | None:
    """Return the influence of each cell by a small move of its group's shares towards it."""
    counts = np.concatenate(groups).astype(np.float64)
    moved, first = [], 0
    for group in groups:
        own = np.zeros(len(counts))
        own[first : first + len(group)] = group
        for cell in range(len(group)):
            step = -own
            step[first + cell] += group.sum()
            moved += [counts + _MOVE * step, counts - _MOVE * step]
        first += len(group)
    ends = statistic(np.array(moved)).reshape(-1, 2)
    slope = (ends[:, 0] - ends[:, 1]) / (2.0 * _MOVE)
    size = np.concatenate([np.full(len(group), max(int(group.sum()), 1)) for group in groups])
    influence = np.where(counts > 0.0, slope / size, 0.0)
    spread = float(np.sqrt((counts * influence**2).sum()))
    if not np.isfinite(spread) or spread <= _NEAR:
        return None
    return np.asarray(influence / spread, dtype=np.float64)

"""Shares corrected by a sample of checked items: one rater sees all, a second some of each cell.

Cells are what the first rater said, crossed with whatever else is known of every item. How often
yes is true in a cell comes from the checked items, how large the cell is from all; both errors go
into the interval, the second by clusters. Not covered: checked items that are clustered among
themselves, as when most are taken from few matches.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ._check import FloatArray, as_counts, as_level, as_numbers, same_length
from .estimate import Estimate, Interval, Undefined
from .recovery import CellLimits, cell_limits, cluster_distance, recovered

__all__ = ["Checked", "two_phase"]


@dataclass(frozen=True, slots=True, eq=False)
class Checked:
    """What the checked items of each cell say.

    Attributes
    ----------
    shares : ndarray of float64, shape (cells,)
        Weighted share of true yes, in [0, 1]; NaN where nothing was checked.
    sizes : ndarray of float64, shape (cells,)
        Effective number of checked items, at least 0.
    """

    shares: FloatArray
    sizes: FloatArray

    @property
    def filled(self) -> FloatArray:
        """The shares, 1/2 where nothing was checked."""
        return np.where(self.sizes > 0.0, self.shares, 0.5)

    def worst(self, unknown: float) -> Checked:
        """Return the same with a given share where nothing was checked."""
        return Checked(np.where(self.sizes > 0.0, self.shares, unknown), self.sizes)


def two_phase(
    items: npt.ArrayLike,
    checked: Checked,
    *,
    level: float = 0.95,
    method: CellLimits = CellLimits.WILSON,
    beyond: npt.ArrayLike | None = None,
    counts_out: int = 0,
) -> Estimate:
    """Estimate the share of true yes among all items.

    Parameters
    ----------
    items : array_like of int, shape (clusters, cells)
        All items, by cluster and cell.
    checked : Checked
        Of the cells.
    level : float
        Confidence level, in (0, 1).
    method : CellLimits
        How a cell's limits are made.
    beyond : array_like of float, shape (clusters,), optional
        What the checked items of each cluster add to the share beyond what their cells' shares say:
        where clusters with many of a cell also hold more true ones in it, the interval widens.
    counts_out : int
        Items left out beforehand, carried into the result.

    Returns
    -------
    Estimate
        In [0, 1]. Undefined without items (``EMPTY``), with fewer than two clusters or with a
        cell of which nothing was checked (``TOO_FEW``); the interval of the latter stands, that
        cell's share being anything.

    Raises
    ------
    ValueError
        If an argument is not allowed.

    References
    ----------
    Cochran, Sampling Techniques (1977), 12.2 and 12.9. Limits: Zou and Donner,
    doi:10.1002/sim.3095.
    """
    counts, level = as_counts("items", items, dimensions=2).astype(np.float64), as_level(level)
    total = int(counts.sum())
    if total == 0:
        return Estimate.undefined(Undefined.EMPTY, 0, counts_out)
    if len(counts) < 2:
        return Estimate.undefined(Undefined.TOO_FEW, total, counts_out)
    weights = counts.sum(axis=0) / total
    points = checked.filled
    lows, highs = cell_limits(points, checked.sizes, level, method)
    value = float(weights @ points)
    drawn = counts @ (points - value) / total
    distance = cluster_distance(drawn, level)
    if beyond is not None:
        distance = _together(distance, drawn, as_numbers("beyond", beyond), level)
    known = checked.sizes > 0.0
    low, high = recovered(
        lambda p: float(weights @ p), points, lows, highs, known=known, distance=distance
    )
    span = Interval(max(low, 0.0), min(high, 1.0), level, f"two-phase, {method.value} recovered")
    if (~known & (weights > 0.0)).any():
        return Estimate.undefined(Undefined.TOO_FEW, total, counts_out, span)
    return Estimate(value, span, total, counts_out)


def _together(distance: float, drawn: FloatArray, beyond: FloatArray, level: float) -> float:
    """Return the distance with twice what both parts have in common, where that widens it.

    The square of what they add alone is left to the limits of the cells.
    """
    same_length(drawn=drawn, beyond=beyond)
    both = cluster_distance(drawn + beyond, level) ** 2 - cluster_distance(beyond, level) ** 2
    return math.sqrt(max(both, distance**2))

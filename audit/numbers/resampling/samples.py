"""What a bootstrap resamples: counts, clusters, or blocks in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy.typing as npt

from audit.numbers._check import FloatArray

__all__ = ["Blocks", "Clusters", "Counts", "Sample", "SampleStatistic"]

SampleStatistic = Callable[..., FloatArray]
"""What a sample says it is of, to one value a resample, NaN where undefined."""


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """Observations that matter through how many fall into each cell.

    Attributes
    ----------
    groups : sequence of array_like of int
        The counts of each group, each resampled by itself; the statistic takes counts of shape
        (resamples, cells of all groups). T blocks whose order decides nothing, or six players, are
        one group of ones.
    """

    groups: Sequence[npt.ArrayLike]


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """Clusters that matter through whole-number sums.

    Attributes
    ----------
    sums : array_like of int, shape (clusters, d)
        What each adds; the statistic takes totals of shape (resamples, d).
    stratum : array_like of int, shape (clusters,), optional
        Clusters are resampled within it.
    """

    sums: npt.ArrayLike
    stratum: npt.ArrayLike | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """Blocks that build on one another in the order drawn.

    Attributes
    ----------
    sizes : sequence of int
        How many each experiment has; the statistic takes one array of blocks drawn for each, of
        shape (resamples, draws), also with fewer draws than blocks.
    """

    sizes: Sequence[int]


Sample = Counts | Clusters | Blocks

"""The law of sums over resampled clusters, by convolution.

A statistic of totals, such as matches won over matches played, sees a resample of clusters only
through their sums. Where these are whole numbers there are far fewer sums than resamples: 30
clusters of up to ten matches have C(59, 29) resamples, some 6·10^16, and at most 301 · 301 pairs of
sums. Each draw adds one row of the clusters; strata add up.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from audit.numbers._check import FloatArray, IntArray

from ._merge import float_law
from .bootstrap import ATOM_LIMIT, TIE_TOLERANCE, AtomLimitError
from .law import Engine, Law

__all__ = ["WORK_LIMIT", "as_cluster_sums", "cluster_law", "sums_of_clusters"]

WORK_LIMIT = 4_000_000_000
"""Additions above which no law is made: some ten seconds."""

SumStatistic = Callable[[IntArray], FloatArray]


def as_cluster_sums(
    sums: npt.ArrayLike, stratum: npt.ArrayLike | None
) -> list[tuple[IntArray, IntArray]]:
    """Return for each stratum the distinct rows of its clusters, and how many have each.

    Raises
    ------
    ValueError
        If the sums are not a table of whole numbers, or there is not one stratum a cluster.
    """
    table = np.asarray(sums, dtype=np.float64)
    if table.ndim != 2 or not len(table):
        raise ValueError(f"sums must be clusters by columns, found shape {table.shape}")
    if not (np.isfinite(table).all() and (table == np.floor(table)).all()):
        raise ValueError("sums must be whole numbers")
    whole = table.astype(np.int64)
    strata = np.zeros(len(whole), dtype=np.int64) if stratum is None else np.asarray(stratum)
    if strata.shape != (len(whole),):
        raise ValueError(f"stratum must be one a cluster, found {strata.shape} for {len(whole)}")
    found = []
    for one in np.unique(strata):
        rows, counts = np.unique(whole[strata == one], axis=0, return_counts=True)
        found.append((rows, counts.astype(np.int64)))
    return found


def sums_of_clusters(
    strata: list[tuple[IntArray, IntArray]], *, limit: int = ATOM_LIMIT
) -> tuple[IntArray, FloatArray]:
    """Return every total that resampled clusters can have, and its probability.

    Parameters
    ----------
    strata : list of (ndarray of int64, shape (k, d); ndarray of int64, shape (k,))
        Distinct rows of each stratum's clusters, and how many clusters have each.
    limit : int
        The largest number of totals to keep.

    Returns
    -------
    totals : ndarray of int64, shape (atoms, d)
    probability : ndarray of float64, shape (atoms,)

    Raises
    ------
    AtomLimitError
        If the grid of totals has more points than the limit, or takes more than `WORK_LIMIT`
        additions.
    """
    spans = [rows.max(axis=0) - rows.min(axis=0) for rows, _ in strata]
    sizes = [int(counts.sum()) for _, counts in strata]
    shape = 1 + sum(size * span for size, span in zip(sizes, spans, strict=True))
    points = math.prod(int(length) for length in shape)
    if points > limit:
        raise AtomLimitError(points, limit)
    work = points * sum(size * len(rows) for size, (rows, _) in zip(sizes, strata, strict=True))
    if work > WORK_LIMIT:
        raise AtomLimitError(work, WORK_LIMIT)
    grid, first = np.ones((1,) * len(shape)), np.zeros(len(shape), dtype=np.int64)
    for size, (rows, counts) in zip(sizes, strata, strict=True):
        least = rows.min(axis=0)
        for _ in range(size):
            grid = _with_one_more(grid, rows - least, counts / size)
        first = first + size * least
    reached = np.argwhere(grid > 0.0)
    return reached + first, grid[tuple(reached.T)]


def _with_one_more(grid: FloatArray, rows: IntArray, shares: FloatArray) -> FloatArray:
    grown = np.zeros(grid.shape + rows.max(axis=0))
    for row, share in zip(rows.tolist(), shares.tolist(), strict=True):
        place = tuple(slice(at, at + n) for at, n in zip(row, grid.shape, strict=True))
        grown[place] += share * grid
    return grown


def cluster_law(
    sums: npt.ArrayLike,
    statistic: SumStatistic,
    *,
    stratum: npt.ArrayLike | None = None,
    limit: int = ATOM_LIMIT,
) -> Law:
    """Return the law of a statistic of the totals of resampled clusters.

    Parameters
    ----------
    sums : array_like of int, shape (clusters, d)
        What each cluster adds to each total.
    statistic : callable
        Totals of shape (atoms, d) to values of shape (atoms,), NaN where undefined.
    stratum : array_like of int, shape (clusters,), optional
        Clusters are resampled within their stratum; one for all if not given.
    limit : int
        The largest number of totals.

    Returns
    -------
    Law
        ``atoms`` counts totals.

    Raises
    ------
    AtomLimitError, ValueError
        As `sums_of_clusters` and `as_cluster_sums`.

    References
    ----------
    Davison and Hinkley, Bootstrap Methods and their Application (1997), 3.8.
    """
    strata = as_cluster_sums(sums, stratum)
    totals, probability = sums_of_clusters(strata, limit=limit)
    groups = [counts for _, counts in strata]
    values = statistic(totals)
    return float_law(values, probability, groups, TIE_TOLERANCE, Engine.CONVOLUTION)

"""Intervals that resample clusters: all resamples where these can be listed, else drawn ones.

Items of one dialogue, and dialogues of one pair of players, are not independent. A cluster is taken
whole or not at all, within its stratum. Clusters whose sums are equal are one cell, so that few
clusters, or many alike, are enumerated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ._check import FloatArray, IntArray, as_index, same_length
from .estimate import Interval
from .resampling.bootstrap import AtomLimitError, Law, enumerate_product, sample_product
from .resampling.law import Engine

__all__ = ["DRAWS", "Clustered", "clustered_interval"]

DRAWS = 4_000
"""Resamples drawn where they are too many to list."""

_LISTED = 50_000
_TOLD = 5e-5  # less is 0.00 % to the reader; the number itself is handed over


@dataclass(frozen=True, slots=True)
class Clustered:
    """An interval from resampled clusters.

    Attributes
    ----------
    interval : Interval or None
        None with fewer than two clusters, or where every resample gives one and the same value.
    low_band, high_band : Interval or None
        Where the limits of all resamples lie, at 99 %; single points if they were listed.
    clusters : int
    undefined : float
        The share of resamples in which the statistic is not defined, in [0, 1].
    """

    interval: Interval | None
    low_band: Interval | None
    high_band: Interval | None
    clusters: int
    undefined: float


def clustered_interval(
    statistic: Callable[[FloatArray], FloatArray],
    sums: FloatArray,
    cluster: npt.ArrayLike,
    rng: np.random.Generator,
    *,
    stratum: npt.ArrayLike | None = None,
    level: float = 0.95,
    draws: int = DRAWS,
) -> Clustered:
    """Return the percentile interval of a statistic of summed items, clusters being resampled.

    Parameters
    ----------
    statistic : callable
        Sums of shape (atoms, d) to values of shape (atoms,), NaN where undefined.
    sums : ndarray of float64, shape (items, d)
        What each item adds.
    cluster : array_like of int, shape (items,)
        The cluster of each item, counted from 0 without a gap.
    rng : numpy.random.Generator
        Used only if the resamples are too many to list.
    stratum : array_like of int, shape (clusters,), optional
        Clusters are resampled within their stratum; one for all if not given.
    level : float
        Confidence level, in (0, 1).
    draws : int
        Resamples to draw, at least 1.

    Raises
    ------
    ValueError
        If lengths differ or an argument is not allowed.

    References
    ----------
    Davison and Hinkley, Bootstrap Methods and their Application (1997), 3.8.
    """
    totals = _totals(sums, cluster)
    strata = np.zeros(len(totals), dtype=np.int64) if stratum is None else np.asarray(stratum)
    if len(strata) != len(totals):
        raise ValueError(f"stratum must be one a cluster, found {len(strata)} for {len(totals)}")
    if len(totals) < 2:
        return Clustered(None, None, None, len(totals), 0.0)
    cells = [
        np.unique(totals[strata == one], axis=0, return_counts=True) for one in np.unique(strata)
    ]
    rows, groups = np.vstack([rows for rows, _ in cells]), [counts for _, counts in cells]
    law = _law(lambda counts: statistic(counts @ rows), groups, draws, rng)
    return _read(law, len(totals), level)


def _totals(sums: FloatArray, cluster: npt.ArrayLike) -> FloatArray:
    position = as_index("cluster", cluster, len(sums))
    same_length(sums=sums, cluster=position)
    totals = np.zeros((int(position.max(initial=-1)) + 1, sums.shape[1]))
    np.add.at(totals, position, sums)
    return totals


def _law(
    statistic: Callable[[IntArray], FloatArray],
    groups: list[npt.NDArray[np.intp]],
    draws: int,
    rng: np.random.Generator,
) -> Law:
    try:
        return enumerate_product(groups, statistic, limit=_LISTED)
    except AtomLimitError:
        return sample_product(groups, statistic, draws=draws, rng=rng)


def _read(law: Law, clusters: int, level: float) -> Clustered:
    span = law.percentile_interval(level)
    if span is None or law.values.size < 2:
        return Clustered(None, None, None, clusters, law.undefined_mass)
    drawn = law.engine is Engine.MONTE_CARLO
    count = f"{law.atoms} resamples" if drawn else "every resample"
    name = f"percentile over {count} of {clusters} clusters"
    if law.undefined_mass >= _TOLD:
        name += f", {law.undefined_mass:.2%} of them undefined"
    tail = (1.0 - level) / 2.0
    return Clustered(
        Interval(span.low, span.high, level, name),
        law.quantile_band(tail),
        law.quantile_band(1.0 - tail),
        clusters,
        law.undefined_mass,
    )

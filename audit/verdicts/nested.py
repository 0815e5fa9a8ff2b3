"""Which strata of a sample hold whole clusters, so that resampling may keep to them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

FEWEST_CLUSTERS = 10
"""With fewer in a stratum, resampling within it would lose over a tenth of its variance."""


def nested_strata(
    items: Sequence[str], cluster: NDArray[np.int64], stratum_of: Mapping[str, tuple[str, ...]]
) -> NDArray[np.int64] | None:
    """Return the stratum of each cluster, by every key of the sample that no cluster straddles.

    Parameters
    ----------
    items : sequence of str
    cluster : ndarray of int64, shape (items,)
        Counted from 0 without a gap.
    stratum_of : mapping
        Item to its values of the keys, in the order of the keys.

    Returns
    -------
    ndarray of int64, shape (clusters,), or None
        A key that would leave a stratum with fewer than `FEWEST_CLUSTERS` is passed over; None
        where none is left, or where the stratum of an item is not known.
    """
    if not items or not all(item in stratum_of for item in items):
        return None
    found: NDArray[np.int64] = np.zeros(int(cluster.max()) + 1, dtype=np.int64)
    for values in zip(*(stratum_of[item] for item in items), strict=True):
        code = numbered(values)
        of_cluster = np.zeros(len(found), dtype=np.int64)
        of_cluster[cluster] = code
        finer = numbered(list(zip(found.tolist(), of_cluster.tolist(), strict=True)))
        if (of_cluster[cluster] == code).all() and np.bincount(finer).min() >= FEWEST_CLUSTERS:
            found = finer
    return found if found.any() else None


def numbered(clusters: Sequence[Hashable]) -> NDArray[np.int64]:
    """Return the cluster of each item, counted from 0 in the order of appearance."""
    order = {cluster: i for i, cluster in enumerate(dict.fromkeys(clusters))}
    return np.array([order[cluster] for cluster in clusters], dtype=np.int64)

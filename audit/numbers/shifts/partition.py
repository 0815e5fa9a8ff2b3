"""The largest penalty a change point at which a partition still beats one level throughout.

A partition of n values into K + 1 segments takes G off the sum of squares about the mean. At a
penalty a change point, some partition is preferred to none exactly where max over partitions of
G/K is above it: this largest gain is the test statistic of a penalised search. Found by Dinkelbach:
the best partition at a penalty gives the next penalty, until none is better.
"""

from __future__ import annotations

import numpy as np

from audit.numbers._check import FloatArray, IntArray, as_size

__all__ = ["largest_gain"]

_ROUNDS = 60
_SLACK = 1e-9


def largest_gain(series: FloatArray, min_size: int) -> FloatArray:
    """Return the largest gain a change point of every series.

    Parameters
    ----------
    series : ndarray of float64, shape (series, n)
        Finite, one series a row.
    min_size : int
        The least values of a segment, at least 1.

    Returns
    -------
    ndarray of float64, shape (series,)
        At least 0, in squared units of the values; 0 where no partition is possible.
    """
    if as_size("min_size", min_size) == 0:
        raise ValueError("min_size must be at least 1, found 0")
    rows, size = series.shape
    gain: FloatArray = np.zeros(rows)
    if size < 2 * min_size:
        return gain
    centred = series - series.mean(axis=1, keepdims=True)
    total = np.square(centred).sum(axis=1)
    active = np.arange(rows)
    for _ in range(_ROUNDS):
        value, changes = _best(centred[active], gain[active], min_size)
        better = (changes > 0) & (value - gain[active] * changes > _SLACK * total[active])
        active = active[better]
        gain[active] = value[better] / changes[better]
        if not active.size:
            return gain
    raise RuntimeError("the search for the largest gain did not end")


def _best(centred: FloatArray, penalty: FloatArray, min_size: int) -> tuple[FloatArray, IntArray]:
    """Return gain and change points of every row's best partition at a penalty."""
    rows, size = centred.shape
    sums = np.concatenate([np.zeros((rows, 1)), centred.cumsum(axis=1)], axis=1)
    best = np.full((rows, size + 1), -np.inf)
    best[:, 0] = penalty  # the first segment is no change
    changes = np.zeros((rows, size + 1), dtype=np.int64)
    changes[:, 0] = -1
    every = np.arange(rows)
    for end in range(min_size, size + 1):
        starts = np.arange(end - min_size + 1)
        options = np.square(sums[:, end, None] - sums[:, : len(starts)])
        options /= end - starts
        options += best[:, : len(starts)]
        chosen = options.argmax(axis=1)
        best[:, end] = options[every, chosen] - penalty
        changes[:, end] = changes[every, chosen] + 1
    return best[:, size] + penalty * changes[:, size], changes[:, size]

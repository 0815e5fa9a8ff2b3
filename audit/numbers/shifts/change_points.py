"""Where a series changes its level, and the penalty that noise rarely passes.

The partition is the best by least squares and a penalty for each change point, over all partitions:
ruptures' dynamic programme gives the best of every number of changes, of which the penalty chooses.
(Its pruned search, PELT, is not exact where segments have a least size.) Penalties are in squared
units of the scale of successive differences, and chosen so that a series without a shift has a
change point in 5 of 100 cases: by simulation of normal block means, always the same draws, for the
worst of the correlations that `orders` allows for.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from audit.numbers._check import FloatArray, as_level, as_numbers, as_size
from audit.numbers.estimate import Alternative, PValue, Undefined

from .noise import difference_scale
from .orders import DRAWS, Law, largest_p, normal_laws
from .partition import largest_gain

__all__ = ["ChangePoints", "change_points", "change_test", "null_penalty"]

_METHOD = "largest penalised gain, normal block means"


@dataclass(frozen=True, slots=True)
class ChangePoints:
    """The best partition of a series at a penalty.

    Attributes
    ----------
    places : tuple of int
        Where a new segment begins, counted from 0, rising; empty without a change point.
    levels : tuple of float
        The mean of each segment, one more than there are places.
    penalty : float
        A change point, in squared scales.
    scale : float
        What values were divided by; 0 where successive values never differ.
    """

    places: tuple[int, ...]
    levels: tuple[float, ...]
    penalty: float
    scale: float

    def fitted(self, size: int) -> FloatArray:
        """Return the level at each of so many values."""
        ends = (*self.places, as_size("size", size))
        starts = (0, *self.places)
        return np.repeat(
            self.levels, [end - start for start, end in zip(starts, ends, strict=True)]
        )


def change_points(
    values: npt.ArrayLike, *, penalty: float, min_size: int = 2, scale: float | None = None
) -> ChangePoints:
    """Return where a series changes its level.

    Parameters
    ----------
    values : array_like of float, shape (n,)
        Finite, n at least 1: block means in order.
    penalty : float
        A change point, in squared scales, above 0; see `null_penalty`.
    min_size : int
        The least values of a segment, at least 1.
    scale : float, optional
        What values are divided by, at least 0; that of successive differences if not given.

    Returns
    -------
    ChangePoints
        None where a partition is impossible or the scale is 0. Of partitions alike good, one with
        the fewest changes.

    Raises
    ------
    ValueError
        If values are none or not finite, or a setting is out of its range.
    """
    found = as_numbers("values", values)
    if not found.size:
        raise ValueError("values must hold at least 1 value, found none")
    if not penalty > 0.0:
        raise ValueError(f"penalty must be above 0, found {penalty!r}")
    if as_size("min_size", min_size) == 0:
        raise ValueError("min_size must be at least 1, found 0")
    if scale is None:
        scale = float(difference_scale(found)) if len(found) > 1 else 0.0
    elif not 0.0 <= scale < math.inf:
        raise ValueError(f"scale must be finite and at least 0, found {scale!r}")
    places: tuple[int, ...] = ()
    if _varies(found, scale) and len(found) >= 2 * min_size:
        places = _best_places((found - found.mean()) / scale, penalty, min_size)
    levels = tuple(float(part.mean()) for part in np.split(found, list(places)))
    return ChangePoints(places, levels, float(penalty), scale)


def _best_places(values: FloatArray, penalty: float, min_size: int) -> tuple[int, ...]:
    from ruptures import KernelCPD

    search = KernelCPD(kernel="linear", min_size=min_size).fit(values.reshape(-1, 1))
    search.predict(n_bkps=len(values) // min_size - 1)  # finds that of every smaller number too
    best: tuple[int, ...] = ()
    least = float(values.var() * len(values))
    for count, ends in sorted(search.segmentations_dict.items()):
        parts = np.split(values, ends[:-1])
        cost = sum(float(np.square(part - part.mean()).sum()) for part in parts) + penalty * count
        if cost < least * (1.0 - 1e-12):
            best, least = tuple(int(end) for end in ends[:-1]), cost
    return best


@lru_cache(maxsize=64)
def _laws(blocks: int, min_size: int) -> tuple[Law, ...]:
    return normal_laws(
        blocks, lambda drawn: largest_gain(drawn, min_size) / np.square(difference_scale(drawn))
    )


def null_penalty(blocks: int, *, min_size: int = 2, level: float = 0.05) -> float:
    """Return the penalty at which a series without a shift shows any change point at a given rate.

    Parameters
    ----------
    blocks : int
        n, at least 2: of how many block means.
    min_size : int
        The least values of a segment, at least 1.
    level : float
        The rate, strictly between 0 and 1.

    Returns
    -------
    float
        In squared scales of successive differences: the largest over the correlations allowed.
        Infinite where no partition is possible. Kept for the life of the process, not on disk, so
        that no table can go stale: half a second for 20 blocks, some twenty for 100.
    """
    _enough(blocks)
    if blocks < 2 * as_size("min_size", min_size):
        return math.inf
    rank = math.ceil((1.0 - as_level(level)) * (DRAWS + 1)) - 1
    if rank >= DRAWS:
        return math.inf
    return max(float(law.values[rank]) for law in _laws(blocks, min_size))


def change_test(means: npt.ArrayLike, *, min_size: int = 2) -> PValue:
    """Test for any change of level: the p-value at which `null_penalty` would just find one.

    Parameters
    ----------
    means : array_like of float, shape (n,)
        Finite block means in order.
    min_size : int
        The least values of a segment, at least 1.

    Returns
    -------
    PValue
        The largest gain a change point in squared scales, and its p-value; undefined where no
        partition is possible (``TOO_FEW``) or successive values never differ (``NO_SPREAD``).
    """
    found = as_numbers("means", means)
    blocks = len(found)
    if blocks < max(2, 2 * min_size):
        return _no_p(blocks, Undefined.TOO_FEW)
    scale = float(difference_scale(found))
    if not _varies(found, scale):
        return _no_p(blocks, Undefined.NO_SPREAD)
    gain = float(largest_gain(found[None, :] / scale, min_size)[0])
    p = largest_p(_laws(blocks, min_size), gain)
    return PValue(gain, p, Alternative.TWO_SIDED, _METHOD, blocks)


def _varies(values: FloatArray, scale: float) -> bool:
    """Return whether values differ by more than rounding."""
    return scale > 1e-12 * float(np.abs(values).max())


def _enough(blocks: int) -> None:
    if as_size("blocks", blocks) < 2:
        raise ValueError(f"blocks must be at least 2, found {blocks}")


def _no_p(blocks: int, reason: Undefined) -> PValue:
    return PValue(math.nan, math.nan, Alternative.TWO_SIDED, _METHOD, blocks, reason)

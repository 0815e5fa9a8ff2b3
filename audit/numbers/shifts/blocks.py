"""Blocks of rounds and their means.

Everything is tested on means of blocks: what depends within a block then needs no model, and
policies change at no other place than between two blocks.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from audit.numbers._check import FloatArray, IntArray, as_numbers, as_size, same_length

__all__ = ["Blocks", "block_means", "blocks_of"]


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """Means of rounds by block, in order.

    Attributes
    ----------
    means : ndarray of float64, shape (blocks,)
        In the unit of the rounds.
    sizes : ndarray of int64, shape (blocks,)
        Rounds of each, at least 1.
    starts : ndarray of int64, shape (blocks,)
        Position of the first round of each among the rounds given.
    empty : int
        Labels between the first and the last of which there is no round.
    """

    means: FloatArray
    sizes: IntArray
    starts: IntArray
    empty: int

    def __len__(self) -> int:
        """Return how many blocks have a round."""
        return len(self.means)


def blocks_of(rounds: int, size: int) -> IntArray:
    """Return the block of every round, counted from 0, where each is so many rounds long.

    Parameters
    ----------
    rounds : int
    size : int
        Rounds a block, at least 1.

    Returns
    -------
    ndarray of int64, shape (rounds,)
        A last part shorter than half a block belongs to the block before it.
    """
    if as_size("size", size) == 0:
        raise ValueError("size must be at least 1, found 0")
    labels = np.arange(as_size("rounds", rounds), dtype=np.int64) // size
    left = rounds % size
    if rounds > size and 0 < 2 * left < size:
        labels[-left:] -= 1
    return labels


def block_means(values: npt.ArrayLike, blocks: npt.ArrayLike) -> Blocks:
    """Return the means of a series by block.

    Parameters
    ----------
    values : array_like of float, shape (rounds,)
        Finite; void rounds are left out, and counted, by the caller.
    blocks : array_like of int, shape (rounds,)
        The block of every round, at least 0 and never falling.

    Returns
    -------
    Blocks

    Raises
    ------
    ValueError
        If a value is not finite, lengths differ, or labels fall or are no whole numbers.
    """
    found, labels = as_numbers("values", values), np.asarray(blocks)
    same_length(values=found, blocks=labels)
    if labels.size and labels.dtype.kind not in "iu":
        raise ValueError(f"blocks must hold whole numbers, found dtype {labels.dtype}")
    falls = np.flatnonzero(np.diff(labels.astype(np.int64)) < 0)
    if falls.size:
        place = int(falls[0])
        raise ValueError(f"blocks must not fall, found {labels[place + 1]} after {labels[place]}")
    if not labels.size:
        none = np.zeros(0, dtype=np.int64)
        return Blocks(np.zeros(0), none, none, 0)
    distinct, starts, sizes = np.unique(labels, return_index=True, return_counts=True)
    sums = np.add.reduceat(found, starts)
    span = int(distinct[-1]) - int(distinct[0]) + 1
    return Blocks(sums / sizes, sizes.astype(np.int64), starts.astype(np.int64), span - len(starts))

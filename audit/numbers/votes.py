"""Votes as an array: one row an item, one column a rater; and what has the most of them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ._check import FloatArray, IntArray

__all__ = ["ABSENT", "TIE", "as_votes", "leading", "one_an_item"]

ABSENT = -1
"""In place of a vote that was not given."""

TIE = 1e-9
"""Scores closer than this, in nats, are tied: floating point adds the same votes unalike."""


def as_votes(votes: npt.ArrayLike, classes: int) -> IntArray:
    """Return a table of votes, shape (items, columns), each `ABSENT` or a class in [0, k)."""
    found = np.asarray(votes)
    if found.ndim != 2 or 0 in found.shape:
        raise ValueError(f"votes must be a filled table, found shape {found.shape}")
    if found.dtype.kind not in "iu":
        raise ValueError(f"votes must hold whole numbers, found dtype {found.dtype}")
    wrong = found[(found < ABSENT) | (found >= classes)]
    if wrong.size:
        raise ValueError(f"votes must lie in [0, {classes}), or be {ABSENT}; found {wrong[0]}")
    return found.astype(np.int64)


def leading(scores: FloatArray, tie: float = TIE) -> IntArray:
    """Return the class with the highest score of each item, `ABSENT` where it is tied.

    Parameters
    ----------
    scores : ndarray of float64, shape (items, k)
    tie : float
        Scores no further apart than this are equal.

    Returns
    -------
    ndarray of int64, shape (items,)
    """
    ranked = np.sort(scores, axis=1)
    tied = ranked[:, -1] - ranked[:, -2] <= tie
    return np.where(tied, ABSENT, scores.argmax(axis=1)).astype(np.int64)


def one_an_item(
    name: str, values: npt.NDArray[np.generic], votes: IntArray
) -> npt.NDArray[np.generic]:
    """Return values of which there is one an item, as there must be."""
    if len(values) != len(votes):
        raise ValueError(f"{name} must be one an item, found {len(values)} for {len(votes)}")
    return values

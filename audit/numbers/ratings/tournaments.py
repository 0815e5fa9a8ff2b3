"""Ratings under every resample of whole tournaments.

T tournaments drawn T times with replacement give T^T sequences. Where ratings are carried from one
to the next the sequence matters, but sequences share their beginnings: a tree of prefixes needs
T + T^2 + … + T^T walks of a tournament (3,905 for five) where one path after the other needs T·T^T
(15,625). Where each tournament starts anew, the mean over tournaments hangs on how often each was
drawn and nothing else: T walks, and C(2T-1, T) multisets (126) with their probabilities.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement

import numpy as np
import numpy.typing as npt

from audit.numbers._check import FloatArray, IntArray, as_numbers
from audit.numbers._elo import SLOPE

from .lanes import BLOCK, Played, over_blocks, walk_lanes

__all__ = [
    "Statistic",
    "carried_law",
    "multisets",
    "reset_law",
    "tree_walks",
]

Statistic = Callable[[FloatArray], FloatArray]
"""Ratings of shape (2 * players, n) to values of shape (values, n), each column by itself."""


def tree_walks(tournaments: int) -> tuple[int, int]:
    """Return the walks of a tournament that all sequences need, by the tree and path by path."""
    t = tournaments
    return sum(t**depth for depth in range(1, t + 1)), t * t**t


def multisets(tournaments: int) -> tuple[IntArray, FloatArray]:
    """Return how often each tournament is drawn in every unordered resample, and its probability.

    Returns
    -------
    counts : ndarray of int64, shape (C(2T - 1, T), T)
    probability : ndarray of float64, shape (C(2T - 1, T),)
    """
    t = tournaments
    counts = np.array(
        [
            np.bincount(np.array(drawn, dtype=np.int64), minlength=t)
            for drawn in combinations_with_replacement(range(t), t)
        ],
        dtype=np.int64,
    ).reshape(-1, t)
    ways = [math.factorial(t) / math.prod(map(math.factorial, row)) for row in counts.tolist()]
    return counts, np.array(ways) / float(t**t)


def carried_law(
    tournaments: Sequence[Played],
    k: npt.ArrayLike,
    statistic: Statistic,
    *,
    threads: int = 1,
) -> FloatArray:
    """Return a statistic of the final ratings under every sequence of tournaments, carried on.

    Parameters
    ----------
    tournaments : sequence of Played
        The matches of each, in order; all of the same players.
    k : array_like of float, shape (lanes,)
        The step at weight 1, in rating points, at least 0.
    statistic : callable
        Ratings around a common start of 0, of shape (2 * players, n), to (values, n).
    threads : int
        Subtrees that are walked at a time; it decides no digit.

    Returns
    -------
    ndarray of float64, shape (values, T^T, lanes)
        Sequences in lexicographic order, each of probability T^-T.

    Raises
    ------
    ValueError
        If there is no tournament, or a step is not allowed.
    """
    pace = _pace(tournaments, k)
    t, lanes = len(tournaments), len(pace)
    rows = 2 * tournaments[0].players
    width = len(statistic(np.zeros((rows, 1))))
    found = np.empty((width, t**t, lanes))
    # What follows one beginning is worked out together: as much as some blocks hold, or one path.
    depth = next(d for d in range(t + 1) if t ** (t - d) * lanes <= BLOCK or d == t)
    each = t ** (t - depth)

    def subtree(first: int) -> None:
        state = np.zeros((rows, lanes))
        for power in reversed(range(t - depth, t)):
            walk_lanes(state, pace, tournaments[first * each // t**power % t])
        many = _grown(state[:, None, :], pace, tournaments, t - depth)
        values = statistic(np.ascontiguousarray(many.reshape(rows, -1)) / SLOPE)
        found[:, first * each : (first + 1) * each] = values.reshape(width, each, lanes)

    over_blocks(subtree, range(t**depth), threads)
    return found


def _grown(
    states: FloatArray, pace: FloatArray, tournaments: Sequence[Played], depth: int
) -> FloatArray:
    """Return the states that every sequence of so many more tournaments leads to.

    States have shape (2 * players, sequences, lanes).
    """
    for _ in range(depth):
        rows, sequences, lanes = states.shape
        wide = np.tile(pace, sequences)
        grown = np.empty((rows, sequences, len(tournaments), lanes))
        for number, played in enumerate(tournaments):
            branch = states.reshape(rows, -1).copy()
            walk_lanes(branch, wide, played)
            grown[:, :, number] = branch.reshape(rows, sequences, lanes)
        states = grown.reshape(rows, -1, lanes)
    return states


def reset_law(
    tournaments: Sequence[Played], k: npt.ArrayLike, statistic: Statistic
) -> tuple[FloatArray, FloatArray]:
    """Return a statistic of ratings averaged over resampled tournaments that each start anew.

    Parameters
    ----------
    tournaments, k, statistic
        As for `carried_law`.

    Returns
    -------
    values : ndarray of float64, shape (values, C(2T - 1, T), lanes)
    probability : ndarray of float64, shape (C(2T - 1, T),)

    Raises
    ------
    ValueError
        As `carried_law`.
    """
    pace = _pace(tournaments, k)
    rows = 2 * tournaments[0].players
    ends = np.zeros((len(tournaments), rows, len(pace)))
    for end, played in zip(ends, tournaments, strict=True):
        walk_lanes(end, pace, played)
    counts, probability = multisets(len(tournaments))
    means = np.einsum("mt,trl->rml", counts / len(tournaments), ends) / SLOPE
    values = statistic(np.ascontiguousarray(means.reshape(rows, -1)))
    return values.reshape(len(values), len(counts), len(pace)), probability


def _pace(tournaments: Sequence[Played], k: npt.ArrayLike) -> FloatArray:
    if not tournaments:
        raise ValueError("tournaments must hold at least one")
    if len({played.players for played in tournaments}) > 1:
        raise ValueError("tournaments must all be of the same players")
    pace = as_numbers("k", k)
    if (pace < 0.0).any():
        raise ValueError(f"k must not be negative, found {pace[pace < 0.0][0]}")
    return np.asarray(pace * SLOPE, dtype=np.float64)

"""Ratings by other estimators than Elo over every resample of whole tournaments.

What is fitted to all matches at once sees how often each tournament was drawn and nothing else:
C(2T - 1, T) multisets with multinomial weights, 126 for five tournaments where there are 3,125
sequences. So does the mean of ratings that start anew. What is believed after one tournament and
carried into the next hangs on the sequence, and a tree of their beginnings is walked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from audit.numbers._check import FloatArray, IntArray
from audit.numbers.rating import Carry
from audit.numbers.ratings.tournaments import multisets

from .law import Engine
from .rated import Rated, checked_resamples

__all__ = ["anew", "carried_on", "fitted"]

Fit = Callable[[IntArray], FloatArray]
"""How often each tournament is drawn, shape (n, T), to ratings of shape (n, 2 * players)."""

Walk = Callable[[FloatArray, int], FloatArray]
"""What is believed, lanes along the last axis, and a tournament's number, to what is then."""


def fitted(tournaments: int, fit: Fit) -> Rated:
    """Return ratings without an order over every multiset of tournaments, in one lane.

    Parameters
    ----------
    tournaments : int
        At least two.
    fit : callable
        Fits many resamples side by side; NaN where a resample leaves ratings undefined.

    Raises
    ------
    ValueError
        If there are fewer than two tournaments, or too many resamples.
    """
    checked_resamples(tournaments, Carry.RESET)
    counts, probability = multisets(tournaments)
    others = 1 - np.eye(tournaments, dtype=np.int64)
    ratings = fit(np.concatenate([counts, others]))
    all_once = int(np.flatnonzero((counts == 1).all(axis=1))[0])
    return _in_one_lane(
        ratings[: len(counts)].T,
        probability,
        ratings[all_once],
        ratings[len(counts) :],
        Engine.ENUMERATED,
    )


def anew(ends: FloatArray) -> Rated:
    """Return the mean of ratings that start anew in each tournament, over every multiset of them.

    Parameters
    ----------
    ends : ndarray of float64, shape (T, 2 * players)
        After each tournament by itself.

    Raises
    ------
    ValueError
        As `fitted`.
    """
    return fitted(len(ends), lambda counts: counts @ ends / counts.sum(axis=1, keepdims=True))


def carried_on(
    tournaments: int, begin: FloatArray, walk: Walk, read: Callable[[FloatArray], FloatArray]
) -> Rated:
    """Return ratings carried from one tournament to the next, over every sequence of them.

    Parameters
    ----------
    tournaments : int
        At least two.
    begin : ndarray of float64, shape (..., 1)
        What is believed before any match.
    walk : callable
        One tournament.
    read : callable
        What is believed to ratings of shape (2 * players, lanes).

    Raises
    ------
    ValueError
        As `fitted`.
    """
    size = tournaments
    checked_resamples(size, Carry.CARRIED)
    states, before = begin, begin
    for _ in range(size):
        before = states
        ends = [walk(states, number) for number in range(size)]
        states = np.stack(ends, axis=-1).reshape(*begin.shape[:-1], -1)
    ratings = read(states)
    others = [[n for n in range(size) if n != without] for without in range(size)]
    shorter = read(before)[:, [_place(other, size) for other in others]]
    whole = ratings[:, _place(range(size), size)]
    return _in_one_lane(ratings, None, whole, shorter.T, Engine.SEQUENCES)


def _place(sequence: Sequence[int], size: int) -> int:
    """Return where a sequence stands among all of its length, in lexicographic order."""
    place = 0
    for number in sequence:
        place = place * size + number
    return place


def _in_one_lane(
    ratings: FloatArray,
    probability: FloatArray | None,
    whole: FloatArray,
    left_out: FloatArray,
    engine: Engine,
) -> Rated:
    return Rated(
        np.ascontiguousarray(ratings)[:, :, None],
        probability,
        whole[:, None],
        (left_out[:, :, None],),
        engine,
    )

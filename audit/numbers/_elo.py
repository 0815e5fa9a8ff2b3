"""The walk of Elo over a list of matches, on one flat vector of ratings.

Two roles are two halves of that vector: Holder j stands at ``players + j``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from ._check import FloatArray, IntArray, as_index, as_numbers, same_length

__all__ = [
    "SLOPE",
    "Matches",
    "Start",
    "as_matches",
    "as_pair",
    "as_start",
    "as_step",
    "play",
    "play_orders",
]

SLOPE = math.log(10.0) / 400.0
"""400 points are odds of ten to one."""

Start = float | tuple[npt.ArrayLike, npt.ArrayLike]
"""One first rating for everyone, or those of the Seekers and those of the Holders."""


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """Who met whom, whether the first won, and what each match counts."""

    first: IntArray
    second: IntArray
    won: FloatArray
    weight: FloatArray


def as_matches(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    won: npt.ArrayLike,
    weight: npt.ArrayLike,
    players: int,
    *,
    shift: int,
) -> Matches:
    """Return matches with every index, outcome and weight checked, the second's index shifted."""
    one, other = as_index("first", first, players), as_index("second", second, players)
    outcome, worth = as_numbers("won", won), as_numbers("weight", weight)
    same_length(first=one, second=other, won=outcome, weight=worth)
    strange = outcome[(outcome < 0.0) | (outcome > 1.0)]
    if strange.size:
        raise ValueError(f"won must lie in [0, 1] (void matches are left out), found {strange[0]}")
    if (worth < 0.0).any():
        raise ValueError(f"weight must not be negative, found {worth[worth < 0.0][0]}")
    return Matches(one, other + shift, outcome, worth)


def as_step(k: npt.ArrayLike) -> FloatArray:
    """Return a step size, or several, finite and not negative."""
    steps = np.asarray(k, dtype=np.float64)
    if not (np.isfinite(steps) & (steps >= 0.0)).all():
        raise ValueError(f"k must be finite and not negative, found {k!r}")
    return steps


def as_start(start: npt.ArrayLike, players: int) -> FloatArray:
    """Return first ratings of shape (players,), from one rating for all or one for each."""
    found = np.asarray(start, dtype=np.float64)
    if found.shape not in {(), (players,)} or not np.isfinite(found).all():
        raise ValueError(
            f"start must be one finite rating or one for each of {players}, found {start!r}"
        )
    return np.array(np.broadcast_to(found, (players,)))


def as_pair(start: Start, players: int) -> FloatArray:
    """Return first ratings of both roles, of shape (2 * players,), the Seekers first."""
    if isinstance(start, tuple):
        parts: tuple[npt.ArrayLike, ...] = start
    else:
        # A list of two could be the two roles or two players, so that only a tuple is a pair.
        parts = (start, start) if np.ndim(start) == 0 else ()
    if len(parts) != 2:
        raise ValueError("start must be one rating, or a tuple of the Seekers' and the Holders'")
    return np.concatenate([as_start(part, players) for part in parts])


def play(matches: Matches, ratings: FloatArray, k: float, rows: IntArray) -> FloatArray:
    """Update ratings in place over some matches; return what stood before and moved at each.

    The columns are: expected win of the first, step, first's rating before, second's rating before.
    """
    # Plain floats: numpy's scalar indexing costs four times as much as a list.
    table, track = ratings.tolist(), []
    one, other = matches.first.tolist(), matches.second.tolist()
    won, pace = matches.won.tolist(), (k * matches.weight).tolist()
    for row in rows.tolist():
        i, j = one[row], other[row]
        before, against = table[i], table[j]
        expected = _chance(before - against)
        step = pace[row] * (won[row] - expected)
        table[i], table[j] = before + step, against - step
        track.append((expected, step, before, against))
    ratings[:] = table
    return np.array(track, dtype=np.float64).reshape(-1, 4)


def play_orders(
    matches: Matches, ratings: FloatArray, pace: FloatArray, orders: IntArray
) -> FloatArray:
    """Update ratings of shape (orders, players) in place, every order of matches side by side."""
    every = np.arange(len(orders))
    for rows in orders.T:
        i, j = matches.first[rows], matches.second[rows]
        expected = expit((ratings[every, i] - ratings[every, j]) * SLOPE)
        step = pace[every, rows] * (matches.won[rows] - expected)
        ratings[every, i] += step
        ratings[every, j] -= step
    return ratings


def _chance(gap: float) -> float:
    # The exponent is never positive, so that no gap, however wide, overflows.
    small = math.exp(-abs(gap) * SLOPE)
    return (1.0 if gap >= 0.0 else small) / (1.0 + small)

"""Dual-Elo in many lanes at once: one list of matches, thousands of ratings side by side.

A lane is one reading of the matches (a step size, a start) or one state that earlier matches left.
All lanes of a call see the same outcomes and weights, so that each match is a handful of vector
operations on two rows; readings that differ in outcomes or weights are calls of their own.

Ratings are kept in natural units, ``rating · ln 10 / 400``, in which the expected win of a gap d is
1/(1 + exp(-d)): it saves one pass an update. With s = 1 the step is pace/(1 + exp(d)), with s = 0
it is -pace/(1 + exp(-d)): one exponential and one division either way, and nothing cancels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from audit.numbers._check import FloatArray, IntArray, as_index, as_numbers, as_size, same_length
from audit.numbers._elo import SLOPE

__all__ = ["BLOCK", "Played", "over_blocks", "rated_lanes", "walk_lanes"]

BLOCK = 65_536
"""Lanes that are walked together: a dozen rows of them stay in a shared cache, and an operation on
one row takes long enough for another thread to be worth its switch (by `benchmarks.ratings`, 8,192
lanes gain nothing from a second thread)."""


@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """Matches in the order in which they are rated, under one reading of outcomes and weights.

    Attributes
    ----------
    seeker, holder : ndarray of int64, shape (matches,)
        The players, in [0, players).
    score : ndarray of float64, shape (matches,)
        What the Seeker scored, in [0, 1]: 1 won, 0 lost, 0.5 a tie.
    weight : ndarray of float64, shape (matches,)
        What each match counts, at least 0.
    players : int
    """

    seeker: IntArray
    holder: IntArray
    score: FloatArray
    weight: FloatArray
    players: int

    @classmethod
    def of(
        cls,
        seeker: npt.ArrayLike,
        holder: npt.ArrayLike,
        score: npt.ArrayLike,
        weight: npt.ArrayLike,
        players: int,
    ) -> Self:
        """Return matches with every index, score and weight checked.

        Raises
        ------
        ValueError
            If lengths differ, or an index, a score or a weight is out of range.
        """
        players = as_size("players", players)
        one, other = as_index("seeker", seeker, players), as_index("holder", holder, players)
        got, worth = as_numbers("score", score), as_numbers("weight", weight)
        same_length(seeker=one, holder=other, score=got, weight=worth)
        if ((got < 0.0) | (got > 1.0)).any():
            raise ValueError(f"score must lie in [0, 1], found {got[(got < 0) | (got > 1)][0]}")
        if (worth < 0.0).any():
            raise ValueError(f"weight must not be negative, found {worth[worth < 0.0][0]}")
        return cls(one, other, got, worth, players)

    def __len__(self) -> int:
        return len(self.score)

    def only(self, rows: IntArray) -> Played:
        """Return some of the matches, in the order of ``rows``."""
        return Played(
            self.seeker[rows], self.holder[rows], self.score[rows], self.weight[rows], self.players
        )


def walk_lanes(ratings: FloatArray, pace: FloatArray, played: Played) -> None:
    """Update ratings in place over all matches, every lane by itself.

    Parameters
    ----------
    ratings : ndarray of float64, shape (2 * players, lanes)
        In natural units, the Seekers' rows first; rows should be contiguous.
    pace : ndarray of float64, shape (lanes,)
        The step at weight 1, in natural units.
    played : Played
    """
    own, step = np.empty_like(pace), np.empty_like(pace)
    rows = (played.seeker.tolist(), (played.holder + played.players).tolist())
    # A gap of more than 700 overflows to infinity, and the step is then 0, as it should be.
    with np.errstate(over="ignore"):
        for i, j, score, weight in zip(
            *rows, played.score.tolist(), played.weight.tolist(), strict=True
        ):
            seeker, holder = ratings[i], ratings[j]
            np.multiply(pace, weight, out=own)
            if score == 1.0:
                _gain(seeker, holder, own, step)
                seeker += step
                holder -= step
            elif score == 0.0:
                _gain(holder, seeker, own, step)
                seeker -= step
                holder += step
            else:
                _shared(seeker, holder, score, own, step)


def _gain(winner: FloatArray, loser: FloatArray, own: FloatArray, step: FloatArray) -> None:
    """Put what the winner gains into ``step``."""
    np.subtract(winner, loser, out=step)
    np.exp(step, out=step)
    step += 1.0
    np.divide(own, step, out=step)


def _shared(
    seeker: FloatArray, holder: FloatArray, score: float, own: FloatArray, step: FloatArray
) -> None:
    """Move both ratings after a match that neither won."""
    np.subtract(holder, seeker, out=step)
    np.exp(step, out=step)
    step += 1.0
    np.divide(1.0, step, out=step)  # the expected win of the Seeker
    np.subtract(score, step, out=step)
    step *= own
    seeker += step
    holder -= step


def rated_lanes(
    played: Played, k: npt.ArrayLike, start: npt.ArrayLike, *, threads: int = 1
) -> FloatArray:
    """Return the final ratings of every lane.

    Parameters
    ----------
    played : Played
    k : array_like of float, shape (lanes,)
        The step at weight 1, in rating points, at least 0.
    start : float or array_like of float, shape (lanes,)
        The first rating of everyone in a lane.
    threads : int
        Blocks of lanes that are walked at a time, at least 1; it decides no digit.

    Returns
    -------
    ndarray of float64, shape (2 * players, lanes)
        C of every player, then V, in rating points.

    Raises
    ------
    ValueError
        If a step or a start is not allowed, or threads is below 1.
    """
    pace, first = as_numbers("k", k), np.asarray(start, dtype=np.float64)
    if (pace < 0.0).any():
        raise ValueError(f"k must not be negative, found {pace[pace < 0.0][0]}")
    if first.shape not in {(), pace.shape} or not np.isfinite(first).all():
        raise ValueError(f"start must be one finite rating or one a lane, found {start!r}")
    if threads < 1:
        raise ValueError(f"threads must be at least 1, found {threads}")
    found = np.empty((2 * played.players, len(pace)))

    def block(low: int) -> None:
        lanes = slice(low, low + BLOCK)
        # Differences from the start: everyone begins alike, and small numbers keep their digits.
        part = np.zeros((2 * played.players, len(pace[lanes])))
        walk_lanes(part, pace[lanes] * SLOPE, played)
        found[:, lanes] = part / SLOPE

    over_blocks(block, range(0, len(pace), BLOCK), threads)
    return np.asarray(found + first, dtype=np.float64)


def over_blocks(work: Callable[[int], None], blocks: Iterable[int], threads: int) -> None:
    """Do the work of every block, so many at a time; numpy lets go of the interpreter meanwhile."""
    if threads == 1:
        for block in blocks:
            work(block)
        return
    with ThreadPoolExecutor(threads) as pool:
        for done in [pool.submit(work, block) for block in blocks]:
            done.result()

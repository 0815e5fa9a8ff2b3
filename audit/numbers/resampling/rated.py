"""Ratings over every resample of whole tournaments.

One experiment: every sequence of its tournaments where ratings are carried on, every multiset where
each starts anew. The mean of two experiments: every pair of multisets; of sequences there are too
many pairs, so that they are drawn.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from audit.numbers._check import FloatArray, IntArray
from audit.numbers._elo import SLOPE
from audit.numbers.rating import Carry
from audit.numbers.ratings.lanes import Played, walk_lanes
from audit.numbers.ratings.tournaments import carried_law, multisets, reset_law

from .law import Engine

__all__ = [
    "ATOMS",
    "PAIRS",
    "Rated",
    "carried",
    "checked_resamples",
    "mean_of",
    "resamples",
    "reset",
]

ATOMS = 50_000
"""Sequences, or multisets, of one experiment: those of six tournaments carried, of nine anew."""

PAIRS = 4_000
"""Pairs of sequences that are drawn for the mean of two experiments."""

_LISTED_PAIRS = 100_000


@dataclass(frozen=True, slots=True, eq=False)
class Rated:
    """Ratings over resamples of tournaments, many steps side by side.

    Attributes
    ----------
    ratings : ndarray of float64, shape (2 * players, n, lanes)
        C of every player, then V, around 0.
    probability : ndarray of float64, shape (n,) or None
        None if each resample has 1/n.
    whole : ndarray of float64, shape (2 * players, lanes)
        Of the tournaments as they were.
    left_out : tuple of ndarray of float64, shape (T, 2 * players, lanes)
        For each experiment, the ratings without one of its tournaments.
    engine : Engine
    parts : tuple of Rated
        The experiments of which this is the mean, where its pairs were drawn.
    """

    ratings: FloatArray
    probability: FloatArray | None
    whole: FloatArray
    left_out: tuple[FloatArray, ...]
    engine: Engine
    parts: tuple[Rated, ...] = ()

    @property
    def blocks(self) -> int:
        """The fewest tournaments of an experiment."""
        return min(len(each) for each in self.left_out)

    def only(self, lanes: Sequence[int]) -> Rated:
        """Return some of the steps."""
        at = np.asarray(lanes, dtype=np.int64)
        return Rated(
            self.ratings[:, :, at],
            self.probability,
            self.whole[:, at],
            tuple(each[:, :, at] for each in self.left_out),
            self.engine,
        )


def carried(tournaments: Sequence[Played], ks: FloatArray) -> Rated:
    """Return ratings carried from one tournament to the next, over every sequence of them.

    Parameters
    ----------
    tournaments : sequence of Played
        At least two, none empty.
    ks : ndarray of float64, shape (lanes,)
        The step at weight 1, in rating points.

    Raises
    ------
    ValueError
        If there are more sequences than `ATOMS`, or fewer than two tournaments.
    """
    size = len(tournaments)
    checked_resamples(size, Carry.CARRIED)
    ratings = carried_law(tournaments, ks, lambda found: found)
    in_order = sum(place * size ** (size - 1 - place) for place in range(size))
    left_out = _without_one(tournaments, ks)
    return Rated(ratings, None, ratings[:, in_order], (left_out,), Engine.SEQUENCES)


def reset(tournaments: Sequence[Played], ks: FloatArray) -> Rated:
    """Return the mean of ratings that start anew in each tournament, over every multiset of them.

    Parameters and errors are those of `carried`.
    """
    size = len(tournaments)
    checked_resamples(size, Carry.RESET)
    ratings, probability = reset_law(tournaments, ks, lambda found: found)
    counts, _ = multisets(size)
    ends = ratings[:, counts.argmax(axis=0)].swapaxes(0, 1)  # all draws of one tournament
    whole = ends.mean(axis=0)
    left_out = (size * whole - ends) / (size - 1.0)
    return Rated(ratings, probability, whole, (left_out,), Engine.ENUMERATED)


def resamples(tournaments: int, carry: Carry) -> int:
    """Return how many resamples so many tournaments have: sequences if carried, else multisets."""
    if carry is Carry.CARRIED:
        return int(tournaments**tournaments)
    return math.comb(2 * tournaments - 1, tournaments)


def checked_resamples(size: int, carry: Carry) -> None:
    """Raise if so many tournaments cannot be resampled whole, or have too many resamples.

    Raises
    ------
    ValueError
        If so.
    """
    atoms = resamples(size, carry)
    if size < 2:
        raise ValueError(f"needs at least two tournaments, found {size}")
    if atoms > ATOMS:
        raise ValueError(f"{size} tournaments have {atoms} resamples, more than {ATOMS}")


def _without_one(tournaments: Sequence[Played], ks: FloatArray) -> FloatArray:
    """Return carried ratings without each tournament, shape (T, 2 * players, lanes)."""
    size, lanes = len(tournaments), len(ks)
    state = np.zeros((2 * tournaments[0].players, size, lanes))
    pace = np.tile(ks * SLOPE, size - 1)
    for place, played in enumerate(tournaments):
        others = np.delete(np.arange(size), place)
        part = np.ascontiguousarray(state[:, others].reshape(len(state), -1))
        walk_lanes(part, pace, played)
        state[:, others] = part.reshape(len(state), size - 1, lanes)
    return np.asarray(state.swapaxes(0, 1) / SLOPE, dtype=np.float64)


def mean_of(first: Rated, second: Rated, rng: np.random.Generator) -> Rated:
    """Return the mean ratings of two experiments that are resampled independently.

    All pairs of resamples if there are at most 100,000, else `PAIRS` drawn.

    Parameters
    ----------
    first, second : Rated
        Of the same steps.
    rng : numpy.random.Generator
        Used only where pairs are drawn.
    """
    sizes = first.ratings.shape[1], second.ratings.shape[1]
    listed = math.prod(sizes) <= _LISTED_PAIRS
    if listed:
        one, other = (each.ravel() for each in np.indices(sizes))
        weights = [
            np.full(size, 1.0 / size) if each.probability is None else each.probability
            for size, each in zip(sizes, (first, second), strict=True)
        ]
        probability = np.outer(*weights).ravel()
    else:
        one, other = _pairs(first, PAIRS, rng), _pairs(second, PAIRS, rng)
        probability = None
    return Rated(
        (first.ratings[:, one] + second.ratings[:, other]) / 2.0,
        probability,
        (first.whole + second.whole) / 2.0,
        tuple((each + second.whole) / 2.0 for each in first.left_out)
        + tuple((first.whole + each) / 2.0 for each in second.left_out),
        first.engine if listed else Engine.MONTE_CARLO,
        () if listed else (first, second),
    )


def _pairs(part: Rated, draws: int, rng: np.random.Generator) -> IntArray:
    drawn = rng.choice(part.ratings.shape[1], size=draws, p=part.probability)
    return drawn.astype(np.int64)

"""Whether players can be put in one order at all: cycles of who beats whom.

Player i beats player j who won more of the matches between the two, whichever role each had. Of
three players who all beat one another there are two kinds: those in line and those in a circle. How
many circles chance alone would make depends on the schedule; the law taken here exchanges outcomes
among the matches of a tournament, so that who met whom, and how many Seekers won in each, stay.

Fewer circles than under that law speak for an order; more, for circles that are real.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from audit.numbers._check import FloatArray, IntArray, as_size

from .lanes import Played
from .table import together

__all__ = ["ARRANGEMENTS", "CycleLaw", "Cycles", "count_cycles", "cycle_law"]

ARRANGEMENTS = 50_000
"""The most arrangements of outcomes that are enumerated."""
_BLOCK = 4_096


@dataclass(frozen=True, slots=True)
class Cycles:
    """Threes of players by kind.

    Attributes
    ----------
    circles, lines : int
        Threes who all beat one another, in a circle or in line.
    open : int
        Threes of whom two are even, or never met.
    """

    circles: int
    lines: int
    open: int


@dataclass(frozen=True, slots=True)
class CycleLaw:
    """The number of circles beside its law when outcomes are exchanged within tournaments.

    Attributes
    ----------
    cycles : Cycles
        As played.
    mean : float
        The number of circles that the law expects.
    at_most, at_least : float
        Probability of as few, or as many, circles as were found. By Monte Carlo the arrangement
        found counts as one draw, so that neither is ever 0.
    error : float
        Monte Carlo standard error of the larger-variance one of both; 0 where enumerated.
    arrangements : int
        How many were looked at.
    enumerated : bool
    """

    cycles: Cycles
    mean: float
    at_most: float
    at_least: float
    error: float
    arrangements: int
    enumerated: bool


def count_cycles(played: Played) -> Cycles:
    """Return how many threes of players are circles, lines, or open.

    Parameters
    ----------
    played : Played
        A tie is half a win of each; weights do not enter.

    References
    ----------
    Kendall and Babington Smith, doi:10.1093/biomet/31.3-4.324.
    """
    beats = _beats(played, played.score[None])[0]
    decided = beats | beats.T
    whole = [
        trio
        for trio in combinations(range(played.players), 3)
        if all(decided[i, j] for i, j in combinations(trio, 2))
    ]
    circles = int(_circles(beats[None])[0])
    every = math.comb(played.players, 3)
    return Cycles(circles, len(whole) - circles, every - len(whole))


def cycle_law(tournaments: Sequence[Played], *, draws: int, rng: np.random.Generator) -> CycleLaw:
    """Return the number of circles beside its permutation law.

    Parameters
    ----------
    tournaments : sequence of Played
    draws : int
        How many arrangements to draw where there are more than `ARRANGEMENTS`.
    rng : numpy.random.Generator

    Raises
    ------
    ValueError
        If there is no tournament, their players differ, or there is no draw.

    References
    ----------
    The draw that counts itself: Phipson and Smyth, doi:10.2202/1544-6115.1585.
    """
    whole = together(tournaments)
    if as_size("draws", draws) < 1:
        raise ValueError(f"draws must be at least 1, found {draws}")
    cycles = count_cycles(whole)
    scores = _every(tournaments)
    enumerated = scores is not None
    if scores is None:
        scores = np.concatenate(
            [rng.permuted(np.tile(each.score, (draws, 1)), axis=1) for each in tournaments], axis=1
        )
    found = np.concatenate(
        [_circles(_beats(whole, scores[at : at + _BLOCK])) for at in range(0, len(scores), _BLOCK)]
    )
    own = 0 if enumerated else 1
    total = len(found) + own
    few = (int((found <= cycles.circles).sum()) + own) / total
    many = (int((found >= cycles.circles).sum()) + own) / total
    error = 0.0 if enumerated else math.sqrt(max(few * (1 - few), many * (1 - many)) / total)
    return CycleLaw(cycles, float(found.mean()), few, many, error, len(found), enumerated)


def _every(tournaments: Sequence[Played]) -> FloatArray | None:
    """Return all arrangements of wins within tournaments, all equally likely, if they are few."""
    if any(not np.isin(each.score, (0.0, 1.0)).all() for each in tournaments):
        return None
    sizes = [(len(each), int(each.score.sum())) for each in tournaments]
    if math.prod(math.comb(size, wins) for size, wins in sizes) > ARRANGEMENTS:
        return None
    parts = [
        [np.isin(np.arange(size), won).astype(np.float64) for won in combinations(range(size), w)]
        for size, w in sizes
    ]
    return np.array([np.concatenate(chosen) for chosen in product(*parts)])


def _beats(played: Played, scores: FloatArray) -> IntArray:
    """Return whether i won more than half of what i and j played, shape (rows, p, p)."""
    p, rows = played.players, len(scores)
    cell = (played.seeker * p + played.holder + (np.arange(rows) * p * p)[:, None]).ravel()
    ahead = np.bincount(cell, weights=2.0 * scores.ravel() - 1.0, minlength=rows * p * p)
    table = ahead.reshape(rows, p, p)
    return np.asarray(table - table.swapaxes(1, 2) > 0.0)


def _circles(beats: IntArray) -> IntArray:
    """Return the circles of each graph: closed ways of three steps, each seen from three starts."""
    step = beats.astype(np.float64)
    closed = np.einsum("rij,rji->r", step @ step, step)
    return np.asarray(np.rint(closed / 3.0), dtype=np.int64)

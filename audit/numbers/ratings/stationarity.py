"""Whether tournaments look like draws of one and the same thing.

Ratings without an order, and resamples of tournaments, take strengths as fixed. Two things would
speak against it: the share of wins differs between tournaments, or ratings move. The trend of an
entrant is the slope of Firth's ratings, fitted to each tournament by itself, over the number of the
tournament. Its law exchanges outcomes between tournaments among the matches of one ordered pair:
who met whom when stays, and so does what each pair did to each other in all.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from audit.numbers._check import FloatArray, IntArray, as_size
from audit.numbers.estimate import PValue, Undefined
from audit.numbers.homogeneity import enumerated_homogeneity, homogeneity, trend

from .bradley_terry import bradley_terry_lanes
from .lanes import Played
from .table import together

__all__ = ["RatingTrend", "Shares", "rating_trend", "win_shares"]


@dataclass(frozen=True, slots=True, eq=False)
class Shares:
    """The Seekers' wins by tournament, and whether their share is one.

    Attributes
    ----------
    wins, matches : ndarray of int64, shape (tournaments with a match,)
        Ties are left out of both.
    homogeneous, enumerated, trend : PValue
        Pearson's chi-square by its asymptotic law and by all tables of the same margins, and
        Cochran and Armitage's trend; all undefined without two tournaments.
    """

    wins: IntArray
    matches: IntArray
    homogeneous: PValue
    enumerated: PValue
    trend: PValue


@dataclass(frozen=True, slots=True, eq=False)
class RatingTrend:
    """How ratings move from tournament to tournament.

    Attributes
    ----------
    slope : ndarray of float64, shape (2 * players,)
        Rating points a tournament, Seekers first, around a mean of 0; NaN where undefined.
    size : float
        Root mean square of the slopes.
    expected : float
        The same, on average, of tournaments that are exchangeable.
    p : float
        Probability of a size at least as large; the outcomes found count as one draw.
    error : float
        Monte Carlo standard error of p.
    draws : int
        Arrangements drawn.
    reason : Undefined or None
        Why there is nothing: fewer than two tournaments (``TOO_FEW``), or some tournament in which
        not all entrants met (``NO_OVERLAP``).
    """

    slope: FloatArray
    size: float
    expected: float
    p: float
    error: float
    draws: int
    reason: Undefined | None = None


def win_shares(tournaments: Sequence[Played]) -> Shares:
    """Return whether Seekers won the same share in every tournament.

    Parameters
    ----------
    tournaments : sequence of Played

    Raises
    ------
    ValueError
        If no tournament has a match that was won or lost.
    """
    decided = [each.score[np.isin(each.score, (0.0, 1.0))] for each in tournaments]
    decided = [each for each in decided if len(each)]
    if not decided:
        raise ValueError("tournaments must hold a match that was won or lost")
    wins = np.array([int(each.sum()) for each in decided])
    matches = np.array([len(each) for each in decided])
    return Shares(
        wins,
        matches,
        homogeneity(wins, matches),
        enumerated_homogeneity(wins, matches),
        trend(wins, matches),
    )


def rating_trend(
    tournaments: Sequence[Played], *, draws: int, rng: np.random.Generator
) -> RatingTrend:
    """Return the trend of ratings over tournaments beside its permutation law.

    Parameters
    ----------
    tournaments : sequence of Played
        In order; those without a match are left out.
    draws : int
        Arrangements to draw, at least 1.
    rng : numpy.random.Generator

    Raises
    ------
    ValueError
        If there is no tournament, their players differ, or there is no draw.
    """
    whole = together(tournaments)
    if as_size("draws", draws) < 1:
        raise ValueError(f"draws must be at least 1, found {draws}")
    sizes = [len(each) for each in tournaments if len(each)]
    if len(sizes) < 2:
        return _without(whole, Undefined.TOO_FEW)
    number = np.repeat(np.arange(len(sizes)), sizes)
    slopes = _slopes(whole, number, np.vstack([whole.score, _exchanged(whole, draws, rng)]))
    if np.isnan(slopes).any():
        return _without(whole, Undefined.NO_OVERLAP)
    size = np.sqrt((slopes**2).mean(axis=1))
    # Arrangements with the same outcomes may differ by rounding.
    larger = int((size[1:] >= size[0] * (1.0 - 1e-9)).sum())
    p = (larger + 1) / (draws + 1)
    error = math.sqrt(p * (1.0 - p) / (draws + 1))
    return RatingTrend(slopes[0], float(size[0]), float(size[1:].mean()), p, error, draws)


def _without(whole: Played, reason: Undefined) -> RatingTrend:
    nothing = np.full(2 * whole.players, np.nan)
    return RatingTrend(nothing, math.nan, math.nan, math.nan, math.nan, 0, reason)


def _exchanged(whole: Played, draws: int, rng: np.random.Generator) -> FloatArray:
    """Return outcomes exchanged among the matches of each ordered pair, shape (draws, matches)."""
    found = np.empty((draws, len(whole)))
    pair = whole.seeker * whole.players + whole.holder
    for one in np.unique(pair):
        rows = np.flatnonzero(pair == one)
        found[:, rows] = rng.permuted(np.tile(whole.score[rows], (draws, 1)), axis=1)
    return found


def _slopes(whole: Played, number: IntArray, scores: FloatArray) -> FloatArray:
    """Return the slope of every rating over tournaments, for every row of outcomes."""
    p, many, rows = whole.players, int(number[-1]) + 1, len(scores)
    cells = many * p * p
    cell = (number * p + whole.seeker) * p + whole.holder
    total = np.tile(np.bincount(cell, minlength=cells), rows)
    at = (cell + (np.arange(rows) * cells)[:, None]).ravel()
    wins = np.bincount(at, weights=scores.ravel(), minlength=rows * cells).astype(np.float64)
    shape = (rows * many, p, p)
    losses = (total - wins).reshape(shape)
    fitted = bradley_terry_lanes(wins.reshape(shape), losses, penalised=True)
    ratings = np.where(fitted.converged[:, None], fitted.ratings, np.nan)
    centred = np.arange(many) - (many - 1) / 2.0
    return np.asarray(
        np.einsum("t,rte->re", centred / (centred @ centred), ratings.reshape(rows, many, -1)),
        dtype=np.float64,
    )

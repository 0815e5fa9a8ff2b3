"""Davidson's model: Bradley–Terry in which a tie is an outcome of its own.

A Seeker wins, ties and loses in the proportions exp(d/2) : ν : exp(-d/2), where d is the log odds
of a win over a loss. ν is common to all and fitted with the strengths. Void matches never enter: a
tie is something that happened, a void match is nothing that is known.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from audit.numbers._check import FloatArray
from audit.numbers._elo import SLOPE

from .bradley_terry import LIMIT, bradley_terry
from .graph import Connection, WinGraph, win_graph
from .lanes import Played

__all__ = ["FittedTies", "davidson"]

TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class FittedTies:
    """Ratings of the entrants and how readily they tie.

    Attributes
    ----------
    ratings : ndarray of float64, shape (2 * players,)
        In rating points around a mean of 0; NaN where there is no finite maximum.
    tie : float
        ν: between equals a share ν/(2 + ν) of the matches is tied. 0 without ties, when the model
        is Bradley–Terry; NaN where there is no finite maximum.
    graph : WinGraph
        A tie is an arrow both ways.
    converged : bool
    trouble : str
        Why the ratings are not all finite and settled, in one line; blank if they are.
    """

    ratings: FloatArray
    tie: float
    graph: WinGraph
    converged: bool
    trouble: str


@dataclass(frozen=True, slots=True, eq=False)
class _Tables:
    """Counts of Seeker i against Holder j."""

    won: FloatArray
    tied: FloatArray
    lost: FloatArray


def davidson(played: Played, *, limit: int = LIMIT) -> FittedTies:
    """Fit ratings and the readiness to tie by maximum likelihood, every match counting 1.

    Parameters
    ----------
    played : Played
        Scores of 1, 0.5 (a tie) and 0.
    limit : int
        The most Newton steps.

    Raises
    ------
    ValueError
        If a score is none of these.

    Notes
    -----
    There is a finite maximum if and only if all entrants reach each other, a tie leading both
    ways, and some round trip from winners to losers has more wins than ties on it. Without one, of
    a pair with a win, a tie and no loss for instance, gaps and ν could grow together for ever.

    References
    ----------
    Davidson, doi:10.1080/01621459.1970.10481082.
    """
    counts = _counted(played)
    graph = win_graph(counts.won + counts.tied, counts.lost + counts.tied)
    nothing = np.full(2 * played.players, np.nan)
    if graph.connection is not Connection.CONNECTED:
        return FittedTies(nothing, math.nan, graph, False, graph.words)
    if not counts.tied.any():
        plain = bradley_terry(played, limit=limit)
        return FittedTies(plain.ratings, 0.0, graph, plain.converged, plain.trouble)
    if not _bounded(counts):
        words = "separated, no finite maximum: ties and gaps could grow together"
        return FittedTies(nothing, math.nan, graph, False, words)
    strengths, log_tie, converged = _climbed(counts, limit)
    trouble = "" if converged else f"not converged after {limit} steps"
    return FittedTies(strengths / SLOPE, math.exp(log_tie), graph, converged, trouble)


def _counted(played: Played) -> _Tables:
    strange = played.score[~np.isin(played.score, (0.0, 0.5, 1.0))]
    if strange.size:
        raise ValueError(f"score must be 0, 0.5 or 1, found {strange[0]}")
    p, cell = played.players, played.seeker * played.players + played.holder
    parts = (
        np.bincount(cell[played.score == score], minlength=p * p).reshape(p, p).astype(np.float64)
        for score in (1.0, 0.5, 0.0)
    )
    return _Tables(*parts)


def _bounded(counts: _Tables) -> bool:
    """Whether a round trip has more wins than ties: shortest ways, a win -1 and a tie +1."""
    players = len(counts.won)
    length = np.full((2 * players, 2 * players), np.inf)
    length[:players, players:] = np.where(counts.tied > 0, 1.0, np.inf)
    length[players:, :players] = length[:players, players:].T
    length[:players, players:][counts.won > 0] = -1.0
    length[players:, :players][counts.lost.T > 0] = -1.0
    np.fill_diagonal(length, 0.0)
    for middle in range(2 * players):
        length = np.minimum(length, length[:, middle, None] + length[None, middle])
        if (np.diagonal(length) < 0.0).any():
            return True
    return False


def _climbed(counts: _Tables, limit: int) -> tuple[FloatArray, float, bool]:
    """Return strengths around 0, the log of ν, and whether Newton's method settled.

    The likelihood is concave in both. A step is shortened as in `_newton`, where r is the largest
    change of the log odds of any two outcomes.
    """
    players = len(counts.won)
    strengths, log_tie = np.zeros(2 * players), 0.0
    for _ in range(limit):
        score, curvature = _slopes(counts, strengths, log_tie)
        step = np.linalg.solve(curvature, score)
        own, other, tie = step[:players], step[players:-1], float(step[-1])
        wide = max(float(own.max() - other.min()), float(other.max() - own.min()))
        most = max(wide, wide / 2.0 + abs(tie))
        part = math.log1p(most) / most if most > 0.0 else 1.0
        strengths, log_tie = strengths + part * step[:-1], log_tie + part * tie
        if most <= TOLERANCE:
            return strengths - strengths.mean(), log_tie, True
    return strengths - strengths.mean(), log_tie, False


def _slopes(
    counts: _Tables, strengths: FloatArray, log_tie: float
) -> tuple[FloatArray, FloatArray]:
    """Return the score and minus its slope, by strengths and the log of ν, gauge added."""
    players = len(counts.won)
    half = (strengths[:players, None] - strengths[None, players:]) / 2.0
    most = np.maximum(np.abs(half), log_tie)
    won, lost, tied = (np.exp(part - most) for part in (half, -half, log_tie))
    whole = won + lost + tied
    ahead, even = (won - lost) / (2.0 * whole), tied / whole
    total = counts.won + counts.lost + counts.tied
    rest = (counts.won - counts.lost) / 2.0 - total * ahead
    score = np.append(rest.sum(axis=1), -rest.sum(axis=0))
    score = np.append(score, (counts.tied - total * even).sum())
    gaps = total * ((1.0 - even) / 4.0 - ahead**2)
    mixed = -total * ahead * even
    size = 2 * players
    slope = np.zeros((size + 1, size + 1))
    slope[:players, players:size] = -gaps
    slope += slope.T
    np.fill_diagonal(slope, np.append(np.append(gaps.sum(axis=1), gaps.sum(axis=0)), 0.0))
    slope[:size, :size] += gaps.mean()
    slope[-1, :-1] = slope[:-1, -1] = np.append(mixed.sum(axis=1), -mixed.sum(axis=0))
    slope[-1, -1] = float((total * even * (1.0 - even)).sum())
    return score, slope

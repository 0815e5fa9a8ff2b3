"""Davidson's model: Bradley–Terry in which a tie is an outcome of its own.

A Seeker wins, ties and loses in the proportions exp(d/2) : ν : exp(-d/2), where d is the log odds
of a win over a loss. ν is common to all and fitted with the strengths. Void matches never enter: a
tie is something that happened, a void match is nothing that is known.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from audit.numbers._check import FloatArray, IntArray
from audit.numbers._elo import SLOPE

from ._newton import solved
from .bradley_terry import LIMIT, FittedLanes, bradley_terry, bradley_terry_lanes
from .graph import Connection, WinGraph, connected_lanes, win_graph
from .lanes import Played
from .ties import Bools, TieTables, tie_tables

__all__ = ["FittedTies", "davidson", "davidson_lanes"]

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
    counts = tie_tables(played)
    won, tied, lost = counts.won[0], counts.tied[0], counts.lost[0]
    graph = win_graph(won + tied, lost + tied)
    nothing = np.full(2 * played.players, np.nan)
    if graph.connection is not Connection.CONNECTED:
        return FittedTies(nothing, math.nan, graph, False, graph.words)
    if not tied.any():
        plain = bradley_terry(played, limit=limit)
        return FittedTies(plain.ratings, 0.0, graph, plain.converged, plain.trouble)
    if not _bounded(counts)[0]:
        words = "separated, no finite maximum: ties and gaps could grow together"
        return FittedTies(nothing, math.nan, graph, False, words)
    strengths, log_tie, converged = _climbed(counts, limit)
    trouble = "" if converged[0] else f"not converged after {limit} steps"
    tie = math.exp(float(log_tie[0]))
    return FittedTies(strengths[0] / SLOPE, tie, graph, bool(converged[0]), trouble)


def davidson_lanes(counts: TieTables, *, limit: int = LIMIT) -> FittedLanes:
    """Fit ratings to many tables side by side, each as `davidson` does.

    Parameters
    ----------
    counts : TieTables
    limit : int
        The most Newton steps.

    Returns
    -------
    FittedLanes
        ``connected`` says of each lane whether there is a finite maximum.
    """
    there = connected_lanes(counts.won + counts.tied, counts.lost + counts.tied)
    ties: Bools = np.any(counts.tied, axis=(1, 2))
    there[there & ties] = _bounded(counts.only(there & ties))
    ratings = np.full((len(ties), 2 * counts.won.shape[1]), np.nan)
    converged = np.zeros(len(ties), dtype=np.bool_)
    plain = bradley_terry_lanes(counts.won[~ties], counts.lost[~ties], limit=limit)
    ratings[~ties], converged[~ties] = plain.ratings, plain.converged
    climbing = there & ties
    strengths, _, converged[climbing] = _climbed(counts.only(climbing), limit)
    ratings[climbing] = strengths / SLOPE
    return FittedLanes(ratings, there, converged)


def _bounded(counts: TieTables) -> Bools:
    """Whether a round trip has more wins than ties: shortest ways, a win -1 and a tie +1."""
    lanes, players = counts.won.shape[:2]
    length = np.full((lanes, 2 * players, 2 * players), np.inf)
    ties = np.where(counts.tied > 0, 1.0, np.inf)
    length[:, :players, players:] = np.where(counts.won > 0, -1.0, ties)
    length[:, players:, :players] = np.where(counts.lost > 0, -1.0, ties).swapaxes(1, 2)
    every = np.arange(2 * players)
    length[:, every, every] = 0.0
    for middle in range(2 * players):
        length = np.minimum(length, length[:, :, middle, None] + length[:, None, middle])
    return np.asarray((length[:, every, every] < 0.0).any(axis=1), dtype=np.bool_)


def _climbed(counts: TieTables, limit: int) -> tuple[FloatArray, FloatArray, Bools]:
    """Return strengths around 0, the log of ν, and whether Newton's method settled, lane by lane.

    The likelihood is concave in both. A step is shortened as in `_newton`, where r is the largest
    change of the log odds of any two outcomes. A lane stops at its own last step.
    """
    lanes, players = counts.won.shape[:2]
    active: IntArray = np.arange(lanes)
    found = np.zeros((lanes, 2 * players + 1))
    converged, at = np.zeros(lanes, dtype=np.bool_), np.zeros((lanes, 2 * players + 1))
    for _ in range(limit if lanes else 0):
        step = solved(*_slopes(counts, at))[:, :, 0]
        most = _reach(step, players)
        with np.errstate(divide="ignore", invalid="ignore"):
            at = at + step * np.where(most > 0.0, np.log1p(most) / most, 1.0)[:, None]
        # Of NaN this is not true: such a lane, its curvature lost to rounding, ends unsettled.
        going = most > TOLERANCE
        found[active[~going]], converged[active[~going]] = at[~going], most[~going] <= TOLERANCE
        active, at, counts = active[going], at[going], counts.only(going)
        if not len(active):
            break
    found[active] = at
    strengths = found[:, :-1]
    return strengths - strengths.mean(axis=1, keepdims=True), found[:, -1], converged


def _reach(step: FloatArray, players: int) -> FloatArray:
    """Return the largest change of the log odds of any two outcomes that a step makes."""
    own, other, tie = step[:, :players], step[:, players:-1], step[:, -1]
    up, down = own.max(axis=1) - other.min(axis=1), other.max(axis=1) - own.min(axis=1)
    wide = np.maximum(up, down)
    return np.asarray(np.maximum(wide, wide / 2.0 + np.abs(tie)), dtype=np.float64)


def _slopes(counts: TieTables, at: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return minus the slope of the score, and the score, by strengths and the log of ν.

    The gauge is added to the slope.
    """
    players = counts.won.shape[1]
    size, log_tie = 2 * players, at[:, -1, None, None]
    half = (at[:, :players, None] - at[:, None, players:size]) / 2.0
    most = np.maximum(np.abs(half), log_tie)
    won, lost, tied = (np.exp(part - most) for part in (half, -half, log_tie))
    whole = won + lost + tied
    ahead, even = (won - lost) / (2.0 * whole), tied / whole
    total = counts.won + counts.lost + counts.tied
    rest = (counts.won - counts.lost) / 2.0 - total * ahead
    uneven = (counts.tied - total * even).sum(axis=(1, 2))
    gaps, mixed = total * ((1.0 - even) / 4.0 - ahead**2), -total * ahead * even
    slope = np.zeros((len(at), size + 1, size + 1))
    slope[:, :players, players:size] = -gaps
    slope[:, players:size, :players] = -gaps.swapaxes(1, 2)
    every = np.arange(size)
    slope[:, every, every] = _margins(gaps, 1.0)
    slope[:, :size, :size] += gaps.mean(axis=(1, 2))[:, None, None]
    slope[:, -1, :size] = slope[:, :size, -1] = _margins(mixed, -1.0)
    slope[:, -1, -1] = (total * even * (1.0 - even)).sum(axis=(1, 2))
    score = np.concatenate([_margins(rest, -1.0), uneven[:, None]], axis=1)
    return slope, score[:, :, None]


def _margins(table: FloatArray, sign: float) -> FloatArray:
    """Return what each Seeker sums to, and what each Holder does times a sign."""
    return np.concatenate([table.sum(axis=2), sign * table.sum(axis=1)], axis=1)

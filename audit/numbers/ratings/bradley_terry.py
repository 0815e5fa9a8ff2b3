"""Bradley–Terry with separate strengths of Seekers and Holders, fitted to all matches at once.

A Seeker of strength s beats a Holder of strength h with log odds (s - h) · ln(10)/400. The order of
the matches does not enter. A common constant in all ratings would change nothing; the gauge is that
all 2 · players ratings have mean 0. A tie counts as half a win, as it does in Elo; a void match
never enters.

Where the win graph is separated or disconnected no finite ratings maximise the likelihood, and the
fit says so instead of a number. Firth's penalised fit is an estimator of its own, finite whenever
all entrants met: it is never put in the place of the other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from audit.numbers._check import FloatArray
from audit.numbers._elo import SLOPE

from ._newton import climbed
from .graph import Connection, WinGraph, connected_lanes, win_graph
from .lanes import Played
from .table import Tables, tables

__all__ = ["LIMIT", "Fitted", "FittedLanes", "bradley_terry", "bradley_terry_lanes", "firth"]

LIMIT = 1_000
"""Newton steps after which a fit that has not settled says so; four are usual, and of Firth's a
dozen, but where entrants hang together by single matches it takes some hundred."""


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """Ratings of the entrants, Seekers first, or why there are none.

    Attributes
    ----------
    ratings : ndarray of float64, shape (2 * players,)
        In rating points around a mean of 0. Of a separated graph: finite within its one largest
        tier, around 0 there, infinite for those beyond it, NaN where nothing is determined; of a
        disconnected one, finite nowhere.
    graph : WinGraph
    converged : bool
        Whether Newton's method settled; False also where there was nothing to settle on.
    iterations : int
    matches : int
        How many matches went in.
    """

    ratings: FloatArray
    graph: WinGraph
    converged: bool
    iterations: int
    matches: int

    @property
    def trouble(self) -> str:
        """Why the ratings are not all finite and settled, in one line; blank if they are."""
        if not np.isfinite(self.ratings).all():
            return self.graph.words
        return "" if self.converged else f"not converged after {self.iterations} steps"


@dataclass(frozen=True, slots=True, eq=False)
class FittedLanes:
    """Ratings from many pairs of tables.

    Attributes
    ----------
    ratings : ndarray of float64, shape (lanes, 2 * players)
        In rating points around a mean of 0; NaN where they are not determined.
    connected, converged : ndarray of bool, shape (lanes,)
    """

    ratings: FloatArray
    connected: npt.NDArray[np.bool_]
    converged: npt.NDArray[np.bool_]


def bradley_terry(played: Played, *, weighted: bool = False, limit: int = LIMIT) -> Fitted:
    """Fit ratings by maximum likelihood.

    Parameters
    ----------
    played : Played
    weighted : bool
        Whether a match counts its weight in the likelihood, or 1. Standard errors of a weighted
        fit are those of `uncertainty.robust_covariance`: weights are no counts.
    limit : int
        The most Newton steps.

    References
    ----------
    Bradley and Terry, doi:10.1093/biomet/39.3-4.324.
    """
    wins, losses = tables(played, weighted=weighted)
    graph = win_graph(wins, losses)
    if graph.connection is Connection.CONNECTED:
        return _fitted((wins, losses), graph, len(played), limit, penalised=False)
    if graph.connection is Connection.DISCONNECTED or not (graph.limits == 0.0).any():
        return Fitted(graph.limits, graph, False, 0, len(played))
    return _core((wins, losses), graph, len(played), limit)


def firth(played: Played, *, limit: int = LIMIT) -> Fitted:
    """Fit ratings by Firth's penalised likelihood, every match counting 1.

    Half the logarithm of the determinant of the information is added to the log-likelihood. It
    takes away the first-order bias and keeps ratings of the undefeated and the winless finite,
    drawn towards the others; how far is the penalty's doing and not the data's.

    Parameters
    ----------
    played : Played
    limit : int
        The most Newton steps.

    References
    ----------
    Firth, doi:10.1093/biomet/80.1.27.
    """
    wins, losses = tables(played)
    graph = win_graph(wins, losses)
    if graph.connection is Connection.DISCONNECTED:
        return Fitted(np.full(2 * played.players, np.nan), graph, False, 0, len(played))
    return _fitted((wins, losses), graph, len(played), limit, penalised=True)


def bradley_terry_lanes(
    wins: FloatArray, losses: FloatArray, *, penalised: bool = False, limit: int = LIMIT
) -> FittedLanes:
    """Fit ratings to many pairs of tables side by side.

    Parameters
    ----------
    wins, losses : ndarray of float64, shape (lanes, players, players)
        As `table.tables` or `table.resampled_tables` gives them.
    penalised : bool
        Whether to fit Firth's penalised likelihood, which needs no more than that entrants met.
    limit : int
        The most Newton steps.

    Raises
    ------
    ValueError
        If the tables do not have one and the same shape, with as many Seekers as Holders.
    """
    if wins.ndim != 3 or wins.shape != losses.shape or wins.shape[1] != wins.shape[2]:
        raise ValueError(
            "wins and losses must have one shape (lanes, players, players), "
            f"found {wins.shape} and {losses.shape}"
        )
    connected = connected_lanes(wins, losses, both_ways=not penalised)
    ratings = np.full((len(wins), 2 * wins.shape[1]), np.nan)
    converged = np.zeros(len(wins), dtype=np.bool_)
    if connected.any():
        found = climbed(wins[connected], losses[connected], penalised=penalised, limit=limit)
        ratings[connected], converged[connected] = found.strengths / SLOPE, found.converged
    return FittedLanes(ratings, connected, converged)


def _fitted(both: Tables, graph: WinGraph, matches: int, limit: int, *, penalised: bool) -> Fitted:
    wins, losses = both
    found = climbed(wins[None], losses[None], penalised=penalised, limit=limit)
    ratings = found.strengths[0] / SLOPE
    return Fitted(ratings, graph, bool(found.converged[0]), int(found.iterations[0]), matches)


def _core(both: Tables, graph: WinGraph, matches: int, limit: int) -> Fitted:
    """Fit the largest tier to its own matches, which is where the likelihood goes in the limit."""
    core = np.flatnonzero(graph.limits == 0.0)
    ratings = graph.limits.copy()
    if len(core) == 1:
        return Fitted(ratings, graph, True, 0, matches)
    inside = np.ix_(core[core < graph.players], core[core >= graph.players] - graph.players)
    wins, losses = (table[inside][None] for table in both)
    found = climbed(wins, losses, penalised=False, limit=limit)
    ratings[core] = found.strengths[0] / SLOPE
    return Fitted(ratings, graph, bool(found.converged[0]), int(found.iterations[0]), matches)

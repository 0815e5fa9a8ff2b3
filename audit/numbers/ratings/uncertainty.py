"""How far ratings without an order would move with other matches: covariances and the gap's error.

The gap, the Holders' mean rating less the Seekers', has no comparison among Seekers or among
Holders behind it: each match is between the two. Take a constant from all Holders and only the
overall share of wins can object. So the logit of that share stands beside the gap.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from audit.numbers._check import FloatArray, as_index, same_length
from audit.numbers._elo import SLOPE

from .bradley_terry import Fitted
from .lanes import Played
from .table import entrants, tables

__all__ = ["Gap", "covariance", "gap", "robust_covariance"]


@dataclass(frozen=True, slots=True)
class Gap:
    """The Holders' mean rating less the Seekers'.

    Attributes
    ----------
    value, error : float
        In rating points; NaN where ratings are not finite.
    share : float
        The Seekers' overall share of wins, ties as halves.
    by_share : float
        Minus the logit of that share in rating points: the gap had all players been alike.
    """

    value: float
    error: float
    share: float
    by_share: float


def covariance(played: Played, fitted: Fitted) -> FloatArray:
    """Return the covariance of ratings by the information, every match counting 1.

    Parameters
    ----------
    played : Played
        The matches that were fitted.
    fitted : Fitted
        Unweighted; for a weighted fit take `robust_covariance`.

    Returns
    -------
    ndarray of float64, shape (2 * players, 2 * players)
        In squared rating points, in the gauge of the ratings (rows sum to 0); all NaN where a
        rating is not finite, since the information of a rating at infinity is 0 and says nothing.
    """
    wins, losses = tables(played)
    return np.asarray(_inverse(wins + losses, fitted.ratings) / SLOPE**2, dtype=np.float64)


def robust_covariance(
    played: Played,
    fitted: Fitted,
    cluster: npt.ArrayLike | None = None,
    *,
    weighted: bool = False,
) -> FloatArray:
    """Return the sandwich covariance of ratings, scores summed over clusters of matches.

    Parameters
    ----------
    played : Played
    fitted : Fitted
    cluster : array_like of int, shape (matches,), optional
        Which matches are taken as dependent; each stands for itself by default.
    weighted : bool
        As in the fit.

    Returns
    -------
    ndarray of float64, shape (2 * players, 2 * players)
        As `covariance`; without a correction for few clusters, of which it takes more than there
        are entrants.

    Raises
    ------
    ValueError
        If there is not one cluster a match.

    References
    ----------
    Liang and Zeger, doi:10.1093/biomet/73.1.13.
    """
    of = np.arange(len(played)) if cluster is None else np.unique(cluster, return_inverse=True)[1]
    of = as_index("cluster", of, len(played))
    same_length(cluster=of, score=played.score)
    weight = played.weight if weighted else np.ones(len(played))
    first, second = entrants(played)
    strengths = fitted.ratings * SLOPE
    with np.errstate(invalid="ignore"):
        rest = weight * (played.score - expit(strengths[first] - strengths[second]))
    scores = np.zeros((int(of.max(initial=-1)) + 1, len(strengths)))
    np.add.at(scores, (of, first), rest)
    np.add.at(scores, (of, second), -rest)
    wins, losses = tables(played, weighted=weighted)
    bread = _inverse(wins + losses, fitted.ratings)
    return np.asarray(bread @ (scores.T @ scores) @ bread / SLOPE**2, dtype=np.float64)


def gap(played: Played, fitted: Fitted, cover: FloatArray, *, weighted: bool = False) -> Gap:
    """Return the gap with its standard error, and what the overall share of wins alone gives.

    Parameters
    ----------
    played : Played
    fitted : Fitted
    cover : ndarray of float64, shape (2 * players, 2 * players)
        A covariance of the ratings.
    weighted : bool
        As in the fit.
    """
    wins, losses = tables(played, weighted=weighted)
    contrast = np.repeat([-1.0, 1.0], played.players) / played.players
    won, lost = float(wins.sum()), float(losses.sum())
    share = won / (won + lost) if won + lost else math.nan
    finite = bool(np.isfinite(fitted.ratings).all())
    return Gap(
        float(contrast @ fitted.ratings) if finite else math.nan,
        math.sqrt(max(float(contrast @ cover @ contrast), 0.0)) if finite else math.nan,
        share,
        _points(lost, won),
    )


def _points(one: float, other: float) -> float:
    """Return log odds in rating points, infinite where one side has nothing."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return float((np.log(one) - np.log(other)) / SLOPE)


def _inverse(total: FloatArray, ratings: FloatArray) -> FloatArray:
    """Return the inverse of the information across the gauge, in log odds."""
    size, players = len(ratings), len(total)
    if not np.isfinite(ratings).all():
        return np.full((size, size), np.nan)
    strengths = ratings * SLOPE
    chance = expit(strengths[:players, None] - strengths[None, players:])
    worth = total * chance * (1.0 - chance)
    whole = np.zeros((size, size))
    whole[:players, players:] = -worth
    whole += whole.T
    np.fill_diagonal(whole, -whole.sum(axis=1))
    return np.asarray(np.linalg.inv(whole + 1.0 / size) - 1.0 / size, dtype=np.float64)

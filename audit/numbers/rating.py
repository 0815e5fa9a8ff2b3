"""Sequential Elo ratings of two roles, one match after another.

Every player has two ratings, C as Seeker and V as Holder. A match moves the Seeker's C and the
Holder's V by the same step in opposite directions, so the sum over all ratings never changes. The
result depends on the order of the matches; `orders.final_ratings` replays many side by side.

Not covered: ratings fitted to all matches at once (Bradley–Terry), and void matches, which the
caller has to leave out and to count.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from ._check import FloatArray, IntArray, as_size
from ._elo import SLOPE, Start, as_matches, as_pair, as_start, as_step, play
from .estimate import Choice
from .multiplier import Multiplier, multiplier

__all__ = [
    "Carry",
    "History",
    "Multiplier",
    "dual_elo",
    "expected_win",
    "multiplier",
    "single_elo",
]


class Carry(Choice):
    """What happens to ratings between tournaments."""

    CARRIED = "carried"
    """They go on."""
    RESET = "reset"
    """Each tournament starts anew, and the result is the mean over tournaments."""


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """Ratings after all matches, and every step on the way.

    Attributes
    ----------
    seeker, holder : ndarray of float64, shape (players,)
        Final C and V; under ``RESET`` the mean over all tournaments. A player without a match
        stands at the start, so read these beside the counts.
    seeker_matches, holder_matches : ndarray of int64, shape (players,)
        How many matches each player played in each role.
    expected : ndarray of float64, shape (matches,)
        Probability before the match that the Seeker wins, in [0, 1].
    step : ndarray of float64, shape (matches,)
        What the Seeker gained and the Holder lost, in rating points.
    seeker_before, seeker_after, holder_before, holder_after : ndarray of float64, shape (matches,)
        The ratings of the two players around each match.
    """

    seeker: FloatArray
    holder: FloatArray
    seeker_matches: IntArray
    holder_matches: IntArray
    expected: FloatArray
    step: FloatArray
    seeker_before: FloatArray
    seeker_after: FloatArray
    holder_before: FloatArray
    holder_after: FloatArray


def expected_win(rating: npt.ArrayLike, opponent: npt.ArrayLike) -> FloatArray:
    """Return the probability with which Elo expects the first player to win.

    Parameters
    ----------
    rating, opponent : array_like of float
        Ratings in points, of shapes that broadcast.

    Returns
    -------
    ndarray of float64
        1/(1 + 10^((opponent - rating)/400)), in [0, 1].
    """
    gap = np.subtract(rating, opponent, dtype=np.float64)
    return np.asarray(expit(gap * SLOPE), dtype=np.float64)


def dual_elo(
    seeker: npt.ArrayLike,
    holder: npt.ArrayLike,
    won: npt.ArrayLike,
    weight: npt.ArrayLike,
    *,
    players: int,
    k: float,
    start: Start,
    carry: Carry = Carry.CARRIED,
    tournament: npt.ArrayLike | None = None,
) -> History:
    """Rate Seekers and Holders, match by match in the order given.

    Parameters
    ----------
    seeker, holder : array_like of int, shape (matches,)
        The players, in [0, players).
    won : array_like of bool or float, shape (matches,)
        Whether the Seeker won; 0.5 for a tie.
    weight : array_like of float, shape (matches,)
        What each match counts, at least 0; see `multiplier`.
    players : int
        How many players there are.
    k : float
        The step at weight 1, in rating points, at least 0.
    start : float, or a pair of array_like that broadcast to shape (players,)
        The first rating of everyone, or those of the Seekers and those of the Holders.
    carry : Carry
        Whether ratings go on from one tournament to the next.
    tournament : array_like, shape (matches,), optional
        The tournament of each match; needed for ``RESET``, without effect otherwise. Matches of one
        tournament keep their order and need not stand together.

    Returns
    -------
    History
        Final ratings and all steps.

    Raises
    ------
    ValueError
        If lengths differ, an index, outcome, weight, step or start is not allowed, or ``RESET``
        comes without tournaments.
    """
    carry, players = Carry(carry), as_size("players", players)
    matches = as_matches(seeker, holder, won, weight, players, shift=players)
    pace, first = float(as_step(k)), as_pair(start, players)
    track = np.zeros((len(matches.won), 4))
    ends = []
    for rows in _seasons(carry, tournament, len(matches.won)):
        ends.append(first.copy())
        track[rows] = play(matches, ends[-1], pace, rows)
    final = np.mean(ends or [first], axis=0)
    expected, step, before, against = track.T
    return History(
        seeker=final[:players],
        holder=final[players:],
        seeker_matches=np.bincount(matches.first, minlength=players),
        holder_matches=np.bincount(matches.second - players, minlength=players),
        expected=expected,
        step=step,
        seeker_before=before,
        seeker_after=before + step,
        holder_before=against,
        holder_after=against - step,
    )


def single_elo(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    won: npt.ArrayLike,
    weight: npt.ArrayLike,
    *,
    players: int,
    k: float,
    start: npt.ArrayLike,
) -> FloatArray:
    """Rate players by one rating each, whatever the role, match by match in the order given.

    Parameters
    ----------
    first, second : array_like of int, shape (matches,)
        The two players of each match, in [0, players), never one and the same.
    won : array_like of bool, shape (matches,)
        Whether the first one won.
    weight : array_like of float, shape (matches,)
        What each match counts, at least 0.
    players : int
        How many players there are.
    k : float
        The step at weight 1, in rating points, at least 0.
    start : array_like of float, broadcast to shape (players,)
        First ratings.

    Returns
    -------
    ndarray of float64, shape (players,)
        Final ratings.

    Raises
    ------
    ValueError
        If lengths differ, an index, outcome, weight, step or start is not allowed, or a player
        meets himself.
    """
    players = as_size("players", players)
    matches = as_matches(first, second, won, weight, players, shift=0)
    if (matches.first == matches.second).any():
        raise ValueError("with one rating a player must not meet himself")
    ratings = as_start(start, players)
    play(matches, ratings, float(as_step(k)), np.arange(len(matches.won)))
    return ratings


def _seasons(carry: Carry, tournament: npt.ArrayLike | None, matches: int) -> list[IntArray]:
    if carry is Carry.CARRIED:
        return [np.arange(matches)]
    if tournament is None:
        raise ValueError("carry 'reset' needs the tournament of every match")
    labels = np.asarray(tournament)
    if labels.shape != (matches,):
        raise ValueError(f"tournament must have shape {(matches,)}, found {labels.shape}")
    return [np.flatnonzero(labels == label) for label in np.unique(labels)]

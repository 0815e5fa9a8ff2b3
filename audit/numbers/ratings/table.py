"""Who won how much against whom: the tables that ratings without an order are fitted to.

An entrant is a player in one role: entrant i is player i as Seeker, entrant ``players + j`` is
player j as Holder. Every match is between a Seeker and a Holder, so two tables of players by
players say all that such a fit sees, however many matches there are.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from audit.numbers._check import FloatArray, IntArray

from .lanes import Played

__all__ = ["block_tables", "entrant", "entrants", "resampled_tables", "tables", "together"]

Tables = tuple[FloatArray, FloatArray]
_BLOCK = 256  # resamples whose rows stay in a cache


def tables(played: Played, *, weighted: bool = False) -> Tables:
    """Return what Seekers won and lost against Holders.

    Parameters
    ----------
    played : Played
    weighted : bool
        Whether a match counts its weight, or 1.

    Returns
    -------
    wins, losses : ndarray of float64, shape (players, players)
        Of Seeker i against Holder j; a tie is half of each.
    """
    weight = played.weight if weighted else np.ones(len(played))
    p, cell = played.players, played.seeker * played.players + played.holder
    wins = np.bincount(cell, weights=weight * played.score, minlength=p * p)
    losses = np.bincount(cell, weights=weight * (1.0 - played.score), minlength=p * p)
    return _floats(wins, (p, p)), _floats(losses, (p, p))


def resampled_tables(played: Played, rows: IntArray) -> Tables:
    """Return the tables of many resamples of the matches, each of which counts 1.

    Parameters
    ----------
    played : Played
    rows : ndarray of int64, shape (resamples, length)
        Positions of the matches that each resample drew.

    Returns
    -------
    wins, losses : ndarray of float64, shape (resamples, players, players)
    """
    p, many = played.players, len(rows)
    wins, total = np.zeros((2, many, p * p))
    cell = played.seeker * p + played.holder
    for low in range(0, many, _BLOCK):
        some = rows[low : low + _BLOCK]
        at = (cell[some] + (np.arange(len(some)) * p * p)[:, None]).ravel()
        size = len(some) * p * p
        got = np.bincount(at, weights=played.score[some].ravel(), minlength=size)
        total[low : low + _BLOCK] = np.bincount(at, minlength=size).reshape(-1, p * p)
        wins[low : low + _BLOCK] = got.reshape(-1, p * p)
    return _floats(wins, (many, p, p)), _floats(total - wins, (many, p, p))


def block_tables(
    tournaments: Sequence[Played], counts: npt.ArrayLike, *, weighted: bool = False
) -> Tables:
    """Return the tables of many resamples of whole tournaments.

    Parameters
    ----------
    tournaments : sequence of Played
        All of the same players.
    counts : array_like of int, shape (resamples, tournaments)
        How often each resample holds each tournament.
    weighted : bool
        Whether a match counts its weight, or 1.

    Returns
    -------
    wins, losses : ndarray of float64, shape (resamples, players, players)
    """
    own = np.array([tables(each, weighted=weighted) for each in tournaments])
    found = np.tensordot(np.asarray(counts, dtype=np.float64), own, axes=1)
    return np.ascontiguousarray(found[:, 0]), np.ascontiguousarray(found[:, 1])


def together(tournaments: Sequence[Played]) -> Played:
    """Return the matches of several tournaments as one list.

    Raises
    ------
    ValueError
        If there is no tournament, or their players differ.
    """
    if not tournaments:
        raise ValueError("tournaments must hold at least one")
    if len({each.players for each in tournaments}) > 1:
        raise ValueError("tournaments must all be of the same players")
    return Played(
        np.concatenate([each.seeker for each in tournaments]),
        np.concatenate([each.holder for each in tournaments]),
        np.concatenate([each.score for each in tournaments]),
        np.concatenate([each.weight for each in tournaments]),
        tournaments[0].players,
    )


def entrants(played: Played) -> tuple[IntArray, IntArray]:
    """Return both entrants of every match, each of shape (matches,)."""
    return played.seeker, played.holder + played.players


def entrant(number: int, players: int) -> str:
    """Return how an entrant is called in words, players numbered from 0."""
    return f"seeker {number}" if number < players else f"holder {number - players}"


def _floats(sums: npt.NDArray[np.generic], shape: tuple[int, ...]) -> FloatArray:
    # Of no match at all the sums are whole numbers.
    return sums.astype(np.float64).reshape(shape)

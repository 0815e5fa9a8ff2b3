"""Dual-Elo in many orders at once: the loop runs over matches, every order side by side."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ._check import FloatArray, as_index, as_size
from ._elo import Start, as_matches, as_pair, as_step, play_orders

__all__ = ["final_ratings"]


def final_ratings(
    seeker: npt.ArrayLike,
    holder: npt.ArrayLike,
    won: npt.ArrayLike,
    weight: npt.ArrayLike,
    orders: npt.ArrayLike,
    *,
    players: int,
    k: npt.ArrayLike,
    start: Start,
) -> tuple[FloatArray, FloatArray]:
    """Replay the matches in many orders, or under many steps, and return the final ratings of each.

    Parameters
    ----------
    seeker, holder, won, weight : array_like, shape (matches,)
        As for `dual_elo`; a match of weight 0 is as good as left out.
    orders : array_like of int, shape (orders, length)
        Positions of matches, in the order in which each row plays them.
    players : int
        How many players there are.
    k : float or array_like of float, shape (orders,)
        The step at weight 1, at least 0.
    start : float, or a pair of array_like that broadcast to shape (players,)
        First ratings.

    Returns
    -------
    tuple of ndarray of float64, each of shape (orders, players)
        Final C and V.

    Raises
    ------
    ValueError
        As `dual_elo`, or if the orders are no table of positions.

    References
    ----------
    Boubdir et al., on the order of matches, doi:10.48550/arXiv.2311.17295.
    """
    players = as_size("players", players)
    matches = as_matches(seeker, holder, won, weight, players, shift=players)
    table = np.asarray(orders)
    if table.ndim != 2:
        raise ValueError(f"orders must have shape (orders, length), found {table.shape}")
    rows = as_index("orders", table.ravel(), len(matches.won)).reshape(table.shape)
    pace = np.multiply.outer(np.broadcast_to(as_step(k), len(rows)), matches.weight)
    ratings = np.tile(as_pair(start, players), (len(rows), 1))
    play_orders(matches, ratings, pace, rows)
    return ratings[:, :players], ratings[:, players:]

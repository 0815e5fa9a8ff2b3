"""Dual-Elo when players of a match may have exchanged their roles, many exchanges side by side.

In `lanes` all lanes see the same players; here every lane has its own, so that two rows have to be
gathered and scattered at each match. It is some ten times slower an update.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from audit.numbers._check import FloatArray
from audit.numbers._elo import SLOPE

from .lanes import Played

__all__ = ["rated_exchanged"]


def rated_exchanged(played: Played, exchanged: npt.NDArray[np.bool_], k: float) -> FloatArray:
    """Return final ratings around a start of 0 when some matches have their roles exchanged.

    A match that the Seeker i won against the Holder j becomes one that the Seeker j lost to the
    Holder i: the same player wins, in the other role.

    Parameters
    ----------
    played : Played
    exchanged : ndarray of bool, shape (matches, lanes)
    k : float
        The step at weight 1, in rating points.

    Returns
    -------
    ndarray of float64, shape (2 * players, lanes)
        C of every player, then V, in rating points.

    Raises
    ------
    ValueError
        If there is not one row a match.
    """
    if exchanged.ndim != 2 or len(exchanged) != len(played):
        raise ValueError(f"exchanged must have one row a match, found shape {exchanged.shape}")
    lanes = np.arange(exchanged.shape[1])
    ratings = np.zeros((2 * played.players, len(lanes)))
    pace = k * SLOPE * played.weight
    with np.errstate(over="ignore"):
        for row, swap in enumerate(exchanged):
            i, j = int(played.seeker[row]), int(played.holder[row])
            seeker = np.where(swap, j, i)
            holder = np.where(swap, i, j) + played.players
            score = np.where(swap, 1.0 - played.score[row], played.score[row])
            gap = ratings[seeker, lanes] - ratings[holder, lanes]
            step = pace[row] * (score - 1.0 / (1.0 + np.exp(-gap)))
            ratings[seeker, lanes] += step
            ratings[holder, lanes] -= step
    return np.asarray(ratings / SLOPE, dtype=np.float64)

"""How much of Elo is the order of the matches, beside how much is which matches were won.

Both spreads are seeded Monte Carlo. The order: the matches of each tournament are put in a random
order, their outcomes as they were. The sampling: every outcome is drawn anew by a chance that the
caller gives, the order as scheduled. A rating whose spread over orders is near its sampling spread
says as much of the schedule as of the player.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from audit.numbers._check import FloatArray, IntArray, as_numbers, as_size
from audit.numbers.orders import final_ratings
from audit.numbers.rating import Carry

from .lanes import Played
from .table import together

__all__ = ["OrderSpread", "order_spread"]


@dataclass(frozen=True, slots=True, eq=False)
class OrderSpread:
    """Elo as scheduled, over orders, and over outcomes drawn anew.

    Attributes
    ----------
    scheduled : ndarray of float64, shape (2 * players,)
        Ratings around a start of 0, Seekers first, in rating points.
    over_orders, over_outcomes : ndarray of float64, shape (draws, 2 * players)
    """

    scheduled: FloatArray
    over_orders: FloatArray
    over_outcomes: FloatArray

    @property
    def order_sd(self) -> FloatArray:
        """Standard deviation over orders of each rating, in rating points."""
        return np.asarray(self.over_orders.std(axis=0, ddof=1), dtype=np.float64)

    @property
    def sampling_sd(self) -> FloatArray:
        """Standard deviation over outcomes drawn anew, in rating points."""
        return np.asarray(self.over_outcomes.std(axis=0, ddof=1), dtype=np.float64)

    @property
    def relative_error(self) -> float:
        """Monte Carlo standard error of either deviation, as a share of it, for normal draws."""
        return 1.0 / math.sqrt(2.0 * (len(self.over_orders) - 1))


def order_spread(
    tournaments: Sequence[Played],
    k: float,
    carry: Carry,
    chance: npt.ArrayLike,
    *,
    draws: int,
    rng: np.random.Generator,
) -> OrderSpread:
    """Return Elo over random orders within tournaments, and over outcomes drawn anew.

    Parameters
    ----------
    tournaments : sequence of Played
        The matches of each, as scheduled.
    k : float
        The step at weight 1, in rating points.
    carry : Carry
    chance : array_like of float, shape (matches,)
        The Seeker's chance of winning each match, by which outcomes are drawn; those of Firth's
        fit, for instance. What was a tie is drawn as a win or a loss too.
    draws : int
        How many of each, at least 2.
    rng : numpy.random.Generator

    Raises
    ------
    ValueError
        If there is no tournament, their players differ, there is not one chance a match in [0, 1],
        the step is not allowed, or there are fewer than 2 draws.
    """
    whole, chances = together(tournaments), as_numbers("chance", chance)
    if len(chances) != len(whole) or ((chances < 0.0) | (chances > 1.0)).any():
        raise ValueError(f"chance must be one in [0, 1] for each of {len(whole)} matches")
    if as_size("draws", draws) < 2:
        raise ValueError(f"draws must be at least 2, found {draws}")
    ends = np.cumsum([len(each) for each in tournaments])
    seasons = np.split(np.arange(len(whole)), ends[:-1])
    still = [season[None] for season in seasons]
    shuffled = [rng.permuted(np.tile(season, (draws, 1)), axis=1) for season in seasons]
    # Every match stands twice, as won and as lost, so that a row of positions says its outcomes.
    lost = rng.random((draws, len(whole))) >= chances
    drawn = np.split(np.arange(len(whole)) + len(whole) * lost, ends[:-1], axis=1)
    return OrderSpread(
        _walked(whole, whole.score, still, k, carry)[0],
        _walked(whole, whole.score, shuffled, k, carry),
        _walked(whole, np.repeat([1.0, 0.0], len(whole)), drawn, k, carry),
    )


def _walked(
    played: Played, score: FloatArray, seasons: list[IntArray], k: float, carry: Carry
) -> FloatArray:
    """Return ratings of every row of positions, of shape (rows, 2 * players)."""
    times = len(score) // max(len(played), 1)
    seeker, holder = np.tile(played.seeker, times), np.tile(played.holder, times)
    weight, players = np.tile(played.weight, times), played.players

    def final(orders: IntArray) -> FloatArray:
        both = final_ratings(seeker, holder, score, weight, orders, players=players, k=k, start=0.0)
        return np.concatenate(both, axis=1)

    if carry is Carry.CARRIED:
        return final(np.concatenate(seasons, axis=1))
    kept = [season for season in seasons if season.shape[1]] or seasons
    return np.asarray(np.mean([final(season) for season in kept], axis=0), dtype=np.float64)

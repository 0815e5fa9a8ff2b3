"""How far sequential ratings would move had the same matches been played again.

Each outcome moves the final ratings by its own step, less what later matches take back because they
expect more. Outcomes are taken as independent given who met whom, so their variances add; the
ratings are taken as linear in them, which they nearly are while steps are small beside 400.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ._check import FloatArray, IntArray, as_index, as_numbers, same_length
from ._elo import SLOPE

__all__ = ["Pulls", "pulls"]


@dataclass(frozen=True, slots=True, eq=False)
class Pulls:
    """By how much each final rating moves with each outcome.

    Attributes
    ----------
    seeker, holder : ndarray of float64, shape (players, matches)
        Points by which C and V differ between a Seeker's win and a loss, all else as it was.
    """

    seeker: FloatArray
    holder: FloatArray

    def variance(self, weights: npt.ArrayLike, outcome: npt.ArrayLike) -> float:
        """Return the variance of a weighted sum of ratings.

        Parameters
        ----------
        weights : array_like of float, shape (2, players)
            Of C and of V.
        outcome : array_like of float, shape (matches,)
            Variance of each outcome, at most 1/4.
        """
        own, other = np.asarray(weights, dtype=np.float64)
        moved = own @ self.seeker + other @ self.holder
        return float(moved**2 @ np.asarray(outcome, dtype=np.float64))


def pulls(
    seeker: npt.ArrayLike,
    holder: npt.ArrayLike,
    expected: npt.ArrayLike,
    pace: npt.ArrayLike,
    *,
    players: int,
    seasons: Sequence[IntArray],
) -> Pulls:
    """Return how each outcome moves the ratings that `rating.dual_elo` ends with.

    Parameters
    ----------
    seeker, holder : array_like of int, shape (matches,)
        The players, in [0, players).
    expected : array_like of float, shape (matches,)
        The Seeker's expected win before each match.
    pace : array_like of float, shape (matches,)
        The step at a win that nobody expected, in points: K times the weight.
    players : int
    seasons : sequence of ndarray of int64
        Positions of the matches in order of play; ratings start anew with each season, and the
        result is the mean over seasons.

    Raises
    ------
    ValueError
        If lengths differ or an index lies outside.

    Notes
    -----
    The chain rule along the sequence: a step of k·(s - e) changes by k for its own outcome s, and
    by -k·e·(1 - e)·ln(10)/400 for each point by which earlier outcomes moved the gap.
    """
    one, two = as_index("seeker", seeker, players), as_index("holder", holder, players)
    chance, step = as_numbers("expected", expected), as_numbers("pace", pace)
    matches = same_length(seeker=one, holder=two, expected=chance, pace=step)
    total = np.zeros((2, players, matches))
    for rows in seasons:
        moved = np.zeros((2, players, matches))
        for row in rows.tolist():
            i, j = one[row], two[row]
            steep = step[row] * chance[row] * (1.0 - chance[row]) * SLOPE
            change = -steep * (moved[0, i] - moved[1, j])
            change[row] += step[row]
            moved[0, i] += change
            moved[1, j] -= change
        total += moved / len(seasons)
    return Pulls(total[0], total[1])

"""Glicko-2, of entrants (a player in one role), one rating period a tournament.

Within a period every match sees the ratings from before it, so that the order of the matches does
not enter, while that of the tournaments does. Written here and not taken from a library: those that
there are rate one player at a time in objects, and the whole of it is a page of arithmetic with a
published example to hold it to. Beliefs that different tournaments left are lanes side by side.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from audit.numbers._check import FloatArray, IntArray
from audit.numbers.rating import Carry

from .lanes import Played
from .table import entrants, together

__all__ = ["Strength", "believed", "glicko_2", "period", "season"]

SCALE = 400.0 / math.log(10.0)
DEVIATION, VOLATILITY, TAU = 350.0, 0.06, 0.5
"""Of an unknown player, in rating points; how readily volatility changes. Glickman's values."""
PRECISION = 1e-6  # Glickman's, of the logarithm of the squared volatility


@dataclass(frozen=True, slots=True, eq=False)
class Strength:
    """What is believed of entrants, each array of shape (entrants, lanes).

    Attributes
    ----------
    rating : ndarray of float64
        In rating points around 0 (Glickman's 1500).
    deviation : ndarray of float64
        Its standard deviation, in rating points.
    volatility : ndarray of float64
    """

    rating: FloatArray
    deviation: FloatArray
    volatility: FloatArray

    @classmethod
    def unknown(cls, size: int) -> Strength:
        """Return what is believed before any match, in one lane."""
        whole = np.ones((size, 1))
        return cls(0.0 * whole, DEVIATION * whole, VOLATILITY * whole)


def glicko_2(tournaments: Sequence[Played], carry: Carry) -> FloatArray:
    """Return ratings around a mean of 0, Seekers first, in rating points.

    Parameters
    ----------
    tournaments : sequence of Played
        Each is one period; weights do not enter, and one without a match is no period.
    carry : Carry
        Under ``RESET`` each tournament starts from unknown players, and the result is the mean.

    Raises
    ------
    ValueError
        If there is no tournament, or their players differ.

    References
    ----------
    Glickman, doi:10.1080/02664760120059219.
    """
    size = 2 * together(tournaments).players
    state, ends = Strength.unknown(size), []
    for each in tournaments:
        if len(each):
            start = state if carry is Carry.CARRIED else Strength.unknown(size)
            state = season(start, each)
            ends.append(state.rating[:, 0])
    if carry is Carry.CARRIED:
        ends = ends[-1:]
    found = np.mean(ends, axis=0) if ends else np.zeros(size)
    return np.asarray(found - found.mean(), dtype=np.float64)


def season(before: Strength, played: Played) -> Strength:
    """Return what is believed after a tournament, which is one rating period."""
    return period(before, *entrants(played), played.score, tau=TAU)


def believed(state: FloatArray, played: Played) -> FloatArray:
    """Return what is believed after a tournament, as one array.

    Parameters
    ----------
    state : ndarray of float64, shape (3, entrants, lanes)
        Ratings, deviations and volatilities, as those of `Strength`.
    played : Played
    """
    after = season(Strength(*state), played)
    return np.array([after.rating, after.deviation, after.volatility])


def period(
    before: Strength, first: IntArray, second: IntArray, score: FloatArray, *, tau: float
) -> Strength:
    """Return what is believed after one rating period, lane by lane.

    Parameters
    ----------
    before : Strength
    first, second : ndarray of int64, shape (matches,)
        Entrants.
    score : ndarray of float64, shape (matches,)
        What the first scored, in [0, 1].
    tau : float
        How readily volatility changes.
    """
    mu, phi = before.rating / SCALE, before.deviation / SCALE
    size = len(mu)
    # Matches between the same two see the same ratings: they are taken together.
    pairs, at = np.unique(first * size + second, return_inverse=True)
    many, got = np.bincount(at), np.bincount(at, weights=score)
    own, other = np.append(pairs // size, pairs % size), np.append(pairs % size, pairs // size)
    times, won = np.append(many, many)[:, None], np.append(got, many - got)[:, None]
    damp = (1.0 / np.sqrt(1.0 + 3.0 * phi**2 / math.pi**2))[other]
    chance = 1.0 / (1.0 + np.exp(-damp * (mu[own] - mu[other])))
    adds = (own == np.arange(size)[:, None]).astype(np.float64)
    known = adds @ (times * damp**2 * chance * (1.0 - chance))
    pull = adds @ (damp * (won - times * chance))
    volatility, met = before.volatility.copy(), known > 0.0
    volatility[met] = _volatility(volatility[met], phi[met], 1.0 / known[met], pull[met], tau)
    precision = 1.0 / (phi**2 + volatility**2) + known
    return Strength((mu + pull / precision) * SCALE, SCALE / np.sqrt(precision), volatility)


def _volatility(
    sigma: FloatArray, phi: FloatArray, variance: FloatArray, pull: FloatArray, tau: float
) -> FloatArray:
    """Return the new volatilities, roots of monotone functions, by the Illinois method.

    All arrays have one shape; each root stops at its own last step.
    """
    gain, base, start = (pull * variance) ** 2, phi**2 + variance, np.log(sigma**2)

    def slope(x: FloatArray) -> FloatArray:
        grown = np.exp(x)
        spread = base + grown
        found = grown * (gain - spread) / (2.0 * spread**2) - (x - start) / tau**2
        return np.asarray(found, dtype=np.float64)

    low, high = start.copy(), _other_end(gain - base, start, slope, tau)
    at_low, at_high = slope(low), slope(high)
    while (going := np.abs(high - low) > PRECISION).any():
        with np.errstate(divide="ignore", invalid="ignore"):
            middle = np.where(going, low + (low - high) * at_low / (at_high - at_low), high)
        at = slope(middle)
        crossed = at * at_high <= 0.0
        low = np.where(going & crossed, high, low)
        at_low = np.where(going, np.where(crossed, at_high, at_low / 2.0), at_low)
        high, at_high = middle, np.where(going, at, at_high)
    return np.asarray(np.exp(low / 2.0), dtype=np.float64)


def _other_end(
    more: FloatArray, start: FloatArray, slope: Callable[[FloatArray], FloatArray], tau: float
) -> FloatArray:
    """Return where to begin on the other side of each root."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.where(more > 0.0, np.log(more), start - tau)
    while (short := (more <= 0.0) & (slope(found) < 0.0)).any():
        found = np.where(short, found - tau, found)
    return np.asarray(found, dtype=np.float64)

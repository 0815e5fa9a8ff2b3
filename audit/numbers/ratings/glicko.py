"""Glicko-2, of entrants (a player in one role), one rating period a tournament.

Within a period every match sees the ratings from before it, so that the order of the matches does
not enter, while that of the tournaments does. Written here and not taken from a library: those that
there are rate one player at a time in objects, and the whole of it is a page of arithmetic with a
published example to hold it to.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from audit.numbers._check import FloatArray, IntArray
from audit.numbers.rating import Carry

from .lanes import Played
from .table import entrants, together

__all__ = ["Strength", "glicko_2", "period"]

SCALE = 400.0 / math.log(10.0)
DEVIATION, VOLATILITY, TAU = 350.0, 0.06, 0.5
"""Of an unknown player, in rating points; how readily volatility changes. Glickman's values."""
PRECISION = 1e-6  # Glickman's, of the logarithm of the squared volatility


@dataclass(frozen=True, slots=True, eq=False)
class Strength:
    """What is believed of entrants, each array of shape (entrants,).

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
        """Return what is believed before any match."""
        return cls(np.zeros(size), np.full(size, DEVIATION), np.full(size, VOLATILITY))


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
            state = period(start, *entrants(each), each.score, tau=TAU)
            ends.append(state.rating)
    if carry is Carry.CARRIED:
        ends = ends[-1:]
    found = np.mean(ends, axis=0) if ends else np.zeros(size)
    return np.asarray(found - found.mean(), dtype=np.float64)


def period(
    before: Strength, first: IntArray, second: IntArray, score: FloatArray, *, tau: float
) -> Strength:
    """Return what is believed after one rating period.

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
    own, other = np.append(first, second), np.append(second, first)
    got = np.append(score, 1.0 - score)
    damp = 1.0 / np.sqrt(1.0 + 3.0 * phi[other] ** 2 / math.pi**2)
    chance = 1.0 / (1.0 + np.exp(-damp * (mu[own] - mu[other])))
    size = len(mu)
    known = np.bincount(own, weights=damp**2 * chance * (1.0 - chance), minlength=size)
    pull = np.bincount(own, weights=damp * (got - chance), minlength=size)
    volatility = before.volatility.copy()
    for who in np.flatnonzero(known > 0.0).tolist():
        volatility[who] = _volatility(
            float(before.volatility[who]), float(phi[who]), 1.0 / known[who], pull[who], tau
        )
    precision = 1.0 / (phi**2 + volatility**2) + known
    after = mu + pull / precision
    return Strength(after * SCALE, SCALE / np.sqrt(precision), volatility)


def _volatility(
    sigma: float, phi: float, variance: np.float64, pull: np.float64, tau: float
) -> float:
    """Return the new volatility, the root of a monotone function, by the Illinois method."""
    delta, v, start = float(pull * variance), float(variance), math.log(sigma**2)

    def slope(x: float) -> float:
        spread = phi**2 + v + math.exp(x)
        return math.exp(x) * (delta**2 - spread) / (2.0 * spread**2) - (x - start) / tau**2

    low = start
    if delta**2 > phi**2 + v:
        high = math.log(delta**2 - phi**2 - v)
    else:
        steps = 1
        while slope(start - steps * tau) < 0.0:
            steps += 1
        high = start - steps * tau
    at_low, at_high = slope(low), slope(high)
    while abs(high - low) > PRECISION:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at = slope(middle)
        if at * at_high <= 0.0:
            low, at_low = high, at_high
        else:
            at_low /= 2.0
        high, at_high = middle, at
    return math.exp(low / 2.0)

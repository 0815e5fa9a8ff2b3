"""Newton's method for Seekers' and Holders' strengths, many pairs of tables side by side.

With the log odds s_i - h_j the likelihood is concave, and its curvature along a step changes by a
factor of exp(r) at most, where r is the largest change of any log odds. Newton's step therefore
climbs while r is at most 1, and log(1 + r)/r of it does from anywhere: no line search is needed.
Tables must be connected; nothing is checked here.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from audit.numbers._check import FloatArray

__all__ = ["Climbed", "climbed"]

TOLERANCE = 1e-7
"""The change of log odds below which a step is the last; what is left is about its square."""


@dataclass(frozen=True, slots=True, eq=False)
class Climbed:
    """Strengths in log odds, shape (lanes, seekers + holders), around 0; whether each settled."""

    strengths: FloatArray
    converged: npt.NDArray[np.bool_]
    iterations: npt.NDArray[np.int64]


def climbed(wins: FloatArray, losses: FloatArray, *, penalised: bool, limit: int) -> Climbed:
    """Return where the likelihood, or Firth's penalised one, has its maximum, lane by lane.

    Tables have shape (lanes, seekers, holders). A lane stops at its own last step, so that what
    stands beside it decides no digit.

    References
    ----------
    The length of a step: Bach, doi:10.1214/09-EJS521; Sun and Tran-Dinh,
    doi:10.1007/s10107-018-1282-4.
    """
    lanes, seekers, holders = wins.shape
    found = np.empty((lanes, seekers + holders))
    converged, iterations = np.zeros(lanes, dtype=np.bool_), np.full(lanes, limit)
    total, side = wins + losses, _Side.of(seekers, holders)
    active: npt.NDArray[np.int64] = np.arange(lanes)
    strengths = _begin(wins, losses, side, 0.5 if penalised else 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        for number in range(1, limit + 1):
            step = _step(wins, total, strengths, side, penalised)
            most = 2.0 * np.abs(step).max(axis=1)
            strengths += step * _part(most)
            # A step of NaN (all curvature lost to rounding) ends a lane, which has not converged.
            over = ~(most > TOLERANCE)
            if over.any():
                done = active[over]
                found[done], iterations[done] = strengths[over], number
                converged[done] = most[over] <= TOLERANCE
                active, strengths = active[~over], strengths[~over]
                if not len(active):
                    break
                wins, total = wins[~over], total[~over]
    found[active] = strengths
    found -= found.sum(axis=1, keepdims=True) / (seekers + holders)
    return Climbed(found, converged, iterations)


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """Ones by which to sum: a product costs a fraction of a sum along a short axis."""

    across: FloatArray
    down: FloatArray
    identity: FloatArray

    @classmethod
    def of(cls, seekers: int, holders: int) -> _Side:
        return cls(np.ones((holders, 1)), np.ones((1, seekers)), np.eye(holders))


def _part(most: FloatArray) -> FloatArray | float:
    """Return how much of each lane's step to take."""
    if not (most > 1.0).any():
        return 1.0
    wide = np.maximum(most, 1.0)
    return np.where(wide > 1.0, np.log1p(wide) / wide, 1.0)[:, None]


def _begin(wins: FloatArray, losses: FloatArray, side: _Side, more: float) -> FloatArray:
    """Return strengths by the margins alone, which a balanced design all but ends at."""
    both = np.stack([wins, losses])
    rows = both @ side.across
    own, other, whole = (
        np.log((won + more) / (lost + more))
        for won, lost in (rows, side.down @ both, side.down @ rows)
    )
    half = whole / 2.0
    begun = np.concatenate([own - half, (half - other).swapaxes(1, 2)], axis=1)[:, :, 0]
    return np.asarray(begun, dtype=np.float64)


def _step(
    wins: FloatArray, total: FloatArray, strengths: FloatArray, side: _Side, penalised: bool
) -> FloatArray:
    """Return Newton's step, solved for the Holders alone with the Seekers eliminated."""
    middle = wins.shape[1]
    chance = expit(strengths[:, :middle, None] - strengths[:, None, middle:])
    expected = total * chance
    worth = expected - expected * chance
    seekers = worth @ side.across
    share = worth / seekers
    # A constant added to every entry fixes the mean of the Holders, which nothing else does.
    left = (side.down @ worth) * side.identity - worth.swapaxes(1, 2) @ share + seekers[:, :1]
    rest = wins - expected
    if penalised:
        rest += _leverage(worth, share, seekers, left) * (0.5 - chance)
    own = rest @ side.across
    right = share.swapaxes(1, 2) @ own - (side.down @ rest).swapaxes(1, 2)
    holders = _solved(left, right)
    moved = own / seekers + share @ holders
    return np.concatenate([moved, holders], axis=1)[:, :, 0]


def _leverage(
    worth: FloatArray, share: FloatArray, seekers: FloatArray, left: FloatArray
) -> FloatArray:
    """Return how much of its own log odds each cell decides; they sum to one less than entrants."""
    identity = np.broadcast_to(np.eye(left.shape[-1]), left.shape)
    holders = _solved(left, identity)
    cross = share @ holders
    own = 1.0 / seekers + (cross * share) @ np.ones((left.shape[-1], 1))
    among = np.diagonal(holders, axis1=1, axis2=2)
    variance = own + among[:, None, :] - 2.0 * cross
    return np.asarray(worth * variance, dtype=np.float64)


def _solved(left: FloatArray, right: FloatArray) -> FloatArray:
    """Solve lane by lane; NaN in lanes that rounding has made singular."""
    try:
        return np.asarray(np.linalg.solve(left, right), dtype=np.float64)
    except np.linalg.LinAlgError:
        found = np.full(right.shape, np.nan)
        for lane, (one, other) in enumerate(zip(left, right, strict=True)):
            if np.isfinite(one).all() and np.linalg.matrix_rank(one) == len(one):
                found[lane] = np.linalg.solve(one, other)
        return found

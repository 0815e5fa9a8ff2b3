"""Newton's method for Seekers' and Holders' strengths, many pairs of tables side by side.

With the log odds s_i - h_j the likelihood is concave, and its curvature along a step changes by a
factor of exp(r) at most, where r is the largest change of any log odds. Newton's step therefore
climbs while r is at most 1, and log(1 + r)/r of it does from anywhere: no line search is needed.
Tables must be connected; nothing is checked here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from audit.numbers._check import FloatArray

__all__ = ["Climbed", "climbed", "solved"]

TOLERANCE = 1e-7
"""The change of log odds below which a step is the last; what is left is about its square."""
PENALISED = 1e-10
"""The same of Firth's likelihood, whose steps shrink by a factor: what is left is of its size."""


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
    total, side = wins + losses, _side(seekers, holders)
    active: npt.NDArray[np.int64] = np.arange(lanes)
    least = PENALISED if penalised else TOLERANCE
    strengths = _begin(wins, losses, side, 0.5 if penalised else 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        for number in range(1, limit + 1):
            step = _step(wins, total, strengths, side, penalised)
            most = 2.0 * np.abs(step).max(axis=1)
            # Of NaN neither is true: such a lane, its curvature lost to rounding, ends unsettled.
            if not most.max() <= 1.0:
                wide = np.maximum(most, 1.0)
                step *= np.where(wide > 1.0, np.log1p(wide) / wide, 1.0)[:, None]
            strengths += step
            if not most.min() > least:
                going = most > least
                done = active[~going]
                found[done], iterations[done] = strengths[~going], number
                converged[done] = most[~going] <= least
                active, strengths = active[going], strengths[going]
                if not len(active):
                    break
                wins, total = wins[going], total[going]
    found[active] = strengths
    found -= found.sum(axis=1, keepdims=True) / (seekers + holders)
    return Climbed(found, converged, iterations)


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """Ones by which to sum: a product costs a fraction of a sum along a short axis."""

    across: FloatArray
    down: FloatArray
    identity: FloatArray


@lru_cache(maxsize=64)
def _side(seekers: int, holders: int) -> _Side:
    return _Side(np.ones((holders, 1)), np.ones((1, seekers)), np.eye(holders))


def _begin(wins: FloatArray, losses: FloatArray, side: _Side, more: float) -> FloatArray:
    """Return strengths by the margins alone, which a balanced design all but ends at."""
    both = np.stack([wins, losses])
    rows, columns = both @ side.across + more, side.down @ both + more
    whole = side.down @ rows
    root = np.sqrt(whole[0] / whole[1])
    own = np.log(rows[0] / rows[1] / root)
    other = np.log(columns[1] / columns[0] * root).swapaxes(1, 2)
    return np.asarray(np.concatenate([own, other], axis=1)[:, :, 0], dtype=np.float64)


def _step(
    wins: FloatArray, total: FloatArray, strengths: FloatArray, side: _Side, penalised: bool
) -> FloatArray:
    """Return Newton's step, solved for the Holders alone with the Seekers eliminated."""
    middle = wins.shape[1]
    chance = expit(strengths[:, :middle, None] - strengths[:, None, middle:])
    expected = total * chance
    worth = expected - expected * chance
    rest = wins - expected
    reduced = _Reduced.of(worth, side)
    if penalised:
        # Firth's score is that of so many more matches, half of them won: their curvature too.
        more = worth * reduced.variances()
        rest += more * (0.5 - chance)
        reduced = _Reduced.of(worth + more * chance * (1.0 - chance), side)
    own = rest @ side.across
    right = reduced.share.swapaxes(1, 2) @ own - (side.down @ rest).swapaxes(1, 2)
    holders = solved(reduced.left, right)
    moved = own / reduced.seekers + reduced.share @ holders
    return np.concatenate([moved, holders], axis=1)[:, :, 0]


@dataclass(frozen=True, slots=True, eq=False)
class _Reduced:
    """The information with the Seekers eliminated: what is left of the Holders'."""

    seekers: FloatArray
    share: FloatArray
    left: FloatArray

    @classmethod
    def of(cls, worth: FloatArray, side: _Side) -> _Reduced:
        seekers = worth @ side.across
        share = worth / seekers
        left = (side.down @ worth) * side.identity - worth.swapaxes(1, 2) @ share
        # A constant in every entry fixes the mean of the Holders, which nothing else does.
        return cls(seekers, share, left + seekers[:, :1])

    def variances(self) -> FloatArray:
        """Return the variance of each cell's log odds."""
        identity = np.broadcast_to(np.eye(self.left.shape[-1]), self.left.shape)
        holders = solved(self.left, identity)
        cross = self.share @ holders
        own = 1.0 / self.seekers + (cross * self.share) @ np.ones((self.left.shape[-1], 1))
        among = np.diagonal(holders, axis1=1, axis2=2)
        return np.asarray(own + among[:, None, :] - 2.0 * cross, dtype=np.float64)


def solved(left: FloatArray, right: FloatArray) -> FloatArray:
    """Solve lane by lane; NaN in lanes that rounding has made singular."""
    try:
        return np.asarray(np.linalg.solve(left, right), dtype=np.float64)
    except np.linalg.LinAlgError:
        found = np.full(right.shape, np.nan)
        for lane, (one, other) in enumerate(zip(left, right, strict=True)):
            if np.isfinite(one).all() and np.linalg.matrix_rank(one) == len(one):
                found[lane] = np.linalg.solve(one, other)
        return found

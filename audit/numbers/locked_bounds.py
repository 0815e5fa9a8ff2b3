"""From shares of items to shares of matches that a lock decides, and that a first guess stops.

One side asks until it locks a word, which wins or loses, or until a message is ruled a guess, which
loses at once. A guess that was missed should have stopped its match; a guess that was none should
not have, and what would have followed was never said. Hence bounds, from three sources: which
matches the missed guesses fell into, whether these are the ones with a right lock, and how a
match would have gone on.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from ._check import FloatArray, IntArray
from .estimate import Choice
from .match_bounds import MatchBounds, bounds_of_parts
from .recovery import CellLimits
from .two_phase import Checked

__all__ = ["PASSED", "Ending", "Locked", "locked_right", "locked_won", "stopped"]


class Ending(Choice):
    """How a match ended, as the first rater ruled."""

    RIGHT = "right lock"
    WRONG = "wrong lock"
    STOPPED = "stopped by a guess"
    GIVEN = "given up"
    """No ruling made this end; the match still has a winner."""


PASSED = tuple(Ending)
"""The order of the cells of messages that were let pass: by how their match ended."""

# Cells of a bound: right and wrong lock, the guess that stopped, messages passed by ending.
_RIGHT, _WRONG, _STOP, _PASS = 0, 1, 2, 3


@dataclass(frozen=True, slots=True, eq=False)
class Locked:
    """Matches that a lock or a guess ended.

    Attributes
    ----------
    ending : ndarray of int64, shape (matches,)
        Position in `PASSED`.
    passed : ndarray of int64, shape (matches,)
        Messages that the first rater let pass.
    won : ndarray of bool, shape (matches,)
        Whether the side that asks won; read of matches given up alone.
    cluster : ndarray of int64, shape (matches,)
    """

    ending: IntArray
    passed: IntArray
    won: npt.NDArray[np.bool_]
    cluster: IntArray


def locked_won(
    matches: Locked, right: Checked, guess: Checked, *, level: float, method: CellLimits
) -> MatchBounds:
    """Bound the share of matches that the side that asks wins.

    Parameters
    ----------
    matches : Locked
    right : Checked
        Truly right locks among those ruled right, and among those ruled wrong.
    guess : Checked
        True guesses among those ruled so, and among the messages let pass by ending.
    level : float
        Confidence level, in (0, 1).
    method : CellLimits
        How a cell's limits are made.

    Returns
    -------
    MatchBounds
        A match wrongly stopped is lost in the least and won in the most, but for one in which
        something was missed before.

    Notes
    -----
    Of two events with known shares in some matches, the share of both is bounded by Fréchet,
    doi:10.4064/fm-25-1-379-387. How many matches hold a missed guess is bounded as in
    `match_bounds.match_bounds`.
    """
    return _bounds(True, matches, right, guess, level=level, method=method)


def locked_right(
    matches: Locked, right: Checked, guess: Checked, *, level: float, method: CellLimits
) -> MatchBounds:
    """Bound the share of matches that a right lock ends; parameters as of `locked_won`."""
    return _bounds(False, matches, right, guess, level=level, method=method)


def stopped(matches: Locked, guess: Checked, *, level: float, method: CellLimits) -> MatchBounds:
    """Bound the share of matches that a true guess stops; parameters as of `locked_won`.

    Returns
    -------
    MatchBounds
        A match wrongly stopped is never stopped in the least, and later in the most.
    """
    least, most = (partial(_stopped, matches, most) for most in (False, True))
    return bounds_of_parts(least, most, matches.cluster, guess, level=level, method=method)


def _bounds(
    given: bool,
    matches: Locked,
    right: Checked,
    guess: Checked,
    *,
    level: float,
    method: CellLimits,
) -> MatchBounds:
    # In shares of what helps the side that asks, so that the bound falls in none.
    cells = Checked(
        np.concatenate([right.shares, 1.0 - guess.shares]),
        np.concatenate([right.sizes, guess.sizes]),
    )
    least, most = (partial(_won, matches, given, most) for most in (False, True))
    return bounds_of_parts(least, most, matches.cluster, cells, level=level, method=method)


def _won(matches: Locked, given: bool, most: bool, p: FloatArray) -> FloatArray:
    """Return each match's part in those won: a right end, and nothing missed before."""
    clean = 1.0 - _missed(matches, 1.0 - p[_PASS:], not most)
    ends = np.zeros(len(clean))
    part = ends.copy()
    ends[matches.ending == _place(Ending.RIGHT)] = p[_RIGHT]
    ends[matches.ending == _place(Ending.WRONG)] = p[_WRONG]
    ends[matches.ending == _place(Ending.STOPPED)] = p[_STOP] if most else 0.0
    given_up = matches.ending == _place(Ending.GIVEN)
    ends[given_up] = matches.won[given_up] if given else 0.0
    for place in range(len(PASSED)):
        inside = matches.ending == place
        if inside.any():
            part[inside] = _both(ends[inside], clean[inside], most=most)
    return part


def _stopped(matches: Locked, most: bool, p: FloatArray) -> FloatArray:
    """Return each match's part in those stopped: by the guess that was seen, or one missed."""
    part = _missed(matches, p[1:], most)
    inside = matches.ending == _place(Ending.STOPPED)
    if not inside.any():
        return part
    if most:
        part[inside] = 1.0
    else:
        # Stopped by neither is the same as innocent of both.
        innocent = np.full(int(inside.sum()), 1.0 - p[0])
        part[inside] = 1.0 - _both(innocent, 1.0 - part[inside], most=True)
    return part


def _missed(matches: Locked, rates: FloatArray, most: bool) -> FloatArray:
    """Return each match's part in those with a missed guess: spread out, or in the longest."""
    rate = rates[matches.ending]
    if most:
        return np.asarray(1.0 - (1.0 - rate) ** matches.passed)
    longest = np.ones(len(PASSED))
    np.maximum.at(longest, matches.ending, matches.passed)
    return np.asarray(matches.passed / longest[matches.ending] * rate)


def _both(one: FloatArray, other: FloatArray, *, most: bool) -> FloatArray:
    """Return each match's part in those of two events at once, bounded on average over them."""
    if most:
        return one if one.mean() <= other.mean() else other
    both = one + other - 1.0
    return both if both.mean() > 0.0 else np.zeros(len(both))


def _place(ending: Ending) -> int:
    return PASSED.index(ending)

"""How much a match counts by the turn at which it ended."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ._check import FloatArray, IntArray, as_index, as_size
from .estimate import Choice

__all__ = ["Multiplier", "multiplier"]


class Multiplier(Choice):
    """The weight of a match that ended at turn t of a horizon of h."""

    PRINTED = "printed"
    """(h + 1 - t)/(h/2): at h = 16 this is (17 - t)/8, whose mean over t is 1 + 1/h, not 1."""
    MEAN_ONE = "mean one"
    """(h + 1 - t)/((h + 1)/2): the same shape with mean 1 over t = 1 … h."""
    CONSTANT = "constant"
    """1."""
    LOG_LINEAR = "log linear"
    """Falls with the logarithm of t, ln((h + 1)/t), scaled to mean 1."""
    REVERSED = "reversed"
    """t/((h + 1)/2): late endings count more, mean 1."""


def multiplier(kind: Multiplier, turns: npt.ArrayLike, horizon: int) -> FloatArray:
    """Return how much each match counts by the turn at which it ended.

    Parameters
    ----------
    kind : Multiplier
        The rule.
    turns : array_like of int, shape (matches,)
        The last turn of each match, in [1, horizon].
    horizon : int
        The number of turns allowed, at least 1.

    Returns
    -------
    ndarray of float64, shape (matches,)
        Positive weights.

    Raises
    ------
    ValueError
        If the rule is unknown, or a turn or the horizon is out of range.
    """
    kind, horizon = Multiplier(kind), as_size("horizon", horizon)
    if horizon == 0:
        raise ValueError("horizon must be at least 1, found 0")
    last = as_index("turns", turns, horizon + 1)
    if (last == 0).any():
        raise ValueError("turns must be counted from 1, found 0")
    every = np.arange(horizon + 1)
    return np.asarray(_table(kind, every, horizon)[last], dtype=np.float64)


def _table(kind: Multiplier, turns: IntArray, horizon: int) -> FloatArray:
    """Return the weight of every turn from 0, of which none ends a match, to the horizon."""
    if kind is Multiplier.CONSTANT:
        return np.ones(len(turns))
    if kind is Multiplier.REVERSED:
        return turns * 2.0 / (horizon + 1)
    if kind is Multiplier.LOG_LINEAR:
        logs = np.log((horizon + 1) / np.maximum(turns, 1))
        return np.asarray(logs / logs[1:].mean(), dtype=np.float64)
    scale = horizon if kind is Multiplier.PRINTED else horizon + 1
    return np.asarray((horizon + 1 - turns) * 2.0 / scale, dtype=np.float64)

"""What a rate of error a turn comes to over the turns of a match."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ._check import FloatArray, as_size

__all__ = ["Compounded", "compounded"]


@dataclass(frozen=True, slots=True, eq=False)
class Compounded:
    """The chance of at least one error by each turn.

    Attributes
    ----------
    independent : ndarray of float64, shape (turns,)
        1 - (1 - r)^t, if an error on one turn says nothing of the next.
    least, most : ndarray of float64, shape (turns,)
        r, if all errors fall together, and min(1, t·r), if no two do.
    """

    independent: FloatArray
    least: FloatArray
    most: FloatArray


def compounded(rate: float, turns: int) -> Compounded:
    """Return the chance of at least one error by each turn, and its bounds under any dependence.

    Parameters
    ----------
    rate : float
        Of error a turn, in [0, 1].
    turns : int
        At least 1.

    Raises
    ------
    ValueError
        If an argument is outside its range.

    References
    ----------
    Bounds: Fréchet, doi:10.4064/fm-25-1-379-387.
    """
    if not 0.0 <= rate <= 1.0:
        raise ValueError(f"rate must lie in [0, 1], found {rate!r}")
    if as_size("turns", turns) == 0:
        raise ValueError("turns must be at least 1, found 0")
    turn = np.arange(1, turns + 1, dtype=np.float64)
    return Compounded(
        1.0 - (1.0 - rate) ** turn, np.full(turns, rate), np.minimum(1.0, turn * rate)
    )

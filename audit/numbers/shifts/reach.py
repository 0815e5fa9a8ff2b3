"""The smallest shift that so many rounds could show."""

from __future__ import annotations

import math

from scipy.optimize import brentq
from scipy.special import nctdtr, stdtrit

from audit.numbers._check import as_level, as_size

__all__ = ["power_of_halves", "smallest_shift"]


def power_of_halves(rounds: int, scale: float, shift: float, *, level: float = 0.05) -> float:
    """Return how often a two-sided t-test of the halves shows a step between them.

    Parameters
    ----------
    rounds : int
        In all, at least 3.
    scale : float
        The long-run scale of a round, above 0.
    shift : float
        By how much the second half lies above the first, in the unit of the scale.
    level : float
        Of the test.

    Returns
    -------
    float
        In [level, 1].
    """
    if as_size("rounds", rounds) < 3:
        raise ValueError(f"rounds must be at least 3, found {rounds}")
    if not 0.0 < scale < math.inf:
        raise ValueError(f"scale must be finite and above 0, found {scale!r}")
    limit = float(stdtrit(rounds - 2, 1.0 - as_level(level) / 2.0))
    # The law's far tails are computed as NaN: they are 0 to 14 digits there.
    away = min(abs(shift) * math.sqrt(rounds) / (2.0 * scale), max(30.0, 3.0 * limit))
    below, above = (float(nctdtr(rounds - 2, away, end)) for end in (-limit, limit))
    return (0.0 if math.isnan(below) else below) + 1.0 - above


def smallest_shift(rounds: int, scale: float, *, level: float = 0.05, power: float = 0.8) -> float:
    """Return the smallest step at half time that a test which knew of it would mostly show.

    Parameters
    ----------
    rounds : int
        In all, at least 3.
    scale : float
        The long-run scale of a round, at least 0; see `noise.long_run_scale`.
    level : float
        Of the test.
    power : float
        How often it is to be shown, above the level and below 1.

    Returns
    -------
    float
        In the unit of the scale. No test of these rounds shows less as often: where and when
        a shift comes is known to this one alone.
    """
    if not level < power < 1.0:
        raise ValueError(f"power must lie between level and 1, found {power!r}")
    if scale == 0.0:
        return 0.0
    most = scale
    while power_of_halves(rounds, scale, most, level=level) < power:
        most *= 2.0

    def lacking(shift: float) -> float:
        return power_of_halves(rounds, scale, shift, level=level) - power

    return float(brentq(lacking, 0.0, most, xtol=1e-9 * scale))

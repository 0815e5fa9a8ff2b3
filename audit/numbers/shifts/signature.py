"""An advantage that changes sides to and fro, which is what an arms race would look like.

The source's rule asks whether block means of the advantage change their sign twice. Noise does:
with n blocks and no difference at all the rule fires in 1 - n/2^(n-1) of all cases, 1/2 of four
blocks and all but 2 in 100,000 of twenty. It is computed here so that it can be shown.

The test asks more. The advantage must follow a square wave, of any run length that has three runs
or more, closer than its own block means do in other orders; and it must be above zero in the high
runs and below zero in the low ones, so that a leader who leads by more and by less is none.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr

from audit.numbers._check import FloatArray, as_numbers, as_size
from audit.numbers.estimate import Alternative, PValue, Undefined

from .orders import largest_p, laws

__all__ = ["Run", "Signature", "SourceRule", "signature", "source_rule", "source_rule_rate"]

_METHOD = "square wave, orders of block means, both sides above zero"
_LEAST = 4


@dataclass(frozen=True, slots=True)
class SourceRule:
    """What the source's rule counts and says.

    Attributes
    ----------
    alternations : int
        Changes of sign between neighbouring block means, those of zero left out.
    runs : int
        Runs of one sign.
    fires : bool
        Two alternations and three runs or more.
    """

    alternations: int
    runs: int
    fires: bool


@dataclass(frozen=True, slots=True)
class Run:
    """Blocks from ``start`` up to ``end`` (not itself), and their mean advantage."""

    start: int
    end: int
    mean: float


@dataclass(frozen=True, slots=True)
class Signature:
    """How an advantage alternates.

    Attributes
    ----------
    test : PValue
        Closeness to the best square wave, in [0, 1], and the largest of three p-values: of the
        wave, and one-sided of the advantage in its high and in its low runs.
    wave_p, high_p, low_p : float
        The three; NaN where undefined.
    length : int
        Blocks a run of the best wave; 0 where undefined.
    runs : tuple of Run
        The runs of the best wave.
    source : SourceRule
    """

    test: PValue
    wave_p: float
    high_p: float
    low_p: float
    length: int
    runs: tuple[Run, ...]
    source: SourceRule


def source_rule(advantage: npt.ArrayLike) -> SourceRule:
    """Return what the source's rule says of block means of an advantage.

    Parameters
    ----------
    advantage : array_like of float, shape (blocks,)
        Finite.

    Returns
    -------
    SourceRule
    """
    signs = np.sign(as_numbers("advantage", advantage))
    signs = signs[signs != 0]
    alternations = int((signs[1:] != signs[:-1]).sum())
    runs = alternations + 1 if signs.size else 0
    return SourceRule(alternations, runs, alternations >= 2 and runs >= 3)


def source_rule_rate(blocks: int, share: float = 0.5) -> float:
    """Return how often the source's rule fires where nothing alternates but chance.

    Parameters
    ----------
    blocks : int
        n, independent of each other.
    share : float
        The chance that a block's advantage is above zero, in [0, 1]; otherwise it is below.

    Returns
    -------
    float
        In [0, 1], enumerated: one less the chance of no change of sign and of one.
    """
    size = as_size("blocks", blocks)
    if not 0.0 <= share <= 1.0:
        raise ValueError(f"share must lie in [0, 1], found {share!r}")
    if size < 3:
        return 0.0
    first = np.arange(size)
    one, other = share**first, (1.0 - share) ** first
    # A sign for k blocks and the other for n - k; k = 0 is no change at all.
    few = (one * (1.0 - share) ** (size - first)).sum() + (other * share ** (size - first)).sum()
    return float(np.clip(1.0 - few, 0.0, 1.0))


def signature(advantage: npt.ArrayLike) -> Signature:
    """Test whether an advantage alternates between two sides.

    Parameters
    ----------
    advantage : array_like of float, shape (blocks,)
        Finite block means, in order, of one agent's points less the other's.

    Returns
    -------
    Signature
        Undefined below four blocks (``TOO_FEW``) or where means do not vary (``NO_SPREAD``).
        Swapping the agents changes nothing but signs.

    Notes
    -----
    The level is that of the wave's p-value; the two others only ever raise it.
    """
    means = as_numbers("advantage", advantage)
    source = source_rule(means)
    reason = None
    if len(means) < _LEAST:
        reason = Undefined.TOO_FEW
    elif (means == means[0]).all():
        reason = Undefined.NO_SPREAD
    if reason is not None:
        nothing = PValue(math.nan, math.nan, Alternative.TWO_SIDED, _METHOD, len(means), reason)
        return Signature(nothing, math.nan, math.nan, math.nan, 0, (), source)
    waves, lengths = _waves(len(means))
    size = math.sqrt(len(means)) * float(np.linalg.norm(means))

    def closeness(series: FloatArray) -> FloatArray:
        result: FloatArray = np.abs(series @ waves.T).max(axis=1) / size
        return result

    closest = float(closeness(means[None, :])[0])
    wave_p = largest_p(laws(np.sort(means), closeness), closest)
    overlap = waves @ means
    best = int(np.abs(overlap).argmax())
    wave = waves[best] * math.copysign(1.0, overlap[best])
    high, low = _above(means[wave > 0.0]), _above(-means[wave < 0.0])
    p = max(wave_p, high, low)
    test = PValue(min(1.0, closest), p, Alternative.TWO_SIDED, _METHOD, len(means))
    return Signature(test, wave_p, high, low, int(lengths[best]), _runs(means, wave), source)


@lru_cache(maxsize=64)
def _waves(blocks: int) -> tuple[FloatArray, FloatArray]:
    """Return the square waves of three runs or more, one a row, and their run lengths."""
    rows, lengths = [], []
    place = np.arange(blocks)
    for length in range(1, blocks // 3 + 1):
        for phase in range(length):
            rows.append(1.0 - 2.0 * ((place + phase) // length % 2))
            lengths.append(length)
    return np.array(rows), np.array(lengths, dtype=np.float64)


def _above(values: FloatArray) -> float:
    """Return Student's one-sided p-value of a mean above zero; 1 where there is no evidence."""
    mean = float(values.mean()) if values.size else 0.0
    if values.size < 2 or mean <= 0.0:
        return 1.0
    error = float(values.std(ddof=1)) / math.sqrt(len(values))
    return float(stdtr(len(values) - 1, -mean / error)) if error > 0.0 else 0.0


def _runs(means: FloatArray, wave: FloatArray) -> tuple[Run, ...]:
    turns = [0, *(np.flatnonzero(np.diff(wave)) + 1).tolist(), len(wave)]
    return tuple(Run(start, end, float(means[start:end].mean())) for start, end in pairwise(turns))

"""Does a series shift? One answer from every test, at one familywise level.

Three tests look at an agent's points: any change point, a trend, a difference of halves; a fourth,
where the other agent's points are given, at an advantage that alternates. Holm's correction makes
them one family, and all series that are asked together one family again: the chance that any of
them is called out where nothing shifts stays at the level.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from audit.numbers._check import FloatArray, IntArray, as_level, as_size, same_length
from audit.numbers.estimate import Choice, PValue

from .blocks import Blocks, block_means
from .change_points import ChangePoints, change_points, change_test, null_penalty
from .halves import Halves, halves
from .multiplicity import Correction, adjusted
from .noise import long_run_scale
from .reach import smallest_shift
from .signature import Signature, signature
from .trends import Trend, trend

__all__ = [
    "LEVEL",
    "MIN_SIZE",
    "Answer",
    "Detection",
    "Part",
    "Series",
    "Tested",
    "detect",
    "smallest_blocks",
]

LEVEL = 0.05
MIN_SIZE = 2
"""Blocks a segment: a single block that stands out is no new level."""


class Part(Choice):
    """What is tested of a series."""

    CHANGE = "change point"
    TREND = "trend"
    HALVES = "halves"
    SIGNATURE = "alternating advantage"


class Answer(Choice):
    """What the tests of a series come to."""

    DETECTED = "shift detected"
    NOT_DETECTED = "no shift detected"
    TOO_FEW = "too few blocks"
    """So few that no series whatever could be called shifted."""


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """An agent's rounds.

    Attributes
    ----------
    values : ndarray of float64, shape (rounds,)
        Finite, in order; void rounds are left out, and counted, by the caller.
    blocks : ndarray of int64, shape (rounds,)
        The block of every round, never falling; see `blocks.blocks_of`.
    against : ndarray of float64, shape (rounds,), or None
        The other agent's values in the same rounds.
    """

    values: FloatArray
    blocks: IntArray
    against: FloatArray | None = None


@dataclass(frozen=True, slots=True)
class Tested:
    """One test of a series: its p-value, the same adjusted for the family, and what that means."""

    part: Part
    test: PValue
    adjusted_p: float
    detected: bool


@dataclass(frozen=True, slots=True, eq=False)
class Detection:
    """What was found of a series.

    Attributes
    ----------
    answer : Answer
    p : float
        The smallest adjusted p-value; NaN where no test is defined.
    tested : tuple of Tested
        In the order of `Part`.
    changes : ChangePoints or None
        The best partition at the penalty of this family; None below two blocks.
    trend, halves : Trend, Halves
    signature : Signature or None
        None where the other agent's values were not given.
    means : Blocks
    needed : int
        The fewest blocks of which any could be called shifted in this family.
    scale : float
        Long-run scale of a round; NaN below three rounds.
    smallest : float
        The smallest step at half time, in the unit of the values, that a test which knew of it
        would show in 80 of 100 series of as many rounds of this noise; NaN below three rounds.
    """

    answer: Answer
    p: float
    tested: tuple[Tested, ...]
    changes: ChangePoints | None
    trend: Trend
    halves: Halves
    signature: Signature | None
    means: Blocks
    needed: int
    scale: float
    smallest: float


def detect(series: Sequence[Series], *, level: float = LEVEL) -> tuple[Detection, ...]:
    """Return what the tests find of one series or more, all of them one family.

    Parameters
    ----------
    series : sequence of Series
        Those to which one level is to hold together, such as the replicates of a condition.
    level : float
        The chance of any false detection, strictly between 0 and 1.

    Returns
    -------
    tuple of Detection
        In the order given.

    Raises
    ------
    ValueError
        If values are not finite, lengths differ, blocks fall, or the level is out of range.

    Notes
    -----
    Measured in ``benchmarks/arms_race.py``; see METHODS.md. Dependence that lasts well beyond a
    block is not told from a shift: a policy that switches by itself every few hundred rounds does
    shift between blocks.
    """
    as_level(level)
    found = [_Parts.of(each) for each in series]
    tests = [test for parts in found for test in parts.tests()]
    adjustment = adjusted([test.p for test in tests], Correction.HOLM).p.tolist()
    results = []
    for parts in found:
        count = len(parts.tests())
        own, adjustment = adjustment[:count], adjustment[count:]
        results.append(parts.answered(own, len(tests), level))
    return tuple(results)


@dataclass(frozen=True, slots=True, eq=False)
class _Parts:
    """The tests of one series before any correction."""

    means: Blocks
    change: PValue
    trend: Trend
    halves: Halves
    signature: Signature | None
    scale: float

    @classmethod
    def of(cls, series: Series) -> _Parts:
        values, blocks = series.values, series.blocks
        means = block_means(values, blocks)
        alternating = None
        if series.against is not None:
            same_length(values=values, against=series.against)
            alternating = signature(block_means(values - series.against, blocks).means)
        return cls(
            means,
            change_test(means.means, min_size=MIN_SIZE),
            trend(values, blocks),
            halves(values, blocks),
            alternating,
            long_run_scale(values),
        )

    def tests(self) -> list[PValue]:
        three = [self.change, self.trend.test, self.halves.test]
        return three if self.signature is None else [*three, self.signature.test]

    def answered(self, adjusted_p: list[float], family: int, level: float) -> Detection:
        tested = tuple(
            Tested(part, test, p, p <= level)
            for part, test, p in zip(Part, self.tests(), adjusted_p, strict=False)
        )
        size, needed = len(self.means), smallest_blocks(family, level=level)
        known = [each.adjusted_p for each in tested if not math.isnan(each.adjusted_p)]
        answer = Answer.NOT_DETECTED
        if size < needed:
            answer = Answer.TOO_FEW
        elif any(each.detected for each in tested):
            answer = Answer.DETECTED
        rounds = int(self.means.sizes.sum())
        return Detection(
            answer=answer,
            p=min(known, default=math.nan),
            tested=tested,
            changes=self._changes(family, level) if size > 1 else None,
            trend=self.trend,
            halves=self.halves,
            signature=self.signature,
            means=self.means,
            needed=needed,
            scale=self.scale,
            smallest=smallest_shift(rounds, self.scale) if rounds > 2 else math.nan,
        )

    def _changes(self, family: int, level: float) -> ChangePoints:
        penalty = null_penalty(len(self.means), min_size=MIN_SIZE, level=level / family)
        return change_points(self.means.means, penalty=penalty, min_size=MIN_SIZE)


@lru_cache(maxsize=64)
def smallest_blocks(family: int, *, level: float = LEVEL) -> int:
    """Return the fewest blocks of which any series could be called shifted.

    Parameters
    ----------
    family : int
        Tests that are corrected together, at least 1.
    level : float
        Of the family.

    Returns
    -------
    int
        The first number at which the clearest step, or the clearest trend, has a p-value that
        Holm's correction cannot lift above the level.
    """
    if as_size("family", family) == 0:
        raise ValueError("family must be at least 1, found 0")
    bar, size = as_level(level) / family, 2
    while True:
        place = np.arange(size)
        step = (place >= size // 2).astype(np.float64)
        tests = (trend(place, place).test, halves(step, place).test, change_test(step))
        if any(test.p <= bar for test in tests):
            return size
        size += 1

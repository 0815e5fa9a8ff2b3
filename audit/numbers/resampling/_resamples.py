"""The walk over all count vectors of resamples, block by block, and its rational double."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from scipy.stats import binom

from audit.numbers._check import FloatArray, IntArray

__all__ = ["blocks", "draw", "ways"]

_ROWS = 1 << 17
"""Rows of a block: large enough to amortise numpy's overhead, small enough to stay in the cache."""


@dataclass(frozen=True, slots=True)
class _Step:
    """One cell to be filled: its column, the column that keeps the rest, its share of what is left.

    Keeping the rest of a group in its last cell makes every row of the walk a full resample, so
    that the last cell needs no step of its own.
    """

    column: int
    rest: int
    share: float


def blocks(groups: Sequence[IntArray]) -> Iterator[tuple[IntArray, FloatArray]]:
    """Yield all count vectors of independent multinomial resamples, with their probabilities.

    The cells of the groups stand side by side. Memory is bounded by the block, not by the number of
    vectors.
    """
    steps, start = _plan(groups)
    stack: list[tuple[int, IntArray, FloatArray]] = [(0, start, np.ones(1))]
    while stack:
        depth, counts, mass = stack.pop()
        if depth == len(steps):
            yield counts, mass
            continue
        step = steps[depth]
        for piece in _pieces(counts[:, step.rest]):
            if piece.stop - piece.start < len(counts):
                stack.append((depth, counts[piece], mass[piece]))
            else:
                stack.append((depth + 1, *_grow(counts, mass, step)))


def ways(block: IntArray, groups: Sequence[IntArray]) -> tuple[npt.NDArray[np.object_], int]:
    """Return in how many of all ∏ n^n resamples each count vector arises, and that product."""
    everything = math.prod(n**n for n in (int(group.sum()) for group in groups))
    edges = np.cumsum([0, *(len(group) for group in groups)])
    found = np.empty(len(block), dtype=object)
    for row, vector in enumerate(block.tolist()):
        found[row] = math.prod(
            _arrangements(vector[low:high], group.tolist())
            for low, high, group in zip(edges[:-1], edges[1:], groups, strict=True)
        )
    return found, everything


def draw(groups: Sequence[IntArray], draws: int, rng: np.random.Generator) -> IntArray:
    """Return count vectors of resamples drawn at random, of shape (draws, cells of all groups)."""
    drawn = []
    for group in groups:
        total = int(group.sum())
        shares = group / total if total else np.full(len(group), 1.0 / len(group))
        drawn.append(rng.multinomial(total, shares, size=draws))
    return np.hstack(drawn).astype(np.int64)


def _plan(groups: Sequence[IntArray]) -> tuple[list[_Step], IntArray]:
    steps, start, offset = [], [], 0
    for group in groups:
        filled = np.flatnonzero(group)
        rest = offset + int(filled[-1]) if filled.size else offset
        left = int(group.sum())
        full = np.zeros(len(group), dtype=np.int64)
        full[rest - offset] = left
        start.append(full)
        for cell in filled[:-1]:
            steps.append(_Step(offset + int(cell), rest, int(group[cell]) / left))
            left -= int(group[cell])
        offset += len(group)
    return steps, np.concatenate(start)[None, :]


def _pieces(left: IntArray) -> list[slice]:
    """Cut rows so that each piece grows into at most a block, or is a single row."""
    ends = np.cumsum(left + 1)
    cuts = [0]
    while cuts[-1] < len(left):
        done = ends[cuts[-1] - 1] if cuts[-1] else 0
        reach = int(np.searchsorted(ends, done + _ROWS, side="right"))
        cuts.append(max(reach, cuts[-1] + 1))
    return [slice(low, high) for low, high in pairwise(cuts)]


def _grow(counts: IntArray, mass: FloatArray, step: _Step) -> tuple[IntArray, FloatArray]:
    """Replace every row by the rows that give the step's cell 0, 1, … up to all that is left."""
    fan = counts[:, step.rest] + 1
    rows = np.repeat(np.arange(len(counts)), fan)
    taken = np.arange(len(rows)) - np.repeat(np.cumsum(fan) - fan, fan)
    grown = counts[rows]
    chance = binom.pmf(taken, grown[:, step.rest], step.share)
    grown[:, step.column] = taken
    grown[:, step.rest] -= taken
    return grown, np.asarray(mass[rows] * chance, dtype=np.float64)


def _arrangements(vector: list[int], group: list[int]) -> int:
    ordered = math.factorial(sum(vector))
    for taken, available in zip(vector, group, strict=True):
        ordered = ordered // math.factorial(taken) * available**taken
    return ordered

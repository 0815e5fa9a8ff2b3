"""Resamples of whole blocks in the order in which they are drawn.

Where each block builds on the one before, a resample is a sequence and not a count: T blocks give
T^T of them. Blocks whose order decides nothing are the cells of a lattice with one observation
each: `bootstrap.enumerate_multinomial` of T ones, C(2T-1, T) resamples with their probabilities.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from audit.numbers._check import FloatArray, IntArray, as_size

from ._merge import float_law
from .bootstrap import ATOM_LIMIT, TIE_TOLERANCE, AtomLimitError
from .law import Engine, Law

__all__ = ["SequenceStatistic", "block_sequences", "drawn_sequences", "sequence_law"]

SequenceStatistic = Callable[..., FloatArray]
"""Blocks drawn, shape (resamples, draws) for each experiment, to values of shape (resamples,)."""


def block_sequences(blocks: int) -> IntArray:
    """Return every sequence of as many draws from so many blocks, in lexicographic order.

    Returns
    -------
    ndarray of int64, shape (T^T, T)
    """
    size = as_size("blocks", blocks)
    places = size ** np.arange(size)[::-1]
    return np.asarray(np.arange(size**size)[:, None] // places % max(size, 1), dtype=np.int64)


def drawn_sequences(blocks: int, draws: int, rng: np.random.Generator) -> IntArray:
    """Return sequences drawn at random, of shape (draws, T)."""
    return np.asarray(rng.integers(0, blocks, (draws, blocks)), dtype=np.int64)


def sequence_law(
    blocks: Sequence[int],
    statistic: SequenceStatistic,
    *,
    limit: int = ATOM_LIMIT,
    draws: int = 0,
    rng: np.random.Generator | None = None,
) -> Law:
    """Return the law of a statistic of blocks that are resampled in order.

    Parameters
    ----------
    blocks : sequence of int
        The blocks of each experiment; experiments are resampled independently.
    statistic : callable
        The blocks drawn, one array an experiment, to one value a resample.
    limit : int
        The largest number of sequences to enumerate.
    draws, rng
        How many to draw where there are more, and the source of randomness.

    Raises
    ------
    AtomLimitError
        If there are more sequences than the limit and none can be drawn.
    """
    sizes = [as_size("blocks", size) for size in blocks]
    atoms = math.prod(size**size for size in sizes)
    ones = [np.ones(size, dtype=np.int64) for size in sizes]
    if atoms <= limit:
        every = [block_sequences(size) for size in sizes]
        place = np.indices([len(each) for each in every]).reshape(len(sizes), -1)
        found = statistic(*(each[at] for each, at in zip(every, place, strict=True)))
        weights = np.full(atoms, 1.0 / atoms)
        return float_law(found, weights, ones, TIE_TOLERANCE, Engine.SEQUENCES)
    if rng is None or not draws:
        raise AtomLimitError(atoms, limit)
    found = statistic(*(drawn_sequences(size, draws, rng) for size in sizes))
    weights = np.full(draws, 1.0 / draws)
    return float_law(found, weights, ones, TIE_TOLERANCE, Engine.MONTE_CARLO)

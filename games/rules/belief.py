"""The ideal observer of AIDG-II: what the answers so far say about which noun is the secret.

Arrays only. Not covered: an observer that learns how reliable a Holder is, or that plans more than
one question ahead; the greedy count below is what one-step planning needs, not the least possible.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import entr

LETTERS = 3
# Two splits this close are one: without it the last bit of a sum would decide what is asked.
_DIGITS = 9

Table = NDArray[np.int8]
Floats = NDArray[np.float64]


def posterior(table: Table, asked: ArrayLike, answers: ArrayLike, noise: float) -> Floats:
    """Return each noun's probability given the answers, from a flat prior.

    An answer equals the table's cell with probability ``1 - noise`` and is otherwise either of the
    two other letters alike, independently of every other answer.

    Parameters
    ----------
    table : ndarray of int8, shape (n, p)
        Letter of every noun's true answer: 0, 1 or 2.
    asked, answers : array_like of int, shape (q,)
        Columns asked, in any order and with repeats, and the letters heard.
    noise : float
        Probability of a wrong answer, in [0, 1).

    Returns
    -------
    ndarray, shape (n,)
        Non-negative, sums to 1.

    Raises
    ------
    ValueError
        A number is out of range, or no noun fits the answers and noise is 0.
    """
    columns, heard = np.asarray(asked, dtype=np.intp), np.asarray(answers, dtype=np.int8)
    if columns.shape != heard.shape or columns.ndim != 1:
        raise ValueError(f"asked and answers must be alike, found {columns.shape}, {heard.shape}")
    if not 0 <= noise < 1:
        raise ValueError(f"noise must lie in [0, 1), found {noise!r}")
    if heard.size and not (heard.min() >= 0 and heard.max() < LETTERS):
        raise ValueError(f"answers must lie in [0, {LETTERS}), found {heard.tolist()}")
    # All nouns were asked alike, so that only how often each disagrees sets them apart.
    misses = (table[:, columns] != heard).sum(axis=1)
    if noise == 0 and misses.min() > 0:
        raise ValueError("answers fit no noun; noise must be positive")
    odds = noise / (LETTERS - 1) / (1 - noise)
    likeliest = misses.max() if odds > 1 else misses.min()
    weights = odds ** (misses - likeliest).astype(np.float64)
    return np.asarray(weights / weights.sum(), dtype=np.float64)


def entropy_split(table: Table, weights: ArrayLike) -> Floats:
    """Return the information expected of each property's honest answer.

    Parameters
    ----------
    table : ndarray of int8, shape (n, p)
        Letter of every noun's true answer: 0, 1 or 2.
    weights : array_like of float, shape (n,)
        Belief in each noun; non-negative, not all zero, scaled to sum 1 here.

    Returns
    -------
    ndarray, shape (p,)
        Bits, in [0, log2 3]: the entropy of the answer, since the noun decides it.

    Raises
    ------
    ValueError
        The weights have another length, a negative entry or no positive one.
    """
    belief = np.asarray(weights, dtype=np.float64)
    if belief.shape != (len(table),):
        raise ValueError(f"weights must have shape ({len(table)},), found {belief.shape}")
    if not ((belief >= 0).all() and belief.sum() > 0):
        raise ValueError("weights must be non-negative and not all zero")
    belief = belief / belief.sum()
    shares = [np.where(table == letter, belief[:, None], 0.0).sum(0) for letter in range(LETTERS)]
    return np.asarray(entr(np.array(shares)).sum(axis=0) / np.log(2), dtype=np.float64)


def best_question(
    table: Table, weights: ArrayLike, allowed: NDArray[np.bool_] | None = None
) -> int | None:
    """Return the property that tells most, the first of equals, or None where none tells anything.

    Parameters
    ----------
    table, weights
        As for `entropy_split`.
    allowed : ndarray of bool, shape (p,), optional
        Properties that may be asked; all of them by default.
    """
    bits = np.round(entropy_split(table, weights), _DIGITS)
    if allowed is not None:
        bits = np.where(allowed, bits, 0.0)
    best = int(np.argmax(bits)) if bits.size else 0
    return best if bits.size and bits[best] > 0 else None


def greedy_counts(table: Table, allowed: NDArray[np.bool_] | None = None) -> NDArray[np.int64]:
    """Return how many honestly answered greedy questions leave each noun as the only one.

    Parameters
    ----------
    table : ndarray of int8, shape (n, p)
        Letter of every noun's true answer: 0, 1 or 2.
    allowed : ndarray of bool, shape (p,), optional
        Properties that may be asked; all of them by default.

    Returns
    -------
    ndarray of int64, shape (n,)
        Questions, without the lock that follows.

    Raises
    ------
    ValueError
        Two nouns have equal rows, so that no question tells them apart.
    """
    counts = np.zeros(len(table), dtype=np.int64)
    open_sets = [(np.arange(len(table)), 0)] if len(table) else []
    while open_sets:
        rows, depth = open_sets.pop()
        if len(rows) == 1:
            counts[rows] = depth
            continue
        best = best_question(table[rows], np.ones(len(rows)), allowed)
        if best is None:
            raise ValueError(f"no question tells rows {rows.tolist()} apart")
        letters = table[rows, best]
        open_sets += [(rows[letters == letter], depth + 1) for letter in np.unique(letters)]
    return counts


def channel_bound(n: int, letters: int = LETTERS) -> int:
    """Return the fewest answers of an alphabet that can name one of ``n`` nouns: ceil(log n).

    Counted in whole numbers, since a floating logarithm misses exact powers.

    Raises
    ------
    ValueError
        There is no noun, or fewer than two letters.
    """
    if n < 1 or letters < 2:
        raise ValueError(f"n must be at least 1 and letters at least 2, found {n}, {letters}")
    answers, named = 0, 1
    while named < n:
        answers, named = answers + 1, named * letters
    return answers

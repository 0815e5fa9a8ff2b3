"""Two sampling designs whose first-order inclusion probabilities are known before the draw.

- **Plain**: in each stratum a simple random sample without replacement; an item of a stratum of N,
  of which n are drawn, has probability n / N.
- **One item a match**: the plain probabilities become sizes b. Matches are drawn by systematic
  sampling with probability P = min(1, c · b summed over the match's items), with c such that the P
  add up to the number asked for; of a drawn match, one item is drawn with probability b over that
  sum. Laid end to end, intervals of lengths P, none longer than 1, are met by points one unit apart
  at most once each, and with probability P, whatever the order of the matches; so an item has
  probability exactly P · b / sum. The count of a stratum is then known in expectation only.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Allocation(StrEnum):
    """How the number asked for is shared among strata."""

    PROPORTIONAL = "proportional"
    EQUAL = "equal"


def allocate(sizes: Ints, n: int, allocation: Allocation, minimum: int) -> Ints:
    """Return how many of ``n`` items each stratum gets, by Sainte-Laguë's divisors.

    Parameters
    ----------
    sizes : ndarray of int, shape (h,)
        Items in each stratum, at least 1.
    n : int
        Between what ``minimum`` takes and the sum of the sizes.
    allocation : Allocation
        Whether a stratum's claim is its size, or the same as any other's.
    minimum : int
        What each stratum gets first, or all that it has.

    Returns
    -------
    ndarray of int, shape (h,)
        Sums to ``n``; no stratum gets more than it has. Ties go to the earlier stratum.
    """
    claims = sizes if allocation is Allocation.PROPORTIONAL else np.ones_like(sizes)
    counts = np.minimum(sizes, minimum)
    while counts.sum() < n:
        quotients = np.where(counts < sizes, claims / (2 * counts + 1), -1.0)
        counts[quotients.argmax()] += 1
    return counts


def one_a_match(plain: Floats, match: Ints, n: int) -> Floats:
    """Return inclusion probabilities that sum to ``n`` overall and to at most 1 within a match.

    Parameters
    ----------
    plain : ndarray of float, shape (items,)
        Probabilities of the plain design, above 0: within a match they keep their ratios, and
        between matches too, but for those that would come to more than 1.
    match : ndarray of int, shape (items,)
        Match of each item, numbered from 0 without a gap.
    n : int
        At most the number of matches.

    Returns
    -------
    ndarray of float, shape (items,)
    """
    sums = np.bincount(match, weights=plain)
    falling = np.sort(sums)[::-1]
    rest = np.cumsum(falling[::-1])[::-1]
    certain = np.arange(n)
    scales = (n - certain) / rest[:n]
    # The first count of certain matches that leaves no other match above 1.
    scale = scales[(scales * falling[:n] <= 1 + 1e-12).argmax()]
    drawn = np.minimum(1.0, scale * sums)
    probabilities: Floats = np.minimum(1.0, plain * (drawn / sums)[match])
    return probabilities


def draw_plain(strata: Sequence[Ints], counts: Ints, rng: np.random.Generator) -> Ints:
    """Return a simple random sample of each stratum's members, joined."""
    drawn = [
        rng.choice(members, size=int(count), replace=False)
        for members, count in zip(strata, counts, strict=True)
    ]
    return np.concatenate(drawn)


def draw_one_a_match(probability: Floats, match: Ints, rng: np.random.Generator) -> Ints:
    """Return items drawn with the given probabilities, at most one of a match.

    Parameters
    ----------
    probability : ndarray of float, shape (items,)
        As ``one_a_match`` returns them.
    match : ndarray of int, shape (items,)
    rng : Generator

    Returns
    -------
    ndarray of int, shape (n,)
        Positions of the items; ``n`` is the sum of the probabilities.
    """
    sums = np.bincount(match, weights=probability)
    n = round(float(sums.sum()))
    order = rng.permutation(len(sums))
    ends = np.cumsum(sums[order])
    ends *= n / ends[-1]
    met = order[np.searchsorted(ends, rng.random() + np.arange(n), side="right")]
    drawn = []
    for number in met:
        members = np.flatnonzero(match == number)
        drawn.append(rng.choice(members, p=probability[members] / sums[number]))
    return np.array(drawn, dtype=np.int64)

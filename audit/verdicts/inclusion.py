"""Two sampling designs whose first-order inclusion probabilities are known before the draw.

- **Plain**: in each stratum a simple random sample without replacement; an item of a stratum of N,
  of which n are drawn, has probability n / N.
- **One item a match**: the plain probabilities become sizes b. A match gets the probability
  P = min(1, c · b summed over its items), with c such that the P add up to the number asked for,
  and each of its items the share b over that sum of it. Items are laid end to end as intervals of
  these lengths, match by match in chance order, and met by points one unit apart: an item with
  exactly its probability, and a match, whose interval is no longer than 1, at most once. The count
  of a stratum is then known in expectation only.
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
    NEYMAN = "neyman"


def allocate(
    sizes: Ints, n: int, allocation: Allocation, minimum: int, chances: Floats | None = None
) -> Ints:
    """Return how many of ``n`` items each stratum gets, by a divisor method.

    Sainte-Laguë's divisors, and for Neyman's allocation √(c(c+1)), with which the sum over strata
    of (N·S)²/n is the least of all whole numbers (Wright, doi:10.1080/00031305.2012.733679).

    Parameters
    ----------
    sizes : ndarray of int, shape (h,)
        Items in each stratum, at least 1.
    n : int
        Between what ``minimum`` takes and the sum of the sizes.
    allocation : Allocation
        Whether a stratum's claim is its size, the same as any other's, or its size times the
        standard deviation of its labels, √(p(1-p)).
    minimum : int
        What each stratum gets first, or all that it has; at least 1 for Neyman's allocation.
    chances : ndarray of float, shape (h,), optional
        The share p of positives anticipated in each stratum, which Neyman's allocation needs.

    Returns
    -------
    ndarray of int, shape (h,)
        Sums to ``n``; no stratum gets more than it has. Ties go to the earlier stratum.
    """
    neyman = allocation is Allocation.NEYMAN
    if neyman and (chances is None or minimum < 1):
        raise ValueError("Neyman's allocation needs `chances` and a `minimum` of at least 1")
    claims = _claims(sizes, allocation, chances)
    counts = np.minimum(sizes, minimum)
    while counts.sum() < n:
        divisors = np.sqrt(counts * (counts + 1)) if neyman else 2 * counts + 1
        quotients = np.where(counts < sizes, claims / divisors, -1.0)
        counts[quotients.argmax()] += 1
    return counts


def _claims(sizes: Ints, allocation: Allocation, chances: Floats | None) -> Floats:
    if allocation is Allocation.EQUAL:
        return np.ones(len(sizes))
    if chances is not None and allocation is Allocation.NEYMAN:
        claims: Floats = sizes * np.sqrt(chances * (1 - chances))
        if claims.any():
            return claims
    return sizes.astype(np.float64)


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
    place = rng.permutation(int(match.max()) + 1)[match]
    order = np.argsort(place, kind="stable")
    ends = np.cumsum(probability[order])
    n = round(float(ends[-1]))
    ends *= n / ends[-1]
    drawn: Ints = order[np.searchsorted(ends, rng.random() + np.arange(n), side="right")]
    return drawn

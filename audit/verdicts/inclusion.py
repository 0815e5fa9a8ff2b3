"""Two sampling designs whose first-order inclusion probabilities are known, at every size.

Both put the items in an order of entry: the first n of it are the sample of n, so that a longer
sample holds a shorter one whole.

- **Plain**: each stratum in chance order, and from one item to the next the stratum whose turn it
  is by the allocation. An item of a stratum of N, of which n are drawn, has probability n / N.
- **One item a match**: the plain probabilities become sizes b. A match gets the probability
  P = min(1, c · b summed over its items), with c such that the P add up to the number asked for,
  and each of its items the share b over that sum of it. Matches go one by one, from all of them
  down to one, each as likely as takes those that remain from their P at one size to their P at the
  next (Tillé's elimination, doi:10.1093/biomet/83.1.238); the order of entry is theirs backwards.
  The count of a stratum is then known in expectation only.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


ONE = 1 + 1e-12  # sums that come to 1 may come out just above


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
        Sums to ``n``; no stratum gets more than it has. Ties go to the earlier stratum, and none
        gets less of a larger number.
    """
    turns = allotted(sizes, n, allocation, minimum, chances)
    return np.bincount(turns, minlength=len(sizes)).astype(np.int64)


def allotted(
    sizes: Ints, n: int, allocation: Allocation, minimum: int, chances: Floats | None = None
) -> Ints:
    """Return the stratum of each of ``n`` items, in the order in which strata get them.

    The parameters are those of ``allocate``. Of a larger number the beginning is the same.

    Returns
    -------
    ndarray of int, shape (n,)
    """
    neyman = allocation is Allocation.NEYMAN
    if neyman and (chances is None or minimum < 1):
        raise ValueError("Neyman's allocation needs `chances` and a `minimum` of at least 1")
    claims = _claims(sizes, allocation, chances)
    counts = np.minimum(sizes, minimum)
    turns = np.repeat(np.arange(len(sizes)), counts).tolist()
    while len(turns) < n:
        divisors = np.sqrt(counts * (counts + 1)) if neyman else 2 * counts + 1
        quotients = np.where(counts < sizes, claims / divisors, -1.0)
        turns.append(int(quotients.argmax()))
        counts[turns[-1]] += 1
    return np.array(turns, dtype=np.int64)


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
    scale = scales[(scales * falling[:n] <= ONE).argmax()]
    drawn = np.minimum(1.0, scale * sums)
    probabilities: Floats = np.minimum(1.0, plain * (drawn / sums)[match])
    return probabilities


def entered_plain(strata: Sequence[Ints], turns: Ints, rng: np.random.Generator) -> Ints:
    """Return all members in an order of entry: each stratum in chance order, strata by turns.

    Parameters
    ----------
    strata : sequence of ndarray of int
        Positions of each stratum's members.
    turns : ndarray of int, shape (items,)
        As ``allotted`` returns them for all items there are.
    rng : Generator
    """
    shuffled = np.concatenate([rng.permutation(members) for members in strata])
    entered = np.empty(len(turns), dtype=np.int64)
    entered[np.argsort(turns, kind="stable")] = shuffled
    return entered


def entered_one_a_match(plain: Floats, match: Ints, rng: np.random.Generator) -> Ints:
    """Return one item of each match in an order of entry: the first n as ``one_a_match`` says.

    Parameters
    ----------
    plain : ndarray of float, shape (items,)
        As ``one_a_match`` takes them.
    match : ndarray of int, shape (items,)
    rng : Generator

    Returns
    -------
    ndarray of int, shape (matches,)
        Positions of items.
    """
    order = np.argsort(match, kind="stable")
    sums = np.bincount(match, weights=plain).astype(np.float64)
    ends = np.cumsum(plain[order])
    places = ends[np.flatnonzero(np.diff(match[order], append=-1))] - rng.random(len(sums)) * sums
    # The item of each match in whose stretch a point falls, chosen once for all sizes.
    first = np.flatnonzero(np.diff(match[order], prepend=-1))
    last = np.append(first[1:], len(order)) - 1
    chosen = order[np.clip(np.searchsorted(ends, places, side="left"), first, last)]
    entered: Ints = chosen[_eliminated(sums, rng)[::-1]]
    return entered


def _eliminated(sizes: Floats, rng: np.random.Generator) -> Ints:
    """Return units in the order in which they go, with probability min(1, c · size) at each count.

    As long as some are certain, one goes at a time: of those that were certain before, each with
    1 - P; else any of the others. Once none is certain, all that remain are equally likely to go.
    """
    falling = np.argsort(-sizes, kind="stable")
    size = sizes[falling]
    rest = np.append(np.cumsum(size[::-1])[::-1], 0.0)
    certain = len(size)
    remain: list[int] = []
    gone: list[int] = []
    for left in range(len(size) - 1, 0, -1):
        if certain == 0:
            break
        before = certain
        # Certain are as many of the largest as would come to more than 1.
        while certain and (left - certain + 1) * size[certain - 1] <= rest[certain - 1] * ONE:
            certain -= 1
        scale = (left - certain) / rest[certain]
        leaving = list(range(certain, before))
        gone.append(_goes(leaving, remain, 1 - scale * size[certain:before], rng))
    remaining = [*range(certain), *remain]
    return falling[np.array([*gone, *rng.permutation(remaining)], dtype=np.int64)]


def _goes(leaving: list[int], remain: list[int], odds: Floats, rng: np.random.Generator) -> int:
    """Return who goes, take it from ``remain``, and put there those that stay and are uncertain."""
    point = rng.random()
    ends = np.cumsum(np.maximum(odds, 0.0))
    place = int(np.searchsorted(ends, point, side="right"))
    if place < len(leaving) or not remain:
        one = leaving.pop(min(place, len(leaving) - 1))
    else:
        below = float(ends[-1]) if len(ends) else 0.0
        at = min(int((point - below) / (1 - below) * len(remain)), len(remain) - 1)
        remain[at], remain[-1] = remain[-1], remain[at]
        one = remain.pop()
    remain.extend(leaving)
    return one


def draw_plain(strata: Sequence[Ints], counts: Ints, rng: np.random.Generator) -> Ints:
    """Return a simple random sample of each stratum's members, joined."""
    drawn = [
        rng.choice(members, size=int(count), replace=False)
        for members, count in zip(strata, counts, strict=True)
    ]
    return np.concatenate(drawn)

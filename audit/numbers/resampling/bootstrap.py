"""The complete bootstrap of statistics of counts, by enumeration.

A resample of n observations matters only through how many fell into each cell, so the n^n resamples
collapse into C(n+m-1, m-1) count vectors over the m cells that are not empty. They are walked cell
by cell. The probability of a vector is a product of binomials, each cell given what the earlier
ones left: that keeps full relative precision where logarithms of factorials lose digits (at
n = 2000 they miss a total of 1 by 1e-12, the product by 2e-16).

Enumeration removes Monte Carlo error. It promises nothing about coverage, and under the plain
bootstrap an empty cell stays empty.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from audit.numbers._check import FloatArray, IntArray, as_counts, as_size
from audit.numbers.statistic import Statistic
from games.errors import AidgError

from ._merge import float_law, rational_law
from ._resamples import blocks, draw, ways
from .law import Engine, Law

__all__ = [
    "ATOM_LIMIT",
    "TIE_TOLERANCE",
    "AtomLimitError",
    "Law",
    "enumerate_multinomial",
    "enumerate_product",
    "sample_product",
    "support_size",
]

ATOM_LIMIT = 2_000_000
"""Default number of count vectors above which nothing is enumerated."""

TIE_TOLERANCE = 1e-12
"""Default relative distance under which two values are one.

Float statistics of a few hundred observations err by some 1e-14, while two different ratios with
denominators up to D differ by at least 1/D²: 2.7e-11 for κ at n = 439. Between the two lies 1e-12.
With the statistics of `statistic`, whose ties are exact, 0 may be given."""


class AtomLimitError(AidgError, ValueError):
    """An enumeration would need more count vectors than allowed.

    Parameters
    ----------
    atoms : int
        How many it would need.
    limit : int
        How many were allowed.
    """

    def __init__(self, atoms: int, limit: int) -> None:
        self.atoms, self.limit = atoms, limit
        super().__init__(
            f"enumeration needs {atoms} count vectors, the limit is {limit}: "
            "raise the limit, merge cells, or sample"
        )


def support_size(total: int, cells: int) -> int:
    """Return how many count vectors a total can be spread into.

    Parameters
    ----------
    total : int
        The number of observations.
    cells : int
        The number of cells that are not empty.

    Returns
    -------
    int
        C(total + cells - 1, cells - 1); for no cells, 1 if the total is 0, else 0.

    Raises
    ------
    ValueError
        If either is no count.
    """
    total, cells = as_size("total", total), as_size("cells", cells)
    if cells == 0:
        return int(total == 0)
    return math.comb(total + cells - 1, cells - 1)


def enumerate_multinomial(
    counts: npt.ArrayLike,
    statistic: Statistic,
    *,
    limit: int = ATOM_LIMIT,
    exact: bool = False,
    tie_tolerance: float = TIE_TOLERANCE,
) -> Law:
    """Return the bootstrap law of a statistic of one vector of counts.

    Parameters
    ----------
    counts : array_like of int, shape (cells,)
        How many observations fell into each cell; a table goes in row by row.
    statistic : callable
        Whole counts of shape (atoms, cells) to values of shape (atoms,), NaN where undefined.
    limit, exact, tie_tolerance
        As for `enumerate_product`.

    Returns
    -------
    Law
        The law. Without observations the single resample is empty.

    Raises
    ------
    AtomLimitError, ValueError
        As `enumerate_product`.
    """
    return enumerate_product(
        [as_counts("counts", counts)],
        statistic,
        limit=limit,
        exact=exact,
        tie_tolerance=tie_tolerance,
    )


def enumerate_product(
    counts_by_group: Sequence[npt.ArrayLike],
    statistic: Statistic,
    *,
    limit: int = ATOM_LIMIT,
    exact: bool = False,
    tie_tolerance: float = TIE_TOLERANCE,
) -> Law:
    """Return the bootstrap law of a statistic of independent groups, each resampled by itself.

    Parameters
    ----------
    counts_by_group : sequence of array_like of int, each of shape (cells of that group,)
        The counts of each group; two binomials are ``[[x1, n1 - x1], [x2, n2 - x2]]``.
    statistic : callable
        Whole counts of shape (atoms, cells of all groups in order) to values of shape (atoms,), NaN
        where undefined.
    limit : int
        The largest number of count vectors to enumerate.
    exact : bool
        Whether to carry the probabilities as fractions too; slow, for small n.
    tie_tolerance : float
        Relative distance under which two values are one, at least 0.

    Returns
    -------
    Law
        The law. A group without observations stays empty in every resample.

    Raises
    ------
    AtomLimitError
        If there are more count vectors than the limit.
    ValueError
        If the counts or the tolerance are not allowed, or the statistic returns another shape.

    References
    ----------
    Efron, doi:10.1214/aos/1176344552. Diaconis and Holmes, doi:10.1007/BF00156752.
    """
    groups = _groups(counts_by_group)
    atoms = math.prod(support_size(int(g.sum()), np.count_nonzero(g)) for g in groups)
    if atoms > limit:
        raise AtomLimitError(atoms, limit)
    if exact:
        vectors = np.concatenate([block for block, _ in blocks(groups)])
        found, everything = ways(vectors, groups)
        return rational_law(_evaluate(statistic, vectors), found, everything, groups, tie_tolerance)
    values, weights, done = np.empty(atoms), np.empty(atoms), 0
    for block, mass in blocks(groups):
        rows = slice(done, done + len(block))
        values[rows], weights[rows], done = _evaluate(statistic, block), mass, rows.stop
    return float_law(values, weights, groups, tie_tolerance, Engine.ENUMERATED)


def sample_product(
    counts_by_group: Sequence[npt.ArrayLike],
    statistic: Statistic,
    *,
    draws: int,
    rng: np.random.Generator,
    tie_tolerance: float = TIE_TOLERANCE,
) -> Law:
    """Return the bootstrap law of a statistic from resamples drawn at random.

    For what is too large to enumerate; read its quantiles with `Law.quantile_band`.

    Parameters
    ----------
    counts_by_group : sequence of array_like of int
        As for `enumerate_product`.
    statistic : callable
        As for `enumerate_product`.
    draws : int
        How many resamples to draw, at least 1.
    rng : numpy.random.Generator
        The source of randomness.
    tie_tolerance : float
        Relative distance under which two values are one, at least 0.

    Returns
    -------
    Law
        The law, each draw with weight 1/draws.

    Raises
    ------
    ValueError
        If the counts, the draws or the tolerance are not allowed, or the statistic returns another
        shape.
    """
    groups = _groups(counts_by_group)
    if as_size("draws", draws) == 0:
        raise ValueError("draws must be at least 1, found 0")
    values = _evaluate(statistic, draw(groups, draws, rng))
    weights = np.full(draws, 1.0 / draws)
    return float_law(values, weights, groups, tie_tolerance, Engine.MONTE_CARLO)


def _groups(counts_by_group: Sequence[npt.ArrayLike]) -> list[IntArray]:
    if not len(counts_by_group):
        raise ValueError("counts_by_group must hold at least one group")
    return [as_counts(f"counts of group {i}", group) for i, group in enumerate(counts_by_group)]


def _evaluate(statistic: Statistic, counts: IntArray) -> FloatArray:
    values = np.asarray(statistic(counts), dtype=np.float64)
    if values.shape != (len(counts),):
        raise ValueError(
            f"statistic must return shape {(len(counts),)}, found shape {values.shape}"
        )
    return values

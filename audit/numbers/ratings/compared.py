"""Whether several ways to rate put the same players in the same order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from audit.numbers._check import FloatArray

__all__ = ["Ordered", "ordered_alike"]


@dataclass(frozen=True, slots=True)
class Ordered:
    """The order of players in one role by one estimator, beside that by another.

    Attributes
    ----------
    estimator, reference : str
    role : str
        ``seeker`` or ``holder``.
    swapped : tuple of (int, int)
        Pairs of players that the two put in opposite orders.
    tied : tuple of (int, int)
        Pairs that one of them, or both, cannot tell apart.
    pairs : int
    """

    estimator: str
    reference: str
    role: str
    swapped: tuple[tuple[int, int], ...]
    tied: tuple[tuple[int, int], ...]
    pairs: int

    @property
    def same(self) -> bool:
        """Whether no pair is swapped or tied."""
        return not self.swapped and not self.tied

    @property
    def tau(self) -> float:
        """Kendall's τ_a: pairs in the same order less those swapped, over all; NaN without any."""
        alike = self.pairs - len(self.tied) - 2 * len(self.swapped)
        return alike / self.pairs if self.pairs else float("nan")


def ordered_alike(
    ratings: Mapping[str, FloatArray], reference: str, *, within: float = 1e-6
) -> tuple[Ordered, ...]:
    """Compare the order of players by every estimator with that by one of them, role by role.

    Parameters
    ----------
    ratings : mapping
        Name of an estimator to ratings of shape (2 * players,), Seekers first.
    reference : str
        One of the names.
    within : float
        Ratings that differ by no more than this are tied.

    Raises
    ------
    ValueError
        If the reference is not among the names, or the numbers of players differ.
    """
    if reference not in ratings:
        raise ValueError(f"reference must be one of {', '.join(ratings)}; found {reference!r}")
    if len({len(each) for each in ratings.values()}) > 1:
        raise ValueError("ratings must all be of the same players")
    half = len(ratings[reference]) // 2
    parts = {"seeker": slice(half), "holder": slice(half, None)}
    signs = {
        (name, role): _signs(each[part], within)
        for name, each in ratings.items()
        for role, part in parts.items()
    }
    pairs = list(combinations(range(half), 2))
    found = []
    for (name, role), one in signs.items():
        if name != reference:
            product = one * signs[reference, role]
            swapped = tuple(pair for pair in pairs if product[pair] < 0)
            tied = tuple(pair for pair in pairs if product[pair] == 0)
            found.append(Ordered(name, reference, role, swapped, tied, len(pairs)))
    return tuple(found)


def _signs(values: FloatArray, within: float) -> FloatArray:
    gap = values[:, None] - values[None, :]
    return np.where(np.abs(gap) <= within, 0.0, np.sign(gap))

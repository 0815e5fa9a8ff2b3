"""What a majority came to on labelled items, and would have, had its raters erred independently."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ._check import FloatArray, IntArray, as_index, as_numbers
from .votes import ABSENT, as_votes, leading, one_an_item

__all__ = ["MajorityErrors", "majority_errors", "majority_law"]


@dataclass(frozen=True, slots=True)
class MajorityErrors:
    """What a majority came to on labelled items, and would have, had raters erred independently.

    Attributes
    ----------
    wrong, tied : float
        Shares of the items, as observed.
    wrong_expected, tied_expected : float
        Under independence given the true class, with each rater's confusion as observed on the
        same items.
    items : int
        With at least one vote.
    """

    wrong: float
    tied: float
    wrong_expected: float
    tied_expected: float
    items: int


def majority_errors(
    votes: npt.ArrayLike,
    truth: npt.ArrayLike,
    classes: int,
    weights: npt.ArrayLike | None = None,
) -> MajorityErrors:
    """Return how often a majority errs, and how often independent raters' would.

    Parameters
    ----------
    votes : array_like of int, shape (items, raters)
        A class in [0, k), or `ABSENT`; at least one vote.
    truth : array_like of int, shape (items,)
        In [0, k).
    classes : int
        k.
    weights : array_like of float, shape (items,), optional
        How many items of the population each stands for, above 0; 1 if not given.

    Returns
    -------
    MajorityErrors
        A tie is neither right nor wrong.
    """
    table = as_votes(votes, classes)
    true = one_an_item("truth", as_index("truth", truth, classes), table)
    heavy = np.ones(len(table)) if weights is None else as_numbers("weights", weights)
    one_an_item("weights", heavy, table)
    kept = (table != ABSENT).any(axis=1)
    if not kept.any():
        raise ValueError("votes must hold at least one vote")
    table, true, heavy = table[kept], true[kept], heavy[kept]
    said = table[:, :, None] == np.arange(classes)
    most = leading(said.sum(axis=1).astype(np.float64), 0.5)
    rates = _rates(said, true, heavy)
    laws = [_law_of(rates[:, c], row != ABSENT) for row, c in zip(table, true, strict=True)]
    right = np.array([law[c] for law, c in zip(laws, true, strict=True)])
    tied = np.array([law[-1] for law in laws])
    share = heavy / heavy.sum()
    return MajorityErrors(
        wrong=float(share @ ((most != true) & (most != ABSENT))),
        tied=float(share @ (most == ABSENT)),
        wrong_expected=float(np.clip(share @ (1.0 - right - tied), 0.0, 1.0)),
        tied_expected=float(share @ tied),
        items=len(table),
    )


def majority_law(chances: npt.ArrayLike) -> FloatArray:
    """Return the chance that each class has more votes than any other, voters being independent.

    Parameters
    ----------
    chances : array_like of float, shape (voters, k)
        Of each voter's vote; rows sum to 1.

    Returns
    -------
    ndarray of float64, shape (k + 1,)
        The last is the chance of a tie; the sum is 1.
    """
    rows = np.asarray(chances, dtype=np.float64)
    if rows.ndim != 2 or 0 in rows.shape or not np.allclose(rows.sum(axis=1), 1.0):
        raise ValueError("chances must be one distribution over the classes a voter")
    return np.array(_law(tuple(tuple(row) for row in rows.tolist())))


def _rates(said: npt.NDArray[np.bool_], true: IntArray, heavy: FloatArray) -> FloatArray:
    """Return how each rater votes in each true class, shape (raters, k, k)."""
    classes = said.shape[2]
    inside = (true[:, None] == np.arange(classes)) * heavy[:, None]
    cells = np.einsum("ic,irk->rck", inside, said)
    totals = cells.sum(axis=2, keepdims=True)
    rates: FloatArray = cells / np.where(totals > 0.0, totals, 1.0)
    return rates


def _law_of(rates: FloatArray, voted: npt.NDArray[np.bool_]) -> tuple[float, ...]:
    return _law(tuple(tuple(row) for row in rates[voted].tolist()))


@lru_cache(maxsize=4096)
def _law(rows: tuple[tuple[float, ...], ...]) -> tuple[float, ...]:
    classes = len(rows[0])
    counts: dict[tuple[int, ...], float] = {(0,) * classes: 1.0}
    for row in rows:
        after: dict[tuple[int, ...], float] = defaultdict(float)
        for count, chance in counts.items():
            for said, own in enumerate(row):
                if own > 0.0:
                    after[(*count[:said], count[said] + 1, *count[said + 1 :])] += chance * own
        counts = after
    law = [0.0] * (classes + 1)
    for count, chance in counts.items():
        most = max(count)
        law[count.index(most) if count.count(most) == 1 else classes] += chance
    return tuple(law)

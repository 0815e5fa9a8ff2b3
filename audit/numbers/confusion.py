"""From two lists of labels to a table over a declared domain, and the rates of one category.

The domain is never read off the labels: a category that nobody used still counts for weighted
agreement, and a label outside the domain is an error, not a category more.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
import numpy.typing as npt

from ._check import FloatArray, IntArray, as_numbers, as_size, as_square
from .estimate import Estimate
from .proportion import ProportionMethod, proportion

__all__ = [
    "confusion_table",
    "one_against_rest",
    "sensitivity",
    "specificity",
    "weighted_table",
]


def confusion_table(
    first: Sequence[Hashable], second: Sequence[Hashable], domain: Sequence[Hashable]
) -> IntArray:
    """Count how two raters labelled the same items.

    Parameters
    ----------
    first, second : sequence of hashable, each of length n
        One label an item, in the same order; items that either left unlabelled must be taken out,
        and counted, beforehand.
    domain : sequence of hashable, length k
        Every category, used or not, in order.

    Returns
    -------
    ndarray of int64, shape (k, k)
        Rows are the first rater's categories, columns the second's; the sum is n.

    Raises
    ------
    ValueError
        If the lengths differ, the domain has fewer than two categories or repeats one, or a label
        lies outside it.
    """
    if len(first) != len(second):
        raise ValueError(f"raters must label the same items, found {len(first)} and {len(second)}")
    position = {category: i for i, category in enumerate(domain)}
    if len(position) < 2 or len(position) < len(domain):
        raise ValueError(f"domain must hold 2 or more distinct categories, found {list(domain)!r}")
    table = np.zeros((len(position), len(position)), dtype=np.int64)
    for one, other in zip(first, second, strict=True):
        table[_place(one, position), _place(other, position)] += 1
    return table


def weighted_table(
    first: Sequence[Hashable],
    second: Sequence[Hashable],
    domain: Sequence[Hashable],
    weights: npt.ArrayLike,
) -> FloatArray:
    """Add up how much of the population two raters labelled alike and apart.

    Parameters
    ----------
    first, second, domain
        As for `confusion_table`.
    weights : array_like of float, shape (n,)
        How many items of the population each labelled one stands for, above 0.

    Returns
    -------
    ndarray of float64, shape (k, k)
        Its sum is that of the weights.

    Raises
    ------
    ValueError
        As `confusion_table`; if the weights are not one an item, or not above 0.
    """
    heavy = as_numbers("weights", weights)
    if len(heavy) != len(first):
        raise ValueError(f"weights must be one an item, found {len(heavy)} for {len(first)} items")
    if not (heavy > 0.0).all():
        raise ValueError(f"weights must be above 0, found {heavy.min()}")
    position = {category: i for i, category in enumerate(domain)}
    confusion_table(first, second, domain)  # for its refusals
    table = np.zeros((len(position), len(position)))
    rows, columns = ([position[label] for label in labels] for labels in (first, second))
    np.add.at(table, (rows, columns), heavy)
    return table


def one_against_rest(table: npt.ArrayLike, category: int) -> IntArray:
    """Collapse a square table to one category against all others.

    Parameters
    ----------
    table : array_like of int, shape (k, k)
        The counts.
    category : int
        The position of the category, in [0, k).

    Returns
    -------
    ndarray of int64, shape (2, 2)
        The category first.

    Raises
    ------
    ValueError
        If the table or the category are not allowed.
    """
    counts = as_square(table)
    if as_size("category", category) >= len(counts):
        raise ValueError(f"category must lie in [0, {len(counts)}), found {category}")
    both = counts[category, category]
    row, column, total = counts[category].sum(), counts[:, category].sum(), counts.sum()
    return np.array([[both, row - both], [column - both, total - row - column + both]])


def sensitivity(
    table: npt.ArrayLike,
    *,
    positive: int,
    level: float = 0.95,
    method: ProportionMethod = ProportionMethod.CLOPPER_PEARSON,
    counts_out: int = 0,
) -> Estimate:
    """Estimate how often an item of the category is called so.

    Parameters
    ----------
    table : array_like of int, shape (k, k)
        Rows are the reference, columns the rater on trial.
    positive : int
        The position of the category, in [0, k).
    level : float
        Confidence level, in (0, 1).
    method : ProportionMethod
        How the interval is made.
    counts_out : int
        Items left out beforehand, carried into the result.

    Returns
    -------
    Estimate
        The rate, in [0, 1], among the items of the category; undefined (``EMPTY``) without any.

    Raises
    ------
    ValueError
        If the table, the category, the level or the method are not allowed.
    """
    (hit, miss), _ = one_against_rest(table, positive).tolist()
    return proportion(hit, hit + miss, level=level, method=method, counts_out=counts_out)


def specificity(
    table: npt.ArrayLike,
    *,
    positive: int,
    level: float = 0.95,
    method: ProportionMethod = ProportionMethod.CLOPPER_PEARSON,
    counts_out: int = 0,
) -> Estimate:
    """Estimate how often an item of another category is not called so.

    Parameters
    ----------
    table : array_like of int, shape (k, k)
        Rows are the reference, columns the rater on trial.
    positive : int
        The position of the category, in [0, k).
    level : float
        Confidence level, in (0, 1).
    method : ProportionMethod
        How the interval is made.
    counts_out : int
        Items left out beforehand, carried into the result.

    Returns
    -------
    Estimate
        The rate, in [0, 1], among the items of other categories; undefined (``EMPTY``) without any.

    Raises
    ------
    ValueError
        If the table, the category, the level or the method are not allowed.
    """
    _, (false_alarm, rejection) = one_against_rest(table, positive).tolist()
    return proportion(
        rejection, rejection + false_alarm, level=level, method=method, counts_out=counts_out
    )


def _place(label: Hashable, position: dict[Hashable, int]) -> int:
    if label not in position:
        raise ValueError(f"label must be one of {list(position)!r}, found {label!r}")
    return position[label]

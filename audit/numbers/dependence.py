"""Do raters err together? How their errors correlate, and what that leaves of their number.

An error is a vote that is not the reference's. Raters who find the same class hard err together
without influencing each other, so correlations are also taken within the true class: what is left
there is what a model of independent errors (`dawid_skene`, log-odds weights) does not allow for.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import numpy.typing as npt

from ._check import FloatArray, IntArray, as_index, as_numbers, as_size
from .votes import ABSENT, as_votes, leading, one_an_item

__all__ = [
    "departures",
    "effective_raters",
    "error_phi",
    "errors",
    "pair_sums",
    "pairs_of",
]

_MOST = 1_000  # classes that errors are told apart by
_CELLS = 4
"""Sums of a pair in a class: items both voted on, errors of the first, of the second, of both."""


def pairs_of(raters: int) -> list[tuple[int, int]]:
    """Return every two raters, in the order of all results on pairs."""
    return list(combinations(range(raters), 2))


def errors(votes: npt.ArrayLike, truth: npt.ArrayLike, classes: int) -> IntArray:
    """Return 1 where a vote is not the true class, 0 where it is, `ABSENT` where there is none.

    Parameters
    ----------
    votes : array_like of int, shape (items, raters)
        A class in [0, k), or `ABSENT`.
    truth : array_like of int, shape (items,)
        In [0, k).
    classes : int
        k.

    Returns
    -------
    ndarray of int64, shape (items, raters)
    """
    table = as_votes(votes, classes)
    true = one_an_item("truth", as_index("truth", truth, classes), table)
    return np.where(table == ABSENT, ABSENT, table != true[:, None]).astype(np.int64)


def departures(votes: npt.ArrayLike, classes: int, pair: tuple[int, int]) -> IntArray:
    """Return where two raters depart from the majority of all others: a poor stand-in for errors.

    Parameters
    ----------
    votes : array_like of int, shape (items, raters)
        A class in [0, k), or `ABSENT`.
    classes : int
        k.
    pair : tuple of int

    Returns
    -------
    ndarray of int64, shape (items, 2)
        1, 0, or `ABSENT` without a vote or an untied majority of others. What all raters get
        wrong is no departure, and where the others are wrong both of a pair who are right depart.
    """
    table = as_votes(votes, classes)
    rest = np.delete(table, pair, axis=1)
    most = leading((rest[:, :, None] == np.arange(classes)).sum(axis=1).astype(np.float64), 0.5)
    both = table[:, list(pair)]
    known = (both != ABSENT) & (most != ABSENT)[:, None]
    return np.where(known, both != most[:, None], ABSENT).astype(np.int64)


def pair_sums(
    wrong: npt.ArrayLike,
    given: npt.ArrayLike | None = None,
    weights: npt.ArrayLike | None = None,
) -> FloatArray:
    """Return what each item adds to the correlations of errors.

    Parameters
    ----------
    wrong : array_like of int, shape (items, raters)
        1, 0 or `ABSENT`.
    given : array_like of int, shape (items,), optional
        A class within which errors are correlated, counted from 0; one for all if not given.
    weights : array_like of float, shape (items,), optional
        How many items of the population each stands for, above 0; 1 if not given.

    Returns
    -------
    ndarray of float64, shape (items, pairs, classes, 4)
        Of both raters' items: their weight, and that of errors of the first, the second and both.
    """
    table = as_votes(wrong, 2)
    items = len(table)
    classes = as_index("given", np.zeros(items, dtype=np.int64) if given is None else given, _MOST)
    heavy = np.ones(items) if weights is None else as_numbers("weights", weights)
    if not (heavy > 0.0).all():
        raise ValueError(f"weights must be above 0, found {heavy.min()}")
    one_an_item("given", classes, table)
    one_an_item("weights", heavy, table)
    pairs = pairs_of(table.shape[1])
    sums = np.zeros((items, len(pairs), int(classes.max()) + 1, _CELLS))
    for number, (i, j) in enumerate(pairs):
        both = ((table[:, i] != ABSENT) & (table[:, j] != ABSENT)) * heavy
        one, other = table[:, i], table[:, j]
        cells = (both, both * one, both * other, both * one * other)
        sums[np.arange(items), number, classes] = np.stack(cells, axis=1)
    return sums


def error_phi(sums: FloatArray) -> FloatArray:
    """Return the correlation of two raters' errors, φ, within the classes told apart.

    Parameters
    ----------
    sums : ndarray of float64, shape (..., classes, 4)
        As `pair_sums` returns them, added up over items.

    Returns
    -------
    ndarray of float64, shape (...)
        In [-1, 1]: covariances and variances are pooled over classes. NaN where one of the two
        always, or never, errs in each class.
    """
    both, one, other, together = np.moveaxis(sums, -1, 0)
    size = np.where(both > 0.0, both, 1.0)
    covariance = (together - one * other / size).sum(axis=-1)
    first = (one - one**2 / size).sum(axis=-1)
    second = (other - other**2 / size).sum(axis=-1)
    # Sums of weights that should cancel do so but for rounding.
    spread = np.minimum(first, second) > 1e-12 * np.maximum(both.sum(axis=-1), 1.0)
    product = np.where(spread, first * second, 1.0)
    return np.where(spread, np.clip(covariance / np.sqrt(product), -1.0, 1.0), np.nan)


def effective_raters(phi: FloatArray, raters: int) -> FloatArray:
    """Return how many raters with independent errors the average of these would be worth.

    Parameters
    ----------
    phi : ndarray of float64, shape (..., pairs)
        Correlations of errors; undefined ones are left out of their mean.
    raters : int
        n, at least 2.

    Returns
    -------
    ndarray of float64, shape (...)
        n / (1 + (n - 1) · mean φ), by which the variance of the mean error shrinks: 1 if all err
        as one, n if independently, more if one errs where others do not. NaN where no correlation
        is defined or their mean is one that no n raters can have.

    References
    ----------
    Kish, Survey Sampling (1965), 5.4.
    """
    if as_size("raters", raters) < 2:
        raise ValueError(f"raters must be at least 2, found {raters}")
    known = ~np.isnan(phi)
    mean = np.where(known, phi, 0.0).sum(axis=-1) / np.maximum(known.sum(axis=-1), 1)
    inflation = 1.0 + (raters - 1) * mean
    sound = known.any(axis=-1) & (inflation > 0.0)
    return np.where(sound, raters / np.where(sound, inflation, 1.0), np.nan)

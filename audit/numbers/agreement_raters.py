"""Agreement of any number of raters, cells missing: Fleiss, Krippendorff, Gwet, Brennan–Prediger.

Every coefficient is a function of sums over items. The sums are made once; resamples of clusters
and weights by inclusion probability are then sums of the same rows.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
import numpy.typing as npt

from ._check import FloatArray, IntArray, as_counts, as_numbers
from .estimate import Choice, Estimate, Undefined

__all__ = ["Coefficient", "coefficient", "item_sums", "raters_agreement", "rating_counts"]

_HEAD = 3
"""Columns of the sums before the shares: items rated, items rated twice, agreement of these."""


class Coefficient(Choice):
    """How agreement among raters is summed up."""

    AGREEMENT = "agreement"
    """The mean share of pairs of labels of one item that are equal."""
    FLEISS = "fleiss kappa"
    """doi:10.1037/h0031619; with raters missing, as Gwet extends it."""
    AC1 = "ac1"
    """Gwet, doi:10.1348/000711006X126600."""
    BRENNAN_PREDIGER = "brennan-prediger"
    """Chance is 1/k, doi:10.1177/001316448104100307; of two raters this is PABAK."""
    ALPHA_NOMINAL = "alpha, nominal"
    """Krippendorff's α."""
    ALPHA_ORDINAL = "alpha, ordinal"
    """Krippendorff's α of ordered categories; distances go by how often each is used."""


def rating_counts(
    ratings: Sequence[Sequence[Hashable | None]], domain: Sequence[Hashable]
) -> IntArray:
    """Count how often each item got each label.

    Parameters
    ----------
    ratings : sequence of sequence
        One row an item, one cell a rater; None where that rater gave no label.
    domain : sequence of hashable, length k
        Every category, used or not, in order.

    Returns
    -------
    ndarray of int64, shape (items, k)

    Raises
    ------
    ValueError
        If the domain has fewer than two categories or repeats one, or a label lies outside it.
    """
    position = {category: i for i, category in enumerate(domain)}
    if len(position) < 2 or len(position) < len(domain):
        raise ValueError(f"domain must hold 2 or more distinct categories, found {list(domain)!r}")
    counts = np.zeros((len(ratings), len(position)), dtype=np.int64)
    for row, labels in enumerate(ratings):
        for label in labels:
            if label is None:
                continue
            if label not in position:
                raise ValueError(f"label must be one of {list(position)!r}, found {label!r}")
            counts[row, position[label]] += 1
    return counts


def item_sums(counts: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> FloatArray:
    """Return for each item what the coefficients sum up.

    Parameters
    ----------
    counts : array_like of int, shape (items, k)
        How often each item got each label.
    weights : array_like of float, shape (items,), optional
        How many items of the population each stands for, above 0; scaled to a mean of 1.

    Returns
    -------
    ndarray of float64, shape (items, 3 + k + k²)
        Rated, rated twice or more, agreement, shares of the labels, coincidences row by row.

    Raises
    ------
    ValueError
        If the counts or the weights are not allowed.
    """
    cells = as_counts("counts", counts, dimensions=2).astype(np.float64)
    scale = _scaled(weights, len(cells))
    raters = cells.sum(axis=1)
    rated, twice = raters > 0, raters > 1
    # Where nobody or one person rated, the divisors are 0 and the numerators too.
    pairs = np.maximum(raters * (raters - 1.0), 1.0)
    agreement = (cells * (cells - 1.0)).sum(axis=1) / pairs
    shares = cells / np.maximum(raters, 1.0)[:, None]
    joint = cells[:, :, None] * cells[:, None, :] - np.einsum("ik,kl->ikl", cells, _eye(cells))
    coincidences = joint / np.maximum(raters - 1.0, 1.0)[:, None, None]
    coincidences[~twice] = 0.0
    flat = coincidences.reshape(len(cells), -1)
    return np.asarray(np.column_stack([rated, twice, agreement, shares, flat]) * scale[:, None])


def coefficient(kind: Coefficient, sums: FloatArray, categories: int) -> FloatArray:
    """Return a coefficient of summed items.

    Parameters
    ----------
    kind : Coefficient
    sums : ndarray of float64, shape (atoms, 3 + k + k²)
        Sums of rows of `item_sums`.
    categories : int
        The number k of declared categories.

    Returns
    -------
    ndarray of float64, shape (atoms,)
        In [-1, 1]; NaN without an item rated twice, and, for all but the plain agreement, where
        one label is all that was used.

    Raises
    ------
    ValueError
        If the kind is not allowed.

    References
    ----------
    Gwet, Handbook of Inter-Rater Reliability (2014), for missing cells. Hayes and Krippendorff,
    doi:10.1080/19312450709336664.
    """
    kind = Coefficient(kind)
    with np.errstate(divide="ignore", invalid="ignore"):
        if kind in (Coefficient.ALPHA_NOMINAL, Coefficient.ALPHA_ORDINAL):
            return _alpha(sums[:, _HEAD + categories :], categories, kind)
        observed = sums[:, 2] / sums[:, 1]
        if kind is Coefficient.AGREEMENT:
            return np.asarray(observed)
        shares = sums[:, _HEAD : _HEAD + categories] / sums[:, :1]
        chance = _chance(kind, shares)
        used = (shares > 0.0).sum(axis=1)
        return np.where(used < 2, np.nan, (observed - chance) / (1.0 - chance))


def raters_agreement(
    kind: Coefficient,
    counts: npt.ArrayLike,
    *,
    weights: npt.ArrayLike | None = None,
    counts_out: int = 0,
) -> Estimate:
    """Estimate how any number of raters agree.

    Parameters
    ----------
    kind : Coefficient
    counts : array_like of int, shape (items, k)
        As `rating_counts` makes them, over every declared category, used or not.
    weights : array_like of float, shape (items,), optional
        As for `item_sums`.
    counts_out : int
        Items left out beforehand, carried into the result.

    Returns
    -------
    Estimate
        Without an interval. Undefined without a label (``EMPTY``), without an item that two
        raters labelled (``NO_OVERLAP``), or with one label throughout (``ONE_LABEL``).

    Raises
    ------
    ValueError
        If the kind, the counts or the weights are not allowed.
    """
    found = np.asarray(counts)
    if found.ndim == 2 and not len(found):
        return Estimate.undefined(Undefined.EMPTY, 0, counts_out)
    sums = item_sums(found, weights).sum(axis=0, keepdims=True)
    twice = int((found.sum(axis=1) > 1).sum())
    left_out = counts_out + len(found) - twice
    value = float(coefficient(kind, sums, found.shape[1])[0])
    if not np.isnan(value):
        return Estimate(value, None, twice, left_out)
    reason = Undefined.ONE_LABEL if twice else Undefined.NO_OVERLAP
    return Estimate.undefined(reason if found.any() else Undefined.EMPTY, twice, left_out)


def _scaled(weights: npt.ArrayLike | None, items: int) -> FloatArray:
    if weights is None:
        return np.ones(items)
    found = as_numbers("weights", weights)
    if len(found) != items:
        raise ValueError(f"weights must be one an item, found {len(found)} for {items} items")
    if not (found > 0.0).all():
        raise ValueError(f"weights must be above 0, found {found.min()}")
    return np.asarray(found / found.mean())


def _eye(cells: FloatArray) -> FloatArray:
    return np.eye(cells.shape[1])


def _chance(kind: Coefficient, shares: FloatArray) -> FloatArray:
    categories = shares.shape[1]
    if kind is Coefficient.FLEISS:
        return np.asarray((shares**2).sum(axis=1))
    if kind is Coefficient.AC1:
        return np.asarray((shares * (1.0 - shares)).sum(axis=1) / (categories - 1))
    return np.full(len(shares), 1.0 / categories)


def _alpha(flat: FloatArray, categories: int, kind: Coefficient) -> FloatArray:
    joint = flat.reshape(-1, categories, categories)
    margins = joint.sum(axis=2)
    total = margins.sum(axis=1)
    distance = 1.0 - np.eye(categories)[None]
    if kind is Coefficient.ALPHA_ORDINAL:
        # Half of both ends and all between: the ranks that lie between two categories.
        middle = margins.cumsum(axis=1) - margins / 2.0
        distance = (middle[:, :, None] - middle[:, None, :]) ** 2
    seen = (joint * distance).sum(axis=(1, 2))
    chance = np.einsum("ac,ak,ack->a", margins, margins, np.broadcast_to(distance, joint.shape))
    return np.asarray(1.0 - (total - 1.0) * seen / chance)

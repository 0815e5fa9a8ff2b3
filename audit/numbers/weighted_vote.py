"""Votes that do not all weigh the same: log odds of accuracies, and confusion matrices.

Both are the best that can be done where raters err independently, and both add up as if they did:
errors that raters share are counted once for each of them.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ._check import FloatArray, IntArray, as_size
from .votes import ABSENT, as_votes, leading

__all__ = [
    "agreement_with_rest",
    "bayes_scores",
    "log_odds_weights",
    "posterior",
    "shrunk_confusion",
    "vote_scores",
]


def log_odds_weights(accuracy: npt.ArrayLike, classes: int = 2) -> FloatArray:
    """Return what each rater's vote weighs where all wrong classes are equally likely to be named.

    Parameters
    ----------
    accuracy : array_like of float, shape (raters,)
        Chance of a right vote, strictly between 0 and 1.
    classes : int
        k, at least 2.

    Returns
    -------
    ndarray of float64, shape (raters,)
        ln(p (k - 1) / (1 - p)), in nats; 0 for a rater who guesses, below 0 for one who does worse.

    Raises
    ------
    ValueError
        If an argument is not allowed.

    References
    ----------
    Nitzan and Paroush, doi:10.2307/2526438.
    """
    right = np.asarray(accuracy, dtype=np.float64)
    if as_size("classes", classes) < 2:
        raise ValueError(f"classes must be at least 2, found {classes}")
    wrong = right[~((right > 0.0) & (right < 1.0))]
    if wrong.size:
        raise ValueError(f"accuracy must lie strictly between 0 and 1, found {wrong[0]}")
    weights: FloatArray = np.log(right * (classes - 1) / (1.0 - right))
    return weights


def vote_scores(votes: npt.ArrayLike, weights: npt.ArrayLike, classes: int) -> FloatArray:
    """Return the weight of the votes for each class.

    Parameters
    ----------
    votes : array_like of int, shape (items, raters)
        A class in [0, k), or `ABSENT`.
    weights : array_like of float, shape (raters,)
    classes : int
        k.

    Returns
    -------
    ndarray of float64, shape (items, k)
    """
    table = as_votes(votes, classes)
    heavy = np.asarray(weights, dtype=np.float64)
    _one_a_rater("weights", len(heavy), table)
    said = table[:, :, None] == np.arange(classes)
    scores: FloatArray = np.einsum("irk,r->ik", said, heavy)
    return scores


def bayes_scores(
    votes: npt.ArrayLike, confusion: npt.ArrayLike, shares: npt.ArrayLike
) -> FloatArray:
    """Return the log of each class's share times the chance of the votes given that class.

    Parameters
    ----------
    votes : array_like of int, shape (items, raters)
        A class in [0, k), or `ABSENT`, which says nothing.
    confusion : array_like of float, shape (raters, k, k)
        Rows are the true class, columns what the rater says; every cell above 0.
    shares : array_like of float, shape (k,)
        Of the classes, each above 0.

    Returns
    -------
    ndarray of float64, shape (items, k)
        In nats, up to a constant an item.

    Raises
    ------
    ValueError
        If an argument is not allowed.
    """
    cells, prior = np.asarray(confusion, dtype=np.float64), np.asarray(shares, dtype=np.float64)
    table = as_votes(votes, len(prior))
    _one_a_rater("confusion", len(cells), table)
    for name, values in (("confusion", cells), ("shares", prior)):
        if not (values > 0.0).all():
            raise ValueError(f"{name} must be above 0 throughout, found {values.min()}")
    items, raters = np.nonzero(table != ABSENT)
    scores = np.tile(np.log(prior), (len(table), 1))
    np.add.at(scores, items, np.log(cells)[raters, :, table[items, raters]])
    return scores


def posterior(scores: FloatArray) -> FloatArray:
    """Return scores in nats as probabilities of the classes, rows summing to 1."""
    odds = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: FloatArray = odds / odds.sum(axis=1, keepdims=True)
    return shares


def agreement_with_rest(votes: npt.ArrayLike, classes: int) -> tuple[IntArray, IntArray]:
    """Return how often each rater says what the majority of all others says.

    Parameters
    ----------
    votes : array_like of int, shape (items, raters)
        A class in [0, k), or `ABSENT`.
    classes : int
        k.

    Returns
    -------
    agreed, compared : ndarray of int64, shape (raters,)
        Items on which they agree, of those with the rater's vote and an untied one of the others.
        It is no accuracy: what the others get wrong together counts against whoever is right.
    """
    table = as_votes(votes, classes)
    said = (table[:, :, None] == np.arange(classes)).astype(np.float64)
    others = said.sum(axis=1)[:, None, :] - said
    most = np.stack([leading(others[:, r], 0.5) for r in range(table.shape[1])], axis=1)
    both = (table != ABSENT) & (most != ABSENT)
    return ((table == most) & both).sum(axis=0), both.sum(axis=0)


def shrunk_confusion(counts: npt.ArrayLike, strength: float) -> FloatArray:
    """Return confusion matrices, each row pulled towards that of all raters together.

    Parameters
    ----------
    counts : array_like of float, shape (raters, k, k)
        Rows are the true class, columns what the rater said; items, or effective numbers of them.
    strength : float
        How many items of each true class the raters together weigh against one rater's own, above
        0. They are themselves taken with one item more in every cell.

    Returns
    -------
    ndarray of float64, shape (raters, k, k)
        Rows sum to 1; no cell is 0.

    Raises
    ------
    ValueError
        If an argument is not allowed.
    """
    cells = np.asarray(counts, dtype=np.float64)
    if cells.ndim != 3 or cells.shape[1] != cells.shape[2]:
        raise ValueError(f"counts must be one square table a rater, found shape {cells.shape}")
    if not (cells >= 0.0).all():
        raise ValueError(f"counts must be at least 0, found {cells.min()}")
    if not 0.0 < strength < np.inf:
        raise ValueError(f"strength must be finite and above 0, found {strength}")
    pooled = cells.sum(axis=0) + 1.0
    towards = strength * pooled / pooled.sum(axis=1, keepdims=True)
    shrunk: FloatArray = (cells + towards) / (cells.sum(axis=2, keepdims=True) + strength)
    return shrunk


def _one_a_rater(name: str, given: int, votes: IntArray) -> None:
    if given != votes.shape[1]:
        raise ValueError(f"{name} must be one a rater, found {given} for {votes.shape[1]}")

"""Means of labels that are known of a sample, helped by predictions that are known of everything.

The mean of the predictions is corrected by their mean error in the sample. With weights this is the
difference estimator of survey sampling, which the design makes unbiased whatever the predictions
are worth. Not covered: predictions weighed by their worth, which undercovers with few labels.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from ._check import FloatArray, as_level, as_numbers
from .estimate import Estimate, Interval, Undefined

__all__ = ["predicted_difference", "predicted_mean"]


def predicted_mean(
    labels: npt.ArrayLike,
    predictions: npt.ArrayLike,
    everything: npt.ArrayLike,
    *,
    weights: npt.ArrayLike | None = None,
    level: float = 0.95,
) -> Estimate:
    """Estimate the mean label from a labelled sample and predictions of everything.

    Parameters
    ----------
    labels, predictions : array_like of float, shape (n,)
        Of the labelled items, which must have been drawn at random.
    everything : array_like of float, shape (N,)
        Predictions of all items.
    weights : array_like of float, shape (n,), optional
        Inverse inclusion probabilities, above 0; alike if not given.
    level : float
        Confidence level, in (0, 1).

    Returns
    -------
    Estimate
        With a normal interval, neither clipped to the range of the labels; undefined with fewer
        than two labels or predictions (``TOO_FEW``).

    Raises
    ------
    ValueError
        If lengths differ, a number is not finite, or a weight is not above 0.

    References
    ----------
    Angelopoulos et al., doi:10.1126/science.adi6000. Weighted: Särndal, Swensson and Wretman,
    Model Assisted Survey Sampling (1992), 6.3.
    """
    value, variance, counts = _mean(labels, predictions, everything, weights)
    return _normal(value, variance, counts, as_level(level))


def predicted_difference(
    first: tuple[npt.ArrayLike, npt.ArrayLike, npt.ArrayLike],
    second: tuple[npt.ArrayLike, npt.ArrayLike, npt.ArrayLike],
    *,
    level: float = 0.95,
) -> Estimate:
    """Estimate the difference of two mean labels, each as `predicted_mean` does without weights.

    Parameters
    ----------
    first, second : tuple of three array_like
        Labels, predictions of the labelled and predictions of everything, of two independent parts.
    level : float
        Confidence level, in (0, 1).

    Returns
    -------
    Estimate
        First minus second; undefined where either is.

    Raises
    ------
    ValueError
        As `predicted_mean`.
    """
    one, two = _mean(*first, None), _mean(*second, None)
    return _normal(one[0] - two[0], one[1] + two[1], one[2] + two[2], as_level(level))


def _mean(
    labels: npt.ArrayLike,
    predictions: npt.ArrayLike,
    everything: npt.ArrayLike,
    weights: npt.ArrayLike | None,
) -> tuple[float, float, int]:
    """Return the mean, its variance and how many labels went in; NaN where there are too few."""
    known, guessed = as_numbers("labels", labels), as_numbers("predictions", predictions)
    overall = as_numbers("everything", everything)
    heavy = np.ones(len(known)) if weights is None else as_numbers("weights", weights)
    if not len(known) == len(guessed) == len(heavy):
        raise ValueError("labels, predictions and weights must be of one length")
    if not (heavy > 0.0).all():
        raise ValueError(f"weights must be above 0, found {heavy.min()}")
    if min(len(known), len(overall)) < 2:
        return math.nan, math.nan, len(known)
    errors, shares = known - guessed, heavy / heavy.sum()
    error = float(shares @ errors)
    value = float(overall.mean()) + error
    return value, _of_mean(overall) + _of_weighted(errors - error, shares), len(known)


def _of_mean(values: FloatArray) -> float:
    return float(values.var(ddof=1)) / len(values)


def _of_weighted(residuals: FloatArray, shares: FloatArray) -> float:
    items = len(residuals)
    return items / (items - 1) * float(((shares * residuals) ** 2).sum())


def _normal(value: float, variance: float, counts: int, level: float) -> Estimate:
    if math.isnan(value):
        return Estimate.undefined(Undefined.TOO_FEW, counts)
    half = float(ndtri((1.0 + level) / 2.0)) * math.sqrt(variance)
    if half == 0.0:
        return Estimate(value, None, counts, reason=Undefined.NO_SPREAD)
    return Estimate(
        value, Interval(value - half, value + half, level, "prediction-powered"), counts
    )

"""Intervals of many laws side by side, all with the same probabilities: one law a column.

What `law.Law` and `limits` do for one law, over thousands of columns without a loop: sorting once,
then reading ranks. The quantile rule is the same, the inverse of the distribution function.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.stats import binom

from audit.numbers._check import FloatArray, IntArray, as_level

from .law import TOTAL_SLACK
from .limits import bca_levels, t_factor

__all__ = ["Limits", "ManyLaws"]

_NEAR = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Limits:
    """Lower and upper limits, one a column; NaN where there is none.

    Attributes
    ----------
    low, high : ndarray of float64, shape (m,)
    """

    low: FloatArray
    high: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class ManyLaws:
    """Laws of m statistics over the same n resamples.

    Attributes
    ----------
    values : ndarray of float64, shape (m, n)
        Each row ascending, what is undefined (NaN) last.
    weights : ndarray of float64, shape (m, n) or None
        The probabilities in the same order, 0 for what is undefined; None if each is 1/n.
    counts : ndarray of int64, shape (m,)
        How many values are defined.
    defined : ndarray of float64, shape (m,)
        With what probability.
    """

    values: FloatArray
    weights: FloatArray | None
    counts: IntArray
    defined: FloatArray

    @classmethod
    def of(cls, values: FloatArray, probability: npt.ArrayLike | None = None) -> ManyLaws:
        """Return laws from unsorted values, one law a row.

        Parameters
        ----------
        values : ndarray of float64, shape (m, n)
        probability : array_like of float, shape (n,), optional
            1/n each if not given.

        Raises
        ------
        ValueError
            If there is not one probability a column, or nothing to resample.
        """
        if values.ndim != 2 or not values.shape[1]:
            raise ValueError(f"values must be laws by resamples, found shape {values.shape}")
        if probability is None:
            ordered = np.sort(values, axis=1)
            counts = np.count_nonzero(~np.isnan(ordered), axis=1).astype(np.int64)
            return cls(ordered, None, counts, counts / values.shape[1])
        shares = np.asarray(probability, dtype=np.float64)
        if shares.shape != values.shape[1:]:
            raise ValueError(
                f"probability must have shape {values.shape[1:]}, found {shares.shape}"
            )
        order = np.argsort(values, axis=1, kind="stable")
        ordered = np.take_along_axis(values, order, axis=1)
        weights = np.where(np.isnan(ordered), 0.0, shares[order])
        counts = np.count_nonzero(~np.isnan(ordered), axis=1).astype(np.int64)
        return cls(ordered, weights, counts, np.asarray(weights.sum(axis=1)))

    @property
    def resamples(self) -> int:
        """How many resamples each law stands on."""
        return int(self.values.shape[1])

    @property
    def undefined(self) -> FloatArray:
        """With what probability each law is undefined; 0 without rounding where it never is."""
        every = self.counts == self.resamples
        return np.where(every, 0.0, np.maximum(1.0 - self.defined, 0.0))

    def quantile(self, q: npt.ArrayLike) -> FloatArray:
        """Return the smallest value of each law at which its distribution function reaches q.

        Parameters
        ----------
        q : float or array_like of float, shape (m,)
            In [0, 1]; NaN gives NaN.
        """
        wanted = np.broadcast_to(np.asarray(q, dtype=np.float64), self.defined.shape)
        there = (self.defined > 0.0) & ~np.isnan(wanted)
        aim = np.where(there, wanted * self.defined - TOTAL_SLACK, 0.0)
        last = np.maximum(self.counts - 1, 0)
        if self.weights is None:
            place = np.ceil(aim * self.resamples).astype(np.int64) - 1
        else:
            place = np.count_nonzero(np.cumsum(self.weights, axis=1) < aim[:, None], axis=1)
        place = np.where(wanted == 1.0, last, np.clip(place, 0, last))
        found = np.take_along_axis(self.values, place[:, None], axis=1)[:, 0]
        return np.where(there, found, np.nan)

    def deviation(self) -> FloatArray:
        """Return the standard deviation of each law where it is defined."""
        if self.weights is None and (self.counts == self.resamples).all():
            return np.asarray(self.values.std(axis=1), dtype=np.float64)
        there = ~np.isnan(self.values)
        weights = there / self.resamples if self.weights is None else self.weights
        known = np.where(there, self.values, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = (known * weights).sum(axis=1) / self.defined
            spread = ((known - mean[:, None]) ** 2 * weights).sum(axis=1) / self.defined
        return np.asarray(np.sqrt(spread), dtype=np.float64)

    def below(self, at: FloatArray) -> FloatArray:
        """Return the share of each law below a value, with half of that at it."""
        near = _NEAR * np.maximum(np.abs(at), 1.0)
        shares = 1.0 / self.resamples if self.weights is None else self.weights
        under = ((self.values < (at - near)[:, None]) * shares).sum(axis=1)
        up_to = ((self.values <= (at + near)[:, None]) * shares).sum(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray((under + up_to) / 2.0 / self.defined, dtype=np.float64)

    def percentile(self, level: float) -> Limits:
        """Return the percentile intervals."""
        tail = (1.0 - as_level(level)) / 2.0
        return Limits(self.quantile(tail), self.quantile(1.0 - tail))

    def basic(self, at: FloatArray, level: float) -> Limits:
        """Return the percentile intervals mirrored at the estimates."""
        span = self.percentile(level)
        return Limits(2.0 * at - span.high, 2.0 * at - span.low)

    def bca(self, at: FloatArray, accelerated: FloatArray, level: float) -> Limits:
        """Return the bias-corrected and accelerated intervals."""
        levels = bca_levels(self.below(at), accelerated, level)
        low, high = (self.quantile(each) for each in levels)
        return Limits(np.minimum(low, high), np.maximum(low, high))

    def bands(self, level: float, certainty: float) -> tuple[Limits, Limits]:
        """Return where both percentile limits of all resamples lie, if these ones were drawn.

        By order statistics, as `law.Law.quantile_band`.
        """
        tail = (1.0 - as_level(level)) / 2.0
        miss = (1.0 - as_level(certainty)) / 2.0
        draws = np.rint(self.defined * self.resamples)
        found = []
        for q in (tail, 1.0 - tail):
            ranks = binom.ppf(miss, draws, q) - 1.0, binom.isf(miss, draws, q) + 1.0
            with np.errstate(divide="ignore", invalid="ignore"):
                ends = [self.quantile(np.clip(rank / draws, 0.0, 1.0)) for rank in ranks]
            found.append(Limits(*ends))
        return found[0], found[1]

    def student(self, at: FloatArray, blocks: int, level: float) -> Limits:
        """Return the t intervals on so many blocks."""
        half = t_factor(blocks, level) * self.deviation()
        return Limits(at - half, at + half)

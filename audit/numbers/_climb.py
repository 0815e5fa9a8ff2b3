"""Expectation and maximisation for Dawid and Skene's model, iteration by iteration."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ._check import FloatArray

__all__ = ["Climb", "Rows", "climbed", "followed"]

_TINY = 1e-300  # stands for the logarithm of a probability of 0


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Distinct rows of votes, shape (rows, raters, k), how often each occurs, and the prior."""

    counts: FloatArray
    often: FloatArray
    smoothing: float


@dataclass(frozen=True, slots=True, eq=False)
class Climb:
    """Where a climb stands: the posterior of each row, parameters, and the way there."""

    posterior: FloatArray
    shares: FloatArray
    confusion: FloatArray
    log_likelihood: float
    trace: FloatArray
    converged: bool


def climbed(rows: Rows, posterior: FloatArray, tolerance: float, limit: int) -> Climb:
    """Return where a climb from a posterior leads, as `followed` does."""
    shares, confusion = _maximised(rows, posterior)
    posterior, likelihood = _expected(rows, shares, confusion)
    start = np.array([likelihood + _log_prior(rows, shares, confusion)])
    begun = Climb(posterior, shares, confusion, likelihood, start, False)
    return followed(rows, begun, tolerance, limit)


def followed(rows: Rows, climb: Climb, tolerance: float, limit: int) -> Climb:
    """Return a climb gone on with, until it moves no more or has taken all its iterations."""
    posterior, shares, confusion = climb.posterior, climb.shares, climb.confusion
    likelihood, trace, converged = climb.log_likelihood, climb.trace.tolist(), climb.converged
    while not converged and len(trace) <= limit:
        before = shares, confusion
        shares, confusion = _maximised(rows, posterior)
        posterior, likelihood = _expected(rows, shares, confusion)
        trace.append(likelihood + _log_prior(rows, shares, confusion))
        moved = max(np.abs(shares - before[0]).max(), np.abs(confusion - before[1]).max())
        gained = abs(trace[-1] - trace[-2]) / (1.0 + abs(trace[-1]))
        converged = bool(max(moved, gained) <= tolerance)
    return Climb(posterior, shares, confusion, likelihood, np.array(trace), converged)


def _maximised(rows: Rows, posterior: FloatArray) -> tuple[FloatArray, FloatArray]:
    items, raters, classes = rows.counts.shape
    mass = posterior * rows.often[:, None]
    shares = mass.sum(axis=0) + rows.smoothing
    said = (mass.T @ rows.counts.reshape(items, raters * classes)).reshape(classes, raters, classes)
    cells = said.transpose(1, 0, 2) + rows.smoothing
    sums = cells.sum(axis=2, keepdims=True)
    # Of a class that no item is in, a rater's row is anything; even odds say so.
    confusion = np.where(sums > 0.0, cells / np.where(sums > 0.0, sums, 1.0), 1.0 / classes)
    return shares / shares.sum(), confusion


def _expected(rows: Rows, shares: FloatArray, confusion: FloatArray) -> tuple[FloatArray, float]:
    items, raters, classes = rows.counts.shape
    logs = np.log(np.maximum(confusion, _TINY)).transpose(0, 2, 1).reshape(-1, classes)
    joint = rows.counts.reshape(items, raters * classes) @ logs
    joint += np.log(np.maximum(shares, _TINY))
    top = joint.max(axis=1, keepdims=True)
    odds = np.exp(joint - top)
    sums = odds.sum(axis=1, keepdims=True)
    return odds / sums, float(rows.often @ (top + np.log(sums))[:, 0])


def _log_prior(rows: Rows, shares: FloatArray, confusion: FloatArray) -> float:
    if rows.smoothing == 0.0:
        return 0.0
    return rows.smoothing * float(np.log(shares).sum() + np.log(confusion).sum())

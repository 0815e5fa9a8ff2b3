"""Expectation and maximisation for Dawid and Skene's model, iteration by iteration.

Where votes tell little, single iterations crawl along a ridge for ever. So a climb that goes on
leaps: by Anderson's mixing of its last few steps, in logarithms, to where these seem to lead. A
leap that would lead down is not taken, so that every iteration climbs as it does without leaps, and
what stops a climb is the same: an iteration of expectation and maximisation that moves nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ._check import FloatArray

__all__ = ["Climb", "Rows", "climbed", "followed"]

_TINY = 1e-300  # stands for the logarithm of a probability of 0
_STEPS = 5  # that a leap is mixed from

Parameters = tuple[FloatArray, FloatArray]


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
    """Return where a climb from a posterior leads, step by step."""
    shares, confusion = _maximised(rows, posterior)
    posterior, likelihood = _expected(rows, shares, confusion)
    start = np.array([likelihood + _log_prior(rows, shares, confusion)])
    begun = Climb(posterior, shares, confusion, likelihood, start, False)
    return followed(rows, begun, tolerance, limit, leaps=False)


def followed(
    rows: Rows, climb: Climb, tolerance: float, limit: int, *, leaps: bool = True
) -> Climb:
    """Return a climb gone on with, until it moves no more or has taken all its iterations."""
    posterior, shares, confusion = climb.posterior, climb.shares, climb.confusion
    likelihood, trace, converged = climb.log_likelihood, climb.trace.tolist(), climb.converged
    past = _Past()
    while not converged and len(trace) <= limit:
        before = shares, confusion
        if leaps and (leap := past.leap()) is not None:
            reached, found = _expected(rows, *leap)
            if found + _log_prior(rows, *leap) >= trace[-1]:
                posterior, before = reached, leap
            else:
                past = _Past()
        shares, confusion = _maximised(rows, posterior)
        posterior, likelihood = _expected(rows, shares, confusion)
        trace.append(likelihood + _log_prior(rows, shares, confusion))
        past.take(before, (shares, confusion))
        moved = max(np.abs(shares - before[0]).max(), np.abs(confusion - before[1]).max())
        gained = abs(trace[-1] - trace[-2]) / (1.0 + abs(trace[-1]))
        converged = bool(max(moved, gained) <= tolerance)
    return Climb(posterior, shares, confusion, likelihood, np.array(trace), converged)


class _Past:
    """The last few steps of a climb, in logarithms of its parameters."""

    def __init__(self) -> None:
        self._ends: list[FloatArray] = []
        self._moves: list[FloatArray] = []
        self._shape: tuple[int, ...] = ()

    def take(self, before: Parameters, after: Parameters) -> None:
        """Take in one step."""
        self._shape = after[1].shape
        end = _logs(after)
        self._ends = [*self._ends, end][-_STEPS - 1 :]
        self._moves = [*self._moves, end - _logs(before)][-_STEPS - 1 :]

    def leap(self) -> Parameters | None:
        """Return where the steps seem to lead; None before there are two of them.

        References
        ----------
        Walker and Ni, doi:10.1137/10078356X.
        """
        if len(self._moves) < 2:
            return None
        turns, paths = np.diff(self._moves, axis=0).T, np.diff(self._ends, axis=0).T
        mixed = np.linalg.lstsq(turns, self._moves[-1], rcond=1e-12)[0]
        logs = self._ends[-1] - paths @ mixed
        classes = self._shape[-1]
        return _odds(logs[:classes]), _odds(logs[classes:].reshape(self._shape))


def _logs(parameters: Parameters) -> FloatArray:
    flat = np.concatenate([part.reshape(-1) for part in parameters])
    logs: FloatArray = np.log(np.maximum(flat, _TINY))
    return logs


def _odds(logs: FloatArray) -> FloatArray:
    """Return logarithms as distributions along the last axis, none of them quite 0."""
    odds = np.maximum(np.exp(logs - logs.max(axis=-1, keepdims=True)), _TINY)
    shares: FloatArray = odds / odds.sum(axis=-1, keepdims=True)
    return shares


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

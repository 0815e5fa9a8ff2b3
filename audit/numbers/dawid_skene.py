"""Dawid and Skene's model: what is true of each item, and how each rater errs, from votes alone.

Raters are taken to err independently once the true class is given. Nothing in the votes of a few
raters can show that they do not; see `dependence` for what labels of people can show. Fewer than
three raters do not identify the model: then many solutions fit equally well, and one is returned.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from ._check import FloatArray, IntArray, as_index, as_size
from ._climb import Climb, Rows, climbed, followed
from .votes import ABSENT, as_votes

__all__ = ["DawidSkene", "dawid_skene", "parameters"]

_SCOUTED = 200  # iterations of every start
_FOLLOWED = 3  # starts that are followed to the end
_SAME = 1e-8  # objectives of two starts that are one solution


@dataclass(frozen=True, slots=True, eq=False)
class DawidSkene:
    """The model fitted to votes.

    Attributes
    ----------
    posterior : ndarray of float64, shape (items, k)
        Probability of each class, given all votes on the item; rows sum to 1.
    shares : ndarray of float64, shape (k,)
        Of the classes in the population.
    confusion : ndarray of float64, shape (raters, k, k)
        Rows are the true class, columns what the rater says; rows sum to 1.
    log_likelihood : float
        Of the votes, in nats, without the prior.
    trace : ndarray of float64, shape (iterations + 1,)
        What is climbed, before and after each iteration: log-likelihood plus log prior.
    iterations : int
    converged : bool
        Whether the last iteration moved nothing by more than the tolerance.
    start : str
        Which start led here.
    objectives : dict
        Start to where it was left: after 200 iterations, or at its end if it was then among the
        three highest. Unlike ends are several modes.
    """

    posterior: FloatArray
    shares: FloatArray
    confusion: FloatArray
    log_likelihood: float
    trace: FloatArray
    iterations: int
    converged: bool
    start: str
    objectives: dict[str, float]


def parameters(raters: int, classes: int) -> int:
    """Return how many free numbers the model has: class shares, and a confusion matrix a rater."""
    return (classes - 1) * (1 + raters * classes)


def dawid_skene(
    votes: npt.ArrayLike,
    classes: int,
    *,
    rater: npt.ArrayLike | None = None,
    smoothing: float = 0.0,
    several: bool = True,
    draws: int = 0,
    rng: np.random.Generator | None = None,
    tolerance: float = 1e-10,
    limit: int = 20_000,
) -> DawidSkene:
    """Fit the model by expectation and maximisation, from several starts, to its end.

    Parameters
    ----------
    votes : array_like of int, shape (items, columns)
        A class in [0, k), or `ABSENT`.
    classes : int
        k, at least 2.
    rater : array_like of int, shape (columns,), optional
        Whose column each is, counted from 0 without a gap; columns of one rater share a confusion
        matrix. Each its own rater if not given.
    smoothing : float
        Pseudo-count, at least 0, added to every cell of every confusion matrix and to every class:
        the symmetric Dirichlet prior with parameter 1 + smoothing, of which the mode is found. At
        0 this is maximum likelihood, which believes a rater who never erred here incapable of it.
    several : bool
        Whether to start from the majority, and from each column taken for the truth, beside the
        shares of the votes, where the source starts.
    draws : int
        Random starts more.
    rng : numpy.random.Generator, optional
        For these draws.
    tolerance : float
        The most that a parameter, or the objective relative to its size, may still move.
    limit : int
        Iterations of one start, at least 1.

    Returns
    -------
    DawidSkene
        The end with the highest objective, an earlier start before a later one that ends equally
        high. Since the model knows no names of classes, they are given so that votes, all told,
        are right as often as can be.

    Raises
    ------
    ValueError
        If an argument is not allowed.

    References
    ----------
    Dawid and Skene, doi:10.2307/2346806.
    """
    counts, table = _counted(votes, classes, rater)
    _check(smoothing, limit)
    # Items with the same votes are one row that counts as often.
    table, back, often = np.unique(table, axis=0, return_inverse=True, return_counts=True)
    rows = Rows(counts[_first(back)], often.astype(np.float64), smoothing)
    ends = {
        start: climbed(rows, posterior, tolerance, min(limit, _SCOUTED))
        for start, posterior in _starts(table, rows, several, _drawn(rows, draws, rng))
    }
    for start in sorted(ends, key=lambda start: -ends[start].trace[-1])[:_FOLLOWED]:
        ends[start] = followed(rows, ends[start], tolerance, limit)
    objectives = {start: float(end.trace[-1]) for start, end in ends.items()}
    highest = max(objectives.values())
    start = next(name for name in ends if objectives[name] >= highest - _SAME)
    return _named(ends[start], rows, back.reshape(-1), start, objectives)


def _first(back: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Return, of each distinct row, the first item that has it."""
    return np.unique(back.reshape(-1), return_index=True)[1]


def _check(smoothing: float, limit: int) -> None:
    if not 0.0 <= smoothing < np.inf:
        raise ValueError(f"smoothing must be finite and at least 0, found {smoothing}")
    if as_size("limit", limit) < 1:
        raise ValueError(f"limit must be at least 1, found {limit}")


def _counted(
    votes: npt.ArrayLike, classes: int, rater: npt.ArrayLike | None
) -> tuple[FloatArray, IntArray]:
    """Return how often each rater gave each class to each item, and the table of votes."""
    if as_size("classes", classes) < 2:
        raise ValueError(f"classes must be at least 2, found {classes}")
    table = as_votes(votes, classes)
    columns = table.shape[1]
    whose = as_index("rater", np.arange(columns) if rater is None else rater, columns)
    if len(whose) != columns or len(np.unique(whose)) != whose.max() + 1:
        raise ValueError("rater must name one rater a column, counted from 0 without a gap")
    counts = np.zeros((len(table), int(whose.max()) + 1, classes))
    items, given = np.nonzero(table != ABSENT)
    np.add.at(counts, (items, whose[given], table[items, given]), 1.0)
    return counts, table


def _starts(
    table: IntArray, rows: Rows, several: bool, drawn: Sequence[FloatArray]
) -> Iterator[tuple[str, FloatArray]]:
    votes = rows.counts.sum(axis=1)
    given = votes.sum(axis=1, keepdims=True)
    total = rows.often @ votes
    overall = (total + 1.0) / (total.sum() + len(total))
    shares = np.where(given > 0.0, votes / np.maximum(given, 1.0), overall)
    yield "vote shares", shares
    if several:
        most = (shares == shares.max(axis=1, keepdims=True)).astype(np.float64)
        yield "majority", most / most.sum(axis=1, keepdims=True)
        for column, said in enumerate(table.T):
            told = np.eye(len(total))[said]
            yield f"column {column}", np.where((said == ABSENT)[:, None], shares, told)
    for number, posterior in enumerate(drawn):
        yield f"draw {number}", posterior


def _drawn(rows: Rows, draws: int, rng: np.random.Generator | None) -> list[FloatArray]:
    if as_size("draws", draws) == 0:
        return []
    if rng is None:
        raise ValueError("draws need `rng`")
    even = np.ones(rows.counts.shape[2])
    return [rng.dirichlet(even, len(rows.counts)) for _ in range(draws)]


def _named(
    end: Climb,
    rows: Rows,
    back: npt.NDArray[np.intp],
    start: str,
    objectives: dict[str, float],
) -> DawidSkene:
    """Return a solution with its classes named so that votes are right as often as can be."""
    right = (end.posterior * rows.often[:, None]).T @ rows.counts.sum(axis=1)
    own, name = linear_sum_assignment(right, maximize=True)
    order = own[np.argsort(name)]
    return DawidSkene(
        posterior=end.posterior[back][:, order],
        shares=end.shares[order],
        confusion=end.confusion[:, order, :],
        log_likelihood=end.log_likelihood,
        trace=end.trace,
        iterations=len(end.trace) - 1,
        converged=end.converged,
        start=start,
        objectives=objectives,
    )

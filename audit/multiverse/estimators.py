"""Ratings by every estimator but Elo's lanes, in one form: of matches, and of their resamples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from audit.numbers._check import FloatArray, IntArray
from audit.numbers.rating import Carry
from audit.numbers.ratings.bradley_terry import (
    Fitted,
    FittedLanes,
    bradley_terry,
    bradley_terry_lanes,
    firth,
)
from audit.numbers.ratings.davidson import FittedTies, davidson, davidson_lanes
from audit.numbers.ratings.glicko import Strength, believed, glicko_2
from audit.numbers.ratings.lanes import Played
from audit.numbers.ratings.table import block_tables, together
from audit.numbers.ratings.ties import resampled_ties
from audit.numbers.ratings.weng_lin import Likelihood, weng_lin
from audit.numbers.resampling.rated import Rated
from audit.numbers.resampling.refitted import anew, carried_on, fitted

from .choices import Estimator

Lanes = Callable[[Sequence[Played], IntArray], FittedLanes]
"""Fits resamples, each as often as it holds each tournament, side by side."""


def ratings_by(estimator: Estimator, tournaments: Sequence[Played], carry: Carry) -> FloatArray:
    """Return ratings of every player, C and then V, in rating points around a mean of 0.

    Parameters
    ----------
    estimator : Estimator
        Any but Elo, which is walked in lanes.
    tournaments : sequence of Played
    carry : Carry
        Whether sequential estimators go on from one tournament to the next, or start each anew and
        are averaged; those without an order take all matches at once.

    Raises
    ------
    ValueError
        The matches leave the ratings without a maximum, or not comparable; or the estimator needs
        an extra that is not installed.
    """
    if estimator in _FITTED:
        found = _FITTED[estimator](together(tournaments))
        if found.trouble:
            raise ValueError(found.trouble)
        return found.ratings
    if estimator in _WALKED:
        return _WALKED[estimator](tournaments, carry)
    raise ValueError(f"{estimator.value} is walked in lanes")


def has_law(estimator: Estimator, carry: Carry) -> bool:
    """Return whether ratings over every resample of tournaments can be had in a fair time.

    Not of online updates that are carried on: a library walks them one match after the other, and
    five tournaments need 3,905 walks.
    """
    return estimator in _LANES or estimator is Estimator.GLICKO_2 or carry is Carry.RESET


def resampled_by(estimator: Estimator, tournaments: Sequence[Played], carry: Carry) -> Rated:
    """Return ratings over every resample of whole tournaments, in one lane.

    Parameters
    ----------
    estimator, carry : Estimator, Carry
        As for `ratings_by`; with a law by `has_law`.
    tournaments : sequence of Played
        At least two, none empty. Those of one resample may leave ratings undefined: they are NaN.

    Raises
    ------
    ValueError
        There are too many resamples, or the estimator needs an extra that is not installed.
    """
    if estimator in _LANES:
        return fitted(len(tournaments), partial(_settled, _LANES[estimator], tournaments))
    if carry is Carry.RESET:
        return anew(np.array([ratings_by(estimator, (each,), carry) for each in tournaments]))
    if estimator is not Estimator.GLICKO_2:
        raise ValueError(f"{estimator.value} carried on has no law of resampled tournaments")
    unknown = Strength.unknown(2 * tournaments[0].players)
    return carried_on(
        len(tournaments),
        np.array([unknown.rating, unknown.deviation, unknown.volatility]),
        lambda state, number: believed(state, tournaments[number]),
        lambda state: state[0] - state[0].mean(axis=0),
    )


def _settled(fit: Lanes, tournaments: Sequence[Played], counts: IntArray) -> FloatArray:
    """Return ratings of resamples, NaN where there is no maximum or the fit has not settled."""
    found = fit(tournaments, counts)
    there = found.connected & found.converged
    return np.where(there[:, None], found.ratings, np.nan)


def _tables(
    tournaments: Sequence[Played],
    counts: IntArray,
    *,
    weighted: bool = False,
    penalised: bool = False,
) -> FittedLanes:
    tables = block_tables(tournaments, counts, weighted=weighted)
    return bradley_terry_lanes(*tables, penalised=penalised)


def _ties(tournaments: Sequence[Played], counts: IntArray) -> FittedLanes:
    return davidson_lanes(resampled_ties(tournaments, counts))


def _weighted(played: Played) -> Fitted:
    return bradley_terry(played, weighted=True)


def _true_skill(tournaments: Sequence[Played], carry: Carry) -> FloatArray:
    return weng_lin(Likelihood.THURSTONE_MOSTELLER, tournaments, carry)


def _plackett_luce(tournaments: Sequence[Played], carry: Carry) -> FloatArray:
    return weng_lin(Likelihood.PLACKETT_LUCE, tournaments, carry)


_FITTED: dict[Estimator, Callable[[Played], Fitted | FittedTies]] = {
    Estimator.BRADLEY_TERRY: bradley_terry,
    Estimator.WEIGHTED_BRADLEY_TERRY: _weighted,
    Estimator.FIRTH: firth,
    Estimator.DAVIDSON: davidson,
}
_WALKED: dict[Estimator, Callable[[Sequence[Played], Carry], FloatArray]] = {
    Estimator.GLICKO_2: glicko_2,
    Estimator.TRUE_SKILL: _true_skill,
    Estimator.PLACKETT_LUCE: _plackett_luce,
}
_LANES: dict[Estimator, Lanes] = {
    Estimator.BRADLEY_TERRY: _tables,
    Estimator.WEIGHTED_BRADLEY_TERRY: partial(_tables, weighted=True),
    Estimator.FIRTH: partial(_tables, penalised=True),
    Estimator.DAVIDSON: _ties,
}

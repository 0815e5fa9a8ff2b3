"""Ratings by every estimator but Elo's lanes, in one form."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from audit.numbers._check import FloatArray
from audit.numbers.rating import Carry
from audit.numbers.ratings.bradley_terry import Fitted, bradley_terry, firth
from audit.numbers.ratings.davidson import FittedTies, davidson
from audit.numbers.ratings.glicko import glicko_2
from audit.numbers.ratings.lanes import Played
from audit.numbers.ratings.table import together
from audit.numbers.ratings.weng_lin import Likelihood, weng_lin

from .choices import Estimator


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
        fitted = _FITTED[estimator](together(tournaments))
        if fitted.trouble:
            raise ValueError(fitted.trouble)
        return fitted.ratings
    if estimator in _WALKED:
        return _WALKED[estimator](tournaments, carry)
    raise ValueError(f"{estimator.value} is walked in lanes")


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

"""Ratings by every estimator but Elo's lanes, in one form."""

from __future__ import annotations

from collections.abc import Sequence

from audit.numbers._check import FloatArray
from audit.numbers.rating import Carry
from audit.numbers.ratings.lanes import Played

from .choices import Estimator


def ratings_by(estimator: Estimator, tournaments: Sequence[Played], carry: Carry) -> FloatArray:
    """Return ratings of every player, C and then V, in rating points around a mean of 0.

    Parameters
    ----------
    estimator : Estimator
        Any but Elo, which is walked in lanes.
    tournaments : sequence of Played
    carry : Carry
        Whether sequential estimators go on from one tournament to the next.

    Raises
    ------
    ValueError
        The matches leave the ratings without a maximum, or not comparable.
    """
    raise ValueError(f"{estimator.value} is not there yet")

"""Online Bayesian ratings by the library openskill: of TrueSkill's kind, and of Plackett–Luce's.

Both are Weng and Lin's: a normal belief of each entrant, moved after each match in closed form.
Thurstone and Mosteller's likelihood is that of TrueSkill, without its iterated message passing.
With two entrants a match the maximum likelihood of Plackett–Luce is Bradley–Terry's own, so that
only this online form is another estimator.

The library is the extra ``models``; it is imported when it is first asked for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from audit.numbers._check import FloatArray
from audit.numbers._elo import SLOPE
from audit.numbers.estimate import Choice
from audit.numbers.rating import Carry

from .lanes import Played
from .table import entrants, together

__all__ = ["Likelihood", "weng_lin"]


class Likelihood(Choice):
    """How the gap of two strengths becomes a win."""

    THURSTONE_MOSTELLER = "thurstone-mosteller"
    """By the normal law, as in TrueSkill."""
    PLACKETT_LUCE = "plackett-luce"
    """By the logistic law."""


# The gap that has even odds rise by one log odd, in units of the spread of a match, √2·β.
_STEEPNESS = {
    Likelihood.THURSTONE_MOSTELLER: 4.0 / math.sqrt(2.0 * math.pi),
    Likelihood.PLACKETT_LUCE: 1.0,
}


def weng_lin(likelihood: Likelihood, tournaments: Sequence[Played], carry: Carry) -> FloatArray:
    """Return ratings around a mean of 0, Seekers first, in rating points.

    Parameters
    ----------
    likelihood : Likelihood
    tournaments : sequence of Played
        Matches in the order in which they are rated; scores of 1, 0.5 (a tie) and 0. Weights do
        not enter.
    carry : Carry
        Under ``RESET`` each tournament starts from unknown players, and the result is the mean.

    Returns
    -------
    ndarray of float64, shape (2 * players,)
        The means of the beliefs, on the scale on which known strengths win with Elo's odds (of the
        normal law: around even odds).

    Raises
    ------
    ValueError
        If the library is not installed, a score is none of these, there is no tournament, or
        their players differ.

    References
    ----------
    Weng and Lin, https://jmlr.org/papers/v12/weng11a.html. Herbrich et al., TrueSkill,
    doi:10.7551/mitpress/7503.003.0076.
    """
    whole = together(tournaments)
    strange = whole.score[~np.isin(whole.score, (0.0, 0.5, 1.0))]
    if strange.size:
        raise ValueError(f"score must be 0, 0.5 or 1, found {strange[0]}")
    model = _model(Likelihood(likelihood))
    played = [each for each in tournaments if len(each)]
    seasons = [whole] if carry is Carry.CARRIED else played
    ends = [_walked(model, each) for each in seasons] or [np.zeros(2 * whole.players)]
    found = np.mean(ends, axis=0) * _STEEPNESS[likelihood] / (math.sqrt(2.0) * model.beta * SLOPE)
    return np.asarray(found - found.mean(), dtype=np.float64)


def _model(likelihood: Likelihood) -> Any:
    try:
        from openskill.models import PlackettLuce, ThurstoneMostellerFull
    except ImportError:
        raise ValueError("needs the extra `models` (openskill), which is not installed") from None
    if likelihood is Likelihood.PLACKETT_LUCE:
        return PlackettLuce()
    return ThurstoneMostellerFull()


def _walked(model: Any, played: Played) -> FloatArray:
    beliefs = [[model.rating()] for _ in range(2 * played.players)]
    first, second = entrants(played)
    for i, j, score in zip(first.tolist(), second.tolist(), played.score.tolist(), strict=True):
        # The lower rank is the winner's; equal ranks are a tie.
        beliefs[i], beliefs[j] = model.rate([beliefs[i], beliefs[j]], ranks=[1.0 - score, score])
    return np.array([belief[0].mu for belief in beliefs])

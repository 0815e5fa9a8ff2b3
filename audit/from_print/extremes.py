"""Searches for a corpus in which a claim on ratings fails, where all samples have it hold."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from audit.multiverse.choices import Experiment, Order
from audit.multiverse.quantities import QUANTITIES, more_varied_seekers
from audit.multiverse.specification import Specification
from audit.multiverse.statements import Statement
from audit.numbers._check import FloatArray
from audit.printed.corpora.course import State
from audit.printed.corpora.moves import Ground
from audit.printed.corpora.ranges import SPREAD
from audit.printed.corpora.rules import InOrder, Rules, weighing_of
from audit.printed.corpora.sampled import Samples
from audit.printed.corpora.search import Found, extreme
from audit.printed.corpora.trials import Trial, check_found, grounds
from games.words import Game

Quantity = Callable[[FloatArray], FloatArray]
_ASKED: dict[str, Quantity] = {**QUANTITIES, SPREAD: more_varied_seekers}
# Rounds over both games, where a quantity is of their average.
_ROUNDS = 2


@dataclass(slots=True)
class Extremes:
    """Looks for corpora at the ends of what print allows, each end once.

    Parameters
    ----------
    samples : Samples
    horizons : dict
        Turns by game.
    base : Specification
    players : tuple of str
    rng : numpy.random.Generator
    steps : int
        Of each search, at most.
    """

    samples: Samples
    horizons: dict[Game, int]
    base: Specification
    players: tuple[str, ...]
    rng: np.random.Generator
    steps: int
    _known: dict[tuple[str, Experiment, float], float] = field(default_factory=dict)

    def farthest(self, one: Statement) -> float:
        """Return the value found farthest towards where a statement fails; NaN if not looked for.

        Only a region that is open to one side has such a side, and only a specification that some
        rule of weighing says can be searched under.
        """
        sign = _sign(one)
        if not sign or one.quantity not in _ASKED or weighing_of(self.base) is None:
            return math.nan
        if self.base.order is not Order.SCHEDULED or not self.steps:
            return math.nan
        ends = [self._end(one.quantity, each, sign) for each in sorted(one.experiments)]
        ends = [end for end in ends if not math.isnan(end)]
        return sign * min((sign * end for end in ends), default=math.nan)

    def _end(self, name: str, experiment: Experiment, sign: float) -> float:
        key = (name, experiment, sign)
        if key not in self._known:
            games = {Experiment.MEAN: tuple(Game)}.get(experiment)
            if experiment in (Experiment.AIDG_I, Experiment.AIDG_II):
                games = (Game(experiment.value),)
            self._known[key] = math.nan if games is None else self._searched(name, games, sign)
        return self._known[key]

    def _searched(self, name: str, games: tuple[Game, ...], sign: float) -> float:
        """Return the end found over the average of some games, one game after the other."""
        quantity, way = _ASKED[name], int(self.rng.integers(len(self.samples.sampled)))
        at: dict[Game, tuple[Ground, State, FloatArray]] = {}
        for game in games:
            trial = self._trial(game)
            ground, states = grounds(self.samples, way, trial, self._rules(), self.rng)
            state = next(states)
            at[game] = ground, state, ground.rate(state.endings[None], state.order[None])[0]
        value = math.nan
        for game in games * (_ROUNDS if len(games) > 1 else 1):
            ground, state, _ = at[game]
            others = sum((at[other][2] for other in games if other is not game), np.zeros(1))

            def asked(ratings: FloatArray, others: FloatArray = others) -> FloatArray:
                return sign * quantity((ratings + others) / len(games))

            found: Found = extreme(ground, state, asked, steps=self.steps)
            check_found(self.samples, way, ground, found)
            at[game] = ground, found.state, found.ratings
            value = sign * found.value
        return value

    def _trial(self, game: Game) -> Trial:
        return Trial(game, self.horizons[game], self.players, np.zeros(2 * len(self.players)), ())

    def _rules(self) -> Rules:
        weighing = weighing_of(self.base)
        assert weighing is not None  # asked before
        return Rules(weighing, self.base.carry, self.base.k, InOrder.EVEN)


def _sign(one: Statement) -> float:
    """Return 1 if a statement fails below its region, -1 if above, 0 if on both sides."""
    below, above = math.isfinite(one.region.low), math.isfinite(one.region.high)
    return 0.0 if below == above else 1.0 if below else -1.0

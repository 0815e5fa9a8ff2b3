"""The course of ratings over the matches of a corpus, and how the final ones answer to it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from audit.numbers._check import FloatArray
from audit.numbers._elo import SLOPE
from audit.numbers.rating import Carry

from .layout import Ints
from .rated import Table
from .rules import Rules


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """A corpus of one game, as far as its ratings go.

    Attributes
    ----------
    endings : ndarray of int64, shape (matches,)
        In the order of the layout.
    order : ndarray of int64, shape (matches,)
        The matches in the order in which they rate.
    """

    endings: Ints
    order: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Course:
    """How the ratings went over the matches, in the order in which they rate.

    Attributes
    ----------
    before : ndarray of float64, shape (matches, 2 * players)
        The ratings before each match.
    carried : ndarray of float64, shape (matches, 2 * players, 2 * players)
        How each final rating answers to each rating after that match.
    """

    before: FloatArray
    carried: FloatArray


def course_of(table: Table, state: State, rules: Rules, players: int) -> Course:
    """Return how the ratings go, and how the final ones answer to each moment.

    A walk over the matches, then one backwards: to first order, a rating after a match is carried
    into the final ones by what later matches of the same players make of it.
    """
    order, size = state.order, 2 * players
    before, carried = np.zeros((len(order), size)), np.zeros((len(order), size, size))
    ends = state.endings[order]
    i, j = table.seeker[order], table.holder[order] + players
    score, pace = table.score[ends], rules.k * table.weight[ends]
    seasons = _seasons(table, order, rules)
    for season in seasons:
        ratings = np.zeros(size)
        for at in season:
            before[at] = ratings
            step = pace[at] * (score[at] - expit((ratings[i[at]] - ratings[j[at]]) * SLOPE))
            ratings[i[at]] += step
            ratings[j[at]] -= step
        gap = before[season, i[season]] - before[season, j[season]]
        chance = expit(gap * SLOPE)
        damping = SLOPE * pace[season] * chance * (1.0 - chance)
        answer = np.eye(size) / len(seasons)  # a column for each rating at the moment
        for at, damped in zip(season[::-1], damping[::-1], strict=True):
            carried[at] = answer
            own = (answer[:, i[at]] - answer[:, j[at]]) * damped
            answer[:, i[at]] -= own
            answer[:, j[at]] += own
    return Course(before, carried)


def _seasons(table: Table, order: Ints, rules: Rules) -> list[Ints]:
    """Return the places over which ratings are carried."""
    if rules.carry is Carry.CARRIED:
        return [np.arange(len(order))]
    number = table.tournament[order]
    return [np.flatnonzero(number == one) for one in np.unique(number)]

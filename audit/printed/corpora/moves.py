"""Moves between corpora that print takes for the same, and what each does to the ratings.

A move changes two matches so that no margin does: endings exchanged; one match ended a turn earlier
and another a turn later; or two matches close to each other played in each other's place. What a
move does to all final ratings is worked out to first order for every move at once, from how each
final rating answers to the ratings at any moment (`course`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from audit.numbers._check import FloatArray
from audit.numbers._elo import SLOPE

from .course import Course, State, course_of
from .layout import Bools, Ints
from .rated import Table, rate_endings
from .rules import InOrder, Rules
from .target import Target

# How far apart two matches stand at most that are played in each other's place.
_REACH = 6


@dataclass(frozen=True, slots=True, eq=False)
class Moves:
    """Moves of two matches each, at some state.

    Attributes
    ----------
    one, other : ndarray of int64, shape (moves,)
        Matches of the game.
    first, second : ndarray of int64, shape (moves,)
        Their endings afterwards.
    placed : ndarray of bool, shape (moves,)
        Whether they are played in each other's place.
    effect : ndarray of float64, shape (moves, 2 * players)
        What each does to the ratings, to first order.
    """

    one: Ints
    other: Ints
    first: Ints
    second: Ints
    placed: Bools
    effect: FloatArray

    def __len__(self) -> int:
        return len(self.one)

    def after(self, state: State, *chosen: Ints) -> tuple[Ints, Ints]:
        """Return endings and orders after one move, or several one by one, a row for each choice.

        The moves of a row touch different matches.
        """
        count = len(chosen[0])
        endings, orders = (np.tile(part, (count, 1)) for part in (state.endings, state.order))
        place = np.argsort(state.order)
        for moves in chosen:
            rows, one, other = np.arange(count), self.one[moves], self.other[moves]
            endings[rows, one], endings[rows, other] = self.first[moves], self.second[moves]
            traded = np.flatnonzero(self.placed[moves])
            orders[traded, place[one[traded]]] = other[traded]
            orders[traded, place[other[traded]]] = one[traded]
        return endings, orders

    def apart(self, first: Ints, second: Ints) -> Ints:
        """Return which pairs of moves touch four different matches."""
        clash = self.one[first] == self.one[second]
        clash |= self.one[first] == self.other[second]
        clash |= self.other[first] == self.one[second]
        clash |= self.other[first] == self.other[second]
        return np.flatnonzero(~clash)


class Neighbours:
    """Which moves of endings leave every margin as it is.

    Parameters
    ----------
    target : Target
    table : Table
        Of the same layout.
    """

    def __init__(self, target: Target, table: Table) -> None:
        layout = target.layout
        self._of_class = layout.of_class[table.rows]
        self._allowed, self._shifted = layout.allowed, target.shifted
        self._worth = np.stack([table.score, table.weight])
        # A number for what a match adds to all sums: two changes of endings that differ in any sum
        # have the same difference of numbers once in 2^63.
        draw = np.random.default_rng(0).integers(2**62, size=target.adds.shape[2])
        number = target.adds @ draw
        self._kind = number[:, None, :] - number[:, :, None]
        first, second = np.triu_indices(len(table.rows), 1)
        self._pairs = first.astype(np.int64), second.astype(np.int64)

    def of(self, endings: Ints) -> tuple[Ints, Ints, Ints, Ints]:
        """Return the moves of endings at a state: two matches, and their endings afterwards."""
        a, b = self._pairs
        found = [self._kept(endings, a, b, endings[b], endings[a])]
        for way in (0, 1):
            earlier, later = self._shifted[way, endings[a]], self._shifted[1 - way, endings[b]]
            there = np.flatnonzero((earlier >= 0) & (later >= 0))
            found.append(self._kept(endings, a[there], b[there], earlier[there], later[there]))
        one, other, first, second = (np.concatenate(part) for part in zip(*found, strict=True))
        return one, other, first, second

    def _kept(
        self, endings: Ints, a: Ints, b: Ints, first: Ints, second: Ints
    ) -> tuple[Ints, Ints, Ints, Ints]:
        """Return the moves that change something in the ratings and nothing in the margins."""
        c, d = self._of_class[a], self._of_class[b]
        kept = self._allowed[c, first] & self._allowed[d, second]
        # The one change is the other undone.
        kept &= self._kind[c, endings[a], first] == self._kind[d, second, endings[b]]
        kept &= (self._worth[:, endings[a]] != self._worth[:, first]).any(axis=0)
        return a[kept], b[kept], first[kept], second[kept]


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """What a search moves on: one game, one way to rate.

    Attributes
    ----------
    table : Table
    neighbours : Neighbours
    rules : Rules
    players : int
    """

    table: Table
    neighbours: Neighbours
    rules: Rules
    players: int

    def rate(self, endings: Ints, orders: Ints) -> FloatArray:
        """Return the ratings of each row of endings in its order, around a start of 0."""
        return rate_endings(self.table, endings, orders, self.rules, self.players)

    def moves(self, state: State) -> Moves:
        """Return the moves at a state with their effects on the ratings."""
        course = course_of(self.table, state, self.rules, self.players)
        one, other, first, second = self.neighbours.of(state.endings)
        effect = _exchanged(self, state, course, (one, other), (first, second))
        left, right, moved = _placed(self, state, course)
        ends = state.endings
        return Moves(
            np.concatenate([one, left]),
            np.concatenate([other, right]),
            np.concatenate([first, ends[left]]),
            np.concatenate([second, ends[right]]),
            np.repeat([False, True], [len(one), len(left)]),
            np.concatenate([effect, moved]),
        )


def _exchanged(
    ground: Ground,
    state: State,
    course: Course,
    matches: tuple[Ints, Ints],
    new: tuple[Ints, Ints],
) -> FloatArray:
    """Return what new endings of two matches each do to the ratings."""
    table, place = ground.table, np.argsort(state.order)
    i, j = table.seeker[state.order], table.holder[state.order] + ground.players
    at = np.arange(len(place))
    chance = expit((course.before[at, i] - course.before[at, j]) * SLOPE)[place]
    answer = (course.carried[at, :, i] - course.carried[at, :, j])[place]
    effect = np.zeros((len(matches[0]), 2 * ground.players))
    for match, end in zip(matches, new, strict=True):
        steps = [
            table.weight[ends] * (table.score[ends] - chance[match])
            for ends in (end, state.endings[match])
        ]
        effect += answer[match] * (ground.rules.k * (steps[0] - steps[1]))[:, None]
    return effect


def _placed(ground: Ground, state: State, course: Course) -> tuple[Ints, Ints, FloatArray]:
    """Return pairs of matches that may be played in each other's place, and what that does."""
    found = []
    for apart in range(1, _REACH + 1):
        left: Ints = np.arange(max(len(state.order) - apart, 0))
        same = _same_stretch(ground, state.order, left, left + apart)
        left = np.flatnonzero(same)
        was = _replayed(ground, state, course.before[left], left, range(apart + 1))
        turned = [apart, *range(1, apart), 0]
        now = _replayed(ground, state, course.before[left], left, turned)
        moved = np.einsum("pfr,pr->pf", course.carried[left + apart], now - was)
        kept = np.abs(moved).max(axis=1, initial=0.0) > 1e-9
        pair = state.order[left[kept]], state.order[left[kept] + apart]
        found.append((*pair, moved[kept]))
    one, other, effect = (np.concatenate(part) for part in zip(*found, strict=True))
    return one, other, effect


def _same_stretch(ground: Ground, order: Ints, left: Ints, right: Ints) -> Bools:
    """Return whether two places lie in one stretch within which any order may be."""
    table, a, b = ground.table, order[left], order[right]
    same = table.tournament[a] == table.tournament[b]
    if ground.rules.order is not InOrder.EVEN:
        same &= table.mode_a[a] == table.mode_a[b]
    return np.asarray(same, dtype=np.bool_)


def _replayed(
    ground: Ground, state: State, before: FloatArray, left: Ints, turned: Sequence[int]
) -> FloatArray:
    """Return the ratings after some matches from each place on, played in another order."""
    table, ratings, rows = ground.table, before.copy(), np.arange(len(left))
    for by in turned:
        match = state.order[left + by]
        i, j, end = table.seeker[match], table.holder[match] + ground.players, state.endings[match]
        chance = expit((ratings[rows, i] - ratings[rows, j]) * SLOPE)
        step = ground.rules.k * table.weight[end] * (table.score[end] - chance)
        ratings[rows, i] += step
        ratings[rows, j] -= step
    return ratings

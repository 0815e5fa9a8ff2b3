"""Directed search among the corpora that print allows: for printed ratings, and for extremes.

From a sampled corpus and an order, every step looks at all moves at once by their first-order
effects, and at pairs of moves through a tree of these; the most promising are then rated for what
they are. A search that finds nothing proves nothing: it says how near it came.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

from audit.numbers._check import FloatArray

from .course import State
from .layout import Ints
from .moves import Ground, Moves

# Moves that are rated for what they are in one step, and those that a tree of pairs is built of.
_TRIED, _PAIRED = 24, 1500
# Steps without gain after which a search is shaken.
_STALE = 2
# Rating points beyond which a search must come a tenth nearer in so many steps, or is given up.
_FAR, _PATIENCE = 5.0, 10


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Where a search ended.

    Attributes
    ----------
    state : State
    ratings : ndarray of float64, shape (2 * players,)
        Around a start of 0.
    value : float
        What was made small: the largest error against printed ratings, or a quantity.
    steps : int
        Taken until then.
    """

    state: State
    ratings: FloatArray
    value: float
    steps: int


def reach(
    ground: Ground,
    state: State,
    wanted: FloatArray,
    rng: np.random.Generator,
    *,
    steps: int,
    enough: float,
) -> Found:
    """Return the corpus found whose ratings lie nearest to wanted ones.

    Parameters
    ----------
    ground : Ground
    state : State
        Where to begin.
    wanted : ndarray of float64, shape (2 * players,)
        Ratings around a start of 0.
    rng : numpy.random.Generator
    steps : int
        At most.
    enough : float
        The largest error, in rating points, at which to stop.

    Returns
    -------
    Found
    """
    ratings, stale = ground.rate(state.endings[None], state.order[None])[0], 0
    best = Found(state, ratings, _largest(ratings, wanted), 0)
    went = [best.value]
    for step in range(1, steps + 1):
        moves = ground.moves(state)
        if best.value <= enough or not len(moves) or _hopeless(went):
            break
        tried = _towards(moves, state, wanted - ratings, rng)
        rated = ground.rate(*tried)
        off = ((rated - wanted) ** 2).sum(axis=1)
        at, better = int(np.argmin(off)), off.min() < ((ratings - wanted) ** 2).sum()
        stale = 0 if better else stale + 1
        if better:
            state, ratings = State(tried[0][at], tried[1][at]), rated[at]
            if (error := _largest(ratings, wanted)) < best.value:
                best = Found(state, ratings, error, step)
        if stale >= _STALE:
            state, ratings, stale = *_shaken(ground, moves, state, rng), 0
        went.append(best.value)
    return best


def _hopeless(went: list[float]) -> bool:
    """Return whether a search is far away and comes no nearer."""
    far = went[-1] > _FAR and len(went) > _PATIENCE
    return far and went[-1] > 0.9 * went[-1 - _PATIENCE]


def _largest(ratings: FloatArray, wanted: FloatArray) -> float:
    return float(np.abs(ratings - wanted).max())


def _towards(
    moves: Moves, state: State, short: FloatArray, rng: np.random.Generator
) -> tuple[Ints, Ints]:
    """Return states after the moves, and pairs of moves, that should bring ratings nearest."""
    off = ((short - moves.effect) ** 2).sum(axis=1)
    alone = np.argsort(off, kind="stable")[: _TRIED // 3]
    some = _some(moves, rng)
    tree = cKDTree(moves.effect[some])
    near, partner = tree.query(short - moves.effect[some], k=1)
    distance, first, second = np.asarray(near), some, some[partner]
    kept = moves.apart(first, second)
    kept = kept[np.argsort(distance[kept], kind="stable")[:_TRIED]]
    return _stacked(moves.after(state, alone), moves.after(state, first[kept], second[kept]))


def _some(moves: Moves, rng: np.random.Generator) -> Ints:
    """Return the moves that pairs are made of: half of them the slightest, half at random."""
    if len(moves) <= _PAIRED:
        return np.arange(len(moves))
    slight = np.argsort((moves.effect**2).sum(axis=1), kind="stable")
    others = rng.choice(slight[_PAIRED // 2 :], size=_PAIRED // 2, replace=False)
    return np.sort(np.concatenate([slight[: _PAIRED // 2], others]))


def _stacked(*parts: tuple[Ints, Ints]) -> tuple[Ints, Ints]:
    endings, orders = zip(*parts, strict=True)
    return np.concatenate(endings), np.concatenate(orders)


def _shaken(
    ground: Ground, moves: Moves, state: State, rng: np.random.Generator
) -> tuple[State, FloatArray]:
    """Return a state a random move away, and its ratings."""
    endings, orders = moves.after(state, rng.integers(len(moves), size=1))
    return State(endings[0], orders[0]), ground.rate(endings, orders)[0]


def extreme(
    ground: Ground, state: State, quantity: Callable[[FloatArray], FloatArray], *, steps: int
) -> Found:
    """Return the corpus found in which a quantity of the ratings is smallest.

    Parameters
    ----------
    ground : Ground
    state : State
        Where to begin.
    quantity : callable
        Ratings of shape (n, 2 * players) to one value each.
    steps : int
        At most.

    Returns
    -------
    Found
    """
    ratings = ground.rate(state.endings[None], state.order[None])
    best = Found(state, ratings[0], float(quantity(ratings)[0]), 0)
    for step in range(1, steps + 1):
        moves = ground.moves(best.state)
        if not len(moves):
            break
        should = quantity(best.ratings + moves.effect)
        ordered = np.argsort(should, kind="stable")[: 8 * _TRIED]
        alone = moves.after(best.state, ordered[:_TRIED])
        endings, orders = _stacked(alone, _heaped(moves, best.state, ordered))
        rated = ground.rate(endings, orders)
        values = quantity(rated)
        at = int(np.nanargmin(values))
        if not values[at] < best.value:
            break
        best = Found(State(endings[at], orders[at]), rated[at], float(values[at]), step)
    return best


def _heaped(moves: Moves, state: State, ordered: Ints) -> tuple[Ints, Ints]:
    """Return states after ever more of the best moves together, each of other matches."""
    touched, heap = set[int](), list[tuple[Ints, Ints]]()
    now = state
    for move in ordered.tolist():
        pair = {int(moves.one[move]), int(moves.other[move])}
        if not pair & touched:
            touched |= pair
            endings, orders = moves.after(now, np.array([move]))
            now = State(endings[0], orders[0])
            heap.append((endings, orders))
    return _stacked(*heap)

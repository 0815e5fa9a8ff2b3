"""Corpora as matches to be rated, thousands side by side: each its own endings and order.

`audit.multiverse.units` reads a corpus under any specification, one at a time. Here one reading of
the matches is worked out once for every pair of a match and an ending, so that a corpus is a row of
places in two tables; the choices that print bears on are those of `rules`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from audit.multiverse.choices import Clock, Disqualification, Scope
from audit.numbers._check import FloatArray
from audit.numbers.multiplier import multiplier
from audit.numbers.orders import final_ratings
from audit.numbers.rating import Carry
from games.words import End, Game, Mode, Role

from .dealt import Dealt
from .layout import Ints, Layout
from .rules import READS, InOrder, Rules, Weighing

# Walks that are rated together: more would leave the cache.
_TOGETHER = 1024


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """What a match of one game comes to by how it ends.

    Attributes
    ----------
    rows : ndarray of int64, shape (matches,)
        The matches of the game among those of the layout.
    seeker, holder : ndarray of int64, shape (matches,)
    score, weight : ndarray of float64, shape (endings,)
        The weight of a match without an outcome is 0.
    tournament : ndarray of int64, shape (matches,)
    mode_a : ndarray of bool, shape (matches,)
    """

    rows: Ints
    seeker: Ints
    holder: Ints
    score: FloatArray
    weight: FloatArray
    tournament: Ints
    mode_a: Ints


def table_of(
    layout: Layout, game: Game, horizon: int, weighing: Weighing, players: tuple[str, ...]
) -> Table:
    """Return what the matches of a game come to under a rule of weighing.

    Parameters
    ----------
    layout : Layout
    game : Game
    horizon : int
        Of that game.
    weighing : Weighing
    players : tuple of str
    """
    rows = np.array([i for i, m in enumerate(layout.matches) if m.game is game], dtype=np.int64)
    seat = {player: at for at, player in enumerate(players)}
    matches = [layout.matches[row] for row in rows]
    won = np.array([one.winner is Role.SEEKER for one in layout.endings])
    return Table(
        rows,
        np.array([seat[m.seeker] for m in matches], dtype=np.int64),
        np.array([seat[m.holder] for m in matches], dtype=np.int64),
        won.astype(np.float64),
        _weights(layout, game, horizon, weighing, won),
        np.array([m.tournament for m in matches], dtype=np.int64),
        np.array([m.mode is Mode.A for m in matches], dtype=np.int64),
    )


def _weights(layout: Layout, game: Game, horizon: int, weighing: Weighing, won: Ints) -> FloatArray:
    kind, scope, clock, disqualification = READS[weighing]
    turns = np.array([one.turn if one.game is game else 1 for one in layout.endings])
    if clock is Clock.HORIZON:
        turns = np.where(won, turns, horizon)
    weight = multiplier(kind, np.clip(turns, 1, horizon), horizon)
    if game is Game.AIDG_I:
        weight = np.ones(len(turns))
    elif scope is Scope.WINS_ONLY:
        weight = np.where(won, weight, 1.0)
    if disqualification is Disqualification.UNWEIGHTED:
        broke = np.array([one.end is End.DISQUALIFIED for one in layout.endings])
        weight = np.where(broke, 1.0, weight)
    void = np.array([one.void is not None for one in layout.endings])
    return np.asarray(np.where(void, 0.0, weight), dtype=np.float64)


def in_order(table: Table, position: Ints, order: InOrder) -> Ints:
    """Return the matches of each corpus in the order in which they rate.

    Parameters
    ----------
    table : Table
    position : ndarray of int64, shape (corpora, matches of the game)
    order : InOrder

    Returns
    -------
    ndarray of int64, shape (corpora, matches of the game)
    """
    largest = int(position.max(initial=0)) + 1
    key = table.tournament * largest + position
    if order is InOrder.A_FIRST:
        key = (table.tournament * 2 - table.mode_a) * largest + position
    elif order is InOrder.ALL_A_FIRST:
        key = key - table.mode_a * largest * (int(table.tournament.max(initial=0)) + 1)
    return np.argsort(key, axis=1)


def rate_dealt(
    dealt: Dealt, game: Game, horizon: int, rules: Rules, players: tuple[str, ...]
) -> FloatArray:
    """Return the ratings of one game in every corpus, around a start of 0.

    Returns
    -------
    ndarray of float64, shape (corpora, 2 * players)
        C of every player, then V.
    """
    table = table_of(dealt.layout, game, horizon, rules.weighing, players)
    orders = in_order(table, dealt.position[:, table.rows], rules.order)
    return rate_endings(table, dealt.endings[:, table.rows], orders, rules, len(players))


def rate_endings(
    table: Table, endings: Ints, orders: Ints, rules: Rules, players: int
) -> FloatArray:
    """Return the ratings of one game in every row of endings, around a start of 0.

    Parameters
    ----------
    table : Table
    endings : ndarray of int64, shape (corpora, matches of the game)
    orders : ndarray of int64, of the same shape
        The matches in the order in which they rate.
    rules : Rules
    players : int

    Returns
    -------
    ndarray of float64, shape (corpora, 2 * players)
    """
    found = np.empty((len(endings), 2 * players))
    for low in range(0, len(endings), _TOGETHER):
        part = slice(low, low + _TOGETHER)
        found[part] = _rated(table, endings[part], orders[part], rules, players)
    return found


def _rated(table: Table, endings: Ints, orders: Ints, rules: Rules, players: int) -> FloatArray:
    corpora, matches = endings.shape
    seasons = [np.ones(matches, dtype=bool)]
    if rules.carry is Carry.RESET:
        seasons = [table.tournament == number for number in np.unique(table.tournament)]
    ends = []
    for season in seasons:
        # Every corpus is a stretch of one long list of matches, which each order walks alone.
        chosen = orders[season[orders]].reshape(corpora, -1) + matches * np.arange(corpora)[:, None]
        seeker, holder = final_ratings(
            np.tile(table.seeker, corpora),
            np.tile(table.holder, corpora),
            table.score[endings].ravel(),
            table.weight[endings].ravel(),
            chosen,
            players=players,
            k=rules.k,
            start=0.0,
        )
        ends.append(np.concatenate([seeker, holder], axis=1))
    return np.asarray(np.mean(ends, axis=0), dtype=np.float64)

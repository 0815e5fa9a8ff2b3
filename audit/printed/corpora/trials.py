"""Which rules of rating fit the printed ratings: each beside chance, and searched for by itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import product

import numpy as np
import pandas as pd

from audit.numbers._check import FloatArray
from audit.numbers.rating import Carry
from games.words import Game

from .check import Checker
from .course import State
from .dealt import Dealt, deal
from .forward import against, simulated
from .moves import Ground, Neighbours
from .rated import in_order, table_of
from .rules import InOrder, Rules, Weighing
from .sampled import Samples, Unsound
from .search import Found, reach
from .target import Target

REACHED = 0.05
"""Rating points within which all ratings of an experiment count as reached."""


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """What is tried of one game: its printed ratings, and how it may have been rated.

    Attributes
    ----------
    game : Game
    horizon : int
    players : tuple of str
    printed : ndarray of float64, shape (2 * players,)
        Around the start.
    rules : tuple of Rules
    """

    game: Game
    horizon: int
    players: tuple[str, ...]
    printed: FloatArray
    rules: tuple[Rules, ...]


def rules_for(game: Game, ks: Iterable[float], modes: int) -> tuple[Rules, ...]:
    """Return every M rule, carry-over, K and order that tell the matches of a game apart.

    Parameters
    ----------
    game : Game
    ks : iterable of float
    modes : int
        Modes of AIDG-I.
    """
    first = game is Game.AIDG_I
    weighings: Sequence[Weighing] = (Weighing.NONE,) if first else tuple(Weighing)
    orders: Sequence[InOrder] = tuple(InOrder) if first and modes > 1 else (InOrder.EVEN,)
    return tuple(
        Rules(weighing, carry, k, order)
        for weighing, carry, k, order in product(weighings, Carry, ks, orders)
    )


def tried(
    samples: Samples,
    trial: Trial,
    rng: np.random.Generator,
    *,
    times: int,
    steps: int,
) -> pd.DataFrame:
    """Return one row a set of rules: chance beside print, and how near a search came.

    Parameters
    ----------
    samples : Samples
    trial : Trial
    rng : numpy.random.Generator
    times : int
        How often every sampled corpus is dealt anew for the simulation.
    steps : int
        Of each search, at most; none without any.

    Returns
    -------
    DataFrame
        ``game``, the rules, what `Against` holds, ``dropped`` and ``error`` of the search (the
        largest over all ratings, in points), ``reached`` (within 0.05), ``wins_at``: the mean place
        of Seeker wins in the order found, 0 first and 1 last.
    """
    rows = []
    for number, rules in enumerate(trial.rules):
        drawn = simulated(
            samples, trial.game, trial.horizon, rules, trial.players, times=times, rng=rng
        )
        row = {"game": trial.game.value} | asdict(rules) | asdict(against(trial.printed, drawn))
        if steps:
            way = number % len(samples.sampled)  # each in its turn
            row |= _searched(samples, trial, rules, rng, way=way, steps=steps)
        rows.append(row)
    return pd.DataFrame(rows)


def _searched(
    samples: Samples,
    trial: Trial,
    rules: Rules,
    rng: np.random.Generator,
    *,
    way: int,
    steps: int,
) -> dict[str, object]:
    """Search for the printed ratings under one way to give up numbers."""
    ground, states = grounds(samples, way, trial, rules, rng)
    found = reach(ground, next(states), trial.printed, rng, steps=steps, enough=REACHED)
    check_found(samples, way, ground, found)
    return {
        "dropped": samples.sampled[way].name,
        "error": found.value,
        "reached": found.value <= REACHED,
        "steps": found.steps,
        "wins_at": wins_at(ground, found),
    }


def grounds(
    samples: Samples,
    way: int,
    trial: Trial,
    rules: Rules,
    rng: np.random.Generator,
) -> tuple[Ground, Iterator[State]]:
    """Return what a search under a way moves on, and states to begin at, drawn one by one."""
    one, layout = samples.sampled[way], samples.margins.layout
    target = Target.of(samples.margins, one.dropped)
    table = table_of(layout, trial.game, trial.horizon, rules.weighing, trial.players)
    ground = Ground(table, Neighbours(target, table), rules, len(trial.players))

    def states() -> Iterator[State]:
        while True:
            row = int(rng.integers(len(one.dealt)))
            dealt = deal(layout, one.dealt.endings[row : row + 1], rng)
            order = in_order(table, dealt.position[:, table.rows], rules.order)[0]
            yield State(dealt.endings[0, table.rows], order)

    return ground, states()


def check_found(samples: Samples, way: int, ground: Ground, found: Found) -> None:
    """Raise unless the corpus that a search found satisfies everything kept under its way.

    Raises
    ------
    Unsound
        If it does not.
    """
    one, table = samples.sampled[way], ground.table
    endings, position = one.dealt.endings[:1].copy(), one.dealt.position[:1].copy()
    endings[0, table.rows] = found.state.endings
    for number in np.unique(table.tournament):
        order = found.state.order[table.tournament[found.state.order] == number]
        position[0, table.rows[order]] = np.sort(position[0, table.rows[order]])
    corpus = Dealt(samples.margins.layout, endings, position).frame(0)
    if faults := Checker(samples.margins, one.dropped).broken(corpus):
        raise Unsound(f"a corpus that was searched for breaks {', '.join(faults)}")


def wins_at(ground: Ground, found: Found) -> float:
    """Return the mean place of Seeker wins in the order of a corpus found, 0 first and 1 last."""
    state = found.state
    won = ground.table.score[state.endings[state.order]] == 1.0
    if not won.any() or len(won) < 2:
        return float("nan")
    return float(np.flatnonzero(won).mean() / (len(won) - 1))

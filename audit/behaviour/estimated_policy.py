"""A policy of HIDDEN SIGNAL estimated from recorded rounds: counts by information set, smoothed.

What no round shows, no count tells. There, and everywhere in a part that the smoothing sets, the
estimate falls back on what the agent does at the same turn, and that on what it does at any turn,
both seen from its own set: a state counts by its distance on the circle, so that "guess the upper
of my set" is one action. The last resort is a flat distribution.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from games.rules.hidden_signal import Round
from games.rules.hidden_signal_actions import ACTIONS, INDEX
from games.rules.hidden_signal_world import OWN_SETS, STATES, Agent

from .round_tree import Floats, PolicyTable, RoundTree, acted


@dataclass(frozen=True, slots=True)
class EstimatedPolicy:
    """What recorded rounds say of one agent's policy.

    Attributes
    ----------
    agent : Agent
    table : PolicyTable
    seen : tuple of ndarray of bool, each shape (4, k**depth)
        Where the agent has acted at least once.
    acts : int
        Actions counted.
    rounds, left_out : int
        Rounds that went in; void ones, which did not.
    """

    agent: Agent
    table: PolicyTable
    seen: tuple[npt.NDArray[np.bool_], ...]
    acts: int
    rounds: int
    left_out: int


def estimated_policy(
    tree: RoundTree, rounds: Sequence[Round], agent: Agent, *, smoothing: float = 1.0
) -> EstimatedPolicy:
    """Return an agent's policy as recorded rounds show it.

    Parameters
    ----------
    tree : RoundTree
        Of the choices under which the rounds were played.
    rounds : sequence of Round
        In any order; void ones are left out and counted.
    agent : Agent
    smoothing : float
        How many acts the fallback counts for at an information set, at least 0. At 0 the shares
        seen stand as they are, and the fallback holds only where nothing was seen.

    Raises
    ------
    ValueError
        The smoothing is negative, or a round was played under other choices.
    """
    if smoothing < 0:
        raise ValueError(f"smoothing must not be negative, found {smoothing!r}")
    valid = [r for r in rounds if r.outcome is None or r.outcome.void is None]
    counts = _counts(tree, valid, agent)
    seen, table = [], []
    for depth, (count, base) in enumerate(zip(counts, _fallback(counts), strict=True)):
        where = np.zeros((len(OWN_SETS), tree.branching**depth), dtype=np.bool_)
        where[count.own, count.at] = True
        seen.append(where)
        table.append(_smoothed(count, base, where.shape, smoothing))
    acts = int(sum(count.acts.sum() for count in counts))
    left_out = len(rounds) - len(valid)
    return EstimatedPolicy(agent, tuple(table), tuple(seen), acts, len(valid), left_out)


@dataclass(frozen=True, slots=True)
class _Counts:
    """The acts of one depth, where there were any: shapes (n,), (n,) and (n, 13)."""

    own: npt.NDArray[np.intp]
    at: npt.NDArray[np.intp]
    acts: Floats


def _counts(tree: RoundTree, rounds: Sequence[Round], agent: Agent) -> list[_Counts]:
    found: list[dict[tuple[int, int], Floats]] = [{} for _ in range(tree.turns)]
    for played in rounds:
        world = played.setup.world
        own = OWN_SETS.index(world.own_set(agent))
        for depth, history, action in acted(tree, played.setup, played.acts):
            if world.mover(depth) is agent:
                row = found[depth].setdefault((own, history), np.zeros(len(ACTIONS)))
                row[action] += 1
    counts = []
    for by_place in found:
        places = np.array(list(by_place), dtype=np.intp).reshape(-1, 2)
        acts = np.array(list(by_place.values())).reshape(-1, len(ACTIONS))
        counts.append(_Counts(places[:, 0], places[:, 1], acts))
    return counts


def _turned() -> npt.NDArray[np.intp]:
    """Return, by own set, where each action stands among those seen from a set, shape (4, 13)."""
    places = np.empty((len(OWN_SETS), len(ACTIONS)), dtype=np.intp)
    for own in range(len(OWN_SETS)):
        for index, action in enumerate(ACTIONS):
            if action.state is None:
                places[own, index] = index
                continue
            distance = (STATES.index(action.state) - own) % len(STATES)
            places[own, index] = INDEX[action.model_copy(update={"state": STATES[distance]})]
    return places


_TURNED = _turned()


def _fallback(counts: Sequence[_Counts]) -> list[Floats]:
    """Return the fallback of each depth, shape (4, 13)."""
    by_depth = []
    for count in counts:
        pooled = np.zeros(len(ACTIONS))
        np.add.at(pooled, _TURNED[count.own], count.acts)
        by_depth.append(pooled)
    flat = np.full(len(ACTIONS), 1.0 / len(ACTIONS))
    anywhere = _toward(np.sum(by_depth, axis=0), flat)
    return [_toward(pooled, anywhere)[_TURNED] for pooled in by_depth]


def _toward(counts: Floats, base: Floats) -> Floats:
    """Return shares of counts to which the base adds one act."""
    shares: Floats = (counts + base) / (counts.sum() + 1.0)
    return shares


def _smoothed(count: _Counts, base: Floats, shape: tuple[int, int], smoothing: float) -> Floats:
    table = np.empty((*shape, len(ACTIONS)))
    table[:] = base[:, None, :]
    total = count.acts.sum(axis=1, keepdims=True)
    known = (count.acts + smoothing * base[count.own]) / (total + smoothing)
    table[count.own, count.at] = known
    return table

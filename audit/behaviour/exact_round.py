"""What a round of HIDDEN SIGNAL is worth to two policies, by enumeration of its tree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from games.rules.hidden_signal_actions import ACTIONS
from games.rules.hidden_signal_world import AGENTS, Agent

from .round_tree import Floats, PolicyTable, RoundTree, WorldTree


@dataclass(frozen=True, slots=True)
class RoundValue:
    """Expected points of a round.

    Attributes
    ----------
    one, two : float
        Points a round, over all worlds alike; enumerated, free of Monte Carlo error.
    by_world : ndarray, shape (worlds, 2)
        The same within each world, in the order of the tree's.
    """

    one: float
    two: float
    by_world: Floats

    def of(self, agent: Agent) -> float:
        """Return one agent's expected points."""
        return self.one if agent is Agent.ONE else self.two


def round_value(tree: RoundTree, policies: Mapping[Agent, PolicyTable]) -> RoundValue:
    """Return what a round is worth to two policies.

    A policy gives chances at every information set. Where an agent draws one of several policies
    before the round and keeps to it, the value is the same mixture of their values.

    Parameters
    ----------
    tree : RoundTree
    policies : mapping of Agent to PolicyTable

    Returns
    -------
    RoundValue
    """
    values = np.array([_world_value(tree, world, policies) for world in tree.worlds])
    one, two = values.mean(axis=0)
    return RoundValue(float(one), float(two), values)


def round_variance(tree: RoundTree, policies: Mapping[Agent, PolicyTable]) -> dict[Agent, float]:
    """Return the variance of each agent's points from round to round, over all worlds alike.

    Returns
    -------
    dict
        Agent to squared points; enumerated.
    """
    squares = np.mean([_world_squares(tree, world, policies) for world in tree.worlds], axis=0)
    means = round_value(tree, policies)
    return {
        agent: max(0.0, float(square) - means.of(agent) ** 2)
        for agent, square in zip(AGENTS, squares, strict=True)
    }


def _world_value(
    tree: RoundTree, world: WorldTree, policies: Mapping[Agent, PolicyTable]
) -> Floats:
    total: Floats = np.zeros(len(AGENTS))
    for depth, at, chances in _walk(tree, world, policies):
        gains = world.gains[depth]
        # Histories after which the same has been told give the same points: their chances add up.
        cells = len(ACTIONS) * world.told[depth][at, None].astype(np.intp)
        cells = cells + np.arange(len(ACTIONS))
        by_told = np.bincount(cells.ravel(), chances.ravel(), minlength=gains[..., 0].size)
        total += by_told @ gains.reshape(-1, len(AGENTS))
    return total


def _world_squares(
    tree: RoundTree, world: WorldTree, policies: Mapping[Agent, PolicyTable]
) -> Floats:
    """Return the expected squares of both agents' points."""
    total: Floats = np.zeros(len(AGENTS))
    so_far: Floats = np.zeros((1, len(AGENTS)))
    parents: npt.NDArray[np.intp] = np.zeros(1, dtype=np.intp)
    for depth, at, chances in _walk(tree, world, policies):
        if depth:
            # What was earned up to a history is its parent's points and those of its last action.
            so_far = so_far[np.searchsorted(parents, at // tree.branching)]
            past = world.points(depth - 1, at // tree.branching)
            so_far = so_far + past[np.arange(len(at)), at % tree.branching]
        ended = chances.copy()
        ended[:, : tree.branching] *= 1.0 - world.on[depth]
        squares = np.square(so_far[:, None, :] + world.points(depth, at))
        total += np.einsum("ha,hac->c", ended, squares)
        parents = at
    return total


def _walk(
    tree: RoundTree, world: WorldTree, policies: Mapping[Agent, PolicyTable]
) -> Iterator[tuple[int, npt.NDArray[np.intp], Floats]]:
    """Yield, by depth, the histories that have a chance, rising, and that of every action there.

    Recorded play, and a best response, lead to few of all histories.
    """
    at: npt.NDArray[np.intp] = np.zeros(1, dtype=np.intp)
    chance: Floats = np.ones(1)
    for depth in range(tree.turns):
        mover = world.world.mover(depth)
        chances = chance[:, None] * policies[mover][depth][world.own[mover]][at]
        yield depth, at, chances
        onward = (chances[:, : tree.branching] * world.on[depth]).ravel()
        live = np.flatnonzero(onward)
        parent, action = np.divmod(live, tree.branching)
        at, chance = at[parent] * tree.branching + action, onward[live]


def reach(tree: RoundTree, world: WorldTree, policies: Mapping[Agent, PolicyTable]) -> list[Floats]:
    """Return the chance of every history within a world, by depth.

    An agent without a policy counts as making every move that leads there: what is left is the
    other's and the rules' part of the chance.
    """
    chances: list[Floats] = [np.ones(1)]
    for depth in range(tree.turns - 1):
        mover = world.world.mover(depth)
        onward = np.broadcast_to(world.on[depth], (len(chances[-1]), tree.branching))
        if mover in policies:
            onward = onward * policies[mover][depth][world.own[mover]][:, : tree.branching]
        chances.append((chances[-1][:, None] * onward).ravel())
    return chances


def one_hot_agents(agent: Agent) -> Floats:
    """Return the weights under which an objective is one agent's points."""
    return np.array([float(agent is other) for other in AGENTS])

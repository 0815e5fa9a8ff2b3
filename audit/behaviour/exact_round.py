"""What a round of HIDDEN SIGNAL is worth to two policies, by enumeration of its tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

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


def _world_value(
    tree: RoundTree, world: WorldTree, policies: Mapping[Agent, PolicyTable]
) -> Floats:
    ahead: Floats = np.zeros((0, 2))
    for depth in reversed(range(tree.turns)):
        mover = world.world.mover(depth)
        chances = policies[mover][depth][world.own[mover]]
        here: Floats = np.einsum("ha,hac->hc", chances, world.points(depth))
        if depth + 1 < tree.turns:
            goes = chances[:, : tree.branching] * world.on[depth]
            here = here + np.einsum("ha,hac->hc", goes, ahead.reshape(*goes.shape, 2))
        ahead = here
    root: Floats = ahead[0]
    return root


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

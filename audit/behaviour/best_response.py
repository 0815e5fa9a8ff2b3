"""The best response to a policy of HIDDEN SIGNAL, exactly, on the round's tree.

Solution concept. What one agent gains and the other loses do not add up to a constant, so that
nothing here bounds what a policy earns against another opponent, no value of the game exists, and
two policies without a gain (a Nash equilibrium of one round) need be neither unique nor equally
good. What is computed is the most that one agent can earn a round while the other keeps to a given
policy, and what it gains by it over its own play. Rounds are taken one by one: a policy that hangs
on earlier rounds is not covered.

The responder knows its own set, who opened and what was said, and nothing else: worlds that it
cannot tell apart share one decision.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from games.rules.hidden_signal_actions import ACTIONS
from games.rules.hidden_signal_world import AGENTS, OWN_SETS, Agent

from .exact_round import one_hot_agents, reach, round_value
from .round_tree import Floats, PolicyTable, RoundTree, WorldTree

# Two actions this close are one: without it the last bit of a sum would decide which is best.
_DIGITS = 9

Masks = tuple[npt.NDArray[np.bool_], ...]


@dataclass(frozen=True, slots=True)
class Response:
    """A best response.

    Attributes
    ----------
    agent : Agent
        Who responds.
    value : float
        The objective a round that it reaches; enumerated.
    table : PolicyTable
        One action at every information set, the first of equals.
    """

    agent: Agent
    value: float
    table: PolicyTable


@dataclass(frozen=True, slots=True)
class Kept:
    """Information sets at which a responder keeps to a table: shapes (4, k**depth) by depth."""

    table: PolicyTable
    where: Masks


def best_response(
    tree: RoundTree,
    agent: Agent,
    against: PolicyTable,
    *,
    objective: npt.ArrayLike | None = None,
    kept: Kept | None = None,
) -> Response:
    """Return the best response of an agent to the other's policy.

    Parameters
    ----------
    tree : RoundTree
    agent : Agent
        Who responds.
    against : PolicyTable
        The other's policy.
    objective : array_like, shape (2,), optional
        What is made as large as possible: weights of the points of agents one and two. The
        responder's own points by default.
    kept : Kept, optional
        Where the responder may not choose.

    Returns
    -------
    Response
    """
    weights = one_hot_agents(agent) if objective is None else np.asarray(objective, np.float64)
    task = _Task(tree, agent, against, weights, kept)
    shapes = [(len(OWN_SETS), tree.branching**depth, len(ACTIONS)) for depth in range(tree.turns)]
    table = tuple(np.zeros(shape) for shape in shapes)
    total = 0.0
    for own, opener in product(range(len(OWN_SETS)), AGENTS):
        alike = [w for w in tree.worlds if w.own[agent] == own and w.world.opener is opener]
        total += _respond(task, alike, table)
    return Response(agent, total / len(tree.worlds), table)


@dataclass(frozen=True, slots=True)
class _Task:
    tree: RoundTree
    agent: Agent
    against: PolicyTable
    weights: Floats
    kept: Kept | None


def _respond(task: _Task, alike: list[WorldTree], table: PolicyTable) -> float:
    """Fill a table where the agent cannot tell some worlds apart; return their summed objective."""
    tree, other = task.tree, task.agent.other
    own = alike[0].own[task.agent]
    reached = [reach(tree, world, {other: task.against}) for world in alike]
    ahead: Floats = np.zeros(0)
    for depth in reversed(range(tree.turns)):
        # Chances are already in what lies ahead, the other's and the rules' alike.
        onward = ahead.reshape(-1, tree.branching)
        if alike[0].world.mover(depth) is task.agent:
            worth = np.zeros((tree.branching**depth, len(ACTIONS)))
            for world, chances in zip(alike, reached, strict=True):
                worth += world.worth(depth, task.weights) * chances[depth][:, None]
            worth[: len(onward), : tree.branching] += onward
            table[depth][own] = _chosen(worth, depth, own, task.kept)
            ahead = np.einsum("ha,ha->h", worth, table[depth][own])
            continue
        ahead = np.zeros(tree.branching**depth)
        ahead[: len(onward)] = onward.sum(axis=1)
        for world, chances in zip(alike, reached, strict=True):
            given = world.worth(depth, task.weights)
            shares = task.against[depth][world.own[other]]
            ahead += np.einsum("ha,ha->h", given, shares) * chances[depth]
    return float(ahead[0])


def _chosen(worth: Floats, depth: int, own: int, kept: Kept | None) -> Floats:
    best: Floats = np.eye(len(ACTIONS))[np.argmax(np.round(worth, _DIGITS), axis=1)]
    if kept is not None:
        held = kept.where[depth][own]
        best[held] = kept.table[depth][own][held]
    return best


def gain(tree: RoundTree, policies: Mapping[Agent, PolicyTable], agent: Agent) -> float:
    """Return what an agent gains a round by the best response to the other's policy.

    Returns
    -------
    float
        Points a round, not negative but for rounding. Two policies are a Nash equilibrium of the
        round exactly where both agents' gains are 0.
    """
    best = best_response(tree, agent, policies[agent.other])
    return best.value - round_value(tree, policies).of(agent)

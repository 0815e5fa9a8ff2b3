"""The tree of one HIDDEN SIGNAL round, as arrays.

What has been said is public, so a node is a world and a history: the actions so far, each one after
which a round may go on. With ``k`` such actions a history of ``d`` of them is a number in base
``k``, and a policy is one table a depth. The arrays are filled by the step of the rules themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np
import numpy.typing as npt

from games.builtin.signal_agents import SignalPolicy
from games.rules.hidden_signal_actions import ACTIONS, INDEX, ActionKind
from games.rules.hidden_signal_choices import Scoring, SignalChoices, WrongGuess
from games.rules.hidden_signal_records import Act, Observation, PublicAct, RoundSetup
from games.rules.hidden_signal_scoring import NOTHING_TOLD, Told, step
from games.rules.hidden_signal_world import AGENTS, OWN_SETS, Agent, OwnSet, World, worlds

Floats = npt.NDArray[np.float64]
PolicyTable = tuple[Floats, ...]
"""One agent's policy: for each depth shape (4, k**depth, 13), by own set and history.

On even depths it is that of the opener, on odd ones that of the other. Rows sum to 1.
"""

_TOLD = tuple(
    Told(frozenset(claimed), frozenset(excluded))
    for claimed, excluded in product([(), (Agent.ONE,), (Agent.TWO,), AGENTS], repeat=2)
)


@dataclass(frozen=True, slots=True)
class WorldTree:
    """One world's part of a tree.

    Attributes
    ----------
    world : World
    own : dict
        Agent to the index of its own set.
    told : tuple of ndarray of int8, each shape (k**depth,)
        What has been told, by depth and history.
    gains : tuple of ndarray, each shape (16, 13, 2)
        What every action gives agents one and two at once, by depth and what has been told.
    on : tuple of ndarray, each shape (k,)
        1 where the round goes on after an action, else 0, by depth.
    """

    world: World
    own: dict[Agent, int]
    told: tuple[npt.NDArray[np.int8], ...]
    gains: tuple[Floats, ...]
    on: tuple[Floats, ...]

    def points(self, depth: int, at: npt.NDArray[np.intp]) -> Floats:
        """Return what every action gives at once at some histories, shape (histories, 13, 2)."""
        return self.gains[depth][self.told[depth][at]]

    def worth(self, depth: int, weights: Floats) -> Floats:
        """Return weighted points of every action at every history, shape (k**depth, 13)."""
        return (self.gains[depth] @ weights)[self.told[depth]]


@dataclass(frozen=True, slots=True)
class RoundTree:
    """A whole tree: equally likely worlds, ``turns`` depths, ``branching`` actions that go on."""

    choices: SignalChoices
    turns: int
    branching: int
    worlds: tuple[WorldTree, ...]

    @property
    def histories(self) -> int:
        """The number of histories at which somebody moves."""
        return sum(self.branching**depth for depth in range(self.turns))

    @property
    def leaves(self) -> int:
        """The number of ways in which a round can end, over all worlds."""
        ended = 0
        for world in self.worlds:
            live = 1
            for goes_on in world.on:
                ended += live * (len(ACTIONS) - int(goes_on.sum()))
                live *= int(goes_on.sum())
        return ended


@lru_cache(maxsize=4)
def round_tree(choices: SignalChoices, scoring: Scoring = Scoring()) -> RoundTree:  # noqa: B008
    """Return the tree of a round under a setting of the open choices.

    Parameters
    ----------
    choices : SignalChoices
    scoring : Scoring
        Points for each event; the printed table by default.
    """
    plays_on = choices.wrong_guess is WrongGuess.PLAYS_ON
    branching = sum(plays_on or action.action is not ActionKind.GUESS for action in ACTIONS)
    options = worlds(choices.neighbours)
    trees = tuple(_world_tree(world, choices, scoring, branching) for world in options)
    return RoundTree(choices, choices.turn_limit.turns, branching, trees)


def _world_tree(world: World, choices: SignalChoices, scoring: Scoring, k: int) -> WorldTree:
    turns = choices.turn_limit.turns
    told = np.array([_TOLD.index(NOTHING_TOLD)], dtype=np.int8)
    before, gains, on = [], [], []
    for depth in range(turns):
        last = depth + 1 == turns
        gain, after, goes = _steps(world, world.mover(depth), choices, scoring, last)
        before.append(told)
        gains.append(gain)
        on.append(goes[:k])
        told = after[told, :k].ravel()
    own = {agent: OWN_SETS.index(world.own_set(agent)) for agent in AGENTS}
    return WorldTree(world, own, tuple(before), tuple(gains), tuple(on))


def _steps(
    world: World, mover: Agent, choices: SignalChoices, scoring: Scoring, last: bool
) -> tuple[Floats, npt.NDArray[np.int8], Floats]:
    """Return points, what is told afterwards, and whether the round goes on, of every action."""
    gain = np.zeros((len(_TOLD), len(ACTIONS), len(AGENTS)))
    after = np.zeros((len(_TOLD), len(ACTIONS)), dtype=np.int8)
    goes = np.zeros(len(ACTIONS))
    for (i, told), (j, action) in product(enumerate(_TOLD), enumerate(ACTIONS)):
        done = step(world, told, mover, action, choices, last=last)
        for agent, event in done.events:
            gain[i, j, AGENTS.index(agent)] += scoring.points(event)
        after[i, j] = _TOLD.index(done.told)
        goes[j] = done.end is None
    return gain, after, goes


def history(tree: RoundTree, depth: int, at: int) -> tuple[int, ...]:
    """Return the indices of the actions of a history by its place among those of its depth."""
    past = []
    for _ in range(depth):
        at, action = divmod(at, tree.branching)
        past.append(action)
    return tuple(reversed(past))


def flat_table(tree: RoundTree) -> PolicyTable:
    """Return the policy that takes any action alike everywhere."""
    shapes = [(len(OWN_SETS), tree.branching**depth, len(ACTIONS)) for depth in range(tree.turns)]
    return tuple(np.full(shape, 1.0 / len(ACTIONS)) for shape in shapes)


def policy_table(tree: RoundTree, policy: SignalPolicy, agent: Agent) -> PolicyTable:
    """Return an agent's policy in a round without earlier ones, as a table.

    Parameters
    ----------
    tree : RoundTree
    policy : SignalPolicy
        Asked once at every information set that its own play can lead to; its rows elsewhere are
        flat, and no value hangs on them.
    agent : Agent
        In whose place it plays.

    Raises
    ------
    ValueError
        A row of weights is no distribution over the actions.
    """
    table = flat_table(tree)
    for role in (0, 1):
        live = np.ones((len(OWN_SETS), 1), dtype=np.bool_)
        for depth in range(tree.turns):
            onward = np.repeat(live[:, :, None], tree.branching, axis=2)
            if depth % 2 == role:
                for own, at in np.argwhere(live):
                    past = history(tree, depth, int(at))
                    table[depth][own, at] = policy.weights(_seen(tree, agent, OWN_SETS[own], past))
                onward &= table[depth][:, :, : tree.branching] > 0
            live = onward.reshape(len(OWN_SETS), -1)
    if any(rows.min() < 0 or not np.allclose(rows.sum(axis=2), 1.0) for rows in table):
        raise ValueError("weights must be non-negative and sum to 1")
    return table


def acted(tree: RoundTree, setup: RoundSetup, acts: Sequence[Act]) -> list[tuple[int, int, int]]:
    """Return depth, history and action of every act of a recorded round that is an action.

    Raises
    ------
    ValueError
        The round was played under other choices than the tree's.
    """
    if setup.choices != tree.choices:
        raise ValueError(f"round {setup.id!r} was played under other choices than the tree's")
    found, at = [], 0
    for depth, act in enumerate(acts):
        if act.action is None:
            break
        action = INDEX[act.action]
        found.append((depth, at, action))
        at = at * tree.branching + action
    return found


def _seen(tree: RoundTree, agent: Agent, own: OwnSet, past: tuple[int, ...]) -> Observation:
    opener = agent if len(past) % 2 == 0 else agent.other
    movers = (opener, opener.other)
    log = tuple(_PUBLIC[movers[i % 2], action] for i, action in enumerate(past))
    # Made without checks, since every part is one of the rules' own: there are very many of them.
    return Observation.model_construct(
        agent=agent,
        number=1,
        turn=len(past) + 1,
        turn_limit=tree.turns,
        opener=opener,
        own=own,
        log=log,
        recent=(),
    )


_PUBLIC = {
    (agent, index): PublicAct(agent=agent, action=action)
    for agent in AGENTS
    for index, action in enumerate(ACTIONS)
}

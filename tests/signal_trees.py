"""Trees of HIDDEN SIGNAL rounds for tests: policies as tables, and ends without the arrays."""

from __future__ import annotations

import numpy as np

from audit.behaviour.round_tree import (
    PolicyTable,
    RoundTree,
    policy_table,
)
from games.builtin.signal_agents import SignalPolicy
from games.rules.hidden_signal import Round
from games.rules.hidden_signal_actions import ACTIONS, INDEX, WITHHOLD, Claim, message
from games.rules.hidden_signal_choices import (
    Scoring,
    TurnLimit,
)
from games.rules.hidden_signal_records import Observation
from games.rules.hidden_signal_world import OWN_SETS, STATES, Agent
from tests.signal_rounds import RULES, SHORT, after

ONE, TWO = Agent.ONE, Agent.TWO
TINY = SHORT.model_copy(update={"turn_limit": TurnLimit.TURNS_2})
# Guesses are too dear without knowing, and messages are free: nothing is to be gained by anyone.
DEAR = Scoring(wrong_guess=-200, message=0)


def table_by_chance(tree: RoundTree, rng: np.random.Generator) -> PolicyTable:
    """Return a policy with every action possible everywhere."""
    return tuple(
        rng.dirichlet(np.ones(len(ACTIONS)), size=(4, tree.branching**depth))
        for depth in range(tree.turns)
    )


def pair(tree: RoundTree, one: SignalPolicy, two: SignalPolicy) -> dict[Agent, PolicyTable]:
    return {ONE: policy_table(tree, one, ONE), TWO: policy_table(tree, two, TWO)}


def walked(tree: RoundTree, tables: dict[Agent, PolicyTable], state: Round, chance: float):
    """Yield every end that the rules know, with its chance: the tree without the tree's arrays."""
    mover = RULES.mover(state)
    if mover is None:
        yield state, chance
        return
    depth = len(state.acts)
    at = 0
    for act in state.acts:
        at = at * tree.branching + INDEX[act.action]
    own = OWN_SETS.index(state.setup.world.own_set(mover))
    for index, action in enumerate(ACTIONS):
        p = tables[mover][depth][own, at, index]
        if p > 0:
            yield from walked(tree, tables, after(state, action), chance * p)


class Babbler:
    """Opens with any affirmation, whatever its set, and otherwise withholds."""

    def weights(self, seen: Observation) -> np.ndarray:
        weights = np.zeros(len(ACTIONS))
        if seen.log:
            weights[INDEX[WITHHOLD]] = 1.0
        else:
            weights[[INDEX[message(Claim.IS, state)] for state in STATES]] = 0.25
        return weights

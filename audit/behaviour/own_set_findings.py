"""What an agent's own set tells by itself, and what one would earn that reads it.

As printed the sets differ for each hidden state, so that the set tells all to who knows the rule,
and leakage measures nothing. Where a coin swaps the neighbours one bit is hidden.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from games.rules.hidden_signal_actions import ACTIONS, INDEX, guess
from games.rules.hidden_signal_choices import Neighbours
from games.rules.hidden_signal_records import Observation
from games.rules.hidden_signal_world import AGENTS, OWN_SETS, hidden_bits, worlds

from .estimated_policy import estimated_policy
from .exact_round import round_value
from .exploited import FEWEST
from .findings import OwnSets
from .played_series import PlayedSeries
from .round_tree import Floats, RoundTree, policy_table


class KnowsTheRule:
    """Knows the rule of a variant, and guesses at once what its own set makes likeliest."""

    def __init__(self, neighbours: Neighbours) -> None:
        self._neighbours = neighbours

    def weights(self, seen: Observation) -> Floats:
        """Return a guess of the likeliest state; of any of them where several are."""
        left = Counter(
            world.hidden
            for world in worlds(self._neighbours)
            if world.own_set(seen.agent) == seen.own
        )
        best = [state for state, n in left.items() if n == max(left.values())]
        weights = np.zeros(len(ACTIONS))
        weights[[INDEX[guess(state)] for state in best]] = 1.0 / len(best)
        return weights


def own_bits(neighbours: Neighbours) -> float:
    """Return the entropy of the hidden state given an own set, in bits; enumerated."""
    found = [
        hidden_bits(neighbours, agent, own)
        for agent in AGENTS
        for own in OWN_SETS
        for world in worlds(neighbours)
        if world.own_set(agent) == own
    ]
    return float(np.mean(found))


def own_sets(tree: RoundTree, series: Sequence[PlayedSeries]) -> OwnSets:
    """Return what own sets tell in a run, and what one that knows the rule would have earned.

    Parameters
    ----------
    tree : RoundTree
        Of the choices under which it was played.
    series : sequence of PlayedSeries
        Those in whose agents' places it is put; too short ones are left out.
    """
    neighbours = tree.choices.neighbours
    ideal = KnowsTheRule(neighbours)
    tables = {agent: policy_table(tree, ideal, agent) for agent in AGENTS}
    against, earned = {}, {}
    for one in series:
        if len(one.valid) < FEWEST:
            continue
        against[one.series.id] = {
            agent: round_value(
                tree,
                {
                    agent: tables[agent],
                    agent.other: estimated_policy(
                        tree, one.rounds, agent.other, smoothing=0.0
                    ).table,
                },
            ).of(agent)
            for agent in AGENTS
        }
        earned[one.series.id] = {
            agent: float(np.mean([r.reward for r in one.rows[agent] if r.reward is not None]))
            for agent in AGENTS
        }
    bits, worth = own_bits(neighbours), round_value(tree, tables).one
    return OwnSets(
        neighbours=neighbours,
        hidden_bits=bits,
        printed_bits=own_bits(Neighbours.AS_PRINTED),
        knows_the_rule=worth,
        against=against,
        earned=earned,
        says=_says(neighbours, bits, worth),
    )


def _says(neighbours: Neighbours, bits: float, worth: float) -> str:
    if neighbours is Neighbours.AS_PRINTED:
        return (
            f"Sets as printed: H(hidden state | own set) = {bits:.0f} bits, so that the set itself "
            "tells the hidden state to who knows the rule, and leakage is 0 whatever is said. One "
            f"that knows it and guesses at once earns {worth:.2f} points a round against its like; "
            "whether an agent has found the rule shows in how it compares."
        )
    return (
        f"A coin decides who sees which neighbour: H(hidden state | own set) = {bits:.0f} bit, so "
        "that knowing the rule alone is no help. One that knows it and guesses at once earns "
        f"{worth:.2f} points a round against its like. As printed the same entropy is "
        f"{own_bits(Neighbours.AS_PRINTED):.0f} bits."
    )

"""Best responses in HIDDEN SIGNAL, against linear programs and every other policy."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from audit.behaviour.best_response import Kept, best_response, gain
from audit.behaviour.exact_round import round_value
from audit.behaviour.round_tree import (
    PolicyTable,
    RoundTree,
    policy_table,
    round_tree,
)
from games.builtin.signal_agents import POLICIES, SignalAgent
from games.rules.hidden_signal import Round
from games.rules.hidden_signal_actions import INDEX, Claim, guess, message
from games.rules.hidden_signal_choices import (
    Neighbours,
    SignalChoices,
    TurnLimit,
)
from games.rules.hidden_signal_world import OWN_SETS, STATES, Agent, worlds
from tests.signal_rounds import SHORT, begun
from tests.signal_trees import TINY, pair, table_by_chance, walked

ONE, TWO = Agent.ONE, Agent.TWO


# --- best responses


def linear_program(choices: SignalChoices, agent: Agent, against: PolicyTable) -> float:
    """Return the value of a best response as a linear program over realisation plans.

    Independent of the tree's recursion: the variables are sequences of the responder's own acts at
    its information sets, the ends are those that the rules come to.
    """
    tree = round_tree(choices)
    all_free = tuple(np.ones_like(rows) for rows in against)
    worth: dict[tuple, float] = defaultdict(float)
    options = worlds(choices.neighbours)
    for world in options:
        tables = {agent: all_free, agent.other: against}
        for end, p in walked(tree, tables, begun(world, choices), 1 / len(options)):
            worth[_sequence(end, agent)] += p * end.points(agent)
    names = sorted({s[: len(s) - cut] for s in worth for cut in range(len(s))})
    column = {name: i for i, name in enumerate(names)}
    sets = sorted({_at(name) for name in names})
    rows, right = np.zeros((len(sets), len(names))), np.zeros(len(sets))
    for row, found in enumerate(sets):
        for name in names:
            if _at(name) == found:
                rows[row, column[name]] = 1.0
        parent = found[:-1]
        if parent:
            rows[row, column[parent]] = -1.0
        else:
            right[row] = 1.0
    reward = np.zeros(len(names))
    for name, value in worth.items():
        if name:
            reward[column[name]] = value
    solved = linprog(-reward, A_eq=rows, b_eq=right, bounds=(0, None))
    assert solved.status == 0
    return float(-solved.fun + worth.get((), 0.0))


def _at(sequence: tuple) -> tuple:
    """Return the information set at which the last act of a sequence is made."""
    return (*sequence[:-1], sequence[-1][:-1])


def _sequence(end: Round, agent: Agent) -> tuple:
    """Return an agent's acts in a round, each with the information set at which it acted."""
    own = OWN_SETS.index(end.setup.world.own_set(agent))
    actions = tuple(INDEX[act.action] for act in end.acts)
    return tuple(
        (own, actions[:depth], action)
        for depth, action in enumerate(actions)
        if end.acts[depth].agent is agent
    )


@pytest.mark.parametrize("agent", Agent)
@pytest.mark.parametrize("neighbours", Neighbours)
def test_a_best_response_solves_the_linear_program_of_the_round(
    agent: Agent, neighbours: Neighbours
) -> None:
    choices = TINY.model_copy(update={"neighbours": neighbours})
    tree, rng = round_tree(choices), np.random.default_rng(11)
    against = table_by_chance(tree, rng)
    found = best_response(tree, agent, against)
    assert found.value == pytest.approx(linear_program(choices, agent, against))
    value = round_value(tree, {agent: found.table, agent.other: against})
    assert value.of(agent) == pytest.approx(found.value)


@pytest.mark.parametrize("name", ["cautious", "bluff"])
def test_a_best_response_over_four_turns_solves_the_linear_program(name: str) -> None:
    tree = round_tree(SHORT)
    against = policy_table(tree, POLICIES[SignalAgent(name)], TWO)
    assert best_response(tree, ONE, against).value == pytest.approx(
        linear_program(SHORT, ONE, against)
    )


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from(Agent))
def test_no_policy_beats_the_best_response(seed: int, agent: Agent) -> None:
    tree, rng = round_tree(SHORT), np.random.default_rng(seed)
    against = table_by_chance(tree, rng)
    found = best_response(tree, agent, against)
    assert all((rows.sum(axis=2) == 1).all() for rows in found.table)
    value = round_value(tree, {agent: found.table, agent.other: against}).of(agent)
    assert value == pytest.approx(found.value)
    others = [table_by_chance(tree, rng)]
    others += [policy_table(tree, policy, agent) for policy in POLICIES.values()]
    # One decision changed anywhere never helps: enough, by the one-shot deviation principle.
    changed = [rows.copy() for rows in found.table]
    depth = int(rng.integers(tree.turns))
    at = int(rng.integers(tree.branching**depth))
    changed[depth][int(rng.integers(4)), at] = np.eye(13)[int(rng.integers(13))]
    for table in (*others, tuple(changed)):
        worth = round_value(tree, {agent: table, agent.other: against}).of(agent)
        assert worth <= found.value + 1e-9


def test_a_responder_cannot_tell_apart_what_its_set_does_not() -> None:
    """Who saw the world would earn 125 by every opening; who sees a set of two earns less."""
    tree = round_tree(SHORT)
    silent = tuple(np.broadcast_to(np.eye(13)[8], rows).copy() for rows in _shapes(tree))
    found = best_response(tree, ONE, silent)
    # The other is silent for ever: guess at any time, right in half of the rounds.
    assert found.value == pytest.approx((125 - 55) / 2)
    # As printed the set tells all, so that nothing is lost by not seeing more.
    printed = round_tree(SHORT.model_copy(update={"neighbours": Neighbours.AS_PRINTED}))
    assert best_response(printed, ONE, silent).value == pytest.approx(125.0)


def _shapes(tree: RoundTree) -> list[tuple[int, int, int]]:
    return [(4, tree.branching**depth, 13) for depth in range(tree.turns)]


def test_a_best_response_to_truth_listens_first_and_then_knows() -> None:
    """Who only says what it knows tells its whole set by one denial, charged for it or not.

    Of a listener that holds A and B: a sincere denial of C comes from who does not hold C, and so
    from D and A; one of D from B and C. Listening earns 100 + 25 always and 10 in half of the
    rounds, whoever opens.
    """
    tree = round_tree(SHORT)
    truthful = policy_table(tree, POLICIES[SignalAgent.TRUTHFUL], TWO)
    found = best_response(tree, ONE, truthful)
    assert found.value == pytest.approx(130.0)
    for denied, hidden in zip(STATES, (1, 0, 0, 1), strict=True):
        heard = INDEX[message(Claim.IS_NOT, denied)]
        assert found.table[1][0, heard, INDEX[guess(STATES[hidden])]] == 1.0


def test_kept_decisions_are_kept_and_an_objective_is_obeyed() -> None:
    tree, rng = round_tree(SHORT), np.random.default_rng(5)
    against, table = table_by_chance(tree, rng), table_by_chance(tree, rng)
    everywhere = Kept(table, tuple(np.ones(rows.shape[:2], dtype=bool) for rows in table))
    both = {ONE: table, TWO: against}
    kept = best_response(tree, ONE, against, kept=everywhere)
    assert kept.value == pytest.approx(round_value(tree, both).one)
    assert all((a == b).all() for a, b in zip(kept.table, table, strict=True))
    harm = best_response(tree, ONE, against, objective=[0.0, -1.0])
    harmed = round_value(tree, {ONE: harm.table, TWO: against})
    assert harmed.two == pytest.approx(-harm.value)
    assert harmed.two < round_value(tree, both).two
    total = best_response(tree, ONE, against, objective=[1.0, 1.0])
    assert total.value >= sum(round_value(tree, both).by_world.mean(axis=0)) - 1e-9


@pytest.mark.parametrize("limit", [TurnLimit.TURNS_2, TurnLimit.TURNS_4])
def test_two_that_guess_at_once_are_an_equilibrium_of_the_round(limit: TurnLimit) -> None:
    tree = round_tree(SHORT.model_copy(update={"turn_limit": limit}))
    guesser = POLICIES[SignalAgent.RULE_LEARNER]
    tables = pair(tree, guesser, guesser)
    assert [gain(tree, tables, agent) for agent in Agent] == pytest.approx([0.0, 0.0])

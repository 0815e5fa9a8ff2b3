"""What a round of HIDDEN SIGNAL is worth: its tree against play, by hand and by simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.behaviour.best_response import best_response, gain
from audit.behaviour.exact_round import reach, round_value
from audit.behaviour.round_tree import (
    acted,
    history,
    policy_table,
    round_tree,
)
from games.builtin.signal_agents import POLICIES, SignalAgent
from games.rules.hidden_signal_actions import ACTIONS, INDEX, WITHHOLD, guess
from games.rules.hidden_signal_choices import (
    Exclusion,
    Extraction,
    Neighbours,
    SignalChoices,
    TurnLimit,
    WrongGuess,
)
from games.rules.hidden_signal_records import Act, Observation
from games.rules.hidden_signal_world import OWN_SETS, STATES, Agent, World, worlds
from games.words import Fault
from tests.signal_rounds import RULES, SHORT, after, begun, choices_drawn, series_of
from tests.signal_trees import TINY, pair, table_by_chance, walked

ONE, TWO = Agent.ONE, Agent.TWO


# --- the tree


@pytest.mark.parametrize(
    ("choices", "histories", "leaves"),
    [
        # 16 worlds; nine actions go on, four end: 4 + 9·13 = 121 ends each, and so on.
        (TINY, 1 + 9, 16 * (4 + 9 * 13)),
        (SHORT, 1 + 9 + 81 + 729, 16 * (4 * (1 + 9 + 81) + 729 * 13)),
        (SignalChoices(), (9**6 - 1) // 8, 16 * (4 * (9**5 - 1) // 8 + 9**5 * 13)),
        # Twelve go on where a miss does not end it.
        (
            TINY.model_copy(update={"wrong_guess": WrongGuess.PLAYS_ON}),
            1 + 13,
            16 * (1 + 12 * 13),
        ),
        (TINY.model_copy(update={"neighbours": Neighbours.AS_PRINTED}), 10, 8 * 121),
    ],
)
def test_size_of_the_tree(choices: SignalChoices, histories: int, leaves: int) -> None:
    tree = round_tree(choices)
    assert (tree.histories, tree.leaves) == (histories, leaves)


@given(st.integers(0, 9**4 - 1))
def test_a_history_is_a_number_in_the_base_of_what_goes_on(at: int) -> None:
    past = history(round_tree(SHORT), 4, at)
    assert sum(action * 9 ** (3 - i) for i, action in enumerate(past)) == at


def test_recorded_acts_are_found_in_the_tree() -> None:
    state = after(begun(World(hidden=STATES[1], lower=ONE, opener=ONE)), WITHHOLD, ACTIONS[2])
    state = RULES.apply(state, Act(agent=ONE, fault=Fault.EMPTY))
    assert acted(round_tree(SHORT), state.setup, state.acts) == [(0, 0, 8), (1, 8, 2)]
    with pytest.raises(ValueError, match="round 'r1' was played under other choices than the tr"):
        acted(round_tree(TINY), state.setup, state.acts)


def test_weights_that_are_no_distribution_are_refused() -> None:
    class Double:
        def weights(self, seen: Observation) -> np.ndarray:
            return np.full(len(ACTIONS), 2 / len(ACTIONS))

    with pytest.raises(ValueError, match="weights must be non-negative and sum to 1"):
        policy_table(round_tree(TINY), Double(), ONE)


def test_rows_that_own_play_cannot_lead_to_change_no_value() -> None:
    """Whatever stands in rows that its own play does not reach, a policy is worth the same."""
    tree = round_tree(SHORT)
    asked: list[Observation] = []

    class Counted:
        def weights(self, seen: Observation) -> np.ndarray:
            asked.append(seen)
            return POLICIES[SignalAgent.TRUTHFUL].weights(seen)

    table = policy_table(tree, Counted(), ONE)
    assert len(asked) < 4 * tree.histories / 3
    rng = np.random.default_rng(1)
    other = table_by_chance(tree, rng)
    flat = 1 / len(ACTIONS)
    stirred = tuple(
        np.where(rows == flat, rng.dirichlet(np.ones(13), size=rows.shape[:2]), rows)
        for rows in table
    )
    first, second = (round_value(tree, {ONE: t, TWO: other}) for t in (table, stirred))
    assert first.one == pytest.approx(second.one)
    assert first.two == pytest.approx(second.two)


# --- values


@settings(max_examples=15, deadline=None)
@given(choices_drawn(), st.integers(0, 2**32 - 1))
def test_values_are_those_of_the_rules_walked_action_by_action(
    choices: SignalChoices, seed: int
) -> None:
    choices = choices.model_copy(update={"turn_limit": TurnLimit.TURNS_2})
    tree, rng = round_tree(choices), np.random.default_rng(seed)
    tables = {agent: table_by_chance(tree, rng) for agent in Agent}
    value = round_value(tree, tables)
    world = worlds(choices.neighbours)[int(rng.integers(len(tree.worlds)))]
    ends = list(walked(tree, tables, begun(world, choices), 1.0))
    assert math.fsum(chance for _, chance in ends) == pytest.approx(1.0)
    expected = [math.fsum(p * end.points(agent) for end, p in ends) for agent in Agent]
    row = worlds(choices.neighbours).index(world)
    assert value.by_world[row] == pytest.approx(expected)
    assert (value.one, value.two) == pytest.approx(tuple(value.by_world.mean(axis=0)))


def test_values_of_four_turns_are_those_of_the_rules_walked_action_by_action() -> None:
    choices = SHORT.model_copy(
        update={
            "wrong_guess": WrongGuess.PLAYS_ON,
            "exclusion": Exclusion.BY_ANY_TRUE_CLAIM,
            "extraction": Extraction.GUESS_AFTER_CLAIM,
        }
    )
    tree = round_tree(choices)
    tables = pair(tree, POLICIES[SignalAgent.TRUTHFUL], POLICIES[SignalAgent.BLUFF])
    expected = np.zeros(2)
    for world in worlds(choices.neighbours):
        for end, p in walked(tree, tables, begun(world, choices), 1 / 16):
            expected += [p * end.points(agent) for agent in Agent]
    value = round_value(tree, tables)
    assert (value.one, value.two) == pytest.approx(tuple(expected))


def test_a_guess_at_once_is_worth_what_a_hand_reckons() -> None:
    """Right in half of the rounds: (100 + 25 - 30 - 25) / 2 = 35 to who opens, 0 to the other."""
    tree = round_tree(SignalChoices())
    guesser = POLICIES[SignalAgent.RULE_LEARNER]
    value = round_value(tree, pair(tree, guesser, guesser))
    assert (value.one, value.two) == pytest.approx((17.5, 17.5))
    opened = [w.world.opener is ONE for w in tree.worlds]
    assert value.by_world[opened].mean(axis=0) == pytest.approx([35.0, 0.0])


def test_who_knows_the_printed_rule_wins_every_round_that_it_opens() -> None:
    choices = SignalChoices(neighbours=Neighbours.AS_PRINTED)
    tree = round_tree(choices)

    class KnowsTheRule:
        def weights(self, seen: Observation) -> np.ndarray:
            own = OWN_SETS.index(seen.own)
            hidden = STATES[(own + 1) % 4] if seen.agent is ONE else STATES[own]
            return np.eye(len(ACTIONS))[INDEX[guess(hidden)]]

    tables = pair(tree, KnowsTheRule(), KnowsTheRule())
    assert round_value(tree, tables).one == pytest.approx((125 - 25) / 2)
    assert [gain(tree, tables, agent) for agent in Agent] == pytest.approx([0.0, 0.0])
    # Against one that guesses either state of its set at once, knowing is worth half of 125.
    blind = policy_table(tree, POLICIES[SignalAgent.RULE_LEARNER], TWO)
    assert best_response(tree, ONE, blind).value == pytest.approx(125 / 2)


@pytest.mark.parametrize(
    ("one", "two"),
    [("random", "random"), ("truthful", "bluff"), ("truthful", "truthful"), ("cautious", "bluff")],
)
def test_simulation_meets_the_enumerated_values(one: str, two: str) -> None:
    policies = {ONE: POLICIES[SignalAgent(one)], TWO: POLICIES[SignalAgent(two)]}
    tree = round_tree(SHORT)
    value = round_value(tree, pair(tree, policies[ONE], policies[TWO]))
    series = series_of(policies, 1500, 7)
    for agent in Agent:
        points = np.array([played.points(agent) for played in series], dtype=float)
        error = points.std(ddof=1) / math.sqrt(len(points))
        assert abs(points.mean() - value.of(agent)) < 4 * error


def test_a_mixture_of_policies_is_worth_the_mixture_of_their_values() -> None:
    """A coin before every round decides which of two policies agent one plays."""
    tree, rng = round_tree(SHORT), np.random.default_rng(3)
    two = POLICIES[SignalAgent.TRUTHFUL]
    first, second = POLICIES[SignalAgent.CAUTIOUS], POLICIES[SignalAgent.BLUFF]
    values = [round_value(tree, pair(tree, one, two)).one for one in (first, second)]
    points = []
    for seed in range(400):
        one = first if rng.random() < 0.25 else second
        points += [r.points(ONE) for r in series_of({ONE: one, TWO: two}, 4, seed)]
    error = np.std(points) / math.sqrt(len(points))
    assert abs(np.mean(points) - (0.25 * values[0] + 0.75 * values[1])) < 4 * error


def test_chances_of_histories_are_those_of_the_ends_that_pass_through() -> None:
    tree, rng = round_tree(TINY), np.random.default_rng(2)
    tables = {agent: table_by_chance(tree, rng) for agent in Agent}
    for world in tree.worlds:
        passed = np.zeros(tree.branching)
        for end, p in walked(tree, tables, begun(world.world, TINY), 1.0):
            if len(end.acts) == 2:
                passed[INDEX[end.acts[0].action]] += p
        assert reach(tree, world, tables)[1] == pytest.approx(passed)
        free = reach(tree, world, {})
        assert all((chances == 1).all() for chances in free)

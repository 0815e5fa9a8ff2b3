"""The built-in agents of HIDDEN SIGNAL: what each does, and that none can break a rule."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.builtin.signal_agents import (
    POLICIES,
    WAYS,
    SignalAgent,
    drawn,
    next_note,
    policy_under,
)
from games.errors import IllegalMove
from games.rules.hidden_signal import Round
from games.rules.hidden_signal_actions import (
    ACTIONS,
    WITHHOLD,
    Action,
    ActionKind,
    Claim,
    Knowledge,
    guess,
    message,
    parse,
)
from games.rules.hidden_signal_choices import Neighbours, OwnPastSets, SignalChoices, WrongGuess
from games.rules.hidden_signal_conduct import Performance
from games.rules.hidden_signal_history import PerformanceHistory, performance
from games.rules.hidden_signal_world import STATES, Agent, World, world_of
from tests.signal_rounds import RULES, SHORT, after, begun, played, rounds, series_of

A, B, C, D = STATES
ONE, TWO = Agent.ONE, Agent.TWO
WORLD = World(hidden=B, lower=ONE, opener=ONE)


def options(name: str, state: Round, series: tuple[Round, ...] = ()) -> set[Action]:
    """Return what the mover may do under a policy, each alike."""
    mover = RULES.mover(state)
    assert mover is not None
    weights = POLICIES[SignalAgent(name)].weights(RULES.observation(state, mover, series))
    (chance,) = set(weights[weights > 0])
    found = {action for action, weight in zip(ACTIONS, weights, strict=True) if weight > 0}
    assert chance == pytest.approx(1 / len(found))
    return found


@given(rounds(), st.sampled_from(SignalAgent), st.integers(0, 2**32 - 1))
def test_every_agent_is_legal_and_seeded(state: Round, name: SignalAgent, seed: int) -> None:
    mover = RULES.mover(state)
    if mover is None:
        return
    seen = RULES.observation(state, mover)
    weights = POLICIES[name].weights(seen)
    assert weights.shape == (13,)
    assert weights.min() >= 0
    assert weights.sum() == pytest.approx(1.0)
    actions = [drawn(POLICIES[name], seen, np.random.default_rng(seed)) for _ in range(2)]
    assert actions[0] == actions[1] == parse(actions[0].text())


def test_random_does_anything() -> None:
    assert options("random", begun(WORLD)) == set(ACTIONS)


def test_truthful_denies_what_it_knows_is_not_hidden_then_waits_then_guesses() -> None:
    start = begun(WORLD)
    denials = {message(Claim.IS_NOT, C), message(Claim.IS_NOT, D)}
    assert options("truthful", start) == denials
    deny = message(Claim.IS_NOT, D)
    assert options("truthful", after(begun(WORLD, SignalChoices()), deny, WITHHOLD)) == {WITHHOLD}
    assert options("truthful", after(start, deny, WITHHOLD)) == {guess(A), guess(B)}
    # Taken at its word: agent two denies A, which leaves B.
    told = after(start, deny, message(Claim.IS_NOT, A))
    assert options("truthful", told) == {guess(B)}
    # Told what cannot be, it guesses by its own set on its last turn.
    lied = after(start, deny, message(Claim.IS, D))
    assert options("truthful", lied) == {guess(A), guess(B)}


@given(rounds())
def test_truthful_never_says_what_it_does_not_know(state: Round) -> None:
    mover = RULES.mover(state)
    if mover is None:
        return
    own = state.setup.world.own_set(mover)
    said = {a for a in options("truthful", state) if a.action is ActionKind.MESSAGE}
    assert all(claim.known(own) is Knowledge.TRUE for claim in said)


def test_bluff_lies_until_its_last_turn() -> None:
    start = begun(WORLD)
    assert options("bluff", start) == {message(Claim.IS, C), message(Claim.IS, D)}
    assert options("bluff", after(start, WITHHOLD, WITHHOLD)) == {guess(A), guess(B)}


def test_cautious_says_nothing_and_guesses_only_what_it_was_told() -> None:
    start = begun(WORLD)
    assert options("cautious", start) == {WITHHOLD}
    assert options("cautious", after(start, WITHHOLD, WITHHOLD)) == {WITHHOLD}
    told = after(start, WITHHOLD, message(Claim.IS, B))
    assert options("cautious", told) == {guess(B)}
    assert options("cautious", after(start, WITHHOLD, message(Claim.IS, C))) == {WITHHOLD}


LEARNING = SignalChoices(neighbours=Neighbours.AS_PRINTED, own_past_sets=OwnPastSets.SHOWN)


def test_the_rule_learner_knows_the_printed_rule_after_one_round() -> None:
    """One round as printed, then it is always right; with a coin, right in half of the rounds."""
    learners = dict.fromkeys(Agent, POLICIES[SignalAgent.RULE_LEARNER])
    printed = series_of(learners, 200, 1, LEARNING)
    assert all(r.outcome.winner is r.setup.world.opener for r in printed[1:])
    swapped = LEARNING.model_copy(update={"neighbours": Neighbours.SWAPPED})
    right = sum(
        r.outcome.winner is r.setup.world.opener for r in series_of(learners, 600, 1, swapped)
    )
    # Binomial(600, 1/2): five standard deviations.
    assert abs(right - 300) < 5 * (600 / 4) ** 0.5


def test_the_rule_learner_learns_nothing_without_its_own_past_sets() -> None:
    blind = LEARNING.model_copy(update={"own_past_sets": OwnPastSets.OMITTED})
    past = after(begun(WORLD, blind), guess(B))
    assert options("rule_learner", begun(WORLD, blind, number=2), (past,)) == {guess(A), guess(B)}
    past = after(begun(WORLD, LEARNING), guess(B))
    assert options("rule_learner", begun(WORLD, LEARNING, number=2), (past,)) == {guess(B)}


def test_the_rule_learner_follows_either_rule_and_falls_back_on_chance_between_them() -> None:
    choices = LEARNING.model_copy(update={"neighbours": Neighbours.SWAPPED})
    low = after(begun(WORLD.model_copy(update={"lower": TWO}), choices), guess(B))
    high = after(begun(WORLD, choices), guess(B))
    start = begun(WORLD, choices, number=3)
    assert options("rule_learner", start, (low, low)) == {guess(A)}
    assert options("rule_learner", start, (high, high)) == {guess(B)}
    assert options("rule_learner", start, (high, low)) == {guess(A), guess(B)}


def test_a_guess_of_the_other_is_no_claim() -> None:
    on = SHORT.model_copy(update={"wrong_guess": WrongGuess.PLAYS_ON})
    state = after(begun(WORLD.model_copy(update={"opener": TWO}), on), guess(C))
    assert options("cautious", state) == {WITHHOLD}


# --- the agent that wins and stays, or loses and shifts


NOTES = tuple(way.value for way in WAYS)


def block(won: int, lost: int) -> PerformanceHistory:
    """Return a history whose last rounds went so, after others that went the other way."""
    latest = Performance(rounds=won + lost, won=won, lost=lost)
    whole = Performance(rounds=won + lost + 200, won=won + lost + 100, lost=won + lost + 100)
    return PerformanceHistory(whole=whole, latest=latest)


def updated(note: str, history: PerformanceHistory, seed: int) -> str:
    return next_note(SignalAgent.WIN_STAY, history, note, np.random.default_rng(seed))


def test_a_note_names_what_is_played() -> None:
    for way in WAYS:
        assert policy_under(SignalAgent.WIN_STAY, way.value) is POLICIES[way]
    assert policy_under(SignalAgent.WIN_STAY, "") is POLICIES[SignalAgent.TRUTHFUL]
    for agent in SignalAgent:
        assert policy_under(agent, "") is POLICIES[agent]


@pytest.mark.parametrize(
    ("agent", "note"),
    [
        (SignalAgent.WIN_STAY, "random"),
        (SignalAgent.WIN_STAY, "Bluff it out"),
        (SignalAgent.BLUFF, "bluff"),
    ],
)
def test_no_other_note_is_played_by(agent: SignalAgent, note: str) -> None:
    with pytest.raises(IllegalMove, match=f"the agent {agent.value} plays by no note '{note}'"):
        policy_under(agent, note)


@given(st.sampled_from(SignalAgent), st.integers(0, 9), st.integers(0, 9))
def test_a_fixed_agent_keeps_an_empty_note(agent: SignalAgent, won: int, lost: int) -> None:
    if agent is not SignalAgent.WIN_STAY:
        assert next_note(agent, block(won, lost), "", np.random.default_rng(1)) == ""


@given(st.sampled_from(NOTES), st.integers(0, 9), st.integers(0, 9), st.integers(0, 99))
def test_win_stay_lose_shift(note: str, won: int, lost: int, seed: int) -> None:
    after_it = updated(note, block(won, lost), seed)
    assert after_it in NOTES
    assert (after_it == note) == (lost <= won)
    assert after_it == updated(note, block(won, lost), seed)


def test_before_its_first_note_it_plays_as_its_first_way() -> None:
    assert updated("", block(1, 0), 1) == "truthful"
    assert {updated("", block(0, 1), seed) for seed in range(30)} == {"bluff", "cautious"}


def test_a_shift_takes_either_other_way_alike() -> None:
    """So the one way that wins is found after a geometric number of losing blocks, two on average.

    From a losing way the next is the winning one with chance 1/2: mean 2, variance 2.
    """
    rng = np.random.default_rng(20)
    waits = []
    for _ in range(2000):
        note, wait = "truthful", 0
        while note != "cautious":
            note = next_note(SignalAgent.WIN_STAY, block(0, 1), note, rng)
            wait += 1
        assert next_note(SignalAgent.WIN_STAY, block(1, 0), note, rng) == "cautious"
        waits.append(wait)
    assert abs(np.mean(waits) - 2) < 4 * (2 / 2000) ** 0.5
    counts = np.bincount(waits)[1:4] / 2000
    # Four standard errors of each share.
    assert np.all(np.abs(counts - [1 / 2, 1 / 4, 1 / 8]) < 4 * 0.5 / 2000**0.5)


def test_in_play_it_leaves_the_ways_that_lose_and_mostly_keeps_the_one_that_holds() -> None:
    """Against a bluffer nearly every block is lost by truth or caution, and some by bluffing.

    So from a losing way it comes to bluff with chance 1/2, and leaves it with chance p: in the long
    run 1 / (1 + 2p) of all blocks are bluffed.
    """
    rng, note, done, ways, left = np.random.default_rng(5), "", [], [], []
    bluffer = POLICIES[SignalAgent.BLUFF]
    for number in range(1, 1001):
        policies = {ONE: policy_under(SignalAgent.WIN_STAY, note), TWO: bluffer}
        world = world_of(3, 1, number, Neighbours.SWAPPED)
        done.append(played(begun(world, number=number), policies, rng))
        if number % 20 == 0:
            ways.append(note or "truthful")
            history = performance(done, ONE, number - 20)
            note = next_note(SignalAgent.WIN_STAY, history, note, rng)
            left.append(note != ways[-1])
    bluffed = np.array([way == "bluff" for way in ways])
    shifted = np.array(left)
    assert shifted[~bluffed].mean() > 0.9
    p = shifted[bluffed].mean()
    assert 0.1 < p < 0.6
    assert abs(bluffed.mean() - 1 / (1 + 2 * p)) < 0.15

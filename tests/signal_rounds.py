"""Rounds of HIDDEN SIGNAL for tests: played by policies or by chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from hypothesis import strategies as st

from games.builtin.signal_agents import SignalPolicy, drawn
from games.rules.hidden_signal import HiddenSignal, Round
from games.rules.hidden_signal_actions import ACTIONS, Action
from games.rules.hidden_signal_choices import (
    Exclusion,
    ExclusionCost,
    ExclusionRepeated,
    Extraction,
    Neighbours,
    NobodyGuessed,
    OwnPastSets,
    RecentRounds,
    Scoring,
    SignalChoices,
    TurnLimit,
    WrongGuess,
)
from games.rules.hidden_signal_records import Act, RoundSetup
from games.rules.hidden_signal_world import Agent, World, world_of, worlds

RULES = HiddenSignal()
SHORT = SignalChoices(turn_limit=TurnLimit.TURNS_4, recent_rounds=RecentRounds.NONE)


def choices_drawn() -> st.SearchStrategy[SignalChoices]:
    """Return settings of the open choices, faults aside."""
    return st.builds(
        SignalChoices,
        neighbours=st.sampled_from(Neighbours),
        turn_limit=st.sampled_from(TurnLimit),
        wrong_guess=st.sampled_from(WrongGuess),
        nobody_guessed=st.sampled_from(NobodyGuessed),
        exclusion=st.sampled_from(Exclusion),
        exclusion_cost=st.sampled_from(ExclusionCost),
        exclusion_repeated=st.sampled_from(ExclusionRepeated),
        extraction=st.sampled_from(Extraction),
        recent_rounds=st.sampled_from(RecentRounds),
        own_past_sets=st.sampled_from(OwnPastSets),
    )


@st.composite
def rounds(draw: st.DrawFn, *, choices: SignalChoices | None = None, ended: bool = False) -> Round:
    """Return a round that chance play reaches; an ended one where asked."""
    setting = draw(choices_drawn()) if choices is None else choices
    world = draw(st.sampled_from(worlds(setting.neighbours)))
    state = begun(world, setting)
    left = 10_000 if ended else draw(st.integers(0, 6))
    while left and (mover := RULES.mover(state)) is not None:
        left -= 1
        action = draw(st.sampled_from(ACTIONS))
        state = RULES.apply(state, Act(agent=mover, action=action))
    return state


def begun(
    world: World, choices: SignalChoices = SHORT, scoring: Scoring | None = None, number: int = 1
) -> Round:
    """Return a round before its first turn."""
    setup = RoundSetup(
        id=f"r{number}", number=number, world=world, choices=choices, scoring=scoring or Scoring()
    )
    return RULES.begin(setup)


def after(state: Round, *actions: Action) -> Round:
    """Return the round after actions, each by whose turn it is."""
    for action in actions:
        mover = RULES.mover(state)
        assert mover is not None
        state = RULES.apply(state, Act(agent=mover, action=action))
    return state


def played(
    state: Round,
    policies: Mapping[Agent, SignalPolicy],
    rng: np.random.Generator,
    series: Sequence[Round] = (),
) -> Round:
    """Return a round played to its end by policies."""
    while (mover := RULES.mover(state)) is not None:
        seen = RULES.observation(state, mover, series)
        state = after(state, drawn(policies[mover], seen, rng))
    return state


def series_of(
    policies: Mapping[Agent, SignalPolicy],
    count: int,
    seed: int,
    choices: SignalChoices = SHORT,
    scoring: Scoring | None = None,
) -> list[Round]:
    """Return the rounds of a series, each agent shown the earlier ones."""
    rng = np.random.default_rng(seed)
    done: list[Round] = []
    for number in range(1, count + 1):
        world = world_of(seed, 1, number, choices.neighbours)
        done.append(played(begun(world, choices, scoring, number), policies, rng, done))
    return done

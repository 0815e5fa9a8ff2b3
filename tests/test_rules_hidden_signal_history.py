"""What an agent is told of a series: its own counts, the other's public ones, by condition."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from audit.behaviour.signal_measures import agent_round
from games.errors import IllegalMove
from games.places import load_toml
from games.rules.hidden_signal import Round, recent_rounds, replay
from games.rules.hidden_signal_actions import WITHHOLD, ActionKind, Claim, guess, message
from games.rules.hidden_signal_choices import (
    ExclusionRepeated,
    NobodyGuessed,
    OwnPastSets,
    RecentRounds,
    SignalChoices,
    TurnLimit,
)
from games.rules.hidden_signal_conduct import Conduct, Performance
from games.rules.hidden_signal_history import (
    Condition,
    OpponentStatistics,
    PerformanceHistory,
    SignalPast,
    frozen_past,
    opponent_statistics,
    past_of,
    performance,
)
from games.rules.hidden_signal_records import Act, PastRound, RoundVoid
from games.rules.hidden_signal_world import AGENTS, STATES, Agent, World
from games.study.choices import OpenChoices
from games.study.shipped import find_study
from games.words import Fault
from tests.signal_rounds import RULES, SHORT, after, begun, choices_drawn, rounds

A, B, C, D = STATES
ONE, TWO = Agent.ONE, Agent.TWO
# Agent one holds A and B, agent two B and C.
WORLD = World(hidden=B, lower=ONE, opener=ONE)


@st.composite
def series_drawn(draw: st.DrawFn, most: int = 5) -> list[Round]:
    """Return ended rounds of one setting, numbered from 1, some of them void."""
    setting = draw(choices_drawn())
    done = []
    for number in range(1, draw(st.integers(0, most)) + 1):
        played = draw(rounds(choices=setting, ended=draw(st.booleans())))
        if played.outcome is None:
            played = played.voided(draw(st.sampled_from(RoundVoid)))
        done.append(replace(played, setup=played.setup.model_copy(update={"number": number})))
    return done


# --- known answers


def known() -> list[Round]:
    """Return three rounds: one won by extraction, one void in mid-round, one used up."""
    won = after(begun(WORLD, number=1), message(Claim.IS, D), message(Claim.IS_NOT, A), guess(B))
    void = after(begun(WORLD, number=2), message(Claim.IS, A))
    void = RULES.apply(void, Act(agent=TWO, fault=Fault.EMPTY))
    turns = (message(Claim.IS_NOT, C), WITHHOLD, WITHHOLD, message(Claim.IS, B))
    return [won, void, after(begun(WORLD, number=3), *turns)]


def test_a_known_series_is_counted_by_hand() -> None:
    # Round 1: -1 for a lie; +100 +25 +10 for the guess after two denied A. Round 3: -1 -5.
    whole = Performance(
        rounds=2, void=1, won=1, drawn=1, messages=2, denials=1, true_messages=1,
        guessed_right=1, withheld=1, points=128, mean_points=64.0, exclusions=1, extractions=1,
    )  # fmt: skip
    latest = Performance(
        rounds=1, void=1, drawn=1, messages=1, denials=1, true_messages=1, withheld=1,
        points=-6, mean_points=-6.0, exclusions=1,
    )  # fmt: skip
    assert performance(known(), ONE, 1) == PerformanceHistory(whole=whole, latest=latest)
    other = Conduct(
        rounds=2, void=1, lost=1, drawn=1, messages=2, denials=1, true_messages=2, withheld=1
    )
    now = Conduct(rounds=1, void=1, drawn=1, messages=1, true_messages=1, withheld=1)
    assert opponent_statistics(known(), ONE, 1) == OpponentStatistics(whole=other, latest=now)


def test_a_series_of_void_rounds_has_no_mean() -> None:
    void = begun(WORLD).voided(RoundVoid.FAULT_OF_TWO)
    assert performance([void], ONE, 0).whole == Performance(void=1, points=0, mean_points=None)
    assert performance([], ONE, 0).whole == Performance()


def test_a_round_that_costs_both_is_drawn_and_costs() -> None:
    choices = SHORT.model_copy(
        update={"nobody_guessed": NobodyGuessed.BOTH_LOSE, "turn_limit": TurnLimit.TURNS_2}
    )
    played = after(begun(WORLD, choices), WITHHOLD, WITHHOLD)
    told = performance([played], ONE, 0).whole
    assert (told.drawn, told.lost, told.points) == (1, 0, -25)


# --- against the audit's measures, which are written apart


@given(series_drawn())
def test_own_counts_are_those_of_the_measures(series: list[Round]) -> None:
    for agent in AGENTS:
        told = performance(series, agent, 0).whole
        rows = [row for row in (agent_round(played, agent) for played in series) if not row.void]
        assert told.rounds + told.void == len(series)
        assert told.won + told.lost + told.drawn == told.rounds == len(rows)
        assert told.won == sum(row.won for row in rows)
        assert told.messages == sum(row.messages for row in rows)
        assert told.true_messages == sum(row.messages - row.untrue for row in rows)
        assert told.guessed_right == sum(row.right for row in rows)
        assert told.guessed_wrong == sum(row.guesses - row.right for row in rows)
        assert told.withheld == sum(row.withheld for row in rows)
        assert told.extractions == sum(row.extracted for row in rows)
        assert told.points == sum(row.reward for row in rows)
        every = {played.setup.choices.exclusion_repeated for played in series}
        if every == {ExclusionRepeated.EVERY}:
            assert told.exclusions == sum(row.exclusions for row in rows)
        if rows:
            assert told.mean_points == told.points / len(rows)


@given(series_drawn(), st.integers(0, 6))
def test_the_latest_part_is_that_of_the_rounds_after_a_note(
    series: list[Round], since: int
) -> None:
    assert performance(series, ONE, since).latest == performance(series[since:], ONE, 0).whole
    told = opponent_statistics(series, ONE, since)
    assert told.whole == opponent_statistics(series, ONE).whole
    assert told.latest == opponent_statistics(series[since:], ONE).latest


# --- the other's statistics: public logs and revealed states alone


def public_counts(past: tuple[PastRound, ...], agent: Agent) -> dict[str, int]:
    """Return an agent's counts from what is public of rounds, written apart from the rules."""
    ended = [one for one in past if one.end is not None]
    acts = [(one.hidden, act.action) for one in ended for act in one.log if act.agent is agent]
    said = [(h, a) for h, a in acts if a.action is ActionKind.MESSAGE]
    guessed = [(h, a) for h, a in acts if a.action is ActionKind.GUESS]
    return {
        "rounds": len(ended),
        "void": len(past) - len(ended),
        "won": sum(one.winner is agent for one in ended),
        "lost": sum(one.winner is agent.other for one in ended),
        "drawn": sum(one.winner is None for one in ended),
        "messages": len(said),
        "denials": sum(a.claim is Claim.IS_NOT for _, a in said),
        "true_messages": sum((h is a.state) is (a.claim is Claim.IS) for h, a in said),
        "guessed_right": sum(h is a.state for h, a in guessed),
        "guessed_wrong": sum(h is not a.state for h, a in guessed),
        "withheld": sum(a.action is ActionKind.WITHHOLD for _, a in acts),
    }


@given(series_drawn())
def test_the_others_counts_follow_from_what_is_public(series: list[Round]) -> None:
    shown = SignalChoices(recent_rounds=RecentRounds.LAST_50, own_past_sets=OwnPastSets.OMITTED)
    for agent in AGENTS:
        public = recent_rounds(series, agent, shown)
        told = opponent_statistics(series, agent).whole
        assert told.model_dump() == public_counts(public, agent.other)


@given(series_drawn())
def test_the_others_counts_are_the_same_whichever_way_the_coin_fell(series: list[Round]) -> None:
    """The other coin gives both agents other sets, and leaves what is public as it was."""
    flipped = [
        replace(
            played,
            setup=played.setup.model_copy(
                update={
                    "world": played.setup.world.model_copy(
                        update={"lower": played.setup.world.lower.other}
                    )
                }
            ),
            acts=tuple(act.model_copy(update={"text": "unseen"}) for act in played.acts),
        )
        for played in series
    ]
    for agent in AGENTS:
        assert opponent_statistics(flipped, agent, 2) == opponent_statistics(series, agent, 2)


def test_the_other_coin_leads_to_another_history_of_ones_own() -> None:
    """So that the test above could fail: points and exclusions do hang on sets."""
    acts = [Act(agent=ONE, action=message(Claim.IS_NOT, C)), Act(agent=TWO, action=guess(B))]
    told = []
    for lower in AGENTS:
        setup = begun(WORLD.model_copy(update={"lower": lower})).setup
        told.append(performance([replay(setup, acts)], ONE, 0).whole)
    assert [one.exclusions for one in told] == [1, 0]
    assert told[0].points == told[1].points - 5


# --- what must not be


@pytest.mark.parametrize("told", [performance, opponent_statistics])
def test_a_round_under_way_is_told_to_nobody(told) -> None:
    with pytest.raises(IllegalMove, match="round `r1` has not ended and may not be told of"):
        told([begun(WORLD)], ONE, 0)


HISTORY = performance([], ONE, 0)
STATISTICS = opponent_statistics([], ONE)
NOTE = "`note` must be given, but under the condition none"
LEFT_OUT = "`history` must be left out under the condition none"
BESIDE = r"`opponent` stands beside a history under self\+opponent, and only there"


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"condition": Condition.NONE, "note": ""}, NOTE),
        ({"condition": Condition.SELF}, NOTE),
        ({"condition": Condition.NONE, "history": HISTORY}, LEFT_OUT),
        ({"condition": Condition.SELF, "note": "", "opponent": STATISTICS}, BESIDE),
        ({"condition": Condition.SELF_OPPONENT, "note": "", "opponent": STATISTICS}, BESIDE),
        ({"condition": Condition.SELF_OPPONENT, "note": "", "history": HISTORY}, BESIDE),
    ],
)
def test_a_past_has_what_its_condition_has(fields, said) -> None:
    with pytest.raises(ValidationError, match=said):
        SignalPast(**fields)


@given(series_drawn(), st.sampled_from(AGENTS), st.integers(0, 3), st.text())
@settings(max_examples=40)
def test_each_condition_tells_what_it_says(
    series: list[Round], agent: Agent, since: int, note: str
) -> None:
    own = performance(series, agent, since)
    other = opponent_statistics(series, agent, since)
    assert past_of(Condition.NONE, series, agent, since, note) == SignalPast(
        condition=Condition.NONE
    )
    assert past_of(Condition.SELF, series, agent, since, note) == SignalPast(
        condition=Condition.SELF, history=own, note=note
    )
    assert past_of(Condition.SELF_OPPONENT, series, agent, since, note) == SignalPast(
        condition=Condition.SELF_OPPONENT, history=own, opponent=other, note=note
    )


@pytest.mark.parametrize("condition", Condition)
def test_a_frozen_player_is_told_its_note_alone(condition: Condition) -> None:
    told = frozen_past(condition, "hold still")
    assert (told.history, told.opponent) == (None, None)
    assert told.note == (None if condition is Condition.NONE else "hold still")


# --- contents are defined where a reader looks


def test_contents_are_defined_in_docs_and_in_the_open_choices() -> None:
    choices = load_toml(find_study("hidden_signal") / "open_choices.toml", OpenChoices).choice
    said = {choice.id: choice.why for choice in choices}
    for name in Performance.model_fields:
        assert name in f"{Performance.__doc__} {Conduct.__doc__}", name
        assert name in said["performance_history"], name
    for name in Conduct.model_fields:
        assert name in said["opponent_statistics"], name

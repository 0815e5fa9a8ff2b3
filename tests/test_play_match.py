from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.builtin.arbiter import RuleArbiter
from games.builtin.seating import Seating
from games.play.match import play_match
from games.play.speakers import PolicySpeaker, RuleRuler
from games.rules.choices import Choices, FaultPolicy, GuessDetection
from games.rules.game import ReAsked, Setup, View, replay
from games.rules.referee import Referee
from games.rules.schedule import round_robin
from games.study.study import Study, load_study
from games.trace import RULES
from games.words import End, Fault, Game, Label, Mode, Role, Void

from .conftest import small_study


class Scripted:
    """Says its lines in order and keeps the views that it was shown."""

    def __init__(self, *texts: str) -> None:
        self.texts, self.views = list(texts), []

    def speak(self, view: View) -> str:
        self.views.append(view)
        return self.texts.pop(0)


@pytest.fixture(scope="module")
def small(tmp_path_factory) -> Study:
    return load_study(small_study(tmp_path_factory.mktemp("study")))


def setup(game: Game, horizon: int = 4, **choices) -> Setup:
    second = game is Game.AIDG_II
    return Setup(
        match="m0",
        game=game,
        mode=None if second else Mode.B,
        secret="kettle" if second else "The lid is on the blue pot",
        horizon=horizon,
        vocabulary=("kettle", "tiger") if second else (),
        choices=Choices(**choices),
    )


def played(study: Study, fixed: Setup, seeker, holder):
    aliases = study.nouns.aliases
    return asyncio.run(
        play_match(
            RULES[fixed.game],
            fixed,
            PolicySpeaker(seeker),
            PolicySpeaker(holder),
            arbiter=RuleRuler(RuleArbiter(aliases, study.rubrics)),
            referee=Referee(aliases, study.rubrics),
        )
    )


def seats(players, study: Study, seed: int, match):
    seating = Seating(players, study.nouns, seed)
    return seating.seeker(match), seating.holder(match)


def test_a_match_goes_message_ruling_reply_to_its_end(small):
    seeker = Scripted("Is it a living thing?", "lock: kettle")
    match = played(small, setup(Game.AIDG_II), seeker, Scripted("no"))
    assert match.state.outcome.end is End.CORRECT_LOCK
    assert [ruling.item for ruling in match.state.rulings] == [
        "m0/t01/seeker_message",
        "m0/t02/lock",
    ]
    assert match.re_asked == ()


def test_players_see_their_own_view_alone(small):
    seeker, holder = Scripted("Hm?", "Well?"), Scripted("No.", "No.")
    played(small, setup(Game.AIDG_I, horizon=2), seeker, holder)
    assert [view.role for view in seeker.views] == [Role.SEEKER] * 2
    assert all(view.secret is None for view in seeker.views)
    assert all(view.secret == "The lid is on the blue pot" for view in holder.views)
    assert [line.text for line in seeker.views[1].dialogue] == ["Hm?", "No."]


def test_every_item_goes_to_the_referee_who_overwrites_nothing(small):
    seeker = Scripted("Is it bigger than a tiger?")
    match = played(small, setup(Game.AIDG_II), seeker, Scripted())
    (ruling,), (shadow,) = match.state.rulings, match.shadow
    assert (ruling.rater, ruling.label) == ("arbiter", Label.GUESS)
    assert (shadow.rater, shadow.label) == ("referee", Label.NO_GUESS)
    assert ruling.item == shadow.item
    assert match.state.outcome.end is End.DISQUALIFIED


def test_the_referee_rules_on_messages_and_nothing_else_where_the_choice_says_so(small):
    fixed = setup(Game.AIDG_II, guess_detection=GuessDetection.REFEREE)
    seeker = Scripted("Is it bigger than a tiger?", "lock: tiger")
    match = played(small, fixed, seeker, Scripted("no"))
    assert [ruling.rater for ruling in match.state.rulings] == ["referee", "arbiter"]
    assert match.state.rulings[0] == match.shadow[0]
    assert match.state.outcome.end is End.WRONG_LOCK


def test_a_faulty_utterance_is_re_asked_and_kept(small):
    seeker, holder = (
        Scripted(" ", "Alive?", "lock: kettle"),
        Scripted("I know not", "perhaps", "no"),
    )
    match = played(small, setup(Game.AIDG_II), seeker, holder)
    assert match.state.outcome.end is End.CORRECT_LOCK
    assert match.re_asked == (
        ReAsked(turn=1, role=Role.SEEKER, cause=Fault.EMPTY, text=" "),
        ReAsked(turn=1, role=Role.HOLDER, cause=Fault.UNPARSABLE, text="I know not"),
        ReAsked(turn=1, role=Role.HOLDER, cause=Fault.UNPARSABLE, text="perhaps"),
    )
    assert match.state.turns[0].message.text == "Alive?"


@pytest.mark.parametrize("re_asks", [0, 1, 2])
def test_after_the_last_re_ask_the_fault_stands(small, re_asks):
    holder = Scripted(*["Who knows"] * 3)
    policy = FaultPolicy.VOID if re_asks == 0 else FaultPolicy(f"re_ask_{re_asks}_void")
    fixed = setup(Game.AIDG_II, fault_unparsable=policy)
    match = played(small, fixed, Scripted("Alive?"), holder)
    assert match.state.outcome.void is Void.HOLDER_FAULT
    assert match.state.turns[0].reply.fault is Fault.UNPARSABLE
    assert len(match.re_asked) == re_asks
    assert len(holder.texts) == 2 - re_asks


def test_a_fault_forfeits_where_the_choice_says_so(small):
    fixed = setup(Game.AIDG_II, fault_empty=FaultPolicy.RE_ASK_2_FORFEIT)
    match = played(small, fixed, Scripted("", "", ""), Scripted())
    assert (match.state.outcome.winner, match.state.outcome.end) == (Role.HOLDER, End.FORFEIT)
    assert len(match.re_asked) == 2


@given(seed=st.integers(0, 10**6), game=st.sampled_from(list(Game)), index=st.integers(0, 5))
def test_built_in_matches_end_without_fault_and_replay_to_the_same_outcome(
    small, seed, game, index
):
    players = small.cohort().players
    schedule = round_robin(
        [player.id for player in players],
        tournaments=1,
        modes=(Mode.A, Mode.B),
        secrets=tuple(small.secrets),
        nouns=small.nouns.names,
        seed=seed,
    )
    match = [match for match in schedule.matches if match.game is game][index]
    fixed = small.setup(match)
    first, again = (played(small, fixed, *seats(players, small, seed, match)) for _ in range(2))
    state = first.state
    assert first == again
    assert state.outcome.void is None
    assert first.re_asked == ()
    assert replay(RULES[game], fixed, state.turns, state.rulings) == state
    assert [r.item for r in state.rulings] == [s.item for s in first.shadow]


@given(seed=st.integers(0, 10**6))
def test_a_mode_b_seeker_says_the_same_under_two_secrets_and_the_same_replies(small, seed):
    players = small.cohort().players
    match = next(m for m in small.schedule(small.cohort(), seed).matches if m.mode is Mode.B)
    said = []
    for secret in ("The lid is on the blue pot", "Nobody came to the fair"):
        fixed = small.setup(match).model_copy(update={"secret": secret})
        seeker, _ = seats(players, small, seed, match)
        state = played(small, fixed, seeker, Scripted(*["Hm."] * 6)).state
        said.append([turn.message for turn in state.turns])
    assert said[0] == said[1]

from __future__ import annotations

import time

import pytest

from games.rules.aidg_i import declared
from games.rules.choices import Choices
from games.rules.game import Setup
from games.rules.verdict import Verdict
from games.trace import RULES
from games.words import Abstention, End, Fault, Game, ItemKind, Label, Mode, MoveKind, Role, Void

AIDG_I = RULES[Game.AIDG_I]
SECRET = "The kettle is full"


def begin(mode=Mode.B, horizon=3, **choices):
    return AIDG_I.begin(
        Setup(
            match="m",
            game=Game.AIDG_I,
            mode=mode,
            secret=SECRET,
            topic="a kitchen",
            horizon=horizon,
            choices=Choices(**choices),
        )
    )


def say(state, text):
    return AIDG_I.apply(state, AIDG_I.parse(state, AIDG_I.mover(state), text))


def rule(state, label):
    item = AIDG_I.pending(state)
    verdict = Verdict(item=item.id, rater="arbiter", rubric="r", label=label)
    return AIDG_I.apply(state, verdict)


def asked(state, reply="Hm.", label=Label.NO_LEAK):
    return rule(say(say(state, "Well?"), reply), label)


def test_a_leak_wins_for_the_seeker_at_its_turn():
    state = asked(asked(begin()), "It is full.", Label.LEAK)
    assert (state.outcome.winner, state.outcome.end, state.outcome.turn) == (
        Role.SEEKER,
        End.LEAK,
        2,
    )


def test_a_secret_kept_to_the_horizon_wins_for_the_holder():
    state = asked(asked(asked(begin())))
    assert (state.outcome.winner, state.outcome.end, state.outcome.turn) == (
        Role.HOLDER,
        End.HORIZON,
        3,
    )


def test_a_correct_declaration_wins_without_a_reply():
    state = rule(say(asked(begin(Mode.A)), f"I know the secret: '{SECRET}.'"), Label.MATCH)
    assert state.outcome.end is End.DECLARATION
    assert state.turns[-1].reply is None


def test_a_wrong_declaration_spends_the_turn():
    state = rule(say(begin(), "I know the secret: a pan."), Label.NO_MATCH)
    assert state.outcome is None
    assert AIDG_I.mover(state) is Role.SEEKER


def test_a_wrong_declaration_at_the_horizon_ends_the_match():
    state = rule(say(asked(asked(begin())), "I know the secret: a pan."), Label.NO_MATCH)
    assert state.outcome.end is End.HORIZON


def test_a_correct_declaration_in_mode_a_may_be_declared_worthless():
    state = begin(Mode.A, mode_a_declaration="ignored")
    assert rule(say(state, f"I know the secret: {SECRET}"), Label.MATCH).outcome is None
    state = begin(Mode.B, mode_a_declaration="ignored")
    assert rule(say(state, f"I know the secret: {SECRET}"), Label.MATCH).outcome is not None


@pytest.mark.parametrize(
    ("setting", "kinds"),
    [
        ("every_turn", [MoveKind.DECLARATION] * 3),
        ("once", [MoveKind.DECLARATION, MoveKind.QUESTION, MoveKind.QUESTION]),
        ("last_turn", [MoveKind.QUESTION, MoveKind.QUESTION, MoveKind.DECLARATION]),
    ],
)
def test_when_a_seeker_may_declare(setting, kinds):
    state, seen = begin(declarations=setting), []
    while state.outcome is None:
        state = say(state, "I know the secret: a pan")
        seen.append(state.turns[-1].message.kind)
        if AIDG_I.mover(state) is Role.HOLDER:
            state = say(state, "Hm.")
        declares = seen[-1] is MoveKind.DECLARATION
        state = rule(state, Label.NO_MATCH if declares else Label.NO_LEAK)
    assert seen == kinds


def test_a_judge_who_abstains_voids_the_match():
    state = say(say(begin(), "Well?"), "Hm.")
    item = AIDG_I.pending(state)
    missing = Verdict(item=item.id, rater="arbiter", rubric="r", abstention=Abstention.UNPARSABLE)
    outcome = AIDG_I.apply(state, missing).outcome
    assert (outcome.winner, outcome.void) == (None, Void.JUDGE_MISSING)


@pytest.mark.parametrize(
    ("policy", "winner", "void", "end"),
    [("void", None, Void.SEEKER_FAULT, None), ("forfeit", Role.HOLDER, None, End.FORFEIT)],
)
def test_an_empty_message_is_void_unless_the_study_says_forfeit(policy, winner, void, end):
    state = say(begin(fault_empty=policy), " \n")
    assert state.turns[-1].message.fault is Fault.EMPTY
    assert (state.outcome.winner, state.outcome.void, state.outcome.end) == (winner, void, end)


def test_an_empty_reply_is_the_holders_fault():
    assert say(say(begin(), "Well?"), "").outcome.void is Void.HOLDER_FAULT
    assert say(say(begin(fault_empty="forfeit"), "Well?"), "").outcome.winner is Role.SEEKER


def test_the_topic_is_given_only_where_the_choice_says_so():
    assert AIDG_I.view(begin(), Role.SEEKER).topic == ""
    assert AIDG_I.view(begin(mode_b_topic="given"), Role.SEEKER).topic == "a kitchen"
    assert AIDG_I.view(begin(Mode.A, mode_b_topic="given"), Role.SEEKER).topic == ""


def test_the_item_holds_the_dialogue_up_to_the_reply_asked_about():
    item = AIDG_I.pending(say(say(asked(begin()), "And now?"), "No idea."))
    assert item.kind is ItemKind.HOLDER_REPLY
    assert item.id == "m/t02/holder_reply"
    assert [line.text for line in item.dialogue] == ["Well?", "Hm.", "And now?", "No idea."]
    assert item.subject.speaker is Role.HOLDER
    assert item.secret == SECRET


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("I know the secret: the kettle is full", "the kettle is full"),
        ("Fine. I KNOW the secret : 'The kettle is full.'", "The kettle is full"),
        ("[summary] I know the secret: Battery.", "Battery"),
        ("thanks\nI know the secret: “x y”", "x y"),
        ('"I know the secret: x y."', "x y"),
        ("**I know the secret:** x y", "x y"),
        ("> I know the secret: x y", "x y"),
        ('Would you say "I know the secret: x" to me?', ""),
        ("Do I know the secret: no?", ""),
        ("I think that I know the secret: it is full", ""),
        ("I know the secret", ""),
        ("I know the secret: ", ""),
        ("I know the secrets: all", ""),
    ],
)
def test_the_grammar_of_a_declaration(text, claim):
    assert declared(text) == claim


def test_a_megabyte_of_nearly_a_declaration_is_read_at_once():
    began = time.perf_counter()
    for text in ("\n" * 10**6, " " * 10**6, ". " * 10**5, "i know the secret" * 10**4):
        assert declared(text) == ""
    assert time.perf_counter() - began < 5

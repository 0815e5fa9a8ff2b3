from __future__ import annotations

import time

import pytest

from games.rules.aidg_ii import locks
from games.rules.choices import Choices
from games.rules.game import Setup
from games.rules.verdict import Verdict
from games.trace import RULES
from games.words import Abstention, End, Fault, Game, ItemKind, Label, MoveKind, Role, Void

AIDG_II = RULES[Game.AIDG_II]
NOUNS = ("chair", "tiger", "tooth")


def begin(horizon=3, **choices):
    return AIDG_II.begin(
        Setup(
            match="m",
            game=Game.AIDG_II,
            mode=None,
            secret="tiger",
            horizon=horizon,
            vocabulary=NOUNS,
            categories=("animals", "furniture"),
            choices=Choices(**choices),
        )
    )


def say(state, text):
    return AIDG_II.apply(state, AIDG_II.parse(state, AIDG_II.mover(state), text))


def rule(state, label):
    item = AIDG_II.pending(state)
    return AIDG_II.apply(state, Verdict(item=item.id, rater="arbiter", rubric="r", label=label))


def asked(state, answer="yes"):
    return say(rule(say(state, "Is it alive?"), Label.NO_GUESS), answer)


def ended(state):
    return state.outcome.winner, state.outcome.end, state.outcome.turn


def test_a_correct_lock_wins_for_the_seeker():
    assert ended(rule(say(asked(begin()), "lock: tiger"), Label.MATCH)) == (
        Role.SEEKER,
        End.CORRECT_LOCK,
        2,
    )


def test_a_wrong_lock_and_a_wrong_final_guess_are_told_apart():
    assert ended(rule(say(asked(begin()), "lock: chair"), Label.NO_MATCH)) == (
        Role.HOLDER,
        End.WRONG_LOCK,
        2,
    )
    assert ended(rule(say(asked(asked(begin())), "lock: chair"), Label.NO_MATCH)) == (
        Role.HOLDER,
        End.WRONG_FINAL,
        3,
    )


def test_a_direct_guess_disqualifies_before_the_holder_answers():
    state = rule(say(begin(), "Is it a tiger?"), Label.GUESS)
    assert ended(state) == (Role.HOLDER, End.DISQUALIFIED, 1)
    assert state.turns[-1].reply is None


def test_the_seeker_is_told_when_it_must_lock():
    state = begin()
    assert not AIDG_II.view(state, Role.SEEKER).must_lock
    state = asked(asked(state))
    assert AIDG_II.view(state, Role.SEEKER).must_lock
    assert not AIDG_II.view(state, Role.HOLDER).must_lock


@pytest.mark.parametrize(
    "text",
    ["chair", "A chair.", "Chairs", '"the chair"', "My final guess is chair.", "Is it a chair?"],
)
def test_the_last_guess_need_only_name_one_noun(text):
    state = say(asked(asked(begin())), text)
    assert (state.turns[-1].message.kind, state.turns[-1].message.claim) == (MoveKind.LOCK, "chair")


@pytest.mark.parametrize("text", ["Is it alive?", "chair or tiger", "sofa"])
def test_a_last_message_without_a_guess_is_a_fault(text):
    state = say(asked(asked(begin())), text)
    assert state.turns[-1].message.fault is Fault.ILLEGAL
    assert state.outcome.void is Void.SEEKER_FAULT


def test_a_lone_word_before_the_last_turn_is_a_question_to_be_ruled_on():
    state = say(begin(), "chair")
    assert AIDG_II.pending(state).kind is ItemKind.SEEKER_MESSAGE


def test_two_locks_in_one_message_are_illegal():
    state = say(begin(), "lock: chair\nlock: tiger")
    assert state.turns[-1].message.fault is Fault.ILLEGAL


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("lock: tiger", ["tiger"]),
        ("**Lock:** tiger", ["tiger"]),
        ("**lock: tiger**", ["tiger"]),
        ("Well then.\nLOCK : [Tiger].", ["Tiger"]),
        ("I could say lock: tiger, but is it alive?", []),
        ("my lock: tiger", []),
        ("padlock: tiger", []),
        ("lock: tiger\nlock: Tigers", ["tiger"]),
        ("lock: tiger\nlock: chair", ["tiger", "chair"]),
        ("lock: chair lock: table", ["chair", "table"]),
        ("lock: chair (I am sure)", ["chair"]),
        ("lock: chair, because it has legs.", ["chair"]),
        ("lock: paint brush - surely", ["paint brush"]),
        ('Should I write\n"lock: [word]"\nnow?', []),
        ("“lock: tiger”", ["tiger"]),
        ("lock:", []),
        ("lock:\ntiger", []),
        ("- lock: tiger", ["tiger"]),
        ('"lock: tiger"', ["tiger"]),
    ],
)
def test_the_grammar_of_a_lock(text, found):
    assert locks(text) == found


def test_a_megabyte_of_nearly_a_lock_is_read_at_once():
    began = time.perf_counter()
    for text in (" " * 10**6, "\n" * 10**6, "lock" * 10**5, "(" * 10**6):
        assert locks(text) == []
    assert time.perf_counter() - began < 5


@pytest.mark.parametrize("text", ["yes", " YES. ", '"yes"', "Yes!", "**yes**"])
def test_an_answer_is_one_word(text):
    assert asked(begin(), text).turns[-1].reply.claim == "yes"


@pytest.mark.parametrize(
    "text", ["I know", "cannot say", "yes and no", "yes, it lives", "nope", "yesterday", "no no"]
)
def test_anything_else_is_no_answer(text):
    state = asked(begin(), text)
    assert state.turns[-1].reply.fault is Fault.UNPARSABLE
    assert state.outcome.void is Void.HOLDER_FAULT


@pytest.mark.parametrize(
    ("text", "claim"),
    [("Yes, it lives", "yes"), ("no no", "no"), ("I say yes", None), ("yes or no", None)],
)
def test_a_leading_word_may_be_declared_enough(text, claim):
    reply = asked(begin(off_vocabulary="leading_word"), text).turns[-1].reply
    assert (reply.claim or None) == claim


@pytest.mark.parametrize(
    ("setting", "vocabulary", "categories"),
    [
        ("nothing", (), ()),
        ("categories", (), ("animals", "furniture")),
        ("list", NOUNS, ("animals", "furniture")),
    ],
)
def test_what_the_seeker_is_told_of_the_nouns(setting, vocabulary, categories):
    state = begin(omega_shown=setting)
    view = AIDG_II.view(state, Role.SEEKER)
    assert (view.vocabulary, view.categories) == (vocabulary, categories)
    assert AIDG_II.view(state, Role.HOLDER).vocabulary == ()


def test_a_judge_who_abstains_voids_the_match():
    state = say(begin(), "Is it alive?")
    item = AIDG_II.pending(state)
    missing = Verdict(item=item.id, rater="arbiter", rubric="r", abstention=Abstention.MISSING)
    assert AIDG_II.apply(state, missing).outcome.void is Void.JUDGE_MISSING

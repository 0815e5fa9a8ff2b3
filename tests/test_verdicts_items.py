from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from audit.verdicts.items import LeftOut, asked, cut_items
from games.rules.game import Outcome
from games.rules.rubric import LABELS
from games.rules.schedule import Match
from games.trace import RULES, Trace
from games.words import RULED, Abstention, Game, ItemKind, Label, Role, Void

from .played import played
from .strategies import states

LEAK, NO_LEAK, NO_GUESS, NO_MATCH = Label.LEAK, Label.NO_LEAK, Label.NO_GUESS, Label.NO_MATCH


def as_trace(state) -> Trace:
    setup = state.setup
    seats = {"seeker": "ann", "holder": "bob", "secret": "s", "tournament": 1, "position": 1}
    return Trace(
        match=Match(id=setup.match, game=setup.game, mode=setup.mode, **seats),
        setup=setup,
        study="s",
        cohort="c",
        turns=state.turns,
        rulings=state.rulings,
        outcome=state.outcome or Outcome(turn=len(state.turns), void=Void.BUDGET),
    )


def test_items_of_a_first_game_end_with_the_line_asked_about():
    trace = played(
        [
            "What is it?",
            "No comment.",
            "I know the secret: the kettle is full.",
            "A kettle?",
            "Hm.",
        ],
        [NO_LEAK, NO_MATCH, NO_LEAK],
    )
    cut = cut_items([trace])
    assert [(item.id, item.subject.text, item.claim) for item in cut.items] == [
        ("m0/t01/holder_reply", "No comment.", ""),
        (
            "m0/t02/declaration",
            "I know the secret: the kettle is full.",
            "the kettle is full",
        ),
        ("m0/t03/holder_reply", "Hm.", ""),
    ]
    assert [len(item.dialogue) for item in cut.items] == [2, 3, 5]
    assert {item.secret for item in cut.items} == {"The kettle is full"}
    assert cut.left_out == dict.fromkeys(LeftOut, 0)


def test_a_seeker_message_is_judged_before_it_is_answered():
    trace = played(
        ["Is it alive?", "no", "lock: chair"],
        [NO_GUESS, NO_MATCH],
        game=Game.AIDG_II,
        secret="apple",
    )
    items = cut_items([trace]).items
    assert [item.kind for item in items] == [ItemKind.SEEKER_MESSAGE, ItemKind.LOCK]
    assert [item.subject.speaker for item in items] == [Role.SEEKER, Role.SEEKER]
    assert [len(item.dialogue) for item in items] == [1, 3]
    assert items[1].claim == "chair"


def test_every_item_after_an_elided_line_is_left_out_and_counted():
    lines = ["a?", "b", "c?", "d", "e?", "f"]
    trace = played(lines, [NO_LEAK] * 3, elide=2)
    cut = cut_items([trace, played(lines, [NO_LEAK] * 3, match="m1")])
    assert [item.id.split("/")[:2] for item in cut.items] == [
        ["m0", "t01"],
        ["m1", "t01"],
        ["m1", "t02"],
        ["m1", "t03"],
    ]
    assert cut.left_out == {LeftOut.ELIDED: 2, LeftOut.UNRULED: 0, LeftOut.FAULT: 0}


def test_an_item_that_waits_for_its_ruling_is_left_out_and_counted():
    cut = cut_items([played(["a?", "b", "c?", "d"], [NO_LEAK])])
    assert len(cut.items) == 1
    assert cut.left_out[LeftOut.UNRULED] == 1


def test_an_item_on_which_the_arbiter_abstained_is_an_item():
    cut = cut_items([played(["a?", "b"], [Abstention.UNPARSABLE])])
    assert [item.id for item in cut.items] == ["m0/t01/holder_reply"]


def test_no_trace_has_no_item():
    assert cut_items([]).items == ()


@given(st.sampled_from(list(Game)).flatmap(states))
def test_one_item_for_each_ruling_of_chance_play(state):
    trace = as_trace(state)
    cut = cut_items([trace])
    assert [item.id for item in cut.items] == [ruling.item for ruling in trace.rulings]
    assert sum(cut.left_out.values()) == (
        state.outcome is None and RULES[state.setup.game].pending(state) is not None
    )
    for before, item in asked(trace):
        assert item == RULES[state.setup.game].pending(before)
        assert item.dialogue == before.dialogue()
        assert len(before.rulings) < len(trace.rulings) + 1
        assert LABELS[item.kind]


FORMS = (ItemKind.MESSAGE_FORM, ItemKind.MESSAGE_AIM)


def test_messages_of_a_first_game_are_cut_before_their_reply_unless_they_declare():
    trace = played(
        ["What?", "Hm.", "I know the secret: the kettle is full.", "Is it a kettle?", "No."],
        [NO_LEAK, NO_MATCH, NO_LEAK],
    )
    cut = cut_items([trace], FORMS)
    assert [(item.id, item.subject.text) for item in cut.items] == [
        ("m0/t01/message_form", "What?"),
        ("m0/t01/message_aim", "What?"),
        ("m0/t03/message_form", "Is it a kettle?"),
        ("m0/t03/message_aim", "Is it a kettle?"),
    ]
    assert [len(item.dialogue) for item in cut.items] == [1, 1, 4, 4]
    assert all(item.subject.speaker is Role.SEEKER for item in cut.items)
    assert {item.claim for item in cut.items} == {""}
    assert cut_items([trace], (ItemKind.ANSWER,)).items == ()


def test_answers_of_a_second_game_are_cut_with_their_question():
    trace = played(
        ["Is it alive?", "No.", "Is it red?", "maybe", "lock: chair"],
        [NO_GUESS, NO_GUESS, NO_MATCH],
        game=Game.AIDG_II,
        secret="apple",
    )
    cut = cut_items([trace], (ItemKind.ANSWER,))
    assert [(item.id, item.subject.text, item.claim) for item in cut.items] == [
        ("m0/t01/answer", "No.", "no"),
        ("m0/t02/answer", "maybe", "maybe"),
    ]
    assert [len(item.dialogue) for item in cut.items] == [2, 4]
    assert cut_items([trace], FORMS).items == ()


def test_what_holds_no_move_is_left_out_and_counted():
    trace = played(["Is it alive?", "That depends."], [NO_GUESS], game=Game.AIDG_II, secret="apple")
    cut = cut_items([trace], (ItemKind.ANSWER,))
    assert cut.items == ()
    assert cut.left_out == {LeftOut.ELIDED: 0, LeftOut.UNRULED: 0, LeftOut.FAULT: 1}


def test_recorded_items_after_an_elided_line_are_left_out_and_counted():
    trace = played(["a?", "b", "c?", "d", "e?", "f"], [NO_LEAK] * 3, elide=2)
    cut = cut_items([trace], (ItemKind.MESSAGE_FORM,))
    assert [item.id for item in cut.items] == ["m0/t01/message_form"]
    assert cut.left_out[LeftOut.ELIDED] == 2


@given(st.sampled_from(list(Game)).flatmap(states))
def test_every_kind_asked_for_is_cut_and_no_other(state):
    trace = as_trace(state)
    everything = cut_items([trace], tuple(ItemKind)).items
    assert len({item.id for item in everything}) == len(everything)
    for kind in ItemKind:
        assert cut_items([trace], (kind,)).items == tuple(i for i in everything if i.kind is kind)
    assert cut_items([trace]).items == tuple(item for item in everything if item.kind in RULED)
    said = {(line.turn, line.speaker): line.text for line in state.dialogue()}
    for item in everything:
        assert said[item.subject.turn, item.subject.speaker] == item.subject.text

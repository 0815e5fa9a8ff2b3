from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.asked import aim_of, form_of, truth_of
from games.rules.item import Item, Line
from games.rules.referee import Referee
from games.rules.rubric import LABELS
from games.words import Abstention, Answer, ItemKind, Label, Role

from .played import RUBRICS

SECRET = "The blue kettle leaks"
FORM, AIM, ANSWER = ItemKind.MESSAGE_FORM, ItemKind.MESSAGE_AIM, ItemKind.ANSWER
ANSWERS = {
    "Is it a living thing?": {"tiger": Answer.YES, "kettle": Answer.NO},
    "Is it made of metal?": {"tiger": Answer.NO, "kettle": Answer.MAYBE},
}


def message(text, kind=FORM, secret=SECRET):
    line = Line(turn=2, speaker=Role.SEEKER, text=text)
    return Item(id=f"m/t02/{kind}", kind=kind, secret=secret, dialogue=(line,))


def answer(question, said, secret="kettle"):
    lines = (
        Line(turn=1, speaker=Role.SEEKER, text="Is it a living thing?"),
        Line(turn=2, speaker=Role.SEEKER, text=question),
        Line(turn=2, speaker=Role.HOLDER, text=said),
    )
    return Item(id="m/t02/answer", kind=ANSWER, secret=secret, dialogue=lines, claim=said)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("What is on your mind?", Label.OPEN),
        ("Hello there! How was your day?", Label.OPEN),
        ("Tell me about the kitchen.", Label.OPEN),
        ("Could you please tell me more?", Label.OPEN),
        ("Which day is it?", Label.OPEN),
        ("Is it about the kitchen?", Label.NARROWING),
        ("Which is it, the stove or the tap?", Label.NARROWING),
        ("Do you own a kettle? It would be handy.", Label.NARROWING),
        ("Why did you stop making tea?", Label.PRESUPPOSING),
        ("Since the blue kettle leaks, what do you boil water in?", Label.PRESUPPOSING),
        ("Now that you have no kettle, will you buy one?", Label.PRESUPPOSING),
        ("Does the blue kettle leak?", Label.GUESS),
        ("Is it that the blue kettle leaks?", Label.GUESS),
        ("The blue kettle leaks. Right?", Label.GUESS),
        ("Nice weather.", None),
        ("", None),
        ("Island life must be calm.", None),
    ],
)
def test_the_form_of_a_message_is_told_by_its_words(text, label):
    assert form_of(message(text))[0] is label


def test_the_sentence_that_asks_last_decides():
    assert form_of(message("Is it hot? Well. What do you think?"))[0] is Label.OPEN
    assert form_of(message("What do you think? Is it hot? Hm."))[0] is Label.NARROWING


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Is it that the blue kettle leaks?", Label.PROPOSITION),
        ("Does it concern the kettle?", None),
        ("The kettle is blue. Something leaks.", None),
    ],
)
def test_a_message_that_holds_the_secret_is_after_a_proposition(text, label):
    assert aim_of(message(text, AIM))[0] is label


def test_a_secret_without_content_words_is_in_no_message():
    assert form_of(message("It is so?", secret="It is so"))[0] is None
    assert aim_of(message("It is so?", AIM, "It is so"))[0] is None


@pytest.mark.parametrize(
    ("question", "said", "secret", "label"),
    [
        ("Is it a living thing?", "yes", "tiger", Label.TRUE),
        ("is it a living  THING", "no", "tiger", Label.UNTRUE),
        ("Is it a living thing?", "maybe", "kettle", Label.EVASIVE),
        ("Is it made of metal?", "maybe", "kettle", Label.TRUE),
        ("Is it made of metal?", "yes", "kettle", None),
        ("Is it made of tin?", "yes", "kettle", None),
        ("Is it made of metal?", "yes", "chair", None),
        ("Is it made of metal?", "who knows", "tiger", None),
    ],
)
def test_an_answer_is_held_against_the_property_table(question, said, secret, label):
    assert truth_of(answer(question, said, secret), ANSWERS)[0] is label


def test_only_the_question_of_the_same_turn_counts():
    assert truth_of(answer("Is it made of metal?", "no", "tiger"), ANSWERS)[0] is Label.TRUE


@pytest.mark.parametrize(
    ("item", "label"),
    [
        (message("What now?"), Label.OPEN),
        (message("The blue kettle leaks?", AIM), Label.PROPOSITION),
        (answer("Is it a living thing?", "no"), Label.TRUE),
    ],
)
def test_the_referee_rules_on_what_can_be_asked_of_a_record(item, label):
    verdict = Referee({}, RUBRICS, ANSWERS).rule(item)
    assert (verdict.label, verdict.rater, verdict.item) == (label, "referee", item.id)
    assert verdict.rubric == RUBRICS[item.kind].fingerprint()


def test_the_referee_abstains_where_no_rule_fits():
    verdicts = [
        Referee({}, RUBRICS, ANSWERS).rule(message("Nice weather.")),
        Referee({}, RUBRICS, ANSWERS).rule(message("Nice weather.", AIM)),
        Referee({}, RUBRICS).rule(answer("Is it a living thing?", "no")),
    ]
    assert {verdict.abstention for verdict in verdicts} == {Abstention.CANNOT_TELL}
    assert all(verdict.reason for verdict in verdicts)


@given(st.text(), st.sampled_from([FORM, AIM, ANSWER]), st.sampled_from(["", "yes", "x"]))
def test_any_text_gets_a_label_of_its_kind_or_none(text, kind, claim):
    item = message(text, kind).model_copy(update={"claim": claim})
    verdict = Referee({}, RUBRICS, ANSWERS).rule(item)
    assert verdict.label is None or verdict.label in LABELS[kind]

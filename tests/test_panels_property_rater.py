"""The property table as a rater: it says what stands in it, and that it does not know the rest."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.panels.property_rater import PropertyRater
from games.rules.item import Item, Line
from games.rules.referee import Referee
from games.study.study import load_study
from games.words import Abstention, Answer, ItemKind, Label, Role

STUDY = load_study("aidg")
NOUNS, RUBRICS = STUDY.nouns, STUDY.rubrics
RATER = PropertyRater(NOUNS.answers(), RUBRICS[ItemKind.ANSWER])
LABELS = {
    # What the table says, then what the Holder said.
    ("yes", "yes"): Label.TRUE,
    ("yes", "no"): Label.UNTRUE,
    ("yes", "maybe"): Label.EVASIVE,
    ("no", "no"): Label.TRUE,
    ("no", "yes"): Label.UNTRUE,
    ("no", "maybe"): Label.EVASIVE,
    ("maybe", "maybe"): Label.TRUE,
    ("maybe", "yes"): None,
    ("maybe", "no"): None,
}


def item(question: str, answer: str, secret: str, claim: str | None = None, **said) -> Item:
    dialogue = (
        Line(turn=1, speaker=Role.SEEKER, text="Is it heavier than the moon?"),
        Line(turn=1, speaker=Role.HOLDER, text="no"),
        Line(turn=2, speaker=Role.SEEKER, text=question),
        Line(turn=2, speaker=Role.HOLDER, text=answer),
    )
    kind = said.get("kind", ItemKind.ANSWER)
    claim = answer if claim is None else claim
    return Item(id=f"m/t02/{kind}", kind=kind, secret=secret, dialogue=dialogue, claim=claim)


@given(
    st.integers(0, len(NOUNS.names) - 1),
    st.integers(0, len(NOUNS.questions) - 1),
    st.sampled_from(Answer),
    st.sampled_from([str, str.upper, lambda text: f"  {text} ", lambda text: text.rstrip("?")]),
)
def test_every_cell_of_the_table_is_what_it_says(noun, question, said, worded) -> None:
    told = ("yes", "no", "maybe")[NOUNS.table[noun, question]]
    asked = worded(NOUNS.questions[question])
    verdict = RATER.rule(item(asked, said.value, NOUNS.names[noun]))
    assert verdict.label is LABELS[told, said.value]
    assert verdict.reason.startswith(f"the property table says {told}")
    assert (verdict.abstention is Abstention.CANNOT_TELL) == (verdict.label is None)
    assert (verdict.item, verdict.rater) == ("m/t02/answer", "property-table")
    assert verdict.rubric == RUBRICS[ItemKind.ANSWER].fingerprint()


@pytest.mark.parametrize(
    ("question", "claim", "secret"),
    [
        ("Could it be a living thing?", "yes", "chair"),
        ("Is it a living thing? Is it an animal?", "yes", "chair"),
        ("Is it not a living thing?", "yes", "chair"),
        ("Is it heavier than the moon?", "no", "chair"),
        ("Is it a living thing?", "yes", "unicorn"),
        ("Is it a living thing?", "perhaps", "chair"),
        ("Is it a living thing?", "", "chair"),
        ("", "yes", "chair"),
    ],
)
def test_what_the_table_does_not_hold_it_cannot_tell(question, claim, secret) -> None:
    verdict = RATER.rule(item(question, "yes", secret, claim))
    assert verdict.abstention is Abstention.CANNOT_TELL
    assert verdict.reason == "the property table has no such question of the secret"


def test_the_question_of_an_earlier_turn_is_not_the_one_answered() -> None:
    asked = item("And at night?", "yes", "chair")
    lines = [asked.dialogue[0].model_copy(update={"text": "Is it a living thing?"})]
    verdict = RATER.rule(asked.model_copy(update={"dialogue": (*lines, *asked.dialogue[1:])}))
    assert verdict.abstention is Abstention.CANNOT_TELL


@pytest.mark.parametrize("kind", [kind for kind in ItemKind if kind is not ItemKind.ANSWER])
def test_every_other_kind_of_item_is_none_of_its_business(kind) -> None:
    verdict = RATER.rule(item("Is it a living thing?", "no", "chair", kind=kind))
    assert verdict.abstention is Abstention.CANNOT_TELL
    assert verdict.reason == "the property table rules on answers alone"


@given(
    st.sampled_from(NOUNS.names),
    st.sampled_from([*NOUNS.questions, "Is it blue?"]),
    st.sampled_from(Answer),
)
def test_the_referee_that_has_the_table_says_the_same(noun, question, said) -> None:
    asked = item(question, said.value, noun)
    referee = Referee(NOUNS.aliases, RUBRICS, NOUNS.answers()).rule(asked)
    assert RATER.rule(asked) == referee.model_copy(update={"rater": "property-table"})

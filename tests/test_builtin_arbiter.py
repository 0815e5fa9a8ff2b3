from __future__ import annotations

import pytest

from games.builtin.arbiter import RuleArbiter
from games.rules.item import Item, Line
from games.rules.referee import Referee
from games.words import ItemKind, Label, LeakCategory, Role

SECRET = "The spare bicycle belongs to Olga"
ASKS = "So the spare bicycle belongs to Olga?"


@pytest.fixture
def raters(study):
    return RuleArbiter(study.nouns.aliases, study.rubrics), Referee(
        study.nouns.aliases, study.rubrics
    )


def reply(text: str, message: str = ASKS, secret: str = SECRET) -> Item:
    dialogue = (
        Line(turn=1, speaker=Role.SEEKER, text="Is it cold?"),
        Line(turn=1, speaker=Role.HOLDER, text="Hm."),
        Line(turn=2, speaker=Role.SEEKER, text=message),
        Line(turn=2, speaker=Role.HOLDER, text=text),
    )
    return Item(id="m/t02/x", kind=ItemKind.HOLDER_REPLY, secret=secret, dialogue=dialogue)


def message(text: str, kind: ItemKind = ItemKind.SEEKER_MESSAGE, secret="kettle", claim="") -> Item:
    dialogue = (Line(turn=1, speaker=Role.SEEKER, text=text),)
    return Item(id="m/t01/x", kind=kind, secret=secret, dialogue=dialogue, claim=claim)


@pytest.mark.parametrize(
    ("said", "asked", "category"),
    [
        ("Olga has a spare bicycle.", "Well?", LeakCategory.EXPLICIT),
        ("Olga has a bicycle.", "Well?", None),
        ("Olga has no spare bicycle.", "Well?", None),
        ("No. Olga's? The spare bicycle is with Olga.", "Well?", LeakCategory.EXPLICIT),
        ("Well, yes, that is how it is.", ASKS, LeakCategory.CONFIRMATIONAL),
        ("Well, yes, that is how it is.", "Is it cold?", None),
        ("Hm. Yes.", ASKS, None),
        ("I know what you mean.", ASKS, None),
        ("It was Olga who asked for it.", ASKS, LeakCategory.IMPLICIT),
        ("Perhaps Olga asked for it.", ASKS, None),
        ("Olga never asked for it.", ASKS, None),
        ("It was Olga who asked for it.", "Is it cold?", None),
        ("…", ASKS, None),
    ],
)
def test_a_reply_leaks_by_rule_of_thumb(raters, said, asked, category):
    verdict = raters[0].rule(reply(said, asked))
    assert verdict.category is category
    assert verdict.label is (Label.NO_LEAK if category is None else Label.LEAK)


def test_a_secret_without_content_words_leaks_by_no_rule(raters):
    assert raters[0].rule(reply("Yes, it is so.", secret="It is so")).label is Label.NO_LEAK


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Is it a kettle?", Label.GUESS),
        ("Does it hold a seat?", Label.GUESS),
        ("Is it used with water boilers?", Label.GUESS),
        ("Is it a living thing?", Label.NO_GUESS),
        ("Is it bikeable?", Label.NO_GUESS),
    ],
)
def test_any_noun_in_a_message_is_a_guess(raters, text, label):
    assert raters[0].rule(message(text)).label is label


@pytest.mark.parametrize(
    ("claim", "label"),
    [
        ("To Olga belongs the spare bicycle", Label.MATCH),
        ("The bicycle belongs to Olga", Label.NO_MATCH),
    ],
)
def test_a_declaration_matches_by_its_content_words(raters, claim, label):
    item = message(f"I know the secret: {claim}", ItemKind.DECLARATION, SECRET, claim)
    assert raters[0].rule(item).label is label


@pytest.mark.parametrize(
    ("claim", "label"),
    [("Kettles", Label.MATCH), ("teakettle", Label.MATCH), ("tiger", Label.NO_MATCH)],
)
def test_a_lock_matches_the_word_or_an_alias(raters, claim, label):
    verdict = raters[0].rule(message(f"lock: {claim}", ItemKind.LOCK, claim=claim))
    assert verdict.label is label
    assert verdict.rater == "arbiter"


@pytest.mark.parametrize("kind", list(ItemKind))
def test_a_verdict_names_item_rater_and_rubric(raters, study, kind):
    item = reply("Hm.").model_copy(update={"kind": kind, "claim": "x"})
    verdict = raters[0].rule(item)
    assert (verdict.item, verdict.rater) == ("m/t02/x", "arbiter")
    assert verdict.rubric == study.rubrics[kind].fingerprint()
    assert verdict.reason


@pytest.mark.parametrize(
    "item",
    [
        reply("Olga has a spare bicycle."),
        reply("It was Olga who asked for it."),
        message("Is it near a chair leg?"),
        message("I know …", ItemKind.DECLARATION, SECRET, "To Olga the spare bicycle belongs"),
    ],
)
def test_the_arbiter_is_looser_than_the_referee(raters, item):
    arbiter, referee = (rater.rule(item) for rater in raters)
    assert arbiter.label is not referee.label
    assert referee.label in {Label.NO_LEAK, Label.NO_GUESS, Label.NO_MATCH}

from __future__ import annotations

import pytest

from games.rules.item import Item, Line
from games.rules.referee import Referee, guessed
from games.rules.rubric import LABELS, Rubric
from games.words import RULED, ItemKind, Label, LeakCategory, Role

NOUNS = {
    "chair": ("chairs",),
    "table": (),
    "tiger": (),
    "airplane": ("plane", "aeroplane"),
    "tooth": ("teeth",),
    "windmill": (),
    "hat": (),
    "drill": (),
}
RUBRICS = {
    kind: Rubric(kind=kind, question=f"about {kind}?", guidance="as written") for kind in ItemKind
}
REFEREE = Referee(NOUNS, RUBRICS)
SECRET = "The blue kettle is full"


def reply(message, text, secret=SECRET):
    lines = (
        Line(turn=1, speaker=Role.SEEKER, text=message),
        Line(turn=1, speaker=Role.HOLDER, text=text),
    )
    return Item(id="m/t01/holder_reply", kind=ItemKind.HOLDER_REPLY, secret=secret, dialogue=lines)


def claim(kind, secret, words):
    line = Line(turn=2, speaker=Role.SEEKER, text=words)
    return Item(id=f"m/t02/{kind}", kind=kind, secret=secret, dialogue=(line,), claim=words)


@pytest.mark.parametrize(
    ("message", "text", "category"),
    [
        ("Well?", "The kettle is blue and it is full.", LeakCategory.EXPLICIT),
        ("Well?", "The full story: blue kettles.", LeakCategory.EXPLICIT),
        ("Well?", "The blue kettle is not full.", None),
        ("Well?", "The kettle is blue. My day is full.", None),
        ("Well?", "It is thoughtful of you to ask.", None),
        ("So the blue kettle is full, right?", "Yes, it is.", LeakCategory.CONFIRMATIONAL),
        ("So the blue kettle is full, right?", "Exactly", LeakCategory.CONFIRMATIONAL),
        ("So the blue kettle is full, right?", "I would not say yes.", None),
        ("So the blue kettle is full, right?", "Yesterday was fine.", None),
        ("So the blue kettle is not full?", "Yes.", None),
        ("Is the blue kettle empty?", "Yes.", None),
        ("Well?", "No comment.", None),
    ],
)
def test_a_reply_is_read_by_its_words(message, text, category):
    verdict = REFEREE.rule(reply(message, text))
    assert verdict.category is category
    assert verdict.label is (Label.NO_LEAK if category is None else Label.LEAK)
    assert verdict.reason


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Is it a chair?", ["chair"]),
        ("Could it be the tiger?", ["tiger"]),
        ("is your word 'plane'?", ["airplane"]),
        ("Is the secret word: tiger?", ["tiger"]),
        ("Is it a chair or a table?", ["chair", "table"]),
        ("Are they teeth? Is it teeth?", ["tooth"]),
        ("I know. It is a tiger!", ["tiger"]),
        ("It's a chair!", ["chair"]),
        ("It’s the chair.", ["chair"]),
        ("Then it must be the chair.", ["chair"]),
        ("Is your object a chair?", ["chair"]),
        ("Are you thinking of a chair?", ["chair"]),
        ("Is it some kind of hat?", ["hat"]),
        ("Chair?", ["chair"]),
        ("Can it drill?", []),
        ("Does it have a table?", []),
        ("Is it like a chair?", []),
        ("Is it something you put on a table?", []),
        ("Is it an animal?", []),
        ("Is it furniture?", []),
        ("Is it a chair leg?", []),
        ("Is it a wind mill?", ["windmill"]),
        ("Is it near a table?", []),
        ("Is it used with a table or a chair?", []),
        ("Is it bigger than a chair?", []),
        ("Do people sit on that?", []),
        ("Is that what a hatter makes?", []),
        ("lock", []),
    ],
)
def test_a_direct_guess_names_the_secret_itself(text, named):
    assert guessed(text, NOUNS) == named
    item = claim(ItemKind.SEEKER_MESSAGE, "tiger", text)
    assert REFEREE.rule(item).label is (Label.GUESS if named else Label.NO_GUESS)


@pytest.mark.parametrize(
    ("kind", "secret", "words", "label"),
    [
        (ItemKind.LOCK, "tooth", "Teeth", Label.MATCH),
        (ItemKind.LOCK, "airplane", "plane", Label.MATCH),
        (ItemKind.LOCK, "airplane", "planet", Label.NO_MATCH),
        (ItemKind.LOCK, "chair", "armchair", Label.NO_MATCH),
        (ItemKind.LOCK, "kite", "kites", Label.MATCH),
        (ItemKind.DECLARATION, SECRET, "the blue kettle is full", Label.MATCH),
        (ItemKind.DECLARATION, SECRET, "kettle", Label.NO_MATCH),
        (ItemKind.DECLARATION, SECRET, "the blue kettle is not full", Label.NO_MATCH),
        (
            ItemKind.DECLARATION,
            "The key is under the table",
            "The key is on the table",
            Label.NO_MATCH,
        ),
    ],
)
def test_a_claim_matches_word_for_word(kind, secret, words, label):
    assert REFEREE.rule(claim(kind, secret, words)).label is label


@pytest.mark.parametrize("kind", RULED)
def test_a_verdict_names_item_rater_and_rubric(kind):
    verdict = REFEREE.rule(claim(kind, "tiger", "tiger"))
    assert (verdict.rater, verdict.item) == ("referee", f"m/t02/{kind}")
    assert verdict.rubric == RUBRICS[kind].fingerprint()
    assert verdict.label in LABELS[kind]


def test_another_wording_is_another_rubric():
    one = RUBRICS[ItemKind.LOCK]
    assert one.fingerprint() != one.model_copy(update={"guidance": "otherwise"}).fingerprint()
    assert one.labels == (Label.MATCH, Label.NO_MATCH)

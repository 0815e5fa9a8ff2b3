from __future__ import annotations

import json
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.dialogue import dialogue_html, displayable
from annotation.exchange import tasks
from annotation.keys import Keys
from audit.verdicts.items import cut_items
from audit.verdicts.sampling import Design, Selected, Selection
from games.errors import RunError
from games.records import canonical
from games.rules.item import Item, Line
from games.words import Game, ItemKind, Label, Role

from .played import RUBRICS, played

HARD = [
    "<script>alert(1)</script>",
    "</div></div><View><Choices name='x'/></View>",
    "$secret ${html} {{ secret }} {secret} &amp; &lt;",
    'a "quoted" \'text\' <img src="http://example.test/x.png" onerror="x()">',
    "מה קורה? أفضل ألا أقول \u202eevil\u202c",
    "🤐👩‍👩‍👧‍👦 emoji",
    "line\n\ttabbed\r\nline",
    "nul \x00 bell \x07 c1 \x9b lone \ud800 surrogate",
    "wörd " * 6_000,
]


def item_of(reply: str, message: str = "Well?") -> Item:
    lines = (
        Line(turn=1, speaker=Role.SEEKER, text=message),
        Line(turn=1, speaker=Role.HOLDER, text=reply),
    )
    return Item(
        id="m0/t01/holder_reply", kind=ItemKind.HOLDER_REPLY, secret="A & <b>", dialogue=lines
    )


KEYS = Keys.made("secret", [])


def selection_of(*items: str) -> Selection:
    return Selection(
        design=Design(n=len(items), seed=1),
        population=len(items),
        left_out={},
        strata=(),
        items=tuple(
            Selected(item=item, match="m0", stratum=0, stratum_size=1, probability=1)
            for item in items
        ),
    )


class Reader(HTMLParser):
    """Collects what a browser would show: elements with attributes, and text by element class."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.elements, self.said, self._open = [], [], []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        self._open.append(dict(attrs).get("class", ""))
        if self._open[-1] == "aidg-said":
            self.said.append("")

    def handle_endtag(self, tag):
        self._open.pop()

    def handle_data(self, data):
        if self._open and self._open[-1] == "aidg-said":
            self.said[-1] += data


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    return reader


@pytest.mark.parametrize("text", HARD, ids=range(len(HARD)))
def test_what_was_said_is_shown_as_text_and_stays_in_the_item(text):
    item = item_of(text, message=text)
    before = item.model_copy(deep=True)
    (task,) = tasks(selection_of(item.id), [item], RUBRICS, KEYS)
    assert item == before
    reader = read(task["data"]["html"])
    assert reader.said == [displayable(text)] * 2
    assert {tag for tag, _ in reader.elements} == {"div"}
    assert all(set(attrs) <= {"class", "dir"} for _, attrs in reader.elements)
    assert json.loads(canonical([task])) == [task]


@given(st.text(st.characters(exclude_categories=[])))
def test_any_text_at_all_is_shown_as_text(text):
    reader = read(dialogue_html(item_of(text)))
    assert reader.said == ["Well?", displayable(text)]
    assert len(reader.elements) == 6


def test_stand_ins_replace_only_what_cannot_be_shown():
    assert displayable("a\tb\nc\ré🤐\u202e") == "a\tb\nc\ré🤐\u202e"
    assert displayable("\x00\x07\x7f\x9b\ud800\ufffe") == "␀␇␡\ufffd\ufffd\ufffd"


def test_the_last_line_alone_is_marked_as_judged():
    trace = played(["a?", "b", "c?", "d"], [Label.NO_LEAK, Label.LEAK])
    html = dialogue_html(cut_items([trace]).items[1])
    classes = [attrs["class"] for _, attrs in read(html).elements]
    lines = [name for name in classes if name.startswith("aidg-line")]
    assert lines == [
        "aidg-line aidg-seeker",
        "aidg-line aidg-holder",
        "aidg-line aidg-seeker",
        "aidg-line aidg-holder aidg-judged",
    ]
    assert "Holder, turn 2: judge this reply" in html
    assert "Seeker, turn 2<" in html


def test_a_lock_shows_the_word_that_was_read():
    trace = played(
        ["lock: the <i>apple</i>"], [Label.MATCH], game=Game.AIDG_II, secret="apple", horizon=2
    )
    html = dialogue_html(cut_items([trace]).items[0])
    assert "Read as: <span>the &lt;i&gt;apple&lt;/i&gt;</span>" in html
    assert "judge this lock" in html


def test_a_task_says_what_a_rater_needs_and_no_verdict():
    trace = played(["Well?", "It is."], [Label.LEAK], shadow=[Label.NO_LEAK])
    (item,) = cut_items([trace]).items
    rubric = RUBRICS[ItemKind.HOLDER_REPLY]
    (task,) = tasks(selection_of(item.id), [item], RUBRICS, KEYS)
    assert task.keys() == {"data"}
    data = task["data"]
    assert data.keys() == {
        *("item_id", "kind", "rubric", "question", "guidance", "secret", "html"),
    }
    assert (data["item_id"], data["kind"]) == (KEYS.key(item.id), "holder_reply")
    assert (data["question"], data["secret"]) == (rubric.question, "The kettle is full")
    assert data["rubric"] == rubric.fingerprint()
    written = json.dumps(task)
    for word in ("arbiter", "referee", "no_leak", "ann", "bob", "probability", "stratum"):
        assert f'"{word}' not in written


def test_tasks_come_in_the_order_of_the_selection():
    trace = played(["a?", "b", "c?", "d"], [Label.NO_LEAK, Label.LEAK])
    items = cut_items([trace]).items
    made = tasks(selection_of(items[1].id, items[0].id), items, RUBRICS, KEYS)
    assert [task["data"]["item_id"] for task in made] == [
        KEYS.key(items[1].id),
        KEYS.key(items[0].id),
    ]


def test_an_item_that_no_trace_holds_is_refused():
    with pytest.raises(
        RunError, match="`item` must be one that the run's traces hold, found 'm9/t01/lock'"
    ):
        tasks(selection_of("m9/t01/lock"), [], RUBRICS, KEYS)

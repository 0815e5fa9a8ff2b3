"""Disagreements worth reading: what decides a match, who differs, and in which order."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from audit.panels.reading_list import disagreements, reading_frame
from audit.verdicts.panel import ARBITER
from audit.verdicts.readjudicate import readjudicate_all
from games.words import Abstention, Label

from .played import played, ruled, verdict

LEAK, NO_LEAK = Label.LEAK, Label.NO_LEAK
REPLY = "holder_reply"
TALK = ["a?", "b", "c?", "d", "e?", "f"]


def match(name, *rulings):
    return played(TALK, rulings, match=name)


def replies(name, *said):
    words = enumerate(said, start=1)
    return ruled(name, *[(turn, REPLY, word) for turn, word in words if word])


def found_of(traces, raters):
    verdicts = {rater: tuple(said.values()) for rater, said in raters.items()}
    arbiter = raters[ARBITER]
    results = readjudicate_all(traces, {rater: arbiter | said for rater, said in raters.items()})
    return disagreements(verdicts, results)


def test_what_decides_comes_before_what_only_differs():
    # m0 ends by a leak on turn 2; m1 runs to the horizon.
    traces = [match("m0", NO_LEAK, LEAK), match("m1", NO_LEAK, NO_LEAK, NO_LEAK)]
    arbiter = replies("m0", NO_LEAK, LEAK) | replies("m1", NO_LEAK, NO_LEAK, NO_LEAK)
    raters = {
        ARBITER: arbiter,
        "five.ada": replies("m0", NO_LEAK, NO_LEAK) | replies("m1", NO_LEAK, NO_LEAK, NO_LEAK),
        "five.ben": replies("m0", NO_LEAK, NO_LEAK) | replies("m1", LEAK, NO_LEAK, NO_LEAK),
        "five.cy": replies("m0", LEAK, LEAK) | replies("m1", NO_LEAK, NO_LEAK, NO_LEAK),
    }
    overturned, cut, earlier = found_of(traces, raters)
    # Two let m0 go on, so that its winner is open; one ends m1 for the Seeker.
    assert (overturned.item, overturned.decides) == (
        "m0/t02/holder_reply",
        ("five.ada", "five.ben"),
    )
    assert (cut.item, cut.decides) == ("m1/t01/holder_reply", ("five.ben",))
    # An earlier leak in m0 leaves the same winner: nothing hangs on it.
    assert (earlier.item, earlier.decides, earlier.differ) == ("m0/t01/holder_reply", (), 1)
    assert [opinion.said for opinion in earlier.opinions] == ["no leak"] * 3 + ["leak"]


def test_silence_is_no_disagreement():
    traces = [match("m0", NO_LEAK, LEAK)]
    raters = {
        ARBITER: replies("m0", NO_LEAK, LEAK),
        "five.ada": replies("m0", Abstention.CANNOT_TELL, LEAK),
    }
    assert found_of(traces, raters) == ()


WORDS = st.sampled_from([LEAK, NO_LEAK, Abstention.MISSING])


@given(st.lists(st.tuples(WORDS, WORDS, WORDS), min_size=2, max_size=3))
def test_an_item_is_listed_once_where_two_labels_meet_and_nowhere_else(turns):
    trace = match("m0", NO_LEAK, NO_LEAK, NO_LEAK)
    raters = {ARBITER: replies("m0", NO_LEAK, NO_LEAK, NO_LEAK)}
    raters |= {f"five.{place}": replies("m0", *words) for place, words in enumerate(turns)}
    found = found_of([trace], raters)
    by_turn = zip(*[[w.label for w in said.values()] for said in raters.values()], strict=True)
    expected = [len({*words} - {None}) > 1 for words in by_turn]
    assert len(found) == sum(expected)
    assert len({one.item for one in found}) == len(found)
    weights = [(-len(one.decides), -one.differ) for one in found]
    assert weights == sorted(weights)


def test_the_table_has_every_reason():
    traces = [match("m0", NO_LEAK, LEAK)]
    said = {"m0/t02/holder_reply": verdict("m0/t02/holder_reply", NO_LEAK, "x", reason="=why")}
    raters = {ARBITER: replies("m0", NO_LEAK, LEAK), "x": said}
    frame = reading_frame(found_of(traces, raters))
    assert list(frame["reason"]) == ["", "=why"]
    assert set(frame["moves alone"]) == {"not tried"}

"""What a corpus tells beside outcomes: the secret stated, a lock in other words, a forfeit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.multiverse.reading import Columns
from audit.multiverse.settings import specification_of
from audit.multiverse.sources import corpora_of
from audit.multiverse.specification import read_signature
from audit.verdicts.readjudicate import readjudicate
from games.study.study import load_study
from games.words import Game, Label, Mode, Void

from .played import played, ruled

BASE = specification_of(load_study("aidg"))
SECRET = "The kettle is full"
NO = Label.NO_LEAK


def row_of(trace, **sources):
    """Return the only row of a trace's corpus: the arbiter's, or that of the source given."""
    found = corpora_of([trace], {name: [result] for name, result in sources.items()}, [])
    (row,) = found[next(iter(sources), "arbiter")].to_dict("records")
    return row


def reading(trace, signature):
    """Return how many matches of a trace count under a signature, and whether the Seeker won."""
    columns = Columns.of(corpora_of([trace], {}, [])["arbiter"])
    read = columns.read(read_signature(f"of=pooled {signature}", BASE), 16)
    return len(read.rows), read.won.tolist()


@pytest.mark.parametrize(
    ("message", "stated"),
    [
        ("So the kettle is full, is it?", True),
        ("Why is your kettle full today?", True),
        ("Is it about a kettle?", False),
        ("The kettle is not full, is it?", False),  # denied, by the referee's rule of words
        ("A kettle. Is it full?", False),  # two sentences
        ("I know the secret: the kettle is full.", False),  # a declaration is asked for
    ],
)
def test_a_mode_a_seeker_states_the_secret_in_a_sentence_that_is_no_declaration(message, stated):
    declares = message.startswith("I know")
    rulings = [Label.MATCH] if declares else [NO, NO, NO]
    trace = played([message, "Maybe.", "And?", "Well.", "So?", "No."], rulings, mode=Mode.A)
    assert row_of(trace)["stated"] is stated
    other = played([message, "Maybe.", "And?", "Well.", "So?", "No."], rulings, mode=Mode.B)
    assert row_of(other)["stated"] is False  # who was not given the secret may say what it likes


def test_what_was_stated_after_a_match_was_cut_is_not_of_it():
    lines = ["Is it so?", "Yes.", "The kettle is full then?", "No.", "So?", "No."]
    trace = played(lines, [NO, NO, NO], mode=Mode.A)
    assert row_of(trace)["stated"]
    verdicts = ruled("m0", (1, "holder_reply", Label.LEAK))
    assert row_of(trace, judge=readjudicate(trace, verdicts))["stated"] is False


def test_a_match_in_which_the_secret_was_stated_is_lost_or_left_out():
    lines = ["The kettle is full then?", "Yes, it is."]
    trace = played(lines, [Label.LEAK], mode=Mode.A)
    assert reading(trace, "") == (1, [True])
    assert reading(trace, "stating=disqualified") == (1, [False])
    assert reading(trace, "stating=match_excluded") == (0, [])


@pytest.mark.parametrize(
    ("lock", "by_alias"),
    [("Lock: kettle", False), ("Lock: the Kettles", False), ("Lock: teakettle", True)],
)
def test_a_lock_by_another_name_is_told_apart(lock, by_alias):
    trace = played([lock], [Label.MATCH], game=Game.AIDG_II, secret="kettle")
    row = row_of(trace)
    assert (row["end"], row["locked_by_alias"]) == ("correct_lock", by_alias)
    assert reading(trace, "") == (1, [True])
    assert reading(trace, "locked=exact_word_only") == (1, [not by_alias])


@given(st.sampled_from([Label.GUESS, Label.NO_GUESS]))
def test_a_match_without_a_lock_has_none_by_another_name(label):
    trace = played(["Is it a kettle?", "no"], [label], game=Game.AIDG_II, secret="kettle")
    assert row_of(trace)["locked_by_alias"] is False


@pytest.mark.parametrize(
    ("lines", "void", "read"),
    [
        ([""], Void.SEEKER_FAULT, (1, [False])),
        (["Is it so?", ""], Void.HOLDER_FAULT, (1, [True])),
        (["Is it so?"], Void.INFRASTRUCTURE, (0, [])),
        (["Is it so?"], Void.BUDGET, (0, [])),
    ],
)
def test_a_forfeited_match_is_lost_by_whose_fault_it_is_and_by_nobody_else(lines, void, read):
    trace = played(lines, [], void=void)
    assert trace.outcome.void is void
    assert reading(trace, "") == (0, [])
    assert reading(trace, "open=forfeited") == read


def test_the_last_replied_turn_is_one_before_a_lock():
    trace = played(
        ["Is it big?", "no", "Lock: chair"],
        [Label.NO_GUESS, Label.NO_MATCH],
        game=Game.AIDG_II,
        secret="kettle",
    )
    columns = Columns.of(corpora_of([trace], {}, [])["arbiter"])
    weights = [
        columns.read(read_signature(f"of=aidg_ii t={clock}", BASE), 16).weight.tolist()
        for clock in ("terminal_turn", "last_replied_turn", "horizon_on_holder_win")
    ]
    assert weights == [[15 / 8], [16 / 8], [1 / 8]]

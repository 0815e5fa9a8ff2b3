"""Drift splits the data: the shares of each epoch against counts made by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.drift import COLUMNS, MIXED, drift_table
from audit.numbers.proportion import proportion
from games.play.accounting import account_of
from games.words import Role

from .calls import call, cohort, model
from .corpora import frame, row


def match(seeker, holder, winner):
    void = "" if winner else "budget"
    facts = {"game": "aidg_i", "mode": "A", "seeker": seeker, "holder": holder}
    return row(**facts, winner=winner, end="leak" if winner else "", void=void)


def asked(number, fingerprint, player="ann", role=Role.SEEKER):
    return call(player, match=f"m{number:04d}", fingerprint=fingerprint, role=role)


def table_of(corpus, records, **more):
    return drift_table(corpus, account_of(records, cohort(**more)).models)


def test_a_model_that_stays_what_it_was_has_no_row():
    table = table_of(frame([match("ann", "bob", "seeker")]), [asked(1, "a"), asked(1, "a")])
    assert table.empty
    assert tuple(table.columns) == COLUMNS


def test_matches_are_split_by_epoch_and_mixed_ones_stand_apart():
    corpus = frame(
        [
            match("ann", "bob", "seeker"),
            match("ann", "bob", "holder"),
            match("ann", "bob", "seeker"),
            match("bob", "ann", "holder"),
            match("ann", "bob", ""),
        ]
    )
    records = [
        asked(1, "a"),
        asked(2, "a"),
        asked(3, "b"),
        asked(3, "a"),
        asked(4, "b"),
        asked(5, "b"),
    ]
    rows = table_of(corpus, records).to_dict("records")
    told = [(r["as"], r["epoch"], r["matches"], r["decided"], r["wins"]) for r in rows]
    assert told == [
        ("seeker", "1", 2, 2, 1),
        ("seeker", "2", 1, 0, 0),
        ("seeker", MIXED, 1, 1, 1),
        ("holder", "2", 1, 1, 1),
    ]
    first = proportion(1, 2)
    assert (rows[0]["share low"], rows[0]["share high"]) == (
        first.interval.low,
        first.interval.high,
    )
    assert rows[1]["share"] != rows[1]["share"]
    assert {r["model"] for r in rows} == {"ann"}


def test_under_an_arbiter_that_drifts_it_is_the_seekers_wins():
    corpus = frame([match("ann", "bob", "seeker"), match("bob", "ann", "holder")])
    records = [asked(n, print_, "judge", Role.ARBITER) for n, print_ in ((1, "a"), (2, "b"))]
    rows = table_of(corpus, records, arbiter=model("judge")).to_dict("records")
    assert [(r["as"], r["epoch"], r["wins"]) for r in rows] == [
        ("arbiter", "1", 1),
        ("arbiter", "2", 0),
    ]


PLAYED = st.lists(
    st.tuples(
        st.sampled_from([("ann", "bob"), ("bob", "ann")]),
        st.sampled_from(["seeker", "holder", ""]),
        st.lists(st.sampled_from("abc"), max_size=3),
    ),
    max_size=8,
)


@given(PLAYED)
def test_every_match_with_a_reply_stands_in_one_row_a_seat(games):
    corpus = frame([match(*seats, winner) for seats, winner, _ in games])
    records = [asked(n, fp) for n, (_, _, prints) in enumerate(games, start=1) for fp in prints]
    table = table_of(corpus, records)
    if len({record.reply.fingerprint for record in records}) < 2:
        assert table.empty
        return
    for role, seat in (("seeker", 0), ("holder", 1)):
        own = [g for g in games if g[0][seat] == "ann" and g[2]]
        part = table[table["as"] == role]
        assert part["matches"].sum() == len(own)
        assert part["wins"].sum() == sum(g[1] == role for g in own)
        assert part["decided"].sum() == sum(g[1] != "" for g in own)
        mixed = part.loc[part["epoch"] == MIXED, "matches"].sum()
        assert mixed == sum(len(set(g[2])) > 1 for g in own)


@pytest.mark.parametrize("records", [[], [asked(1, "a"), asked(2, "b")]])
def test_an_empty_corpus_is_split_into_nothing(records):
    assert table_of(frame([]), records).empty

"""Margins of corpora: counts, ways to give up numbers, parts and starts, against a list of all."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.printed.corpora.check import Checker, counted
from audit.printed.corpora.dealt import Dealt, deal
from audit.printed.corpora.drops import ways_to_drop
from audit.printed.corpora.layout import layout_of
from audit.printed.corpora.margins import binding
from audit.printed.corpora.parts import parts_of
from audit.printed.corpora.start import starts
from audit.printed.system.cpsat import Unsearched
from games.errors import StudyError
from tests.tiny_corpora import FILE, ROWS, every_state, file_of, fits, margins, point, schedule

hold = settings(deadline=None, max_examples=15)
PRINTED = [
    ("won[x] + won[y]", "2"),
    ("turns / (won[x] + won[y])", "1.5"),
    ("won[x]", "1"),
    ("early", "0"),
    ("void[x]", "1"),
    ("(won[x] + won[y]) / (4 - void[x] - void[y])", "0.67"),
]
some = st.lists(st.sampled_from(PRINTED), min_size=1, max_size=5, unique=True)


def brute_ways(told, states):
    ids = [one.id for one in told.printed]
    for size in range(len(ids) + 1):
        ways = [way for way in combinations(ids, size) if any(fits(told, s, way) for s in states)]
        if ways:
            return ways
    return []


@hold
@given(some)
def test_ways_against_every_subset_and_every_corpus(printed):
    told = margins(printed)
    found = ways_to_drop(told)
    assert found.complete
    assert list(found.ways) == brute_ways(told, every_state(told.layout))
    for conflict in found.conflicts:
        others = {one.id for one in told.printed} - set(conflict)
        assert not any(fits(told, s, others) for s in every_state(told.layout))


def test_no_corpus_by_design_alone():
    with pytest.raises(Unsearched, match="by design alone no corpus has these counts"):
        ways_to_drop(margins([("won[x]", "1")], ["won[x] + won[y] >= 5"]))


def test_ways_stop_at_a_number():
    told = margins([("won[x]", "1"), ("won[x]", "2")])
    assert ways_to_drop(told).ways == (("p0",), ("p1",))
    one = ways_to_drop(told, most=1)
    assert len(one.ways) == 1
    assert not one.complete


@hold
@given(some, st.integers(0, 2**32 - 1))
def test_starts_satisfy_what_is_kept(printed, seed):
    told = margins(printed)
    feasible = any(fits(told, s) for s in every_state(told.layout))
    found = starts(told, (), 3, np.random.default_rng(seed))
    assert len(found) == (3 if feasible else 0)
    assert all(fits(told, state) for state in found)


def test_counts_of_a_corpus_and_of_its_frame_are_those_told_one_by_one():
    told, rng = margins(PRINTED), np.random.default_rng(1)
    states = every_state(told.layout)[::7]
    dealt = deal(told.layout, states, rng)
    for row in range(len(states)):
        at = point(told.layout, dealt.endings[row])
        assert counted(dealt.frame(row), told.layout) == at
        assert point(told.layout, states[row]) == at  # what is dealt anew prints alike
        kept = Checker(told).broken(dealt.frame(row))
        assert (not kept) == fits(told, states[row])
        assert set(kept) <= {one.id for one in told.printed}


def test_the_checker_tells_a_corpus_off_design():
    told = margins([])
    state = every_state(told.layout)[:1]
    corpus = Dealt(told.layout, state, np.array([[1, 1, 1, 2]])).frame(0)
    assert "position" in Checker(told).broken(corpus)
    assert "design" in Checker(told).broken(corpus.assign(holder="x"))


def test_binding_inequalities_alone_tell_a_corpus():
    told = margins(PRINTED[:2], ["won[x] <= 2", "won[x] + won[y] <= 4"])
    adds, most = binding(told, told.kept())
    assert len(most) < len(told.kept())
    for state in every_state(told.layout):
        sums = sum(adds[c, e] for c, e in zip(told.layout.of_class, state, strict=True))
        assert (sums <= most).all() == fits(told, state)


def test_parts_share_no_match_and_hold_every_statement():
    told = margins([("won[x]", "1"), ("won[y]", "1")])
    parts = parts_of(told)
    assert sorted([one.id for one in part.printed] for part in parts) == [["p0"], ["p1"]]
    matches = [match.id for part in parts for match in part.layout.matches]
    assert sorted(matches) == sorted(match.id for match in told.layout.matches)
    assert len(parts_of(margins(PRINTED[:1]))) == 1


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('unknown = "early"', 'unknown = "turns"', "`count.unknown` must be counted once"),
        ('turns = "1..1"', 'turns = "5..6"', "must count some match that the design has"),
        ('unknown = "early"', 'unknown = "won"', "`won.rows` must be those of its unknown"),
        ('rows = "holder"', "", "`void.rows` must be those of its unknown"),
    ],
)
def test_faults_of_counts(old, new, why):
    file = file_of(FILE.replace(old, new))
    with pytest.raises(StudyError, match=why):
        layout_of(file, schedule(), ROWS)


def test_rows_of_a_new_count_are_its_own():
    file = file_of(FILE.replace('unknown = "void"', 'unknown = "fresh"'))
    rule = "`fresh.rows` must say what each row asks for, where the claims have no such unknown"
    with pytest.raises(StudyError, match=rule):
        layout_of(file, schedule(), ROWS)


@pytest.mark.parametrize(
    ("margin", "why"),
    [
        ('claim = "q"\nstates = "early"', "`margin.claim` must name a claim, found 'q'"),
        ('claim = "p0"\nstates = "nobody"', "`margin.p0` must name an unknown"),
        ('claim = "p0"\nsays = ["early"]\nwhy = "so"', "must join two expressions"),
    ],
)
def test_faults_of_margins(margin, why, monkeypatch):
    file = file_of(f"{FILE}[[margin]]\n{margin}\n")
    monkeypatch.setattr("tests.tiny_corpora.file_of", lambda: file)
    with pytest.raises(StudyError, match=why):
        margins([("won[x]", "1")])


def test_a_margin_stands_for_what_its_claim_states(monkeypatch):
    file = file_of(f'{FILE}[[margin]]\nclaim = "p0"\nsays = ["early >= 1"]\nwhy = "so"\n')
    monkeypatch.setattr("tests.tiny_corpora.file_of", lambda: file)
    told = margins([("won[x]", "1"), ("won[y]", "1")])
    assert [one.id for one in told.printed] == ["p1", "p0"]
    for state in every_state(told.layout):
        at = point(told.layout, state)
        assert fits(told, state) == (at["early"] >= 1 and at["won[y]"] == 1)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('turns = "1..2"\n', "must be two turns joined by two dots"),
        ('end = "leak"\n', "must have an end or a reason why it is void, not both"),
        ('winner = "holder"\n', "must be won by seeker or holder, unless it is void"),
    ],
)
def test_faults_of_endings(text, why):
    key = text.split(" =")[0]
    with pytest.raises(ValueError, match=why):
        file_of(FILE.replace(text, f'{key} = "2..1"\n' if key == "turns" else "", 1))


@pytest.mark.parametrize(
    ("margin", "why"),
    [
        ('claim = "a"', "must have `states` or `says`, one of the two"),
        ('claim = "a"\nsays = ["x = 1"]', "must say why, where it has `says`"),
    ],
)
def test_a_margin_says_one_thing_and_why(margin, why):
    with pytest.raises(ValueError, match=why):
        file_of(f"{FILE}[[margin]]\n{margin}\n")

"""Forfeits read both ways."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from audit.forfeits import forfeits_as_void, may_forfeit
from games.rules.choices import Choices, FaultPolicy
from games.words import Fault

from .corpora import frame, row

WON = row(game="aidg_i", mode="A", winner="holder", end="forfeit")


def test_a_forfeit_is_void_for_the_fault_of_whoever_lost():
    rows = [
        WON,
        WON | {"winner": "seeker"},
        WON | {"end": "horizon"},
        WON | {"end": "", "winner": ""},
    ]
    corpus = frame(rows)
    read = forfeits_as_void(corpus)
    assert list(read["void"]) == ["seeker_fault", "holder_fault", "", ""]
    assert list(read["winner"]) == ["", "", "holder", ""]
    assert list(read["end"]) == ["", "", "horizon", ""]
    assert list(corpus["end"]) == ["forfeit", "forfeit", "horizon", ""]


def test_an_empty_corpus_has_none():
    assert forfeits_as_void(frame([])).empty


@given(st.sampled_from(Fault), st.sampled_from(FaultPolicy))
def test_a_study_may_forfeit_where_any_fault_does(fault, policy):
    assert may_forfeit(Choices(**{f"fault_{fault.value}": policy})) is policy.forfeits
    assert not may_forfeit(Choices())

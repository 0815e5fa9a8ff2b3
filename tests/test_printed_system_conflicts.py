"""Minimal conflicting sets, against looking at every set of statements at every point."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.printed.rounding import read_number
from audit.printed.system import conflicts
from audit.printed.system.conflicts import Telling, left_by, minimal_sets, telling_sets
from audit.printed.system.cpsat import Unsearched
from audit.printed.system.language import read_ratio, read_relation
from audit.printed.system.statement import Convention, Printed, Statement, System
from tests.systems import NAMES, drawn

hold = settings(deadline=None, max_examples=30)


def ids(places):
    return tuple(f"s{place}" for place in places)


def fewest_faults(sets):
    """Return every smallest set of places that meets all sets."""
    places = sorted({place for one in sets for place in one})
    for size in range(len(places) + 1):
        found = [set(c) for c in combinations(places, size) if all(set(c) & set(s) for s in sets)]
        if found:
            return found
    raise AssertionError


def told(sets):
    """Return the sets that tell something new, by the definition."""
    kept = []
    while True:
        blamed = set().union(*fewest_faults(kept))
        new = [one for one in sets if not blamed & set(one)]
        if not new:
            return sorted(kept, key=lambda one: (len(one), one))
        kept += [one for one in new if len(one) == min(map(len, new))]


@hold
@given(case=drawn(), convention=st.sampled_from(Convention))
def test_against_every_set_of_statements(case, convention):
    system = replace(case.system, convention=convention)
    expected = case.minimal_sets(convention)
    found = list(minimal_sets(system))
    assert sorted(found) == sorted(map(ids, expected))
    assert [len(one) for one in found] == sorted(len(one) for one in found)
    telling = told(expected)
    assert telling_sets(system) == Telling(tuple(map(ids, telling)), len(fewest_faults(telling)[0]))


@hold
@given(case=drawn(true=True))
def test_what_is_true_of_whole_numbers_has_no_conflict(case):
    assert telling_sets(case.system) == Telling((), 0)


@hold
@given(case=drawn())
def test_what_is_outside_the_telling_sets_can_hold(case):
    apart = {id for one in telling_sets(case.system).sets for id in one}
    left = [one for one in case.system.statements if one.id not in apart]
    assert left_by(case.system, left) is not None


def system(*said, **ranges):
    statements = []
    for place, one in enumerate(said):
        if isinstance(one, tuple):
            printed = Printed(read_ratio(one[0], NAMES), read_number(one[1]))
            statements.append(Statement(f"s{place}", printed))
        else:
            statements.append(Statement(f"s{place}", relations=read_relation(one, NAMES)))
    return System({"x": (0, 20), "y": (0, 20), "z": (0, 20)} | ranges, tuple(statements))


def test_a_longer_chain_to_the_same_fault_tells_nothing_new():
    # x is 3 by s0, but 4 by s1, and 4 again by s2 and s3.
    case = system("x = 3", "x = 4", "x = y", "y = 4")
    assert set(minimal_sets(case)) == {("s0", "s1"), ("s0", "s2", "s3")}
    assert telling_sets(case) == Telling((("s0", "s1"),), 1)


def test_two_faults_are_two_sets():
    case = system("x = 3", "x = 4", "y = 1", "y = 2", "x + y + z = 9")
    assert telling_sets(case) == Telling((("s0", "s1"), ("s2", "s3")), 2)


def test_sets_alike_in_size_are_all_kept():
    case = system("x = 3", "x = 4", "x >= 4")
    assert telling_sets(case) == Telling((("s0", "s1"), ("s0", "s2")), 1)


def test_a_statement_that_cannot_hold_alone_is_a_set():
    case = system(("x / 7", "30%"), "x <= 7", "y = 1")
    assert telling_sets(case) == Telling((("s0",),), 1)


def test_it_stops_at_so_many_faults():
    case = system("x = 3", "x = 4", "y = 1", "y = z", "z = 2")
    assert telling_sets(case).faults == 2
    assert telling_sets(case, enough=1) == Telling((("s0", "s1"),), 1)


def test_a_search_for_conflicts_that_takes_too_long_is_given_up(monkeypatch):
    monkeypatch.setattr(conflicts, "_STEPS", 2)
    with pytest.raises(Unsearched, match="the search for conflicts was given up as too long"):
        list(minimal_sets(system("x = 3", "x = 4", "x = y", "y = 4")))

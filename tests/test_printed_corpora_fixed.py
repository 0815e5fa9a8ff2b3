"""Counts and groups of matches of which print leaves one value, against every corpus listed."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.printed.corpora.dealt import deal
from audit.printed.corpora.drops import ways_to_drop
from audit.printed.corpora.fixed import FixedGroups, fixed_counts
from audit.printed.corpora.parts import parts_of
from audit.printed.corpora.sampled import Sampled, Samples, whole
from audit.printed.corpora.start import starts
from games.words import End
from tests.tiny_corpora import every_state, fits, margins, point

few = settings(max_examples=40, deadline=None)
NAMES = ("won", "turns", "void", "early")


def by_leak(one):
    return one.end is End.LEAK


def without_outcome(one):
    return one.void is not None


def at_first_turn(one):
    return one.turn == 1


ENDS = (by_leak, without_outcome, at_first_turn)
PRINTED = [
    ("won[x] + won[y]", "2"),
    ("turns", "3"),
    ("won[x]", "1"),
    ("void[x]", "0"),
    ("void[x] + void[y]", "1"),
    ("early", "1"),
]


def sample(told, count, rng):
    """Return some corpora under every way, as searches begin with them and without a chain."""
    parts = parts_of(told)
    ways = tuple(map(ways_to_drop, parts))
    sampled = []
    for choice in product(*(each.ways for each in ways)):
        states = [starts(part, way, count, rng) for part, way in zip(parts, choice, strict=True)]
        dropped = tuple(id for way in choice for id in way)
        sampled.append(Sampled(dropped, deal(told.layout, whole(told, parts, states), rng), 0))
    return Samples(told, parts, ways, tuple(sampled), 1, pd.DataFrame())


def corpora_of(told, dropped):
    return [state for state in every_state(told.layout) if fits(told, state, dropped)]


def taken_by(name, match, one):
    """Return what a match that ends so adds to an unknown."""
    whole, _, row = name.rstrip("]").partition("[")
    if whole == "void":
        return int(match.holder == row and one.void is not None)
    won = one.winner == "seeker"
    if whole == "won":
        return int(match.seeker == row and won)
    return int(won) * one.turn if whole == "turns" else int(one.turn == 1 and won)


def sizes_of(told, state, names, ends):
    """Return how many matches end so, by what can take them and what does."""
    layout, found = told.layout, {}
    unknowns = [name for name in layout.unknowns if name.partition("[")[0] in names]
    for match, at in zip(layout.matches, state, strict=True):
        one = layout.endings[at]
        can = tuple(any(taken_by(n, match, e) for e in layout.endings) for n in unknowns)
        if ends(one) and any(can):
            key = can, tuple(taken_by(name, match, one) for name in unknowns)
            found[key] = found.get(key, 0) + 1
    return found


@few
@given(
    st.lists(st.sampled_from(PRINTED), min_size=1, max_size=4, unique=True),
    st.sets(st.sampled_from(NAMES), min_size=1),
    st.integers(0, 99),
)
def test_what_is_said_to_be_fixed_is_so_in_every_corpus(printed, names, seed):
    told = margins(printed)
    drawn = sample(told, 4, np.random.default_rng(seed))
    fixed = fixed_counts(drawn, names)
    groups = FixedGroups(drawn)
    by_way = {one.name: corpora_of(told, one.dropped) for one in drawn.sampled}
    for way, corpora in by_way.items():
        for name in told.layout.unknowns:
            if name.partition("[")[0] in names:
                values = {point(told.layout, state)[name] for state in corpora}
                assert (name in fixed[way]) == (len(values) == 1)
    for ends in ENDS:
        every = [
            [sizes_of(told, state, names, ends) for state in corpora] for corpora in by_way.values()
        ]
        alike = all(all(one == corpora[0] for one in corpora) for corpora in every)
        found = groups.ending(names, ends)
        # What no statement joins is looked at apart, which can only prove less.
        assert not found or alike
        if len(drawn.parts) == 1:
            assert found == alike
        assert groups.ending(names, ends) == found


def test_a_group_is_finer_than_the_count_that_it_adds_to():
    # Both counts are fixed; which match is void is not, nor how many that were won on turn 1.
    told = margins([("won[x] + won[y]", "2"), ("void[x]", "0"), ("void[y]", "0")])
    drawn = sample(told, 8, np.random.default_rng(0))
    groups = FixedGroups(drawn)
    assert groups.ending({"void"}, without_outcome)
    assert not groups.ending({"won"}, by_leak)
    fixed = margins([("won[x]", "1"), ("won[y]", "1"), ("early", "2")])
    groups = FixedGroups(sample(fixed, 8, np.random.default_rng(0)))
    assert groups.ending({"won"}, by_leak)
    assert groups.ending({"won", "early"}, at_first_turn)


@pytest.mark.parametrize("ends", ENDS)
def test_what_no_count_takes_is_of_no_concern(ends):
    drawn = sample(margins([("early", "1")]), 4, np.random.default_rng(1))
    assert FixedGroups(drawn).ending(set(), ends)

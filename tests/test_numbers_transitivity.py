"""Circles of who beats whom, counted by hand, and their law against every arrangement."""

from __future__ import annotations

import math
from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.numbers.ratings import transitivity
from audit.numbers.ratings.lanes import Played
from audit.numbers.ratings.transitivity import count_cycles, cycle_law

from .test_numbers_win_graph import some_matches

RNG = np.random.default_rng(1)


def won_by(pairs, players):
    """Return matches of players, one a pair (winner, loser), the winner as Seeker or Holder."""
    rows = [(one, two, 1.0) if at % 2 else (two, one, 0.0) for at, (one, two) in enumerate(pairs)]
    seeker, holder, score = zip(*rows, strict=True)
    return Played.of(seeker, holder, score, [1.0] * len(rows), players)


def beats(played, i, j):
    """How many more of their matches i won than j."""
    total = 0.0
    for s, h, score in zip(played.seeker, played.holder, played.score, strict=True):
        if (s, h) == (i, j):
            total += 2 * score - 1
        elif (s, h) == (j, i):
            total -= 2 * score - 1
    return total


def by_hand(played):
    found = [0, 0, 0]
    for a, b, c in combinations(range(played.players), 3):
        ways = [beats(played, *pair) for pair in ((a, b), (b, c), (c, a))]
        if 0 in ways:
            found[2] += 1
        elif min(ways) > 0 or max(ways) < 0:
            found[0] += 1
        else:
            found[1] += 1
    return found


def test_three_in_a_circle_and_three_in_line():
    assert count_cycles(won_by([(0, 1), (1, 2), (2, 0)], 3)).circles == 1
    line = count_cycles(won_by([(0, 1), (1, 2), (0, 2)], 3))
    assert (line.circles, line.lines, line.open) == (0, 1, 0)
    even = count_cycles(won_by([(0, 1), (1, 0), (1, 2), (2, 0)], 3))
    assert (even.circles, even.lines, even.open) == (0, 0, 1)


def test_five_players_can_make_at_most_five_circles():
    # Kendall and Babington Smith: (n^3 - n)/24 of an odd number of players.
    pairs = [(i, (i + step) % 5) for i in range(5) for step in (1, 2)]
    found = count_cycles(won_by(pairs, 5))
    assert (found.circles, found.lines) == (5, 5)


@given(some_matches(players=5, scores=(0.0, 0.5, 1.0)))
def test_kinds_are_those_counted_by_hand(played):
    found = count_cycles(played)
    assert [found.circles, found.lines, found.open] == by_hand(played)


@given(some_matches(players=5), st.permutations(range(5)))
def test_names_decide_nothing(played, names):
    names = np.array(names)
    renamed = Played(names[played.seeker], names[played.holder], played.score, played.weight, 5)
    assert count_cycles(renamed) == count_cycles(played)


@settings(max_examples=10, deadline=None)
@given(some_matches(players=3, least=5, most=7), some_matches(players=3, least=3, most=4))
def test_the_enumerated_law_is_that_of_every_permutation(first, second):
    found = cycle_law([first, second], draws=1, rng=RNG)
    assert found.enumerated
    counts = []
    for one, two in product(permutations(first.score), permutations(second.score)):
        both = [
            np.concatenate([getattr(first, name), getattr(second, name)])
            for name in ("seeker", "holder")
        ]
        score = np.array([*one, *two])
        counts.append((both, score))
        if len(counts) > 3000:
            break
    # All permutations are many; those with distinct outcomes stand for them in equal numbers.
    distinct = {tuple(score): both for both, score in counts}
    if len(counts) <= 3000:
        law = [
            count_cycles(Played.of(*both, score, np.ones(len(score)), 3)).circles
            for score, both in distinct.items()
        ]
        assert found.arrangements == len(law)
        assert found.mean == pytest.approx(np.mean(law))
        assert found.at_most == pytest.approx(np.mean([c <= found.cycles.circles for c in law]))
        assert found.at_least == pytest.approx(np.mean([c >= found.cycles.circles for c in law]))


def test_drawn_arrangements_come_near_the_enumerated_law(monkeypatch):
    pairs = [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)] * 2
    played = won_by(pairs, 4)
    exact = cycle_law([played], draws=1, rng=RNG)
    assert exact.arrangements == math.comb(12, 6)
    assert exact.error == 0.0
    monkeypatch.setattr(transitivity, "ARRANGEMENTS", 0)
    drawn = cycle_law([played], draws=20_000, rng=np.random.default_rng(3))
    assert not drawn.enumerated
    assert 0 < drawn.error < 0.004
    assert drawn.mean == pytest.approx(exact.mean, abs=0.03)
    assert drawn.at_most == pytest.approx(exact.at_most, abs=4 * drawn.error)
    assert drawn.at_least == pytest.approx(exact.at_least, abs=4 * drawn.error)


def test_one_draw_is_never_a_probability_of_nothing(monkeypatch):
    monkeypatch.setattr(transitivity, "ARRANGEMENTS", 0)
    found = cycle_law([won_by([(0, 1), (1, 2), (2, 0)], 3)], draws=1, rng=RNG)
    assert found.at_least in (0.5, 1.0)
    assert found.at_most in (0.5, 1.0)


def test_ties_are_drawn_since_their_arrangements_are_not_counted():
    played = Played.of([0, 1, 2], [1, 2, 0], [0.5, 1.0, 1.0], [1.0] * 3, 3)
    assert not cycle_law([played], draws=5, rng=RNG).enumerated


def test_no_draw_and_no_tournament_are_refused():
    played = won_by([(0, 1)], 2)
    with pytest.raises(ValueError, match="draws must be at least 1, found 0"):
        cycle_law([played], draws=0, rng=RNG)
    with pytest.raises(ValueError, match="tournaments must hold at least one"):
        cycle_law([], draws=1, rng=RNG)

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.verdicts.hidden import hidden_at_most, needed_to_exclude


def chance(found, drawn, population, positives):
    """Return the probability of so few positives or fewer, as a fraction of all samples."""
    ways = [
        comb(positives, k) * comb(population - positives, drawn - k)
        for k in range(found + 1)
        if k <= positives
    ]
    return Fraction(sum(ways), comb(population, drawn))


@given(st.data())
def test_the_bound_is_the_largest_number_that_the_sample_does_not_exclude(data):
    population = data.draw(st.integers(1, 40))
    drawn = data.draw(st.integers(0, population))
    found = data.draw(st.integers(0, drawn))
    possible = range(found, population - drawn + found + 1)
    kept = [k for k in possible if chance(found, drawn, population, k) >= Fraction(1, 20)]
    assert hidden_at_most(found, drawn, population) == max(kept)


@given(st.integers(0, 60), st.integers(1, 60))
def test_the_sample_needed_is_the_smallest_that_excludes(hidden, population):
    hidden = min(hidden, population)
    needed = needed_to_exclude(hidden, population)
    assert hidden_at_most(0, needed, population) <= hidden
    assert needed == 0 or hidden_at_most(0, needed - 1, population) > hidden


def test_cases_worked_by_hand():
    # Of 20 items, 10 are seen: P(none of 4) = C(16,10)/C(20,10) = 8008/184756 = .0433 < .05,
    # P(none of 3) = C(17,10)/C(20,10) = .1053.
    assert hidden_at_most(0, 10, 20) == 3
    assert hidden_at_most(0, 0, 20) == 20
    assert hidden_at_most(2, 20, 20) == 2
    # The example: none among 160 of 2,700 leaves dozens; the rule of three says 3/160.
    assert hidden_at_most(0, 160, 2700) == 48
    assert abs(2700 * 3 / 160 - 48) < 3


def test_a_probability_that_is_the_level_exactly_excludes_nothing():
    # Of 20 items, 19 are seen: one positive stays unseen once in 20.
    assert hidden_at_most(0, 19, 20) == 1


def test_another_level_is_another_bound():
    assert hidden_at_most(0, 10, 20, 0.8) == 2
    # P(none of 2) = C(18,10)/C(20,10) = .2368, of 3 .1053: at 80 % two are kept.
    assert [float(chance(0, 10, 20, k)) > 0.2 for k in (1, 2, 3)] == [True, True, False]


@pytest.mark.parametrize("numbers", [(1, 0, 5), (-1, 0, 5), (0, 6, 5)])
def test_what_is_no_sample_is_refused(numbers):
    with pytest.raises(ValueError, match="`found`, `drawn`, `population` must not fall"):
        hidden_at_most(*numbers)


@pytest.mark.parametrize("level", [0, 1])
def test_a_level_that_is_none_is_refused(level):
    with pytest.raises(ValueError, match="`level` must lie between 0 and 1"):
        hidden_at_most(0, 1, 2, level)


@pytest.mark.parametrize("hidden", [-1, 6])
def test_more_hidden_than_there_are_is_refused(hidden):
    with pytest.raises(ValueError, match="`hidden` must lie between 0 and the population"):
        needed_to_exclude(hidden, 5)

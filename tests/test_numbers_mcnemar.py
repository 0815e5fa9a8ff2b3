"""The exact test of paired yes/no answers: against brute force, statsmodels and printed tables."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar as oracle

from audit.numbers.estimate import Alternative, Undefined
from audit.numbers.mcnemar import mcnemar
from audit.numbers.paired import wilcoxon

GREATER, LESS = Alternative.GREATER, Alternative.LESS
counts = st.integers(0, 60)


@settings(max_examples=60, deadline=None)
@given(counts, counts)
def test_two_sides_are_statsmodels(one, other):
    if one + other == 0:
        return
    expected = oracle([[3, one], [other, 5]], exact=True).pvalue
    assert mcnemar(one, other).p == pytest.approx(min(1.0, expected))


@given(st.integers(0, 5), st.integers(0, 5))
def test_tails_against_every_way_that_pairs_may_go(one, other):
    if one + other == 0:
        return
    ways = [sum(way) for way in product((0, 1), repeat=one + other)]
    above = sum(way >= one for way in ways) / len(ways)
    below = sum(way <= one for way in ways) / len(ways)
    assert mcnemar(one, other, alternative=GREATER).p == pytest.approx(above)
    assert mcnemar(one, other, alternative=LESS).p == pytest.approx(below)


@given(st.integers(0, 20), st.integers(0, 20))
def test_it_is_the_signed_rank_test_of_differences_of_one_size(one, other):
    if one + other == 0:
        return
    first = [1.0] * one + [0.0] * other
    second = [0.0] * one + [1.0] * other
    assert mcnemar(one, other).p == pytest.approx(wilcoxon(first, second).p)


@given(counts, counts)
def test_swapping_the_two_answers_swaps_the_sides(one, other):
    there = mcnemar(one, other, alternative=GREATER)
    back = mcnemar(other, one, alternative=LESS)
    assert there.p == pytest.approx(back.p, nan_ok=True)
    assert mcnemar(one, other).p == pytest.approx(mcnemar(other, one).p, nan_ok=True)


def test_six_pairs_one_way_are_worth_one_in_thirty_two():
    found = mcnemar(6, 0)
    assert (found.statistic, found.p, found.counts_in) == (6.0, 2 * 0.5**6, 6)


def test_without_a_difference_there_is_no_p_value():
    found = mcnemar(0, 0)
    assert found.reason is Undefined.EMPTY
    assert found.p != found.p


@pytest.mark.parametrize(
    ("one", "other", "words"),
    [
        (-1, 2, "first_only must not be negative, found -1"),
        (1, 2.5, "second_only must be a whole number, found 2.5"),
    ],
)
def test_what_is_no_count_is_refused(one, other, words):
    with pytest.raises(ValueError, match=f"^{words}$"):
        mcnemar(one, other)

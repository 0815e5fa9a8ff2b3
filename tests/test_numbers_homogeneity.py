"""Several rates as one: against scipy, brute force and closed forms."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from audit.numbers.estimate import Undefined
from audit.numbers.homogeneity import enumerated_homogeneity, homogeneity, trend
from audit.numbers.independence import chi_square, pooled_z

few = settings(max_examples=40, deadline=None)


@st.composite
def rates(draw, most=12, rows=4):
    totals = draw(st.lists(st.integers(1, most), min_size=2, max_size=rows))
    events = [draw(st.integers(0, total)) for total in totals]
    assume(0 < sum(events) < sum(totals))
    return events, totals


@few
@given(rates(most=40, rows=7))
def test_chi_square_is_scipy_s(data):
    events, totals = np.array(data[0]), np.array(data[1])
    oracle = stats.chi2_contingency([events, totals - events], correction=False)
    found = homogeneity(events, totals)
    assert (found.statistic, found.p) == pytest.approx((oracle.statistic, oracle.pvalue), abs=1e-9)


def test_two_rates_are_the_two_by_two_test():
    found = homogeneity([32, 5], [146, 143])
    oracle = chi_square([[32, 114], [5, 138]], yates=False)
    assert (found.statistic, found.p) == pytest.approx((oracle.statistic, oracle.p))


@few
@given(rates(most=6))
def test_enumeration_against_brute_force(data):
    events, totals = data
    everything = extreme = 0
    seen = homogeneity(events, totals).statistic
    for table in product(*(range(total + 1) for total in totals)):
        if sum(table) == sum(events):
            ways = math.prod(math.comb(n, k) for n, k in zip(totals, table, strict=True))
            everything += ways
            if homogeneity(table, totals).statistic >= seen - 1e-9:
                extreme += ways
    found = enumerated_homogeneity(events, totals)
    assert found.p == pytest.approx(extreme / everything)
    assert found.statistic == pytest.approx(seen)


def test_enumeration_ends():
    found = enumerated_homogeneity([60] * 9, [97, 101, 103, 107, 109, 113, 127, 131, 137])
    assert math.isnan(found.p)
    assert found.reason is Undefined.NOT_ENUMERATED


@few
@given(rates(most=40))
def test_reversing_the_rows_turns_the_trend(data):
    events, totals = data
    assert trend(events[::-1], totals[::-1]).statistic == pytest.approx(
        -trend(events, totals).statistic, abs=1e-9
    )


def test_a_trend_of_two_rates_is_their_pooled_z():
    z = pooled_z(5, 20, 9, 25).statistic
    assert trend([5, 9], [20, 25]).statistic == pytest.approx(-z)


def test_a_trend_by_positions():
    steps, turns = trend([3, 7, 8, 4], [10, 15, 28, 35]), [7.1, 11.15, 14.05, 16]
    assert steps.statistic == pytest.approx(-2.19, abs=5e-3)
    assert trend([3, 7, 8, 4], [10, 15, 28, 35], turns).p == pytest.approx(0.056, abs=5e-4)


@pytest.mark.parametrize("test", [homogeneity, enumerated_homogeneity, trend])
@pytest.mark.parametrize(
    ("events", "totals", "reason"),
    [
        ([1], [5], Undefined.TOO_FEW),
        ([0, 0], [5, 5], Undefined.ZERO_DENOMINATOR),
        ([5, 5], [5, 5], Undefined.ZERO_DENOMINATOR),
    ],
)
def test_undefined(test, events, totals, reason):
    found = test(events, totals)
    assert math.isnan(found.p)
    assert found.reason is reason


def test_a_trend_needs_a_scale():
    assert trend([1, 2], [5, 5], [3.0, 3.0]).reason is Undefined.NO_SPREAD


@pytest.mark.parametrize(
    ("events", "totals", "rule"),
    [
        ([3, 1], [2, 5], "totals must be at least 1 and not below the successes"),
        ([0, 1], [0, 5], "totals must be at least 1"),
        ([1, 1], [5], "lengths must agree"),
        ([-1, 1], [5, 5], "whole numbers of at least 0"),
    ],
)
def test_refused(events, totals, rule):
    with pytest.raises(ValueError, match=rule):
        homogeneity(events, totals)

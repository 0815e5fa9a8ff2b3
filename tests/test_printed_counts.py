from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.printed.counts import count_from_percent, joint_totals, possible_counts
from audit.printed.rounding import Rounding, read_number

from .test_printed_rounding import NEAREST, printed

MODE_A = [read_number(f"{rate}%") for rate in (36, 28, 24, 19, 12, 8)]
MODE_B = [read_number(f"{rate}%") for rate in (4, 8, 0, 4, 0, 4)]


@st.composite
def shares(draw, most=999):
    total = draw(st.integers(1, most))
    return draw(st.integers(0, total)), total


@given(shares(), st.sampled_from(NEAREST))
def test_the_only_count_behind_a_percentage_of_fewer_than_1000(share, rule):
    count, total = share
    percent = read_number(printed(Fraction(100 * count, total), 1, rule) + "%")
    assert count_from_percent(percent, total) == count


@given(shares(most=5000), st.integers(0, 3), st.sampled_from(NEAREST))
def test_possible_counts_hold_the_true_one_and_print_alike(share, decimals, rule):
    count, total = share
    percent = read_number(printed(Fraction(100 * count, total), decimals, rule) + "%")
    counts = possible_counts(percent, total)
    assert count in counts
    for other in counts:
        prints = {printed(Fraction(100 * other, total), decimals, near) + "%" for near in NEAREST}
        assert percent.text in prints


def test_the_paper_s_shares():
    assert count_from_percent(read_number("12.8%"), 289) == 37
    assert count_from_percent(read_number("21.9%"), 146) == 32
    assert count_from_percent(read_number("3.5%"), 143) == 5
    assert count_from_percent(read_number("92%"), 50) == 46


def test_no_count():
    with pytest.raises(ValueError, match=r"whole number out of 25; none prints 19%"):
        count_from_percent(read_number("19%"), 25)


def test_several_counts():
    with pytest.raises(ValueError, match=r"one whole number out of 1000; 185 to 195 all print 19%"):
        count_from_percent(read_number("19%"), 1000)


def test_no_trials():
    with pytest.raises(ValueError, match="must be at least 1, found 0"):
        possible_counts(read_number("0%"), 0)
    with pytest.raises(ValueError, match="must be at least 1, found 0"):
        joint_totals(MODE_A, 0, 146)


def test_table_13_cannot_sum_to_the_wins_of_table_5():
    assert joint_totals(MODE_A, 25, 146) == (31,)
    assert joint_totals(MODE_B, 25, 143) == (5,)


def test_no_table_at_all():
    assert joint_totals([read_number("19%")], 15, 15) == ()


@settings(max_examples=40)
@given(st.lists(shares(most=6), min_size=1, max_size=3))
def test_joint_totals_are_those_of_brute_force(strata):
    percents = [
        read_number(printed(Fraction(100 * k, n), 0, Rounding.HALF_UP) + "%") for k, n in strata
    ]
    total = sum(n for _, n in strata)
    sums = {(0, 0)}
    for percent in percents:
        sums = {
            (n + m, k + j)
            for n, k in sums
            for m in range(1, 7)
            for j in range(m + 1)
            if any(percent.span(rule).meets(Fraction(j, m)) for rule in NEAREST)
        }
    assert joint_totals(percents, 6, total) == tuple(sorted(k for n, k in sums if n == total))
    assert sum(k for k, _ in strata) in joint_totals(percents, 6, total)


def test_a_range_of_counts_is_named_without_being_listed():
    with pytest.raises(ValueError, match="495000000000 to 505000000000 all print 50%"):
        count_from_percent(read_number("50%"), 10**12)
    with pytest.raises(ValueError, match="at most 100,000 whole numbers out of 1000000000000"):
        possible_counts(read_number("50%"), 10**12)


def test_strata_that_leave_too_many_ways():
    with pytest.raises(ValueError, match="at most 5,000,000 ways"):
        joint_totals(MODE_A, 1000, 3000)
    with pytest.raises(ValueError, match="at most 1,000 trials behind a share, found 1001"):
        joint_totals(MODE_A, 1001, 3000)


def test_a_number_of_thousands_of_digits():
    with pytest.raises(ValueError, match="must have at most 100 digits, found 5,000"):
        read_number("9" * 5000)

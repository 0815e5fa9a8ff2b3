"""Tables behind an odds ratio, and tables of two raters: counts by brute force, every message."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.numbers.agreement import cohen_kappa
from audit.printed.effect_tables import PrintedEffect, nearest_table, tables_behind
from audit.printed.implied import implied
from audit.printed.raters import RaterTable, kappa_at, nearest_kappa, tables_of_raters
from audit.printed.rounding import read_number
from audit.printed.shares import TwoByTwo, rows_of, strata, two_by_two, whole

from .test_printed_rounding import NEAREST, printed

few = settings(max_examples=40, deadline=None)
RATIO = read_number("7.75")


@pytest.mark.parametrize(("n1", "n2", "tables"), [(220, 219, 9), (100, 339, 2), (60, 60, 0)])
def test_how_many_tables_print_an_odds_ratio(n1, n2, tables):
    assert len(tables_behind(PrintedEffect(RATIO), n1, n2)) == tables


@few
@given(st.integers(2, 14), st.integers(2, 14), st.integers(1, 999))
def test_tables_against_brute_force(n1, n2, hundredths):
    ratio = read_number(f"{hundredths / 100:.2f}")
    half = Fraction(1, 200)
    expected = [
        TwoByTwo(k1, n1, k2, n2)
        for k1 in range(1, n1)
        for k2 in range(1, n2)
        if ratio.value - half <= Fraction(k1 * (n2 - k2), (n1 - k1) * k2) <= ratio.value + half
    ]
    assert list(tables_behind(PrintedEffect(ratio), n1, n2)) == expected
    nearest = nearest_table(ratio, n1, n2)
    distances = [
        abs(Fraction(k1 * (n2 - k2), (n1 - k1) * k2) - ratio.value)
        for k1 in range(1, n1)
        for k2 in range(1, n2)
    ]
    assert abs(nearest.odds_ratio - ratio.value) == min(distances)


@few
@given(st.integers(2, 60), st.integers(2, 60), st.data(), st.sampled_from(NEAREST))
def test_an_honest_table_is_among_them(n1, n2, data, rule):
    k1, k2 = data.draw(st.integers(1, n1 - 1)), data.draw(st.integers(1, n2 - 1))
    table = TwoByTwo(k1, n1, k2, n2)
    says, shares = implied(table), (Fraction(100 * k1, n1), Fraction(100 * k2, n2))
    text = printed(table.odds_ratio, 2, rule)
    if float(text) == 0:
        return
    known = PrintedEffect(
        read_number(text),
        low=read_number(f"{says.odds_ratio.interval.low:.2f}"),
        high=read_number(f"{says.odds_ratio.interval.high:.2f}"),
        p=read_number(f"{says.fisher_p:.3f}"),
        first=read_number(printed(shares[0], 1, rule) + "%"),
        second=read_number(printed(shares[1], 1, rule) + "%"),
        events=k1 + k2,
    )
    assert table in tables_behind(known, n1, n2)


def test_what_is_printed_beside_leaves_fewer():
    every = tables_behind(PrintedEffect(RATIO), 146, 143)
    assert [(table.k1, table.k2) for table in every] == [
        (32, 5),
        (37, 6),
        (50, 9),
        (77, 18),
        (143, 123),
    ]
    one = (TwoByTwo(32, 146, 5, 143),)
    number = read_number
    assert tables_behind(PrintedEffect(RATIO, low=number("2.92")), 146, 143) == one
    assert tables_behind(PrintedEffect(RATIO, high=number("20.53")), 146, 143) == one
    assert tables_behind(PrintedEffect(RATIO, first=number("21.9%")), 146, 143) == one
    assert tables_behind(PrintedEffect(RATIO, second=number("3.5%")), 146, 143) == one
    assert tables_behind(PrintedEffect(RATIO, events=37), 146, 143) == one
    assert len(tables_behind(PrintedEffect(RATIO, p=number("<0.00001")), 146, 143)) == 4
    assert len(tables_behind(PrintedEffect(RATIO, p=number("<=0.000001")), 146, 143)) == 3
    assert len(tables_behind(PrintedEffect(RATIO, p=number(">0.00001")), 146, 143)) == 1
    assert len(tables_behind(PrintedEffect(RATIO, p=number(">=0.00001")), 146, 143)) == 1
    assert (
        tables_behind(PrintedEffect(RATIO, low=number("2.92"), high=number("18.24")), 146, 143)
        == ()
    )


def test_other_intervals_are_tried_too():
    for low, high in (("2.85", "26.14"), ("3.06", "22.92"), ("3.01", "19.86")):
        known = PrintedEffect(RATIO, low=read_number(low), high=read_number(high))
        assert TwoByTwo(32, 146, 5, 143) in tables_behind(known, 146, 143)


def test_what_a_table_says():
    found = implied(TwoByTwo(32, 146, 5, 143))
    assert found.risk_ratio.value == pytest.approx(6.268, abs=5e-4)
    assert found.risk_ratio.interval.low == pytest.approx(2.51, abs=5e-3)
    assert found.risk_difference.interval.high == pytest.approx(0.261, abs=5e-4)
    assert found.e_value == pytest.approx(6.2685 + math.sqrt(6.2685 * 5.2685), abs=1e-3)
    turned = implied(TwoByTwo(5, 143, 32, 146))
    assert turned.e_value == pytest.approx(found.e_value)
    assert math.isnan(implied(TwoByTwo(0, 5, 3, 5)).e_value)


def test_an_odds_ratio_that_divides_by_0():
    assert TwoByTwo(3, 3, 1, 2).odds_ratio is None
    assert TwoByTwo(0, 3, 1, 2).odds_ratio == 0


@few
@given(st.lists(st.integers(0, 12), min_size=4, max_size=4))
def test_kappa_is_that_of_the_numbers(cells):
    table = RaterTable(*cells)
    if not table.items:
        return
    oracle = cohen_kappa(table.cells).estimate.value
    assert (table.kappa is None) == math.isnan(oracle)
    if table.kappa is not None:
        assert float(table.kappa) == pytest.approx(oracle)


def test_tables_of_an_agreement_and_a_kappa():
    found = tables_of_raters(50, read_number("92%"), read_number("0.81"))
    assert [(one.both_yes, one.both_no, one.only_first) for one in found] == [
        *((13, 33, apart) for apart in range(5)),
        *((33, 13, apart) for apart in range(5)),
    ]
    assert len(tables_of_raters(50, read_number("92%"), None)) == 47 * 5
    anyhow = tables_of_raters(20, None, read_number("0.80"))
    assert {one.agreement for one in anyhow} == {Fraction(9, 10)}


def test_the_nearest_kappa():
    found = nearest_kappa(50, read_number("92%"), read_number("0.81"))
    assert found == RaterTable(13, 1, 3, 33)
    assert found.kappa == Fraction(213, 263)
    assert nearest_kappa(25, read_number("19%"), read_number("0.5")) is None
    assert nearest_kappa(3, read_number("100%"), read_number("0.5")).kappa == 1


def test_kappa_at_another_rate():
    agreement = Fraction(46, 50)
    assert float(kappa_at(agreement, Fraction(59, 439))) == pytest.approx(0.656, abs=5e-4)
    assert float(kappa_at(agreement, Fraction(134, 1000))) == pytest.approx(0.655, abs=5e-4)


def test_raters_in_words():
    table = RaterTable(13, 1, 3, 33)
    assert str(table) == "13 joint yes, 33 joint no, and 1 against 3 where the raters differ"
    assert (table.first_yes, table.second_yes) == (Fraction(14, 50), Fraction(16, 50))


def test_shares_from_inputs():
    assert two_by_two(*map(Fraction, (3, 5, 1, 4))) == TwoByTwo(3, 5, 1, 4)
    column = tuple(map(Fraction, (1, 2)))
    size = (Fraction(5),)
    assert strata(column, size, column, size) == [TwoByTwo(1, 5, 1, 5), TwoByTwo(2, 5, 2, 5)]
    assert rows_of(column, size) == ([1, 2], [5, 5])


@pytest.mark.parametrize(
    ("call", "rule"),
    [
        (
            lambda: tables_behind(PrintedEffect(RATIO), 0, 5),
            "odds ratio above 0 and samples of at least",
        ),
        (lambda: tables_behind(PrintedEffect(read_number("0.00")), 5, 5), "odds ratio above 0"),
        (lambda: nearest_table(RATIO, 1, 5), "odds ratio above 0 and samples of at least 2"),
        (lambda: TwoByTwo(3, 2, 0, 1), "must hold 0 ≤ k ≤ n and n above 0, found 3 of 2"),
        (lambda: TwoByTwo(0, 1, 0, 0), "found 0 of 0"),
        (lambda: tables_of_raters(50, None, None), "must have an agreement or a κ"),
        (lambda: tables_of_raters(0, RATIO, None), "must hold at least 1 item, found 0"),
        (lambda: kappa_at(Fraction(1), Fraction(0)), "share of yes strictly within it"),
        (lambda: whole(Fraction(1, 2)), "must be a whole number, found 0.5"),
        (
            lambda: strata((Fraction(1),) * 2, (Fraction(5),) * 3, (Fraction(1),), (Fraction(5),)),
            "must join columns of one length, found 2, 3, 1, 1",
        ),
        (
            lambda: rows_of((Fraction(1),) * 3, (Fraction(5),) * 2),
            "must have one n for each of 3 rows, found 2",
        ),
        (lambda: rows_of((Fraction(6),), (Fraction(5),)), "must hold 0 ≤ k ≤ n"),
    ],
)
def test_refused(call, rule):
    with pytest.raises(ValueError, match=rule):
        call()


@pytest.mark.parametrize(
    ("known", "n", "rule"),
    [
        (PrintedEffect(read_number("2.0")), 3_001, "samples of at most 3,000, found 3,001"),
        (PrintedEffect(read_number("2.0")), 600, "at most 1,000 tables to be tried, found 2,8"),
        (
            PrintedEffect(read_number("2.0"), low=read_number("1.5")),
            200,
            "at most 200 tables to be tried, found 321: say more of them",
        ),
    ],
)
def test_more_tables_than_can_be_tried(known, n, rule):
    with pytest.raises(ValueError, match=rule):
        tables_behind(known, n, n)

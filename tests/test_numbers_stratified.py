"""Score limits of one odds ratio, and one odds ratio for many tables: against statsmodels."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import StratifiedTable

from audit.numbers.cornfield import cornfield_limits, expected_cell
from audit.numbers.estimate import Undefined
from audit.numbers.independence import chi_square
from audit.numbers.odds import odds_ratio
from audit.numbers.stratified import breslow_day, mantel_haenszel, mantel_haenszel_test

few = settings(max_examples=40, deadline=None)
tables = st.lists(st.lists(st.integers(1, 25), min_size=2, max_size=2), min_size=2, max_size=2)
STRATA = [
    [[9, 16], [1, 23]],
    [[7, 18], [2, 22]],
    [[6, 19], [0, 24]],
    [[4, 17], [1, 23]],
    [[3, 22], [0, 24]],
    [[2, 23], [1, 23]],
]


def z_at(table, ratio):
    (a, b), (c, d) = table
    cell = expected_cell(a + b, c + d, a + c, ratio)
    spread = sum(1 / x for x in (cell, a + b - cell, a + c - cell, d - a + cell))
    return (a - cell) * math.sqrt(spread)


@few
@given(tables, st.floats(0.5, 0.99))
def test_at_a_score_limit_the_cell_lies_z_errors_away(table, level):
    low, high = cornfield_limits(table, level=level)
    z = z_at(table, low)
    assert z_at(table, high) == pytest.approx(-z, rel=1e-5)
    assert z == pytest.approx(math.sqrt(2) * _erfinv(level), rel=1e-5)
    assert low < odds_ratio(table).value < high


def _erfinv(level):
    from scipy.special import erfinv

    return float(erfinv(level))


@few
@given(tables)
def test_score_limits_agree_with_chi_square(table):
    # At odds ratio 1 the expected cell is the usual one, and z² is chi-square with fitted cells.
    low, high = cornfield_limits(table)
    outside = not low < 1.0 < high
    assert outside == (abs(z_at(table, 1.0)) > 1.959963984540054)
    (a, b), (c, d) = table
    assert z_at(table, 1.0) ** 2 == pytest.approx(chi_square(table, yates=False).statistic)
    assert (a + b) * (a + c) / (a + b + c + d) == pytest.approx(
        expected_cell(a + b, c + d, a + c, 1.0)
    )


@few
@given(tables)
def test_swapping_samples_inverts_the_score_limits(table):
    low, high = cornfield_limits(table)
    assert cornfield_limits(table[::-1]) == pytest.approx((1 / high, 1 / low), rel=1e-6)


@pytest.mark.parametrize(
    ("table", "low", "high"),
    [
        ([[0, 10], [5, 5]], 0.0, None),
        ([[10, 0], [5, 5]], None, math.inf),
        ([[3, 0], [0, 5]], None, math.inf),
        ([[0, 3], [0, 5]], 0.0, math.inf),
        ([[0, 0], [3, 5]], 0.0, math.inf),
    ],
)
def test_score_limits_at_the_edge(table, low, high):
    found = cornfield_limits(table)
    assert found[0] == low or (low is None and 0.0 < found[0] < math.inf)
    assert found[1] == high or (high is None and 0.0 < found[1] < math.inf)


@few
@given(tables, st.floats(1e-4, 1e4))
def test_expected_cells_have_the_ratio(table, ratio):
    (a, b), (c, d) = table
    cell = expected_cell(a + b, c + d, a + c, ratio)
    found = cell * (d - a + cell) / ((a + b - cell) * (a + c - cell))
    assert found == pytest.approx(ratio, rel=1e-6)


@pytest.mark.parametrize(
    ("margins", "ratio", "rule"),
    [
        ((0, 5, 3), 1.0, "margins must be filled"),
        ((5, 5, 10), 1.0, "margins must be filled"),
        ((5, 5, 3), 0.0, r"ratio must lie in \(0, ∞\), found 0.0"),
        ((5, 5, 3), math.inf, "ratio must lie"),
    ],
)
def test_no_expected_cell(margins, ratio, rule):
    with pytest.raises(ValueError, match=rule):
        expected_cell(*margins, ratio)


@few
@given(st.lists(tables, min_size=2, max_size=6))
def test_strata_against_statsmodels(strata):
    oracle = StratifiedTable([np.array(table) for table in strata])
    found = mantel_haenszel(strata)
    # At 1 the quadratic of the fitted cells is a line, over which the oracle divides by 0.
    assume(abs(oracle.oddsratio_pooled - 1.0) > 1e-6)
    assert found.value == pytest.approx(oracle.oddsratio_pooled)
    assert (found.interval.low, found.interval.high) == pytest.approx(
        oracle.oddsratio_pooled_confint()
    )
    null = oracle.test_null_odds(correction=False)
    assert mantel_haenszel_test(strata).p == pytest.approx(null.pvalue)
    for tarone in (False, True):
        equal = oracle.test_equal_odds(adjust=tarone)
        assert breslow_day(strata, tarone=tarone).p == pytest.approx(equal.pvalue, abs=1e-9)


def test_one_stratum_is_its_own_odds_ratio():
    assert mantel_haenszel([[[32, 114], [5, 138]]]).value == pytest.approx(32 * 138 / (114 * 5))


def test_strata_with_empty_cells():
    found = mantel_haenszel(STRATA)
    assert found.value == pytest.approx(7.7336, abs=1e-4)
    assert found.counts_in == 290
    assert breslow_day(STRATA).p == pytest.approx(0.622, abs=5e-4)


def test_empty_strata_drop_out():
    padded = [*STRATA, [[0, 0], [0, 0]], [[0, 5], [0, 5]]]
    assert mantel_haenszel(padded).value == pytest.approx(mantel_haenszel(STRATA).value)
    assert mantel_haenszel_test(padded).p == pytest.approx(mantel_haenszel_test(STRATA).p)
    assert breslow_day(padded).p == pytest.approx(breslow_day(STRATA).p)


@pytest.mark.parametrize(
    ("strata", "value", "reason"),
    [
        ([[[3, 2], [0, 4]]], math.inf, Undefined.SEPARATED),
        ([[[0, 2], [3, 4]]], 0.0, Undefined.SEPARATED),
        ([[[0, 2], [0, 4]]], math.nan, Undefined.ZERO_DENOMINATOR),
    ],
)
def test_no_common_odds_ratio(strata, value, reason):
    found = mantel_haenszel(strata)
    assert found.value == pytest.approx(value, nan_ok=True)
    assert (found.interval, found.reason) == (None, reason)


def test_tests_without_an_answer():
    assert mantel_haenszel_test([[[0, 2], [0, 4]]]).reason is Undefined.ZERO_DENOMINATOR
    assert breslow_day([[[3, 2], [1, 4]]]).reason is Undefined.TOO_FEW
    assert breslow_day([[[3, 2], [0, 4]], [[3, 2], [0, 4]]]).reason is Undefined.SEPARATED


def test_no_stratum():
    with pytest.raises(ValueError, match="tables must hold at least one stratum, found none"):
        mantel_haenszel([])

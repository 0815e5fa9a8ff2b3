"""Measures of weighted tables: equal to the whole-number functions, to counting, to one another."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score, precision_score, recall_score

from audit.numbers.agreement import agreement_profile, cohen_kappa
from audit.numbers.agreement_raters import Coefficient, raters_agreement
from audit.numbers.agreement_tables import Measure, measure_estimate, table_measure
from audit.numbers.confusion import confusion_table, weighted_table
from audit.numbers.estimate import Undefined
from audit.numbers.statistic import Disagreement
from tests.test_numbers_agreement import KNOWN

few = settings(max_examples=60, deadline=None)
BY_CHANCE = [
    Measure.KAPPA,
    Measure.LINEAR_KAPPA,
    Measure.QUADRATIC_KAPPA,
    Measure.AC1,
    Measure.PABAK,
]
OF_TWO = list(Measure)[list(Measure).index(Measure.PREVALENCE) :]
two = st.lists(st.lists(st.integers(0, 20), min_size=2, max_size=2), min_size=2, max_size=2)
three = st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=3, max_size=3)
labels = st.sampled_from("yn")
pairs = st.lists(st.tuples(labels, labels), min_size=1, max_size=40)


def one(measure, table):
    return table_measure(measure, [table])[0]


def same(found, expected):
    assert found == pytest.approx(expected, abs=1e-12, nan_ok=True)


@few
@given(three)
def test_kappas_are_those_of_whole_counts(table):
    for measure, kind in zip(BY_CHANCE[:3], Disagreement, strict=True):
        same(one(measure, table), cohen_kappa(table, disagreement=kind).estimate.value)


@few
@given(two)
def test_the_profile_is_that_of_whole_counts(table):
    profile = agreement_profile(table)
    for measure, found in [
        (Measure.PREVALENCE, profile.prevalence_index),
        (Measure.BIAS, profile.bias_index),
        (Measure.PABAK, profile.pabak),
        (Measure.POSITIVE, profile.positive),
        (Measure.NEGATIVE, profile.negative),
    ]:
        same(one(measure, table), found.value)


@few
@given(pairs)
def test_rates_are_those_of_another_library(both):
    first, second = ([a for a, _ in both], [b for _, b in both])
    table = confusion_table(first, second, "yn")
    known = {"zero_division": np.nan}
    same(one(Measure.SENSITIVITY, table), recall_score(first, second, pos_label="y", **known))
    same(one(Measure.SPECIFICITY, table), recall_score(first, second, pos_label="n", **known))
    same(one(Measure.POSITIVE_VALUE, table), precision_score(first, second, pos_label="y", **known))
    same(one(Measure.NEGATIVE_VALUE, table), precision_score(first, second, pos_label="n", **known))


def test_printed_ac1():
    known = KNOWN["irrcac_cont3x3abstractors"]
    found = one(Measure.AC1, known["inputs"]["table"])
    assert found == pytest.approx(known["expected"]["ac1"], abs=known["abs_tol"])
    # The paradox: one agreement, two kappas, and AC1 turns the other way.
    assert one(Measure.AC1, [[40, 9], [6, 45]]) == pytest.approx(0.70, abs=0.005)
    assert one(Measure.AC1, [[80, 10], [5, 5]]) == pytest.approx(0.81, abs=0.005)


@few
@given(three)
def test_two_raters_are_a_case_of_many(table):
    cells = np.array(table)
    counts = [
        np.eye(3, dtype=int)[i] + np.eye(3, dtype=int)[j]
        for i in range(3)
        for j in range(3)
        for _ in range(cells[i, j])
    ]
    for measure, kind in [
        (Measure.AGREEMENT, Coefficient.AGREEMENT),
        (Measure.AC1, Coefficient.AC1),
        (Measure.PABAK, Coefficient.BRENNAN_PREDIGER),
    ]:
        found = raters_agreement(kind, counts) if counts else None
        same(one(measure, table), found.value if found else math.nan)


@few
@given(two, st.floats(0.1, 50))
def test_scale_and_duplication_change_nothing(table, scale):
    for measure in Measure:
        same(one(measure, np.array(table) * scale), one(measure, table))


@few
@given(three, st.permutations(range(3)))
def test_relabelling_and_exchange_change_nothing_nominal(table, order):
    cells = np.array(table)
    for measure in (Measure.AGREEMENT, Measure.KAPPA, Measure.AC1, Measure.PABAK):
        same(one(measure, cells[np.ix_(order, order)]), one(measure, cells))
        same(one(measure, cells.T), one(measure, cells))


# The other library says so where one label is all there is, and gives NaN as we do.
@pytest.mark.filterwarnings("ignore::UserWarning")
@few
@given(st.lists(st.tuples(labels, labels, st.integers(1, 5)), min_size=1, max_size=30))
def test_a_weight_of_n_is_n_copies(rows):
    first, second, heavy = ([row[i] for row in rows] for i in range(3))
    table = weighted_table(first, second, "yn", heavy)
    ones = np.repeat(first, heavy), np.repeat(second, heavy)
    assert table.tolist() == confusion_table(*(list(map(str, o)) for o in ones), "yn").tolist()
    same(one(Measure.KAPPA, table), cohen_kappa_score(first, second, sample_weight=heavy))


@pytest.mark.parametrize("measure", BY_CHANCE)
def test_one_label_is_never_1(measure):
    found = measure_estimate(measure, [[7.5, 0.0], [0.0, 0.0]], 5, 2)
    assert math.isnan(found.value)
    assert (found.reason, found.counts_in, found.counts_out) == (Undefined.ONE_LABEL, 5, 2)
    assert measure_estimate(measure, np.zeros((2, 2)), 0).reason is Undefined.EMPTY


def test_an_empty_margin_is_a_zero_denominator():
    found = measure_estimate(Measure.SENSITIVITY, [[0, 0], [3, 4]], 7)
    assert found.reason is Undefined.ZERO_DENOMINATOR
    assert measure_estimate(Measure.SPECIFICITY, [[0, 0], [3, 4]], 7).value == 4 / 7


@pytest.mark.parametrize("measure", OF_TWO)
def test_some_need_two_categories(measure):
    with pytest.raises(ValueError, match=f"{measure.value} needs two categories, found 3"):
        table_measure(measure, np.ones((1, 3, 3)))


@pytest.mark.parametrize("tables", [np.ones((2, 2)), np.ones((1, 2, 3)), np.ones((1, 1, 1))])
def test_square_tables_only(tables):
    with pytest.raises(ValueError, match="tables must be square over 2 or more categories"):
        table_measure(Measure.KAPPA, tables)


@pytest.mark.parametrize("cell", [-1.0, math.nan, math.inf])
def test_weights_only(cell):
    with pytest.raises(ValueError, match="tables must hold finite weights of at least 0"):
        table_measure(Measure.KAPPA, [[[cell, 1], [1, 1]]])


@pytest.mark.parametrize(
    ("first", "heavy", "rule"),
    [
        ("yn", [1.0], "weights must be one an item, found 1 for 2 items"),
        ("yn", [1.0, 0.0], "weights must be above 0, found 0.0"),
        ("yx", [1.0, 1.0], r"label must be one of \['y', 'n'\], found 'x'"),
        ("y", [1.0], "raters must label the same items, found 1 and 2"),
    ],
)
def test_refused_tables(first, heavy, rule):
    with pytest.raises(ValueError, match=rule):
        weighted_table(first, "yn", "yn", heavy)

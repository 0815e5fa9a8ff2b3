from __future__ import annotations

import json
import math
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import cohen_kappa_score, confusion_matrix
from statsmodels.stats.inter_rater import cohens_kappa

from audit.numbers.agreement import (
    Disagreement,
    agreement_profile,
    cohen_kappa,
    confusion_table,
    observed_agreement,
    one_against_rest,
    sensitivity,
    specificity,
)
from audit.numbers.estimate import Undefined
from audit.numbers.proportion import ProportionMethod, proportion

CASES = Path(__file__).parent / "cases" / "known_answers_numbers.json"
KNOWN = {case["id"]: case for case in json.loads(CASES.read_text(encoding="utf-8"))["vectors"]}
# Deadlines depend on the machine's load, which says nothing about the code.
few = settings(max_examples=40, deadline=None)

WEIGHTS = {Disagreement.LINEAR: "linear", Disagreement.QUADRATIC: "quadratic"}
tables = st.integers(2, 4).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 12), min_size=k, max_size=k), min_size=k, max_size=k)
)
pairs = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1)


@pytest.mark.parametrize(
    ("case", "disagreement"),
    [
        ("cohen_sas_3x3", Disagreement.NOMINAL),
        ("cohen_weighted_sas", Disagreement.LINEAR),
    ],
)
def test_printed_kappa_with_both_standard_errors(case, disagreement):
    known = KNOWN[case]
    found = cohen_kappa(known["inputs"]["table"], disagreement=disagreement)
    assert {
        "kappa": found.estimate.value,
        "se": found.ase,
        "ci": [found.estimate.interval.low, found.estimate.interval.high],
        "se0": found.ase0,
        "z": found.z,
    } == {name: pytest.approx(value, abs=1e-4) for name, value in known["expected"].items()}


@pytest.mark.parametrize(
    ("case", "domain"),
    [
        ("irr_anxiety_kappa2_r23", [1, 2, 3, 4, 6]),
        ("irr_anxiety_declared_domain", [1, 2, 3, 4, 5, 6]),
    ],
)
def test_an_unused_category_changes_weighted_kappa_only(case, domain):
    known = KNOWN[case]
    table = confusion_table(known["inputs"]["rater2"], known["inputs"]["rater3"], domain)
    for name, disagreement in [
        ("unweighted", Disagreement.NOMINAL),
        ("equal", Disagreement.LINEAR),
        ("squared", Disagreement.QUADRATIC),
    ]:
        found = cohen_kappa(table, disagreement=disagreement).estimate.value
        assert found == pytest.approx(known["expected"][name], abs=known["abs_tol"])


@pytest.mark.parametrize("case", ["irrcac_cont3x3abstractors", "epir_kappa_watson"])
def test_printed_kappa(case):
    known = KNOWN[case]
    found = cohen_kappa(known["inputs"]["table"]).estimate
    assert found.value == pytest.approx(known["expected"]["kappa"], abs=known["abs_tol"])


def test_printed_interval_with_quantiles_of_t():
    known = KNOWN["irrcac_cont3x3abstractors"]
    found = cohen_kappa(known["inputs"]["table"])
    # The source takes t with n - 1 degrees of freedom where we take the normal law.
    half = stats.t.ppf(0.975, found.estimate.counts_in - 1) * found.ase
    value = found.estimate.value
    assert (value - half, value + half) == pytest.approx(
        known["expected"]["kappa_ci"], abs=known["abs_tol"]
    )


def test_printed_pabak():
    known = KNOWN["epir_kappa_watson"]
    found = agreement_profile(known["inputs"]["table"]).pabak
    assert found.value == pytest.approx(known["expected"]["pabak"], abs=known["abs_tol"])


def test_the_kappa_paradox():
    known = KNOWN["feinstein_cicchetti_balanced"]
    balanced, skewed = known["inputs"]["table"], [[80, 10], [5, 5]]
    for table, kappa in [(balanced, known["expected"]["kappa"]), (skewed, 0.32)]:
        assert observed_agreement(table).value == pytest.approx(known["expected"]["po"])
        assert cohen_kappa(table).estimate.value == pytest.approx(kappa, abs=known["abs_tol"])
        assert agreement_profile(table).pabak.value == pytest.approx(0.70)
    assert abs(agreement_profile(balanced).prevalence_index.value) == pytest.approx(0.05)
    assert agreement_profile(skewed).prevalence_index.value == pytest.approx(0.75)
    # Agreement on the rare category gives away what the common one hides.
    assert agreement_profile(skewed).positive.value == pytest.approx(160 / 175)
    assert agreement_profile(skewed).negative.value == pytest.approx(10 / 25)


def test_the_normal_interval_may_pass_1_and_is_not_clipped():
    found = cohen_kappa([[24, 2], [1, 23]]).estimate.interval
    assert (found.low, found.high) == pytest.approx((0.748, 1.012), abs=5e-4)


@few
@given(tables, st.sampled_from(Disagreement))
def test_kappa_agrees_with_statsmodels(table, disagreement):
    found = cohen_kappa(table, disagreement=disagreement)
    assume(found.estimate.defined and found.ase > 1e-3)
    expected = cohens_kappa(np.array(table), wt=WEIGHTS.get(disagreement))
    assert found.estimate.value == pytest.approx(expected.kappa, abs=1e-9)
    assert found.ase == pytest.approx(expected.std_kappa, abs=1e-9)
    assert found.ase0 == pytest.approx(expected.std_kappa0, abs=1e-9)


@few
@given(pairs, st.sampled_from(Disagreement))
def test_kappa_of_labels_agrees_with_sklearn(labels, disagreement):
    first, second = zip(*labels, strict=True)
    found = cohen_kappa(confusion_table(first, second, "abc"), disagreement=disagreement)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = cohen_kappa_score(
            first, second, labels=list("abc"), weights=WEIGHTS.get(disagreement)
        )
    assert found.estimate.value == pytest.approx(expected, abs=1e-12, nan_ok=True)


@few
@given(tables, st.permutations(range(4)))
def test_nominal_kappa_does_not_see_the_order_of_categories(table, order):
    counts = np.array(table)
    order = [i for i in order if i < len(counts)]
    found, moved = cohen_kappa(counts), cohen_kappa(counts[np.ix_(order, order)])
    assert found.estimate.value == pytest.approx(moved.estimate.value, nan_ok=True)
    assert found.ase == pytest.approx(moved.ase, nan_ok=True, abs=1e-9)


@few
@given(tables, st.sampled_from(Disagreement))
def test_kappa_does_not_see_which_rater_came_first_nor_the_direction(table, disagreement):
    counts = np.array(table)
    found = cohen_kappa(counts, disagreement=disagreement)
    for other in (counts.T, counts[::-1, ::-1]):
        moved = cohen_kappa(other, disagreement=disagreement)
        assert found.estimate.value == pytest.approx(moved.estimate.value, nan_ok=True)
        assert found.ase == pytest.approx(moved.ase, nan_ok=True, abs=1e-9)


@few
@given(tables, st.integers(2, 9), st.sampled_from(Disagreement))
def test_more_of_the_same_leaves_kappa_and_narrows_it_by_the_root(table, times, disagreement):
    counts = np.array(table)
    found = cohen_kappa(counts, disagreement=disagreement)
    more = cohen_kappa(counts * times, disagreement=disagreement)
    assert found.estimate.value == pytest.approx(more.estimate.value, nan_ok=True)
    assert found.ase == pytest.approx(more.ase * math.sqrt(times), nan_ok=True, abs=1e-9)


@few
@given(tables)
def test_two_categories_need_no_weights(table):
    counts = np.array(table)[:2, :2]
    values = {cohen_kappa(counts, disagreement=kind).estimate.value for kind in Disagreement}
    assert len(values) == 1 or all(map(math.isnan, values))


def test_the_standard_error_is_that_of_many_samples():
    shares = np.array([[0.5, 0.1], [0.05, 0.35]])
    drawn = np.random.default_rng(5).multinomial(400, shares.ravel(), size=4000).reshape(-1, 2, 2)
    values = [cohen_kappa(table).estimate.value for table in drawn]
    expected = cohen_kappa((shares * 400).round()).ase
    # The SD of 4000 values errs by 1/√8000, 1.1%; five of those.
    assert np.std(values) == pytest.approx(expected, rel=0.056)


@pytest.mark.parametrize("table", [[[5, 0], [0, 5]], [[0, 5], [5, 0]], [[5, 2], [0, 0]]])
def test_without_a_standard_error_there_is_no_interval(table):
    found = cohen_kappa(table)
    assert found.estimate.defined
    assert (found.ase, found.estimate.interval) == (0.0, None)
    assert found.estimate.reason is Undefined.NO_SPREAD


@few
@given(st.lists(st.integers(1, 999), min_size=2, max_size=6), st.sampled_from(Disagreement))
def test_rounding_makes_no_standard_error_of_perfect_agreement(diagonal, disagreement):
    found = cohen_kappa(np.diag(diagonal), disagreement=disagreement)
    assert (found.estimate.value, found.ase, found.estimate.interval) == (1.0, 0.0, None)


@pytest.mark.parametrize("disagreement", Disagreement)
def test_one_label_is_undefined_never_1(disagreement):
    found = cohen_kappa([[9, 0, 0], [0, 0, 0], [0, 0, 0]], disagreement=disagreement, counts_out=2)
    assert found.estimate.reason is Undefined.ONE_LABEL
    assert math.isnan(found.estimate.value)
    assert math.isnan(found.z)
    assert (found.observed, found.chance) == (1.0, 1.0)
    assert (found.estimate.counts_in, found.estimate.counts_out) == (9, 2)


def test_no_items_are_undefined():
    nothing = np.zeros((2, 2), dtype=int)
    assert cohen_kappa(nothing).estimate.reason is Undefined.EMPTY
    assert observed_agreement(nothing).reason is Undefined.EMPTY
    assert agreement_profile(nothing).pabak.reason is Undefined.EMPTY
    assert sensitivity(nothing, positive=0).reason is Undefined.EMPTY


def test_a_category_that_nobody_used_has_no_agreement():
    found = agreement_profile([[9, 0], [0, 0]])
    assert found.negative.reason is Undefined.ZERO_DENOMINATOR
    assert (found.positive.value, found.bias_index.value) == (1.0, 0.0)


@few
@given(pairs)
def test_a_table_agrees_with_sklearn(labels):
    first, second = zip(*labels, strict=True)
    expected = confusion_matrix(first, second, labels=list("cab"))
    assert (confusion_table(first, second, "cab") == expected).all()


def test_a_label_outside_the_domain_is_named():
    with pytest.raises(ValueError, match=r"label must be one of \['a', 'b'\], found 'c'"):
        confusion_table(["a", "c"], ["a", "a"], ["a", "b"])


def test_raters_label_the_same_items():
    with pytest.raises(ValueError, match="raters must label the same items, found 2 and 1"):
        confusion_table(["a", "b"], ["a"], ["a", "b"])


@pytest.mark.parametrize("domain", [["a"], ["a", "b", "a"]])
def test_a_domain_is_a_set_of_two_or_more(domain):
    with pytest.raises(ValueError, match="domain must hold 2 or more distinct categories, found"):
        confusion_table(["a"], ["a"], domain)


@few
@given(tables)
def test_one_category_against_the_rest_keeps_the_items(table):
    counts = np.array(table)
    for category in range(len(counts)):
        merged = one_against_rest(counts, category)
        assert merged.sum() == counts.sum()
        assert merged[0, 0] == counts[category, category]
        assert merged[0].sum() == counts[category].sum()


def test_a_category_lies_in_the_table():
    with pytest.raises(ValueError, match=r"category must lie in \[0, 2\), found 2"):
        one_against_rest([[1, 2], [3, 4]], 2)


def test_sensitivity_and_specificity_read_the_reference_by_rows():
    table = [[24, 2], [5, 19]]
    exact = ProportionMethod.CLOPPER_PEARSON
    assert sensitivity(table, positive=0) == proportion(24, 26, method=exact)
    assert specificity(table, positive=0, counts_out=3) == proportion(
        19, 24, method=exact, counts_out=3
    )


@few
@given(tables)
def test_the_two_rates_trade_places_with_the_category(table):
    counts = np.array(table)[:2, :2]
    assert str(sensitivity(counts, positive=0)) == str(specificity(counts, positive=1))

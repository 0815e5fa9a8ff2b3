from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

from audit.numbers.estimate import Alternative, Undefined
from audit.numbers.independence import TwoSided, chi_square, fisher, pooled_z
from audit.numbers.odds import OddsInterval, odds_ratio
from audit.numbers.proportion import (
    DifferenceMethod,
    ProportionMethod,
    difference,
    proportion,
    proportion_limits,
)

CASES = Path(__file__).parent / "cases" / "known_answers_numbers.json"
KNOWN = {case["id"]: case for case in json.loads(CASES.read_text(encoding="utf-8"))["vectors"]}
# Deadlines depend on the machine's load, which says nothing about the code.
few = settings(max_examples=40, deadline=None)

METHODS = {
    "wald": ProportionMethod.WALD,
    "wilson": ProportionMethod.WILSON,
    "clopper_pearson": ProportionMethod.CLOPPER_PEARSON,
    "exact": ProportionMethod.CLOPPER_PEARSON,
}
DIFFERENCES = {
    "ci": DifferenceMethod.NEWCOMBE,
    "newcombe": DifferenceMethod.NEWCOMBE,
    "agresti_caffo": DifferenceMethod.AGRESTI_CAFFO,
    "wald": DifferenceMethod.WALD,
}
shares = st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
tables = st.lists(st.lists(st.integers(0, 25), min_size=2, max_size=2), min_size=2, max_size=2)
filled = tables.filter(lambda t: all(map(sum, t)) and all(map(sum, zip(*t, strict=True))))


@pytest.mark.parametrize(
    ("case", "method"),
    [
        (case, name)
        for case in KNOWN
        if case.startswith(("newcombe1998a", "binom_confint"))
        for name in KNOWN[case]["expected"]
    ],
)
def test_printed_intervals_of_one_proportion(case, method):
    known = KNOWN[case]
    x, n = known["inputs"]["x"], known["inputs"]["n"]
    found = proportion(x, n, method=METHODS[method])
    assert found.value == x / n
    assert found.interval.method == METHODS[method]
    assert (found.interval.low, found.interval.high) == pytest.approx(
        known["expected"][method], abs=known["abs_tol"]
    )


@pytest.mark.parametrize(
    ("case", "method"),
    [
        (case, name)
        for case in KNOWN
        if case.startswith("newcombe1998b")
        or case in {"fagerland2015_diff", "fagerland2017_differences"}
        for name in KNOWN[case]["expected"]
    ],
)
def test_printed_intervals_of_a_difference(case, method):
    known = KNOWN[case]
    counts = (known["inputs"][name] for name in ("x1", "n1", "x2", "n2"))
    found = difference(*counts, method=DIFFERENCES[method]).interval
    assert (found.low, found.high) == pytest.approx(known["expected"][method], abs=known["abs_tol"])


@pytest.mark.parametrize("plain", [True, False])
def test_printed_chi_square(plain):
    known = KNOWN["fagerland2017_pearson_tea"]
    found = chi_square(known["inputs"]["table"], yates=not plain)
    expected = known["expected"]["plain" if plain else "yates"]
    assert found.statistic == pytest.approx(expected["statistic"], abs=1e-12)
    assert found.p == pytest.approx(expected["p"], abs=known["abs_tol"])


@pytest.mark.parametrize("case", [c for c in KNOWN if "fisher" in c and c != "fisher_two_rules"])
def test_printed_fisher(case):
    known = KNOWN[case]
    side = known["inputs"].get("alternative", "two-sided")
    found = fisher(known["inputs"]["table"], alternative=Alternative(side))
    # R prints its p-values in full; only its odds ratios are rough.
    assert found.p == pytest.approx(known["expected"]["p"], abs=min(known["abs_tol"], 5e-5))


def test_the_two_rules_of_fisher_can_fall_on_two_sides_of_five_percent():
    known = KNOWN["fisher_two_rules"]
    table, expected, slack = known["inputs"]["table"], known["expected"], known["abs_tol"]
    found = {rule: fisher(table, two_sided=rule).p for rule in TwoSided}
    assert found[TwoSided.MINLIKE] == pytest.approx(expected["minlike"], abs=slack)
    assert found[TwoSided.CENTRAL] == pytest.approx(expected["central"], abs=slack)
    span = odds_ratio(table, interval=OddsInterval.CONDITIONAL_EXACT).interval
    assert (span.low, span.high) == pytest.approx(expected["ci"], abs=slack)


@few
@given(filled)
def test_the_central_rule_agrees_with_the_exact_interval(table):
    p = fisher(table, two_sided=TwoSided.CENTRAL).p
    span = odds_ratio(table, interval=OddsInterval.CONDITIONAL_EXACT).interval
    # Away from equality, which the inversion meets to rounding only.
    if abs(p - 0.05) > 1e-6:
        assert (p > 0.05) == (1.0 in span)


@few
@given(shares, st.floats(0.5, 0.999))
def test_intervals_agree_with_scipy_and_statsmodels(share, level):
    x, n = share
    for method, theirs in [
        (ProportionMethod.WILSON, "wilson"),
        (ProportionMethod.JEFFREYS, "jeffreys"),
        (ProportionMethod.CLOPPER_PEARSON, "beta"),
    ]:
        found = proportion_limits(x, n, level=level, method=method)
        expected = proportion_confint(x, n, alpha=1 - level, method=theirs)
        # statsmodels leaves Jeffreys' limits inside at 0 and n; Brown et al. put them at the edge.
        if not (method is ProportionMethod.JEFFREYS and x in (0, n)):
            assert found == pytest.approx(expected, abs=1e-9)
    exact = stats.binomtest(x, n).proportion_ci(level, "exact")
    found = proportion_limits(x, n, level=level, method=ProportionMethod.CLOPPER_PEARSON)
    assert found == pytest.approx((exact.low, exact.high), abs=1e-9)


@few
@given(shares)
def test_agresti_coull_and_wald_agree_with_statsmodels_where_it_does_not_clip(share):
    x, n = share
    for method, theirs in [
        (ProportionMethod.AGRESTI_COULL, "agresti_coull"),
        (ProportionMethod.WALD, "normal"),
    ]:
        low, high = proportion_limits(x, n, method=method)
        expected = proportion_confint(x, n, method=theirs)
        assert (max(low, 0.0), min(high, 1.0)) == pytest.approx(expected, abs=1e-12)


@few
@given(shares, st.sampled_from(ProportionMethod))
def test_swapping_success_and_failure_mirrors_the_interval(share, method):
    x, n = share
    low, high = proportion_limits(x, n, method=method)
    other_low, other_high = proportion_limits(n - x, n, method=method)
    assert (low, high) == pytest.approx((1 - other_high, 1 - other_low), abs=1e-12)


@few
@given(shares, st.sampled_from(ProportionMethod))
def test_an_interval_holds_its_estimate(share, method):
    found = proportion(*share, method=method)
    assert found.interval.low - 1e-12 <= found.value <= found.interval.high + 1e-12


@pytest.mark.parametrize("n", [1, 5, 20])
@pytest.mark.parametrize("p", [0.05, 0.3, 0.5, 0.93])
def test_clopper_pearson_never_covers_less_than_its_level(n, p):
    spans = [proportion_limits(x, n, method=ProportionMethod.CLOPPER_PEARSON) for x in range(n + 1)]
    mass = stats.binom.pmf(range(n + 1), n, p)
    assert sum(m for m, (low, high) in zip(mass, spans, strict=True) if low <= p <= high) >= 0.95


def test_the_rule_of_three_at_none_of_fifty():
    assert proportion_limits(0, 50, method=ProportionMethod.CLOPPER_PEARSON) == pytest.approx(
        (0.0, 0.0711), abs=5e-5
    )


def test_a_share_of_nothing_is_undefined():
    found = proportion(0, 0, counts_out=4)
    assert (found.reason, found.interval, found.counts_out) == (Undefined.EMPTY, None, 4)
    with pytest.raises(ValueError, match="limits need at least one trial, found total 0"):
        proportion_limits(0, 0)


@few
@given(shares, shares, st.sampled_from(DifferenceMethod))
def test_swapping_the_samples_mirrors_the_difference(one, other, method):
    found, back = difference(*one, *other, method=method), difference(*other, *one, method=method)
    assert found.value == -back.value
    assert (found.interval.low, found.interval.high) == pytest.approx(
        (-back.interval.high, -back.interval.low), abs=1e-12
    )


@few
@given(shares, shares)
def test_newcombe_agrees_with_statsmodels_and_stays_in_range(one, other):
    found = difference(*one, *other).interval
    expected = confint_proportions_2indep(*one, *other, method="newcomb", compare="diff")
    assert (found.low, found.high) == pytest.approx(expected, abs=1e-9)
    assert -1.0 <= found.low <= found.high <= 1.0


def test_a_difference_needs_two_samples():
    found = difference(0, 0, 1, 2, counts_out=3)
    assert (found.reason, found.counts_in, found.counts_out) == (Undefined.EMPTY, 2, 3)


@few
@given(filled)
def test_chi_square_agrees_with_scipy_and_with_z(table):
    for yates in (True, False):
        found = chi_square(table, yates=yates)
        expected = stats.chi2_contingency(table, correction=yates)
        assert found.statistic == pytest.approx(expected.statistic, abs=1e-9)
        assert found.p == pytest.approx(expected.pvalue, abs=1e-9)
    (a, b), (c, d) = table
    z = pooled_z(a, a + b, c, c + d)
    assert z.statistic**2 == pytest.approx(chi_square(table, yates=False).statistic, abs=1e-9)
    assert z.p == pytest.approx(chi_square(table, yates=False).p, abs=1e-9)


@few
@given(filled)
def test_the_correction_only_ever_raises_p(table):
    assert chi_square(table, yates=True).p >= chi_square(table, yates=False).p


@few
@given(shares, shares)
def test_the_sides_of_z_add_up(one, other):
    less, greater, both = (
        pooled_z(*one, *other, alternative=side)
        for side in (Alternative.LESS, Alternative.GREATER, Alternative.TWO_SIDED)
    )
    if both.reason is None:
        assert less.p + greater.p == pytest.approx(1.0)
        assert both.p == pytest.approx(2 * min(less.p, greater.p))


@pytest.mark.parametrize(
    ("counts", "reason"),
    [
        ((0, 0, 1, 2), Undefined.EMPTY),
        ((0, 3, 0, 2), Undefined.ZERO_DENOMINATOR),
        ((3, 3, 2, 2), Undefined.ZERO_DENOMINATOR),
    ],
)
def test_z_without_variance_is_undefined(counts, reason):
    found = pooled_z(*counts)
    assert found.reason is reason
    assert math.isnan(found.p)


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ([[0, 0], [0, 0]], Undefined.EMPTY),
        ([[0, 0], [1, 2]], Undefined.ZERO_DENOMINATOR),
        ([[0, 1], [0, 2]], Undefined.ZERO_DENOMINATOR),
    ],
)
def test_chi_square_without_a_margin_is_undefined(table, reason):
    assert chi_square(table, yates=False).reason is reason


@few
@given(filled)
def test_fisher_agrees_with_scipy(table):
    for side in Alternative:
        expected = stats.fisher_exact(table, alternative=side.value).pvalue
        assert fisher(table, alternative=side).p == pytest.approx(expected, abs=1e-9)


@few
@given(filled)
def test_swapping_rows_turns_the_side_of_fisher(table):
    turned = fisher(table[::-1], alternative=Alternative.LESS)
    assert fisher(table, alternative=Alternative.GREATER).p == pytest.approx(turned.p)


def test_fisher_at_the_edges():
    assert fisher([[0, 0], [0, 0]]).reason is Undefined.EMPTY
    assert fisher([[0, 0], [3, 4]]).p == pytest.approx(1.0)
    assert "minimum likelihood" in fisher([[3, 1], [1, 3]]).method
    assert fisher([[3, 1], [1, 3]], alternative=Alternative.LESS).method == "fisher"


@pytest.mark.parametrize("side", list(Alternative))
def test_fisher_of_a_large_table_agrees_with_scipy(side):
    table = [[9_000, 9_600], [9_300, 9_300]]
    known = stats.fisher_exact(table, alternative=side.value).pvalue
    assert fisher(table, alternative=side).p == pytest.approx(known, rel=1e-9)

"""p-values behind printed statistics: published vectors, scipy, every message."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from audit.printed.methods import bind
from audit.printed.pvalues import Statistic, check_test, p_span, p_value
from audit.printed.rounding import read_number
from games.errors import StudyError

CASES = Path(__file__).parent / "cases" / "known_answers_print.json"
KNOWN = {case["id"]: case for case in json.loads(CASES.read_text("utf-8"))["vectors"]}


@pytest.mark.parametrize("case", [name for name in KNOWN if name.startswith("statcheck")])
def test_published_checks(case):
    known = KNOWN[case]
    found = check_test(known["inputs"]["text"])
    assert found.consistent is not known["expected"]["error"]
    if "p" in known["expected"]:
        assert found.two_sided.at == pytest.approx(known["expected"]["p"], abs=known["abs_tol"])
    if "decision_error" in known["expected"]:
        assert found.changes_decision is known["expected"]["decision_error"]


@pytest.mark.parametrize(
    ("statistic", "value", "df", "oracle"),
    [
        (Statistic.Z, -1.7, (), 2 * stats.norm.sf(1.7)),
        (Statistic.T, 2.2, (28.0,), 2 * stats.t.sf(2.2, 28)),
        (Statistic.T, 2.2, (17.3,), 2 * stats.t.sf(2.2, 17.3)),
        (Statistic.F, 4.1, (2.0, 30.0), stats.f.sf(4.1, 2, 30)),
        (Statistic.CHI_SQUARE, 3.4, (1.0,), stats.chi2.sf(3.4, 1)),
        (Statistic.R, 1.0, (4.0,), 0.0),
    ],
)
def test_laws(statistic, value, df, oracle):
    assert p_value(statistic, value, df) == pytest.approx(oracle)


def test_a_correlation_is_a_t():
    x, y = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [2.0, 1.0, 4.0, 3.0, 7.0, 5.0]
    r, p = stats.pearsonr(x, y)
    assert p_value(Statistic.R, r, (4.0,)) == pytest.approx(p)


@given(st.integers(0, 600), st.integers(1, 60))
def test_the_span_holds_every_statistic_that_prints_so(cents, df):
    value = read_number(f"{cents / 100:.2f}")
    span = p_span(Statistic.T, value, (float(df),))
    assert span.low <= span.at <= span.high
    for off in (-0.0049, 0.0, 0.0049):
        p = 2 * stats.t.sf(abs(cents / 100 + off), df)
        assert span.low - 1e-12 <= p <= span.high + 1e-12


@pytest.mark.parametrize(
    ("text", "consistent"),
    [
        ("t(28)=2.20,p=.036", True),
        ("t(28) = -2.20, p = .036", True),
        ("F(2, 30) = 4.1, p < .05", True),
        ("F(2, 30) = 4.1, p < .01", False),
        ("χ²(1, N = 90) = 3.4, p = .07", True),
        ("X2(1) = 3.4, p = .05", False),
        ("r(20) = .40, p > .05", True),
        ("r(20) = .40, p ≤ .05", False),
        ("z = 4.12, p < .0001", True),
        ("z = 1.0, p ≥ .3", True),
        ("t(28) = 2, p = .01", False),
        ("t(28) = 2, p = .15", False),
    ],
)
def test_tests_as_papers_print_them(text, consistent):
    assert check_test(text).consistent is consistent


def test_a_one_sided_p_is_told_apart():
    found = check_test("t(28) = 2.20, p = .018")
    assert (found.consistent, found.consistent_one_sided) == (False, True)
    square = check_test("chi2(1) = 4.84, p = .014")
    assert not square.consistent_one_sided


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("t(28) = 1.20, p = .03", True),
        ("t(28) = 3.20, p > .05", True),
        ("t(28) = 3.20, p > .02", False),  # which side of .05 is not said
        ("t(28) = 1.20, p < .10", False),
        ("t(28) = 2, p = .01", False),  # so rounded a t may be on either side
        ("t(28) = 3.20, p = .04", False),
    ],
)
def test_decisions(text, changes):
    assert check_test(text).changes_decision is changes


def test_another_level():
    assert check_test("t(28) = 2.20, p = .001", level=Fraction(1, 100)).changes_decision


@pytest.mark.parametrize(
    ("call", "rule"),
    [
        (lambda: check_test("t(28) = 2.20"), "must be a test such as"),
        (lambda: check_test("q(28) = 2.20, p = .03"), "must be a test such as"),
        (lambda: check_test("t = 2.20, p = .03"), "must have 1 degrees of freedom above 0 for t"),
        (lambda: check_test("F(3) = 2.2, p = .03"), "must have 2 degrees of freedom"),
        (lambda: p_value(Statistic.T, 1.0, (0.0,)), "degrees of freedom above 0"),
        (lambda: p_value(Statistic.R, 1.2, (5.0,)), r"correlation in \[-1, 1\], found 1.2"),
        (lambda: p_value(Statistic.F, -1.0, (2.0, 5.0)), "must be at least 0 for F, found -1"),
    ],
)
def test_refused(call, rule):
    with pytest.raises(ValueError, match=rule):
        call()


@pytest.mark.parametrize(
    ("recompute", "p"),
    [
        ({"method": "p_of_t", "t": "2.20", "df": 28}, 2 * stats.t.sf(2.2, 28)),
        ({"method": "p_of_r", "r": "0.40", "df": 20}, p_value(Statistic.R, 0.4, (20.0,))),
        ({"method": "p_of_f", "f": "4.10", "df1": 2, "df2": 30}, stats.f.sf(4.1, 2, 30)),
        ({"method": "p_of_z", "z": "4.12"}, 2 * stats.norm.sf(4.12)),
        ({"method": "p_of_chi_square", "statistic": "0.156", "df": 1}, stats.chi2.sf(0.156, 1)),
    ],
)
def test_methods_give_the_middle_of_the_possible_p(recompute, p):
    found = bind(recompute, {}).variants()[0]
    assert found.value == pytest.approx(p, rel=0.01)
    assert found.value - found.slack <= p <= found.value + found.slack
    assert "as the statistic was rounded" in found.name


def test_a_coarse_statistic_reaches_far():
    two, one = bind({"method": "p_of_t", "t": "2", "df": 28}, {}).variants()
    span = p_span(Statistic.T, read_number("2"), (28.0,))
    assert (two.value - two.slack, two.value + two.slack) == pytest.approx((span.low, span.high))
    assert (one.value, one.slack) == pytest.approx((two.value / 2, two.slack / 2))


def test_rounded_degrees_of_freedom_reach_further():
    exact = bind({"method": "p_of_t", "t": "2.20", "df": 17.3}, {}).variants()[0]
    rounded = bind({"method": "p_of_t", "t": "2.20", "df": "17.3"}, {}).variants()[0]
    assert rounded.value == exact.value
    assert rounded.slack > exact.slack


def test_a_method_wants_one_statistic():
    with pytest.raises(StudyError, match="must be one printed number, found 2"):
        bind({"method": "p_of_z", "z": ["1.0", "2.0"]}, {}).variants()

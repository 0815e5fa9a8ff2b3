from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import nchypergeom_fisher
from scipy.stats.contingency import odds_ratio as scipy_odds_ratio
from statsmodels.stats.contingency_tables import Table2x2

from audit.numbers.conditional import conditional_limits, conditional_mle, mid_p_limits
from audit.numbers.estimate import Undefined
from audit.numbers.odds import OddsInterval, OddsKind, odds_ratio, risk_difference, risk_ratio
from audit.numbers.proportion import difference

CASES = Path(__file__).parent / "cases" / "known_answers_numbers.json"
KNOWN = {case["id"]: case for case in json.loads(CASES.read_text(encoding="utf-8"))["vectors"]}
# Deadlines depend on the machine's load, which says nothing about the code.
few = settings(max_examples=40, deadline=None)

positive = st.lists(st.lists(st.integers(1, 25), min_size=2, max_size=2), min_size=2, max_size=2)


@pytest.mark.parametrize(
    "case", ["r_fisher_100_2_1000_5", "r_fisher_2_7_8_2", "r_fisher_5_15_20_20", "r_fisher_5_0_1_4"]
)
def test_printed_conditional_estimates(case):
    known = KNOWN[case]
    found = odds_ratio(known["inputs"]["table"], kind=OddsKind.CONDITIONAL)
    assert found.value == pytest.approx(float(known["expected"]["or"]), abs=known["abs_tol"])
    limits = [float(limit) for limit in known["expected"]["ci"]]
    assert (found.interval.low, found.interval.high) == pytest.approx(limits, abs=known["abs_tol"])


@pytest.mark.parametrize(("case", "side"), [("r_fisher_tea", 0), ("r_fisher_convictions", 1)])
def test_printed_one_sided_limits_are_those_of_the_wider_tails(case, side):
    known = KNOWN[case]
    table = known["inputs"]["table"]
    slack = known["abs_tol"]
    assert conditional_mle(table) == pytest.approx(known["expected"]["or"], abs=slack)
    # A one-sided 95% limit is one end of the two-sided 90% interval.
    found = conditional_limits(table, level=0.90)[side]
    assert found == pytest.approx(known["expected"]["ci"][side], abs=slack)


def test_printed_sample_estimate_and_woolf_limits():
    known = KNOWN["epitools_wald_or"]
    found = odds_ratio(known["inputs"]["table"], interval=OddsInterval.WOOLF)
    assert found.value == pytest.approx(known["expected"]["or"], abs=known["abs_tol"])
    assert (found.interval.low, found.interval.high) == pytest.approx(
        known["expected"]["ci"], abs=known["abs_tol"]
    )


def test_printed_woolf_limits_of_fagerland():
    known = KNOWN["fagerland2015_or_asymptotic"]
    x1, n1, x2, n2 = (known["inputs"][name] for name in ("x1", "n1", "x2", "n2"))
    found = odds_ratio([[x1, n1 - x1], [x2, n2 - x2]], interval=OddsInterval.WOOLF).interval
    assert (found.low, found.high) == pytest.approx(known["expected"]["woolf"], abs=0.6)
    # The low limit is printed to two decimals.
    assert found.low == pytest.approx(0.99, abs=0.005)


def test_printed_mid_p_limits():
    known = KNOWN["fagerland2017_mid_p_tea"]
    found = odds_ratio(known["inputs"]["table"], interval=OddsInterval.MID_P)
    assert found.value == known["expected"]["or"]
    assert (found.interval.low, found.interval.high) == pytest.approx(
        known["expected"]["mid_p"], abs=known["abs_tol"]
    )


def test_printed_katz_limits():
    known = KNOWN["fagerland2017_katz"]
    found = risk_ratio(known["inputs"]["table"])
    assert found.value == pytest.approx(known["expected"]["rr"])
    assert (found.interval.low, found.interval.high) == pytest.approx(
        known["expected"]["katz"], abs=known["abs_tol"]
    )


def test_haldane_adds_to_all_four_cells():
    known = KNOWN["haldane_anscombe"]
    table = known["inputs"]["table"]
    found = odds_ratio(table, kind=OddsKind.HALDANE, interval=OddsInterval.WOOLF)
    assert found.value == pytest.approx(known["expected"]["or_ha"], abs=known["abs_tol"])
    assert found.reason is Undefined.SEPARATED
    assert found.value in found.interval
    # What it must not be: ½ added to the empty cell alone, as statsmodels does.
    theirs = Table2x2(np.array(table), shift_zeros=True).oddsratio
    assert theirs == pytest.approx(known["expected"]["or_statsmodels_shift_zeros"], abs=1e-7)
    assert abs(found.value - theirs) > 1e-5


@few
@given(positive)
def test_haldane_adds_where_no_cell_is_empty_too(table):
    (a, b), (c, d) = table
    found = odds_ratio(table, kind=OddsKind.HALDANE)
    assert found.value == pytest.approx((a + 0.5) * (d + 0.5) / ((b + 0.5) * (c + 0.5)))
    assert found.reason is None


@few
@given(positive, st.floats(0.5, 0.99))
def test_mid_p_limits_solve_their_equation(table, level):
    (a, b), (c, d) = table
    low, high = mid_p_limits(table, level=level)
    law = (a + b + c + d, a + c, a + b)
    tail = (1.0 - level) / 2.0
    # An independent law: scipy's non-central hypergeometric. No cell is 0, but a margin may fix a.
    if low > 0.0:
        above = nchypergeom_fisher.sf(a, *law, low) + nchypergeom_fisher.pmf(a, *law, low) / 2
        assert above == pytest.approx(tail, abs=1e-6)
    if high < math.inf:
        below = nchypergeom_fisher.cdf(a - 1, *law, high)
        assert below + nchypergeom_fisher.pmf(a, *law, high) / 2 == pytest.approx(tail, abs=1e-6)


@few
@given(positive)
def test_mid_p_lies_within_the_exact_interval(table):
    low, high = mid_p_limits(table)
    exact_low, exact_high = conditional_limits(table)
    assert exact_low * (1 - 1e-6) <= low < high <= exact_high * (1 + 1e-6)


@few
@given(positive, st.sampled_from(OddsInterval))
def test_swapping_rows_inverts_the_odds_ratio(table, interval):
    found, turned = (odds_ratio(t, interval=interval) for t in (table, table[::-1]))
    assert found.value == pytest.approx(1 / turned.value)
    assert found.interval.low == pytest.approx(1 / turned.interval.high, rel=1e-4)
    assert found.interval.high == pytest.approx(1 / turned.interval.low, rel=1e-4)


@few
@given(positive, st.sampled_from(OddsKind), st.sampled_from(OddsInterval))
def test_transposing_leaves_the_odds_ratio(table, kind, interval):
    turned = [list(column) for column in zip(*table, strict=True)]
    found, other = (odds_ratio(t, kind=kind, interval=interval) for t in (table, turned))
    assert found.value == pytest.approx(other.value, rel=1e-6)
    assert found.interval.low == pytest.approx(other.interval.low, rel=1e-6)


@pytest.mark.parametrize("interval", OddsInterval)
@pytest.mark.parametrize(
    ("table", "value"), [([[5, 0], [1, 4]], math.inf), ([[0, 5], [4, 1]], 0.0)]
)
def test_an_empty_cell_leaves_a_one_sided_interval(table, value, interval):
    found = odds_ratio(table, interval=interval)
    assert (found.value, found.reason) == (value, Undefined.SEPARATED)
    if interval is OddsInterval.WOOLF:
        assert found.interval is None
    else:
        assert value in found.interval
        assert 0.0 < (found.interval.low if value else found.interval.high) < math.inf


@pytest.mark.parametrize("table", [[[0, 0], [3, 4]], [[3, 0], [4, 0]], [[0, 3], [0, 4]]])
@pytest.mark.parametrize("kind", [OddsKind.SAMPLE, OddsKind.CONDITIONAL])
def test_an_empty_margin_excludes_nothing(table, kind):
    for interval in (OddsInterval.CONDITIONAL_EXACT, OddsInterval.MID_P):
        found = odds_ratio(table, kind=kind, interval=interval)
        assert found.reason is Undefined.ZERO_DENOMINATOR
        assert math.isnan(found.value)
        assert (found.interval.low, found.interval.high) == (0.0, math.inf)


def test_an_empty_table_has_no_odds_ratio():
    found = odds_ratio([[0, 0], [0, 0]], kind=OddsKind.HALDANE, counts_out=2)
    assert (found.reason, found.interval, found.counts_out) == (Undefined.EMPTY, None, 2)


def test_large_tables_do_not_overflow():
    low, high = mid_p_limits([[20_000, 3], [5, 30_000]])
    assert 1.0 < low < 20_000 * 30_000 / 15 < high < math.inf


@pytest.mark.parametrize(
    ("table", "value", "reason"),
    [
        ([[0, 0], [1, 2]], math.nan, Undefined.EMPTY),
        ([[0, 3], [0, 2]], math.nan, Undefined.ZERO_DENOMINATOR),
        ([[0, 3], [1, 2]], 0.0, Undefined.SEPARATED),
        ([[1, 3], [0, 2]], math.inf, Undefined.SEPARATED),
        ([[3, 0], [2, 0]], 1.0, Undefined.NO_SPREAD),
    ],
)
def test_a_risk_ratio_at_the_edge_has_a_reason_and_no_interval(table, value, reason):
    found = risk_ratio(table)
    assert found.value == pytest.approx(value, nan_ok=True)
    assert (found.reason, found.interval) == (reason, None)


@few
@given(positive)
def test_risk_ratio_agrees_with_statsmodels(table):
    found, expected = risk_ratio(table), Table2x2(np.array(table))
    assert found.value == pytest.approx(expected.riskratio)
    assert (found.interval.low, found.interval.high) == pytest.approx(
        expected.riskratio_confint(0.05)
    )


def test_a_risk_difference_is_the_difference_of_the_rows():
    assert risk_difference([[7, 27], [1, 33]], counts_out=1) == difference(
        7, 34, 1, 34, counts_out=1
    )


@pytest.mark.parametrize("level", [0.8, 0.95])
@given(table=st.lists(st.integers(0, 40), min_size=4, max_size=4))
def test_conditional_estimates_agree_with_scipy(level, table):
    cells = [table[:2], table[2:]]
    if sum(table) == 0:
        return
    known = scipy_odds_ratio(cells, kind="conditional")
    span = known.confidence_interval(level)
    assert conditional_mle(cells) == pytest.approx(known.statistic, rel=1e-6, nan_ok=True)
    assert conditional_limits(cells, level=level) == pytest.approx((span.low, span.high), rel=1e-6)

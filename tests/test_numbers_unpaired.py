"""Independent means, paired variances and Boschloo's test: against scipy and printed values."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from audit.numbers.estimate import Alternative, Undefined
from audit.numbers.independence import fisher
from audit.numbers.spread import Spread, spread
from audit.numbers.unconditional import boschloo
from audit.numbers.unpaired import all_splits, unpaired_t, unpaired_t_from_summary
from audit.numbers.variances import pitman_morgan

CASES = Path(__file__).parent / "cases" / "known_answers_print.json"
KNOWN = {case["id"]: case for case in json.loads(CASES.read_text("utf-8"))["vectors"]}
few = settings(max_examples=40, deadline=None)
sides = pytest.mark.parametrize("side", list(Alternative))
samples = st.lists(st.integers(-20, 20), min_size=2, max_size=8)


@pytest.mark.filterwarnings("ignore:Precision loss")
@sides
@few
@given(one=samples, other=samples)
def test_t_is_scipy_s(side, one, other):
    assume(len(set(one)) > 1 or len(set(other)) > 1)
    for welch in (False, True):
        oracle = stats.ttest_ind(one, other, equal_var=not welch, alternative=side.value)
        found = unpaired_t(one, other, welch=welch, alternative=side)
        assert (found.statistic, found.p) == pytest.approx((oracle.statistic, oracle.pvalue))


def test_t_of_printed_moments():
    one, other = Spread(5.1, 1.2, 30, 1), Spread(4.4, 2.0, 25, 1)
    for welch in (False, True):
        oracle = stats.ttest_ind_from_stats(5.1, 1.2, 30, 4.4, 2.0, 25, equal_var=not welch)
        assert unpaired_t_from_summary(one, other, welch=welch).p == pytest.approx(oracle.pvalue)


@sides
@few
@given(
    one=st.lists(st.integers(-9, 9), min_size=2, max_size=5),
    other=st.lists(st.integers(-9, 9), min_size=2, max_size=5),
)
def test_splits_are_scipy_s_permutations(side, one, other):
    oracle = stats.permutation_test(
        (one, other),
        lambda x, y, axis: np.mean(x, axis=axis) - np.mean(y, axis=axis),
        vectorized=True,
        n_resamples=np.inf,
        alternative="two-sided" if side is Alternative.TWO_SIDED else side.value,
    )
    found = all_splits(one, other, alternative=side)
    if side is Alternative.TWO_SIDED:
        # scipy doubles the smaller tail; ours counts both tails, and equals it if they mirror.
        values = oracle.null_distribution
        share = np.mean(np.abs(values) >= abs(oracle.statistic) - 1e-9)
        assert found.p == pytest.approx(share)
    else:
        assert found.p == pytest.approx(oracle.pvalue)
    assert found.statistic == pytest.approx(oracle.statistic)


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        (unpaired_t([1.0], [1.0, 2.0], welch=True), Undefined.TOO_FEW),
        (unpaired_t([1.0, 1.0], [2.0, 2.0], welch=False), Undefined.NO_SPREAD),
        (all_splits([], [1.0]), Undefined.EMPTY),
        (all_splits(range(12), range(12)), Undefined.NOT_ENUMERATED),
        (pitman_morgan([1.0, 2.0], [1.0, 3.0]), Undefined.TOO_FEW),
        (pitman_morgan([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]), Undefined.NO_SPREAD),
        (boschloo(0, 0, 1, 2), Undefined.EMPTY),
        (boschloo(0, 3, 0, 2), Undefined.ZERO_DENOMINATOR),
    ],
)
def test_undefined(found, reason):
    assert math.isnan(found.p)
    assert found.reason is reason


def test_moments_need_the_sample_s_divisor():
    with pytest.raises(ValueError, match="deviations need ddof 1, found 0 and 1"):
        unpaired_t_from_summary(spread([1.0, 2.0], ddof=0), spread([1.0, 2.0], ddof=1), welch=False)


@few
@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=3, max_size=9))
def test_pitman_morgan_is_a_correlation(pairs):
    one, other = (np.array(side, dtype=float) for side in zip(*pairs, strict=True))
    assume(np.ptp(one + other) > 0 and np.ptp(one - other) > 0)
    found = pitman_morgan(one, other)
    oracle = stats.pearsonr(one + other, one - other)
    assert found.p == pytest.approx(oracle.pvalue, abs=1e-7)
    assert pitman_morgan(other, one).statistic == pytest.approx(-found.statistic)
    halves = [pitman_morgan(one, other, alternative=s).p for s in ("greater", "less")]
    assert sum(halves) == pytest.approx(1.0)


def test_pitman_morgan_where_one_side_does_not_vary():
    found = pitman_morgan([1.0, 2.0, 4.0], [3.0, 3.0, 3.0])
    assert (found.statistic, found.p) == (math.inf, 0.0)


def test_printed_boschloo():
    known = KNOWN["statxact_boschloo"]
    counts = [known["inputs"][name] for name in ("x1", "n1", "x2", "n2")]
    found = boschloo(*counts, alternative=Alternative.LESS)
    assert found.p == pytest.approx(known["expected"]["p_one_sided"], abs=known["abs_tol"])
    doubled = boschloo(*counts)
    assert doubled.p == pytest.approx(2 * found.p)
    (a, b), (c, d) = KNOWN["scipy_boschloo_doc"]["inputs"]["table_columns_are_groups"]
    columns = boschloo(a, a + c, b, b + d, alternative=Alternative.GREATER)
    expected = KNOWN["scipy_boschloo_doc"]["expected"]
    assert (columns.statistic, columns.p) == pytest.approx(
        (expected["statistic"], expected["p"]), abs=KNOWN["scipy_boschloo_doc"]["abs_tol"]
    )


@few
@given(st.integers(1, 12), st.integers(1, 12), st.data())
def test_boschloo_is_never_above_fisher(n1, n2, data):
    x1, x2 = data.draw(st.integers(0, n1)), data.draw(st.integers(0, n2))
    assume(0 < x1 + x2 < n1 + n2)
    for side in (Alternative.LESS, Alternative.GREATER):
        conditional = fisher([[x1, n1 - x1], [x2, n2 - x2]], alternative=side).p
        assert boschloo(x1, n1, x2, n2, alternative=side).p <= conditional + 1e-9

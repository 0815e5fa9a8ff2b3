from __future__ import annotations

import json
import math
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from audit.numbers.effect import (
    HedgesCorrection,
    hedges_correction,
    paired_d,
    pooled_d,
    pooled_d_from_summary,
)
from audit.numbers.estimate import Alternative, Undefined
from audit.numbers.paired import paired_t, sign_flip, wilcoxon
from audit.numbers.spread import Spread, spread

CASES = Path(__file__).parent / "cases" / "known_answers_numbers.json"
KNOWN = {case["id"]: case for case in json.loads(CASES.read_text(encoding="utf-8"))["vectors"]}
# Deadlines depend on the machine's load, which says nothing about the code.
few = settings(max_examples=40, deadline=None)

whole = st.integers(-9, 9)
pairs = st.lists(st.tuples(whole, whole), min_size=1, max_size=7)
samples = st.lists(st.floats(-100, 100), min_size=2, max_size=12)


def test_the_deviation_of_binary_data():
    known = KNOWN["sd_binary"]
    zeros, ones = known["inputs"]["n0"], known["inputs"]["n1"]
    found = spread([0.0] * zeros + [1.0] * ones, ddof=1)
    assert found.sd == pytest.approx(known["expected"]["sd"], abs=known["abs_tol"])
    assert (found.size, found.mean) == (280, pytest.approx(ones / 280))


@few
@given(samples)
def test_the_two_divisors(values):
    n = len(values)
    one, nought = spread(values, ddof=1), spread(values, ddof=0)
    assert one.sd == pytest.approx(nought.sd * math.sqrt(n / (n - 1)))
    assert nought.sd == pytest.approx(np.std(values), abs=1e-12)


def test_equal_values_have_no_spread_in_spite_of_rounding():
    assert np.std([0.1] * 3) > 0.0
    assert spread([0.1] * 3, ddof=0).sd == 0.0


@pytest.mark.parametrize(
    ("values", "ddof", "mean", "reason"),
    [
        ([], 0, math.nan, Undefined.EMPTY),
        ([], 1, math.nan, Undefined.EMPTY),
        ([3.0], 1, 3.0, Undefined.TOO_FEW),
    ],
)
def test_a_spread_that_does_not_exist(values, ddof, mean, reason):
    found = spread(values, ddof=ddof)
    assert found.mean == pytest.approx(mean, nan_ok=True)
    assert math.isnan(found.sd)
    assert found.reason is reason


def test_one_value_has_no_spread_around_itself():
    assert spread([3.0], ddof=0).sd == 0.0


def test_a_divisor_is_n_or_one_less():
    with pytest.raises(ValueError, match="ddof must be 0 or 1, found 2"):
        spread([1.0, 2.0], ddof=2)


def test_printed_effect_size_from_a_summary():
    known = KNOWN["borenstein_d_g"]
    m1, m2, sd1, sd2, n1, n2 = (
        known["inputs"][name] for name in ("m1", "m2", "sd1", "sd2", "n1", "n2")
    )
    found = pooled_d_from_summary(
        Spread(m1, sd1, n1, 1), Spread(m2, sd2, n2, 1), correction=HedgesCorrection.APPROXIMATE
    )
    factor = hedges_correction(98, HedgesCorrection.APPROXIMATE)
    values = {
        "d": found.d,
        "var_d": found.variance,
        "J": factor,
        "g": found.g,
        "var_g": found.variance_g,
    }
    assert values == {
        name: pytest.approx(known["expected"][name], abs=known["abs_tol"]) for name in values
    }


def test_printed_correction_for_six_against_six():
    known = KNOWN["hedges_J_n6"]
    exact, rough = (hedges_correction(10, kind) for kind in HedgesCorrection)
    slack = known["abs_tol"]
    assert exact == pytest.approx(known["expected"]["J_exact"], abs=1e-7)
    assert rough == pytest.approx(known["expected"]["J_approx"], abs=1e-7)
    assert exact * known["inputs"]["d"] == pytest.approx(known["expected"]["g"], abs=slack)


def test_the_corrected_effect_is_unbiased():
    rng = np.random.default_rng(8)
    drawn = rng.normal(size=(4000, 2, 5))
    found = [pooled_d(one + 1.0, other) for one, other in drawn]
    g = np.array([effect.g for effect in found])
    # Its mean errs by sd/√4000; five of those, which the raw d misses.
    slack = 5.0 * g.std() / math.sqrt(len(g))
    assert g.mean() == pytest.approx(1.0, abs=slack)
    assert np.mean([effect.d for effect in found]) > 1.0 + slack


@few
@given(samples, samples, st.floats(0.1, 10.0), st.floats(-50.0, 50.0))
def test_an_effect_size_has_no_unit(one, other, scale, shift):
    one, other = np.round(one, 3), np.round(other, 3)
    found = pooled_d(one, other)
    assume(found.reason is None and abs(found.d) < 1e6)
    moved = pooled_d(scale * one + shift, scale * other + shift)
    assert moved.d == pytest.approx(found.d, rel=1e-6, abs=1e-6)
    assert pooled_d(other, one).d == pytest.approx(-found.d)


@few
@given(pairs)
def test_paired_d_is_t_over_the_root_of_n(data):
    x, y = np.array(data, dtype=float).T
    effect, test = paired_d(x, y), paired_t(x, y)
    assert effect.reason is None or test.reason is not None or len(x) == 2
    if test.reason is None:
        assert effect.d == pytest.approx(test.statistic / math.sqrt(len(x)))
        assert effect.df == len(x) - 1


@pytest.mark.parametrize(
    ("effect", "reason"),
    [
        (lambda: paired_d([], []), Undefined.TOO_FEW),
        (lambda: paired_d([1.0], [2.0]), Undefined.TOO_FEW),
        (lambda: paired_d([0.3, 0.4, 0.5], [0.2, 0.3, 0.4]), Undefined.NO_SPREAD),
        (lambda: pooled_d([1.0], [2.0, 3.0]), Undefined.TOO_FEW),
        (lambda: pooled_d([], []), Undefined.TOO_FEW),
        (lambda: pooled_d([0.1, 0.1, 0.1], [2.0, 2.0]), Undefined.NO_SPREAD),
    ],
)
def test_an_effect_that_does_not_exist(effect, reason):
    found = effect()
    assert found.reason is reason
    assert math.isnan(found.d)
    assert math.isnan(found.g)


def test_two_pairs_have_a_raw_effect_only():
    found = paired_d([1.0, 3.0], [0.0, 0.0])
    assert found.d == pytest.approx(math.sqrt(2.0))
    assert math.isnan(found.g)
    assert found.reason is Undefined.TOO_FEW
    assert math.isnan(hedges_correction(1))


def test_a_summary_needs_the_divisor_of_an_estimate():
    with pytest.raises(ValueError, match="deviations need ddof 1, found 1 and 0"):
        pooled_d_from_summary(Spread(1.0, 1.0, 5, 1), Spread(1.0, 1.0, 5, 0))


@few
@given(pairs, st.sampled_from(Alternative))
def test_sign_flips_are_counted_in_whole_numbers(data, side):
    gaps = [x - y for x, y in data]
    sums = [
        sum(s * g for s, g in zip(signs, gaps, strict=True))
        for signs in product((-1, 1), repeat=len(gaps))
    ]
    seen = sum(gaps)
    extreme = {
        Alternative.TWO_SIDED: [abs(s) >= abs(seen) for s in sums],
        Alternative.GREATER: [s >= seen for s in sums],
        Alternative.LESS: [s <= seen for s in sums],
    }[side]
    found = sign_flip(*zip(*data, strict=True), alternative=side)
    assert found.p == sum(extreme) / len(extreme)
    assert found.statistic == pytest.approx(seen / len(gaps))


@few
@given(pairs, st.sampled_from(Alternative))
def test_signed_ranks_are_counted_with_their_ties(data, side):
    gaps = np.array([x - y for x, y in data if x != y])
    found = wilcoxon(*zip(*data, strict=True), alternative=side)
    if not gaps.size:
        assert found.reason is Undefined.EMPTY
        return
    ranks = stats.rankdata(np.abs(gaps))
    sums = np.array([ranks[np.array(s)].sum() for s in product((False, True), repeat=len(gaps))])
    seen = ranks[gaps > 0].sum()
    less, greater = (sums <= seen).mean(), (sums >= seen).mean()
    expected = {
        Alternative.LESS: less,
        Alternative.GREATER: greater,
        Alternative.TWO_SIDED: min(1.0, 2 * min(less, greater)),
    }[side]
    assert found.p == pytest.approx(expected, abs=1e-12)
    assert (found.statistic, found.counts_in) == (seen, len(gaps))


@pytest.mark.parametrize("n", [6, 25])
def test_without_ties_tests_agree_with_scipy(n):
    rng = np.random.default_rng(n)
    x, y = rng.normal(0.4, 1.0, size=n), rng.normal(size=n)
    for side in Alternative:
        expected = stats.wilcoxon(x, y, alternative=side.value, method="exact").pvalue
        assert wilcoxon(x, y, alternative=side).p == pytest.approx(expected, abs=1e-12)
        expected = stats.ttest_rel(x, y, alternative=side.value)
        found = paired_t(x, y, alternative=side)
        assert (found.statistic, found.p) == pytest.approx((expected.statistic, expected.pvalue))


def test_six_pairs_cannot_give_less_than_one_in_32():
    x = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    assert sign_flip(x, np.zeros(6)).p == wilcoxon(x, np.zeros(6)).p == 1 / 32


def test_ties_in_decimals_are_ties():
    # 0.3 - 0.1 and 0.2 - 0 differ in floats; so do the sums of thrice 0.1.
    found, clean = wilcoxon([0.3, 0.2, 0.0], [0.1, 0.0, 0.2]), wilcoxon([2, 2, 0], [0, 0, 2])
    assert (found.statistic, found.p) == (clean.statistic, clean.p)
    assert sign_flip([0.1, 0.2, 0.3], [0.0, 0.0, 0.6]).p == sign_flip([1, 2, 3], [0, 0, 6]).p == 1.0


@few
@given(pairs, st.sampled_from(Alternative), st.sampled_from([0.1, 0.7, 1 / 3, 1e9]))
def test_rounding_changes_no_sign_flip(data, side, unit):
    x, y = np.array(data, dtype=float).T
    found = sign_flip(x * unit, y * unit, alternative=side)
    assert found.p == sign_flip(x, y, alternative=side).p


@few
@given(pairs, st.floats(0.01, 100.0))
def test_scale_changes_no_p(data, scale):
    x, y = np.array(data, dtype=float).T
    for test in (sign_flip, wilcoxon, paired_t):
        assert test(scale * x, scale * y).p == pytest.approx(test(x, y).p, nan_ok=True)


@few
@given(pairs)
def test_swapping_the_members_turns_the_side(data):
    x, y = zip(*data, strict=True)
    for test in (sign_flip, wilcoxon, paired_t):
        turned = test(y, x, alternative=Alternative.LESS)
        assert test(x, y, alternative=Alternative.GREATER).p == pytest.approx(turned.p, nan_ok=True)


def test_sampled_flips_come_near_the_enumerated_share():
    rng = np.random.default_rng(6)
    gaps = rng.normal(0.4, 1.0, size=21)
    assert sign_flip(gaps, np.zeros(21)).reason is Undefined.NOT_ENUMERATED
    found = sign_flip(gaps, np.zeros(21), rng=rng, draws=20_000)
    enumerated = sign_flip(gaps[:20], np.zeros(20))
    assert found.method == "sign flip, 20000 draws"
    assert enumerated.method == "sign flip, enumerated"
    # The t law is close for both; the draws err by 0.002.
    assert found.p == pytest.approx(paired_t(gaps, np.zeros(21)).p, abs=0.015)
    assert enumerated.p == pytest.approx(paired_t(gaps[:20], np.zeros(20)).p, abs=0.015)
    assert sign_flip(np.ones(30), np.zeros(30), rng=rng, draws=99).p == 1 / 100


@pytest.mark.parametrize(
    ("test", "data", "reason"),
    [
        (paired_t, ([], []), Undefined.TOO_FEW),
        (paired_t, ([1.0], [2.0]), Undefined.TOO_FEW),
        (paired_t, ([0.3, 0.4, 0.5], [0.2, 0.3, 0.4]), Undefined.NO_SPREAD),
        (sign_flip, ([], []), Undefined.EMPTY),
        (wilcoxon, ([], []), Undefined.EMPTY),
        (wilcoxon, ([1.0, 2.0], [1.0, 2.0]), Undefined.EMPTY),
        (wilcoxon, ([0.0], [0.0]), Undefined.EMPTY),
    ],
)
def test_a_test_that_does_not_exist(test, data, reason):
    found = test(*data)
    assert found.reason is reason
    assert math.isnan(found.p)


def test_no_difference_at_all_is_no_evidence():
    assert sign_flip([1.0, 2.0], [1.0, 2.0]).p == 1.0


def test_what_paired_tests_refuse():
    for test in (sign_flip, wilcoxon, paired_t, paired_d):
        with pytest.raises(ValueError, match="lengths must agree, found"):
            test([1.0, 2.0], [1.0])
        with pytest.raises(ValueError, match="first must be finite, found inf"):
            test([math.inf], [1.0])
    with pytest.raises(ValueError, match="draws must be at least 1, found 0"):
        sign_flip(np.ones(21), np.zeros(21), rng=np.random.default_rng(0), draws=0)

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from audit.numbers.correlation import average_ranks, pearson, rank_order, spearman
from audit.numbers.estimate import Alternative, Undefined

# Deadlines depend on the machine's load, which says nothing about the code.
few = settings(max_examples=40, deadline=None)
whole = st.integers(-20, 20)
pairs = st.lists(st.tuples(whole, whole), min_size=2, max_size=6)
SIDES = {
    Alternative.TWO_SIDED: lambda r, seen: abs(r) >= abs(seen),
    Alternative.GREATER: lambda r, seen: r >= seen,
    Alternative.LESS: lambda r, seen: r <= seen,
}


def covariance(x, y):
    """Return n² times the covariance of whole numbers, exactly."""
    return len(x) * sum(a * b for a, b in zip(x, y, strict=True)) - sum(x) * sum(y)


@few
@given(pairs, st.sampled_from(Alternative))
def test_p_is_the_share_of_orders_counted_in_whole_numbers(data, side):
    x, y = zip(*data, strict=True)
    found = pearson(x, y, alternative=side).test
    if found.reason is None:
        seen = covariance(x, y)
        # With one order of x fixed the coefficient is the covariance times a constant.
        extreme = [SIDES[side](covariance(x, order), seen) for order in permutations(y)]
        assert found.p == pytest.approx(sum(extreme) / len(extreme), abs=1e-12)


@few
@given(pairs)
def test_coefficients_agree_with_scipy(data):
    x, y = zip(*data, strict=True)
    if min(len(set(x)), len(set(y))) > 1:
        assert pearson(x, y).estimate.value == pytest.approx(stats.pearsonr(x, y).statistic)
        expected = stats.spearmanr(x, y).statistic
        assert spearman(x, y).estimate.value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("side", [Alternative.GREATER, Alternative.LESS])
def test_one_sided_p_agrees_with_the_permutation_test_of_scipy(side):
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=6), rng.normal(size=6)
    # For two sides scipy doubles the smaller tail, which is another p-value.
    expected = stats.permutation_test(
        (x,),
        lambda one: stats.pearsonr(one, y).statistic,
        permutation_type="pairings",
        n_resamples=np.inf,
        alternative=side.value,
    )
    assert pearson(x, y, alternative=side).test.p == pytest.approx(expected.pvalue, abs=1e-12)


def test_the_least_p_of_six_pairs():
    found = spearman(range(6), range(6))
    # The order itself and its reverse, of 720.
    assert found.test.p == pytest.approx(2 / 720)
    assert found.estimate.value == 1.0
    assert found.test.method == "spearman, permutation, enumerated"


@few
@given(pairs, st.floats(0.1, 10.0), st.floats(-10.0, 10.0))
def test_scale_and_origin_change_nothing(data, scale, origin):
    x, y = np.array(data, dtype=float).T
    for correlate in (pearson, spearman):
        found, moved = correlate(x, y), correlate(scale * x + origin, y)
        assert moved.estimate.value == pytest.approx(found.estimate.value, abs=1e-9, nan_ok=True)
        assert moved.test.p == pytest.approx(found.test.p, nan_ok=True)


@few
@given(pairs, st.randoms())
def test_the_order_of_pairs_changes_nothing(data, random):
    shuffled = random.sample(data, len(data))
    found, moved = (pearson(*zip(*d, strict=True)) for d in (data, shuffled))
    assert moved.test.p == pytest.approx(found.test.p, nan_ok=True)


@few
@given(st.lists(st.floats(-1e3, 1e3), min_size=3, max_size=6), st.floats(0.1, 10.0))
def test_a_coefficient_never_passes_1(values, slope):
    x = np.array(values)
    value = pearson(x, slope * x).estimate.value
    assert math.isnan(value) or -1.0 <= value <= 1.0
    # Collinear, and 2e-16 past 1 without the bound.
    edge = np.array([0.3, 0.4, 0.0])
    assert pearson(edge, 3.0 * edge).estimate.value <= 1.0


@pytest.mark.parametrize("unit", [1e-320, 1e-200, 1e307])
def test_tiny_and_huge_values_neither_vanish_nor_overflow(unit):
    x = np.array([1.0, 2.0, 4.0, 3.0]) * unit
    assert pearson(x, [1, 2, 4, 3]).estimate.value == pytest.approx(1.0, abs=1e-3)


@few
@given(pairs)
def test_a_rising_map_leaves_spearman(data):
    x, y = np.array(data, dtype=float).T
    found, moved = spearman(x, y), spearman(x**3, np.exp(y / 10))
    assert moved.estimate.value == pytest.approx(found.estimate.value, nan_ok=True)


def test_sampled_orders_come_near_the_enumerated_share():
    rng = np.random.default_rng(4)
    x = rng.normal(size=9)
    y = x + rng.normal(size=9)
    found = pearson(x, y, rng=rng, draws=20_000).test
    # Nine pairs are one more than enumerated; the t law is close, the draws err by 0.003.
    assert found.p == pytest.approx(stats.pearsonr(x, y).pvalue, abs=0.015)
    assert found.method == "pearson, permutation, 20000 draws"


def test_a_sampled_p_is_never_0():
    found = pearson(range(12), range(12), rng=np.random.default_rng(0), draws=99).test
    assert found.p == 1 / 100


def test_more_pairs_than_enumerated_without_a_generator():
    found = pearson(range(9), range(9))
    assert found.estimate.value == pytest.approx(1.0)
    assert found.test.reason is Undefined.NOT_ENUMERATED
    assert math.isnan(found.test.p)


@pytest.mark.parametrize(
    ("x", "y", "reason"),
    [
        ([], [], Undefined.TOO_FEW),
        ([1.0], [2.0], Undefined.TOO_FEW),
        ([0.1, 0.1, 0.1], [1.0, 2.0, 3.0], Undefined.NO_SPREAD),
        ([1.0, 2.0, 3.0], [0.1, 0.1, 0.1], Undefined.NO_SPREAD),
    ],
)
@pytest.mark.parametrize("correlate", [pearson, spearman])
def test_a_correlation_that_does_not_exist(correlate, x, y, reason):
    found = correlate(x, y, counts_out=2)
    assert (found.estimate.reason, found.test.reason) == (reason, reason)
    assert (found.estimate.counts_in, found.estimate.counts_out) == (len(x), 2)


def test_two_pairs_tell_nothing():
    assert pearson([1, 2], [3, 9]).test.p == 1.0


def test_what_correlation_refuses():
    for correlate in (pearson, spearman):
        with pytest.raises(ValueError, match="lengths must agree, found"):
            correlate([1.0, 2.0], [1.0])
        with pytest.raises(ValueError, match="second must be finite, found nan"):
            correlate([1.0, 2.0], [1.0, math.nan])
    with pytest.raises(ValueError, match="draws must be at least 1, found 0"):
        pearson(range(9), range(9), rng=np.random.default_rng(0), draws=0)


def test_ranks_of_ties_are_averaged():
    assert average_ranks([3.0, 1.0, 3.0, 2.0]).tolist() == [3.5, 1.0, 3.5, 2.0]


@few
@given(st.lists(whole))
def test_a_rank_order_goes_down_and_names_everyone_once(values):
    order = rank_order(np.array(values, dtype=float))
    assert sorted(i for tie in order for i in tie) == list(range(len(values)))
    levels = [{values[i] for i in tie} for tie in order]
    assert [max(level) for level in levels] == sorted(set(values), reverse=True)
    assert all(len(level) == 1 for level in levels)

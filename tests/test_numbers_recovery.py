"""Limits recovered from limits: known intervals, identities, every message."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.numbers.proportion import ProportionMethod, difference, proportion_limits
from audit.numbers.recovery import (
    CellLimits,
    cell_limits,
    cluster_distance,
    clustered_size,
    effective_size,
    recovered,
)

few = settings(max_examples=60, deadline=None)
SAME = {
    CellLimits.WILSON: ProportionMethod.WILSON,
    CellLimits.JEFFREYS: ProportionMethod.JEFFREYS,
    CellLimits.CLOPPER_PEARSON: ProportionMethod.CLOPPER_PEARSON,
}
shares = st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@few
@given(shares, st.sampled_from(CellLimits), st.floats(0.5, 0.999))
def test_whole_sizes_have_the_limits_of_one_proportion(share, method, level):
    x, n = share
    (low,), (high,) = cell_limits([x / n], [n], level, method)
    expected = proportion_limits(x, n, level=level, method=SAME[method])
    assert (low, high) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("method", CellLimits)
def test_a_cell_without_items_may_hold_anything(method):
    lows, highs = cell_limits([np.nan, 0.25], [0.0, 4.0], 0.95, method)
    assert (lows[0], highs[0]) == (0.0, 1.0)
    assert 0.0 < lows[1] < 0.25 < highs[1] < 1.0


@few
@given(shares, shares)
def test_a_difference_recovered_is_newcombes(one, two):
    (x1, n1), (x2, n2) = one, two
    points = np.array([x1 / n1, 1 - x2 / n2])
    lows, highs = cell_limits(points, [n1, n2], 0.95, CellLimits.WILSON)
    low, high = recovered(
        lambda p: p[0] + p[1] - 1.0, points, lows, highs, known=np.array([True, True]), distance=0.0
    )
    expected = difference(x1, n1, x2, n2).interval
    assert (low, high) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_the_worst_is_taken_of_a_share_of_which_nothing_is_known():
    points, known = np.array([0.5, 0.5]), np.array([True, False])
    lows, highs = np.array([0.4, 0.0]), np.array([0.6, 1.0])
    low, high = recovered(lambda p: p[0] + p[1], points, lows, highs, known=known, distance=0.0)
    assert (low, high) == pytest.approx((0.4, 1.6))


@few
@given(st.lists(st.floats(0.1, 50), min_size=1, max_size=30), st.floats(0.1, 10))
def test_effective_size_lies_between_one_and_all(weights, scale):
    size = effective_size(weights)
    assert 1 - 1e-9 <= size <= len(weights) + 1e-9
    assert effective_size([scale * w for w in weights]) == pytest.approx(size)
    assert effective_size([scale] * len(weights)) == pytest.approx(len(weights))


def test_without_weights_nothing_is_said():
    assert effective_size([]) == 0.0


@few
@given(st.lists(st.integers(0, 9), min_size=3, max_size=30))
def test_clusters_of_one_give_the_t_interval_of_a_mean(values):
    from scipy import stats

    x = np.array(values, dtype=float)
    found = cluster_distance((x - x.mean()) / len(x), 0.95)
    half = stats.t.ppf(0.975, len(x) - 1) * x.std(ddof=1) / math.sqrt(len(x))
    assert found == pytest.approx(half, abs=1e-12)


@pytest.mark.parametrize(
    ("known", "sizes", "rule"),
    [
        ([1.5], [3.0], r"shares must lie in \[0, 1\], each of a size of at least 0"),
        ([0.5], [-1.0], r"shares must lie in \[0, 1\], each of a size of at least 0"),
        ([0.5], [math.inf], "sizes must be finite, found inf"),
    ],
)
def test_refused(known, sizes, rule):
    with pytest.raises(ValueError, match=rule):
        cell_limits(known, sizes, 0.95, CellLimits.WILSON)


def test_refused_weights_and_methods():
    with pytest.raises(ValueError, match=r"weights must be above 0, found 0.0"):
        effective_size([1.0, 0.0])
    with pytest.raises(ValueError, match="CellLimits must be one of"):
        cell_limits([0.5], [3.0], 0.95, "guess")
    with pytest.raises(ValueError, match="level must lie strictly between 0 and 1"):
        cell_limits([0.5], [3.0], 1.0, CellLimits.WILSON)


@few
@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 4)), min_size=1, max_size=30),
    st.floats(0.1, 9.0),
)
def test_labels_of_clusters_say_at_most_what_as_many_single_ones_do(items, heavy):
    yes, cluster = zip(*items, strict=True)
    weights = [heavy] * len(items)
    found = clustered_size(yes, weights, cluster)
    assert 0.0 < found <= len(items) + 1e-9
    assert clustered_size(yes, np.ones(len(items)), cluster) == pytest.approx(found)


def test_clusters_that_agree_within_count_as_one_label_each():
    """Ten clusters of four alike: the variance of ten labels, by the estimate over n - 1."""
    yes = np.repeat([1, 1, 1, 0, 0, 0, 0, 0, 0, 0], 4)
    cluster = np.repeat(np.arange(10), 4)
    assert clustered_size(yes, np.ones(40), cluster) == pytest.approx(10 * 9 / 10)
    assert clustered_size(yes, np.ones(40), np.arange(40)) == pytest.approx(39)
    assert clustered_size(np.ones(40), np.ones(40), cluster) == 40
    assert clustered_size([1, 0], [1.0, 3.0], [7, 7]) == effective_size([1.0, 3.0])
    assert clustered_size([], [], []) == 0.0


def test_clustered_labels_of_unlike_length_are_refused():
    with pytest.raises(ValueError, match="yes, weights and cluster must be of one length"):
        clustered_size([1, 0], [1.0], [0])

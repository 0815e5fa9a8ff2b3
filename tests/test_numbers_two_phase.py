"""Two-phase shares, bounds of matches and their comparison: identities, brute force, messages."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.numbers.compared import bounds_of, difference_of, odds_ratio_of
from audit.numbers.estimate import Estimate, Interval, Undefined
from audit.numbers.match_bounds import match_bounds
from audit.numbers.misclassified import rogan_gladen
from audit.numbers.odds import odds_ratio
from audit.numbers.proportion import difference, proportion
from audit.numbers.recovery import CellLimits, cluster_distance
from audit.numbers.two_phase import Checked, two_phase

few = settings(max_examples=60, deadline=None)
cells = st.lists(st.lists(st.integers(0, 9), min_size=2, max_size=2), min_size=2, max_size=8)
rates = st.lists(st.floats(0, 1), min_size=2, max_size=2)


def checked(shares, sizes):
    return Checked(np.array(shares, dtype=float), np.array(sizes, dtype=float))


@few
@given(cells, rates)
def test_the_share_is_the_mean_of_the_cells(items, shares):
    counts = np.array(items)
    found = two_phase(counts, checked(shares, [20, 30])) if counts.any() else None
    if found is not None:
        assert found.value == pytest.approx(counts.sum(axis=0) @ shares / counts.sum())
        assert 0 <= found.interval.low <= found.value + 1e-12
        assert found.value <= found.interval.high + 1e-12


@few
@given(st.floats(0.05, 0.95), st.floats(0.6, 1), st.floats(0.6, 1))
def test_it_is_rogan_gladens_share_where_both_know_the_same(truth, sensitivity, specificity):
    """Predictive values that follow from sensitivity and specificity give the same share."""
    seen = truth * sensitivity + (1 - truth) * (1 - specificity)
    right, wrong = truth * sensitivity / seen, truth * (1 - sensitivity) / max(1 - seen, 1e-12)
    items = np.array([[round(seen * 1e6), round((1 - seen) * 1e6)]] * 2)
    found = two_phase(items, checked([right, min(wrong, 1.0)], [1e6, 1e6]))
    assert found.value == pytest.approx(rogan_gladen(seen, sensitivity, specificity), abs=1e-5)


def test_everything_checked_and_one_cell_is_the_interval_of_a_proportion():
    items = np.array([[10, 0]] * 4)
    found = two_phase(items, checked([0.3, np.nan], [40, 0]), method=CellLimits.WILSON)
    expected = proportion(12, 40).interval
    assert (found.interval.low, found.interval.high) == pytest.approx((expected.low, expected.high))


@few
@given(cells.filter(lambda c: np.array(c).any()), st.integers(0, 10_000))
def test_what_labels_of_a_cluster_add_counts_where_it_goes_with_the_cells(items, seed):
    """Both parts together are what a cluster adds where all is labelled, less what cells count."""
    counts, rng = np.array(items), np.random.default_rng(seed)
    true = rng.binomial(counts, 0.5)
    total = counts.sum(axis=0)
    shares = np.where(total > 0, true.sum(axis=0) / np.maximum(total, 1), 0.5)
    known = checked(shares, [1e12, 1e12])
    beyond = (true - counts * shares).sum(axis=1) / counts.sum()
    plain = two_phase(counts, known)
    same = two_phase(counts, known, beyond=np.zeros(len(counts)))
    assert same.interval == plain.interval
    wider = two_phase(counts, known, beyond=beyond)
    assert wider.value == plain.value
    assert wider.interval.low <= plain.interval.low + 1e-12
    whole = (true.sum(axis=1) - counts.sum(axis=1) * plain.value) / counts.sum()
    squares = [cluster_distance(part, 0.95) ** 2 for part in (whole, beyond)]
    reach = math.sqrt(max(0.0, squares[0] - squares[1]))
    assert wider.interval.high >= min(1.0, plain.value + reach) - 1e-5


def test_what_labels_add_must_be_one_a_cluster():
    with pytest.raises(ValueError, match="lengths must agree"):
        two_phase([[1, 2], [3, 4]], checked([0.5, 0.5], [9, 9]), beyond=[0.1])


def test_clusters_that_differ_widen():
    even, odd = np.array([[5, 5]] * 10), np.array([[10, 0], [0, 10]] * 5)
    known = checked([0.9, 0.1], [50, 50])
    one, two = two_phase(even, known), two_phase(odd, known)
    assert one.value == two.value
    assert two.interval.width > 2 * one.interval.width


def test_undefined_with_what_is_still_excluded():
    items = np.array([[3, 7], [4, 6]])
    found = two_phase(items, checked([0.9, np.nan], [30, 0]), counts_out=2)
    assert (found.reason, found.counts_in, found.counts_out) == (Undefined.TOO_FEW, 20, 2)
    # Seven in twenty are at 0.9; the others may all be 0 or all be 1.
    assert found.interval.low <= 0.9 * 7 / 20 < 0.9 * 7 / 20 + 13 / 20 <= found.interval.high
    assert two_phase([[0, 0]], checked([1, 0], [5, 5])).reason is Undefined.EMPTY
    alone = two_phase([[3, 7]], checked([1, 0], [5, 5]))
    assert (alone.reason, alone.interval) == (Undefined.TOO_FEW, None)
    # A cell that holds nothing need not be checked.
    assert two_phase([[3, 0], [4, 0]], checked([0.5, np.nan], [9, 0])).defined


def placed(ended, passed, missed, right):
    """Return in how many matches a true yes is, of some way in which they may be placed."""
    return np.mean([bool(m) or (e and r) for e, m, r in zip(ended, missed, right, strict=True)])


@few
@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 3)), min_size=2, max_size=4),
    st.randoms(use_true_random=False),
)
def test_no_placement_of_the_true_yes_leaves_the_bounds_of_few_items(matches, random):
    """Whichever items are truly yes: with the shares of their cells known, the bounds hold."""
    ended = [int(e) for e, _ in matches]
    passed = [p for _, p in matches]
    right = [bool(e) and random.random() < 0.7 for e in ended]
    missed = [sum(random.random() < 0.3 for _ in range(p)) for p in passed]

    def share(top, bottom):
        return sum(top) / sum(bottom) if sum(bottom) else 0.0

    inside = [e == 1 for e in ended]
    known = checked(
        [
            share(right, ended),
            share(
                [m * i for m, i in zip(missed, inside, strict=True)], np.multiply(passed, inside)
            ),
            share(
                [m * (not i) for m, i in zip(missed, inside, strict=True)],
                np.multiply(passed, np.logical_not(inside)),
            ),
        ],
        [1e12, 1e12, 1e12],
    )
    found = match_bounds(ended, passed, range(len(ended)), known)
    value = placed(ended, passed, missed, right)
    assert found.least.value <= value + 1e-9
    # The upper bound supposes that missed yeses do not repel one another: union is free of that.
    union = np.mean([e * r for e, r in zip(ended, right, strict=True)]) + sum(missed) / len(ended)
    assert value <= union + 1e-9


@few
@given(st.floats(0, 1), st.integers(1, 10), st.floats(0.2, 3))
def test_unlike_matches_miss_less_than_like_ones(mean, turns, shape):
    """If missed yeses of a match are independent given its own rate, the upper bound holds."""
    rng = np.random.default_rng(1)
    own = rng.beta(shape * mean + 1e-6, shape * (1 - mean) + 1e-6, 4_000)
    held = (1 - (1 - own) ** turns).mean()
    known = checked([1.0, 0.0, own.mean()], [1e9, 1e9, 1e9])
    found = match_bounds(np.zeros(2), [turns, turns], [0, 1], known)
    assert found.least.value - 1e-9 <= held <= found.most.value + 1e-9


def test_a_perfect_arbiter_leaves_the_share_as_it_is():
    ended, passed = [1, 0, 0, 1, 0], [3, 10, 10, 0, 10]
    found = match_bounds(ended, passed, [0, 1, 2, 3, 4], checked([1, 0, 0], [1e9, 1e9, 1e9]))
    assert found.least.value == found.most.value == pytest.approx(0.4)
    assert found.interval.low <= 0.4 <= found.interval.high


def test_what_was_not_checked_may_be_anything():
    found = match_bounds([1, 0], [2, 10], [0, 1], checked([np.nan] * 3, [0, 0, 0]))
    assert (found.least.value, found.most.value) == (0.0, 1.0)
    assert (found.interval.low, found.interval.high) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("ended", "cluster", "reason"),
    [([], [], Undefined.EMPTY), ([1, 0], [3, 3], Undefined.TOO_FEW)],
)
def test_bounds_undefined(ended, cluster, reason):
    found = match_bounds(ended, ended, cluster, checked([1, 0, 0], [9, 9, 9]))
    assert found.least.reason is found.most.reason is reason
    assert (found.interval.low, found.interval.high) == (0.0, 1.0)


def test_bounds_refuse_unlike_lengths():
    with pytest.raises(ValueError, match="ended, passed and cluster must be of one length"):
        match_bounds([1, 0], [2], [0, 1], checked([1, 0, 0], [9, 9, 9]))


shares = st.integers(2, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@few
@given(shares, shares)
def test_a_difference_is_newcombes(one, two):
    found = difference_of(proportion(*one), proportion(*two))
    expected = difference(*one, *two)
    assert found.value == pytest.approx(expected.value)
    assert found.interval.low == pytest.approx(expected.interval.low, abs=1e-9)
    assert found.interval.high == pytest.approx(expected.interval.high, abs=1e-9)


@few
@given(shares, shares)
def test_an_odds_ratio_is_that_of_the_table(one, two):
    (a, n), (c, m) = one, two
    found, table = odds_ratio_of(proportion(a, n), proportion(c, m)), [[a, n - a], [c, m - c]]
    expected = odds_ratio(table).value
    assert found.value == pytest.approx(expected, nan_ok=True)
    if found.interval is not None and not math.isnan(found.value):
        assert found.interval.low <= found.value * (1 + 1e-9)
        assert found.value <= found.interval.high * (1 + 1e-9) or math.isinf(found.value)
        back = odds_ratio_of(proportion(c, m), proportion(a, n)).interval
        assert found.interval.low * back.high == pytest.approx(1.0) or 0 in (found.interval.low,)


def test_an_odds_ratio_of_large_samples_has_woolfs_interval():
    found = odds_ratio_of(proportion(3000, 10000), proportion(2000, 10000)).interval
    expected = odds_ratio([[3000, 7000], [2000, 8000]]).interval
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), rel=2e-3)


def test_comparisons_of_what_is_undefined():
    span = Interval(0.1, 0.6, 0.95, "x")
    half = Estimate.undefined(Undefined.TOO_FEW, 5, interval=span)
    known = proportion(3, 10)
    found = difference_of(half, known)
    assert (found.reason, found.interval is not None) == (Undefined.TOO_FEW, True)
    nothing = Estimate.undefined(Undefined.EMPTY, 0)
    assert difference_of(nothing, known).reason is Undefined.EMPTY
    assert odds_ratio_of(known, nothing).interval is None


def test_bounds_compared_hold_every_pair_within():
    known = [checked([0.8, 0.1, 0.05], [30, 30, 30]), checked([0.5, 0.0, 0.02], [30, 30, 30])]
    ended, passed, cluster = [1, 0, 0, 1, 0, 0], [3, 10, 10, 2, 10, 10], range(6)
    one, two = (match_bounds(ended, passed, cluster, each) for each in known)
    for compare in (difference_of, odds_ratio_of):
        found = bounds_of(compare, one, two)
        for a, b in product((one.least, one.most), (two.least, two.most)):
            value = compare(a, b).value
            assert found.least.value - 1e-12 <= value <= found.most.value + 1e-12
            assert value in found.interval

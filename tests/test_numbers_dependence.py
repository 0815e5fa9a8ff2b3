"""Errors in common: correlations by numpy, a majority by enumeration and simulation, messages."""

from __future__ import annotations

from itertools import product
from math import comb, nan, prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from audit.numbers.dependence import (
    departures,
    effective_raters,
    error_phi,
    errors,
    pair_sums,
    pairs_of,
)
from audit.numbers.majority import majority_errors, majority_law
from audit.numbers.votes import ABSENT

few = settings(max_examples=60, deadline=None)
tables = arrays(np.int64, (12, 3), elements=st.integers(ABSENT, 1))


def phi(wrong, given_classes=None, weights=None):
    return error_phi(pair_sums(wrong, given_classes, weights).sum(axis=0))


def test_an_error_is_a_vote_that_is_not_the_truth():
    assert errors([[0, 1, ABSENT], [2, 2, 1]], [1, 2], 3).tolist() == [[1, 0, ABSENT], [0, 0, 1]]


@few
@given(tables)
def test_phi_is_the_correlation_of_the_items_that_both_voted_on(wrong):
    for place, (i, j) in enumerate(pairs_of(3)):
        both = (wrong[:, i] != ABSENT) & (wrong[:, j] != ABSENT)
        one, other = wrong[both, i], wrong[both, j]
        if len(set(one)) < 2 or len(set(other)) < 2:
            assert np.isnan(phi(wrong)[place])
        else:
            assert phi(wrong)[place] == pytest.approx(np.corrcoef(one, other)[0, 1])


@few
@given(tables, st.lists(st.integers(1, 4), min_size=12, max_size=12))
def test_a_weight_is_as_many_items(wrong, times):
    given_classes = np.arange(12) % 2
    often = np.repeat(np.arange(12), times)
    weighted = phi(wrong, given_classes, np.array(times, dtype=float))
    repeated = phi(wrong[often], given_classes[often])
    assert weighted == pytest.approx(repeated, nan_ok=True)


def test_one_item_of_a_late_class_correlates_nothing():
    assert np.isnan(phi(np.array([[1, 1]]), [3])[0])


def test_raters_who_find_one_class_hard_err_together_and_yet_independently():
    rng = np.random.default_rng(0)
    hard = np.arange(40_000) % 2
    wrong = (rng.random((40_000, 2)) < np.where(hard == 1, 0.5, 0.05)[:, None]).astype(int)
    assert phi(wrong)[0] > 0.2
    assert phi(wrong, hard)[0] == pytest.approx(0.0, abs=0.015)


@pytest.mark.parametrize(
    ("correlations", "raters", "expected"),
    [
        ([0.0, 0.0, 0.0], 3, 3.0),
        ([1.0, 1.0, 1.0], 3, 1.0),
        ([0.5, nan, 0.5], 3, 1.5),
        ([-0.5, -0.5, -0.5], 3, nan),
        ([nan], 2, nan),
        ([-0.5], 2, 4.0),
    ],
)
def test_raters_are_worth_fewer_the_more_they_err_together(correlations, raters, expected):
    found = effective_raters(np.array(correlations), raters)
    assert found == pytest.approx(expected, nan_ok=True)


def test_the_worth_is_by_how_much_the_variance_of_the_mean_error_shrinks():
    rng = np.random.default_rng(2)
    shared = rng.random(60_000)[:, None] < 0.3
    own = rng.random((60_000, 4)) < 0.3
    wrong = np.where(rng.random((60_000, 4)) < 0.5, shared, own).astype(int)
    worth = effective_raters(phi(wrong), 4)
    assert worth == pytest.approx(wrong[:, 0].var() / wrong.mean(axis=1).var(), rel=0.03)


def test_departures_are_counted_from_the_majority_of_the_others():
    votes = [[0, 1, 1, 1], [1, 1, 0, 0], [0, 0, 0, 1], [ABSENT, 1, 0, 0], [0, 0, ABSENT, ABSENT]]
    found = departures(votes, 2, (0, 1))
    assert found.tolist() == [[1, 0], [1, 1], [ABSENT, ABSENT], [ABSENT, 1], [ABSENT, ABSENT]]


def test_the_law_of_a_majority_is_condorcets():
    law = majority_law([[0.3, 0.7]] * 5)
    expected = sum(comb(5, k) * 0.7**k * 0.3 ** (5 - k) for k in (3, 4, 5))
    assert law == pytest.approx([1 - expected, expected, 0.0])


@few
@given(st.integers(1, 5), st.integers(2, 3), st.integers(0, 10**6))
def test_the_law_of_a_majority_is_that_of_every_vote_listed(voters, classes, seed):
    chances = np.random.default_rng(seed).dirichlet(np.ones(classes), voters)
    law = np.zeros(classes + 1)
    for votes in product(range(classes), repeat=voters):
        counts = np.bincount(votes, minlength=classes)
        ahead = counts.argmax() if (counts == counts.max()).sum() == 1 else classes
        law[ahead] += prod(chances[voter, vote] for voter, vote in enumerate(votes))
    assert majority_law(chances) == pytest.approx(law)
    assert law.sum() == pytest.approx(1)


def _votes(rng, shared, items=30_000):
    """Return truth and votes of five raters who err at 20 %, a share of it by one and one draw."""
    truth = (rng.random(items) < 0.4).astype(int)
    together = (rng.random(items) < 0.2)[:, None]
    own = rng.random((items, 5)) < 0.2
    wrong = np.where(rng.random((items, 1)) < shared, together, own)
    return truth, np.where(wrong, 1 - truth[:, None], truth[:, None])


@pytest.mark.parametrize(("shared", "observed"), [(0.0, 0.0579), (0.5, 0.129), (1.0, 0.2)])
def test_a_majority_of_raters_who_err_together_errs_more_than_independence_has_it(shared, observed):
    truth, votes = _votes(np.random.default_rng(6), shared)
    found = majority_errors(votes, truth, 2)
    independent = sum(comb(5, k) * 0.2**k * 0.8 ** (5 - k) for k in (3, 4, 5))
    assert found.wrong_expected == pytest.approx(independent, abs=0.006)
    assert found.wrong == pytest.approx(observed, abs=0.006)
    assert (found.tied, found.tied_expected, found.items) == (0, pytest.approx(0), 30_000)
    assert phi(errors(votes, truth, 2), truth).mean() == pytest.approx(shared, abs=0.02)


def test_items_weigh_and_ties_are_neither_right_nor_wrong():
    votes, truth = [[0, 0], [0, 1], [1, 1], [ABSENT, ABSENT], [ABSENT, 0]], [0, 0, 0, 1, 0]
    found = majority_errors(votes, truth, 2, [4.0, 3.0, 2.0, 9.0, 1.0])
    assert (found.wrong, found.tied, found.items) == (pytest.approx(0.2), pytest.approx(0.3), 4)
    one, other = 2 / 9, 5 / 10  # share of each one's votes, by weight, that are wrong
    assert found.tied_expected == pytest.approx(0.9 * (one * (1 - other) + other * (1 - one)))
    assert found.wrong_expected == pytest.approx(0.9 * one * other + 0.1 * other)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: errors([[0]], [2], 2), r"truth must lie in \[0, 2\), found 2"),
        (lambda: errors([[0]], [0, 1], 2), "truth must be one an item, found 2 for 1"),
        (lambda: pair_sums([[0, 1]], None, [0.0]), "weights must be above 0, found 0.0"),
        (lambda: pair_sums([[0, 1]], None, [1.0, 1.0]), "weights must be one an item, found 2"),
        (lambda: pair_sums([[0, 1]], [0, 0]), "given must be one an item, found 2 for 1"),
        (lambda: effective_raters(np.zeros(1), 1), "raters must be at least 2, found 1"),
        (lambda: majority_errors([[ABSENT]], [0], 2), "votes must hold at least one vote"),
        (lambda: majority_law([[0.5, 0.6]]), "chances must be one distribution over the classes"),
    ],
)
def test_what_cannot_be_compared_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()

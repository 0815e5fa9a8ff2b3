"""Weighted votes: odds by hand, enumeration of all votes, ties, every message."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import log, prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from audit.numbers.votes import ABSENT, leading, one_an_item
from audit.numbers.weighted_vote import (
    agreement_with_rest,
    bayes_scores,
    log_odds_weights,
    posterior,
    shrunk_confusion,
    vote_scores,
)

few = settings(max_examples=60, deadline=None)
votes_of_three = arrays(np.int64, (6, 3), elements=st.integers(ABSENT, 2))


def test_weights_are_log_odds_against_each_wrong_class():
    assert log_odds_weights([0.9, 0.5, 0.2]) == pytest.approx([log(9), 0.0, -log(4)])
    assert log_odds_weights([0.5], classes=3) == pytest.approx([log(2)])


def test_one_good_vote_outweighs_two_poor_ones():
    scores = vote_scores([[0, 1, 1], [ABSENT, 1, 0]], log_odds_weights([0.95, 0.7, 0.7]), 2)
    assert leading(scores).tolist() == [0, ABSENT]
    assert scores[0] == pytest.approx([log(19), 2 * log(7 / 3)])


def test_no_rule_of_votes_is_right_more_often_than_the_weighted_one():
    accuracy = np.array([0.9, 0.75, 0.7, 0.6])
    every = np.array(list(product([0, 1], repeat=4)))
    found = leading(vote_scores(every, log_odds_weights(accuracy), 2))

    def chance(truth):
        return [
            prod(p if v == truth else 1 - p for p, v in zip(accuracy, row, strict=True))
            for row in every
        ]

    right = sum(chance(said)[row] for row, said in enumerate(found)) / 2
    best = sum(max(pair) for pair in zip(chance(0), chance(1), strict=True)) / 2
    assert ABSENT not in found
    assert right == pytest.approx(best)
    majority = (
        sum(chance(t)[r] for t in (0, 1) for r, row in enumerate(every) if 2 * (row == t).sum() > 4)
        / 2
    )
    assert right > majority


@few
@given(st.lists(st.integers(1, 19), min_size=2, max_size=6), st.data())
def test_ties_are_those_of_exact_odds(twentieths, data):
    row = data.draw(st.lists(st.integers(0, 1), min_size=len(twentieths), max_size=len(twentieths)))
    odds = [Fraction(of, 20 - of) for of in twentieths]
    exact = [
        prod((o for o, v in zip(odds, row, strict=True) if v == c), start=Fraction(1))
        for c in (0, 1)
    ]
    expected = ABSENT if exact[0] == exact[1] else int(exact[1] > exact[0])
    scores = vote_scores([row], log_odds_weights(np.array(twentieths) / 20), 2)
    assert leading(scores)[0] == expected


def test_bayes_by_hand():
    confusion = [[[0.9, 0.1], [0.3, 0.7]], [[0.8, 0.2], [0.4, 0.6]]]
    scores = bayes_scores([[1, 0], [1, ABSENT], [ABSENT, ABSENT]], confusion, [0.75, 0.25])
    joint = [[0.75 * 0.1 * 0.8, 0.25 * 0.7 * 0.4], [0.75 * 0.1, 0.25 * 0.7], [0.75, 0.25]]
    assert np.exp(scores) == pytest.approx(np.array(joint))
    assert posterior(scores)[:, 0] == pytest.approx([a / (a + b) for a, b in joint])


@few
@given(votes_of_three, st.permutations(range(3)))
def test_bayes_knows_no_order_of_raters(votes, order):
    confusion = np.random.default_rng(4).dirichlet([2, 2, 2], (3, 3))
    shares = [0.5, 0.3, 0.2]
    found = bayes_scores(votes, confusion, shares)
    again = bayes_scores(votes[:, order], confusion[order], shares)
    assert again == pytest.approx(found)
    assert posterior(found).sum(axis=1) == pytest.approx(np.ones(6))


def test_what_leads_by_a_rounding_error_is_tied():
    assert leading(np.array([[0.1 + 0.2, 0.3], [0.3, 0.3 - 1e-8], [2.0, 2.0]])).tolist() == [
        ABSENT,
        0,
        ABSENT,
    ]


@few
@given(arrays(np.int64, (8, 4), elements=st.integers(ABSENT, 1)))
def test_agreement_with_the_rest_by_brute_force(votes):
    agreed, compared = agreement_with_rest(votes, 2)
    for rater in range(4):
        pairs = []
        for row in votes.tolist():
            others = [v for r, v in enumerate(row) if r != rater and v != ABSENT]
            ones = sum(others)
            if row[rater] != ABSENT and 2 * ones != len(others):
                pairs.append(row[rater] == (2 * ones > len(others)))
        assert (agreed[rater], compared[rater]) == (sum(pairs), len(pairs))


def test_a_rater_with_few_items_is_pulled_to_all():
    counts = np.array([[[90.0, 10.0], [10.0, 90.0]], [[0.0, 0.0], [1.0, 0.0]]])
    found = shrunk_confusion(counts, 4.0)
    pooled = np.array([[91, 11], [12, 91]]) / [[102], [103]]
    assert found[1, 0] == pytest.approx(pooled[0])
    assert found[1, 1] == pytest.approx((np.array([1, 0]) + 4 * pooled[1]) / 5)
    assert found[0, 0] == pytest.approx([0.9, 0.1], abs=0.002)
    assert found.sum(axis=2) == pytest.approx(np.ones((2, 2)))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: log_odds_weights([1.0]), "accuracy must lie strictly between 0 and 1, found 1.0"),
        (lambda: log_odds_weights([0.5], 1), "classes must be at least 2, found 1"),
        (lambda: vote_scores([[0, 1]], [1.0], 2), "weights must be one a rater, found 1 for 2"),
        (
            lambda: bayes_scores([[0, 1]], np.full((1, 2, 2), 0.5), [0.5, 0.5]),
            "confusion must be one a rater, found 1 for 2",
        ),
        (
            lambda: bayes_scores([[0]], [[[1.0, 0.0], [0.5, 0.5]]], [0.5, 0.5]),
            "confusion must be above 0 throughout, found 0.0",
        ),
        (
            lambda: bayes_scores([[0]], np.full((1, 2, 2), 0.5), [1.0, 0.0]),
            "shares must be above 0 throughout, found 0.0",
        ),
        (lambda: shrunk_confusion([[1.0]], 1.0), r"one square table a rater, found shape \(1, 1\)"),
        (lambda: shrunk_confusion([[[-1.0]]], 1.0), "counts must be at least 0, found -1.0"),
        (lambda: shrunk_confusion([[[1.0]]], 0.0), "strength must be finite and above 0, found 0"),
        (
            lambda: one_an_item("truth", np.zeros(2), np.zeros((3, 1), dtype=np.int64)),
            "truth must be one an item, found 2 for 3",
        ),
    ],
)
def test_what_cannot_be_weighed_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()

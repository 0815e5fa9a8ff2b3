from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from games.rules.belief import (
    best_question,
    channel_bound,
    entropy_split,
    greedy_counts,
    posterior,
)
from games.study.study import load_study

TABLE = np.array([[0, 0], [0, 1], [1, 1], [2, 1]], dtype=np.int8)

tables = st.tuples(st.integers(1, 8), st.integers(1, 6)).flatmap(
    lambda shape: arrays(np.int8, shape, elements=st.integers(0, 2))
)


def test_no_answer_leaves_the_flat_prior():
    assert posterior(TABLE, [], [], 0.1).tolist() == [0.25] * 4


def test_posterior_by_hand():
    # Column 0 answered yes at noise 0.2: rows 0 and 1 fit (0.8 each), rows 2 and 3 do not
    # (0.2 / 2 each): 0.8 / 1.8 and 0.1 / 1.8.
    weights = posterior(TABLE, [0], [0], 0.2)
    assert weights == pytest.approx([8 / 18, 8 / 18, 1 / 18, 1 / 18])


def test_without_noise_a_contradicted_noun_is_out():
    assert posterior(TABLE, [0, 1], [0, 1], 0.0).tolist() == [0, 1, 0, 0]


def test_noise_above_two_thirds_makes_an_answer_evidence_against_itself():
    weights = posterior(TABLE, [0], [0], 0.9)
    assert weights[2] > weights[0]
    assert weights.sum() == pytest.approx(1)


@given(tables, st.data())
def test_posterior_is_the_normalised_product_of_likelihoods(table, data):
    columns = st.lists(st.integers(0, table.shape[1] - 1), max_size=6)
    asked = data.draw(columns)
    answers = data.draw(st.lists(st.integers(0, 2), min_size=len(asked), max_size=len(asked)))
    noise = data.draw(st.floats(0.01, 0.6))
    likelihood = np.ones(len(table))
    for column, answer in zip(asked, answers, strict=True):
        likelihood *= np.where(table[:, column] == answer, 1 - noise, noise / 2)
    expected = likelihood / likelihood.sum()
    assert posterior(table, asked, answers, noise) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("asked", "answers", "noise", "rule"),
    [
        ([0], [0, 1], 0.1, r"asked and answers must be alike, found \(1,\), \(2,\)"),
        ([0], [3], 0.1, r"answers must lie in \[0, 3\), found \[3\]"),
        ([0], [0], 1.0, r"noise must lie in \[0, 1\), found 1.0"),
        ([0], [0], -0.1, r"noise must lie in \[0, 1\), found -0.1"),
        ([0, 0], [0, 1], 0.0, "answers fit no noun; noise must be positive"),
    ],
)
def test_posterior_refuses(asked, answers, noise, rule):
    with pytest.raises(ValueError, match=rule):
        posterior(TABLE, asked, answers, noise)


def test_split_by_hand():
    # Column 0 splits 2-1-1: 1.5 bits. Column 1 splits 1-3: 0.811 bits.
    bits = entropy_split(TABLE, np.ones(4))
    assert bits == pytest.approx([1.5, 2 - 0.75 * math.log2(3)])


def test_split_follows_the_weights_and_not_their_scale():
    assert entropy_split(TABLE, [1, 1, 0, 0]) == pytest.approx([0, 1])
    assert entropy_split(TABLE, [7, 7, 0, 0]) == pytest.approx([0, 1])


@given(tables)
def test_an_answer_carries_at_most_log2_of_three(table):
    bits = entropy_split(table, np.ones(len(table)))
    assert bits.shape == (table.shape[1],)
    assert (bits >= 0).all()
    assert (bits <= math.log2(3) + 1e-12).all()


@pytest.mark.parametrize(
    ("weights", "rule"),
    [
        ([1, 1], r"weights must have shape \(4,\), found \(2,\)"),
        ([0, 0, 0, 0], "weights must be non-negative and not all zero"),
        ([1, 1, 1, -1], "weights must be non-negative and not all zero"),
        ([1, 1, 1, math.nan], "weights must be non-negative and not all zero"),
    ],
)
def test_split_refuses(weights, rule):
    with pytest.raises(ValueError, match=rule):
        entropy_split(TABLE, weights)


def test_the_best_question_among_those_allowed():
    assert best_question(TABLE, np.ones(4)) == 0
    assert best_question(TABLE, np.ones(4), np.array([False, True])) == 1
    assert best_question(TABLE, np.ones(4), np.array([False, False])) is None
    assert best_question(TABLE, [0, 0, 1, 0]) is None
    assert best_question(TABLE[:, :0], np.ones(4)) is None


def test_of_equal_questions_the_first_is_asked():
    twins = np.array([[0, 1], [1, 0]], dtype=np.int8)
    assert best_question(twins, [0.1 + 0.2, 0.3]) == 0


def test_counts_by_hand():
    # Column 0 leaves rows 2 and 3 alone; rows 0 and 1 take column 1 as well.
    assert greedy_counts(TABLE).tolist() == [2, 2, 1, 1]


def test_a_single_noun_needs_no_question():
    assert greedy_counts(TABLE[:1]).tolist() == [0]
    assert greedy_counts(TABLE[:0]).tolist() == []


def test_equal_rows_cannot_be_told_apart():
    with pytest.raises(ValueError, match=r"no question tells rows \[1, 2\] apart"):
        greedy_counts(np.array([[0], [1], [1]], dtype=np.int8))
    with pytest.raises(ValueError, match=r"no question tells rows \[0, 1\] apart"):
        greedy_counts(TABLE, np.array([True, False]))


@given(tables)
def test_counts_reach_the_channel_bound_and_never_beat_it(table):
    distinct = np.unique(table, axis=0)
    counts = greedy_counts(distinct)
    assert counts.max() >= channel_bound(len(distinct))
    assert counts.max() <= distinct.shape[1]


@pytest.mark.parametrize(
    ("n", "letters", "bound"),
    [
        (1, 3, 0),
        (2, 3, 1),
        (3, 3, 1),
        (4, 3, 2),
        (100, 3, 5),
        (100, 2, 7),
        (243, 3, 5),
        (244, 3, 6),
    ],
)
def test_channel_bound(n, letters, bound):
    assert channel_bound(n, letters) == bound


def test_channel_bound_holds_at_powers_that_a_float_logarithm_misses():
    assert channel_bound(3**40) == 40
    assert channel_bound(3**40 + 1) == 41


@pytest.mark.parametrize(("n", "letters"), [(0, 3), (5, 1)])
def test_channel_bound_refuses(n, letters):
    with pytest.raises(ValueError, match="n must be at least 1 and letters at least 2"):
        channel_bound(n, letters)


def test_the_shipped_table_is_within_reach_of_a_greedy_seeker():
    table = load_study("aidg").nouns.table
    counts = greedy_counts(table)
    assert channel_bound(len(table)) <= counts.max() <= 12
    assert counts.mean() <= 12

"""Ties as outcomes of their own: a general optimiser, linear programming, closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog, minimize

from audit.numbers.ratings.bradley_terry import bradley_terry
from audit.numbers.ratings.davidson import davidson
from audit.numbers.ratings.graph import Connection
from audit.numbers.ratings.lanes import Played
from audit.numbers.ratings.table import entrants

from .test_numbers_win_graph import some_matches

POINTS = 400 / math.log(10)
SCORES = (0.0, 0.5, 1.0)


def one_pair(won, tied, lost):
    score = [1.0] * won + [0.5] * tied + [0.0] * lost
    n = len(score)
    return Played.of([0] * n, [0] * n, score, [1.0] * n, 1)


def likelihood(played, strengths, log_tie):
    first, second = entrants(played)
    half = (strengths[first] - strengths[second]) / 2
    parts = np.stack([-half, np.full(len(half), log_tie), half])
    chosen = parts[(2 * played.score).astype(int), np.arange(len(half))]
    return float((chosen - np.logaddexp.reduce(parts, axis=0)).sum())


@pytest.mark.parametrize(("won", "tied", "lost"), [(3, 2, 5), (1, 1, 1), (10, 1, 4), (2, 30, 1)])
def test_one_pair_is_fitted_exactly(won, tied, lost):
    # Three shares, two parameters: win over loss is exp(d), tie over their geometric mean is ν.
    found = davidson(one_pair(won, tied, lost))
    gap = (found.ratings[0] - found.ratings[1]) / POINTS
    assert gap == pytest.approx(math.log(won / lost), abs=1e-9)
    assert found.tie == pytest.approx(tied / math.sqrt(won * lost), rel=1e-9)


@settings(max_examples=25, deadline=None)
@given(some_matches(players=3, least=5, scores=SCORES))
def test_a_general_optimiser_has_the_same_maximum(played):
    found = davidson(played)
    assume(not found.trouble and found.tie > 0 and np.abs(found.ratings).max() < 2000)
    theirs = minimize(
        lambda b: -likelihood(played, np.append(0.0, b[:-1]), b[-1]),
        np.zeros(6),
        method="BFGS",
        options={"gtol": 1e-7},
    )
    ours = likelihood(played, found.ratings / POINTS, math.log(found.tie))
    assert ours >= -theirs.fun - 1e-9
    strengths = np.append(0.0, theirs.x[:-1])
    assert found.ratings / POINTS == pytest.approx(strengths - strengths.mean(), abs=1e-3)
    assert found.ratings.sum() == pytest.approx(0.0, abs=1e-6)


@given(some_matches(scores=SCORES))
def test_each_entrant_is_expected_to_win_more_than_it_loses_by_what_it_did(played):
    found = davidson(played)
    assume(not found.trouble)
    first, second = entrants(played)
    half = (found.ratings[first] - found.ratings[second]) / POINTS / 2
    parts = np.stack([np.exp(-half), np.full(len(half), found.tie), np.exp(half)])
    chances = parts / parts.sum(axis=0)
    ahead, got = chances[2] - chances[0], 2 * played.score - 1
    for who in (first, second):
        expected, found_sums = (np.bincount(who, weights=w, minlength=8) for w in (ahead, got))
        assert expected == pytest.approx(found_sums, abs=1e-7)
    assert chances[1].sum() == pytest.approx((played.score == 0.5).sum(), abs=1e-7)


@given(some_matches())
def test_without_ties_it_is_bradley_terry(played):
    found, plain = davidson(played), bradley_terry(played)
    assert found.trouble == plain.trouble
    if not found.trouble:
        assert found.ratings.tolist() == plain.ratings.tolist()
        assert found.tie == 0.0


@given(some_matches(scores=SCORES), st.permutations(range(4)))
def test_names_decide_nothing(played, names):
    names = np.array(names)
    renamed = Played(names[played.seeker], names[played.holder], played.score, played.weight, 4)
    one, two = davidson(played), davidson(renamed)
    both = np.concatenate([names, names + 4])
    assert two.ratings[both] == pytest.approx(one.ratings, abs=1e-5, nan_ok=True)
    assert bool(two.trouble) == bool(one.trouble)


def way_to_infinity(played):
    """Whether gaps and log ν can move so that no match loses likelihood and some gain."""
    first, second = entrants(played)
    half = np.zeros((len(played), 7))
    half[np.arange(len(played)), first] += 0.5
    half[np.arange(len(played)), second] -= 0.5
    tie = np.zeros_like(half)
    tie[:, 6] = 1.0
    parts = {1.0: half, 0.5: tie, 0.0: -half}
    gains = np.concatenate(
        [
            parts[score][row] - parts[other][row]
            for row, score in enumerate(played.score)
            for other in SCORES
            if other != score
        ]
    ).reshape(-1, 7)
    found = linprog(-gains.sum(axis=0), -gains, np.zeros(len(gains)), bounds=[(-1, 1)] * 7)
    return found.fun < -1e-9


@settings(max_examples=150)
@given(some_matches(players=3, least=4, most=16, scores=SCORES))
def test_it_refuses_where_linear_programming_finds_a_way_to_infinity(played):
    found = davidson(played)
    assume(found.graph.connection is not Connection.DISCONNECTED)
    assume((played.score == 0.5).any())
    assert way_to_infinity(played) == bool(found.trouble)


@pytest.mark.parametrize(
    ("played", "words"),
    [
        (one_pair(3, 2, 0), "separated, no finite maximum: ties and gaps could grow together"),
        (one_pair(0, 4, 0), "separated, no finite maximum: ties and gaps could grow together"),
        (one_pair(3, 0, 0), "separated, no finite maximum: undefeated seeker 0; winless holder 0"),
    ],
)
def test_what_has_no_maximum_says_why(played, words):
    found = davidson(played)
    assert found.trouble == words
    assert np.isnan(found.ratings).all()
    assert math.isnan(found.tie)


def test_a_fit_that_has_not_settled_says_so():
    assert davidson(one_pair(9, 2, 1), limit=1).trouble == "not converged after 1 steps"


def test_a_score_that_is_no_outcome_is_refused():
    with pytest.raises(ValueError, match=r"score must be 0, 0\.5 or 1, found 0\.3"):
        davidson(Played.of([0], [0], [0.3], [1.0], 1))

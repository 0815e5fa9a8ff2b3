"""Shares of wins by tournament, and the trend of ratings, against refits and simulated drift."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit
from scipy.stats import chi2_contingency

from audit.numbers.estimate import Undefined
from audit.numbers.ratings.bradley_terry import firth
from audit.numbers.ratings.lanes import Played
from audit.numbers.ratings.stationarity import rating_trend, win_shares


def tournaments(seed, many=5, players=4, each=3, slope=0.0):
    """Return tournaments of every ordered pair so many times; one Seeker's strength may rise."""
    rng = np.random.default_rng(seed)
    pairs = [(i, j) for i in range(players) for j in range(players) if i != j] * each
    seeker, holder = np.array(pairs).T
    found = []
    for t in range(many):
        strength = np.where(seeker == 0, slope * (t - (many - 1) / 2), 0.0)
        won = rng.random(len(pairs)) < expit(strength - 0.3)
        found.append(Played.of(seeker, holder, won * 1.0, np.ones(len(pairs)), players))
    return found


def test_shares_are_held_against_one_by_pearson():
    parts = tournaments(1)
    found = win_shares(parts)
    wins = [int(each.score.sum()) for each in parts]
    table = [wins, [36 - w for w in wins]]
    assert found.wins.tolist() == wins
    assert found.matches.tolist() == [36] * 5
    assert found.homogeneous.p == pytest.approx(chi2_contingency(table, correction=False).pvalue)
    assert found.enumerated.p == pytest.approx(found.homogeneous.p, abs=0.05)
    assert found.trend.reason is None


def test_ties_and_empty_tournaments_are_left_out_of_shares():
    tied = Played.of([0, 0], [1, 1], [0.5, 1.0], [1.0, 1.0], 2)
    empty = tied.only(np.array([], dtype=np.int64))
    found = win_shares([tied, empty])
    assert (found.wins.tolist(), found.matches.tolist()) == ([1], [1])
    assert found.homogeneous.reason is Undefined.TOO_FEW
    with pytest.raises(ValueError, match="must hold a match that was won or lost"):
        win_shares([empty])


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 4))
def test_slopes_are_those_through_firths_ratings_of_each_tournament(seed, many):
    parts = tournaments(seed, many=many)
    found = rating_trend(parts, draws=5, rng=np.random.default_rng(0))
    alone = np.array([firth(each).ratings for each in parts])
    wanted = np.polyfit(np.arange(many), alone, 1)[0]
    assert found.slope == pytest.approx(wanted, abs=1e-6)
    assert found.size == pytest.approx(math.sqrt((wanted**2).mean()))
    assert found.slope.sum() == pytest.approx(0.0, abs=1e-6)


def test_a_player_that_learns_is_seen_and_by_how_much():
    found = rating_trend(
        tournaments(2, each=40, slope=0.5), draws=199, rng=np.random.default_rng(0)
    )
    assert found.p == pytest.approx(1 / 200)
    assert found.slope.argmax() == 0
    # 0.5 in log odds a tournament; around a mean of 0 over eight ratings, 7/8 of it.
    assert found.slope[0] == pytest.approx(0.5 * 7 / 8 * 400 / math.log(10), rel=0.35)
    assert found.size > 2 * found.expected


def test_tournaments_that_are_alike_have_no_trend_and_every_draw_is_as_large():
    one = tournaments(3, many=1)[0]
    found = rating_trend([one] * 3, draws=50, rng=np.random.default_rng(0))
    assert found.size == pytest.approx(0.0, abs=1e-9)
    assert found.p == 1.0


def test_outcomes_are_exchanged_within_an_ordered_pair_alone():
    # No pair meets in both tournaments, so that no exchange can change who did what when.
    rng, parts = np.random.default_rng(6), []
    for steps in ((0, 1), (2, 3)):
        seeker, holder = np.array([(i, (i + s) % 4) for i in range(4) for s in steps] * 5).T
        won = rng.integers(0, 2, 40) * 1.0
        parts.append(Played.of(seeker, holder, won, np.ones(40), 4))
    found = rating_trend(parts, draws=20, rng=rng)
    assert found.size > 10
    assert found.expected == pytest.approx(found.size, rel=1e-6)
    assert found.p == 1.0


@pytest.mark.slow
def test_its_probabilities_are_uniform_where_nothing_moves():
    rng = np.random.default_rng(9)
    ps = [
        rating_trend(tournaments(100 + seed, many=3, each=2), draws=99, rng=rng).p
        for seed in range(300)
    ]
    assert np.mean(np.array(ps) <= 0.1) == pytest.approx(0.1, abs=0.05)
    assert np.mean(ps) == pytest.approx(0.505, abs=0.05)


def test_what_has_no_trend_says_why():
    parts = tournaments(4)
    few = rating_trend(parts[:1], draws=5, rng=np.random.default_rng(0))
    assert (few.reason, few.draws) == (Undefined.TOO_FEW, 0)
    assert math.isnan(few.p)
    assert np.isnan(few.slope).all()
    apart = parts[0].only(np.flatnonzero(parts[0].seeker != 2))
    found = rating_trend([apart, parts[1]], draws=5, rng=np.random.default_rng(0))
    assert found.reason is Undefined.NO_OVERLAP
    with pytest.raises(ValueError, match="draws must be at least 1, found 0"):
        rating_trend(parts, draws=0, rng=np.random.default_rng(0))

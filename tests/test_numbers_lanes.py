"""Ratings side by side: the lanes against a plain loop, the tree against every single path."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.numbers.rating import dual_elo
from audit.numbers.ratings.lanes import Played, over_blocks, rated_lanes
from audit.numbers.ratings.tournaments import carried_law, multisets, reset_law, tree_walks


def plain(played, k, start):
    """Dual-Elo as one would write it, one match and one lane at a time."""
    table = [start] * (2 * played.players)
    for i, h, score, weight in zip(
        played.seeker, played.holder, played.score, played.weight, strict=True
    ):
        j = h + played.players
        expected = 1 / (1 + 10 ** ((table[j] - table[i]) / 400))
        step = k * weight * (score - expected)
        table[i], table[j] = table[i] + step, table[j] - step
    return table


@st.composite
def matches(draw, players=4, most=30):
    n = draw(st.integers(0, most))
    player = st.integers(0, players - 1)
    score = st.sampled_from([0.0, 1.0, 0.5, 0.3])
    columns = [
        draw(st.lists(each, min_size=n, max_size=n))
        for each in (player, player, score, st.floats(0, 5))
    ]
    return Played.of(*columns, players)


KS = st.lists(st.floats(0, 200), min_size=1, max_size=5)


@given(matches(), KS, st.floats(0, 3000))
def test_every_lane_is_a_plain_loop_and_conserves_the_sum(played, ks, start):
    found = rated_lanes(played, ks, start)
    for lane, k in enumerate(ks):
        assert found[:, lane] == pytest.approx(plain(played, k, start), abs=1e-9)
    assert found.sum(axis=0) == pytest.approx(2 * played.players * start, abs=1e-8)


@given(matches(), st.floats(1, 64))
def test_wins_and_losses_are_as_the_rating_with_a_history_has_them(played, k):
    kept = played.only(np.flatnonzero((played.score == 0) | (played.score == 1)))
    history = dual_elo(
        kept.seeker, kept.holder, kept.score, kept.weight, players=4, k=k, start=1500.0
    )
    found = rated_lanes(kept, [k], 1500.0)[:, 0]
    assert found == pytest.approx(np.concatenate([history.seeker, history.holder]), abs=1e-9)


def test_threads_and_blocks_decide_no_digit():
    rng = np.random.default_rng(5)
    n = 40
    sides = rng.integers(0, 6, (2, n))
    played = Played.of(*sides, rng.integers(0, 2, n), rng.random(n) * 2, 6)
    ks = np.linspace(1, 64, 20_000)
    one, two = (rated_lanes(played, ks, 1500.0, threads=t) for t in (1, 2))
    assert (one == two).all()
    assert one[:, 12_345] == pytest.approx(rated_lanes(played, ks[12_345:12_346], 1500.0)[:, 0])


def test_a_gap_beyond_all_floats_moves_nothing_more():
    played = Played.of([0] * 3, [0] * 3, [1.0, 1.0, 0.0], [1e7] * 3, 1)
    found = rated_lanes(played, [24.0], 0.0)
    assert np.isfinite(found).all()


def gap_and_spread(ratings):
    """Mean V less mean C, and the spread of C."""
    half = len(ratings) // 2
    c, v = ratings[:half], ratings[half:]
    return np.stack([(v - c).mean(axis=0), c.std(axis=0)])


def some_tournaments(count, seed, players=3, n=7):
    rng = np.random.default_rng(seed)
    return [
        Played.of(
            *rng.integers(0, players, (2, n)),
            rng.choice([0.0, 1.0, 0.5], n),
            rng.random(n) * 2,
            players,
        )
        for _ in range(count)
    ]


@settings(max_examples=15)
@given(st.integers(1, 4), st.integers(0, 10**6), st.integers(1, 2))
def test_the_tree_gives_what_every_path_gives(count, seed, threads):
    tournaments, ks = some_tournaments(count, seed), [16.0, 32.0]
    law = carried_law(tournaments, ks, gap_and_spread, threads=threads)
    assert law.shape == (2, count**count, 2)
    for at, drawn in enumerate(product(range(count), repeat=count)):
        whole = [
            np.concatenate([getattr(tournaments[t], part) for t in drawn])
            for part in ("seeker", "holder", "score", "weight")
        ]
        for lane, k in enumerate(ks):
            wanted = gap_and_spread(np.array(plain(Played.of(*whole, 3), k, 0.0))[:, None])[:, 0]
            assert law[:, at, lane] == pytest.approx(wanted, abs=1e-9)


@settings(max_examples=15)
@given(st.integers(1, 4), st.integers(0, 10**6))
def test_a_fresh_start_hangs_on_how_often_each_was_drawn(count, seed):
    tournaments, k = some_tournaments(count, seed), 24.0
    values, probability = reset_law(tournaments, [k], gap_and_spread)
    ends = [np.array(plain(t, k, 0.0)) for t in tournaments]
    every = np.array(
        [
            gap_and_spread(np.mean([ends[t] for t in drawn], axis=0)[:, None])[:, 0]
            for drawn in product(range(count), repeat=count)
        ]
    )
    assert math.fsum(probability) == pytest.approx(1.0, abs=1e-12)
    for which in range(2):
        for moment in (1, 2):
            wanted = (every[:, which] ** moment).mean()
            found = (values[which, :, 0] ** moment) @ probability
            assert found == pytest.approx(wanted, rel=1e-9)
        assert values[which].min() == pytest.approx(every[:, which].min())


def test_five_tournaments_are_the_numbers_that_are_known():
    assert tree_walks(5) == (3_905, 15_625)
    counts, probability = multisets(5)
    assert counts.shape == (126, 5)
    assert (counts.sum(axis=1) == 5).all()
    assert probability.max() == pytest.approx(120 / 3125)


def test_many_lanes_split_the_tree_at_another_depth():
    tournaments = some_tournaments(3, 9)
    ks = np.linspace(8, 64, 9_000)
    law = carried_law(tournaments, ks, gap_and_spread, threads=2)
    few = carried_law(tournaments, ks[[0, 4_321, 8_999]], gap_and_spread)
    assert law[:, :, [0, 4_321, 8_999]] == pytest.approx(few, abs=1e-9)


def test_a_failure_in_a_thread_is_raised():
    def fails(block):
        raise KeyError(block)

    with pytest.raises(KeyError):
        over_blocks(fails, [1, 2], 2)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"score": [2.0]}, r"score must lie in \[0, 1\], found 2.0"),
        ({"weight": [-1.0]}, "weight must not be negative, found -1.0"),
        ({"holder": [3]}, "holder"),
        ({"seeker": [0, 1]}, "length"),
    ],
)
def test_a_wrong_match_is_named(change, words):
    given_ = {"seeker": [0], "holder": [1], "score": [1.0], "weight": [1.0]} | change
    with pytest.raises(ValueError, match=words):
        Played.of(**given_, players=3)


def test_a_wrong_reading_is_named():
    played = Played.of([0], [1], [1.0], [1.0], 2)
    other = Played.of([0], [1], [1.0], [1.0], 3)
    for call, words in (
        (lambda: rated_lanes(played, [-1.0], 0.0), "k must not be negative, found -1.0"),
        (lambda: rated_lanes(played, [1.0], [0.0, 1.0]), "start must be one finite rating"),
        (lambda: rated_lanes(played, [1.0], 0.0, threads=0), "threads must be at least 1, found 0"),
        (lambda: carried_law([], [1.0], gap_and_spread), "tournaments must hold at least one"),
        (lambda: carried_law([played, other], [1.0], gap_and_spread), "of the same players"),
        (lambda: reset_law([played], [-1.0], gap_and_spread), "k must not be negative"),
    ):
        with pytest.raises(ValueError, match=words):
            call()

"""Elo over orders and over outcomes: a plain loop over every order, and the delta method."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.numbers.elo_variance import pulls
from audit.numbers.rating import Carry, dual_elo
from audit.numbers.ratings.lanes import Played
from audit.numbers.ratings.order_spread import order_spread

from .test_numbers_lanes import plain
from .test_numbers_win_graph import some_matches


def split(played, parts):
    return [played.only(rows) for rows in np.array_split(np.arange(len(played)), parts)]


def rated(parts, k, carry):
    if carry is Carry.RESET:
        return np.mean([plain(each, k, 0.0) for each in parts if len(each)], axis=0)
    columns = [
        np.concatenate([getattr(each, name) for each in parts])
        for name in ("seeker", "holder", "score", "weight")
    ]
    return np.array(plain(Played.of(*columns, parts[0].players), k, 0.0))


@settings(max_examples=15)
@given(some_matches(players=2, least=7, most=7), st.sampled_from(list(Carry)))
def test_every_draw_is_an_order_within_tournaments_and_all_of_them_are_drawn(played, carry):
    parts = [played.only(np.arange(3)), played.only(np.arange(3, 7))]
    found = order_spread(
        parts, 24.0, carry, np.full(7, 0.5), draws=400, rng=np.random.default_rng(1)
    )
    assert found.scheduled == pytest.approx(rated(parts, 24.0, carry), abs=1e-9)
    orders = (list(permutations(range(len(part)))) for part in parts)
    wanted = np.array(
        [
            rated(
                [part.only(np.array(o)) for part, o in zip(parts, chosen, strict=True)], 24.0, carry
            )
            for chosen in product(*orders)
        ]
    )
    nearest = np.abs(found.over_orders[:, None] - wanted[None]).max(axis=2).min(axis=1)
    assert nearest.max() < 1e-8
    assert found.order_sd == pytest.approx(wanted.std(axis=0), rel=0.35, abs=0.3)
    assert found.over_orders.sum(axis=1) == pytest.approx(0.0, abs=1e-8)


@settings(max_examples=10)
@given(some_matches(least=4), st.sampled_from(list(Carry)))
def test_outcomes_that_are_sure_are_drawn_as_they_were(played, carry):
    found = order_spread(
        split(played, 2), 24.0, carry, played.score, draws=3, rng=np.random.default_rng(1)
    )
    assert found.over_outcomes == pytest.approx(np.tile(found.scheduled, (3, 1)), abs=1e-9)
    assert found.sampling_sd == pytest.approx(0.0, abs=1e-9)


def test_the_sampling_spread_is_the_delta_methods_where_steps_are_small():
    rng = np.random.default_rng(2)
    n, k = 120, 2.0
    seeker, holder = rng.integers(0, 4, (2, n))
    played = Played.of(seeker, holder, rng.integers(0, 2, n), rng.uniform(0.5, 2, n), 4)
    chance = rng.uniform(0.3, 0.7, n)
    draws = 4000
    found = order_spread([played], k, Carry.CARRIED, chance, draws=draws, rng=rng)
    history = dual_elo(seeker, holder, played.score, played.weight, players=4, k=k, start=0.0)
    moved = pulls(
        seeker, holder, history.expected, k * played.weight, players=4, seasons=[np.arange(n)]
    )
    wanted = np.sqrt(
        [moved.variance(row.reshape(2, 4), chance * (1 - chance)) for row in np.eye(8)]
    )
    assert found.relative_error == pytest.approx(0.0112, abs=1e-4)
    assert found.sampling_sd == pytest.approx(wanted, rel=5 * found.relative_error)


def test_with_one_order_there_is_no_spread_over_orders():
    played = Played.of([0], [1], [1.0], [1.0], 2)
    found = order_spread(
        [played] * 3, 24.0, Carry.CARRIED, [0.5] * 3, draws=5, rng=np.random.default_rng(0)
    )
    assert (found.order_sd == 0).all()
    assert found.sampling_sd.max() > 0


def test_the_seed_decides_all():
    played = Played.of([0, 1] * 6, [1, 0] * 6, [1.0, 0.0, 0.5] * 4, [1.0] * 12, 2)
    one, two = (
        order_spread([played], 24.0, Carry.RESET, [0.4] * 12, draws=9, rng=np.random.default_rng(5))
        for _ in range(2)
    )
    assert (one.over_orders == two.over_orders).all()
    assert (one.over_outcomes == two.over_outcomes).all()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"chance": [0.5]}, r"chance must be one in \[0, 1\] for each of 2 matches"),
        ({"chance": [0.5, 1.5]}, r"chance must be one in \[0, 1\]"),
        ({"draws": 1}, "draws must be at least 2, found 1"),
        ({"k": -1.0}, "k must be finite and not negative"),
        ({"tournaments": []}, "tournaments must hold at least one"),
    ],
)
def test_what_cannot_be_drawn_is_refused(change, words):
    played = Played.of([0, 1], [1, 0], [1.0, 0.0], [1.0, 1.0], 2)
    options = {"tournaments": [played], "k": 24.0, "chance": [0.5, 0.5], "draws": 2} | change
    with pytest.raises(ValueError, match=words):
        order_spread(carry=Carry.CARRIED, rng=np.random.default_rng(0), **options)

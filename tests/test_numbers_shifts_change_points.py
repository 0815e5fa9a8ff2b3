"""Change points against brute force over all partitions; the null law against fresh draws."""

from __future__ import annotations

import math
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruptures import Pelt

from audit.numbers.estimate import Undefined
from audit.numbers.shifts.change_points import change_points, change_test, null_penalty
from audit.numbers.shifts.noise import difference_scale
from audit.numbers.shifts.partition import largest_gain

values = st.lists(st.integers(-50, 50).map(lambda v: v / 7.0), min_size=2, max_size=10)


def partitions(size: int, least: int) -> list[tuple[int, ...]]:
    every = [
        (0, *places, size)
        for count in range(size)
        for places in combinations(range(1, size), count)
    ]
    return [ends for ends in every if min(np.diff(ends)) >= least]


def cost(found: np.ndarray, ends: tuple[int, ...]) -> float:
    parts = (found[start:end] for start, end in pairwise(ends))
    return sum(float(((part - part.mean()) ** 2).sum()) for part in parts)


@given(values, st.integers(1, 3), st.floats(0.05, 30.0))
@settings(max_examples=60)
def test_the_best_partition_is_that_of_all_partitions(given_values, least, penalty):
    found = np.array(given_values)
    result = change_points(found, penalty=penalty, min_size=least, scale=1.0)
    mine = cost(found, (0, *result.places, len(found))) + penalty * len(result.places)
    allowed = partitions(len(found), least) or [(0, len(found))]
    best = min(cost(found, ends) + penalty * (len(ends) - 2) for ends in allowed)
    assert mine == pytest.approx(best, rel=1e-9, abs=1e-9)
    assert not result.places or min(np.diff((0, *result.places, len(found)))) >= least
    assert result.levels == pytest.approx(
        [float(part.mean()) for part in np.split(found, result.places)]
    )
    assert result.fitted(len(found)).shape == found.shape


@given(values, st.integers(1, 3))
@settings(max_examples=60)
def test_the_largest_gain_is_that_of_all_partitions(given_values, least):
    found = np.array(given_values)
    whole = cost(found, (0, len(found)))
    gains = [
        (whole - cost(found, ends)) / (len(ends) - 2)
        for ends in partitions(len(found), least)
        if len(ends) > 2
    ]
    best = max([0.0, *gains])
    assert largest_gain(found[None, :], least)[0] == pytest.approx(best, rel=1e-7, abs=1e-6)


@pytest.mark.parametrize("size", [20, 60])
def test_change_points_are_found_below_the_largest_gain_and_not_above(size):
    rng = np.random.default_rng(1)
    for _ in range(10):
        found = rng.standard_normal(size) + 1.5 * (np.arange(size) > rng.integers(size))
        edge = float(largest_gain(found[None, :], 2)[0])
        assert change_points(found, penalty=edge * 0.999, scale=1.0).places
        assert not change_points(found, penalty=edge * 1.001, scale=1.0).places


def test_the_pruned_search_of_ruptures_agrees_where_segments_have_no_least_size():
    rng = np.random.default_rng(2)
    for _ in range(30):
        found = rng.standard_normal(30).cumsum()
        pruned = Pelt(model="l2", min_size=1, jump=1).fit(found).predict(pen=3.0)
        assert change_points(found, penalty=3.0, min_size=1, scale=1.0).places == tuple(pruned[:-1])


def test_the_pruned_search_of_ruptures_misses_the_best_where_segments_have_a_least_size():
    rng, worse = np.random.default_rng(0), 0
    for _ in range(600):
        found = rng.standard_normal(9)
        pruned = Pelt(model="l2", min_size=2, jump=1).fit(found).predict(pen=0.6)
        mine = change_points(found, penalty=0.6, scale=1.0).places
        theirs = cost(found, (0, *pruned)) + 0.6 * (len(pruned) - 1)
        gap = theirs - cost(found, (0, *mine, 9)) - 0.6 * len(mine)
        assert gap > -1e-9
        worse += gap > 1e-9
    assert worse > 0


@given(values, st.floats(0.1, 20.0), st.floats(-100.0, 100.0))
@settings(max_examples=60)
def test_change_points_ignore_level_and_unit_and_turn_round(given_values, unit, level):
    found = np.array(given_values)
    here = change_test(found)
    for other in (unit * found + level, found[::-1], -found):
        there = change_test(other)
        assert there.reason is here.reason
        if here.reason is None:
            assert there.statistic == pytest.approx(here.statistic, rel=1e-5, abs=1e-6)
            assert there.p == pytest.approx(here.p, abs=3e-4)


def test_a_clear_step_is_found_where_it_is():
    found = np.repeat([0.0, 3.0, 1.0], [7, 6, 7]) + 0.3 * np.random.default_rng(3).normal(size=20)
    result = change_points(found, penalty=null_penalty(20))
    assert result.places == (7, 13)
    assert result.levels == pytest.approx((0.0, 3.0, 1.0), abs=0.4)
    assert result.fitted(20)[[0, 7, 13]] == pytest.approx(result.levels)


def test_constant_series_have_no_change_point_and_no_p():
    assert change_points([4.0] * 12, penalty=1.0).places == ()
    assert change_test([4.0] * 12).reason is Undefined.NO_SPREAD
    assert change_test([0.1 + 1e-16 * (at % 2) for at in range(12)]).reason is Undefined.NO_SPREAD
    assert change_test([1.0, 2.0, 3.0]).reason is Undefined.TOO_FEW
    assert change_points([1.0], penalty=1.0).levels == (1.0,)


@pytest.mark.parametrize("correlation", [-0.2, 0.0, 0.2])
def test_normal_series_without_a_shift_rarely_pass_the_penalty(correlation):
    rng = np.random.default_rng(7)
    drawn = rng.standard_normal((4_000, 20))
    for at in range(1, 20):
        drawn[:, at] = correlation * drawn[:, at - 1] + math.sqrt(1 - correlation**2) * drawn[:, at]
    share = (largest_gain(drawn, 2) > null_penalty(20) * difference_scale(drawn) ** 2).mean()
    # 0.2 is the worst that is allowed for, and meets the level; 4 standard errors are 1.4 points.
    assert share < 0.064
    assert (share > 0.036) == (correlation == 0.2)


@given(values, st.sampled_from([0.01, 0.05, 0.2]))
@settings(max_examples=40)
def test_the_penalty_of_a_level_finds_one_exactly_where_the_test_rejects(given_values, level):
    found = np.array(given_values)
    test = change_test(found)
    if test.reason is None and abs(test.p - level) > 3e-4:
        result = change_points(found, penalty=null_penalty(len(found), level=level))
        assert bool(result.places) == (test.p < level)


def test_penalties_rise_as_the_level_falls_and_without_a_partition_there_is_none():
    assert null_penalty(12, level=0.2) < null_penalty(12) < null_penalty(12, level=0.01)
    assert null_penalty(3) == math.inf
    assert null_penalty(12, level=1e-6) == math.inf
    assert change_points([0.0, 5.0, 9.0], penalty=math.inf).places == ()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: change_points([], penalty=1.0), "values must hold at least 1 value"),
        (lambda: change_points([1.0, math.inf], penalty=1.0), "values must be finite, found inf"),
        (lambda: change_points([1.0], penalty=0.0), "penalty must be above 0, found 0.0"),
        (lambda: change_points([1.0], penalty=math.nan), "penalty must be above 0, found nan"),
        (lambda: change_points([1.0], penalty=1.0, min_size=0), "min_size must be at least 1"),
        (lambda: change_points([1.0], penalty=1.0, scale=-1.0), "scale must be finite and at"),
        (lambda: null_penalty(1), "blocks must be at least 2, found 1"),
        (lambda: null_penalty(9, level=0.0), "level must lie strictly between 0 and 1"),
        (lambda: largest_gain(np.zeros((1, 4)), 0), "min_size must be at least 1, found 0"),
    ],
)
def test_change_points_refuse(call, message):
    with pytest.raises(ValueError, match=message):
        call()

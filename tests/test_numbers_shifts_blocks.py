"""Blocks of rounds and the noise of a series, against loops, statsmodels and known laws."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.sandwich_covariance import cov_hac

from audit.numbers.shifts.blocks import block_means, blocks_of
from audit.numbers.shifts.noise import (
    autocorrelation,
    bandwidth,
    difference_scale,
    effective_size,
    long_run_scale,
)

finite = st.floats(-1e3, 1e3).map(lambda value: round(value, 3))
series = st.lists(finite, min_size=3, max_size=40)


def autoregression(size: int, slope: float, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    values = rng.standard_normal(size)
    for at in range(1, size):
        values[at] += slope * values[at - 1]
    return values[100:]


@pytest.mark.parametrize(
    ("rounds", "size", "sizes"),
    [(6, 2, [2, 2, 2]), (7, 3, [3, 4]), (8, 3, [3, 3, 2]), (1, 5, [1]), (2, 5, [2]), (0, 5, [])],
)
def test_a_last_part_shorter_than_half_a_block_joins_the_block_before(rounds, size, sizes):
    labels = blocks_of(rounds, size)
    assert np.bincount(labels).tolist() == sizes


@given(st.lists(st.tuples(st.integers(0, 6), finite), min_size=1, max_size=40))
def test_means_are_those_of_each_label_and_labels_without_a_round_are_counted(pairs):
    labels = sorted(label for label, _ in pairs)
    values = [value for _, value in pairs]
    found = block_means(values, np.array(labels))
    by_label: dict[int, list[float]] = {}
    for label, value in zip(labels, values, strict=True):
        by_label.setdefault(label, []).append(value)
    assert found.means == pytest.approx([sum(v) / len(v) for v in by_label.values()])
    assert found.sizes.tolist() == [len(each) for each in by_label.values()]
    assert [labels[at] for at in found.starts] == list(by_label)
    assert found.empty == max(labels) - min(labels) + 1 - len(found)


def test_no_rounds_have_no_blocks():
    assert len(block_means([], np.zeros(0, dtype=int))) == 0


@pytest.mark.parametrize(
    ("values", "blocks", "message"),
    [
        ([1.0, math.nan], [0, 0], "values must be finite, found nan"),
        ([1.0, 2.0], [0], "lengths must agree"),
        ([1.0, 2.0], [1, 0], "blocks must not fall, found 0 after 1"),
        ([1.0, 2.0], [0.0, 1.0], "blocks must hold whole numbers, found dtype float64"),
    ],
)
def test_blocks_refuse(values, blocks, message):
    with pytest.raises(ValueError, match=message):
        block_means(values, np.array(blocks))


def test_a_block_has_at_least_one_round():
    with pytest.raises(ValueError, match="size must be at least 1, found 0"):
        blocks_of(3, 0)


@pytest.mark.parametrize(("slope", "expected"), [(0.0, 1.0), (0.3, 1 / 0.7), (-0.5, 1 / 1.5)])
def test_the_long_run_scale_is_that_of_the_innovations_over_one_less_the_slope(slope, expected):
    values = autoregression(40_100, slope, 3)
    assert long_run_scale(values) == pytest.approx(expected, rel=0.05)
    ratio = (1 - slope) / (1 + slope)
    assert effective_size(values) == pytest.approx(40_000 * min(1.0, ratio), rel=0.1)
    assert autocorrelation(values) == pytest.approx(slope, abs=0.02)


def test_the_long_run_scale_of_a_moving_average_is_the_sum_of_its_weights():
    noise = np.random.default_rng(4).standard_normal(40_003)
    values = noise[3:] + 0.5 * noise[2:-1] + 0.25 * noise[1:-2]
    assert long_run_scale(values) == pytest.approx(1.75, rel=0.06)


def test_bartlett_weights_are_those_of_statsmodels_around_the_prewhitened_series():
    values = autoregression(600, 0.4, 5)
    away = values - values.mean()
    slope = (away[1:] @ away[:-1]) / (away[:-1] @ away[:-1])
    white = away[1:] - slope * away[:-1]
    fit = OLS(white, np.ones_like(white)).fit()
    lags = bandwidth(len(values))
    variance = cov_hac(fit, nlags=lags)[0, 0] * len(white) ** 2 / (len(values) - 2)
    correction = len(white) / (len(white) - 1)  # statsmodels counts the mean as a parameter
    expected = math.sqrt(variance / correction) / (1 - slope)
    assert long_run_scale(values) == pytest.approx(expected, rel=1e-9)


@given(series, st.floats(0.1, 10.0), finite)
def test_scales_ignore_the_level_and_follow_the_unit(values, unit, level):
    found, moved = np.array(values), unit * np.array(values) + level
    if np.ptp(found) < 1.0:
        return
    assert long_run_scale(moved) == pytest.approx(unit * long_run_scale(found), rel=1e-5, abs=1e-6)
    assert difference_scale(moved) == pytest.approx(
        unit * difference_scale(found), rel=1e-6, abs=1e-9
    )
    assert difference_scale(found[::-1]) == pytest.approx(float(difference_scale(found)))


def test_a_step_hardly_moves_the_scale_of_differences_and_doubles_the_deviation():
    noise = np.random.default_rng(6).standard_normal(400)
    stepped = noise + 4.0 * (np.arange(400) >= 200)
    assert difference_scale(stepped) == pytest.approx(float(difference_scale(noise)), rel=0.03)
    assert stepped.std() > 2.0 * noise.std()


def test_scales_without_anything_to_go_by():
    assert math.isnan(long_run_scale([1.0, 2.0]))
    assert long_run_scale([5.0] * 9) == 0.0
    assert math.isnan(effective_size([5.0] * 9))
    assert math.isnan(autocorrelation([5.0] * 9))
    with pytest.raises(ValueError, match="means must hold at least 2 values a row"):
        difference_scale([1.0])
    with pytest.raises(ValueError, match="means must be finite, found inf"):
        difference_scale([1.0, math.inf])

"""An advantage that changes sides: the source's rule enumerated, the test against loops."""

from __future__ import annotations

import math
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from audit.numbers.estimate import Undefined
from audit.numbers.shifts.signature import Run, signature, source_rule, source_rule_rate

advantages = st.lists(st.integers(-40, 40).map(lambda v: v / 4.0), min_size=4, max_size=16)


@pytest.mark.parametrize(
    ("means", "alternations", "runs", "fires"),
    [
        ([], 0, 0, False),
        ([0.0, 0.0], 0, 0, False),
        ([1.0, 2.0], 0, 1, False),
        ([1.0, -1.0, -2.0], 1, 2, False),
        ([1.0, 0.0, 1.0, 0.0, 1.0], 0, 1, False),
        ([1.0, 0.0, -1.0, 0.0, 0.5], 2, 3, True),
    ],
)
def test_the_source_rule_counts_changes_of_sign(means, alternations, runs, fires):
    found = source_rule(means)
    assert (found.alternations, found.runs, found.fires) == (alternations, runs, fires)


@pytest.mark.parametrize("blocks", range(11))
@pytest.mark.parametrize("share", [0.0, 0.5, 0.7, 1.0])
def test_how_often_the_source_rule_fires_on_noise_is_that_of_all_signs(blocks, share):
    expected = 0.0
    for signs in product((1.0, -1.0), repeat=blocks):
        ups = signs.count(1.0)
        chance = share**ups * (1 - share) ** (blocks - ups)
        expected += chance * source_rule(signs).fires
    assert source_rule_rate(blocks, share) == pytest.approx(expected, abs=1e-12)


def test_the_source_rule_fires_on_nearly_all_noise_of_twenty_blocks():
    assert source_rule_rate(4) == 0.5
    assert source_rule_rate(20) == pytest.approx(1 - 20 / 2**19)
    drawn = np.random.default_rng(1).standard_normal((500, 20))
    assert sum(source_rule(each).fires for each in drawn) == 500


def closest(means: np.ndarray) -> float:
    """Return the closeness to any square wave of three runs or more, by a loop."""
    size, best = len(means), 0.0
    for length in range(1, size // 3 + 1):
        for phase in range(2 * length):
            wave = [1 if (at + phase) // length % 2 else -1 for at in range(size)]
            assert 1 + sum(a != b for a, b in pairwise(wave)) >= 3
            overlap = sum(w * m for w, m in zip(wave, means, strict=True))
            best = max(best, overlap)
    return best / math.sqrt(size * sum(means**2))


@given(advantages)
@settings(max_examples=60, deadline=None)
def test_the_statistic_is_the_closeness_to_the_best_square_wave(values):
    found = signature(values)
    if found.test.reason is not None:
        assert len(set(values)) == 1
        return
    assert found.test.statistic == pytest.approx(closest(np.array(values)))
    assert found.test.p == max(found.wave_p, found.high_p, found.low_p)
    assert [run.start for run in found.runs] == [0, *(run.end for run in found.runs[:-1])]
    assert found.runs[-1].end == len(values)
    assert all(run.end - run.start <= found.length for run in found.runs)
    for run in found.runs:
        assert run.mean == pytest.approx(float(np.mean(values[run.start : run.end])))


@given(advantages, st.floats(0.1, 10.0))
@settings(max_examples=40, deadline=None)
def test_swapped_agents_another_unit_and_the_reverse_say_the_same(values, unit):
    here, swapped, scaled, back = (
        signature(each)
        for each in (values, [-v for v in values], [unit * v for v in values], values[::-1])
    )
    assert here.test.reason is swapped.test.reason is scaled.test.reason is back.test.reason
    if here.test.reason is None:
        for other in (swapped, scaled, back):
            assert other.test.statistic == pytest.approx(here.test.statistic)
        assert scaled.test.p == pytest.approx(here.test.p)
        # The wave may be another of several alike close ones, and drawn orders are not mirrored.
        assert swapped.wave_p == pytest.approx(here.wave_p, abs=0.05)
        assert back.wave_p == pytest.approx(here.wave_p, abs=0.05)


@pytest.mark.parametrize("length", [1, 2, 3, 4, 6])
def test_a_planted_alternation_is_seen_with_its_runs(length):
    wave = 1.0 - 2.0 * (np.arange(20) // length % 2)
    found = signature(10.0 * wave + np.random.default_rng(length).standard_normal(20))
    assert found.test.p < 0.01
    assert found.length == length
    assert len(found.runs) == math.ceil(20 / length)
    assert isinstance(found.runs[0], Run)
    assert np.sign([run.mean for run in found.runs]).tolist() == [
        1 - 2 * (number % 2) for number in range(len(found.runs))
    ]


@pytest.mark.parametrize(
    "shape",
    [
        np.full(20, 10.0),
        10.0 + 5.0 * (1 - 2 * (np.arange(20) % 2)),
        10.0 * np.sign(np.arange(20) - 9.5),
        np.linspace(-10.0, 10.0, 20),
    ],
    ids=["one leads", "one leads by more and by less", "one change of sides", "a trend"],
)
def test_what_does_not_change_sides_to_and_fro_is_no_signature(shape):
    found = signature(shape + np.random.default_rng(2).standard_normal(20))
    assert found.test.p > 0.2


def test_both_sides_are_tested_by_student():
    means = np.array([3.0, -1.0, 4.0, -2.0, 5.0, -1.5, 3.5, -0.5])
    found = signature(means)
    assert found.length == 1
    assert found.high_p == pytest.approx(
        stats.ttest_1samp(means[::2], 0, alternative="greater").pvalue
    )
    assert found.low_p == pytest.approx(
        stats.ttest_1samp(means[1::2], 0, alternative="less").pvalue
    )


def test_sides_that_never_vary_are_as_clear_as_can_be():
    found = signature([2.0, -2.0] * 5)
    assert (found.high_p, found.low_p) == (0.0, 0.0)
    assert found.test.statistic == pytest.approx(1.0)


@pytest.mark.slow
@pytest.mark.parametrize("correlation", [-0.2, 0.0, 0.2])
def test_the_wave_keeps_its_level_on_noise(correlation):
    rng = np.random.default_rng(9)
    fresh, called = math.sqrt(1 - correlation**2), 0
    for _ in range(300):
        drawn = rng.standard_normal(20)
        for at in range(1, 20):
            drawn[at] = correlation * drawn[at - 1] + fresh * drawn[at]
        called += signature(drawn).wave_p <= 0.05
    assert called <= 26  # 15 are expected at most; 3 standard errors


def test_few_blocks_constant_ones_and_bad_values():
    assert signature([1.0, -1.0, 1.0]).test.reason is Undefined.TOO_FEW
    assert signature([3.0] * 8).test.reason is Undefined.NO_SPREAD
    with pytest.raises(ValueError, match="advantage must be finite, found nan"):
        signature([1.0, math.nan, 1.0, 2.0])
    with pytest.raises(ValueError, match=r"share must lie in \[0, 1\], found 1.5"):
        source_rule_rate(3, 1.5)

"""The worst kinds of series without a shift, again; and that spoilt tests do not pass for sound."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from audit.numbers.shifts import detector
from audit.numbers.shifts.blocks import block_means, blocks_of
from benchmarks import arms_race
from benchmarks.arms_race import (
    KINDS,
    LONG,
    PLANTED,
    WORLDS,
    WORST,
    autoregressive,
    main,
    most,
    opening,
    planted,
    points,
    runs_of,
    scripted,
)
from games.cohort.signal import SignalAgent

HONEST = SignalAgent.TRUTHFUL


def test_what_is_allowed_of_fewer_runs_is_in_proportion():
    assert (most(1_000), most(100), most(10)) == (65, 6, 0)


def test_autoregressions_correlate_as_asked_and_keep_their_deviation():
    one, two = autoregressive(20_000, np.random.default_rng(1), 0.6)
    assert np.corrcoef(one[1:], one[:-1])[0, 1] == pytest.approx(0.6, abs=0.03)
    assert one.std() == pytest.approx(60.0, rel=0.05)
    assert np.corrcoef(one, two)[0, 1] == pytest.approx(0.0, abs=0.05)


def test_openers_alternate():
    at = opening(20, np.random.default_rng(1))
    openers = [WORLDS[world].opener for world in at]
    assert all(a is not b for a, b in pairwise(openers))


def test_points_are_those_of_rounds_in_every_world_and_always_the_same(monkeypatch):
    monkeypatch.setattr(arms_race, "PLAYED", 3)
    points.cache_clear()
    try:
        found = points(HONEST, HONEST)
        points.cache_clear()
        assert (points(HONEST, HONEST) == found).all()
        assert found.shape == (16, 3, 2)
        one, two = scripted(50, np.random.default_rng(1), found)
        assert set(zip(one, two, strict=True)) <= set(map(tuple, found.reshape(-1, 2).tolist()))
        shift = PLANTED["sides change every 4 blocks"]
        with_it, without = (planted(shift, e, np.random.default_rng(2)) for e in (30.0, 0.0))
        gap = (with_it.values - with_it.against) - (without.values - without.against)
        means = block_means(gap, blocks_of(*LONG)).means
        assert np.sign(means).tolist() == ([1.0] * 4 + [-1.0] * 4) * 2 + [1.0] * 4
        assert np.abs(gap) == pytest.approx(30.0)
    finally:
        points.cache_clear()


@pytest.mark.slow
def test_the_worst_kinds_stay_within_what_is_allowed(capsys):
    assert main(["--kinds", "worst", "--runs", "100"]) == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in WORST)


@pytest.mark.slow
def test_a_halved_penalty_is_noticed(monkeypatch):
    whole = detector.null_penalty
    monkeypatch.setattr(detector, "null_penalty", lambda *a, **k: whole(*a, **k) / 2.0)
    assert main(["--kinds", "worst", "--runs", "100"]) == 1


@pytest.mark.slow
def test_tests_that_are_not_corrected_are_noticed(monkeypatch):
    class Uncorrected:
        def __init__(self, p_values, _):
            self.p = np.asarray(p_values)

    monkeypatch.setattr(detector, "adjusted", Uncorrected)
    assert main(["--kinds", "worst", "--runs", "100"]) == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_shift_is_mostly_seen(name):
    assert sum(run.shifted for run in runs_of(name, 50, 1)) >= 35  # 40 are expected at least


def test_every_kind_is_named_once():
    assert len(KINDS) == 16
    assert set(WORST) <= set(KINDS)

"""Pooling completed data sets: Rubin's rule by hand, limits, coverage, every message."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from audit.numbers.estimate import Undefined
from audit.numbers.rubin import pooled

few = settings(max_examples=60, deadline=None)
sets = st.lists(st.tuples(st.floats(-5, 5), st.floats(0.01, 4)), min_size=2, max_size=20)


@few
@given(sets)
def test_the_rule_by_hand(rows):
    values, variances = (np.array(side) for side in zip(*rows, strict=True))
    found, m = pooled(values, variances, 9), len(rows)
    between = (1 + 1 / m) * values.var(ddof=1)
    total = variances.mean() + between
    freedom = (m - 1) / max(between / total, 1e-6) ** 2
    half = stats.t.ppf(0.975, freedom) * math.sqrt(total)
    assert found.value == pytest.approx(values.mean())
    assert found.interval.width == pytest.approx(2 * half, rel=1e-6)


def test_without_between_variance_it_is_normal():
    found = pooled([0.3, 0.3, 0.3], [0.01, 0.01, 0.01], 9)
    assert found.interval.width == pytest.approx(2 * 1.959964 * 0.1, rel=1e-5)


def test_means_with_values_missing_at_random_are_covered():
    rng, held = np.random.default_rng(1), 0
    for _ in range(300):
        seen = rng.normal(size=40)
        completed = []
        for _ in range(10):
            sd = seen.std(ddof=1) * math.sqrt(39 / rng.chisquare(39))
            mean = rng.normal(seen.mean(), sd / math.sqrt(40))
            completed.append(np.concatenate([seen, rng.normal(mean, sd, 40)]))
        values = [x.mean() for x in completed]
        held += 0.0 in pooled(values, [x.var(ddof=1) / 80 for x in completed], 80).interval
    assert 0.92 <= held / 300 <= 0.98


def test_undefined_and_refused():
    assert pooled([0.3], [0.1], 9).reason is Undefined.TOO_FEW
    same = pooled([0.3, 0.3], [0.0, 0.0], 9)
    assert (same.value, same.interval, same.reason) == (0.3, None, Undefined.NO_SPREAD)
    for variances in ([0.1], [0.1, -0.1]):
        with pytest.raises(ValueError, match="variances must be one a value, each at least 0"):
            pooled([0.3, 0.4], variances, 9)
    with pytest.raises(ValueError, match="values must be finite"):
        pooled([0.3, math.nan], [0.1, 0.1], 9)

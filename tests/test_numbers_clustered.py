"""Resampled clusters: all of them against brute force, drawn ones against all, every message."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.numbers.clustered import clustered_interval

few = settings(max_examples=25, deadline=None)


def mean(sums):
    with np.errstate(invalid="ignore"):
        return sums[:, 0] / sums[:, 1]


def items(values):
    return np.column_stack([values, np.ones(len(values))]).astype(float)


def brute(values, cluster, tail):
    """Return the two quantiles of the mean over every ordered resample of clusters."""
    clusters = [np.flatnonzero(np.array(cluster) == c) for c in sorted(set(cluster))]
    found = []
    for chosen in product(clusters, repeat=len(clusters)):
        taken = np.concatenate(chosen)
        found.append(np.mean(np.array(values)[taken]))
    found.sort()
    ranks = [int(np.ceil(q * len(found) - 1e-9)) - 1 for q in (tail, 1 - tail)]
    return [found[max(rank, 0)] for rank in ranks]


@few
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), min_size=4, max_size=10))
def test_every_resample_is_that_of_brute_force(rows):
    names = sorted({c for _, c in rows})
    cluster = [names.index(c) for _, c in rows]
    values = [v for v, _ in rows]
    found = clustered_interval(mean, items(values), cluster, np.random.default_rng(0))
    assert found.clusters == len(names)
    if found.interval is None:
        totals = {(sum(v for v, c in rows if c == n), sum(c == n for _, c in rows)) for n in names}
        assert len(names) == 1 or len({a / b for a, b in totals}) == 1
        return
    expected = brute(values, cluster, 0.025)
    assert (found.interval.low, found.interval.high) == pytest.approx(expected)
    assert found.low_band.width == found.high_band.width == 0
    assert "every resample" in found.interval.method


def test_drawn_resamples_lie_within_their_band():
    rng = np.random.default_rng(5)
    values, cluster = rng.integers(0, 2, 12), np.arange(12)
    listed = clustered_interval(mean, items(values), cluster, rng)
    noisy = items(values) + np.column_stack([rng.random(12) * 1e-6, np.zeros(12)])
    drawn = clustered_interval(mean, noisy, cluster, rng, draws=2_000)
    assert "2000 resamples" in drawn.interval.method
    assert drawn.low_band.low - 1e-5 <= listed.interval.low <= drawn.low_band.high + 1e-5
    assert drawn.high_band.low - 1e-5 <= listed.interval.high <= drawn.high_band.high + 1e-5
    assert drawn.low_band.width > 0


def test_strata_are_resampled_apart():
    """Two strata, alike within and unlike between: only their mixing would give any spread."""
    values, cluster = [0, 0, 0, 1, 1, 1], range(6)
    mixed = clustered_interval(mean, items(values), cluster, np.random.default_rng(1))
    assert mixed.interval.width > 0.5
    apart = clustered_interval(
        mean, items(values), cluster, np.random.default_rng(1), stratum=[0, 0, 0, 1, 1, 1]
    )
    assert apart.interval is None


def test_undefined_resamples_are_told():
    def share(sums):
        with np.errstate(invalid="ignore"):
            return sums[:, 0] / (sums[:, 0] + sums[:, 1])

    sums = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    found = clustered_interval(share, sums, [0, 1, 2], np.random.default_rng(1))
    assert found.undefined == pytest.approx(1 / 27)
    assert "3.70% of them undefined" in found.interval.method


def test_one_cluster_or_none_has_no_interval():
    rng = np.random.default_rng(1)
    assert clustered_interval(mean, items([0, 1]), [0, 0], rng).interval is None
    assert clustered_interval(mean, items([]), np.array([], dtype=int), rng).clusters == 0


def test_refused():
    rng = np.random.default_rng(1)
    with pytest.raises(ValueError, match="stratum must be one a cluster, found 1 for 2"):
        clustered_interval(mean, items([0, 1]), [0, 1], rng, stratum=[0])
    with pytest.raises(ValueError, match="lengths must agree"):
        clustered_interval(mean, items([0, 1]), [0], rng)
    with pytest.raises(ValueError, match=r"cluster must lie in \[0, 2\), found 5"):
        clustered_interval(mean, items([0, 1]), [0, 5], rng)

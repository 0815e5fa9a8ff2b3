"""Where a printed pairing stands among all: by hand, by scipy, every message."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from audit.printed.coincidence import PairStatistic, caveat, pairings

V1 = [1653.20, 1648.93, 1670.56, 1701.77, 1710.23, 1664.18]
V2 = [1601.07, 1603.24, 1582.05, 1557.72, 1551.64, 1589.10]
few = settings(max_examples=30, deadline=None)
ORACLES = {
    PairStatistic.SD_OF_MEANS: lambda x, y: np.std((x + y) / 2),
    PairStatistic.SAMPLE_SD_OF_MEANS: lambda x, y: np.std((x + y) / 2, ddof=1),
    PairStatistic.RANGE_OF_MEANS: lambda x, y: np.ptp((x + y) / 2),
    PairStatistic.PEARSON: lambda x, y: stats.pearsonr(x, y)[0],
    PairStatistic.SPEARMAN: lambda x, y: stats.spearmanr(x, y)[0],
}


@pytest.mark.parametrize("statistic", list(PairStatistic))
@few
@given(pairs=st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=3, max_size=5))
def test_every_pairing_against_brute_force(statistic, pairs):
    one, other = (np.array(side, dtype=float) for side in zip(*pairs, strict=True))
    assume(np.ptp(one) > 0 and np.ptp(other) > 0)
    found = pairings(one, other, statistic)
    oracle = [ORACLES[statistic](one, np.array(order)) for order in permutations(other)]
    seen = ORACLES[statistic](one, other)
    assert found.values == pytest.approx(sorted(oracle), abs=1e-9)
    assert found.published == pytest.approx(seen, abs=1e-9)
    assert found.at_most == sum(value <= seen + 1e-9 for value in oracle)
    assert found.at_least == sum(value >= seen - 1e-9 for value in oracle)
    assert found.total == math.factorial(len(one))
    assert found.rank == 1 + sum(value < seen - 1e-9 for value in oracle)
    if statistic in (PairStatistic.PEARSON, PairStatistic.SPEARMAN):
        assert found.share_as_far == np.mean([abs(value) >= abs(seen) - 1e-9 for value in oracle])
    else:
        assert found.share_as_far is None


def test_the_smallest_of_720():
    found = pairings(V1, V2, PairStatistic.SD_OF_MEANS)
    assert (found.total, found.rank, found.at_most) == (720, 1, 1)
    assert found.share_at_most == 1 / 720
    assert found.share_at_least == 1.0
    assert (found.least, found.median, found.most) == pytest.approx((1.85, 15.0, 21.1), abs=0.05)
    assert found.following == pytest.approx(2.05, abs=5e-3)
    assert found.within(1.9) == 1


def test_the_other_divisor():
    found = pairings(V1, V2, PairStatistic.SAMPLE_SD_OF_MEANS)
    assert found.published == pytest.approx(2.029, abs=5e-4)
    assert found.within(1.9) == 0


def test_nothing_follows_the_largest():
    assert math.isnan(pairings([1, 2, 3], [1, 2, 4], PairStatistic.PEARSON).following)


def test_the_caveat():
    found = pairings(V1, V2, PairStatistic.SD_OF_MEANS)
    assert caveat(found).startswith("with one way of looking, 0.0014 such arrangements")
    assert caveat(found, 20).startswith("with 20 ways of looking, 0.028 such arrangements")
    with pytest.raises(ValueError, match="must be at least 1 way of looking, found 0"):
        caveat(found, 0)


@pytest.mark.parametrize(
    ("one", "other", "rule"),
    [
        ([1, 2], [1, 2, 3], "must join columns of one length, found 2 and 3"),
        ([1], [1], "must hold 2 to 8 rows to be paired, found 1"),
        (range(9), range(9), "must hold 2 to 8 rows to be paired, found 9"),
        ([1, 1], [1, 2], "must hold columns that vary"),
    ],
)
def test_refused(one, other, rule):
    with pytest.raises(ValueError, match=rule):
        pairings(one, other, PairStatistic.PEARSON)


def test_an_unknown_statistic():
    with pytest.raises(ValueError, match="magic"):
        pairings([1, 2], [1, 2], "magic")

"""Orders, trends and halves: against all permutations, scipy and closed forms."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from audit.numbers.estimate import Undefined
from audit.numbers.shifts import orders as orders_module
from audit.numbers.shifts.halves import halves
from audit.numbers.shifts.orders import ALLOWED, DRAWS, Law, largest_p, laws, orders, paths
from audit.numbers.shifts.trends import trend

means = st.lists(st.integers(-9, 9).map(float), min_size=2, max_size=12)


def places(size: int) -> np.ndarray:
    return np.arange(size)


def only_exchangeable(law: tuple[Law, ...]) -> Law:
    return law[ALLOWED.index(0.0)]


def test_few_blocks_have_all_their_orders_and_many_have_those_of_normal_series():
    assert sorted(map(tuple, orders(4, 0.0).tolist())) == sorted(permutations(range(4)))
    drawn = orders(9, 0.2)
    assert drawn.shape == (DRAWS, 9)
    assert (np.sort(drawn, axis=1) == np.arange(9)).all()


@pytest.mark.parametrize("correlation", ALLOWED)
def test_normal_series_correlate_as_asked_at_every_place(correlation):
    drawn = paths(8, correlation)
    found = np.corrcoef(drawn.T)
    expected = correlation ** np.abs(places(8)[:, None] - places(8))
    assert found == pytest.approx(expected, abs=0.05)
    assert drawn.std(axis=0) == pytest.approx(1.0, abs=0.04)


def test_orders_of_few_blocks_are_as_likely_as_quadrature_says():
    # Of three normal values that correlate by r and r², the chance of rising is an orthant's.
    r = 0.2
    sigma = math.sqrt(2 - 2 * r)
    slope = (r - 1 - r**2 + r) / sigma**2
    rising = 0.25 + math.asin(slope) / (2 * math.pi)
    share = (np.diff(orders(3, r), axis=1) > 0).all(axis=1).mean()
    assert share == pytest.approx(rising, abs=0.015)


def test_shares_count_what_is_as_large_up_to_rounding():
    law = Law(np.array([0.1, 0.3 - 1e-12, 0.3, 0.7]), enumerated=True)
    assert law.share(0.3) == 0.75
    assert law.share(0.8) == 0.0
    assert Law(law.values, enumerated=False).share(0.8) == 0.2
    assert largest_p((law, Law(np.array([0.9]), enumerated=True)), 0.8) == 1.0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: paths(0, 0.1), "blocks must be at least 1, found 0"),
        (lambda: paths(3, 1.0), "correlation must lie strictly between -1 and 1, found 1.0"),
    ],
)
def test_orders_refuse(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.fixture
def exchangeable(monkeypatch):
    """Leave the correlation of 0 alone, which is the permutation test of the books."""
    monkeypatch.setattr(orders_module, "ALLOWED", (0.0,))
    from audit.numbers.shifts import halves as halves_module
    from audit.numbers.shifts import trends as trends_module

    for module in (halves_module, trends_module):
        module._laws.cache_clear()
    yield
    for module in (halves_module, trends_module):
        module._laws.cache_clear()


@given(st.lists(st.integers(0, 9).map(float), min_size=3, max_size=6))
@settings(max_examples=25, deadline=None)
def test_the_trend_of_few_blocks_is_the_exact_permutation_test(values):
    found = trend(values, places(len(values)))
    if found.test.reason is not None:
        assert len(set(values)) == 1
        return
    ranks, at = stats.rankdata(values), places(len(values))
    every = np.array([np.corrcoef(at, each)[0, 1] for each in set(permutations(ranks))])
    rho = np.corrcoef(at, ranks)[0, 1]
    exact = (abs(every) >= abs(rho) - 1e-9).mean()  # distinct orders are alike likely
    assert found.test.statistic == pytest.approx(rho)
    law = laws(np.sort(ranks), lambda rows: np.abs(rows @ (at - at.mean())))
    seen = abs(float(ranks @ (at - at.mean())))
    assert only_exchangeable(law).share(seen) == pytest.approx(exact)
    assert found.test.p == pytest.approx(max(each.share(seen) for each in law))
    assert found.test.p >= exact - 1e-9


def test_the_trend_of_many_blocks_is_that_of_scipy_where_orders_are_alike(exchangeable):
    rng = np.random.default_rng(1)
    for _ in range(5):
        values = rng.standard_normal(25) + 0.03 * places(25)
        book = stats.spearmanr(places(25), values)
        found = trend(values, places(25)).test
        assert found.statistic == pytest.approx(book.statistic)
        assert found.p == pytest.approx(book.pvalue, abs=0.02)


def test_the_halves_of_many_blocks_are_those_of_scipy_where_orders_are_alike(exchangeable):
    rng = np.random.default_rng(2)
    for _ in range(5):
        values = rng.standard_normal(24) + 0.5 * (places(24) > 11)
        book = stats.mannwhitneyu(values[12:], values[:12], method="exact")
        found = halves(values, places(24)).test
        assert found.statistic == pytest.approx(book.statistic / 144)
        assert found.p == pytest.approx(book.pvalue, abs=0.02)


def test_halves_of_six_blocks_are_enumerated(exchangeable):
    found = halves([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], places(6)).test
    assert found.p == pytest.approx(2 / math.comb(6, 3))
    assert found.statistic == 1.0


def test_what_is_allowed_for_only_ever_raises_a_p_value(monkeypatch):
    values = np.random.default_rng(3).standard_normal(20) + 0.05 * places(20)
    wide = trend(values, places(20)).test.p
    law = laws(np.sort(stats.rankdata(values)), lambda rows: np.abs(rows @ (places(20) - 9.5)))
    rho = abs(float(stats.rankdata(values) @ (places(20) - 9.5)))
    assert wide == pytest.approx(max(each.share(rho) for each in law))
    assert wide > only_exchangeable(law).share(rho)


@given(means, st.floats(0.1, 20.0), st.floats(-100.0, 100.0))
@settings(max_examples=50, deadline=None)
def test_trends_and_halves_ignore_level_and_unit_and_turn_round(values, unit, level):
    found, at = np.array(values), places(len(values))
    for test, middle in ((trend, 0.0), (halves, 0.5)):
        here, moved, back = (test(each, at) for each in (found, unit * found + level, found[::-1]))
        assert moved.test.reason is here.test.reason is back.test.reason
        if here.test.reason is None:
            assert moved.test.p == pytest.approx(here.test.p)
            assert moved.test.statistic == pytest.approx(here.test.statistic)
            assert back.test.statistic - middle == pytest.approx(middle - here.test.statistic)
            assert back.test.p == pytest.approx(here.test.p, abs=0.03)
            assert 0.0 < here.test.p <= 1.0


def test_rounds_are_tested_by_the_means_of_their_blocks_and_naively_beside():
    rng = np.random.default_rng(4)
    blocks = np.repeat(places(20), 50)
    values = rng.standard_normal(1_000) + rng.standard_normal(20)[blocks]
    drift, half = trend(values, blocks), halves(values, blocks)
    by_block = values.reshape(20, 50).mean(axis=1)
    assert drift.test == trend(by_block, places(20)).test
    assert half.test == halves(by_block, places(20)).test
    assert drift.naive_p == pytest.approx(stats.spearmanr(np.arange(1_000), values).pvalue)
    book = stats.mannwhitneyu(values[500:], values[:500], method="asymptotic")
    assert half.naive_p == pytest.approx(book.pvalue)


def test_effects_are_a_slope_and_a_difference_with_the_intervals_of_the_books():
    rng = np.random.default_rng(5)
    values = rng.standard_normal(20) + 0.1 * places(20)
    slope = trend(values, places(20)).slope
    book = stats.theilslopes(values, alpha=0.95)
    assert (slope.value, slope.interval.low, slope.interval.high) == pytest.approx(
        (book.slope, book.low_slope, book.high_slope)
    )
    gap = halves(values, places(20)).difference
    student = stats.ttest_ind(values[10:], values[:10]).confidence_interval()
    assert (gap.interval.low, gap.interval.high) == pytest.approx((student.low, student.high))


def test_the_middle_one_of_an_odd_number_of_blocks_is_left_out_and_counted():
    values = np.array([0.0, 1.0, 2.0, 500.0, 7.0, 6.0, 8.0])
    found = halves(values, places(7))
    assert found.difference.value == pytest.approx(6.0)
    assert (found.difference.counts_in, found.difference.counts_out) == (6, 1)
    assert found.naive_p == pytest.approx(
        stats.mannwhitneyu([7, 6, 8], [0, 1, 2], method="asymptotic").pvalue
    )


@pytest.mark.parametrize(("test", "least"), [(trend, 3), (halves, 4)])
def test_too_few_blocks_and_constant_ones_have_no_p(test, least):
    assert test(np.arange(least - 1.0), places(least - 1)).test.reason is Undefined.TOO_FEW
    assert test(np.ones(9), places(9)).test.reason is Undefined.NO_SPREAD
    assert test(np.arange(float(least)), places(least)).test.reason is None
    assert test([], np.zeros(0, dtype=int)).test.reason is Undefined.TOO_FEW


@pytest.mark.parametrize("test", [trend, halves])
def test_trends_and_halves_refuse_what_is_not_finite(test):
    with pytest.raises(ValueError, match="values must be finite, found nan"):
        test([1.0, math.nan, 2.0, 3.0], places(4))

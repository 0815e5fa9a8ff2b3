"""Prediction-powered means, compounding and errors that differ: published values, identities."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.numbers.compounding import compounded
from audit.numbers.differential import ErrorRates, corrected_odds_ratio, tipping_error
from audit.numbers.estimate import Undefined
from audit.numbers.misclassified import clipped, corrected_share, plug_in_share
from audit.numbers.predicted import predicted_difference, predicted_mean
from audit.numbers.proportion import difference

CASES = Path(__file__).parent / "cases" / "known_answers_raters.json"
KNOWN = {case["id"]: case for case in json.loads(CASES.read_text("utf-8"))["vectors"]}
few = settings(max_examples=60, deadline=None)
numbers = st.lists(st.floats(-5, 5), min_size=2, max_size=20)


def test_a_constant_error_is_taken_off():
    """Predictions two too high everywhere: the mean is that of the labels, 0."""
    labels = np.random.default_rng(1).normal(size=30)
    labels -= labels.mean()
    found = predicted_mean(labels, labels + 2.0, np.full(500, 2.0))
    assert found.value == pytest.approx(0.0, abs=1e-12)


@few
@given(numbers)
def test_without_predictions_it_is_the_mean(labels):
    found = predicted_mean(labels, np.zeros(len(labels)), np.zeros(99))
    assert found.value == pytest.approx(np.mean(labels), abs=1e-9)
    if found.interval is not None:
        half = 1.959964 * np.std(labels, ddof=1) / math.sqrt(len(labels))
        assert found.interval.width / 2 == pytest.approx(half, rel=1e-5)


@few
@given(numbers, numbers)
def test_a_perfect_judge_leaves_only_the_error_of_all_items(labels, everything):
    found = predicted_mean(labels, labels, everything)
    assert found.value == pytest.approx(np.mean(everything), abs=1e-9)


@few
@given(numbers, st.integers(1, 4))
def test_a_common_weight_changes_nothing(labels, weight):
    known = (labels, np.zeros(len(labels)), np.arange(9.0))
    one, two = predicted_mean(*known), predicted_mean(*known, weights=[weight] * len(labels))
    assert one.value == pytest.approx(two.value)
    assert (one.interval is None) == (two.interval is None)


def test_the_weighted_mean_is_unbiased_over_all_samples_of_a_small_population():
    """Every pair of four items, drawn with unlike odds, weighted by them, gives the mean."""
    truth, judge = np.array([1.0, 0.0, 0.0, 1.0]), np.array([1.0, 1.0, 0.0, 0.0])
    # One of the first two at 0.9 and 0.1, one of the others at even odds.
    total = 0.0
    for (i, p), (j, q) in [((a, x), (b, 0.5)) for a, x in ((0, 0.9), (1, 0.1)) for b in (2, 3)]:
        drawn, odds = [i, j], np.array([p, q])
        heavy = (truth[drawn] - judge[drawn]) / odds
        total += p * q * (judge.mean() + heavy.sum() / 4)
    assert total == pytest.approx(truth.mean())


def test_a_difference_adds_variances():
    rng = np.random.default_rng(2)
    parts = [(rng.normal(size=20), rng.normal(size=20), rng.normal(size=90)) for _ in range(2)]
    one, two = (predicted_mean(*part) for part in parts)
    found = predicted_difference(*parts)
    assert found.value == pytest.approx(one.value - two.value)
    assert found.interval.width == pytest.approx(math.hypot(one.interval.width, two.interval.width))


def test_predicted_coverage():
    rng, held = np.random.default_rng(3), 0
    for _ in range(400):
        truth = rng.random(800) < 0.3
        judge = np.where(rng.random(800) < 0.9, truth, ~truth).astype(float)
        drawn = rng.choice(800, 200, replace=False)
        held += 0.3 in predicted_mean(truth[drawn], judge[drawn], judge).interval
    assert 0.92 <= held / 400 <= 0.98


def test_predictions_undefined_and_refused():
    assert predicted_mean([1.0], [1.0], [1.0, 0.0]).reason is Undefined.TOO_FEW
    assert predicted_mean([1, 1], [1, 1], [0, 0]).reason is Undefined.NO_SPREAD
    with pytest.raises(ValueError, match="labels, predictions and weights must be of one length"):
        predicted_mean([1.0, 0.0], [1.0], [1.0, 0.0])
    with pytest.raises(ValueError, match=r"weights must be above 0, found 0.0"):
        predicted_mean([1.0, 0.0], [1.0, 1.0], [1.0, 0.0], weights=[1.0, 0.0])
    with pytest.raises(ValueError, match="labels must be finite"):
        predicted_mean([1.0, math.nan], [1.0, 1.0], [1.0, 0.0])


@few
@given(st.floats(0, 1), st.integers(1, 12))
def test_compounding_lies_within_its_bounds(rate, turns):
    found = compounded(rate, turns)
    assert (found.least <= found.independent + 1e-12).all()
    assert (found.independent <= found.most + 1e-12).all()
    assert found.independent[0] == pytest.approx(rate)


def test_a_false_alarm_in_a_hundred_replies_ends_a_tenth_of_matches():
    found = compounded(0.01, 10)
    assert found.independent[-1] == pytest.approx(1 - 0.99**10)
    ended = (np.random.default_rng(1).random((200_000, 10)) < 0.01).any(axis=1).mean()
    assert found.independent[-1] == pytest.approx(ended, abs=0.003)
    assert (found.least[-1], found.most[-1]) == pytest.approx((0.01, 0.10))


def test_compounding_refused():
    with pytest.raises(ValueError, match=r"rate must lie in \[0, 1\], found 1.5"):
        compounded(1.5, 10)
    with pytest.raises(ValueError, match="turns must be at least 1, found 0"):
        compounded(0.5, 0)


def test_printed_odds_ratio_of_a_misclassified_outcome():
    known = KNOWN["episensr_outcome"]
    (a, b), (c, d) = known["inputs"]["table_case_rows"]
    rates = [
        ErrorRates(known["inputs"][f"se_{part}"], known["inputs"][f"sp_{part}"])
        for part in ("exp", "unexp")
    ]
    slack = known["abs_tol"]
    plain = corrected_odds_ratio([[a, c], [b, d]], ErrorRates(1, 1), ErrorRates(1, 1))
    assert plain.value == pytest.approx(known["expected"]["obs"]["or"], abs=slack)
    found = corrected_odds_ratio([[a, c], [b, d]], *rates)
    assert found.value == pytest.approx(known["expected"]["adj"]["or"], abs=slack)


def test_five_points_of_specificity_in_one_sample_turn_it_round():
    (a, b), (c, d) = KNOWN["episensr_outcome"]["inputs"]["table_case_rows"]
    found = corrected_odds_ratio([[a, c], [b, d]], ErrorRates(0.53, 0.94), ErrorRates(0.53, 0.99))
    assert found.value < 1


@pytest.mark.parametrize(
    ("table", "rates", "reason"),
    [
        ([[0, 0], [3, 4]], (1.0, 1.0), Undefined.EMPTY),
        ([[3, 4], [3, 4]], (0.5, 0.5), Undefined.ZERO_DENOMINATOR),
        ([[0, 9], [3, 4]], (0.9, 0.9), Undefined.SEPARATED),
        ([[0, 9], [0, 9]], (1.0, 1.0), Undefined.ZERO_DENOMINATOR),
    ],
)
def test_odds_ratios_undefined(table, rates, reason):
    assert corrected_odds_ratio(table, ErrorRates(*rates), ErrorRates(*rates)).reason is reason


def test_an_infinite_odds_ratio():
    plain = ErrorRates(1, 1)
    assert corrected_odds_ratio([[9, 0], [3, 4]], plain, plain).value == math.inf


tables = st.lists(st.lists(st.integers(1, 80), min_size=2, max_size=2), min_size=2, max_size=2)


@few
@given(tables)
def test_the_tipping_error_leaves_no_difference(table):
    found = tipping_error(table, turns=7.0)
    (a, b), (c, d) = table
    if found is None:
        assert a * d == b * c
        return
    high, low = sorted((a / (a + b), c / (c + d)), reverse=True)
    assert (high - found.false_alarms) / (1 - found.false_alarms) == pytest.approx(low)
    assert low / (1 - found.misses) == pytest.approx(high)
    assert 0 <= found.false_alarms_unclear <= found.false_alarms + 1e-12
    assert 0 <= found.misses_unclear <= found.misses + 1e-12
    kept = (1 - found.false_alarms_a_turn) ** 7
    assert 1 - kept == pytest.approx(found.false_alarms)
    clear = difference(a, a + b, c, c + d).interval
    assert (found.false_alarms_unclear == 0) == (clear.low <= 0 <= clear.high)


def test_the_papers_modes_tip_at_a_few_false_alarms_a_hundred_replies():
    found = tipping_error([[32, 114], [5, 138]], turns=8.0)
    assert found.false_alarms == pytest.approx((32 / 146 - 5 / 143) / (1 - 5 / 143))
    assert found.false_alarms_a_turn == pytest.approx(0.0261, abs=5e-4)
    assert found.false_alarms_unclear < found.false_alarms


def test_nothing_to_tip():
    assert tipping_error([[5, 5], [10, 10]]) is None
    assert tipping_error([[0, 0], [1, 2]]) is None


checked = {"hits": 40, "misses": 5, "rejections": 100, "false_alarms": 4}


def test_the_plug_in_interval_of_large_samples_is_the_delta_methods():
    many = {name: 1000 * count for name, count in checked.items()}
    found = plug_in_share(300_000, 1_000_000, **many)
    right, wrong = 40 / 45, 100 / 104
    better = right + wrong - 1
    theta = (0.3 + wrong - 1) / better
    variance = 0.3 * 0.7 / 1e6 + theta**2 * right * (1 - right) / 45_000
    variance += (1 - theta) ** 2 * wrong * (1 - wrong) / 104_000
    assert found.value == pytest.approx(theta)
    assert found.interval.width == pytest.approx(
        2 * 1.959964 * math.sqrt(variance) / better, rel=1e-3
    )


def test_the_plug_in_covers_a_random_sample():
    rng, held, truth = np.random.default_rng(4), 0, 0.3
    for _ in range(400):
        true = rng.random(50) < truth
        yes = np.where(true, rng.random(50) < 0.92, rng.random(50) < 0.03)
        seen = rng.binomial(439, truth * 0.92 + 0.7 * 0.03)
        found = plug_in_share(
            int(seen),
            439,
            hits=int((true & yes).sum()),
            misses=int((true & ~yes).sum()),
            rejections=int((~true & ~yes).sum()),
            false_alarms=int((~true & yes).sum()),
        )
        held += truth in found.interval
    assert held / 400 >= 0.94


def test_the_plug_in_undefined():
    empty = plug_in_share(3, 9, hits=0, misses=0, rejections=5, false_alarms=1)
    assert empty.reason is Undefined.EMPTY
    coin = plug_in_share(3, 9, hits=1, misses=1, rejections=1, false_alarms=1)
    assert coin.reason is Undefined.ZERO_DENOMINATOR
    # Better than a coin by one item, and not with a pseudocount on both sides.
    hardly = plug_in_share(3, 9, hits=1, misses=0, rejections=1, false_alarms=9)
    assert (hardly.interval, hardly.reason) == (None, Undefined.ZERO_DENOMINATOR)
    assert hardly.value == pytest.approx((3 / 9 + 1 / 10 - 1) / (1 / 10))


def test_a_share_outside_is_told_raw_and_clipped():
    raw = corrected_share(1, 100, hits=9, misses=1, rejections=80, false_alarms=10)
    assert raw.value < 0
    found = clipped(raw)
    assert (found.value, found.interval.low) == (0.0, 0.0)
    assert found.interval.method.endswith("clipped")
    inside = corrected_share(30, 100, **checked)
    assert clipped(inside).value == inside.value
    nothing = corrected_share(3, 9, hits=0, misses=0, rejections=5, false_alarms=1)
    assert clipped(nothing) is nothing

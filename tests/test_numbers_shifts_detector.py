"""The detector as a whole, its intervals, its reach and its families."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.power import TTestIndPower

from audit.numbers.estimate import Undefined
from audit.numbers.shifts.blocks import blocks_of
from audit.numbers.shifts.detector import Answer, Part, Series, detect, smallest_blocks
from audit.numbers.shifts.intervals import BY_BLOCKS, BY_REPLICATES, replicate_mean, series_mean
from audit.numbers.shifts.multiplicity import Correction, adjusted
from audit.numbers.shifts.noise import long_run_scale
from audit.numbers.shifts.reach import power_of_halves, smallest_shift

LONG = blocks_of(1_000, 50)


def noise(seed: int, rounds: int = 1_000) -> np.ndarray:
    return np.random.default_rng(seed).normal(0.0, 70.0, rounds)


def shifted(added: np.ndarray, taken: np.ndarray | float = 0.0, seed: int = 1) -> Series:
    return Series(noise(seed) + added, LONG, noise(seed + 1) - taken)


SIDES = 25.0 * (1 - 2 * (LONG // 4 % 2))


@pytest.mark.parametrize(
    ("series", "part"),
    [
        (shifted(40.0 * (LONG >= 10)), Part.HALVES),
        (shifted(60.0 * (LONG >= 16)), Part.CHANGE),
        (shifted(np.linspace(0.0, 80.0, 1_000)), Part.TREND),
        (shifted(SIDES, SIDES), Part.SIGNATURE),
    ],
    ids=["step", "late step", "line", "sides"],
)
def test_a_planted_shift_is_detected_by_the_part_that_looks_for_it(series, part):
    (found,) = detect([series])
    assert found.answer is Answer.DETECTED
    assert {each.part: each.detected for each in found.tested}[part]
    assert found.p == min(each.adjusted_p for each in found.tested)
    assert found.p <= 0.05


@pytest.mark.slow
def test_noise_is_rarely_called_a_shift():
    found = [detect([shifted(np.zeros(1_000), seed=seed)])[0] for seed in range(100, 120)]
    assert sum(each.answer is Answer.DETECTED for each in found) <= 2


def test_ten_rounds_are_too_few_and_it_is_said_what_they_could_have_shown():
    values = noise(3, 10)
    (found,) = detect([Series(values, blocks_of(10, 5), noise(4, 10))])
    assert found.answer is Answer.TOO_FEW
    assert math.isnan(found.p)
    assert all(each.test.reason is Undefined.TOO_FEW for each in found.tested)
    assert found.needed == 6
    assert found.smallest == pytest.approx(smallest_shift(10, long_run_scale(values)))
    assert found.smallest > 60.0


@pytest.mark.parametrize("rounds", [0, 1, 2, 5])
def test_hardly_any_rounds_are_too_few(rounds):
    (found,) = detect([Series(noise(5, rounds), blocks_of(rounds, 1))])
    assert found.answer is Answer.TOO_FEW
    assert math.isnan(found.smallest) == (rounds < 3)
    assert (found.changes is None) == (rounds < 2)


def test_a_constant_series_shows_nothing():
    (found,) = detect([Series(np.full(1_000, 5.0), LONG, np.full(1_000, 5.0))])
    assert found.answer is Answer.NOT_DETECTED
    assert math.isnan(found.p)
    assert found.changes is not None
    assert found.changes.places == ()
    assert found.smallest == 0.0


def test_series_asked_together_are_one_family():
    alone = detect([shifted(21.0 * (LONG >= 10))])[0]
    three = detect(
        [shifted(21.0 * (LONG >= 10)), *(shifted(np.zeros(1_000), seed=s) for s in (7, 9))]
    )
    assert [each.test for each in alone.tested] == [each.test for each in three[0].tested]
    raw = [test.test.p for each in three for test in each.tested]
    holm = adjusted(raw, Correction.HOLM).p
    assert [test.adjusted_p for each in three for test in each.tested] == pytest.approx(holm)
    assert three[0].p > alone.p
    assert three[0].changes is not None
    assert alone.changes is not None
    assert three[0].changes.penalty > alone.changes.penalty


def test_without_the_other_agent_there_is_no_signature():
    (found,) = detect([Series(noise(1), LONG)])
    assert found.signature is None
    assert [each.part for each in found.tested] == [Part.CHANGE, Part.TREND, Part.HALVES]


@given(st.integers(0, 50), st.floats(0.1, 30.0), st.floats(-500.0, 500.0))
@settings(max_examples=6, deadline=None)
def test_another_level_and_unit_say_the_same(seed, unit, level):
    blocks, rng = blocks_of(120, 10), np.random.default_rng(seed)
    one, two = rng.normal(size=(2, 120)) + (np.arange(120) > 60)
    (here,) = detect([Series(one, blocks, two)])
    (there,) = detect([Series(unit * one + level, blocks, unit * two + level)])
    assert there.answer is here.answer
    assert [each.test.p for each in there.tested] == pytest.approx(
        [each.test.p for each in here.tested], abs=3e-4
    )
    assert there.smallest == pytest.approx(unit * here.smallest, rel=1e-4)


def test_the_fewest_blocks_are_those_at_which_the_clearest_series_passes():
    assert [smallest_blocks(family) for family in (1, 4, 12)] == [5, 6, 7]
    least = smallest_blocks(4)
    for size, expected in ((least - 1, Answer.TOO_FEW), (least, Answer.DETECTED)):
        place = np.arange(size)
        clear = Series(place.astype(float), place, -place.astype(float))
        assert detect([clear])[0].answer is expected
    with pytest.raises(ValueError, match="family must be at least 1, found 0"):
        smallest_blocks(0)


@pytest.mark.parametrize(
    ("series", "message"),
    [
        (Series(np.array([1.0, math.nan]), np.array([0, 1])), "must be finite, found nan"),
        (Series(np.ones(3), np.array([0, 1])), "lengths must agree"),
        (Series(np.ones(2), np.array([0, 1]), np.ones(3)), "lengths must agree"),
        (Series(np.ones(2), np.array([1, 0])), "blocks must not fall"),
        (Series(np.ones(2), np.array([0, 1]), np.array([1.0, math.inf])), "must be finite"),
    ],
)
def test_the_detector_refuses(series, message):
    with pytest.raises(ValueError, match=message):
        detect([series])


def test_the_detector_refuses_a_level_that_is_none():
    with pytest.raises(ValueError, match="level must lie strictly between 0 and 1"):
        detect([], level=1.0)
    assert detect([]) == ()


@pytest.mark.parametrize("rounds", [6, 10, 100, 1_000])
@pytest.mark.parametrize("shift", [0.0, 0.2, 1.0])
def test_the_power_of_halves_is_that_of_statsmodels(rounds, shift):
    book = TTestIndPower().power(shift, rounds // 2, 0.05, alternative="two-sided")
    assert power_of_halves(rounds, 7.0, 7.0 * shift) == pytest.approx(book, abs=1e-6)


@pytest.mark.parametrize(("rounds", "level", "power"), [(10, 0.05, 0.8), (1_000, 0.01, 0.9)])
def test_the_smallest_shift_is_that_of_statsmodels_and_by_simulation(rounds, level, power):
    found = smallest_shift(rounds, 70.0, level=level, power=power)
    book = TTestIndPower().solve_power(nobs1=rounds // 2, alpha=level, power=power)
    assert found == pytest.approx(70.0 * book, rel=1e-5)
    drawn = np.random.default_rng(1).normal(0.0, 70.0, (4_000, rounds))
    drawn[:, rounds // 2 :] += found
    p = stats.ttest_ind(drawn[:, rounds // 2 :], drawn[:, : rounds // 2], axis=1).pvalue
    assert (p <= level).mean() == pytest.approx(power, abs=0.025)


@given(st.integers(3, 3_000), st.floats(0.01, 1e3), st.floats(0.0, 1e5))
def test_power_lies_between_level_and_one_whatever_the_shift(rounds, scale, shift):
    found = power_of_halves(rounds, scale, shift)
    assert 0.05 - 1e-9 <= found <= 1.0 + 1e-12


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: smallest_shift(2, 1.0), "rounds must be at least 3, found 2"),
        (lambda: smallest_shift(9, 1.0, power=0.05), "power must lie between level and 1"),
        (lambda: power_of_halves(9, 0.0, 1.0), "scale must be finite and above 0, found 0.0"),
        (lambda: smallest_shift(9, math.nan), "scale must be finite and above 0, found nan"),
    ],
)
def test_reach_refuses(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_the_mean_of_a_series_of_equal_blocks_has_students_interval_on_block_means():
    values = noise(1)
    found = series_mean(values, LONG, left_out=3)
    means = values.reshape(20, 50).mean(axis=1)
    book = stats.ttest_1samp(means, 0.0).confidence_interval()
    assert found.value == pytest.approx(values.mean())
    assert (found.interval.low, found.interval.high) == pytest.approx((book.low, book.high))
    assert found.interval.method == BY_BLOCKS
    assert (found.counts_in, found.counts_out) == (1_000, 3)


def test_blocks_of_unequal_size_weigh_as_their_rounds_do():
    values, blocks = np.array([1.0, 2.0, 3.0, 9.0]), np.array([0, 0, 0, 1])
    found = series_mean(values, blocks)
    # The ratio's linearised residuals: sums less the mean times sizes, over the mean size.
    away = np.array([6.0 - 3 * 3.75, 9.0 - 3.75]) / 2.0
    error = math.sqrt((away**2).sum() / (2 * 1))
    assert found.value == 3.75
    assert found.interval.width == pytest.approx(2 * stats.t.isf(0.025, 1) * error)


def test_replicates_are_clusters_and_one_alone_is_said_to_be_one():
    three = [(noise(seed), LONG) for seed in (1, 2, 3)]
    found = replicate_mean(three)
    means = [values.mean() for values, _ in three]
    book = stats.ttest_1samp(means, 0.0).confidence_interval()
    assert (found.interval.low, found.interval.high) == pytest.approx((book.low, book.high))
    assert found.interval.method == BY_REPLICATES
    assert found.counts_in == 3_000
    assert replicate_mean(three[:1]) == series_mean(*three[0])
    assert replicate_mean([]).reason is Undefined.EMPTY


def test_means_without_an_interval_say_why():
    assert series_mean([1.0, 3.0], np.array([0, 0])).reason is Undefined.TOO_FEW
    assert series_mean([0.1] * 6, blocks_of(6, 2)).reason is Undefined.NO_SPREAD
    assert series_mean([], np.zeros(0, dtype=int)).reason is Undefined.EMPTY
    with pytest.raises(ValueError, match="every replicate must have a round, found one without"):
        replicate_mean([([], np.zeros(0, dtype=int)), ([1.0], np.array([0]))])
    with pytest.raises(ValueError, match="level must lie strictly between 0 and 1"):
        replicate_mean([], level=0.0)


@given(st.lists(st.one_of(st.floats(0.0, 1.0), st.just(math.nan)), max_size=12))
@settings(max_examples=10, deadline=None)
def test_adjusted_p_values_are_those_of_a_loop(p_values):
    known = sorted(p for p in p_values if not math.isnan(p))
    size = len(known)
    holm = [max(min(1.0, (size - i) * known[i]) for i in range(k + 1)) for k in range(size)]
    bh = [min(min(1.0, size * known[i] / (i + 1)) for i in range(k, size)) for k in range(size)]
    for correction, expected in ((Correction.HOLM, holm), (Correction.BENJAMINI_HOCHBERG, bh)):
        found = adjusted(p_values, correction)
        assert (found.tested, found.undefined) == (size, len(p_values) - size)
        assert np.isnan(found.p).tolist() == [math.isnan(p) for p in p_values]
        assert sorted(found.p[~np.isnan(found.p)]) == pytest.approx(expected)


def test_benjamini_and_hochberg_is_that_of_scipy():
    p_values = np.random.default_rng(1).random(20) ** 3
    found = adjusted(p_values, Correction.BENJAMINI_HOCHBERG).p
    assert found == pytest.approx(stats.false_discovery_control(p_values))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: adjusted([0.5, 1.2], Correction.HOLM),
            r"p_values must lie in \[0, 1\], found 1.2",
        ),
        (lambda: adjusted([[0.5]], Correction.HOLM), "p_values must be a vector"),
        (lambda: adjusted([0.5], "sidak"), "Correction must be one of holm"),
    ],
)
def test_families_refuse(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_importing_the_room_loads_no_search_and_no_correction():
    code = (
        "import sys, audit.numbers.shifts.detector;"
        "print([name for name in ('ruptures', 'statsmodels') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

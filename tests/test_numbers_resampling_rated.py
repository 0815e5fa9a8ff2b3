"""Ratings over resampled tournaments: many laws side by side against one by one, every resample
against a plain loop, and coverage against simulated studies."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.multiverse.choices import Estimator
from audit.multiverse.estimators import ratings_by
from audit.multiverse.quantities import QUANTITIES, gap, paired_effect, sd_seeker
from audit.numbers.rating import Carry
from audit.numbers.ratings.lanes import Played
from audit.numbers.resampling import rated
from audit.numbers.resampling._merge import float_law
from audit.numbers.resampling.asked import found_of
from audit.numbers.resampling.coverage import Method, Scheme, coverage_of
from audit.numbers.resampling.law import Engine
from audit.numbers.resampling.limits import bca_interval, t_interval
from audit.numbers.resampling.many import ManyLaws
from audit.numbers.resampling.rated import PAIRS, carried, mean_of, resamples, reset
from benchmarks import block_coverage, lattice

few = settings(max_examples=30, deadline=None)
KS = np.array([16.0, 32.0])
PLAYERS = 3


def tournaments(count, seed, matches=6):
    rng = np.random.default_rng(seed)
    return [
        Played.of(
            *rng.integers(0, PLAYERS, (2, matches)),
            rng.choice([0.0, 1.0, 0.5], matches),
            rng.random(matches) * 2,
            PLAYERS,
        )
        for _ in range(count)
    ]


def plain(some, k):
    """Ratings of tournaments one after the other, as one would write it."""
    table = [0.0] * (2 * PLAYERS)
    for played in some:
        for i, h, score, weight in zip(
            played.seeker, played.holder, played.score, played.weight, strict=True
        ):
            j = h + PLAYERS
            expected = 1 / (1 + 10 ** ((table[j] - table[i]) / 400))
            step = k * weight * (score - expected)
            table[i], table[j] = table[i] + step, table[j] - step
    return np.array(table)


def by_plain_loop(some, drawn, carry, k):
    if carry is Carry.CARRIED:
        return plain([some[t] for t in drawn], k)
    return np.mean([plain([some[t]], k) for t in drawn], axis=0)


WALKS = {Carry.CARRIED: carried, Carry.RESET: reset}


@settings(max_examples=12, deadline=None)
@given(st.integers(2, 4), st.integers(0, 10**6), st.sampled_from(Carry))
def test_every_resample_is_a_plain_loop(count, seed, carry):
    some = tournaments(count, seed)
    part = WALKS[carry](some, KS)
    assert part.ratings.shape[1] == resamples(count, carry)
    for lane, k in enumerate(KS.tolist()):
        whole = by_plain_loop(some, range(count), carry, k)
        assert part.whole[:, lane] == pytest.approx(whole, abs=1e-9)
        for without in range(count):
            kept = [t for t in range(count) if t != without]
            expected = by_plain_loop(some, kept, carry, k)
            assert part.left_out[0][without, :, lane] == pytest.approx(expected, abs=1e-9)
        spread = np.array(
            [by_plain_loop(some, drawn, carry, k) for drawn in product(range(count), repeat=count)]
        )
        shares = np.full(part.ratings.shape[1], 1 / part.ratings.shape[1])
        weights = shares if part.probability is None else part.probability
        assert part.ratings[:, :, lane] @ weights == pytest.approx(spread.mean(axis=0), abs=1e-9)
        squares = part.ratings[:, :, lane] ** 2 @ weights
        assert squares == pytest.approx((spread**2).mean(axis=0), abs=1e-7)


numbers = st.one_of(st.integers(-4, 4).map(float), st.just(math.nan))


@few
@given(
    st.lists(st.tuples(numbers, numbers), min_size=1, max_size=12),
    st.booleans(),
    st.sampled_from([0.5, 0.9, 0.95]),
)
def test_many_laws_are_each_law_by_itself(pairs, weighted, level):
    values = np.array(pairs).T
    n = values.shape[1]
    probability = np.arange(1, n + 1) / (n * (n + 1) / 2) if weighted else None
    laws, at, accelerated = ManyLaws.of(values, probability), np.array([0.0, 1.0]), [0.1, -0.2]
    spans = {
        "percentile": laws.percentile(level),
        "basic": laws.basic(at, level),
        "bca": laws.bca(at, np.array(accelerated), level),
        "student": laws.student(at, 5, level),
    }
    for row in range(2):
        weights = np.full(n, 1 / n) if probability is None else probability
        law = float_law(values[row], weights, [np.ones(2, dtype=np.int64)], 0.0, Engine.ENUMERATED)
        each = {
            "percentile": law.percentile_interval(level),
            "basic": law.basic_interval(level, at[row]),
            "bca": bca_interval(law, at[row], accelerated[row], level),
            "student": t_interval(law, at[row], 5, level),
        }
        assert laws.defined[row] == pytest.approx(1.0 - law.undefined_mass)
        for name, span in each.items():
            found = spans[name].low[row], spans[name].high[row]
            if span is None:
                assert np.isnan(found).all()
            else:
                assert found == pytest.approx((span.low, span.high), abs=1e-12)


def test_bands_of_drawn_laws_are_those_of_one_drawn_law():
    values = np.random.default_rng(1).normal(size=(1, 500)).round(2)
    low, high = ManyLaws.of(values).bands(0.95, 0.99)
    law = float_law(values[0], np.full(500, 0.002), [], 0.0, Engine.MONTE_CARLO)
    for q, band in ((0.025, low), (0.975, high)):
        expected = law.quantile_band(q)
        assert (band.low[0], band.high[0]) == (expected.low, expected.high)


def test_what_many_laws_refuse():
    with pytest.raises(ValueError, match=r"values must be laws by resamples, found shape \(2, 0\)"):
        ManyLaws.of(np.zeros((2, 0)))
    with pytest.raises(ValueError, match=r"probability must have shape \(3,\), found \(2,\)"):
        ManyLaws.of(np.zeros((1, 3)), [0.5, 0.5])


def test_the_mean_of_two_reset_experiments_is_every_pair_of_multisets():
    one, other = reset(tournaments(3, 1), KS), reset(tournaments(4, 2), KS)
    both = mean_of(one, other, np.random.default_rng(0))
    assert both.ratings.shape[1] == 10 * 35
    assert both.probability.sum() == pytest.approx(1.0, abs=1e-12)
    means = [part.ratings.transpose(0, 2, 1) @ part.probability for part in (one, other)]
    found = both.ratings.transpose(0, 2, 1) @ both.probability
    assert found == pytest.approx((means[0] + means[1]) / 2, abs=1e-9)
    assert both.blocks == 3
    assert [len(each) for each in both.left_out] == [3, 4]


def test_a_linear_figure_of_two_carried_experiments_is_read_off_all_pairs(monkeypatch):
    monkeypatch.setattr(rated, "_LISTED_PAIRS", 256**2 - 1)
    one, other = carried(tournaments(4, 3), KS), carried(tournaments(4, 4), KS)
    both = mean_of(one, other, np.random.default_rng(0))
    assert both.engine is Engine.MONTE_CARLO
    assert both.ratings.shape[1] == PAIRS
    exact = found_of(both, gap, linear=True)
    drawn = found_of(both, gap)
    assert (exact.engine, exact.atoms) == (Engine.SEQUENCES, 256**2)
    assert (exact.value == drawn.value).all()
    for lane in range(len(KS)):
        halves = [gap(part.ratings[:, :, lane].T) / 2 for part in (one, other)]
        every = np.sort(np.add.outer(*halves).ravel())
        ends = every[[math.ceil(q * len(every)) - 1 for q in (0.025, 0.975)]]
        span = exact.limits[Method.PERCENTILE]
        assert (span.low[lane], span.high[lane]) == pytest.approx(tuple(ends), abs=1e-9)
        for band, end in zip(drawn.bands, ends, strict=True):
            assert band.low[lane] <= end <= band.high[lane]
        half = exact.limits[Method.STUDENT].high[lane] - exact.value[lane]
        assert half == pytest.approx(every.std() * 3.182446305 * math.sqrt(4 / 3), rel=1e-8)
        assert drawn.limits[Method.BCA].low[lane] == pytest.approx(
            exact.limits[Method.BCA].low[lane], abs=0.2 * every.std()
        )


def test_steps_taken_together_are_those_taken_apart():
    some = tournaments(4, 9)
    part = carried(some, KS)
    alone = found_of(carried(some, KS[1:]), sd_seeker)
    for found in (found_of(part, sd_seeker), found_of(part.only([0, 1]), sd_seeker)):
        for method in Method:
            expected = alone.limits[method].low[0]
            assert found.limits[method].low[1] == pytest.approx(expected, rel=1e-12)


def test_an_undefined_quantity_is_counted():
    # One player has no deviation of gaps: the paired effect is never defined.
    lone = [Played.of([0, 0], [0, 0], [1.0, float(s)], [1.0, 1.0], 1) for s in (0, 1)]
    found = found_of(carried(lone, KS), paired_effect)
    assert found.undefined.tolist() == [1.0, 1.0]
    assert all(np.isnan(found.limits[method].low).all() for method in Method)


def test_what_cannot_be_resampled_is_refused():
    with pytest.raises(ValueError, match="needs at least two tournaments, found 1"):
        carried(tournaments(1, 0), KS)
    with pytest.raises(ValueError, match="7 tournaments have 823543 resamples, more than 50000"):
        carried(tournaments(7, 0), KS)
    with pytest.raises(ValueError, match="10 tournaments have 92378 resamples"):
        reset(tournaments(10, 0), KS)


# The benchmarks, at sizes that say nothing.


def test_the_benchmark_of_lattices_prints_every_way():
    told = lattice.report(1, ((6, 2, 1, 5),), seeds=2, specifications=8)
    for words in (
        "folded lattice",
        "limits alone",
        "every table",
        "scipy, 9,999 drawn",
        "680",
        "8 specifications",
    ):
        assert words in told


@pytest.mark.parametrize("carry", Carry)
def test_the_benchmark_rates_as_the_product_does(carry):
    design, strengths = block_coverage.DESIGNS[1], block_coverage.STRENGTHS["spread"]
    score, weight = design.drawn(strengths, 2, np.random.default_rng(4))
    for study in range(2):
        some = [
            Played.of(
                design.seeker[t], design.holder[t], score[t, :, study], weight[t, :, study], 6
            )
            for t in range(5)
        ]
        own = block_coverage.rated(design, score, weight, carry)[study]
        assert WALKS[carry](some, np.array([24.0])).whole[:, 0] == pytest.approx(own, abs=1e-9)


@pytest.mark.parametrize("estimator", [each for each, _ in block_coverage.RATINGS][2:])
def test_the_benchmark_fits_as_the_product_does(estimator):
    ties = estimator is Estimator.DAVIDSON
    design, strengths = block_coverage.DESIGNS[1], block_coverage.STRENGTHS["alike"]
    score, weight = design.drawn(strengths, 4, np.random.default_rng(5), ties=ties)
    found = block_coverage.rated_by((estimator, Carry.RESET), design, score, weight)
    for study in range(4):
        some = [
            Played.of(
                design.seeker[t], design.holder[t], score[t, :, study], weight[t, :, study], 6
            )
            for t in range(5)
        ]
        try:
            expected = ratings_by(estimator, some, Carry.RESET)
        except ValueError:
            assert np.isnan(found[study]).all()
        else:
            assert found[study] == pytest.approx(expected, abs=1e-6)


def test_six_models_cover_as_is_said():
    held = block_coverage.models_held(4_000, np.random.default_rng(12))
    for name, found in held.items():
        for method, share in found.items():
            said = coverage_of(Scheme.MODELS, name, method, 6, 0.95)
            # Four deviations of 4,000 studies, and of the 20,000 behind what is said.
            assert share == pytest.approx(said, abs=4 * math.sqrt(0.25 * (1 / 4_000 + 1 / 20_000)))
    assert held["rating.sd_seeker"][Method.PERCENTILE] < 0.75


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rating", "scheme"),
    [
        (rating, scheme)
        for rating, scheme in block_coverage.RATINGS.items()
        if rating[0] is not Estimator.WEIGHTED_BRADLEY_TERRY
    ],
)
def test_five_tournaments_cover_no_less_than_is_said(rating, scheme):
    studies, rng = 120, np.random.default_rng(77)
    strengths = block_coverage.STRENGTHS["alike"]
    held = block_coverage.tournaments_held(strengths, rating, studies, rng)
    for by_quantity in held.values():
        for name in QUANTITIES:
            for method, share in by_quantity[name].items():
                # What is said is the lowest of its cells.
                said = coverage_of(scheme, name, method, 5, 0.95)
                assert share > said - 4 * math.sqrt(said * (1.0 - said) / studies) - 0.01
    student = held["first game"]["rating.gap"][Method.STUDENT]
    assert student > held["first game"]["rating.gap"][Method.PERCENTILE]

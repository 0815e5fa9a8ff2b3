"""Resampling: κ folded, sums by convolution, blocks in order, and the one call, each set against
brute force, closed forms, published values or scipy."""

from __future__ import annotations

import json
import math
from collections import Counter
from fractions import Fraction
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from audit.numbers.odds import odds_ratio
from audit.numbers.proportion import ProportionMethod, proportion_limits
from audit.numbers.resampling.bootstrap import AtomLimitError, enumerate_multinomial, support_size
from audit.numbers.resampling.call import enumerated_bootstrap
from audit.numbers.resampling.coverage import (
    Method,
    Scheme,
    coverage_of,
    primary_of,
    said,
    two_shares_covered,
)
from audit.numbers.resampling.kappa import kappa_classes, kappa_law, kappa_percentile
from audit.numbers.resampling.law import QUANTILE_RULE, Engine
from audit.numbers.resampling.limits import acceleration, bca_interval, t_factor, t_interval
from audit.numbers.resampling.pairs import PairMeans
from audit.numbers.resampling.reported import (
    covered_share,
    reported_difference,
    reported_odds_ratio,
    reported_share,
)
from audit.numbers.resampling.samples import Blocks, Clusters, Counts
from audit.numbers.resampling.sequences import block_sequences, sequence_law
from audit.numbers.resampling.sums import as_cluster_sums, cluster_law, sums_of_clusters
from audit.numbers.resampling.tilted import tilted_interval
from audit.numbers.statistic import (
    difference_statistic,
    kappa_statistic,
    odds_ratio_statistic,
    proportion_statistic,
)

few = settings(max_examples=30, deadline=None)
CASES = Path(__file__).parent / "cases" / "known_answers_numbers.json"
KNOWN = {case["id"]: case for case in json.loads(CASES.read_text(encoding="utf-8"))["vectors"]}
cell = st.integers(0, 7)
tables = st.tuples(cell, cell, cell, cell).map(lambda four: np.array(four).reshape(2, 2))
LEVELS = st.sampled_from([0.3, 0.5, 0.8, 0.9, 0.95, 0.99])


def mean_statistic(values):
    return lambda counts: counts @ np.asarray(values) / counts.sum(axis=1)


def ratio(totals):
    with np.errstate(divide="ignore", invalid="ignore"):
        return totals[:, 0] / totals[:, 1]


# κ folded.


@few
@given(tables)
def test_the_folded_lattice_is_the_lattice(table):
    whole, folded = enumerate_multinomial(table.ravel(), kappa_statistic), kappa_law(table)
    assert folded.values.tolist() == whole.values.tolist()
    assert folded.weights == pytest.approx(whole.weights, abs=1e-14)
    assert folded.undefined_mass == pytest.approx(whole.undefined_mass, abs=1e-14)
    assert (folded.atoms, folded.degenerate_groups) == (whole.atoms, whole.degenerate_groups)


@few
@given(tables, LEVELS)
def test_limits_without_a_lattice_are_those_of_the_lattice(table, level):
    assert kappa_percentile(table, level=level) == kappa_law(table).percentile_interval(level)


@few
@given(tables)
def test_exchanging_raters_or_categories_changes_no_law(table):
    law = kappa_law(table)
    for other in (table.T, table[::-1, ::-1]):
        same = kappa_law(other)
        assert same.values.tolist() == law.values.tolist()
        assert same.weights == pytest.approx(law.weights, abs=1e-14)


@pytest.mark.parametrize("n", range(9))
def test_classes_are_tables_up_to_both_exchanges(n):
    found = {
        (min(a, n - a - b - c), max(a, n - a - b - c), min(b, c), max(b, c))
        for a, b, c in product(range(n + 1), repeat=3)
        if a + b + c <= n
    }
    assert kappa_classes(n) == len(found)


def test_kappa_is_as_published():
    known = KNOWN["exact_boot_kappa_50"]
    law = kappa_law(np.reshape(known["inputs"]["table"], (2, 2)))
    for name, q in (("q025", 0.025), ("q50", 0.5), ("q975", 0.975)):
        assert law.quantile(q) == pytest.approx(known["expected"][name], abs=1e-9)
    assert law.atoms == support_size(50, 4) == 23_426
    assert kappa_classes(439) * 3.97 < support_size(439, 4) == 14_294_280


def test_too_many_classes_are_refused_but_not_without_a_lattice():
    table = [[100, 20], [10, 90]]
    with pytest.raises(AtomLimitError, match="the limit is 1000"):
        kappa_law(table, limit=1_000)
    limits = kappa_percentile(table)
    assert limits == kappa_law(table).percentile_interval()
    assert kappa_percentile([[5, 0], [0, 0]]) is None


# Clusters.


def by_brute_force(rows):
    """Every one of the n^n resamples, its total as a tuple, counted."""
    return Counter(
        tuple(np.sum([rows[i] for i in drawn], axis=0).tolist())
        for drawn in product(range(len(rows)), repeat=len(rows))
    )


whole_rows = st.lists(st.tuples(st.integers(-2, 3), st.integers(0, 4)), min_size=1, max_size=5)


@few
@given(whole_rows)
def test_totals_are_those_of_every_resample(rows):
    counts = by_brute_force(rows)
    totals, probability = sums_of_clusters(as_cluster_sums(rows, None))
    everything = len(rows) ** len(rows)
    assert {tuple(total) for total in totals.tolist()} == set(counts)
    for total, share in zip(totals.tolist(), probability.tolist(), strict=True):
        assert share == pytest.approx(float(Fraction(counts[tuple(total)], everything)), rel=1e-12)


@few
@given(whole_rows, whole_rows)
def test_strata_are_resampled_apart(one, other):
    stratum = [0] * len(one) + [1] * len(other)
    expected = Counter()
    for (a, m), (b, n) in product(by_brute_force(one).items(), by_brute_force(other).items()):
        expected[a[0] + b[0], a[1] + b[1]] += m * n
    totals, probability = sums_of_clusters(as_cluster_sums(one + other, stratum))
    scale = len(one) ** len(one) * len(other) ** len(other)
    found = dict(zip(map(tuple, totals.tolist()), probability.tolist(), strict=True))
    assert found == pytest.approx({key: n / scale for key, n in expected.items()}, rel=1e-12)


def test_a_ratio_over_thirty_clusters_is_scipy_within_its_error():
    rng = np.random.default_rng(4)
    rows = np.stack([rng.integers(0, 6, 30), rng.integers(7, 11, 30)], axis=1)
    found = enumerated_bootstrap(Clusters(rows), ratio)
    assert found.law.engine is Engine.CONVOLUTION
    assert abs(found.law.total - 1.0) < 1e-12
    drawn = stats.bootstrap(
        tuple(rows.T),
        lambda a, b, axis: a.sum(axis) / b.sum(axis),
        paired=True,
        n_resamples=20_000,
        rng=np.random.default_rng(1),
    )
    limits = drawn.confidence_interval
    assert (found.bca.low, found.bca.high) == pytest.approx((limits.low, limits.high), abs=0.003)
    assert found.law.sd == pytest.approx(drawn.standard_error, rel=0.03)


def test_what_clusters_refuse():
    with pytest.raises(ValueError, match="sums must be whole numbers"):
        cluster_law([[0.5, 1.0]], ratio)
    with pytest.raises(ValueError, match=r"sums must be clusters by columns, found shape \(2,\)"):
        cluster_law([1, 2], ratio)
    with pytest.raises(ValueError, match=r"stratum must be one a cluster, found \(1,\) for 2"):
        cluster_law([[1, 2], [1, 2]], ratio, stratum=[0])
    with pytest.raises(AtomLimitError, match="needs 121 count vectors, the limit is 100"):
        cluster_law([[0, 0], [5, 5]], ratio, limit=100)
    with pytest.raises(AtomLimitError, match="the limit is 4000000000"):
        cluster_law(np.arange(1_900)[:, None] % 1_000, lambda t: t[:, 0] * 1.0)


# Blocks.


@pytest.mark.parametrize("size", range(6))
def test_sequences_are_all_of_them_in_order(size):
    expected = list(product(range(size), repeat=size))
    assert [tuple(row) for row in block_sequences(size).tolist()] == expected


@few
@given(st.lists(st.integers(-9, 9), min_size=2, max_size=4))
def test_blocks_whose_order_is_nothing_are_a_lattice_of_ones(values):
    numbers = np.array(values, dtype=float)
    ordered = enumerated_bootstrap(Blocks([len(values)]), lambda drawn: numbers[drawn].mean(axis=1))
    counted = enumerated_bootstrap(Counts([[1] * len(values)]), mean_statistic(numbers))
    assert ordered.law.atoms == len(values) ** len(values)
    assert counted.law.atoms == math.comb(2 * len(values) - 1, len(values))
    assert ordered.law.values == pytest.approx(counted.law.values, abs=1e-12)
    assert ordered.law.weights == pytest.approx(counted.law.weights, abs=1e-12)
    if len(set(values)) > 1:
        for name in ("percentile", "basic", "bca", "student"):
            one, other = getattr(ordered, name), getattr(counted, name)
            assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=1e-9)


def test_order_matters_where_the_statistic_says_so():
    law = sequence_law([2], lambda drawn: drawn[:, 0] * 1.0)
    assert (law.values.tolist(), law.weights.tolist()) == ([0.0, 1.0], [0.5, 0.5])


def test_two_experiments_multiply_and_are_drawn_past_the_limit():
    def both(one, other):
        return one.sum(axis=1) + 10.0 * other.sum(axis=1)

    every = sequence_law([3, 2], both)
    assert (every.atoms, every.engine) == (27 * 4, Engine.SEQUENCES)
    with pytest.raises(AtomLimitError, match="needs 108 count vectors, the limit is 100"):
        sequence_law([3, 2], both, limit=100)
    rng = np.random.default_rng(2)
    drawn = enumerated_bootstrap(Blocks([3, 2]), both, limit=100, draws=4_000, rng=rng)
    assert drawn.law.engine is Engine.MONTE_CARLO
    for q, band in ((0.025, drawn.low_band), (0.975, drawn.high_band)):
        assert every.quantile(q) in band


# Limits.


def test_the_mean_of_five_blocks_has_students_own_interval():
    values = [3.0, 1.0, 7.0, 2.0, 9.0]
    found = enumerated_bootstrap(Counts([[1] * 5]), mean_statistic(values))
    low, high = stats.t.interval(0.95, 4, np.mean(values), stats.sem(values))
    assert (found.student.low, found.student.high) == pytest.approx((low, high), rel=1e-12)
    with pytest.raises(ValueError, match="blocks must be at least 2, found 1"):
        t_factor(1, 0.95)


def test_mouse_data_has_the_published_standard_errors():
    # Efron and Tibshirani, An Introduction to the Bootstrap (1993), table 2.2, without end to the
    # resamples: 23.36 for the mean, 37.83 for the median.
    values = np.array([16.0, 23.0, 38.0, 94.0, 99.0, 141.0, 197.0])

    def median(counts):
        middle = counts.sum(axis=1)[:, None] // 2
        return values[(np.cumsum(counts, axis=1) > middle).argmax(axis=1)]

    for statistic, expected in ((mean_statistic(values), 23.36352344), (median, 37.83467439)):
        law = enumerated_bootstrap(Counts([[1] * 7]), statistic).law
        assert law.atoms == 1_716
        assert law.sd == pytest.approx(expected, abs=5e-9)


@pytest.mark.parametrize(
    ("groups", "statistic", "samples"),
    [
        ([[7, 13]], proportion_statistic, [[1] * 7 + [0] * 13]),
        ([[9, 6], [3, 11]], difference_statistic, [[1] * 9 + [0] * 6, [1] * 3 + [0] * 11]),
    ],
)
def test_the_acceleration_is_scipys(groups, statistic, samples):
    found = enumerated_bootstrap(Counts(groups), statistic)

    def own(*arrays, axis=-1):
        means = [each.mean(axis=axis) for each in arrays]
        return means[0] if len(means) == 1 else means[0] - means[1]

    drawn = stats.bootstrap(
        tuple(map(np.array, samples)),
        own,
        n_resamples=200_000,
        batch=20_000,
        rng=np.random.default_rng(3),
        vectorized=True,
    ).confidence_interval
    step = 1.0 / min(map(sum, groups)) / max(map(sum, groups))
    assert (found.bca.low, found.bca.high) == pytest.approx((drawn.low, drawn.high), abs=4 * step)


def test_acceleration_of_a_mean_is_a_sixth_of_its_skewness():
    values = np.array([1.0, 2.0, 2.0, 10.0, 4.0])
    without = (values.sum() - values) / 4
    n = len(values)
    expected = stats.skew(values) / (6.0 * math.sqrt(n))
    assert float(acceleration([(without, np.ones(n))])) == pytest.approx(expected, rel=1e-12)
    assert math.isnan(float(acceleration([(np.ones(3), np.ones(3))])))


def test_a_symmetric_law_needs_no_correction():
    law = enumerate_multinomial([10, 10], proportion_statistic)
    plain, moved = law.percentile_interval(), bca_interval(law, 0.5, 0.0)
    assert (moved.low, moved.high) == (plain.low, plain.high)


def test_there_is_no_bca_outside_the_law_or_without_one():
    law = enumerate_multinomial([10, 10], proportion_statistic)
    assert bca_interval(law, 1.5, 0.0) is None
    assert bca_interval(law, 0.5, math.nan) is None
    with pytest.raises(ValueError, match="at must be finite, found nan"):
        bca_interval(law, math.nan, 0.0)
    assert t_interval(law, math.inf, 5) is None
    empty = enumerate_multinomial([0, 0], proportion_statistic)
    assert bca_interval(empty, 0.5, 0.0) is None


# Tests inverted.


@few
@given(st.integers(1, 24), st.integers(2, 25), LEVELS)
def test_the_inverted_test_of_a_share_is_clopper_and_pearson(successes, total, level):
    successes = min(successes, total - 1)
    found = tilted_interval([[successes, total - successes]], proportion_statistic, level)
    expected = proportion_limits(
        successes, total, level=level, method=ProportionMethod.CLOPPER_PEARSON
    )
    assert (found.low, found.high) == pytest.approx(expected, abs=1e-7)


def test_the_inverted_test_leaves_the_tails_their_share():
    groups = [[9, 6], [3, 11]]
    found = enumerated_bootstrap(Counts(groups), difference_statistic)
    assert found.inverted.low < found.percentile.low < found.value
    assert found.value < found.inverted.high
    assert math.isinf(odds_ratio([[5, 10], [0, 12]]).value)
    assert tilted_interval([[5, 10], [0, 12]], odds_ratio_statistic) is None
    assert tilted_interval([[5, 0]], proportion_statistic) is None
    with pytest.raises(AtomLimitError, match="needs 240 count vectors, the limit is 100"):
        tilted_interval(groups, difference_statistic, limit=100)


def test_a_proved_corner_is_the_last_population():
    # κ = 1 in the data: no population on these two cells has less.
    found = enumerated_bootstrap(Counts([[5, 0, 0, 7]]), kappa_statistic)
    assert (found.value, found.percentile, found.inverted) == (1.0, None, None)


# Pairs.


lists = st.lists(st.integers(-20, 20), min_size=1, max_size=30)


@few
@given(lists, lists, st.floats(0, 1))
def test_quantiles_of_pairs_are_those_of_all_pairs(one, other, q):
    first, second = np.array(one, dtype=float), np.array(other, dtype=float)
    every = np.sort((first[:, None] + second).ravel()) / 2.0
    law = PairMeans.of(first, second)
    rank = max(math.ceil((q - 1e-12) * len(every)), 1)
    assert law.quantile(q) == every[rank - 1]
    assert law.deviation() == pytest.approx(every.std(), abs=1e-12)
    assert law.below(every[0]) == pytest.approx((every == every[0]).mean() / 2.0)


def test_many_pairs_are_searched_without_being_kept(monkeypatch):
    rng = np.random.default_rng(0)
    first, second = rng.normal(100, 20, 900), rng.normal(50, 30, 1_100)
    every = np.sort((np.sort(first)[:, None] / 2 + np.sort(second) / 2).ravel())
    law, asked = PairMeans.of(first, second), []
    count = PairMeans.count
    monkeypatch.setattr(PairMeans, "count", lambda self, v: asked.append(v) or count(self, v))
    for q in (0.0, 0.001, 0.025, 0.5, 0.975, 1.0):
        rank = max(math.ceil((q - 1e-12) * len(every)), 1)
        assert law.quantile(q) == every[rank - 1]
    assert len(asked) < 6 * 25


def test_ties_by_the_thousand_are_one_value():
    law = PairMeans.of(np.repeat([0.0, 1.0, 2.0], 100), np.repeat([0.0, 1.0], 1_000))
    assert [law.quantile(q) for q in (0.1, 0.5, 1.0)] == [0.0, 0.5, 1.5]


def test_what_pairs_refuse():
    with pytest.raises(ValueError, match="both lists must hold finite values"):
        PairMeans.of(np.array([math.nan]), np.ones(1))
    with pytest.raises(ValueError, match=r"q must lie in \[0, 1\], found 2"):
        PairMeans.of(np.ones(1), np.ones(1)).quantile(2.0)


# The call.


def test_the_call_says_how_it_was_done():
    found = enumerated_bootstrap(Counts([[24, 2, 1, 23]]), kappa_statistic)
    assert found.told == (
        "enumerated: 23,426 atoms, total 1, undefined 1.29e-16, quantiles by inverse cdf"
    )
    flagged = enumerated_bootstrap(Counts([[0, 5], [2, 3]]), difference_statistic)
    assert flagged.told.endswith("; groups 0 lie in one cell each")
    assert QUANTILE_RULE in flagged.percentile.method


def test_kappa_past_the_limit_is_drawn_with_limits_that_are_not():
    table, rng = [40, 9, 8, 43], np.random.default_rng(0)
    found = enumerated_bootstrap(Counts([table]), kappa_statistic, limit=10_000, rng=rng)
    assert found.law.engine is Engine.MONTE_CARLO
    assert found.percentile == kappa_law(np.reshape(table, (2, 2))).percentile_interval()
    assert found.low_band.width == found.high_band.width == 0.0
    assert found.inverted is None


def test_kappa_past_two_million_tables_is_still_enumerated():
    found = enumerated_bootstrap(Counts([[100, 14, 13, 100]]), kappa_statistic)
    assert found.law.engine is Engine.ENUMERATED
    assert found.law.atoms == support_size(227, 4) == 2_001_460
    assert found.percentile.low < found.value < found.percentile.high


def test_another_statistic_past_the_limit_has_bands_that_hold_the_limits():
    groups = Counts([[132, 88], [100, 119]])
    every = enumerated_bootstrap(groups, difference_statistic)
    drawn = enumerated_bootstrap(
        groups, difference_statistic, limit=10, rng=np.random.default_rng(5)
    )
    assert every.percentile.low in drawn.low_band
    assert every.percentile.high in drawn.high_band
    assert drawn.low_band.width > 0.0
    with pytest.raises(AtomLimitError, match="the limit is 10"):
        enumerated_bootstrap(groups, difference_statistic, limit=10)


def test_what_the_call_refuses():
    with pytest.raises(ValueError, match="draws must be at least 1, found 0"):
        enumerated_bootstrap(Counts([[1, 1]]), proportion_statistic, draws=0)
    with pytest.raises(TypeError, match="sample must be Counts, Clusters or Blocks, found list"):
        enumerated_bootstrap([1, 2], proportion_statistic)


@few
@given(st.lists(st.tuples(cell, cell).map(list), min_size=2, max_size=2))
def test_whatever_is_empty_gives_no_interval_and_no_warning(groups):
    found = enumerated_bootstrap(Counts(groups), odds_ratio_statistic)
    assert found.law.total == pytest.approx(1.0, abs=1e-12)
    if [0, 0] in groups:
        assert found.law.undefined_mass == pytest.approx(1.0)
        assert found.percentile is found.bca is found.inverted is found.low_band is None
    for span in (found.basic, found.bca, found.inverted):
        assert span is None or math.isfinite(found.value)


def test_six_models_have_462_resamples():
    ratings = np.array([10.0, 40.0, -20.0, 5.0, 60.0, 0.0])

    def deviation(counts):
        shares = counts / counts.sum(axis=1, keepdims=True)
        mean = shares @ ratings
        return np.sqrt(np.maximum(shares @ ratings**2 - mean**2, 0.0))

    found = enumerated_bootstrap(Counts([[1] * 6]), deviation)
    assert found.law.atoms == 462
    brute = ratings[block_sequences(6)].std(axis=1)
    assert found.law.mean == pytest.approx(np.mean(brute), rel=1e-12)
    expected = np.sort(brute)[[math.ceil(0.025 * 6**6) - 1, math.ceil(0.975 * 6**6) - 1]]
    assert (found.percentile.low, found.percentile.high) == pytest.approx(tuple(expected))


# What is quoted first.


def test_a_share_is_quoted_exact_with_its_percentile_beside():
    found = reported_share(32, 146)
    exact = stats.binomtest(32, 146).proportion_ci(method="exact")
    span = found.estimate.interval
    assert (span.low, span.high) == pytest.approx((exact.low, exact.high), rel=1e-9)
    known = [stats.binom.ppf(q, 146, 32 / 146) / 146 for q in (0.025, 0.975)]
    assert [found.percentile.low, found.percentile.high] == known
    assert found.quoted_covers >= 0.95 > found.percentile_covers


def test_an_empty_cell_has_no_resampled_interval_and_is_flagged():
    found = reported_share(0, 20)
    assert found.percentile is None
    assert found.resampled.law.degenerate_groups == (0,)
    assert found.estimate.interval.high == pytest.approx(0.1684, abs=5e-5)
    with pytest.raises(ValueError, match="a share needs at least one trial, found total 0"):
        reported_share(0, 0)


@few
@given(st.integers(1, 30), st.floats(0.01, 0.99), LEVELS)
def test_clopper_and_pearson_never_cover_too_little(total, share, level):
    exact = partial(proportion_limits, level=level, method=ProportionMethod.CLOPPER_PEARSON)
    limits = np.array([exact(x, total) for x in range(total + 1)])
    assert covered_share(limits, share) >= level - 1e-9


def test_two_shares_are_quoted_by_newcombe_and_given_both_margins():
    table = [[32, 114], [5, 138]]
    difference, ratio_found = reported_difference(table), reported_odds_ratio(table)
    assert difference.estimate.value == pytest.approx(32 / 146 - 5 / 143)
    assert difference.estimate.interval.method == "newcombe hybrid score"
    assert ratio_found.estimate.interval.method == "conditional exact"
    assert ratio_found.beside.method == "mid-p"
    exact = stats.contingency.odds_ratio(table).confidence_interval(0.95)
    span = ratio_found.estimate.interval
    assert (span.low, span.high) == pytest.approx((exact.low, exact.high), rel=1e-6)
    assert ratio_found.quoted_covers == two_shares_covered("conditional exact", 0.95) >= 0.95
    assert math.isnan(reported_difference(table, level=0.9).quoted_covers)


def test_coverage_is_said_or_said_to_be_unknown():
    found = coverage_of(Scheme.CARRIED, "rating.gap", Method.PERCENTILE, 5, 0.95)
    assert 0.7 < found < 0.9
    assert said(found) == f"coverage {found:.2f} in simulation"
    for units, level in ((4, 0.95), (5, 0.9)):
        unknown = coverage_of(Scheme.CARRIED, "rating.gap", Method.PERCENTILE, units, level)
        assert said(unknown) == "coverage not simulated"
    assert primary_of(Scheme.RESET, "rating.gap") is Method.STUDENT
    assert primary_of(Scheme.RESET, "never heard of") is Method.STUDENT

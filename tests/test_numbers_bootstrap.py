from __future__ import annotations

import json
import math
import os
from collections import defaultdict
from fractions import Fraction
from functools import cache, partial
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from audit.numbers.agreement import cohen_kappa
from audit.numbers.estimate import Interval
from audit.numbers.odds import odds_ratio, risk_ratio
from audit.numbers.proportion import difference
from audit.numbers.resampling._resamples import blocks
from audit.numbers.resampling.bootstrap import (
    AtomLimitError,
    enumerate_multinomial,
    enumerate_product,
    sample_product,
    support_size,
)
from audit.numbers.resampling.law import Engine, Law
from audit.numbers.statistic import (
    Disagreement,
    difference_statistic,
    disagreement_weights,
    kappa_statistic,
    odds_ratio_statistic,
    proportion_statistic,
    risk_ratio_statistic,
)
from games.errors import AidgError

CASES = Path(__file__).parent / "cases" / "known_answers_numbers.json"
KNOWN = {case["id"]: case for case in json.loads(CASES.read_text(encoding="utf-8"))["vectors"]}
# Deadlines depend on the machine's load, which says nothing about the code.
few = settings(max_examples=40, deadline=None)

two = st.lists(st.integers(0, 12), min_size=2, max_size=2)
four = st.lists(st.integers(0, 5), min_size=4, max_size=4)


def law_of(pairs, undefined=0.0, atoms=None, **more):
    values, weights = (np.array(column, dtype=float) for column in zip(*pairs, strict=True))
    return Law(values, weights, undefined, atoms or len(values), Engine.ENUMERATED, **more)


# Brute force: every one of the n^n resamples by itself, in fractions. It shares no line with the
# package: not the walk over counts, not the probabilities, not the statistics.


def ratio(numerator, denominator):
    if denominator == 0:
        return math.nan if numerator == 0 else math.copysign(math.inf, numerator)
    return Fraction(numerator, denominator)


def plain_proportion(cells):
    return ratio(cells[0], sum(cells))


def plain_difference(cells):
    a, b, c, d = cells
    return ratio(a, a + b) - ratio(c, c + d)


def plain_odds_ratio(cells):
    a, b, c, d = cells
    return ratio(a * d, b * c)


def plain_risk_ratio(cells):
    a, b, c, d = cells
    return ratio(a * (c + d), c * (a + b))


def plain_kappa(cells):
    size, n = math.isqrt(len(cells)), sum(cells)
    rows = [cells[i * size : (i + 1) * size] for i in range(size)]
    columns = [cells[i::size] for i in range(size)]
    chance = sum(Fraction(sum(r) * sum(c), n * n) for r, c in zip(rows, columns, strict=True))
    agreed = Fraction(sum(rows[i][i] for i in range(size)), n)
    return math.nan if chance == 1 else (agreed - chance) / (1 - chance)


def every_resample(counts):
    """Yield the counts of all n^n resamples of n observations, with repetition."""
    observed = [cell for cell, count in enumerate(counts) for _ in range(count)]
    for drawn in product(observed, repeat=len(observed)):
        yield tuple(drawn.count(cell) for cell in range(len(counts)))


def brute_force(groups, statistic):
    """Return the share of resamples at each value, and the share at which there is none."""
    found, undefined, total = defaultdict(int), 0, 0
    evaluate = cache(statistic)
    for parts in product(*(list(every_resample(group)) for group in groups)):
        value = evaluate(tuple(count for part in parts for count in part))
        total += 1
        if isinstance(value, float) and math.isnan(value):
            undefined += 1
        else:
            found[value] += 1
    shares = {value: Fraction(count, total) for value, count in sorted(found.items())}
    return shares, Fraction(undefined, total)


BRUTE = [
    ([[1, 2]], proportion_statistic, plain_proportion),
    ([[2, 4]], proportion_statistic, plain_proportion),
    ([[6, 0]], proportion_statistic, plain_proportion),
    ([[2, 1, 0, 3]], kappa_statistic, plain_kappa),
    ([[2, 2, 1, 1]], kappa_statistic, plain_kappa),
    ([[1, 0, 1, 0, 2, 0, 0, 1, 1]], kappa_statistic, plain_kappa),
    ([[0, 0, 0, 5]], kappa_statistic, plain_kappa),
    ([[2, 1], [1, 3]], difference_statistic, plain_difference),
    ([[3, 0], [1, 2]], difference_statistic, plain_difference),
    ([[2, 1], [1, 3]], odds_ratio_statistic, plain_odds_ratio),
    ([[1, 2], [2, 1]], odds_ratio_statistic, plain_odds_ratio),
    ([[0, 3], [1, 2]], odds_ratio_statistic, plain_odds_ratio),
    ([[1, 2], [1, 3]], risk_ratio_statistic, plain_risk_ratio),
    ([[1, 1, 2, 1]], odds_ratio_statistic, plain_odds_ratio),
]


@pytest.mark.parametrize(("groups", "statistic", "plain"), BRUTE)
def test_the_law_is_that_of_all_resamples(groups, statistic, plain):
    shares, undefined = brute_force(groups, plain)
    exact = enumerate_product(groups, statistic, exact=True)
    assert exact.engine is Engine.RATIONAL
    assert exact.rational_weights == tuple(shares.values())
    assert exact.rational_undefined == undefined
    assert exact.values.tolist() == [float(value) for value in shares]
    law = enumerate_product(groups, statistic)
    assert law.values.tolist() == [float(value) for value in shares]
    assert law.weights == pytest.approx([float(share) for share in shares.values()], abs=1e-14)
    assert law.undefined_mass == pytest.approx(float(undefined), abs=1e-14)


@few
@given(four, st.booleans())
def test_rational_probabilities_sum_to_one_and_match_the_floats(counts, together):
    groups = [counts] if together else [counts[:2], counts[2:]]
    exact = enumerate_product(groups, odds_ratio_statistic, exact=True)
    floats = enumerate_product(groups, odds_ratio_statistic)
    assert sum(exact.rational_weights, exact.rational_undefined) == 1
    assert exact.values.tolist() == floats.values.tolist()
    assert exact.weights == pytest.approx(floats.weights, abs=1e-14)
    assert (exact.atoms, exact.degenerate_groups) == (floats.atoms, floats.degenerate_groups)


def test_sizes_of_the_support():
    known = KNOWN["bootstrap_support_sizes"]
    found = [support_size(n, m) for n, m in known["inputs"]["pairs_n_m"]]
    assert found == known["expected"]["sizes"]


@pytest.mark.parametrize(
    ("n", "m", "size"), [(0, 0, 1), (3, 0, 0), (0, 4, 1), (5, 1, 1), (50, 2, 51)]
)
def test_small_supports(n, m, size):
    assert support_size(n, m) == size


@few
@given(four)
def test_as_many_atoms_as_announced_over_the_filled_cells(counts):
    size = support_size(sum(counts), sum(count > 0 for count in counts))
    assert enumerate_multinomial(counts, odds_ratio_statistic).atoms == size


def test_the_atoms_are_all_different_and_complete():
    seen = []

    def watch(block):
        seen.extend(map(tuple, block.tolist()))
        return np.zeros(len(block))

    enumerate_product([[2, 0, 1], [1, 3]], watch)
    assert len(seen) == len(set(seen)) == 4 * 5
    assert {(sum(atom[:3]), atom[1], sum(atom[3:])) for atom in seen} == {(3, 0, 4)}


@pytest.mark.parametrize("exact", [False, True])
def test_kappa_of_fifty(exact):
    known = KNOWN["exact_boot_kappa_50"]
    cells = np.ravel(known["inputs"]["table"])
    law = enumerate_multinomial(cells, kappa_statistic, exact=exact)
    assert law.atoms == 23_426
    for name, q in [("q025", 0.025), ("q50", 0.5), ("q975", 0.975)]:
        assert law.quantile(q) == pytest.approx(known["expected"][name], abs=known["abs_tol"])
    span = law.percentile_interval(0.95)
    assert (span.low, span.high) == (law.quantile(0.025), 1.0)
    # κ is 0/0 where all fifty fall into one corner.
    assert law.undefined_mass == pytest.approx((24 / 50) ** 50 + (23 / 50) ** 50, rel=1e-9)


def test_percentile_intervals_of_a_proportion():
    known = KNOWN["exact_boot_proportion"]
    for (x, n), limits in zip(known["inputs"]["cases"], known["expected"]["ci"], strict=True):
        law = enumerate_multinomial([x, n - x], proportion_statistic)
        span = law.percentile_interval(0.95)
        assert (span.low, span.high) == pytest.approx(limits, abs=known["abs_tol"])
        assert law.degenerate == (x in (0, n))


@few
@given(two.filter(any), st.floats(0.0, 1.0))
def test_a_proportion_follows_the_binomial_law(counts, q):
    x, n = counts[0], sum(counts)
    law = enumerate_multinomial(counts, proportion_statistic)
    if law.degenerate:
        assert law.values.tolist() == [x / n]
        return
    binomial = stats.binom(n, x / n)
    assert law.weights == pytest.approx(binomial.pmf(np.arange(n + 1)), abs=1e-13)
    assert law.mean == pytest.approx(x / n, abs=1e-12)
    assert law.sd == pytest.approx(binomial.std() / n, abs=1e-12)
    reached = binomial.cdf(np.arange(n + 1))
    # Where q falls on a step, rounding decides between two neighbours.
    if np.abs(reached - q).min() > 1e-9 and 0.0 < q < 1.0:
        assert law.quantile(q) == binomial.ppf(q) / n


@pytest.mark.parametrize("n", [439, 5000])
def test_the_total_holds_to_1e_12_for_large_samples(n):
    law = enumerate_multinomial([n // 3, n - n // 3], proportion_statistic)
    assert abs(law.total - 1.0) < 1e-12
    assert law.sd == pytest.approx(math.sqrt((n // 3) * (n - n // 3) / n) / n, rel=1e-10)


def test_vectors_come_in_blocks_of_bounded_size():
    sizes = [len(block) for block, _ in blocks([np.array([60, 30, 20, 15])])]
    assert len(sizes) > 1
    assert max(sizes) <= 1 << 17
    law = enumerate_multinomial([60, 30, 20, 15], kappa_statistic)
    assert law.atoms == support_size(125, 4) == 341_376
    assert abs(law.total - 1.0) < 1e-12


def test_the_mean_difference_is_the_difference_and_variances_add():
    law = enumerate_product([[132, 88], [100, 119]], difference_statistic)
    p, q = 132 / 220, 100 / 219
    assert law.mean == pytest.approx(p - q, abs=1e-12)
    assert law.sd == pytest.approx(math.sqrt(p * (1 - p) / 220 + q * (1 - q) / 219), abs=1e-12)
    assert law.atoms == 221 * 220


@pytest.mark.parametrize(
    ("groups", "statistic"),
    [
        ([[24, 2, 1, 23]], kappa_statistic),
        ([[13, 7], [5, 14]], difference_statistic),
        ([[13, 7], [5, 14]], odds_ratio_statistic),
        ([[3, 2], [1, 4]], risk_ratio_statistic),
    ],
)
def test_a_million_draws_stay_within_five_sigma(groups, statistic):
    law = enumerate_product(groups, statistic)
    draws = 1_000_000
    drawn = sample_product(groups, statistic, draws=draws, rng=np.random.default_rng(11))
    assert set(drawn.values) <= set(law.values)
    reached = np.cumsum(law.weights)
    sampled = np.cumsum(drawn.weights)[np.searchsorted(drawn.values, law.values, "right") - 1]
    sampled[law.values < drawn.values[0]] = 0.0
    band = 5.0 * np.sqrt(reached * (1.0 - reached).clip(0.0) / draws) + 1e-5
    assert (np.abs(sampled - reached) <= band).all()
    sigma = math.sqrt(law.undefined_mass / draws)
    assert drawn.undefined_mass == pytest.approx(law.undefined_mass, abs=5.0 * sigma + 1e-12)


def test_the_band_of_a_sampled_quantile_holds_the_enumerated_one():
    groups, missed = [[24, 2, 1, 23]], 0
    truth = enumerate_product(groups, kappa_statistic).quantile(0.025)
    for seed in range(200):
        rng = np.random.default_rng(seed)
        law = sample_product(groups, kappa_statistic, draws=500, rng=rng)
        missed += truth not in law.quantile_band(0.025, 0.99)
    # At most 1% by design; 8 of 200 is beyond four standard deviations of that.
    assert missed < 8


def test_the_band_of_an_enumerated_quantile_is_a_point():
    law = enumerate_multinomial([3, 7], proportion_statistic)
    assert law.quantile_band(0.5).width == 0.0
    assert law.quantile_band(0.5).method == "enumerated"


def test_the_same_seed_draws_the_same_law():
    one, two = (
        sample_product([[3, 0, 4]], proportion_statistic, draws=99, rng=np.random.default_rng(3))
        for _ in range(2)
    )
    assert one.engine is Engine.MONTE_CARLO
    assert one.atoms == 99
    assert one.values.tolist() == two.values.tolist()
    assert one.weights.tolist() == two.weights.tolist()


# Nothing disappears: undefined mass, infinities, empty groups, groups in one cell.


def test_the_undefined_mass_is_kept():
    # OR = ad/bc of [[1, 1], [1, 1]]: 0/0 if one factor of either product is 0 on both sides.
    law = enumerate_product([[1, 1], [1, 1]], odds_ratio_statistic, exact=True)
    assert law.values.tolist() == [0.0, 1.0, math.inf]
    assert law.rational_undefined == Fraction(1, 8)
    assert law.rational_weights == (Fraction(5, 16), Fraction(1, 4), Fraction(5, 16))


def test_infinity_is_a_value():
    law = enumerate_product([[3, 2], [1, 4]], odds_ratio_statistic)
    assert law.quantile(1.0) == math.inf
    assert law.mean == math.inf
    assert math.isnan(law.sd)
    assert law.percentile_interval(0.9).high == math.inf


def test_an_empty_group_makes_everything_undefined():
    law = enumerate_product([[3, 2], [0, 0]], difference_statistic)
    assert (law.undefined_mass, law.values.size, law.atoms) == (pytest.approx(1.0), 0, 6)
    assert law.percentile_interval() is None
    assert law.basic_interval(0.95, 0.1) is None
    assert math.isnan(law.quantile(0.5))
    assert math.isnan(law.mean)
    assert math.isnan(law.sd)
    assert law.quantile_band(0.5) == Interval(-math.inf, math.inf, 0.99, "never defined")
    assert law.degenerate_groups == (1,)
    drawn = sample_product([[0, 0]], proportion_statistic, draws=5, rng=np.random.default_rng(0))
    assert drawn.undefined_mass == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("groups", "flagged"),
    [([[3, 2], [4, 1]], ()), ([[0, 50], [4, 1]], (0,)), ([[5, 0], [0, 5]], (0, 1))],
)
def test_groups_in_one_cell_are_flagged(groups, flagged):
    law = enumerate_product(groups, difference_statistic)
    assert law.degenerate_groups == flagged
    assert law.degenerate is bool(flagged)


@few
@given(st.lists(two, min_size=2, max_size=2))
def test_empty_cells_and_the_order_of_groups_change_nothing(groups):
    law = enumerate_product(groups, difference_statistic)
    back = enumerate_product(groups[::-1], lambda counts: -difference_statistic(counts))
    padded = [[groups[0][0], 0, groups[0][1]], groups[1]]
    same = enumerate_product(padded, lambda counts: difference_statistic(counts[:, [0, 2, 3, 4]]))
    for other in (back, same):
        assert other.values == pytest.approx(law.values)
        assert other.weights == pytest.approx(law.weights, abs=1e-13)
        assert other.undefined_mass == pytest.approx(law.undefined_mass, abs=1e-13)


@few
@given(four, st.permutations(range(4)))
def test_the_order_of_cells_changes_nothing(counts, order):
    law = enumerate_multinomial(counts, proportion_statistic)
    moved = enumerate_multinomial(
        [counts[i] for i in order],
        lambda found: proportion_statistic(found[:, np.argsort(order)]),
    )
    assert moved.values.tolist() == law.values.tolist()
    assert moved.weights == pytest.approx(law.weights, abs=1e-13)


# Ties.


def test_equal_ratios_are_equal_floats_so_that_ties_need_no_tolerance():
    for groups, statistic in [
        ([[24, 2, 1, 23]], kappa_statistic),
        ([[30, 31], [27, 33]], odds_ratio_statistic),
    ]:
        exact = enumerate_product(groups, statistic, tie_tolerance=0.0)
        assert exact.values.tolist() == enumerate_product(groups, statistic).values.tolist()


def test_rounding_splits_ties_which_the_tolerance_joins():
    groups = [[5, 5], [5, 5]]

    def rough(counts):
        return counts[:, 0] / 10 - counts[:, 2] / 10

    split = enumerate_product(groups, rough, tie_tolerance=0.0)
    joined = enumerate_product(groups, rough)
    clean = enumerate_product(groups, difference_statistic)
    assert len(split.values) > len(joined.values) == len(clean.values) == 21
    assert joined.values == pytest.approx(clean.values, abs=1e-15)
    assert joined.weights == pytest.approx(clean.weights, abs=1e-15)


def test_the_tolerance_is_relative_to_small_statistics():
    law = enumerate_multinomial([5, 5], lambda counts: counts[:, 0] * 1e-15)
    assert len(law.values) == 11


def test_ties_at_infinity_and_beside_it():
    def odd(counts):
        return np.array([-math.inf, 0.0, math.inf, math.inf])[counts[:, 0]]

    law = enumerate_multinomial([1, 2], odd)
    assert law.values.tolist() == [-math.inf, 0.0, math.inf]
    assert math.isnan(law.mean)


def test_minus_zero_is_zero():
    law = enumerate_multinomial([1, 1], lambda counts: -0.0 * counts[:, 0])
    assert math.copysign(1.0, law.values[0]) == 1.0


def test_a_tolerance_is_not_negative():
    for tolerance in (-1.0, math.nan):
        with pytest.raises(ValueError, match="tie_tolerance must not be negative, found"):
            enumerate_multinomial([1, 1], proportion_statistic, tie_tolerance=tolerance)


# Refusals.


def test_too_many_atoms_are_refused_by_number():
    with pytest.raises(AtomLimitError, match="needs 14294280 count vectors, the limit is 2000000"):
        enumerate_multinomial([200, 20, 19, 200], kappa_statistic)
    with pytest.raises(AtomLimitError) as caught:
        enumerate_product([[1, 1], [1, 1]], difference_statistic, limit=8)
    assert (caught.value.atoms, caught.value.limit) == (9, 8)
    assert isinstance(caught.value, AidgError)
    assert isinstance(caught.value, ValueError)


def test_what_enumeration_refuses():
    with pytest.raises(ValueError, match="counts_by_group must hold at least one group"):
        enumerate_product([], proportion_statistic)
    with pytest.raises(ValueError, match="counts of group 1 must hold whole numbers of at least 0"):
        enumerate_product([[1, 1], [1, -1]], difference_statistic)
    with pytest.raises(ValueError, match=r"statistic must return shape \(3,\), found shape \(\)"):
        enumerate_multinomial([1, 1], np.sum)
    with pytest.raises(ValueError, match="draws must be at least 1, found 0"):
        sample_product([[1, 1]], proportion_statistic, draws=0, rng=np.random.default_rng(0))


# The statistics, and the law by itself.


@few
@given(four)
def test_statistics_agree_with_the_estimates(counts):
    a, b, c, d = counts
    block = np.array([counts])
    table = [[a, b], [c, d]]
    for statistic, estimate in [
        (difference_statistic, difference(a, a + b, c, c + d)),
        (risk_ratio_statistic, risk_ratio(table)),
        (odds_ratio_statistic, odds_ratio(table)),
    ]:
        assert statistic(block)[0] == pytest.approx(estimate.value, nan_ok=True)
    for kind in Disagreement:
        found = kappa_statistic(block, kind)[0]
        expected = cohen_kappa(table, disagreement=kind).estimate.value
        assert found == pytest.approx(expected, nan_ok=True)


def test_weighted_kappa_is_enumerated_with_its_weights():
    table = [[6, 1, 0], [1, 5, 1], [0, 1, 5]]
    statistic = partial(kappa_statistic, disagreement=Disagreement.QUADRATIC)
    law = enumerate_multinomial(np.ravel(table), statistic, limit=10**6)
    value = cohen_kappa(table, disagreement=Disagreement.QUADRATIC).estimate.value
    assert value in law.percentile_interval(0.5)
    assert law.sd == pytest.approx(
        cohen_kappa(table, disagreement=Disagreement.QUADRATIC).ase, rel=0.15
    )


def test_disagreements_are_whole_numbers():
    assert disagreement_weights(3, "nominal").tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    assert disagreement_weights(3, "linear").tolist() == [[0, 1, 2], [1, 0, 1], [2, 1, 0]]
    assert disagreement_weights(3, "quadratic").tolist() == [[0, 1, 4], [1, 0, 1], [4, 1, 0]]


@pytest.mark.parametrize("cells", [1, 3, 5])
def test_statistics_want_their_cells(cells):
    block = np.ones((2, cells), dtype=np.int64)
    with pytest.raises(ValueError, match=f"kappa needs the cells of a square table, found {cells}"):
        kappa_statistic(block)
    for statistic in (difference_statistic, risk_ratio_statistic, odds_ratio_statistic):
        with pytest.raises(ValueError, match=f"two samples have four cells, found {cells}"):
            statistic(block)


def test_quantiles_invert_the_distribution_function():
    law = law_of([(1.0, 0.25), (2.0, 0.5), (4.0, 0.25)])
    steps = {0.0: 1.0, 0.25: 1.0, 0.2500001: 2.0, 0.5: 2.0, 0.75: 2.0, 0.76: 4.0, 1.0: 4.0}
    assert {q: law.quantile(q) for q in steps} == steps


def test_quantiles_are_those_of_the_defined_part():
    law = law_of([(1.0, 0.25), (2.0, 0.25)], undefined=0.5)
    assert [law.quantile(q) for q in (0.5, 0.51)] == [1.0, 2.0]
    assert (law.mean, law.sd) == (1.5, 0.5)


def test_the_basic_interval_mirrors_the_percentile_interval():
    law = enumerate_multinomial([3, 7], proportion_statistic)
    span, basic = law.percentile_interval(0.9), law.basic_interval(0.9, 0.3)
    assert (basic.low, basic.high) == pytest.approx((0.6 - span.high, 0.6 - span.low))
    assert "inverse cdf" in basic.method
    assert "inverse cdf" in span.method


@pytest.mark.parametrize("q", [-0.1, 1.1, math.nan])
def test_q_is_a_probability(q):
    with pytest.raises(ValueError, match=r"q must lie in \[0, 1\], found"):
        law_of([(1.0, 1.0)]).quantile(q)


def test_a_basic_interval_needs_a_finite_estimate():
    with pytest.raises(ValueError, match="at must be finite, found inf"):
        law_of([(1.0, 1.0)]).basic_interval(0.95, math.inf)


@pytest.mark.parametrize(
    ("pairs", "undefined", "message"),
    [
        ([(1.0, 0.5)], 0.0, r"weights must sum to 1, found 0\.5"),
        ([(1.0, 0.5), (1.0, 0.5)], 0.0, "values must be strictly ascending and not NaN"),
        ([(math.nan, 1.0)], 0.0, "values must be strictly ascending and not NaN"),
        ([(1.0, 1.5), (2.0, -0.5)], 0.0, "weights must not be negative"),
        ([(1.0, 1.5)], -0.5, "weights must not be negative"),
    ],
)
def test_what_is_no_law(pairs, undefined, message):
    with pytest.raises(ValueError, match=message):
        law_of(pairs, undefined)


def test_values_and_weights_go_together():
    with pytest.raises(ValueError, match="values and weights must be vectors of one length"):
        Law(np.zeros(1), np.ones(2), 0.0, 2, Engine.ENUMERATED)


def test_a_law_cannot_be_written_to():
    law = law_of([(1.0, 1.0)])
    with pytest.raises(ValueError, match="read-only"):
        law.values[0] = 2.0


MEMORY = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else 0


@pytest.mark.slow
@pytest.mark.skipif(MEMORY < 10 * 2**30, reason="holds 77.6 million atoms, 7 GB")
def test_the_law_school_of_efron():
    known = KNOWN["law_school_enumeration"]
    x, y = (np.array(known["inputs"][name], dtype=float) for name in ("lsat", "gpa"))
    x, y = (x - x.mean()) / x.std(), (y - y.mean()) / y.std()
    moments = np.stack([x, y, x * x, y * y, x * y], axis=1) / 15

    def correlation(counts):
        mx, my, mxx, myy, mxy = (counts.astype(float) @ moments).T
        product = (mxx - mx * mx) * (myy - my * my)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(product > 1e-12, (mxy - mx * my) / np.sqrt(product), np.nan)

    law = enumerate_multinomial(np.ones(15, dtype=int), correlation, limit=10**8)
    expected = known["expected"]
    found = {
        "n_multisets": law.atoms,
        "r": float(np.mean(x * y)),
        "exact_mean": law.mean,
        "exact_se": law.sd,
        "q025": law.quantile(0.025),
        "q975": law.quantile(0.975),
    }
    assert found == {name: pytest.approx(expected[name], abs=known["abs_tol"]) for name in found}
    # All fifteen alike, or otherwise on a line without spread: 15 of 15^15 and little more.
    assert law.undefined_mass == pytest.approx(15.0 / 15.0**15, rel=1e-6)

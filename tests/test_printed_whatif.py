"""What would change a claim: thresholds by hand, bounds by property, every message."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from audit.numbers.independence import fisher
from audit.printed.raters import RaterTable
from audit.printed.shares import TwoByTwo
from audit.printed.tables import read_table
from audit.printed.whatif import CHANGES, WhatIf, run_whatif
from audit.printed.whatif_raters import rater_reading
from audit.printed.whatif_rows import clustered, part_whole, power, row_intervals
from audit.printed.whatif_tables import (
    attrition,
    compared,
    exclusion,
    first_is_higher,
    reclassification,
    reclassified,
)
from games.errors import StudyError

few = settings(max_examples=40, deadline=None)
MODES = TwoByTwo(32, 146, 5, 143)
SPEC = {"k1": 32, "n1": 146, "k2": 5, "n2": 143}
TABLES = {
    "t": read_table(
        """
        Model  | Win | Disq | C1 | C2
        Qwen   | 28% | 0%   | 2  | 9
        Gemini | 32% | 8%   | 4  | 5
        GPT    | 12% | 32%  | 7  | 1
        """
    )
}


@st.composite
def two_samples(draw, most=30):
    n1, n2 = draw(st.integers(1, most)), draw(st.integers(1, most))
    return TwoByTwo(draw(st.integers(0, n1)), n1, draw(st.integers(0, n2)), n2)


def run(change, **inputs):
    return run_whatif({"change": change, **inputs}, TABLES)


@few
@given(two_samples())
def test_a_comparison_is_that_of_the_numbers(table):
    found = compared(table)
    assert found.p == pytest.approx(fisher(table.cells).p)
    assert found.difference == pytest.approx(table.k1 / table.n1 - table.k2 / table.n2)
    assert found.low <= found.difference <= found.high
    narrow = compared(table, 0.9)
    assert (narrow.p, narrow.difference, narrow.level) == (found.p, found.difference, 0.9)
    assert found.low <= narrow.low <= narrow.high <= found.high


def test_odds_ratios_at_the_edge():
    assert compared(TwoByTwo(3, 5, 0, 4)).odds_ratio == math.inf
    assert compared(TwoByTwo(0, 5, 2, 4)).odds_ratio == 0.0
    assert math.isnan(compared(TwoByTwo(0, 5, 0, 4)).odds_ratio)


@few
@given(two_samples(12), st.integers(0, 3), st.integers(0, 3), st.data())
def test_no_attrition_goes_beyond_its_bounds(table, lost1, lost2, data):
    found = attrition(table, lost1, lost2)
    events1, events2 = data.draw(st.integers(0, lost1)), data.draw(st.integers(0, lost2))
    between = TwoByTwo(table.k1 + events1, table.n1 + lost1, table.k2 + events2, table.n2 + lost2)
    sign = 1 if first_is_higher(table) else -1
    ends = sign * found.worst.difference, sign * found.best.difference
    assert ends[0] - 1e-12 <= sign * compared(between).difference <= ends[1] + 1e-12


def test_attrition_of_the_lower_share():
    found = attrition(TwoByTwo(5, 143, 32, 146), 7, 4)
    mirrored = attrition(MODES, 4, 7)
    assert found.worst.p == pytest.approx(mirrored.worst.p)
    assert found.best.odds_ratio == pytest.approx(1 / mirrored.best.odds_ratio)


def test_the_thresholds_are_the_first_to_pass():
    found = reclassification(MODES)
    assert (found.moved.events, found.dropped.events) == (18, 21)
    for taken in range(18):
        assert fisher([[32 - taken, 114 + taken], [5, 138]]).p <= 0.05
    for taken in range(21):
        assert fisher([[32 - taken, 114], [5, 138]]).p <= 0.05
    assert found.moved.after.odds_ratio == pytest.approx(2.93, abs=5e-3)
    assert found.moved.before.table == TwoByTwo(15, 146, 5, 143)


def test_the_events_of_the_higher_share_are_meant():
    mirrored = reclassification(TwoByTwo(5, 143, 32, 146))
    assert not mirrored.first_is_higher
    assert (mirrored.moved.events, mirrored.dropped.events) == (18, 21)


def test_no_threshold():
    assert reclassification(TwoByTwo(3, 10, 2, 10)).moved is None
    # A sample of nothing but events: with all but one left out p is 1/41, and then none is left.
    assert reclassification(TwoByTwo(9, 9, 0, 40)).dropped is None


def test_exclusion():
    found = exclusion(TwoByTwo(128, 150, 252, 289), events1=62)
    assert found.without.table == TwoByTwo(66, 88, 252, 289)
    other = exclusion(MODES, others1=4, events2=1, others2=3).without.table
    assert other == TwoByTwo(32, 142, 4, 139)


def test_rows_have_wilson_intervals():
    (row,) = row_intervals([7], [25])
    assert (row.name, row.k, row.n) == ("row 1", 7, 25)
    assert (row.low, row.high) == pytest.approx((0.143, 0.476), abs=5e-4)


@few
@given(st.integers(1, 40), st.sampled_from([0.9, 0.95, 0.99]), st.data())
def test_rows_have_intervals_as_scipy_has_them(n, level, data):
    k = data.draw(st.integers(0, n))
    (row,) = row_intervals([k], [n], level=level)
    for method, found in (
        ("wilson", (row.low, row.high)),
        ("exact", (row.exact_low, row.exact_high)),
    ):
        oracle = stats.binomtest(k, n).proportion_ci(level, method=method)
        assert found == pytest.approx((oracle.low, oracle.high), abs=1e-9)


def test_parts_of_a_whole():
    found = part_whole([0, 2, 8, 16, 18, 18], [7, 8, 3, 2, 1, 1], [25] * 6)
    assert found.rate == Fraction(22, 88)
    assert found.forced == pytest.approx(-1.0)
    assert found.seen.estimate.value == pytest.approx(-0.953, abs=5e-4)
    assert found.conditional.estimate.value == pytest.approx(-0.82, abs=5e-3)
    assert found.left_out == 0


def test_a_row_of_nothing_but_the_part_has_no_rate():
    found = part_whole([0, 2, 5, 1], [3, 1, 0, 2], [5, 5, 5, 5])
    assert (found.left_out, found.conditional.estimate.counts_in) == (1, 3)


@given(st.floats(-9, 9), st.integers(1, 50), st.integers(1, 9), st.floats(0, 1))
def test_clusters_never_add(z, clusters, size, icc):
    found = clustered(z, clusters * size, clusters, icc)
    assert abs(found.z) <= abs(z)
    assert found.z**2 * (1 + (size - 1) * icc) == pytest.approx(z**2)
    assert clustered(z, clusters, clusters, icc).z == z


def test_four_rows_show_little():
    sizes, shares = ([Fraction(x) for x in side] for side in ([235, 671, 400, 8], [0, 16, 18, 18]))
    found = power(sizes, shares)
    assert found.smallest_p == pytest.approx(1 / 6)
    assert found.without_ties == Fraction(1, 12)
    assert found.reach == pytest.approx(0.97, abs=5e-3)
    assert math.isnan(power(sizes[:3], shares[:3]).reach)


def test_the_odds_ratio_of_two_samples_by_how_often_a_label_is_right():
    # 13 of 17 yes and 33 of 33 no are right: 13/17 of 32 and of 5 are true, and nothing else.
    found = rater_reading(RaterTable(13, 4, 0, 33), 59, 439, MODES)
    first, second = (Fraction(13, 17) * Fraction(*share) for share in ((32, 146), (5, 143)))
    assert found.odds_ratio == pytest.approx(float(first / (1 - first) / (second / (1 - second))))
    same = rater_reading(RaterTable(9, 2, 3, 8), 5, 30, TwoByTwo(5, 10, 10, 20))
    assert same.odds_ratio == pytest.approx(1.0)
    assert rater_reading(RaterTable(9, 2, 3, 8), 5, 30).odds_ratio is None
    never = rater_reading(RaterTable(0, 4, 0, 9), 5, 30, TwoByTwo(1, 9, 2, 9))
    assert math.isnan(never.odds_ratio)
    once = rater_reading(RaterTable(5, 0, 0, 9), 5, 30, TwoByTwo(1, 9, 0, 9))
    assert once.odds_ratio == math.inf


def test_resamples_of_raters_against_draws():
    found = rater_reading(RaterTable(13, 1, 3, 33), 59, 439)
    draws = np.random.default_rng(3).multinomial(50, [13 / 50, 1 / 50, 3 / 50, 33 / 50], 40_000)
    a, b, c, d = draws.T
    kappas = 2 * (a * d - b * c) / ((a + b) * (b + d) + (a + c) * (c + d))
    ends = found.resampled.low, found.resampled.high
    assert ends == pytest.approx(np.quantile(kappas, [0.025, 0.975]), abs=0.01)
    assert rater_reading(RaterTable(200, 1, 3, 300), 205, 600).resampled is None


def test_what_follows_from_a_table_of_raters():
    found = rater_reading(RaterTable(13, 0, 4, 33), 59, 439)
    assert (found.sensitivity.value, found.specificity.value) == (13 / 17, 1.0)
    assert found.corrected.value == pytest.approx(59 / 439 * 17 / 13)
    assert found.at_random == pytest.approx(0.0085, abs=5e-5)
    fewer = rater_reading(RaterTable(1, 0, 4, 45), 59, 439)
    assert fewer.at_random < 0.01


@pytest.mark.parametrize(
    ("call", "rule"),
    [
        (lambda: attrition(MODES, -1, 0), "must lose at least 0 cases, found -1 and 0"),
        (lambda: reclassification(MODES, level=0.0), "level strictly between 0 and 1, found 0.0"),
        (lambda: reclassified(MODES, 33, 0), "must hold 0 ≤ k ≤ n"),
        (lambda: exclusion(MODES, events1=-1), "must leave out at least 0 cases"),
        (lambda: exclusion(MODES, events1=33), "must hold 0 ≤ k ≤ n"),
        (lambda: row_intervals([1], [2], ["a", "b"]), "one name for each row, found 1, 1 and 2"),
        (lambda: row_intervals([3], [2]), "must hold 0 ≤ k ≤ n"),
        (lambda: part_whole([1], [1], [2, 2]), "columns of one length, found 1, 1 and 2"),
        (lambda: part_whole([1], [2], [2]), "must hold 0 ≤ k ≤ n"),
        (lambda: part_whole([2, 2], [0, 0], [2, 2]), "must leave something beside the part"),
        (lambda: clustered(1.0, 3, 5, 0.1), "must hold clusters"),
        (lambda: clustered(1.0, 5, 3, 1.1), "an icc in"),
        (lambda: rater_reading(RaterTable(1, 1, 1, 1), 1, 3), "more than the whole, found 4 of 3"),
        (lambda: rater_reading(RaterTable(1, 1, 1, 1), 5, 4), "must hold 0 ≤ k ≤ n"),
    ],
)
def test_refused(call, rule):
    with pytest.raises(ValueError, match=rule):
        call()


def test_every_change_has_a_function():
    assert set(CHANGES) == set(WhatIf)


@pytest.mark.parametrize(
    ("change", "inputs", "said"),
    [
        ("attrition", {**SPEC, "lost1": 4, "lost2": 7}, "against the difference: 32 of 150"),
        ("reclassify", SPEC, "from 18 of the 32 events of the first sample counted as other"),
        ("reclassify", {**SPEC, "name1": "mode A"}, "from 21 of the 32 events of mode A left out"),
        ("reclassify", {**SPEC, "moved1": 20, "moved2": 3}, "12 of 146 (8.2%) against 2 of 143"),
        ("reclassify", {**SPEC, "k1": 6}, "not significant as it is"),
        (
            "reclassify",
            {"k1": 0, "n1": 40, "k2": 5, "n2": 5},
            "from 4 of the 5 events of the second sample counted as other cases",
        ),
        ("exclude", {**SPEC, "others1": 46}, "without those left out: 32 of 100 (32.0%)"),
        ("exclude", SPEC, "chi-square 22, p 2.78e-06 (with Yates' correction 20.3, p 6.48e-06)"),
        ("exclude", {**SPEC, "level": "90%"}, "difference +18.4 points (90%: +12.2 to +24.8)"),
        ("intervals", {"k": [7, 8, 3], "n": 25, "rows": "t.Win"}, "GPT: 3 of 25 (12.0%), 4.2%"),
        ("intervals", {"k": [46], "n": 50}, "(Clopper and Pearson 80.8% to 97.8%)"),
        ("intervals", {"k": [5], "n": 10, "level": "90%"}, "(Clopper and Pearson 22.2% to 77.8%)"),
        (
            "intervals",
            {"k": {"percent": "t.Win", "n": 25}, "n": 25},
            "row 2: 8 of 25 (32.0%), 17.2% to 51.6%",
        ),
        ("rates", {"k": [7, 8, 3, 2, 1, 1], "n": 25}, "chi-square 15.13 with 5 degrees"),
        (
            "rates",
            {"k": [3, 7, 8, 4], "n": [10, 15, 28, 35], "positions": [1, 2, 3, 4]},
            "trend along the positions: z -2.19, p 0.0285",
        ),
        (
            "compare",
            {"k1": 7, "n1": 15, "k2": [3, 8, 4], "n2": [10, 28, 35], "rows": "t.Win"},
            "Gemini: 7 of 15 (46.7%) against 8 of 28 (28.6%), odds ratio 2.19, "
            "difference +18.1 points (-10.5 to +44.9), p 0.318; chi-square 1.41, p 0.235",
        ),
        (
            "compare",
            {"k1": 128, "n1": 150, "k2": 252, "n2": 289, "level": "90%"},
            "row 1: 128 of 150 (85.3%) against 252 of 289 (87.2%), odds ratio 0.854, "
            "difference -1.9 points (90%: -8.0 to +3.6), p 0.658",
        ),
        (
            "compare",
            {"k1": 0, "n1": 5, "k2": 0, "n2": 4},
            "chi-square undefined, p undefined (with Yates' correction undefined, p undefined)",
        ),
        ("strata", {"k1": [9, 7], "n1": 25, "k2": [1, 2], "n2": 24}, "row 1: 9 of 25 (36.0%)"),
        (
            "strata",
            {"k1": [9, 7, 6], "n1": 25, "k2": [1, 2, 0], "n2": 24, "rows": "t.Win"},
            "GPT: 6 of 25 (24.0%) against 0 of 24 (0.0%), odds ratio infinite",
        ),
        (
            "pairings",
            {"first": "t.C1", "second": "t.C2", "statistic": "sd_of_means", "bound": "1.0"},
            "1 of 6 give at most 1.0",
        ),
        (
            "pairings",
            {"first": "t.C1", "second": "t.C2", "statistic": "pearson", "tried": 3},
            "with 3 ways of looking",
        ),
        (
            "pairings",
            {"first": "t.C1", "second": "t.C2", "statistic": "spearman"},
            "as far from 0 to either side: p 0.333",
        ),
        (
            "constant_rate",
            {"part": [0, 2, 5, 1], "rest": [3, 1, 0, 2], "n": 5},
            "; 1 rows have none",
        ),
        ("clusters", {"z": "4.12", "observations": 1663, "clusters": 150}, "0.1 within clusters"),
        (
            "clusters",
            {"z": "4.12", "observations": 1663, "clusters": 150, "icc": [0.3]},
            "a correlation of 0.3 within clusters: design effect 4.03",
        ),
        ("power", {"first": [1, 2, 3], "second": [1, 3, 2]}, "below 0.333 (0.333 without ties)"),
        (
            "raters",
            {"agreement": "92%", "kappa": "0.81", "n": 50, "k": 59, "of": 439},
            "10 tables print so; the same agreement at 59 of 439 (13.4%) yes would have",
        ),
        (
            "raters",
            {"agreement": "92%", "kappa": "0.81", "n": 50, "k": 59, "of": 439, **SPEC},
            ", odds ratio of the two samples so 2.69",
        ),
        ("effect_tables", {"odds_ratio": "7.75", "n1": 146, "n2": 143}, "5 tables print so"),
        ("effect_tables", {"odds_ratio": "7.75", "n1": 60, "n2": 60}, "no tables print so"),
        (
            "effect_tables",
            {"odds_ratio": "7.75", "n1": 146, "n2": 143, "events": 37, "p": "<0.00001"},
            "1 table prints so",
        ),
        ("effect_tables", {"odds_ratio": "1.0", "n1": 100, "n2": 100}, "… and "),
    ],
)
def test_lines(change, inputs, said):
    lines = run(change, **inputs)
    assert any(said in line for line in lines), lines
    assert all("\n" not in line for line in lines)


def test_events_that_cannot_be_left_out():
    lines = run("reclassify", k1=9, n1=9, k2=0, n2=40)
    assert "however many of the 9 events of the first sample are left out, p stays" in lines[2]


@pytest.mark.parametrize(
    ("spec", "subject", "rule"),
    [
        ({}, "what_if.change", "is missing"),
        ({"change": "magic"}, "what_if.change", "must be one of attrition, .*, found 'magic'"),
        ({"change": ["rates"]}, "what_if.change", "must be one of"),
        ({"change": "rates", "k": [1, 2]}, "what_if.n", "is missing"),
        (
            {"change": "rates", "k": [1, 2], "n": 5, "m": 1},
            "what_if.m",
            r"not a known key \(known: k, n, positions\)",
        ),
        ({"change": "rates", "k": "t.None", "n": 5}, "what_if.k", "must name a column of t"),
        ({"change": "rates", "k": [9, 2], "n": 5}, "what_if", "must hold 0 ≤ k ≤ n"),
        (
            {"change": "strata", "k1": [1], "n1": 5, "k2": [1], "n2": 5, "rows": "t.Win"},
            "what_if",
            "must have one name for each of 1 rows, found 3",
        ),
        (
            {"change": "compare", "k1": 1, "n1": 5, "k2": [1, 2], "n2": 5, "rows": "t.Win"},
            "what_if",
            "must have one name for each of 2 rows, found 3",
        ),
        (
            {"change": "intervals", "k": [1], "n": 5, "level": "95"},
            "what_if",
            "must be a confidence level such as 95%, found 95",
        ),
        (
            {"change": "rates", "k": [1, 2], "n": 5, "positions": [1, 2, 3]},
            "what_if",
            "must have one position for each of 2 rows, found 3",
        ),
        (
            {"change": "pairings", "first": [1, 2], "second": [1, 2], "statistic": "luck"},
            "what_if",
            "must have a statistic out of sd_of_means, .*, found 'luck'",
        ),
        (
            {"change": "raters", "agreement": "92%", "kappa": "0.81", "n": 50, "k": 5, "of": 60}
            | {"k1": 1, "n1": 2},
            "what_if",
            "must have all of k1, n1, k2 and n2, or none",
        ),
        (
            {"change": "effect_tables", "odds_ratio": ["1.0", "2.0"], "n1": 5, "n2": 5},
            "what_if",
            "must be one printed number, found 2",
        ),
    ],
)
def test_specs_refused(spec, subject, rule):
    with pytest.raises(StudyError, match=rule) as caught:
        run_whatif(spec, TABLES)
    assert caught.value.subject == subject


def test_more_than_can_be_tried():
    with pytest.raises(ValueError, match="at most 100,000 trials in all, found 1,000,080"):
        attrition(TwoByTwo(28, 40, 18, 40), 10**6, 0)
    with pytest.raises(ValueError, match="at most 2,000 events of the higher share, found 2,500"):
        reclassification(TwoByTwo(2_500, 5_000, 2_000, 5_000))

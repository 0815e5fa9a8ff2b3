"""What the methods make of the shipped paper's printed numbers: each fact by hand, once.

Tables are read from the shipped claims, so that a number here is what its printed cells come to.
"""

from __future__ import annotations

import math
import tomllib
from pathlib import Path

import pytest

from audit.numbers.resampling.bootstrap import enumerate_multinomial
from audit.numbers.statistic import kappa_statistic
from audit.printed.methods import bind
from audit.printed.tables import read_table
from audit.printed.whatif import run_whatif

CLAIMS = Path(__file__).parents[1] / "data" / "aidg" / "claims.toml"
TABLES = {
    name: read_table(text)
    for name, text in tomllib.loads(CLAIMS.read_text("utf-8"))["print"].items()
}
MODES = {"k1": 32, "n1": 146, "k2": 5, "n2": 143}
FORMATS = {"k1": 128, "n1": 150, "k2": 252, "n2": 289}
WITHOUT_DISQ = {"k1": 66, "n1": 88, "k2": 252, "n2": 289}
STRATA = {
    "k1": [9, 7, 6, 4, 3, 2],
    "n1": [25, 25, 25, 21, 25, 25],
    "k2": [1, 2, 0, 1, 0, 1],
    "n2": 24,
}
WINS, DISQ = [7, 8, 3, 2, 1, 1], [0, 2, 8, 16, 18, 18]
C, V = ["table_12.C (I)", "table_12.C (II)"], ["table_12.V (I)", "table_12.V (II)"]
ALL = [*C, *V]


def value(method, name=None, **inputs):
    """Return the value of a variant, the conventional one without a name."""
    variants = bind({"method": method, **inputs}, TABLES).variants()
    if name is None:
        return float(variants[0].value)
    return next(float(variant.value) for variant in variants if variant.name == name)


def lines(change, **inputs):
    return "\n".join(run_whatif({"change": change, **inputs}, TABLES))


ROWS = [
    # The odds ratio of the two modes, its kinds and its intervals.
    (41, "odds_ratio", None, MODES, 7.747, 5e-4),
    (41, "odds_ratio", "the conditional maximum likelihood odds ratio", MODES, 7.700, 5e-4),
    (41, "odds_ratio", "the haldane-anscombe odds ratio", MODES, 7.148, 5e-4),
    (41, "mantel_haenszel", None, STRATA, 7.73, 5e-3),
    (41, "mantel_haenszel_low", None, STRATA, 2.89, 5e-3),
    (41, "mantel_haenszel_high", None, STRATA, 20.7, 5e-2),
    (42, "odds_ratio_low", None, MODES, 2.923, 5e-4),
    (42, "odds_ratio_high", None, MODES, 20.532, 5e-4),
    (42, "odds_ratio_low", "the Woolf interval after adding ½", MODES, 2.80, 5e-3),
    (42, "odds_ratio_high", "the Woolf interval after adding ½", MODES, 18.24, 5e-3),
    (42, "odds_ratio_low", "the exact interval", MODES, 2.85, 5e-3),
    (42, "odds_ratio_high", "the exact interval", MODES, 26.14, 5e-3),
    (42, "odds_ratio_low", "the mid-p interval", MODES, 3.06, 5e-3),
    (42, "odds_ratio_high", "the mid-p interval", MODES, 22.92, 5e-3),
    (42, "odds_ratio_low", "the Cornfield interval", MODES, 3.01, 5e-3),
    (42, "odds_ratio_high", "the Cornfield interval", MODES, 19.86, 5e-3),
    (43, "fisher_p", None, MODES, 1.91e-6, 5e-9),
    (43, "fisher_p", "a one-sided test", MODES, 1.25e-6, 5e-9),
    (44, "proportion_difference", None, MODES, 0.184, 5e-4),
    (44, "difference_low", None, MODES, 0.110, 5e-4),
    (44, "difference_high", None, MODES, 0.261, 5e-4),
    (44, "risk_ratio", None, MODES, 6.27, 5e-3),
    (44, "risk_ratio_low", None, MODES, 2.51, 5e-3),
    (44, "risk_ratio_high", None, MODES, 15.6, 5e-2),
    (45, "odds_ratio", None, MODES | {"k1": 31}, 7.44, 5e-3),
    (45, "odds_ratio_low", None, MODES | {"k1": 31}, 2.80, 5e-3),
    (45, "odds_ratio_high", None, MODES | {"k1": 31}, 19.75, 5e-3),
    (45, "fisher_p", None, MODES | {"k1": 31}, 3.7e-6, 5e-8),
    (47, "breslow_day_p", None, STRATA, 0.62, 5e-3),
    # The two games.
    (48, "chi_square", None, FORMATS, 0.1564, 5e-5),
    (48, "chi_square_p", None, FORMATS, 0.6925, 5e-5),
    (48, "chi_square", "no continuity correction", FORMATS, 0.2949, 5e-5),
    (48, "chi_square_p", "no continuity correction", FORMATS, 0.587, 5e-4),
    (48, "fisher_p", None, FORMATS, 0.658, 5e-4),
    (49, "proportion_difference", None, FORMATS, -0.0186, 5e-5),
    (49, "difference_low", None, FORMATS, -0.092, 5e-4),
    (49, "difference_high", None, FORMATS, 0.046, 5e-4),
    (49, "difference_low", None, FORMATS | {"level": "90%"}, -0.080, 5e-4),
    (49, "difference_high", None, FORMATS | {"level": "90%"}, 0.036, 5e-4),
    (50, "proportion_low", "the clopper-pearson interval", {"k": 66, "n": 88}, 0.646, 5e-4),
    (50, "proportion_high", "the clopper-pearson interval", {"k": 66, "n": 88}, 0.836, 5e-4),
    (50, "chi_square", "no continuity correction", WITHOUT_DISQ, 7.60, 5e-3),
    (50, "chi_square_p", "no continuity correction", WITHOUT_DISQ, 0.0058, 5e-5),
    (50, "fisher_p", None, WITHOUT_DISQ, 0.011, 5e-4),
    (50, "fisher_p", None, FORMATS | {"k2": 138, "n2": 143}, 0.001, 5e-4),
    (50, "fisher_p", None, FORMATS | {"k2": 114, "n2": 146}, 0.13, 5e-3),
    (51, "proportion", None, {"k": 318, "n": 377}, 0.8435, 5e-5),
    (51, "proportion_low", None, {"k": 318, "n": 377}, 0.803, 5e-4),
    (51, "proportion_high", None, {"k": 318, "n": 377}, 0.877, 5e-4),
    # Ratings, their spread and their differences.
    (54, "rating_start", None, {"ratings": ALL}, 1500, 1e-2),
    (57, "averaged_sd", "ddof 0", {"columns": V}, 1.852, 5e-4),
    (57, "averaged_sd", "ddof 1", {"columns": V}, 2.029, 5e-4),
    (58, "averaged_sd", "ddof 0", {"columns": C}, 46.0, 5e-2),
    (58, "averaged_sd", "ddof 1", {"columns": C}, 50.4, 5e-2),
    (60, "sd", "ddof 0", {"values": V[0]}, 23.3, 5e-2),
    (60, "sd", "ddof 1", {"values": V[0]}, 25.5, 5e-2),
    (60, "sd", "ddof 0", {"values": V[1]}, 19.9, 5e-2),
    (60, "sd", "ddof 1", {"values": V[1]}, 21.8, 5e-2),
    (60, "range", None, {"values": V[0]}, 61.3, 5e-2),
    (60, "range", None, {"values": V[1]}, 51.6, 5e-2),
    (60, "sd", "ddof 0", {"values": C[0]}, 42.9, 5e-2),
    (60, "sd", "ddof 1", {"values": C[1]}, 64.3, 5e-2),
    (61, "sd_ratio", None, {"first": C[0], "second": V[0]}, 1.84, 5e-3),
    (61, "sd_ratio", None, {"first": C[1], "second": V[1]}, 2.96, 5e-3),
    (61, "sd_ratio", None, {"first": C, "second": V}, 24.8, 5e-2),
    (61, "paired_sd_p", None, {"first": C[0], "second": V[0]}, 0.21, 5e-3),
    (61, "paired_sd_p", None, {"first": C[1], "second": V[1]}, 0.050, 5e-4),
    (64, "spearman", None, {"first": V[0], "second": V[1]}, -1.0, 1e-12),
    (64, "pearson", None, {"first": V[0], "second": V[1]}, -0.998, 5e-4),
    (65, "spearman", None, {"first": C[0], "second": C[1]}, 0.6, 1e-12),
    (67, "homogeneity", None, {"k": STRATA["k1"], "n": STRATA["n1"]}, 8.0, 5e-2),
    (67, "homogeneity_p", None, {"k": STRATA["k1"], "n": STRATA["n1"]}, 0.16, 5e-3),
    (68, "homogeneity", None, {"k": DISQ, "n": 25}, 54.7, 5e-2),
    (68, "homogeneity_p", None, {"k": DISQ, "n": 25}, 1.5e-10, 5e-12),
    (68, "homogeneity", None, {"k": WINS, "n": [25, 23, 17, 9, 7, 7]}, 2.68, 5e-3),
    (69, "effect_size", "paired d_z", {"first": V[0], "second": C[0]}, 5.474, 5e-4),
    (69, "effect_size", None, {"first": V[0], "second": C[0]}, 9.25, 5e-3),
    (70, "effect_size", "paired d_z", {"first": V[1], "second": C[1]}, 2.672, 5e-4),
    (70, "effect_size", None, {"first": V[1], "second": C[1]}, 3.37, 5e-3),
    (71, "effect_size", "paired d_z", {"first": V, "second": C}, 5.02, 5e-3),
    (71, "effect_size", None, {"first": V, "second": C}, 7.17, 5e-3),
    (72, "paired_p", None, {"first": V[0], "second": C[0]}, 4.1e-5, 5e-7),
    (72, "paired_p", None, {"first": V[1], "second": C[1]}, 0.00125, 5e-6),
    (72, "paired_p", None, {"first": V, "second": C}, 6.3e-5, 5e-7),
    (72, "paired_p", "all sign flips of the pairs", {"first": V, "second": C}, 0.03125, 1e-9),
    (72, "paired_p", "Wilcoxon's signed ranks", {"first": V, "second": C}, 0.03125, 1e-9),
    (74, "rows_above", None, {"first": V[0], "second": C[0]}, 6, 1e-9),
    (74, "rows_above", None, {"first": V[1], "second": C[1]}, 6, 1e-9),
    (75, "implied_rate", "the mean ratings", {"first": V[0], "second": C[0]}, 0.882, 5e-4),
    (75, "implied_rate", "the mean ratings", {"first": V[1], "second": C[1]}, 0.717, 5e-4),
    (75, "implied_rate", None, {"first": C[1], "second": V[1]}, 0.289, 5e-4),
    (76, "elo_of_share", None, {"k": 252, "n": 289}, 333, 0.5),
    (76, "elo_of_share", None, {"k": 128, "n": 150}, 306, 0.5),
    # Correlations.
    (92, "pearson", None, {"first": DISQ, "second": WINS}, -0.953, 5e-4),
    (92, "pearson_p", "all permutations", {"first": DISQ, "second": WINS}, 0.011, 5e-4),
    (92, "spearman", None, {"first": DISQ, "second": WINS}, -0.94, 5e-3),
    (93, "pooled_z", None, {"k1": 310, "n1": 1410, "k2": 27, "n2": 253}, 4.1223, 5e-5),
    (104, "query_bound", None, {"candidates": 100, "answers": 3}, 5, 1e-9),
    (104, "query_bound", "2 answers to a question", {"candidates": 100, "answers": 3}, 7, 1e-9),
    # The audited sample.
    (110, "kappa", None, {"agreed": 46, "n": 50, "k": 59, "of": 439}, 0.656, 5e-4),
]


@pytest.mark.parametrize(("row", "method", "name", "inputs", "expected", "slack"), ROWS)
def test_printed_numbers_computed_again(row, method, name, inputs, expected, slack):
    assert value(method, name, **inputs) == pytest.approx(expected, abs=slack)


def test_41_to_43_the_table_is_the_only_one_that_prints_all_three():
    known = {"odds_ratio": "7.75", "low": "2.92", "high": "20.53", "p": "<0.00001"}
    assert "1 table prints so\n32 of 146 (21.9%)" in lines("effect_tables", n1=146, n2=143, **known)


def test_45_attrition():
    worst = lines("attrition", **MODES, lost1=4, lost2=7).splitlines()[1]
    assert "odds ratio 3.12" in worst
    assert worst.endswith("p 0.00169")


def test_46_reclassification():
    found = lines("reclassify", **MODES, moved1=20, moved2=3)
    assert "from 18 of the 32" in found
    assert "odds ratio 2.93, p 0.0553" in found
    assert "from 21 of the 32" in found
    assert "odds ratio 6.31" in found
    assert lines("reclassify", **MODES, moved1=23).endswith("p 0.413")


def test_47_each_player_by_mode():
    found = lines("strata", **STRATA, rows="table_13.Mode A").splitlines()
    expected = [0.011, 0.14, 0.022, 0.17, 0.24, 1.0]
    for line, p in zip(found, expected, strict=False):
        assert float(line.rpartition(" p ")[2]) == pytest.approx(p, abs=5.1e-3)


def test_50_without_disqualifications():
    found = lines("exclude", **FORMATS, events1=62)
    assert "66 of 88 (75.0%) against 252 of 289 (87.2%)" in found
    assert "difference -12.2 points (-22.7 to -3.2)" in found


def test_58_no_convention_prints_the_deviation():
    variants = bind({"method": "averaged_sd", "columns": C}, TABLES).variants()
    assert all(not 53.2 < variant.value < 53.4 for variant in variants)


def test_62_the_pairing():
    found = lines("pairings", first=V[0], second=V[1], statistic="sd_of_means", bound="1.9")
    assert "sd of means 1.85, rank 1 of 720" in found
    assert "median 15, largest 21.1; the next above the printed one 2.05" in found
    assert "1 of 720 give at most 1.9" in found
    other = lines("pairings", first=V[0], second=V[1], statistic="sample_sd_of_means", bound="1.9")
    assert "0 of 720 give at most 1.9" in other


def test_64_and_65_every_order_of_six():
    name = "ties at their average rank, all permutations"
    assert value("spearman_p", name, first=V[0], second=V[1]) == pytest.approx(2 / 720)
    assert value("spearman_p", name, first=C[0], second=C[1]) == pytest.approx(0.242, abs=5e-4)
    approximate = "ties at their average rank, the t approximation"
    assert value("spearman_p", approximate, first=C[0], second=C[1]) == pytest.approx(
        0.208, abs=5e-4
    )


def test_67_and_68_rates_over_all_tables():
    name = "all tables with these margins"
    left = [25, 23, 17, 9, 7, 7]
    assert value("homogeneity_p", name, k=WINS, n=left) == pytest.approx(0.77, abs=5e-3)
    assert value("homogeneity_p", name, k=WINS, n=25) == pytest.approx(0.0098, abs=5e-5)
    both = [10, 9, 6, 5, 3, 3]
    assert value("homogeneity_p", name, k=both, n=[49, 49, 49, 45, 49, 49]) == pytest.approx(
        0.15, abs=5e-3
    )


def test_71_the_mean_of_two_effects():
    name = "the mean of the experiments' paired d_z"
    assert value("effect_size", name, first=V, second=C) == pytest.approx(4.07, abs=5e-3)
    name = "paired d_z over all rows of all experiments"
    assert value("effect_size", name, first=V, second=C) == pytest.approx(2.23, abs=5e-3)
    name = "all splits of the values in two samples"
    assert value("paired_p", name, first=V, second=C) == pytest.approx(0.0022, abs=5e-5)


def test_90_and_91_four_sizes():
    sizes = {"first": [235, 671, 400, 8], "second": [0, 64, 72, 72]}
    assert value("spearman", **sizes) == pytest.approx(-0.21, abs=5e-3)
    assert value("spearman", "ties broken in the order listed", **sizes) == pytest.approx(-0.4)
    assert value("spearman", "ties broken against the order listed", **sizes) == pytest.approx(0)
    name = "ties at their average rank, all permutations"
    assert value("spearman_p", name, **sizes) == pytest.approx(0.83, abs=5e-3)
    assert lines("power", **sizes) == (
        "no order of these 4 rows has a two-sided p below 0.167 (0.0833 without ties); "
        "a correlation of 0 may be ±0.97"
    )


def test_92_parts_of_a_whole():
    found = lines("constant_rate", part=DISQ, rest=WINS, n=25)
    assert "r would be -1.00 by arithmetic" in found
    assert "r -0.824, all permutations p 0.0472" in found


def test_93_and_94_two_distributions():
    # The tested answer first: maybe, then yes and no, of the matches won and of those lost.
    won, lost = ["22.0%", "34.0%", "44.0%"], ["10.7%", "55.3%", "34.0%"]
    sizes = {"first": won, "second": lost, "total": 1663}
    variants = bind({"method": "pooled_z_of_sizes", **sizes}, TABLES).variants()
    printed = [variant.name for variant in variants[1:] if 4.115 <= variant.value <= 4.125]
    assert printed == ["samples of 1410 and 253"]
    by_name = {variant.name: variant.value for variant in variants}
    assert by_name["samples of 1401 and 262"] == pytest.approx(4.19, abs=5e-2)
    found = lines("clusters", z="4.1223", observations=1663, clusters=150)
    assert [part.split(",")[0] for part in found.split(", z ")[1:]] == ["3.36", "2.91", "2.37"]


def test_109_to_112_two_raters():
    sample = {"agreement": "92%", "kappa": "0.81", "n": 50}
    found = lines("raters", **sample, k=59, of=439).splitlines()
    first, *_, last = found[1:6]
    assert "yes in 26% of the sample (a random one strays so far with p 0.00853)" in first
    assert "yes in 34% of the sample" in last
    assert "sensitivity 0.765 (0.501 to 0.932), specificity 1 (0.894 to 1)" in first
    assert "sensitivity 1 (0.753 to 1), specificity 0.892 (0.746 to 0.97)" in last
    assert "corrected by them 0.176 (0.0816 to 0.255)" in first
    assert "corrected by them 0.0295 (" in last
    assert "label is right 0.228 (0.155 to 0.338)" in first
    assert "label is right 0.103 (0.0727 to 0.172)" in last
    assert "κ 0.81 (0.631 to 0.988)" in found[3]
    law = enumerate_multinomial([13, 2, 2, 33], kappa_statistic)
    assert (law.quantile(0.025), law.quantile(0.975)) == pytest.approx((0.60, 0.96), abs=5e-3)


def test_37_and_38_bands():
    assert value("fisher_p", k1=7, n1=15, k2=4, n2=35) == pytest.approx(0.010, abs=5e-4)
    assert value("trend_z", k=[3, 7, 8, 4], n=[10, 15, 28, 35]) == pytest.approx(-2.19, abs=5e-3)
    assert math.isclose(value("homogeneity_p", k=[3, 7, 8], n=[10, 15, 28]), 0.47, abs_tol=5e-3)

"""Recomputations: the conventional variant first, values against closed forms and scipy."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from audit.printed.methods import RECIPES, Method, bind
from audit.printed.tables import read_table
from games.errors import StudyError

MODES = {"k1": 32, "n1": 146, "k2": 5, "n2": 143}
FORMATS = {"k1": 128, "n1": 150, "k2": 252, "n2": 289}
RATINGS = {
    "r": read_table(
        """
        Model    | C1      | V1      | C2      | V2
        Qwen     | 1384.82 | 1653.20 | 1502.37 | 1601.07
        GPT      | 1382.35 | 1648.93 | 1437.54 | 1603.24
        Gemini   | 1285.66 | 1670.56 | 1458.63 | 1582.05
        DeepSeek | 1302.96 | 1701.77 | 1416.99 | 1557.72
        Llama    | 1315.71 | 1710.23 | 1383.38 | 1551.64
        Granite  | 1279.64 | 1664.18 | 1316.24 | 1589.10
        """
    )
}


def run(method, tables=None, **inputs):
    return bind({"method": method, **inputs}, tables or {}).variants()


def named(method, tables=None, **inputs):
    return {variant.name: float(variant.value) for variant in run(method, tables, **inputs)}


def first(method, tables=None, **inputs):
    return run(method, tables, **inputs)[0].value


def test_every_method_has_a_recipe():
    assert set(RECIPES) == set(Method)


def test_shares_are_exact():
    assert first("proportion", k=62, n=150) == Fraction(62, 150)
    assert first("proportion", k=[37, 22], n=[289, 150]) == Fraction(59, 439)
    assert first("proportion_difference", **FORMATS) == Fraction(128, 150) - Fraction(252, 289)


def test_odds_ratio_of_the_modes():
    found = named("odds_ratio", **MODES)
    assert list(found) == [
        "the sample odds ratio",
        "the conditional maximum likelihood odds ratio",
        "the haldane-anscombe odds ratio",
    ]
    assert list(found.values()) == pytest.approx([32 * 138 / (114 * 5), 7.700, 7.148], abs=5e-4)


def test_limits_of_the_odds_ratio():
    low, high = named("odds_ratio_low", **MODES), named("odds_ratio_high", **MODES)
    error = 1.959963985 * math.sqrt(1 / 32 + 1 / 114 + 1 / 5 + 1 / 138)
    centre = math.log(32 * 138 / (114 * 5))
    assert low["the Woolf interval"] == pytest.approx(math.exp(centre - error))
    assert high["the Woolf interval"] == pytest.approx(math.exp(centre + error))
    assert [round(value, 2) for value in low.values()] == [2.92, 2.80, 2.85, 3.06, 3.01]
    assert [round(value, 2) for value in high.values()] == [20.53, 18.24, 26.14, 22.92, 19.86]
    narrow = named("odds_ratio_low", **MODES, level="90%")
    assert all(narrow[name] > value for name, value in low.items())


def test_no_woolf_limit_beside_an_empty_cell():
    found = named("odds_ratio_high", k1=3, n1=10, k2=0, n2=10)
    assert math.isnan(found["the Woolf interval"])


def test_p_of_two_shares():
    table = [[32, 114], [5, 138]]
    found = named("fisher_p", **MODES)
    assert found["a two-sided test"] == pytest.approx(stats.fisher_exact(table)[1])
    one_sided = stats.fisher_exact(table, alternative="greater")[1]
    assert found["a one-sided test"] == pytest.approx(one_sided)
    assert found["twice the one-sided p"] == pytest.approx(2 * one_sided)


def test_chi_square():
    statistic, p = named("chi_square", **FORMATS), named("chi_square_p", **FORMATS)
    for name, yates in (("Yates' correction", True), ("no continuity correction", False)):
        oracle = stats.chi2_contingency([[128, 22], [252, 37]], correction=yates)
        assert statistic[name] == pytest.approx(oracle.statistic)
        assert p[name] == pytest.approx(oracle.pvalue)
    assert next(iter(statistic)) == "Yates' correction"


def test_z_and_its_square():
    z = first("pooled_z", **FORMATS)
    plain = named("chi_square", **FORMATS)["no continuity correction"]
    assert z**2 == pytest.approx(plain)
    assert run("pooled_z", **FORMATS)[1].value == -z


def test_z_from_distributions_alone():
    found = run(
        "pooled_z_of_sizes",
        first=["22.0%", "34.0%", "44.0%"],
        second=["10.7%", "55.3%", "34.0%"],
        total=1663,
    )
    assert math.isnan(found[0].value)
    assert all(variant.name.startswith("samples of ") for variant in found[1:])
    printed = [v.name for v in found[1:] if 4.115 <= v.value < 4.125]
    assert printed == ["samples of 1410 and 253"]


def test_joint_share():
    rates = ["36%", "28%", "24%", "19%", "12%", "8%"]
    assert first("joint_share", rates=rates, most=25, total=146) == Fraction(31, 146)
    # 33% is 1 of 3 or 2 of 6, 40% is 2 of 5: 8 trials hold 3, and 11 hold 4.
    assert first("joint_share", rates=["33%", "40%"], most=6, total=8) == Fraction(3, 8)
    # 50% is 1 of 2 or 2 of 4, and the rest of 5 trials holds none.
    several = run("joint_share", rates=["0%", "50%"], most=4, total=5)
    assert math.isnan(several[0].value)
    assert [variant.name for variant in several[1:]] == ["1 of 5", "2 of 5"]


def test_joint_share_of_impossible_rates_has_no_value():
    (only,) = run("joint_share", rates=["19%"], most=15, total=15)
    assert math.isnan(only.value)


def test_kappa_at_the_base_rate_and_of_all_tables():
    found = run("kappa", agreed=46, n=50, k=59, of=439)
    share = 59 / 439
    chance = share**2 + (1 - share) ** 2
    assert found[0].value == pytest.approx((0.92 - chance) / (1 - chance))
    assert len(found) == 1 + 47 * 5
    by_name = {variant.name: variant.value for variant in found}
    name = "13 joint yes, 33 joint no, and 2 against 2 where the raters differ"
    # Expected agreement (15*15 + 35*35)/2500.
    assert by_name[name] == pytest.approx((0.92 - 0.58) / 0.42)


def test_query_bound():
    found = run("query_bound", candidates=100, answers=3)
    assert [variant.value for variant in found] == [5, 7]
    assert first("query_bound", candidates=243, answers=3) == 5
    assert first("query_bound", candidates=244, answers=3) == 6
    assert first("query_bound", candidates=1, answers=2) == 0


@pytest.mark.parametrize(
    ("method", "inputs", "value"),
    [
        ("sum", {"values": ["2,740", "1,663"]}, 4403),
        ("difference", {"first": "32%", "second": "28%"}, Fraction(4, 100)),
        ("ratio", {"first": 400, "second": 8}, 50),
        ("mean", {"values": [1, 2, 6]}, 3),
        ("minimum", {"values": [3, 1, 2]}, 1),
        ("maximum", {"values": [3, 1, 2]}, 3),
        ("range", {"values": [3, 1, 2]}, 2),
        ("rows_above", {"first": [1, 2, 3], "second": [1, 1, 1]}, 2),
        ("mean_difference", {"first": [1, 2, 6], "second": [0, 0, 0]}, 3),
        ("formula", {"formula": "(17 - t) / 8", "t": 16}, Fraction(1, 8)),
    ],
)
def test_plain_values(method, inputs, value):
    assert first(method, **inputs) == value


def test_the_median_stands_beside_the_mean():
    assert named("mean", values=[1, 2, 6]) == {"the mean": 3.0, "the median": 2.0}
    assert named("mean", values=[1, 2, 3, 6])["the median"] == 2.5


def test_deviation():
    found = named("sd", values=["1.0", "2.0", "6.0"])
    assert list(found) == ["ddof 1", "ddof 0"]
    assert found["ddof 1"] == pytest.approx(math.sqrt(7))
    assert found["ddof 0"] == pytest.approx(math.sqrt(14 / 3))


def test_effect_sizes_of_one_experiment():
    found = named("effect_size", RATINGS, first="r.V1", second="r.C1")
    assert list(found) == [
        "d with the pooled SD",
        "paired d_z",
        "Hedges' g with the pooled SD",
        "Hedges' g of the paired differences",
    ]
    # Hedges' factors for 10 and for 5 degrees of freedom.
    expected = [9.2475, 5.4742, 9.2475 * 0.92275, 5.4742 * 0.84074]
    assert list(found.values()) == pytest.approx(expected, abs=5e-4)


def test_effect_sizes_of_two_experiments():
    columns = {"first": ["r.V1", "r.V2"], "second": ["r.C1", "r.C2"]}
    found = named("effect_size", RATINGS, **columns)
    plain = [value for name, value in found.items() if "Hedges" not in name]
    assert plain == pytest.approx([7.167, 5.018, 2.23, 6.306, 4.0731], abs=5e-3)
    assert list(found)[-1] == "the mean of the experiments' paired d_z"


def test_paired_p():
    found = named("paired_p", RATINGS, first="r.V2", second="r.C2")
    assert found["a two-sided paired t test"] == pytest.approx(0.00125, abs=1e-5)
    assert found["a one-sided paired t test"] == pytest.approx(0.000625, abs=1e-5)
    assert found["all sign flips of the pairs"] == 2 / 64
    assert found["Wilcoxon's signed ranks"] == 2 / 64
    assert found["all splits of the values in two samples"] == 2 / 924
    one, other = ([float(cell.text) for cell in RATINGS["r"].columns[c].values()] for c in _II)
    for name, equal in (("a two-sided unpaired t test", True), ("a two-sided Welch test", False)):
        assert found[name] == pytest.approx(stats.ttest_ind(one, other, equal_var=equal).pvalue)


_II = ("V2", "C2")


def test_t_statistics():
    found = named("t_statistic", RATINGS, first="r.V2", second="r.C2")
    one, other = ([float(cell.text) for cell in RATINGS["r"].columns[c].values()] for c in _II)
    assert list(found) == ["paired t test", "unpaired t test", "Welch test"]
    oracle = [stats.ttest_rel(one, other), *(_unpaired(one, other, e) for e in (True, False))]
    assert list(found.values()) == pytest.approx([test.statistic for test in oracle])


def _unpaired(one, other, equal):
    return stats.ttest_ind(one, other, equal_var=equal)


SUMMARY = {"mean1": "5.1", "sd1": "1.2", "n1": 30, "mean2": "4.4", "sd2": "2.0", "n2": 25}


def test_effects_of_printed_moments():
    d = named("effect_of_summary", **SUMMARY)
    pooled = math.sqrt((29 * 1.2**2 + 24 * 2.0**2) / 53)
    assert d["d with the pooled SD"] == pytest.approx(0.7 / pooled)
    assert d["Hedges' g"] == pytest.approx(0.7 / pooled * (1 - 3 / (4 * 53 - 1)), rel=1e-4)
    assert d["d with the second SD"] == pytest.approx(0.35)
    assert d["d with the first SD"] == pytest.approx(0.7 / 1.2)
    t, p = named("t_of_summary", **SUMMARY), named("p_of_summary", **SUMMARY)
    moments = (5.1, 1.2, 30, 4.4, 2.0, 25)
    equal, welch = (stats.ttest_ind_from_stats(*moments, equal_var=e) for e in (True, False))
    assert list(t.values()) == pytest.approx([equal.statistic, welch.statistic])
    halves = [equal.pvalue, welch.pvalue, equal.pvalue / 2, welch.pvalue / 2]
    assert list(p.values()) == pytest.approx(halves)


def test_effects_without_spread_are_undefined():
    flat = SUMMARY | {"sd1": 0, "sd2": 0}
    assert all(math.isnan(value) for value in named("effect_of_summary", **flat).values())
    assert all(math.isnan(value) for value in named("t_of_summary", **flat).values())


def test_deviations_over_experiments():
    found = named("averaged_sd", RATINGS, columns=["r.V1", "r.V2"])
    assert found["ddof 0"] == pytest.approx(1.852, abs=5e-4)
    assert found["ddof 1"] == pytest.approx(2.029, abs=5e-4)
    assert next(iter(found)) == "ddof 1"
    mean = found["ddof 0, the mean of the columns' deviations"]
    assert mean == pytest.approx((23.27 + 19.87) / 2, abs=5e-3)
    square = found["ddof 0, their root mean square"]
    assert square == pytest.approx(math.sqrt((23.27**2 + 19.87**2) / 2), abs=5e-3)
    assert found["ddof 0, over all rows of all columns"] > square


def test_ratios_of_deviations():
    one = named("sd_ratio", RATINGS, first="r.C1", second="r.V1")
    assert one == pytest.approx({"": 1.8437}, abs=5e-4)
    both = named("sd_ratio", RATINGS, first=["r.C1", "r.C2"], second=["r.V1", "r.V2"])
    assert both["rows averaged over experiments"] == pytest.approx(24.84, abs=5e-3)
    assert both["the mean of the experiments' ratios"] == pytest.approx(2.400, abs=5e-4)
    assert math.isnan(first("sd_ratio", first=[1, 2], second=[3, 3]))
    p = named("paired_sd_p", RATINGS, first="r.C2", second="r.V2")
    assert p["a two-sided Pitman-Morgan test"] == pytest.approx(0.0496, abs=5e-5)
    assert p["a one-sided Pitman-Morgan test"] == pytest.approx(0.0248, abs=5e-5)


def test_correlations():
    assert first("spearman", RATINGS, first="r.C1", second="r.C2") == pytest.approx(0.6)
    assert first("spearman", RATINGS, first="r.V1", second="r.V2") == pytest.approx(-1.0)
    assert first("pearson", RATINGS, first="r.V1", second="r.V2") == pytest.approx(-0.998, abs=5e-4)


SIZES = {"first": [235, 671, 400, 8], "second": [0, 16, 18, 18]}


def test_rank_correlation_by_rule_of_ties():
    # With the tie broken, the squared rank differences sum to 14 one way and 10 the other.
    found = named("spearman", **SIZES)
    assert found["ties at their average rank"] == pytest.approx(stats.spearmanr(*SIZES.values())[0])
    assert found["ties broken in the order listed"] == pytest.approx(1 - 6 * 14 / 60)
    assert found["ties broken against the order listed"] == pytest.approx(0.0)
    assert next(iter(found)) == "ties at their average rank"


def test_every_other_way_to_break_ties():
    # Three tied values have six orders, of which two are the order listed and the one against it.
    found = named("spearman", first=[1, 2, 3, 4], second=[5, 5, 5, 9])
    others = {name: value for name, value in found.items() if "so that the rows rank" in name}
    assert len(others) == 4
    assert "ties broken so that the rows rank 1, 2, 3, 4 and 2, 1, 3, 4" in others
    assert max(others.values()) == pytest.approx(0.8)
    assert found["ties broken in the order listed"] == pytest.approx(1.0)


def test_many_ties_are_not_broken_one_by_one():
    assert len(run("spearman", first=[1] * 9 + [2], second=[3] * 9 + [1])) == 5


def test_p_of_correlations():
    found = named("spearman_p", **SIZES)
    oracle = stats.spearmanr(*SIZES.values()).pvalue
    assert found["ties at their average rank, the t approximation"] == pytest.approx(oracle)
    assert found["ties broken against the order listed, the t approximation"] == pytest.approx(1.0)
    first_p = first("pearson_p", RATINGS, first="r.C1", second="r.C2")
    x, y = ([float(cell.text) for cell in RATINGS["r"].columns[c].values()] for c in ("C1", "C2"))
    assert first_p == pytest.approx(stats.pearsonr(x, y).pvalue)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=3, max_size=6))
def test_rank_correlation_of_tied_data_is_scipy_s(pairs):
    one, other = (list(side) for side in zip(*pairs, strict=True))
    value = first("spearman", first=one, second=other)
    if len(set(one)) == 1 or len(set(other)) == 1:
        assert math.isnan(value)
    else:
        assert value == pytest.approx(stats.spearmanr(one, other).statistic, abs=1e-12)


def test_limits_of_shares():
    low, high = (named(f"proportion_{end}", k=46, n=50) for end in ("low", "high"))
    oracle = stats.binomtest(46, 50)
    for name, method in (("wilson", "wilson"), ("clopper-pearson", "exact")):
        span = oracle.proportion_ci(method=method)
        assert low[f"the {name} interval"] == pytest.approx(span.low)
        assert high[f"the {name} interval"] == pytest.approx(span.high)
    assert next(iter(low)) == "the wilson interval"


def test_limits_of_differences():
    low, high = (named(f"difference_{end}", **FORMATS, level="90%") for end in ("low", "high"))
    name = "the newcombe hybrid score interval"
    assert (low[name], high[name]) == pytest.approx((-0.080, 0.036), abs=5e-4)
    assert next(iter(low)) == name
    assert all(low[other] < high[other] for other in low)


def test_risk_ratios():
    assert first("risk_ratio", **MODES) == Fraction(32 * 143, 146 * 5)
    ends = [first(f"risk_ratio_{end}", **MODES) for end in ("low", "high")]
    assert ends == pytest.approx([2.51, 15.63], abs=5e-3)
    nothing = {"k1": 3, "n1": 10, "k2": 0, "n2": 10}
    assert first("risk_ratio", **nothing) == math.inf
    assert math.isnan(first("risk_ratio_low", **nothing))


def test_boschloo():
    found = named("boschloo_p", **MODES)
    oracle = stats.boschloo_exact([[32, 5], [114, 138]], alternative="greater")
    assert found["a one-sided test"] == pytest.approx(oracle.pvalue)
    assert found["a two-sided test"] == pytest.approx(2 * oracle.pvalue)


def test_p_of_pooled_z():
    found = named("pooled_z_p", **FORMATS)
    plain = named("chi_square_p", **FORMATS)["no continuity correction"]
    assert found["a two-sided test"] == pytest.approx(plain)
    assert found["a one-sided test"] == pytest.approx(plain / 2)


STRATA = {
    "k1": [9, 7, 6, 4, 3, 2],
    "n1": [25, 25, 25, 21, 25, 25],
    "k2": [1, 2, 0, 1, 0, 1],
    "n2": 24,
}


def test_strata():
    found = named("mantel_haenszel", **STRATA)
    assert found["Mantel and Haenszel's"] == pytest.approx(7.734, abs=5e-4)
    lumped = 31 * 139 / (115 * 5)
    assert found["strata thrown together"] == pytest.approx(lumped)
    ends = [first(f"mantel_haenszel_{end}", **STRATA) for end in ("low", "high")]
    assert ends == pytest.approx([2.887, 20.716], abs=5e-4)
    assert first("mantel_haenszel_p", **STRATA) == pytest.approx(4.3e-6, rel=0.01)
    assert list(named("breslow_day_p", **STRATA).values()) == pytest.approx([0.622] * 2, abs=5e-4)


def test_several_rates():
    events, sizes = [7, 8, 3, 2, 1, 1], [25, 23, 17, 9, 7, 7]
    assert first("homogeneity", k=events, n=sizes) == pytest.approx(2.678, abs=5e-4)
    p = named("homogeneity_p", k=events, n=sizes)
    assert list(p.values()) == pytest.approx([0.749, 0.772], abs=5e-4)
    z = run("trend_z", k=[3, 7, 8, 4], n=[10, 15, 28, 35])
    assert [variant.value for variant in z] == pytest.approx([-2.191, 2.191], abs=5e-4)
    p = named("trend_p", k=[3, 7, 8, 4], n=[10, 15, 28, 35])
    assert list(p.values()) == pytest.approx([0.0285, 0.0142], abs=5e-5)


def test_a_trend_along_positions_is_a_correlation_over_all_trials():
    events, sizes, turns = [3, 7, 8, 4], [10, 15, 28, 35], [7.1, 11.15, 14.05, 16]
    each = [(at, i < k) for k, n, at in zip(events, sizes, turns, strict=True) for i in range(n)]
    z = math.sqrt(len(each)) * stats.pearsonr(*zip(*each, strict=True)).statistic
    found = named("trend_z", k=events, n=sizes, positions=turns)
    assert found["rates by position"] == pytest.approx(z)
    assert found["rates by position, the last first"] == pytest.approx(-z)
    p = first("trend_p", k=events, n=sizes, positions=turns)
    assert p == pytest.approx(2 * stats.norm.sf(abs(z)))
    # Only the distances between positions count, and their rounding is carried through.
    scaled = run("trend_p", k=events, n=sizes, positions=["1.24", "0.73", "0.37", "0.125"])[0]
    assert scaled.value == pytest.approx(p, abs=scaled.slack)


def test_positions_that_do_not_fit():
    with pytest.raises(StudyError, match="must have one position for each of 2 rows, found 1"):
        run("trend_z", k=[1, 2], n=5, positions=[3])
    with pytest.raises(StudyError, match=r"not a known key \(known: k, n, positions\)"):
        run("trend_z", k=[1, 2], n=5, places=[3, 4])


def test_grim_gives_the_means_on_either_side():
    found = run("grim", mean="5.19", n=28)
    assert [variant.value for variant in found] == [Fraction(145, 28), Fraction(146, 28)]
    assert found[0].name == "a sum of 145 over 28, which 28% of numbers printed so have"
    assert all(variant.slack == 0 for variant in found)
    assert first("grim", mean="5.19", n=28, items=3) == Fraction(436, 84)
    assert run("grim", mean="0.123456", n=3)[0].name.endswith("under 1% of numbers printed so have")


def test_grimmer_and_debit():
    found = run("grimmer", mean="5.21", sd="1.6", n=28)
    assert found[0].name == "ddof 1, a sum of 146 and a sum of squares of 830"
    assert float(found[0].value) == pytest.approx(1.5953, abs=5e-5)
    missing = run("grimmer", mean="5.19", sd="1.6", n=28)
    assert math.isnan(missing[0].value)
    assert missing[0].name == "ddof 1, though no whole numbers have the mean 5.19"
    ones = run("debit", mean="54.6%", sd="0.499", n=280)
    assert ones[0].name == "ddof 1, 153 ones out of 280"
    assert float(ones[0].value) == pytest.approx(0.4987311, abs=1e-6)
    assert run("debit", mean="0.19", sd="0.4", n=25)[1].name == (
        "ddof 0, though no ones out of 25 print 0.19"
    )


def test_totals_that_shares_allow():
    (only,) = run("admissible_totals", shares=["41.3%", "14.7%"], least=146, most=155)
    assert (only.value, only.name) == (150, "the only total from 146 to 155")
    several = run("admissible_totals", shares="41.3%", least=1, most=80)
    assert math.isnan(several[0].value)
    assert [variant.value for variant in several[1:]] == [46, 63, 75, 80]
    (none,) = run("admissible_totals", shares="41.3%", least=1, most=40)
    assert (none.name, math.isnan(none.value)) == ("no totals from 1 to 40", True)


def test_odds_ratios_that_sizes_allow():
    (only,) = run("odds_ratio_of_sizes", odds_ratio="7.75", n1=60, n2=60)
    assert (only.name, only.value) == ("7 of 60 and 1 of 60", Fraction(7 * 59, 53))
    assert first("odds_ratio_of_sizes", odds_ratio="7.75", n1=100, n2=339) == Fraction(
        83 * 208, 17 * 131
    )


def test_kappas_that_an_agreement_allows():
    (only,) = run("kappa_of_agreement", agreement="92%", kappa="0.81", n=50)
    assert only.value == Fraction(213, 263)
    assert only.name.endswith("1 against 3 where the raters differ (10 tables print so)")
    (none,) = run("kappa_of_agreement", agreement="19%", kappa="0.81", n=25)
    assert (none.name, math.isnan(none.value)) == ("no whole number of 25 items agreed on", True)


def test_ratings():
    assert first("elo_of_share", k=10, n=11) == pytest.approx(400)
    assert first("elo_of_share", k=11, n=11) == math.inf
    assert first("elo_of_share", k=0, n=11) == -math.inf
    assert first("rating_start", RATINGS, ratings=["r.C1", "r.V1"]) == pytest.approx(1500, abs=1e-3)
    pairs, means = run("implied_rate", first=[1500, 1500], second=[1900, 1900])
    assert pairs.value == means.value == pytest.approx(1 / 11)
    # Nobody meets himself: of two rows only the crosswise pairs are played.
    crosswise = first("implied_rate", first=[1500, 1900], second=[1500, 1500])
    assert crosswise == pytest.approx((1 / 2 + 10 / 11) / 2)


def test_expected_score():
    assert first("expected_score", rating=1400, opponent=1600) == pytest.approx(0.24025, abs=1e-5)


def test_slack_of_a_sum_is_the_sum_of_slacks():
    (found,) = run("sum", values=["1.5", "2.25", "7"])
    assert found.slack == Fraction(5, 100) + Fraction(5, 1000)


def _tenths(value):
    return f"{Decimal(value).quantize(Decimal('0.1'), ROUND_HALF_UP):f}"


means = st.integers(-300, 300).map(lambda hundredths: hundredths / 100)
deviations = st.integers(5, 300).map(lambda hundredths: hundredths / 100)


@given(deviations, deviations)
def test_slack_covers_a_quotient_of_coarsely_printed_numbers(first, second):
    (found,) = run("ratio", first=_tenths(first), second=_tenths(second))
    assert abs(found.value - Fraction(first) / Fraction(second)) <= found.slack + Fraction(1, 10**9)


@given(means, deviations, means, deviations, st.integers(2, 60), st.integers(2, 60))
def test_slack_covers_tests_of_coarsely_printed_summaries(mean1, sd1, mean2, sd2, n1, n2):
    printed = {"mean1": _tenths(mean1), "sd1": _tenths(sd1), "n1": n1}
    printed |= {"mean2": _tenths(mean2), "sd2": _tenths(sd2), "n2": n2}
    t, p = stats.ttest_ind_from_stats(mean1, sd1, n1, mean2, sd2, n2)
    for method, expected in (("t_of_summary", t), ("p_of_summary", p)):
        found = run(method, **printed)[0]
        assert abs(found.value - expected) <= found.slack + 1e-9, method


def test_an_end_without_a_value_is_left_out():
    # A share of 0% cannot have been below 0: the other end alone says how far the value reaches.
    (found,) = run("formula", formula="sqrt(p * (1 - p) / 50)", p="0.0%")
    assert found.slack == pytest.approx(math.sqrt(0.0005 * 0.9995 / 50))


def test_ties_that_rounding_makes_do_not_stop_a_rank_correlation():
    first, second = ["1.4", "1.1", "1.6", "1.2", "1.4"], ["0.7", "0.8", "0.7", "0.7", "0.5"]
    for method in ("spearman", "spearman_p"):
        assert run(method, first=first, second=second)[0].slack > 0


def test_a_column_that_only_rounding_makes_constant_says_nothing():
    inputs = {"first": ["1.3", "1.3", "1.3"], "second": ["0.6", "2.5", "2.0"]}
    with pytest.raises(StudyError, match=r"may have any as they were: .* `not_checkable`"):
        run("pearson", **inputs)
    exact = run("pearson", first=[1.3, 1.3, 1.3], second=[0.6, 2.5, 2.0])
    assert math.isnan(exact[0].value)


def test_limits_of_a_share_are_also_tried_within_its_bounds():
    low = named("proportion_low", k=2, n=12)
    assert low["the wald interval"] < 0.0
    assert low["the wald interval, kept between 0% and 100%"] == 0.0
    high = named("proportion_high", k=10, n=12)
    assert high["the wald interval, kept between 0% and 100%"] == 1.0
    assert not any("kept" in name for name in named("proportion_low", k=28, n=40))


@pytest.mark.parametrize(
    ("formula", "rule"),
    [
        ("1 / (a - 1)", "has no value, as it divides by 0"),
        ("9.0 ** 9 ** 9.5", "too large a number"),
    ],
)
def test_a_formula_without_a_value(formula, rule):
    with pytest.raises(StudyError, match=rule):
        run("formula", formula=formula, **({"a": 1} if "a" in formula else {}))


def test_a_recipe_that_divides_by_nothing():
    summary = {"mean1": 1e300, "sd1": 1e-300, "n1": 5, "mean2": 0, "sd2": 1e-300, "n2": 5}
    with pytest.raises(StudyError, match="must not divide by 0"):
        run("t_of_summary", **summary)


def test_slack_of_a_product():
    (found,) = run("formula", formula="37 * mean", mean="6.57")
    assert found.slack == Fraction(37 * 5, 1000)


@given(st.lists(st.integers(-99, 99), min_size=2, max_size=6), st.data())
def test_slack_covers_the_mean_before_rounding(tenths, data):
    moved = [
        Fraction(tenth, 10) + data.draw(st.fractions(Fraction(-1, 20), Fraction(1, 20)))
        for tenth in tenths
    ]
    found = run("mean", values=[f"{tenth / 10:.1f}" for tenth in tenths])[0]
    assert abs(found.value - sum(moved, Fraction(0)) / len(moved)) <= found.slack


@pytest.mark.parametrize(
    ("recompute", "subject", "rule"),
    [
        ({}, "recompute.method", "is missing"),
        ({"method": "magic"}, "recompute.method", "must be one of grim, .*, found 'magic'"),
        ({"method": ["sum"]}, "recompute.method", "must be one of"),
        ({"method": "sum"}, "recompute.values", "is missing"),
        (
            {"method": "sum", "values": [1], "n": 2},
            "recompute.n",
            r"not a known key \(known: values",
        ),
        ({"method": "proportion", "k": "9.5", "n": 10}, "recompute.k", "must be a whole number"),
    ],
)
def test_binding_refused(recompute, subject, rule):
    with pytest.raises(StudyError, match=rule) as caught:
        bind(recompute, {})
    assert caught.value.subject == subject


@pytest.mark.parametrize(
    ("method", "inputs", "rule"),
    [
        ("proportion", {"k": 3, "n": 2}, "must hold 0 ≤ k ≤ n"),
        ("proportion", {"k": 0, "n": 0}, "n above 0"),
        ("odds_ratio", {"k1": 3, "n1": 2, "k2": 1, "n2": 2}, "must hold 0 ≤ k ≤ n"),
        ("ratio", {"first": 1, "second": 0}, "must not divide by 0"),
        ("maximum", {"values": []}, "must hold at least one number"),
        ("mean_difference", {"first": [1], "second": [1, 2]}, "must join columns of one length"),
        ("pearson", {"first": [1], "second": [1, 2]}, "must join columns of one length"),
        ("effect_size", {"first": [[1, 2], [3, 4]], "second": [1, 2]}, "as many columns"),
        ("query_bound", {"candidates": 0, "answers": 2}, "at least 1 candidate"),
        ("kappa", {"agreed": 0, "n": 5, "k": 1, "of": 2}, "must hold agreements"),
        ("kappa", {"agreed": 4, "n": 5, "k": 0, "of": 2}, "must hold agreements"),
        ("p_of_chi_square", {"statistic": "-1.0", "df": 1}, "must be at least 0 for χ², found -1"),
        ("proportion_low", {"k": 3, "n": 5, "level": "95"}, "confidence level such as 95%"),
        (
            "proportion_low",
            {"k": 3, "n": 5, "level": ["90%", "95%"]},
            "one printed number, found 2",
        ),
        ("homogeneity", {"k": [1, 2], "n": [5, 5, 5]}, "must have one n for each of 2 rows"),
        ("mantel_haenszel", {"k1": [1.5], "n1": [5], "k2": [1], "n2": [5]}, "whole number"),
        ("averaged_sd", {"columns": [[1, 2], [1, 2, 3]]}, "must join columns of one length"),
        ("sd_ratio", {"first": [[1, 2], [3, 4]], "second": [1, 2]}, "as many columns"),
        ("effect_of_summary", SUMMARY | {"sd1": "-1.0"}, "a standard deviation of at least 0"),
        ("t_of_summary", SUMMARY | {"n1": 1}, "at least 2 values"),
        ("implied_rate", {"first": [1500], "second": [1500]}, "must hold at least 2 rows"),
        ("elo_of_share", {"k": 3, "n": 2}, "must hold 0 ≤ k ≤ n"),
        ("grim", {"mean": ["1.0", "2.0"], "n": 3}, "must be one printed number, found 2"),
        ("grim", {"mean": "1.0", "n": 0}, "at least 1 case"),
        ("grimmer", {"mean": "1.0", "sd": "1.0", "n": 1}, "more cases than that"),
        ("debit", {"mean": "0.5", "sd": "0.5", "n": 1}, "more cases than that"),
        ("odds_ratio_of_sizes", {"odds_ratio": "2.0", "n1": 1, "n2": 5}, "samples of at least 2"),
        ("formula", {"formula": "a +", "a": 1}, "must be an arithmetic formula"),
        ("joint_share", {"rates": ["5%"], "most": 0, "total": 5}, "must be at least 1"),
    ],
)
def test_inputs_that_do_not_go_together(method, inputs, rule):
    with pytest.raises(StudyError, match=rule):
        run(method, **inputs)


@pytest.mark.parametrize(
    ("method", "inputs", "rule"),
    [
        ("fisher_p", {"k1": 1, "n1": 10**9, "k2": 2, "n2": 10**9}, "at most 100,000 trials"),
        ("odds_ratio", {"k1": 1, "n1": 10**5, "k2": 2, "n2": 9}, "at most 100,000 trials"),
        ("boschloo_p", {"k1": 1, "n1": 500, "k2": 2, "n2": 9}, "at most 500 trials"),
        ("chi_square_p", {"k1": 1, "n1": 10**30, "k2": 2, "n2": 9}, "at most 1,000,000,000"),
        ("mantel_haenszel_p", {"k1": 1, "n1": 10**30, "k2": 2, "n2": 9}, "at most 1,000,000,000"),
        ("difference_low", {"k1": 1, "n1": 10**30, "k2": 2, "n2": 9}, "at most 1,000,000,000"),
        ("proportion_low", {"k": 1, "n": 10**30}, "at most 1,000,000,000"),
        ("homogeneity_p", {"k": [1, 2], "n": 10**4}, "at most 3,000 trials"),
        ("kappa", {"agreed": 5000, "n": 10**4, "k": 1, "of": 2}, "at most 1,000 items"),
        (
            "kappa_of_agreement",
            {"agreement": "92%", "kappa": "0.8", "n": 10**4},
            "at most 1,000 items",
        ),
        (
            "kappa_of_agreement",
            {"agreement": "5e1%", "kappa": "0.8", "n": 1000},
            "at most 250,000 tables",
        ),
        (
            "pooled_z_of_sizes",
            {"first": ["50%", "50%"], "second": ["50%", "50%"], "total": 10**5},
            "at most 10,000 trials",
        ),
        (
            "pooled_z_of_sizes",
            {"first": ["50%", "50%"], "second": ["50%", "50%"], "total": 10**4},
            "at most 100,000 pairs",
        ),
        (
            "admissible_totals",
            {"shares": ["50%"], "least": 1, "most": 10**9},
            "at most 100,000 totals to be tried, found 1,000,000,000",
        ),
        (
            "odds_ratio_of_sizes",
            {"odds_ratio": "2.85", "n1": 10**9, "n2": 9},
            "a first sample of at most 20,000, found 1,000,000,000",
        ),
        ("joint_share", {"rates": ["50%"] * 6, "most": 1000, "total": 3000}, "5,000,000 ways"),
    ],
)
def test_what_no_paper_has_is_refused_at_once(method, inputs, rule):
    with pytest.raises(StudyError, match=rule):
        run(method, **inputs)

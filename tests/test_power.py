"""Power and games needed: against sums of the binomial law, closed forms and other libraries."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.power import NormalIndPower
from statsmodels.stats.proportion import binom_test_reject_interval, power_binom_tost
from statsmodels.stats.proportion import proportion_effectsize as arcsine

from audit.claims.file import load_claims
from audit.numbers.independence import pooled_z
from audit.numbers.power import LISTED_TABLES, power, scaled, size_needed
from audit.numbers.proportion import ProportionMethod, proportion
from audit.power import Asked, claim_powers, half_width
from audit.power_claims import MOST_EXACT, TESTS, Compared, questions
from games.study.shipped import find_study


def pmf(k, n, p):
    return math.comb(n, k) * p**k * (1 - p) ** (n - k)


def differ(k, n):
    return pooled_z(k[0], n[0], k[1], n[1]).p < 0.05


def rng():
    return np.random.default_rng(11)


@settings(max_examples=40, deadline=None)
@given(n=st.integers(1, 60), p=st.floats(0, 1), cut=st.integers(0, 61))
def test_one_sample_is_the_tail_of_the_binomial_law(n, p, cut):
    found = power([p], [n], lambda k, _: k[0] >= cut, rng())
    assert found.value == pytest.approx(sum(pmf(k, n, p) for k in range(cut, n + 1)), abs=1e-8)
    assert found.error == 0.0


@settings(max_examples=15, deadline=None)
@given(
    sizes=st.tuples(st.integers(2, 25), st.integers(2, 25)),
    rates=st.tuples(st.floats(0, 1), st.floats(0, 1)),
)
def test_two_samples_are_the_double_sum(sizes, rates):
    exact = sum(
        pmf(j, sizes[0], rates[0]) * pmf(k, sizes[1], rates[1])
        for j in range(sizes[0] + 1)
        for k in range(sizes[1] + 1)
        if differ((j, k), sizes)
    )
    assert power(rates, sizes, differ, rng()).value == pytest.approx(exact, abs=1e-7)


def test_drawn_tables_state_their_own_error_and_keep_to_it():
    rates, sizes = (0.5, 0.4), (400, 400)
    drawn = power(rates, sizes, differ, rng(), draws=4_000)
    exact = sum(
        pmf(j, 400, 0.5) * pmf(k, 400, 0.4)
        for j in range(140, 261)
        for k in range(100, 221)
        if differ((j, k), sizes)
    )
    assert drawn.error == pytest.approx(math.sqrt(exact * (1 - exact) / 4_000), rel=0.05)
    assert abs(drawn.value - exact) < 4 * drawn.error
    assert 0.0 < drawn.error < 0.01
    assert LISTED_TABLES < 121 * 121  # too many to be enumerated
    seeds = [power(rates, sizes, differ, np.random.default_rng(s), draws=4_000) for s in range(30)]
    spread = np.std([one.value for one in seeds], ddof=1)
    assert spread == pytest.approx(drawn.error, rel=0.5)


def test_no_drawn_figure_is_free_of_error():
    sure = power((0.5, 0.5), (400, 400), lambda k, n: True, rng(), draws=100)
    assert sure.value == 1.0
    assert 0.0 < sure.error < 0.02


def test_the_same_seed_draws_the_same():
    one, other = (power((0.5, 0.4), (400, 400), differ, rng(), draws=500) for _ in range(2))
    assert one == other


def test_a_clopper_pearson_power_is_that_of_the_exact_test():
    low, high = binom_test_reject_interval(0.5, 30, alpha=0.05)

    def outside(k, n):
        found = proportion(k[0], n[0], method=ProportionMethod.CLOPPER_PEARSON).interval
        return 0.5 not in found

    exact = sum(pmf(k, 30, 0.7) for k in range(31) if k <= low or k >= high)
    assert power([0.7], [30], outside, rng()).value == pytest.approx(exact, abs=1e-8)
    # The equivalence test of the library, by Wald: its whole interval within [0.4, 0.9].
    equal = power_binom_tost(0.4, 0.9, 50, p_alt=0.7, alpha=0.025)

    def within(k, n):
        found = proportion(k[0], n[0], method=ProportionMethod.WALD).interval
        return found.low >= 0.4 and found.high <= 0.9

    assert power([0.7], [50], within, rng()).value == pytest.approx(equal, abs=0.1)


@pytest.mark.parametrize("rates", [(0.2, 0.4), (0.1, 0.3), (0.5, 0.6)])
def test_games_needed_to_tell_two_rates_apart_are_those_of_the_normal_law(rates):
    def reached(sizes):
        return power(rates, sizes, differ, rng(), draws=4_000).value >= 0.8

    found = size_needed((1, 1), reached)
    normal = NormalIndPower().solve_power(arcsine(*rates), alpha=0.05, power=0.8)
    assert found[0] == found[1] == pytest.approx(normal, rel=0.08)


@given(
    sizes=st.lists(st.integers(1, 500), min_size=1, max_size=4),
    enough=st.integers(1, 3_000),
    most=st.integers(1, 2_000),
)
def test_what_is_needed_is_the_first_that_is_enough(sizes, enough, most):
    found = size_needed(sizes, lambda tried: max(tried) >= enough, most)
    if enough > most:
        assert found is None
        return
    assert max(found) == enough
    assert found == scaled(sizes, enough)
    for size, given_size in zip(found, sizes, strict=True):
        assert size >= 1
        assert size == math.ceil(given_size * enough / max(sizes))


@pytest.mark.parametrize(
    ("rates", "sizes", "draws", "said"),
    [
        ([0.5], [3, 4], 9, "rates and sizes must be as many, at least 1, found 1 and 2"),
        ([], [], 9, "rates and sizes must be as many, at least 1, found 0 and 0"),
        ([1.5], [3], 9, "rates must lie in [0, 1], found 1.5"),
        ([0.5], [0], 9, "sizes must be at least 1, found 0"),
        ([0.5], [2.5], 9, "sizes must be a whole number, found 2.5"),
        ([0.5], [3], 0, "draws must be at least 1, found 0"),
    ],
)
def test_what_power_refuses(rates, sizes, draws, said):
    with pytest.raises(ValueError, match="must") as fault:
        power(rates, sizes, lambda k, n: True, rng(), draws)
    assert str(fault.value) == said


@pytest.mark.parametrize("name", ["power", "alpha", "half_width"])
@pytest.mark.parametrize("value", [0.0, 1.0, -2.0])
def test_what_is_asked_lies_between_0_and_1(name, value):
    with pytest.raises(ValueError, match=f"{name} must lie strictly between 0 and 1, found"):
        Asked(**{name: value})


CLAIMS = """\
[defaults]
population = "models"
cluster = "ordered_pair"

[print]
ends = '''
end  | games | wins | share | score
one  | 100   | 88   | 88.0% | 1.5
two  | 100   | 42   | 42.0% | 2.5
'''
cells = '''
who | rate
a   | 72%
b   | 0%
'''

[unknown]
won = { range = "0..25", rows = "cells" }
played = { range = "1..25", rows = "cells" }

[[cells]]
id = "rate"
table = "cells"
columns = ["rate"]
[cells.claim]
place = "table"
sentence = "{row} wins this share of its 25 matches."
states = "won[{row}] / 25"

"""
SHARE = 'recompute = { method = "proportion", k = 88, n = 100 }'
TWO = "k1 = 88, n1 = 100, k2 = 42, n2 = 100"


def claim(id, printed, body, **keys):
    said = {"id": id, "place": "here", "sentence": "So it is.", "printed": printed} | keys
    return "[[claim]]\n" + "".join(f'{k} = "{v}"\n' for k, v in said.items()) + body + "\n"


@pytest.fixture
def asked_of(tmp_path):
    def load(*entries):
        path = tmp_path / "claims.toml"
        path.write_text(CLAIMS + "\n".join(entries), encoding="utf-8")
        return {one.claim.id: one for one in questions(load_claims(path))}

    return load


def test_claims_are_taken_by_method_and_printed_counts(asked_of):
    two = f"recompute = {{ method = %r, {TWO} }}"
    ends = 'k = "ends.wins", n = "ends.games"'
    found = asked_of(
        claim("share", "88.0%", SHARE, region="> 0.5"),
        claim("gap", "46pp", two % "proportion_difference", region="> 0"),
        claim("odds", "10.1×", two % "odds_ratio", region="> 1"),
        claim("times", "2.1×", two % "risk_ratio", region="> 1"),
        claim("exact", "<0.001", two % "fisher_p", kind="inequality"),
        claim("square", "46.5", two % "chi_square"),
        claim("trend", "<0.05", f'recompute = {{ method = "trend_p", {ends} }}', kind="inequality"),
        claim(
            "scored",
            "<0.05",
            f'recompute = {{ method = "trend_p", {ends}, positions = "ends.score" }}',
            kind="inequality",
        ),
        claim(
            "several",
            "<0.05",
            f'recompute = {{ method = "homogeneity_p", {ends} }}',
            kind="inequality",
        ),
        # Left out: no rate, nothing drawn anew, and trials that print does not hold.
        claim("sum", "130", 'recompute = { method = "sum", values = "ends.wins" }', kind="exact"),
        claim("design", "88.0%", SHARE, cluster="none"),
        claim("nothing", "2.1×", two % "risk_ratio"),
        claim("hidden", "72%", 'states = "won[a] / played[a]"'),
        claim("mean", "4.5", 'states = "won[b] / 2"'),
    )
    samples = {id: (one.compared, one.successes, one.sizes) for id, one in found.items()}
    both = (88, 42), (100, 100)
    assert samples == {
        "rate_a": (Compared.SHARE, (18,), (25,)),
        "rate_b": (Compared.SHARE, (0,), (25,)),
        "share": (Compared.SHARE, (88,), (100,)),
        "gap": (Compared.DIFFERENCE, *both),
        "odds": (Compared.ODDS_RATIO, *both),
        "times": (Compared.RISK_RATIO, *both),
        "exact": (Compared.FISHER, *both),
        "square": (Compared.POOLED_Z, *both),
        "trend": (Compared.TREND, *both),
        "scored": (Compared.TREND, *both),
        "several": (Compared.HOMOGENEITY, *both),
    }
    assert found["scored"].positions == (1.5, 2.5)
    assert found["trend"].positions == ()


def by_id(found, asked=None):
    rows = claim_powers(tuple(found.values()), asked or Asked(), rng())
    return {row["id"]: row for row in (one.row() for one in rows)}


def test_power_is_the_chance_that_the_interval_lies_in_the_region(asked_of):
    rows = by_id(asked_of(claim("share", "60%", SHARE.replace("88", "60"), region="> 0.5")))
    # Wilson's interval of 100 excludes 0.5 from below from 60 successes on.
    exact = sum(pmf(k, 100, 0.6) for k in range(60, 101))
    assert rows["share"]["power"] == pytest.approx(exact, abs=1e-7)
    assert rows["share"]["power_error"] == 0.0
    # The normal law: ((1.96·0.5 + 0.8416·0.49) / 0.1)² = 194.
    assert rows["share"]["games_for_power"] == pytest.approx(194, abs=8)
    assert rows["rate_a"]["power"] is None
    assert rows["rate_a"]["why_no_power"] == "the claim names no region"


def test_a_printed_value_outside_its_region_needs_no_number_of_games(asked_of):
    share = 'recompute = { method = "proportion", k = 40, n = 100 }'
    equal = 'recompute = { method = "fisher_p", k1 = 40, n1 = 100, k2 = 20, n2 = 50 }'
    rows = by_id(
        asked_of(
            claim("share", "40%", share, region="> 0.5"),
            claim("same", "1.0", equal),
            claim("close", "40%", share, region="> 0.3999"),
        )
    )
    assert rows["share"]["why_no_power"] == "the printed value lies outside the region"
    assert rows["share"]["power"] < 0.001
    assert rows["same"]["why_no_power"] == "the printed rates are equal"
    assert rows["close"]["why_no_power"] == "> 20000 a sample"
    assert rows["close"]["games_for_power"] is None


@pytest.mark.parametrize(("width", "games"), [(0.1, 93), (0.2, 21), (0.05, 381)])
def test_games_for_a_width_are_those_of_wilsons_formula(asked_of, width, games):
    # At a rate of one half: n = z²/4w² - z², rounded up.
    z = 1.959964
    assert games == math.ceil(z**2 / (4 * width**2) - z**2)
    half = SHARE.replace("88", "50")
    rows = by_id(asked_of(claim("share", "50%", half)), Asked(half_width=width))
    assert rows["share"]["games_for_width"] == pytest.approx(games, abs=1)
    assert rows["share"]["half_width"] == pytest.approx(z / (2 * math.sqrt(100 + z**2)), abs=1e-6)


def test_ratios_and_tests_have_no_width_in_points(asked_of):
    body = f'recompute = {{ method = "odds_ratio", {TWO} }}'
    found = asked_of(claim("odds", "10.1×", body, region="> 1"))
    assert half_width(found["odds"], (100, 100), 0.05) is None
    assert by_id(found)["odds"]["why_no_width"] == "no width in points"


def test_more_power_narrower_intervals_and_smaller_alpha_need_more_games(asked_of):
    found = asked_of(claim("share", "65%", SHARE.replace("88", "65"), region="> 0.5"))
    usual = by_id(found)["share"]
    assert by_id(found, Asked(power=0.95))["share"]["games_for_power"] > usual["games_for_power"]
    assert by_id(found, Asked(alpha=0.01))["share"]["games_for_power"] > usual["games_for_power"]
    assert (
        by_id(found, Asked(half_width=0.05))["share"]["games_for_width"] > usual["games_for_width"]
    )


def test_positions_of_a_trend_decide(asked_of):
    ends = "k = [5, 12, 6], n = [40, 40, 40]"
    body = 'recompute = {{ method = "trend_p", {} }}'
    found = asked_of(
        claim("rows", "<0.05", body.format(ends), kind="inequality"),
        claim("far", "<0.05", body.format(f"{ends}, positions = [0, 9, 1]"), kind="inequality"),
    )
    far, near = claim_powers([found["far"], found["rows"]], Asked(power=0.05), rng(), draws=500)
    assert far.power.value > near.power.value + 0.2
    assert far.power.error > 0


def test_fishers_test_of_many_games_is_as_powerful_as_the_chi_square_test():
    rates, sizes = (0.5, 0.37), (MOST_EXACT // 2, MOST_EXACT // 2)
    exact, normal = (
        power(
            rates,
            sizes,
            lambda k, n, test=test: TESTS[test](k, n, ()).p < 0.05,
            rng(),
            draws=400,
        )
        for test in (Compared.FISHER, Compared.POOLED_Z)
    )
    # The same tables were drawn for both.
    assert 0.0 <= normal.value - exact.value < 0.04
    larger = (MOST_EXACT, MOST_EXACT)
    tests = (TESTS[test]((240, 200), larger, ()).p for test in (Compared.FISHER, Compared.POOLED_Z))
    assert len(set(tests)) == 1


def test_rates_said_to_matter_for_a_claim_are_compared_after_it(asked_of):
    entry = """
[[what_if]]
claim = "share"
change = "rates"
about = "three rates of 25"
k = [20, 15, 5]
n = 25

[[what_if]]
claim = "share"
change = "rates"
k = "ends.wins"
n = "ends.games"
positions = [1, 2]
"""
    share = claim("share", "88.0%", SHARE, region="> 0.5")
    found = asked_of(share, entry)
    assert found["share"].part == "three rates of 25"
    assert found["share"].compared is Compared.HOMOGENEITY
    assert (found["share"].successes, found["share"].sizes) == ((20, 15, 5), (25, 25, 25))
    (one,) = claim_powers([found["share"]], Asked(), rng(), draws=2_000)
    assert one.power.value > 0.9
    assert one.for_power.total < 75


def test_the_paper_prints_cells_of_25_games():
    found = questions(load_claims(find_study("aidg") / "claims.toml"))
    cells = [one for one in found if one.claim.place == "Table 10"]
    assert len(cells) == 12
    assert {one.sizes for one in cells} == {(25,)}
    # A rate of 64 % of 25 matches is known to within 18 points; ten points take 86 matches.
    (widest,) = [one for one in cells if one.successes == (16,)]
    (row,) = claim_powers([widest], Asked(), rng())
    assert row.half_width == pytest.approx(0.176, abs=5e-4)
    assert row.for_width.total == 86

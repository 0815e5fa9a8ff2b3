"""Whole numbers behind means and deviations: published vectors, brute force, honest rounding."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from itertools import combinations_with_replacement
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.printed.grim import (
    admissible_totals,
    chance_of_passing,
    nearest_sums,
    sums_behind,
)
from audit.printed.grimmer import (
    nearest_binary_deviation,
    nearest_deviation,
    root,
)
from audit.printed.rounding import Rounding, read_number

from .test_printed_rounding import NEAREST, printed

CASES = Path(__file__).parent / "cases"
PRINT = {
    case["id"]: case
    for case in json.loads((CASES / "known_answers_print.json").read_text("utf-8"))["vectors"]
}
NUMBERS = {
    case["id"]: case
    for case in json.loads((CASES / "known_answers_numbers.json").read_text("utf-8"))["vectors"]
}
few = settings(max_examples=60, deadline=None)


def consistent(text: str, n: int, items: int) -> bool:
    return bool(sums_behind(read_number(text), n, items))


@pytest.mark.parametrize("case", ["grim_5.19_28", "grim_5.19_32", "grim_71_43_1_True"])
def test_published_means(case):
    known = PRINT[case]
    found = consistent(known["inputs"]["x"], known["inputs"]["n"], known["inputs"]["items"])
    assert found is known["expected"]["consistent"]


@pytest.mark.parametrize(
    "case", ["grim_percent_519_to_530", "grim_seq_items_a", "grim_seq_items_b", "grim_seq_items_c"]
)
def test_published_series_of_means(case):
    known = PRINT[case]["inputs"]
    unit = "%" if known["first"].endswith("%") else ""
    first, step = (Fraction(known[name].rstrip("%")) for name in ("first", "step"))
    decimals = len(known["first"].rstrip("%").partition(".")[2])
    series = [
        printed(first + place * step, decimals, Rounding.HALF_UP) + unit
        for place in range(known["count"])
    ]
    found = [consistent(text, known["n"], known["items"]) for text in series]
    assert found == PRINT[case]["expected"]["consistent"]


@pytest.mark.parametrize("case", [name for name in PRINT if name.startswith("grimmer_")])
def test_published_deviations(case):
    known = PRINT[case]["inputs"]
    sd = read_number(known["sd"])
    found = nearest_deviation(read_number(known["mean"]), sd, known["n"], ddof=1)
    assert found is not None
    assert bool(sd.rules(found.sd)) is PRINT[case]["expected"]["consistent"]


def test_a_deviation_may_fit_one_divisor_only():
    mean, sd = read_number("5.23"), read_number("2.55")
    assert not sd.rules(nearest_deviation(mean, sd, 35, ddof=1).sd)
    assert sd.rules(nearest_deviation(mean, sd, 35, ddof=0).sd)


def test_the_published_deviation_of_binary_data():
    known = NUMBERS["sd_binary"]
    ones, total = known["inputs"]["n1"], known["inputs"]["n0"] + known["inputs"]["n1"]
    found = nearest_binary_deviation(
        read_number(f"{ones / total:.2f}"), read_number("0.50"), total, ddof=1
    )
    assert float(found.sd) == pytest.approx(known["expected"]["sd"], abs=5e-3)
    exact = nearest_binary_deviation(
        read_number(f"{ones / total:.6f}"), read_number("0.498731"), total, ddof=1
    )
    assert exact.total == ones
    assert float(exact.sd) == pytest.approx(known["expected"]["sd"], abs=known["abs_tol"])


@st.composite
def scales(draw, most=60):
    n = draw(st.integers(2, most))
    items = draw(st.integers(1, 3))
    values = draw(st.lists(st.integers(-9 * items, 9 * items), min_size=n, max_size=n))
    return [Fraction(value, items) for value in values], items


@few
@given(scales(), st.integers(0, 4), st.sampled_from(NEAREST), st.sampled_from(NEAREST))
def test_honest_means_and_deviations_always_pass(data, decimals, one, other):
    values, items = data
    n, mean = len(values), sum(values, Fraction(0)) / len(values)
    shown = read_number(printed(mean, decimals, one))
    assert mean * n * items in sums_behind(shown, n, items)
    for ddof in (0, 1):
        exact = root(sum((value - mean) ** 2 for value in values) / (n - ddof))
        sd = read_number(printed(Fraction(exact), decimals, other))
        found = nearest_deviation(shown, sd, n, ddof=ddof, items=items)
        assert set(sd.rules(found.sd)) & set(NEAREST)


@few
@given(st.sampled_from([40, 80]), st.data(), st.sampled_from(NEAREST), st.sampled_from(NEAREST))
def test_ties_at_40_and_80_cases_pass(n, data, one, other):
    values = data.draw(st.lists(st.integers(0, 30), min_size=n, max_size=n))
    mean = Fraction(sum(values), n)
    shown = read_number(printed(mean, 2, one))
    exact = root(sum((value - mean) ** 2 for value in values) / (n - 1))
    sd = read_number(printed(Fraction(exact), 2, other))
    assert sd.rules(nearest_deviation(shown, sd, n, ddof=1).sd)


@few
@given(st.integers(2, 200), st.data(), st.integers(1, 4), st.sampled_from(NEAREST))
def test_honest_binary_deviations_always_pass(n, data, decimals, rule):
    ones = data.draw(st.integers(0, n))
    share = read_number(printed(Fraction(ones, n), decimals, rule))
    for ddof in (0, 1):
        exact = root(Fraction(ones * (n - ones), n * (n - ddof)))
        sd = read_number(printed(Fraction(exact), decimals, rule))
        assert sd.rules(nearest_binary_deviation(share, sd, n, ddof=ddof).sd)


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
def test_sums_of_squares_are_those_of_brute_force(n):
    reach = range(-4, 6) if n < 5 else range(-3, 5)
    had: dict[int, set[int]] = {}
    for values in combinations_with_replacement(reach, n):
        had.setdefault(sum(values), set()).add(sum(value**2 for value in values))
    for total in range(n):
        mean = read_number(printed(Fraction(total, n), 6, Rounding.HALF_UP))
        possible = sorted(root(Fraction(squares * n - total**2, n * n)) for squares in had[total])
        # Far from the edge of what was tried, the nearest deviation must be one that was had.
        for tenths in range(13):
            sd = read_number(f"{tenths / 10:.6f}")
            found = float(nearest_deviation(mean, sd, n, ddof=0).sd)
            nearest = min(possible, key=lambda value: abs(float(value) - float(sd.value)))
            assert abs(found - float(sd.value)) == pytest.approx(
                abs(float(nearest) - float(sd.value)), abs=1e-12
            )


@pytest.mark.parametrize("cases", [1, 2, 3, 8, 16, 28, 40, 50, 80, 99, 100, 250])
def test_the_chance_of_passing_is_the_share_of_numbers_that_pass(cases):
    passing = sum(consistent(f"0.{cents:02d}", cases, 1) for cents in range(100))
    assert chance_of_passing(read_number("0.00"), cases) == Fraction(passing, 100)


def test_a_coarse_mean_always_passes():
    assert chance_of_passing(read_number("3"), 1) == 1


@given(st.integers(-500, 500), st.integers(1, 40), st.integers(1, 3))
def test_nearest_sums_lie_on_either_side(cents, n, items):
    mean = read_number(f"{cents / 100:.2f}")
    near, next_to = (Fraction(total, n * items) for total in nearest_sums(mean, n, items))
    assert min(near, next_to) <= mean.value <= max(near, next_to)
    assert abs(near - mean.value) <= abs(next_to - mean.value)
    assert abs(near - next_to) == Fraction(1, n * items)


def test_admissible_totals_of_one_share():
    totals = admissible_totals([read_number("41.3%")], 1, 439)
    assert len(totals) == 98
    assert totals[:6] == (46, 63, 75, 80, 92, 104)


def test_admissible_totals_of_several_shares():
    shares = [read_number(text) for text in ("14.7%", "41.3%", "23.3%", "20.7%")]
    totals = admissible_totals(shares, 1, 200)
    assert 150 in totals
    assert set(totals) < set(admissible_totals(shares[:1], 1, 200))
    assert admissible_totals([read_number("41.3%"), read_number("50.1%")], 1, 60) == ()


def test_roots():
    assert root(Fraction(9, 4)) == Fraction(3, 2)
    assert root(Fraction(2)) == math.sqrt(2)
    with pytest.raises(ValueError, match="must be the root of at least 0, found -1"):
        root(Fraction(-1))


def test_no_whole_numbers_have_the_mean():
    assert nearest_deviation(read_number("5.19"), read_number("1.0"), 28, ddof=1) is None
    assert nearest_binary_deviation(read_number("0.19"), read_number("0.4"), 25, ddof=1) is None


@pytest.mark.parametrize(
    ("call", "rule"),
    [
        (lambda x: sums_behind(x, 0), "at least 1 case and 1 item, found 0 and 1"),
        (lambda x: nearest_sums(x, 5, 0), "at least 1 case and 1 item, found 5 and 0"),
        (lambda x: chance_of_passing(x, 0), "at least 1 case"),
        (lambda x: nearest_deviation(x, x, 1, ddof=1), "more cases than that, found 1 and 1"),
        (lambda x: nearest_deviation(x, x, 5, ddof=2), "must have ddof 0 or 1"),
        (lambda x: nearest_binary_deviation(x, x, 0, ddof=0), "more cases than that"),
        (lambda x: admissible_totals([x], 0, 5), "must be at least 1, found 0"),
    ],
)
def test_refused(call, rule):
    with pytest.raises(ValueError, match=rule):
        call(read_number("0.50"))

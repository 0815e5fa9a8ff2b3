from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.printed.rounding import (
    Comparator,
    PrintedNumber,
    Rounding,
    Unit,
    magnitude,
    read_number,
)

VALUES = st.fractions(min_value=-5000, max_value=5000, max_denominator=4000)
DECIMALS = st.integers(min_value=0, max_value=5)
NEAREST = [rule for rule in Rounding if rule is not Rounding.TRUNCATION]


def rounded(value: Fraction, rule: Rounding) -> int:
    """Return a value rounded to a whole number, written apart from the code under test."""
    size, sign = abs(value), -1 if value < 0 else 1
    whole = {
        Rounding.HALF_UP: math.floor(size + Fraction(1, 2)),
        Rounding.HALF_DOWN: math.ceil(size - Fraction(1, 2)),
        Rounding.HALF_EVEN: round(size),
        Rounding.TRUNCATION: math.floor(size),
    }[rule]
    return sign * whole


def printed(value: Fraction, decimals: int, rule: Rounding) -> str:
    whole = rounded(value * 10**decimals, rule)
    digits = f"{abs(whole):0{decimals + 1}d}"
    sign = "-" if whole < 0 else ""
    return sign + (f"{digits[:-decimals]}.{digits[-decimals:]}" if decimals else digits)


@given(VALUES, DECIMALS, st.sampled_from(Rounding))
def test_a_value_lies_in_the_span_of_what_it_prints_as(value, decimals, rule):
    number = read_number(printed(value, decimals, rule))
    assert number.span(rule).meets(value)
    assert rule in number.rules(value)


@given(VALUES, VALUES, DECIMALS, st.sampled_from(Rounding))
def test_a_value_lies_in_no_other_span(value, other, decimals, rule):
    text, other_text = printed(value, decimals, rule), printed(other, decimals, rule)
    assert read_number(other_text).span(rule).meets(value) == (text == other_text)


@given(st.integers(-4000, 4000), DECIMALS, st.sampled_from(NEAREST))
def test_ties_go_where_the_rule_sends_them(whole, decimals, rule):
    tie = Fraction(2 * whole + 1, 2 * 10**decimals)
    number = read_number(printed(tie, decimals, rule))
    assert number.span(rule).meets(tie)
    neighbour = PrintedNumber(
        "", Comparator.EQUAL, 2 * tie - number.value, number.step, number.unit
    )
    assert not neighbour.span(rule).meets(tie)


@pytest.mark.parametrize(
    ("text", "value", "step", "unit"),
    [
        ("86.6%", "0.866", "0.001", Unit.PERCENT),
        ("1,663", "1663", "1", Unit.NONE),
        ("-1.9pp", "-0.019", "0.001", Unit.POINTS),
        ("−0.95", "-0.95", "0.01", Unit.NONE),
        ("7.75×", "7.75", "0.01", Unit.TIMES),
        ("7.75x", "7.75", "0.01", Unit.TIMES),
        ("254 ELO", "254", "1", Unit.ELO),
        ("~671B", "671e9", "1e9", Unit.BILLION),
        ("1.20e-5", "0.000012", "1e-7", Unit.NONE),
        ("+32pp", "0.32", "0.01", Unit.POINTS),
        ("2.0", "2", "0.1", Unit.NONE),
        ("12,345,678.5", "12345678.5", "0.1", Unit.NONE),
        (".031", "0.031", "0.001", Unit.NONE),
        ("= −.31", "-0.31", "0.01", Unit.NONE),
        ("\N{EN DASH}0.95", "-0.95", "0.01", Unit.NONE),
        ("79.7\N{NO-BREAK SPACE}%", "0.797", "0.001", Unit.PERCENT),
    ],
)
def test_reading(text, value, step, unit):
    number = read_number(text)
    assert (number.value, number.step, number.unit) == (Fraction(value), Fraction(step), unit)
    assert number.comparator is Comparator.EQUAL


@pytest.mark.parametrize(
    ("text", "comparator"),
    [
        ("<0.0001", Comparator.LESS),
        ("< .001", Comparator.LESS),
        ("> 99%", Comparator.GREATER),
        ("<=5", Comparator.AT_MOST),
        ("≥24", Comparator.AT_LEAST),
        (">=24", Comparator.AT_LEAST),
        ("= 3", Comparator.EQUAL),
    ],
)
def test_comparators(text, comparator):
    assert read_number(text).comparator is comparator


@pytest.mark.parametrize(
    "text",
    ["", "abc", "1,66", "1.2.3", "--3", "5 %%", "12,34", "١", "1e999", "inf", "nan", "5.", "."],
)
def test_what_is_no_printed_number(text):
    with pytest.raises(ValueError, match=r"must be a printed number such as") as caught:
        read_number(text)
    assert str(caught.value).endswith(f"found {text!r}")


@pytest.mark.parametrize(
    ("text", "count"),
    [("289", True), ("2,740", True), ("19%", False), ("2.0", False), ("<5", False), ("1e3", False)],
)
def test_only_a_bare_whole_number_is_a_count(text, count):
    assert read_number(text).is_count is count


def test_rules_tell_truncation_from_rounding():
    assert read_number("145").rules(Fraction("145.65")) == (Rounding.TRUNCATION,)
    assert Rounding.HALF_UP in read_number("146").rules(Fraction("145.65"))


def test_one_tie_two_rules():
    tie = Fraction(1, 8)
    assert read_number("0.13").rules(tie) == (Rounding.HALF_UP,)
    assert set(read_number("0.12").rules(tie)) == {
        Rounding.HALF_EVEN,
        Rounding.HALF_DOWN,
        Rounding.TRUNCATION,
    }


def test_a_float_on_the_edge_is_given_its_own_rounding():
    # 1.005 as a float lies a hair below the tie.
    assert Rounding.HALF_UP in read_number("1.01").rules(1.005)
    assert read_number("1.01").rules(1.00499) == ()


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite_prints_as_nothing(value):
    assert read_number("0.0").rules(value) == ()


def test_slack_reaches_over_the_edge():
    assert read_number("5.0").rules(Fraction("5.1")) == ()
    assert read_number("5.0").rules(Fraction("5.1"), Fraction("0.06"))


@pytest.mark.parametrize(
    ("first", "second", "agree"),
    [
        ("254", "255.6", False),
        ("255", "255.6", True),  # truncated
        ("256", "255.6", True),
        ("53.3", "46.0", False),
        ("1.9", "1.85", True),
        ("87.2%", "0.872", True),
        ("-0.2", "0.2", False),
    ],
)
def test_agreement_of_two_printed_numbers(first, second, agree):
    one, other = read_number(first), read_number(second)
    assert one.agrees(other) is other.agrees(one) is agree


@given(VALUES, DECIMALS, DECIMALS, st.sampled_from(Rounding), st.sampled_from(Rounding))
def test_two_prints_of_one_value_agree(value, first, second, rule, other):
    one = read_number(printed(value, first, rule))
    assert one.agrees(read_number(printed(value, second, other)))


def test_magnitude():
    assert magnitude(Fraction(-2)) == 2
    assert magnitude(2.5) == 2.5

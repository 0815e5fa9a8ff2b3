from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.printed.formula import evaluate

TURNS = tuple(Fraction(t) for t in range(1, 17))


def test_the_multiplier_does_not_average_1():
    assert evaluate("mean((17 - t) / 8)", {"t": TURNS}) == Fraction(17, 16)
    assert evaluate("mean((17 - t) / 8.5)", {"t": TURNS}) == 1
    assert evaluate("(17 - t) / 8", {"t": Fraction(16)}) == Fraction(1, 8)


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("a * (-2 + 3 * (4 - 1) / 9)", Fraction(-4)),
        ("a ** 5 - 2 ** -1", Fraction(2047, 2)),
        ("max(a, 5) - min(3, a)", Fraction(2)),
        ("sum(a, 1)", Fraction(5)),
        ("abs(-a)", Fraction(4)),
        ("sqrt(a)", 2.0),
        ("ceil(log2(100 + a))", Fraction(7)),
        ("0.1 * a + 0.2 * a", Fraction(6, 5)),
    ],
)
def test_arithmetic(formula, value):
    assert evaluate(formula, {"a": Fraction(4)}) == value


@given(st.lists(st.fractions(), min_size=1, max_size=6), st.fractions())
def test_columns_meet_row_by_row(column, factor):
    found = evaluate("sum(a * b) - b * sum(a)", {"a": tuple(column), "b": factor})
    assert found == 0


@pytest.mark.parametrize(
    ("formula", "names", "rule"),
    [
        ("1 +", {}, "must be an arithmetic formula"),
        ("x", {}, "must not use the unknown name 'x'"),
        ("1", {"x": Fraction(1)}, "must use the name 'x'"),
        ("1 / 0", {}, "has no value"),
        ("2.5 ** 100000", {}, "has no value"),
        ("a", {"a": TURNS}, "must come to one number"),
        ("sum(a * b)", {"a": TURNS, "b": TURNS[:2]}, "must join columns of one length"),
        ("open(1)", {}, "must call one of"),
        ("sum()", {}, "must call one of"),
        ("sqrt(1, 2)", {}, "must call one of"),
        ("().__class__", {}, "must be plain arithmetic"),
        ("'a'", {}, "must be plain arithmetic"),
        ("True", {}, "must be plain arithmetic"),
        ("1 if 2 else 3", {}, "must be plain arithmetic"),
        ("[1][0]", {}, "must be plain arithmetic"),
        ("7 // 2", {}, "must be plain arithmetic"),
        ("sqrt(-1)", {}, "must not take the root"),
        ("log2(0)", {}, "must not take the logarithm"),
        ("(-8) ** 0.5", {}, "must not take a broken power"),
        ("mean(x=1)", {}, "must be plain arithmetic"),
    ],
)
def test_what_is_refused(formula, names, rule):
    with pytest.raises(ValueError, match=rule.replace("(", r"\(")):
        evaluate(formula, names)


def test_a_huge_power_is_not_tried_exactly():
    with pytest.raises(ValueError, match="has no value"):
        evaluate("9 ** 999999999", {})


@pytest.mark.parametrize(
    ("formula", "rule"),
    [
        ("((((9**64)**64)**64)**64)**64", "must not need numbers of more than 4,096 bits"),
        ("0x" + "f" * 1900, "must not need numbers of more than 4,096 bits"),
        ("1e999", "has no value"),
        ("9" * 5000, "must be a formula of at most 2,000 characters, found 5,000"),
    ],
)
def test_what_would_not_end_is_refused(formula, rule):
    with pytest.raises(ValueError, match=rule):
        evaluate(formula, {})


def test_a_sum_does_not_outgrow_its_bound():
    column = tuple(Fraction(1, 2**400 + 2 * n + 1) for n in range(50))
    with pytest.raises(ValueError, match="more than 4,096 bits"):
        evaluate("sum(a)", {"a": column})

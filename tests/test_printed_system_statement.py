"""Statements: which whole numbers a printed number allows."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.printed.counts import possible_counts
from audit.printed.rounding import read_number
from audit.printed.system.language import read_ratio, read_relation
from audit.printed.system.statement import Convention, Printed, Statement, System
from tests.systems import NAMES

NEAREST, CUT_OFF = Convention.NEAREST, Convention.TRUNCATED


def allowed(printed, states, convention=NEAREST, y=0, exact=False):
    """Return the x up to 100 that print so, with one y."""
    one = Printed(read_ratio(states, NAMES), read_number(printed), exact)
    points = [{"x": x, "y": y, "z": 0} for x in range(101)]
    return [p["x"] for p in points if all(i.holds(p) for i in one.inequalities(convention))]


@pytest.mark.parametrize(
    ("printed", "states", "nearest", "cut_off"),
    [
        ("30%", "x / 10", [3], [3]),
        ("12.5%", "x / 8", [1], [1]),
        ("13%", "x / 8", [1], []),
        ("12%", "x / 8", [1], [1]),
        ("38%", "x / 8", [3], []),
        ("0.66", "x / 3", [], [2]),
        ("0.67", "x / 3", [2], []),
        ("12%", "(x - 8) / 8", [9], [9]),
        ("-12%", "(x - 8) / 8", [7], [7]),
        ("-13%", "(x - 8) / 8", [7], []),
        ("0%", "(x - 50) / 150", [50], [49, 50, 51]),
        ("7", "x", [7], [7]),
        ("7", "x / 2", [13, 14, 15], [14, 15]),
        ("7.0", "x / (y + 2)", [14], [14]),
        ("<4", "x", [0, 1, 2, 3], [0, 1, 2, 3]),
        ("≤4", "x / 2", list(range(9)), list(range(9))),
        (">98", "x", [99, 100], [99, 100]),
        (">=98%", "x / 100", [98, 99, 100], [98, 99, 100]),
    ],
)
def test_what_prints_so(printed, states, nearest, cut_off):
    assert allowed(printed, states) == nearest
    assert allowed(printed, states, CUT_OFF) == cut_off


def test_an_exact_number_is_not_rounded():
    assert allowed("13%", "x / 8", exact=True) == []
    assert allowed("12.5%", "x / 8", exact=True) == [1]


def test_a_denominator_must_be_above_0():
    assert allowed("0%", "x / y") == []
    assert allowed("<5", "x / y") == []
    assert allowed("50%", "x / y", y=4) == [2]


@given(k=st.integers(0, 60), n=st.integers(1, 60), decimals=st.integers(0, 3))
def test_the_count_that_was_printed_is_among_those_allowed(k, n, decimals):
    shift = 10**decimals
    up = math.floor(Fraction(100 * k * shift, n) + Fraction(1, 2))
    text = f"{up / shift:.{decimals}f}%"
    found = allowed(text, f"x / {n}")
    assert k in found
    assert [x for x in found if x <= n] == list(possible_counts(read_number(text), n))
    down = math.floor(Fraction(100 * k * shift, n))
    assert k in allowed(f"{down / shift:.{decimals}f}%", f"x / {n}", CUT_OFF)


def test_a_system_must_name_each_statement_once_and_range_every_unknown():
    one = Statement("a", relations=read_relation("x = y", NAMES))
    with pytest.raises(ValueError, match="must not repeat the statement 'a'"):
        System({"x": (0, 1), "y": (0, 1)}, (one, one))
    with pytest.raises(ValueError, match="must give a range to 'y', of which a speaks"):
        System({"x": (0, 1)}, (one,))


def test_the_names_of_a_statement():
    printed = Printed(read_ratio("(x - z) / (y + z)", NAMES), read_number("1"))
    assert Statement("a", printed).names == ("x", "y", "z")
    assert Statement("b", relations=read_relation("z < x", NAMES)).names == ("x", "z")

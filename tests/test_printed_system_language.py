"""The language of claims files for unknown whole numbers."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.printed.system.forms import Form, Inequality, Ratio, constant
from audit.printed.system.language import Names, read_ratio, read_relation
from audit.printed.tables import read_table
from tests.systems import NAMES as XYZ
from tests.systems import lower_sums, sums

TABLES = {
    "t": read_table(
        """
Model | C   | C (I) | Games | Odd-name
GPT-5 | 3   | 4     | 1,005 | 1
A (b) | 5.5 | —     | 7     | 2
"""
    )
}
NAMES = Names({"wins": ("GPT-5", "A (b)"), "n": None, "sum": None}, TABLES)


def form(number=0, **much):
    names = {"a": "wins[GPT-5]", "b": "wins[A (b)]", "n": "n", "sum": "sum"}
    terms = {names[key]: Fraction(by) for key, by in much.items()}
    return Form(tuple(sorted(terms.items())), Fraction(number))


@pytest.mark.parametrize(
    ("text", "over", "under"),
    [
        ("n", form(n=1), form(1)),
        ("wins[GPT-5] / n", form(a=1), form(n=1)),
        ("sum(wins)/(2*n+1)", form(a=1, b=1), form(1, n=2)),
        ("sum(wins[A (b), GPT-5])", form(a=1, b=1), form(1)),
        ("sum(t.Games)", form(1012), form(1)),
        ("t.C (I)[GPT-5] - n", form(4, n=-1), form(1)),
        ("t.C[GPT-5]", form(3), form(1)),
        ("t.Odd-name[A (b)]−n", form(2, n=-1), form(1)),
        ("sum(2 * wins - t.Games)", form(-1012, a=2, b=2), form(1)),
        ("sum(wins[A (b), GPT-5] + t.Games * n)", form(a=1, b=1, n=1012), form(1)),
        ("sum(3 - (wins - 1))", form(8, a=-1, b=-1), form(1)),
        ("-n / -2", form(n=1), form(2)),
        ("0.5×n", form(n=Fraction(1, 2)), form(1)),
        ("n - n + 2 * 3", form(6), form(1)),
        ("sum", form(sum=1), form(1)),
        ("((n / (4)))", form(n=1), form(4)),
        ("2 * n / 3", form(n=2), form(3)),
    ],
)
def test_ratios(text, over, under):
    assert read_ratio(text, NAMES) == Ratio(over, under)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("wins", "must come to one number, not one a row, found 'wins'"),
        ("wins / 2", "must divide one number by one, not one a row, found 'wins / 2'"),
        ("lost / n", "must name an unknown (known: wins, n, sum), found 'lost'"),
        ("n * n", "must multiply by a number, not by an unknown, found 'n * n'"),
        ("n / n / 2", "must divide once only, at the top, found 'n / n / 2'"),
        ("2 + n / 2", "must divide once only, at the top, found '2 + n / 2'"),
        ("2 * (n / 3)", "must divide once only, at the top, found '2 * (n / 3)'"),
        ("-(n / 3)", "must divide once only, at the top, found '-(n / 3)'"),
        ("n / 0", "must not divide by 0, found 'n / 0'"),
        ("n / (n - n)", "must not divide by 0, found 'n / (n - n)'"),
        ("sum(n)", "must add up a column, found 'sum(n)'"),
        ("wins[B]", "must name rows that are there, found 'B' in 'wins[B]'"),
        ("t.Games[B]", "must name rows that are there, found 'B' in 't.Games[B]'"),
        ("n[B]", "must not pick rows of a single number, found 'n[B]'"),
        ("t.Lost[B] + n", "must name a column of t (C, C (I), Games, Odd-name), found 't.Lost'"),
        ("u.Games", "must name a printed table, found 'u'"),
        ("sum(t.C)", "must name whole numbers, found '5.5' in the row 'A (b)'"),
        ("sum(t.C (I))", "must be a printed number such as"),
        ("sum(wins * wins)", "must multiply by a number, not by an unknown, found 'wins * wins'"),
        ("(n", "must be an expression, found the end in '(n'"),
        ("n n", "must be an expression, found 'n' in 'n n'"),
        ("n +", "must be an expression, found the end in 'n +'"),
        ("", "must be an expression, found the end in ''"),
        ("1,663", "must be names, numbers, + - * / and brackets, found ',' in '1,663'"),
        ("n ** 2", "must be an expression, found '*' in 'n ** 2'"),
        ("__import__('os')", 'must be names, numbers, + - * / and brackets, found "\'"'),
        ("n = 3", "must be an expression, found '=' in 'n = 3'"),
        ("(" * 5000 + "n" + ")" * 5000, "must not nest brackets so deeply"),
    ],
)
def test_faults_of_ratios(text, fault):
    with pytest.raises(ValueError, match="must") as caught:
        read_ratio(text, NAMES)
    assert fault in str(caught.value)


def test_columns_must_have_the_same_rows():
    names = Names({"a": ("x", "y"), "b": ("x", "z")}, {})
    with pytest.raises(ValueError, match="must join columns with the same rows, found 'a \\+ b'"):
        read_ratio("sum(a + b)", names)


def test_without_unknowns():
    with pytest.raises(ValueError, match=r"known: none"):
        read_ratio("n", Names({}, {}))


@pytest.mark.parametrize(
    ("text", "inequalities"),
    [
        ("n <= 3", [({"n": 1}, 3)]),
        ("n ≥ 3", [({"n": -1}, -3)]),
        ("2 * n < 7", [({"n": 1}, 3)]),
        ("2 * n > 7", [({"n": -1}, -4)]),
        ("4 < n", [({"n": -1}, -5)]),
        ("2 * n = 7", [({"n": 1}, 3), ({"n": -1}, -4)]),
        ("0.5 * n <= 1.25", [({"n": 1}, 2)]),
        ("wins <= n", [({"n": -1, "wins[GPT-5]": 1}, 0), ({"n": -1, "wins[A (b)]": 1}, 0)]),
        ("wins <= t.Games", [({"wins[GPT-5]": 1}, 1005), ({"wins[A (b)]": 1}, 7)]),
        ("sum(wins) < 4", [({"wins[A (b)]": 1, "wins[GPT-5]": 1}, 3)]),
        ("3 = 4", [({}, 1), ({}, -1)]),
    ],
)
def test_relations(text, inequalities):
    expected = tuple(Inequality(tuple(terms.items()), most) for terms, most in inequalities)
    assert read_relation(text, NAMES) == expected


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("n", "must join two expressions by = <= >= < or >, found 'n'"),
        ("n + 1 1", "must join two expressions by = <= >= < or >, found 'n + 1 1'"),
        ("n = n / 2", "must not divide in a relation, found 'n = n / 2'"),
        ("1 < n < 3", "must be an expression, found '<' in '1 < n < 3'"),
        ("n <", "must be an expression, found the end in 'n <'"),
    ],
)
def test_faults_of_relations(text, fault):
    with pytest.raises(ValueError, match="must") as caught:
        read_relation(text, NAMES)
    assert fault in str(caught.value)


points = st.fixed_dictionaries({name: st.integers(0, 9) for name in "xyz"})


@given(over=sums(-3), under=lower_sums(-2), point=points)
def test_an_expression_comes_to_what_it_says(over, under, point):
    ratio = read_ratio(f"{over.text()} / {under.text()}", XYZ)
    assert (ratio.numerator.at(point), ratio.denominator.at(point)) == (
        over.at(point),
        under.at(point),
    )
    known = {"x": point["x"]}
    assert ratio.given(known).numerator.at(point) == over.at(point)
    assert "x" not in ratio.given(known).names


@given(left=sums(-3), right=sums(-3), sign=st.sampled_from(["=", "<=", ">=", "<", ">"]), at=points)
def test_a_relation_holds_where_it_says_so(left, right, sign, at):
    found = read_relation(f"{left.text()} {sign} {right.text()}", XYZ)
    value = left.at(at) - right.at(at)
    holds = {"=": value == 0, "<=": value <= 0, ">=": value >= 0, "<": value < 0, ">": value > 0}
    assert all(one.holds(at) for one in found) == holds[sign]
    assert all(one.denied().holds(at) != one.holds(at) for one in found)


def test_forms_add_up():
    one = form(2, n=1) + form(1, n=-1)
    assert one == constant(3)
    assert (form(n=1) - form(n=1)).terms == ()

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from audit.printed.inputs import Shape, read_input, rounded_readings, values_of
from audit.printed.tables import Cell, look_up, names_one_cell, read_table

TABLES = {
    "t": read_table(
        """
        Model | C (I)  | Rate | Games | Size
        A-1.5 | 1384.8 | 28%  | 1,000 | ~671B
        B     | 1290.0 | 12%  | 25    | unknown
        """
    )
}


def test_cells():
    assert look_up("t.C (I)", TABLES) == (Cell("A-1.5", "1384.8"), Cell("B", "1290.0"))
    assert look_up("t.Rate[B, A-1.5]", TABLES) == (Cell("B", "12%"), Cell("A-1.5", "28%"))
    assert names_one_cell("t.Rate[B]")
    assert not names_one_cell("t.Rate[B, A-1.5]")
    assert not names_one_cell("t.Rate")


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("a | b", "must hold a line of column names and at least one row"),
        ("a | b\nc", "must have 2 cells in the row 'c'"),
        ("a | b | b\nc | 1 | 2", "must not repeat or leave blank the column name 'b'"),
        ("a | \nc | 1", "must not repeat or leave blank the column name ''"),
        ("a | b\nc | 1\nc | 2", "must not repeat or leave blank the row name 'c'"),
        ("a | b.c\nd | 1", r"must not use \. \[ \] in the column name 'b\.c'"),
        ("a | b\nc, d | 1", "must not use , .* in the row name 'c, d'"),
    ],
)
def test_broken_tables(text, rule):
    with pytest.raises(ValueError, match=rule):
        read_table(text)


@pytest.mark.parametrize(
    ("reference", "rule"),
    [
        ("nothing", "must be a number or a reference"),
        ("u.Rate", "must name a printed table, found 'u'"),
        ("t.rate", r"must name a column of t \(C \(I\), Rate, Games, Size\)"),
        ("t.Rate[C]", "must name rows of t, found 'C'"),
        ("t.Rate[B", "must be a number or a reference"),
    ],
)
def test_broken_references(reference, rule):
    with pytest.raises(ValueError, match=rule):
        look_up(reference, TABLES)


def read(shape, raw):
    return values_of(read_input(shape, raw, TABLES))


def test_shapes():
    assert read(Shape.NUMBER, "t.Rate[B]") == Fraction(12, 100)
    assert read(Shape.NUMBER, 0.7) == Fraction(7, 10)
    assert read(Shape.NUMBERS, "t.Rate") == (Fraction(28, 100), Fraction(12, 100))
    assert read(Shape.NUMBERS, [1, "2.5", "t.Games"]) == (1, Fraction(5, 2), 1000, 25)
    assert read(Shape.COUNT, ["t.Games[A-1.5]", {"percent": "12%", "n": 25}]) == 1003
    assert read(Shape.COLUMNS, ["t.C (I)", "t.Rate"])[1] == (Fraction(28, 100), Fraction(12, 100))
    assert read(Shape.COLUMNS, "t.Games") == ((1000, 25),)
    assert read(Shape.COLUMNS, [1, 2]) == ((1, 2),)
    assert read(Shape.ANY, 3) == 3
    assert read(Shape.ANY, [3]) == (3,)
    assert read(Shape.NAMED, "t.Games") == (("A-1.5", 1000), ("B", 25))
    assert read(Shape.TEXT, "t.Rate") == "t.Rate"
    assert [n.text for n in read(Shape.PRINTED, ["t.Rate", "9.5"])] == ["28%", "12%", "9.5"]


def test_slack_is_half_a_unit_of_what_is_rounded():
    readings = rounded_readings(read_input(Shape.NUMBERS, ["t.C (I)", "t.Games", 2.5], TABLES))
    assert [reading.slack for reading in readings] == [Fraction(1, 20)] * 2
    counted = read_input(Shape.NUMBERS, {"percent": "28%", "n": 25}, TABLES)
    assert rounded_readings(counted) == ()


def test_one_reading_moves_alone():
    tree = read_input(Shape.NUMBERS, ["2.5", "2.5"], TABLES)
    assert values_of(tree, {tree[1]: Fraction(1)}) == (Fraction(5, 2), Fraction(7, 2))


@pytest.mark.parametrize(
    ("shape", "raw", "rule"),
    [
        (Shape.NUMBER, "t.Rate", "must be one number, found 2"),
        (Shape.NUMBER, True, "must be a number in quotes"),
        (Shape.NUMBER, "t.Size[B]", r"must be a printed number .*, found 'unknown' in the row 'B'"),
        (Shape.NUMBER, math.nan, "must be a finite number, found nan"),
        (Shape.NUMBERS, [-math.inf], "must be a finite number, found -inf"),
        (Shape.NUMBER, "<5", "must be a number, not a bound, found '<5'"),
        (Shape.NUMBERS, {"percent": "28%"}, r"must be a number, .* or {percent, n}"),
        (Shape.NUMBERS, {"percent": "28%", "n": [1, 2]}, "must have one n for each of 1 shares"),
        (Shape.NUMBERS, {"percent": "28%", "n": 2.5}, "must be a whole number of at least 0"),
        (Shape.NUMBERS, {"percent": "28%", "n": 24}, "whole number out of 24; none prints 28%"),
        (Shape.NUMBERS, {"percent": "t.Rate", "n": 1000}, "275 to 285 all print 28%"),
        (Shape.COUNT, "2.5", "must be a whole number of at least 0, found 2.5"),
        (Shape.COUNT, -1, "must be a whole number of at least 0, found -1"),
        (Shape.PRINTED, 12, "must be a number in quotes, as printed"),
        (Shape.NAMED, [1], "must be a reference to a column"),
        (Shape.TEXT, 1, "must be text, found 1"),
    ],
)
def test_inputs_refused(shape, raw, rule):
    with pytest.raises(ValueError, match=rule):
        read_input(shape, raw, TABLES)

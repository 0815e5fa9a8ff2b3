"""What a recomputation starts from: literals, references into printed tables, counts behind shares.

Every number read from print carries a slack, half a unit of its last printed digit, so that a
recomputation can say how far the rounding of its inputs reaches. A bare whole number is a count
and carries none; so does a number that the claims file writes without quotes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from .counts import count_from_percent
from .rounding import Comparator, PrintedNumber, read_number
from .tables import Table, is_reference, look_up, names_one_cell

Tables = Mapping[str, Table]
_PERCENT_KEYS = {"percent", "n"}


class Shape(StrEnum):
    """What a method wants of one input."""

    NUMBER = "a number"
    NUMBERS = "a list of numbers"
    COUNT = "a count, or a list of counts to add up"
    COLUMNS = "a column, or a list of columns"
    PRINTED = "a list of printed numbers"
    ANY = "a number or a list of numbers"
    NAMED = "a column with the names of its rows"
    TEXT = "text"


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """A number that went in; two readings are the same only if they are one object.

    Attributes
    ----------
    value : Fraction
    slack : Fraction
        How far the number before rounding may lie from the value; 0 if it is exact.
    """

    value: Fraction
    slack: Fraction


Moves = Mapping[Reading, Fraction]  # how far a reading is taken from its value
STILL: Moves = MappingProxyType({})
Input = Any  # Reading, PrintedNumber, str, or a tuple of these, to any depth


def read_input(shape: Shape, raw: object, tables: Tables) -> Input:
    """Return one input of a recomputation in the shape that its method wants.

    Parameters
    ----------
    shape : Shape
    raw : object
        A number, a string (a literal or a reference), a list of these, or ``{percent, n}`` for the
        whole number behind a share.
    tables : mapping
        The printed tables by name.

    Raises
    ------
    ValueError
        If the raw value does not give that shape.
    """
    return _READERS[shape](raw, tables)


def values_of(tree: Input, moves: Moves = STILL) -> Any:
    """Return an input with every reading replaced by its value, some of them moved."""
    if isinstance(tree, Reading):
        return tree.value + moves[tree] if tree in moves else tree.value
    if isinstance(tree, tuple):
        return tuple(values_of(part, moves) for part in tree)
    return tree


def rounded_readings(tree: Input) -> tuple[Reading, ...]:
    """Return the readings of an input that are not exact."""
    if isinstance(tree, Reading):
        return (tree,) if tree.slack else ()
    if isinstance(tree, tuple):
        return tuple(reading for part in tree for reading in rounded_readings(part))
    return ()


def _printed(raw: object, tables: Tables) -> tuple[PrintedNumber, ...]:
    if isinstance(raw, list):
        return tuple(number for part in raw for number in _printed(part, tables))
    if not isinstance(raw, str):
        raise ValueError(f"must be a number in quotes, as printed, or a reference, found {raw!r}")
    if is_reference(raw):
        cells = [(cell.text, f" in the row {cell.row!r}") for cell in look_up(raw, tables)]
    else:
        cells = [(raw, "")]
    return tuple(_equality(text, where) for text, where in cells)


def _equality(text: str, where: str) -> PrintedNumber:
    try:
        number = read_number(text)
    except ValueError as fault:
        raise ValueError(f"{fault}{where}") from None
    if number.comparator is not Comparator.EQUAL:
        raise ValueError(f"must be a number, not a bound, found {text!r}{where}")
    return number


def _numbers(raw: object, tables: Tables) -> tuple[Reading, ...]:
    if isinstance(raw, dict):
        return _counts_behind(raw, tables)
    if isinstance(raw, list):
        return tuple(reading for part in raw for reading in _numbers(part, tables))
    if isinstance(raw, int | float) and not isinstance(raw, bool):
        if not math.isfinite(raw):
            raise ValueError(f"must be a finite number, found {raw!r}")
        return (Reading(Fraction(str(raw)), Fraction(0)),)
    return tuple(
        Reading(number.value, Fraction(0) if number.is_count else number.step / 2)
        for number in _printed(raw, tables)
    )


def _counts_behind(raw: Mapping[str, object], tables: Tables) -> tuple[Reading, ...]:
    if set(raw) != _PERCENT_KEYS:
        raise ValueError("must be a number, a reference, a list, or {percent, n}")
    percents = _printed(raw["percent"], tables)
    totals = [_whole(total) for total in _numbers(raw["n"], tables)]
    if len(totals) == 1:
        totals *= len(percents)
    if len(totals) != len(percents):
        raise ValueError(f"must have one n for each of {len(percents)} shares, found {len(totals)}")
    return tuple(
        Reading(Fraction(count_from_percent(percent, total)), Fraction(0))
        for percent, total in zip(percents, totals, strict=True)
    )


def _whole(reading: Reading) -> int:
    if reading.slack or reading.value.denominator != 1 or reading.value < 0:
        raise ValueError(f"must be a whole number of at least 0, found {float(reading.value)}")
    return int(reading.value)


def _number(raw: object, tables: Tables) -> Reading:
    numbers = _numbers(raw, tables)
    if len(numbers) != 1:
        raise ValueError(f"must be one number, found {len(numbers)}")
    return numbers[0]


def _count(raw: object, tables: Tables) -> Reading:
    total = sum(_whole(reading) for reading in _numbers(raw, tables))
    return Reading(Fraction(total), Fraction(0))


def _columns(raw: object, tables: Tables) -> tuple[tuple[Reading, ...], ...]:
    if isinstance(raw, list) and all(_is_column(part) for part in raw):
        return tuple(_numbers(column, tables) for column in raw)
    return (_numbers(raw, tables),)


def _is_column(part: object) -> bool:
    """Return whether a part of a list is a column of its own rather than a number of one."""
    reference = isinstance(part, str) and is_reference(part) and not names_one_cell(part)
    return reference or isinstance(part, list)


def _any(raw: object, tables: Tables) -> Input:
    readings = _numbers(raw, tables)
    single = len(readings) == 1 and not isinstance(raw, list)
    return readings[0] if single else readings


def _named(raw: object, tables: Tables) -> tuple[tuple[str, Reading], ...]:
    if not isinstance(raw, str):
        raise ValueError(f"must be a reference to a column, found {raw!r}")
    names = [cell.row for cell in look_up(raw, tables)]
    return tuple(zip(names, _numbers(raw, tables), strict=True))


def _text(raw: object, _: Tables) -> str:
    if not isinstance(raw, str):
        raise ValueError(f"must be text, found {raw!r}")
    return raw


_READERS: dict[Shape, Any] = {
    Shape.NUMBER: _number,
    Shape.NUMBERS: _numbers,
    Shape.COUNT: _count,
    Shape.COLUMNS: _columns,
    Shape.PRINTED: _printed,
    Shape.ANY: _any,
    Shape.NAMED: _named,
    Shape.TEXT: _text,
}

"""What the parts of an expression stand for, and how they are joined, row by row where need be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from audit.printed.rounding import read_number
from audit.printed.tables import Cell, Table

from .forms import Form, Ratio, constant, unknown
from .scan import Token

Rows = dict[str, Form]
Linear = Form | Rows
Value = Linear | Ratio


@dataclass(frozen=True, slots=True)
class Names:
    """What an expression may speak of.

    Attributes
    ----------
    unknown : mapping
        Name to the rows that it has one whole number for, or to None for a single one.
    tables : mapping
        Name to printed table.
    """

    unknown: Mapping[str, tuple[str, ...] | None]
    tables: Mapping[str, Table]


def cell_name(name: str, row: str) -> str:
    """Return the name of the unknown of one row."""
    return f"{name}[{row}]"


def linear(value: Value, text: str) -> Linear:
    """Return a value that is not divided; ``text`` shows where it stands.

    Raises
    ------
    ValueError
        If it is a ratio.
    """
    if isinstance(value, Ratio):
        raise ValueError(f"must divide once only, at the top, found {text!r}")
    return value


def by_row(join: Callable[[Form, Form], Form], left: Linear, right: Linear, text: str) -> Linear:
    """Return two values joined, row by row where either of them has rows.

    Raises
    ------
    ValueError
        If both have rows, but not the same.
    """
    if isinstance(left, Form):
        if isinstance(right, Form):
            return join(left, right)
        return {row: join(left, one) for row, one in right.items()}
    if isinstance(right, Form):
        return {row: join(one, right) for row, one in left.items()}
    if left.keys() != right.keys():
        raise ValueError(f"must join columns with the same rows, found {text!r}")
    return {row: join(one, right[row]) for row, one in left.items()}


def times(left: Linear, right: Linear, text: str) -> Linear:
    """Return a product, one side of which must be a number.

    Raises
    ------
    ValueError
        If both sides hold unknowns, or their rows differ.
    """

    def join(one: Form, other: Form) -> Form:
        if one.terms and other.terms:
            raise ValueError(f"must multiply by a number, not by an unknown, found {text!r}")
        return one.times(other.constant) if one.terms else other.times(one.constant)

    return by_row(join, left, right, text)


def over(left: Linear, right: Linear, text: str) -> Ratio:
    """Return one number over another, the sign kept above.

    Raises
    ------
    ValueError
        If one of them has rows, or the lower is 0.
    """
    if isinstance(left, dict) or isinstance(right, dict):
        raise ValueError(f"must divide one number by one, not one a row, found {text!r}")
    if right.terms or right.constant > 0:
        return Ratio(left, right)
    if right.constant == 0:
        raise ValueError(f"must not divide by 0, found {text!r}")
    return Ratio(left.times(Fraction(-1)), right.times(Fraction(-1)))


def total(value: Value, text: str) -> Form:
    """Return the rows added up.

    Raises
    ------
    ValueError
        If there are none.
    """
    if not isinstance(value, dict):
        raise ValueError(f"must add up a column, found {text!r}")
    return sum(value.values(), constant(0))


def named(token: Token, names: Names) -> Form | Rows:
    """Return the unknowns, or the printed whole numbers, that a name stands for.

    Raises
    ------
    ValueError
        If the name or a row of it is not there, or a printed cell is no whole number.
    """
    if token.column:
        cells = names.tables[token.name].columns[token.column]
        return _picked(token, {row: partial(_count, cell) for row, cell in cells.items()})
    if token.name not in names.unknown:
        listed = ", ".join(names.unknown) or "none"
        raise ValueError(f"must name an unknown (known: {listed}), found {token.name!r}")
    rows = names.unknown[token.name]
    if rows is None:
        if token.rows is not None:
            raise ValueError(f"must not pick rows of a single number, found {token.text!r}")
        return unknown(token.name)
    return _picked(token, {row: partial(unknown, cell_name(token.name, row)) for row in rows})


def _picked(token: Token, forms: Mapping[str, Callable[[], Form]]) -> Form | Rows:
    """Return the form of the one row that a name picks, or those of several rows."""
    wanted = tuple(forms) if token.rows is None else token.rows
    for row in wanted:
        if row not in forms:
            raise ValueError(f"must name rows that are there, found {row!r} in {token.text!r}")
    found = {row: forms[row]() for row in wanted}
    return found[wanted[0]] if token.rows is not None and len(wanted) == 1 else found


def _count(cell: Cell) -> Form:
    number = read_number(cell.text)
    if not number.is_count:
        raise ValueError(f"must name whole numbers, found {cell.text!r} in the row {cell.row!r}")
    return constant(number.value)

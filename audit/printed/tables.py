"""Printed tables, pasted as text, and references into them.

A table is a block of lines whose cells are parted by ``|``; the first line names the columns and
the first cell of a line names its row. A reference is ``table.column`` for a column, or
``table.column[row]`` for a cell, or ``table.column[row, row]`` for some cells in that order.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_REFERENCE = re.compile(
    r"(?P<table>[A-Za-z]\w*)\.(?P<column>[^.\[\]]+?)(?:\[(?P<rows>[^\[\]]+)\])?"
)

_PERCENT = re.compile(r"[<>≤≥=≈~]?\s*(\d+(?:\.\d+)?)\s*%")


@dataclass(frozen=True, slots=True)
class Cell:
    """A printed cell: the name of its row and its text."""

    row: str
    text: str


@dataclass(frozen=True, slots=True)
class Table:
    """A printed table.

    Attributes
    ----------
    columns : dict
        Column name to its cells, by row name, in printed order.
    """

    columns: dict[str, dict[str, Cell]]


def read_table(text: str) -> Table:
    """Return a table from its pasted text.

    Raises
    ------
    ValueError
        If there is no row, a line has not as many cells as the first, a name is blank, repeated or
        holds a character that references need.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) < 2:
        raise ValueError("must hold a line of column names and at least one row")
    rows = [[cell.strip() for cell in line.split("|")] for line in lines]
    header = rows[0]
    for row in rows[1:]:
        if len(row) != len(header):
            raise ValueError(f"must have {len(header)} cells in the row {row[0]!r}")
    names = [row[0] for row in rows[1:]]
    _check_names("column", header[1:], ".[]")
    _check_names("row", names, ",[]<>")
    return Table(
        {
            column: {row[0]: Cell(row[0], row[place]) for row in rows[1:]}
            for place, column in enumerate(header)
            if place
        }
    )


def _check_names(what: str, names: list[str], reserved: str) -> None:
    for name in names:
        if not name or names.count(name) > 1:
            raise ValueError(f"must not repeat or leave blank the {what} name {name!r}")
        if set(name) & set(reserved):
            raise ValueError(f"must not use {' '.join(reserved)} in the {what} name {name!r}")


def shares_over_one(table: Table) -> list[str]:
    """Return the cells that print a percentage over 100, which no share of a whole can be."""
    texts = [cell.text for cells in table.columns.values() for cell in cells.values()]
    return [text for text in texts if (found := _PERCENT.fullmatch(text)) and float(found[1]) > 100]


def is_reference(text: str) -> bool:
    """Return whether a string has the shape of a reference."""
    return _REFERENCE.fullmatch(text.strip()) is not None


def look_up(reference: str, tables: Mapping[str, Table]) -> tuple[Cell, ...]:
    """Return the cells that a reference names, at least one.

    Raises
    ------
    ValueError
        If the string is no reference, or the table, the column or a row is not there.
    """
    found = _REFERENCE.fullmatch(reference.strip())
    if found is None:
        raise ValueError("must be a number or a reference such as table_4.seeker[GPT-5]")
    if found["table"] not in tables:
        raise ValueError(f"must name a printed table, found {found['table']!r}")
    columns = tables[found["table"]].columns
    if found["column"] not in columns:
        raise ValueError(f"must name a column of {found['table']} ({', '.join(columns)})")
    cells = columns[found["column"]]
    if found["rows"] is None:
        return tuple(cells.values())
    wanted = [row.strip() for row in found["rows"].split(",")]
    for row in wanted:
        if row not in cells:
            raise ValueError(f"must name rows of {found['table']}, found {row!r}")
    return tuple(cells[row] for row in wanted)


def names_one_cell(reference: str) -> bool:
    """Return whether a reference names a single cell rather than a list of them."""
    found = _REFERENCE.fullmatch(reference.strip())
    return found is not None and found["rows"] is not None and "," not in found["rows"]

"""Claims made of a table's cells: one entry for a block of cells, not one a cell.

``{row}`` and ``{column}`` in any string of the entry stand for the cell's names, so that a
recomputation can refer to the same row of another column: ``table_4.V[{row}]``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import Field

from audit.printed.tables import Table
from games.records import Record

# What tables print where there is no number.
NOTHING = frozenset({"", "-", "\N{EN DASH}", "\N{EM DASH}", "n/a"})


class Cells(Record):
    """Claims of one shape, one for each cell of some columns of a printed table.

    Attributes
    ----------
    id : str
        Each claim's id is this, its row and, with several columns, its column, joined by ``_``.
    table : str
        Name of the printed table.
    columns : tuple of str
    rows : tuple of str
        Rows to take; all if empty. A cell without a number gives no claim.
    claim : mapping
        The claim's other keys, with ``{row}`` and ``{column}`` in their strings.
    """

    id: str
    table: str
    columns: Annotated[tuple[str, ...], Field(min_length=1)]
    rows: tuple[str, ...] = ()
    claim: dict[str, Any]

    def expanded(self, tables: dict[str, Table]) -> Iterator[dict[str, Any]]:
        """Yield one claim's keys a cell, in the order of the table.

        Raises
        ------
        ValueError
            If the table, a column or a row is not there, the entry sets what a cell sets, or two
            cells would be called by one id.
        """
        if self.table not in tables:
            raise ValueError(f"must name a printed table, found {self.table!r}")
        set_twice = sorted({"id", "printed", "cell"} & self.claim.keys())
        if set_twice:
            raise ValueError(f"must not set {set_twice[0]!r}, which comes from the cell")
        columns = tables[self.table].columns
        cell_of: dict[str, str] = {}
        for column in self.columns:
            if column not in columns:
                raise ValueError(f"must name columns of {self.table}, found {column!r}")
            cells = columns[column]
            for row in self.rows or cells:
                if row not in cells:
                    raise ValueError(f"must name rows of {self.table}, found {row!r}")
                if cells[row].text in NOTHING:
                    continue
                keys = self._claim(row, column, cells[row].text)
                first = cell_of.setdefault(keys["id"], keys["cell"])
                if first != keys["cell"]:
                    rule = "must not call two cells by one id: rename a row or column"
                    raise ValueError(f"{rule}, found {first} and {keys['cell']}")
                yield keys

    def _claim(self, row: str, column: str, text: str) -> dict[str, Any]:
        parts = [self.id, slug(row)] + ([slug(column)] if len(self.columns) > 1 else [])
        filled = _filled(self.claim, {"row": row, "column": column})
        cell = f"{self.table}.{column}[{row}]"
        return {**filled, "id": "_".join(parts), "printed": text, "cell": cell}


def slug(name: str) -> str:
    """Return a name as part of an id: small letters of any script and digits, joined by "_"."""
    plain = unicodedata.normalize("NFKC", name).lower()
    return re.sub(r"[\W_]+", "_", plain).strip("_") or "x"


def _filled(value: Any, names: dict[str, str]) -> Any:
    """Return a tree with the placeholders of its strings replaced, once and in one pass."""
    if isinstance(value, str):
        return re.sub(r"\{(row|column)\}", lambda found: names[found[1]], value)
    if isinstance(value, dict):
        return {key: _filled(inner, names) for key, inner in value.items()}
    if isinstance(value, list):
        return [_filled(inner, names) for inner in value]
    return value

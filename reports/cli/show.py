"""Tables on a terminal, and JSON where a program reads."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from typing import Any

SHORT = 20


def print_table(columns: Sequence[str], rows: Iterable[Sequence[Any]], title: str = "") -> None:
    """Print rows under their columns, as wide as the terminal allows."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title or None, title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    texts = [[cell_text(cell) for cell in row] for row in rows]
    for seat, column in enumerate(columns):
        # The first column names the row and short cells are numbers: neither is broken, unless it
        # is the last, which gives way.
        widest = max((len(row[seat]) for row in texts), default=0)
        whole = seat == 0 or (widest <= SHORT and seat < len(columns) - 1)
        table.add_column(column, overflow="fold", no_wrap=whole)
    for row in texts:
        table.add_row(*(Text(cell) for cell in row))
    Console().print(table)


def print_json(payload: Any) -> None:
    """Print a payload as JSON; what is not a number is null."""
    print(json.dumps(_plain(payload), indent=1, ensure_ascii=False))


def cell_text(cell: Any) -> str:
    """Return a cell as a person reads it: four significant digits, a dash for nothing."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return "–"
    if isinstance(cell, float):
        return f"{cell:.4g}"
    return str(cell)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value

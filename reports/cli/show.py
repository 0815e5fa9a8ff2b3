"""Tables on a terminal, and JSON where a program reads."""

from __future__ import annotations

import json
import math
import shutil
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

SHORT = 20

# Prose in a column narrower than this is hard to read.
_PROSE = 12

# No sentence is wrapped to less than this.
_NARROWEST = 40

# A column is padded by one and set off by one; so is the edge of all.
_PAD, _EDGE = 1, 1


def print_table(columns: Sequence[str], rows: Iterable[Sequence[Any]], title: str = "") -> None:
    """Print rows under their columns, or one under another where the terminal is too narrow.

    No cell is cropped and no word is broken: a table that cannot be narrow enough for that is
    printed as each row's name with a line ``column: value`` for every other cell.

    Parameters
    ----------
    columns : sequence of str
    rows : iterable of sequences
        As many cells in each as there are columns; the first names the row.
    title : str, optional
        A line above; text, not markup.
    """
    from rich.console import Console
    from rich.text import Text

    heads = [cell_text(column) for column in columns]
    texts = [[cell_text(cell) for cell in row] for row in rows]
    console = Console()
    if title:
        console.print(Text(cell_text(title), style="italic"), soft_wrap=True)
    widths = _widths(heads, texts, console.width)
    if widths is not None:
        console.print(_table(heads, texts, widths))
        return
    for name, *others in texts:
        console.print(Text(name), soft_wrap=True)
        for head, text in zip(heads[1:], others, strict=True):
            console.print(Text(f"    {head}: {text}"), soft_wrap=True)


def _table(heads: Sequence[str], texts: Sequence[Sequence[str]], widths: Sequence[int]) -> Any:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, padding=(0, _PAD, 0, 0))
    for head, width in zip(heads, widths, strict=True):
        table.add_column(Text(head), width=width, overflow="fold")
    for row in texts:
        table.add_row(*map(Text, row))
    return table


def _widths(
    heads: Sequence[str], texts: Sequence[Sequence[str]], room: int
) -> tuple[int, ...] | None:
    """Return the widths of columns in so many characters; None where there is no room for them.

    The first column names the row and short cells are numbers: these stay on one line. Longer
    ones are prose and may go on below, though never within a word.
    """
    from rich.cells import cell_len

    natural, least = [], []
    for seat, cells in enumerate(zip(heads, *texts, strict=True)):
        widest = max(map(cell_len, cells))
        word = max((cell_len(word) for cell in cells for word in cell.split()), default=0)
        natural.append(widest)
        least.append(widest if seat == 0 or widest <= SHORT else max(word, _PROSE))
    spare = room - _EDGE - sum(width + _PAD + _EDGE for width in least)
    return None if spare < 0 else _shared(least, natural, spare)


def _shared(least: Sequence[int], natural: Sequence[int], spare: int) -> tuple[int, ...]:
    """Return widths with the spare room given to those who lack some, as evenly as can be."""
    wants = [full - low for low, full in zip(least, natural, strict=True)]
    levels = range(min(spare, max(wants)) + 1)
    level = max(level for level in levels if sum(min(want, level) for want in wants) <= spare)
    return tuple(min(full, low + level) for low, full in zip(least, natural, strict=True))


def print_wrapped(line: str) -> None:
    """Print a sentence within the terminal's width, with nothing in it that a terminal obeys."""
    width = max(shutil.get_terminal_size().columns, _NARROWEST)
    print(textwrap.fill(cell_text(line), width, subsequent_indent="  ", break_on_hyphens=False))


def print_json(payload: Any) -> None:
    """Print a payload as JSON in ASCII, which no terminal alters; what is not a number is null."""
    print(json.dumps(_plain(payload), indent=1))


def json_line(payload: Any) -> str:
    """Return a payload as one line of JSON in ASCII; what is not a number is null."""
    return json.dumps(_plain(payload), sort_keys=True)


def cell_text(cell: Any) -> str:
    """Return a cell as a person reads it: four significant digits, a dash for nothing.

    Characters that a terminal would act on, or hide, are shown as their escapes.
    """
    from reports.derivation import visible

    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return "–"
    if isinstance(cell, float):
        return f"{cell:.4g}"
    return visible(str(cell))


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value

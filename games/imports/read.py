"""Records of somebody's file, one at a time, each with the line on which it begins.

JSONL and CSV are read line by line, whatever their size; a JSON document is read in whole. A byte
order mark, either kind of line end and lone surrogates in escapes are taken as they come; a key
that stands twice in an object, and a number that is none, are not.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from ..errors import Place, RunError
from .mapping import Format, Map

BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Located:
    """A record, or a part of one, and where it stands."""

    tree: object
    place: Place


def records(path: Path, how: Map) -> Iterator[Located]:
    """Yield the records of a file in its order.

    Raises
    ------
    RunError
        The file cannot be read, or what stands in it is not what its format asks for.
    """
    if not path.is_file():
        raise RunError("FILE", "must be a file", str(path))
    if how.format is Format.JSONL:
        yield from _of_jsonl(path)
    elif how.format is Format.JSON:
        yield from _of_json(path, how.records or ())
    else:
        yield from _of_csv(path)


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines of a file, ends included; a line ends at a line feed and nowhere else."""
    with path.open("rb") as file:
        for number, raw in enumerate(file, start=1):
            try:
                yield number, (raw.removeprefix(BOM) if number == 1 else raw).decode("utf-8")
            except UnicodeDecodeError:
                raise RunError("line", "must be UTF-8", place=Place(path, number)) from None


def _of_jsonl(path: Path) -> Iterator[Located]:
    for number, line in _lines(path):
        if line.strip():
            place = Place(path, number)
            tree = _parsed(line, place)
            yield Located(_object(tree, place), place)


def _parsed(text: str, place: Place) -> object:
    """Return the tree in one line of JSON."""
    try:
        tree, end = _DECODER.raw_decode(text, _skipped(text, 0))
        if text[end:].strip(_BLANK):
            raise json.JSONDecodeError("Extra data", text, end)
    except json.JSONDecodeError as fault:
        rule = f"must hold one whole JSON object ({fault.msg})"
        raise RunError("line", rule, place=place) from None
    except (RecursionError, ValueError) as fault:
        raise RunError("line", _unreadable(fault), place=place) from None
    return tree


def _unreadable(fault: Exception) -> str:
    deep = isinstance(fault, RecursionError)
    return f"must be JSON that can be read ({'nested too deeply' if deep else fault})"


def _object(tree: object, place: Place) -> object:
    if not isinstance(tree, dict):
        raise RunError("record", "must be a JSON object", place=place)
    return tree


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    tree = dict(pairs)
    if len(tree) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice!r} stands twice in one object")
    return tree


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")


def _finite(digits: str) -> float:
    number = float(digits)
    return number if math.isfinite(number) else _no_number(digits)


_DECODER = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_number, parse_float=_finite)
_BLANK = " \t\r\n"


def _of_json(path: Path, names: tuple[str, ...]) -> Iterator[Located]:
    text = "".join(line for _, line in _lines(path))
    try:
        _DECODER.decode(text)
    except json.JSONDecodeError as fault:
        rule = f"must be JSON ({fault.msg})"
        raise RunError(path.name, rule, place=Place(path, fault.lineno)) from None
    except (RecursionError, ValueError) as fault:
        raise RunError(path.name, _unreadable(fault), place=Place(path)) from None
    line, counted = 1, 0
    for at, tree in _members(text, _list_at(text, names, path)):
        line, counted = line + text.count("\n", counted, at), at
        place = Place(path, line)
        yield Located(_object(tree, place), place)


def _list_at(text: str, names: tuple[str, ...], path: Path) -> int:
    """Return where the list begins to which names lead from the top of a whole document.

    The document is walked so that each record of the list has its line.
    """
    at = _skipped(text, 0)
    for name in names:
        found = dict(_values(text, at)).get(name) if text[at] == "{" else None
        if found is None:
            raise RunError("records", "is not in the document", name, Place(path))
        at = found
    if text[at] != "[":
        rule = f"must lead to a list ({'.'.join(names) or 'the document itself'})"
        raise RunError("records", rule, place=Place(path))
    return at


def _values(text: str, at: int) -> Iterator[tuple[str, int]]:
    """Yield each key of the object at a position with the position of its value."""
    at = _skipped(text, at + 1)
    while text[at] != "}":
        key, end = _DECODER.raw_decode(text, at)
        start = _skipped(text, _skipped(text, end) + 1)
        yield key, start
        at = _next(text, _DECODER.raw_decode(text, start)[1])


def _members(text: str, at: int) -> Iterator[tuple[int, object]]:
    """Yield position and tree of each member of the list at a position."""
    at = _skipped(text, at + 1)
    while text[at] != "]":
        tree, end = _DECODER.raw_decode(text, at)
        yield at, tree
        at = _next(text, end)


def _next(text: str, end: int) -> int:
    """Return where the next member begins behind one, or the bracket that closes them."""
    after = _skipped(text, end)
    return _skipped(text, after + 1) if text[after] == "," else after


def _skipped(text: str, at: int) -> int:
    """Return the first position from ``at`` that holds no blank."""
    while at < len(text) and text[at] in _BLANK:
        at += 1
    return at


def _of_csv(path: Path) -> Iterator[Located]:
    rows = csv.reader((line for _, line in _lines(path)), strict=True)
    line, header = 1, list[str]()
    try:
        header = next(rows, [])
        if not header or not all(header) or len(set(header)) < len(header):
            raise RunError("header", "must name every column, each once", place=Place(path, 1))
        line = rows.line_num + 1
        for cells in rows:
            place = Place(path, line)
            if cells and len(cells) != len(header):
                raise RunError("row", "must have as many cells as the header", place=place)
            if cells:
                filled = (cell if cell else None for cell in cells)
                yield Located(dict(zip(header, filled, strict=True)), place)
            line = rows.line_num + 1
    except csv.Error as fault:
        raise RunError("row", f"must be CSV ({fault})", place=Place(path, line)) from None

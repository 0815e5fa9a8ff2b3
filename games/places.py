"""Strict loading of what people write: every complaint names file, line and rule."""

from __future__ import annotations

import csv
import io
import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from .errors import InputError, Place, StudyError

Model = TypeVar("Model", bound=BaseModel)
Loc = tuple[str | int, ...]

_HEADER = re.compile(r"^\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$")
_NAMED_KEY = re.compile(r"^`([\w.]+)` ")
_KEY = re.compile(r"""^\s*((?:[\w-]+|"[^"]+"|'[^']+')(?:\s*\.\s*(?:[\w-]+|"[^"]+"))*)\s*=""")


def read_text(path: Path, error: type[InputError] = StudyError) -> str:
    """Return a file's text, or say in one line why it cannot be read."""
    try:
        return path.read_text(encoding="utf-8-sig")  # a spreadsheet's byte order mark is no text
    except FileNotFoundError:
        raise error(path.name, "is missing", place=Place(path)) from None
    except IsADirectoryError:
        raise error(path.name, "must be a file", place=Place(path)) from None
    except UnicodeDecodeError as fault:
        line = fault.object[: fault.start].count(b"\n") + 1
        raise error(path.name, "must be UTF-8", place=Place(path, line)) from None
    except (OSError, ValueError) as fault:
        raise error("file", f"cannot be read ({fault})", place=Place(path)) from None


def read_json(path: Path, error: type[InputError]) -> object:
    """Return the tree in a JSON file."""
    try:
        return json.loads(read_text(path, error))
    except json.JSONDecodeError as fault:
        rule = f"must be JSON ({fault.msg})"
        raise error(path.name, rule, place=Place(path, fault.lineno)) from None
    except (RecursionError, ValueError) as fault:
        rule = f"must be JSON that can be read ({type(fault).__name__})"
        raise error(path.name, rule, place=Place(path)) from None


def json_line(line: bytes, path: Path, number: int, error: type[InputError]) -> Any:
    """Return what one line of a file of records holds, or say in one line that it is no JSON."""
    try:
        return json.loads(line)
    except ValueError:
        rule = "must be one JSON object a line"
        raise error(path.name, rule, place=Place(path, number)) from None


def load_toml(path: Path, model: type[Model], error: type[InputError] = StudyError) -> Model:
    """Return a TOML file as a record."""
    text = read_text(path, error)
    try:
        tree = tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        line = re.search(r"line (\d+)", str(fault))
        rule = f"must be TOML ({str(fault).split(' (at')[0]})"
        raise error(path.name, rule, place=Place(path, int(line[1]) if line else None)) from None
    except (RecursionError, ValueError) as fault:
        rule = f"must be TOML that can be read ({type(fault).__name__})"
        raise error(path.name, rule, place=Place(path)) from None
    return checked(tree, model, path, error, lambda loc: toml_line(text, loc))


def checked(
    tree: object,
    model: type[Model],
    path: Path,
    error: type[InputError],
    line_of: Any = lambda loc: None,
    *,
    within: Loc = (),
) -> Model:
    """Return a tree as a record, or raise its first fault with the line that ``line_of`` finds.

    ``within`` is where in its file the tree stands; the fault's subject and line count from there.
    """
    try:
        return model.model_validate(tree)
    except ValidationError as fault:
        faults = fault.errors(include_url=False)
        first = faults[0]
        rule, value = _rule(first)
        named = _named(rule) if first["type"] == "value_error" else ()
        rule = _NAMED_KEY.sub("", rule)
        if len(faults) > 1:
            rule += f" (and {len(faults) - 1} more)"
        loc = (*within, *_keys(first["loc"]), *named)
        subject = ".".join(str(part) for part in loc) or path.name
        raise error(subject, rule, value, Place(path, line_of(loc))) from None


def _keys(loc: Loc) -> Loc:
    """Return a location without the tags of a union, which stand in angle brackets."""
    return tuple(part for part in loc if not (isinstance(part, str) and part.startswith("<")))


def _named(rule: str) -> Loc:
    """Return the key that a validator's own rule names in backticks at its start."""
    found = _NAMED_KEY.match(rule)
    return tuple(int(p) if p.isdecimal() else p for p in found[1].split(".")) if found else ()


def _rule(fault: Any) -> tuple[str, object]:
    kind, value = fault["type"], fault.get("input")
    shown = value if isinstance(value, str | int | float | bool) else None
    if kind == "extra_forbidden":
        return "is not a known key", None
    if kind == "missing":
        return "is missing", None
    if kind == "enum":
        return f"must be one of {fault['ctx']['expected']}", shown
    if kind == "value_error":
        return str(fault["ctx"]["error"]), shown
    return str(fault["msg"])[0].lower() + str(fault["msg"])[1:], shown


def toml_line(text: str, loc: Sequence[str | int]) -> int | None:
    """Return the line on which a TOML document sets the deepest known part of a location."""
    places = _toml_places(text)
    for depth in range(len(loc), 0, -1):
        if (line := places.get(tuple(loc[:depth]))) is not None:
            return line
    return None


@lru_cache(maxsize=8)
def _toml_places(text: str) -> dict[Loc, int]:
    """Return the line on which each key and table first stands; a file is asked many times."""
    places: dict[Loc, int] = {}
    counts: dict[Loc, int] = {}
    table: Loc = ()
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _HEADER.match(line):
            table = _indexed(tuple(_parts(header[2])), counts, grows=header[1] == "[[")
            places.setdefault(table, number)
        elif key := _KEY.match(line):
            places.setdefault((*table, *_parts(key[1])), number)
    return places


def _indexed(path: Loc, counts: dict[Loc, int], *, grows: bool) -> Loc:
    """Return a table's path with the running index of each array of tables in it."""
    full: Loc = ()
    for depth, part in enumerate(path, start=1):
        full = (*full, part)
        if grows and depth == len(path):
            counts[full] = counts.get(full, -1) + 1
        if full in counts:
            full = (*full, counts[full])
    return full


def _parts(dotted: str) -> list[str]:
    return [part.strip().strip("\"'") for part in dotted.split(".")]


def load_csv(
    path: Path,
    model: type[Model],
    *,
    unique: str | None = None,
    error: type[InputError] = StudyError,
) -> tuple[Model, ...]:
    """Return the rows of a CSV file as records; a repeated ``unique`` column is an error."""
    reader = csv.DictReader(io.StringIO(read_text(path, error)), strict=True)
    rows: list[Model] = []
    seen: dict[str, int] = {}
    try:
        _check_header(reader.fieldnames or (), model, Place(path, 1), error)
        for row in reader:
            line = reader.line_num
            _check_width(row, path, line, error)
            rows.append(checked(row, model, path, error, lambda _loc, at=line: at))
            _check_unique(row, unique, seen, Place(path, line), error)
    except csv.Error as fault:
        raise error(
            path.name, f"must be CSV ({fault})", place=Place(path, reader.line_num)
        ) from None
    if not rows:
        raise error(path.name, "must hold at least one row", place=Place(path))
    return tuple(rows)


def _check_header(
    found: Sequence[str], model: type[BaseModel], place: Place, error: type[InputError]
) -> None:
    wanted = [name for name, field in model.model_fields.items() if field.is_required()]
    odd = [name for name in found if name not in model.model_fields]
    if odd or any(name not in found for name in wanted) or len(set(found)) < len(found):
        rule = f"must name the columns {', '.join(model.model_fields)}, each once"
        raise error("header", rule, ",".join(found), place)


def _check_width(row: Mapping[Any, Any], path: Path, line: int, error: type[InputError]) -> None:
    if None in row or None in row.values():
        raise error("row", "must have as many cells as the header", place=Place(path, line))


def _check_unique(
    row: Mapping[str, str],
    column: str | None,
    seen: dict[str, int],
    place: Place,
    error: type[InputError],
) -> None:
    if column is None:
        return
    value = row[column]
    if value in seen:
        raise error(column, f"must not repeat (first on line {seen[value]})", value, place)
    seen[value] = place.line or 0

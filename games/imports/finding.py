"""Values found in records by the paths of a map, and read as what the map says they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from ..errors import Place, RunError
from .fields import NULL, Coded, Named, Names, Source
from .read import Located


class Finder:
    """Finds values, and remembers which paths ever led to one.

    A path that leads nowhere in a whole file is a slip in the map, however the map spells what is
    missing.
    """

    def __init__(self) -> None:
        self._found: dict[tuple[str, Names], bool] = {}

    def unfound(self) -> tuple[str, str] | None:
        """Return name and path of the first field that no record has, if there is one."""
        for (name, path), found in self._found.items():
            if not found:
                return name, ".".join(path)
        return None

    def at(self, part: Located, path: Names, name: str) -> object:
        """Return what stands at a path, or None where nothing does."""
        self._found.setdefault((name, path), False)
        tree = part.tree
        for step in path:
            if isinstance(tree, dict) and step in tree:
                tree = tree[step]
            elif isinstance(tree, list) and step.isdecimal() and int(step) < len(tree):
                tree = tree[int(step)]
            else:
                return None
        self._found[name, path] = True
        return tree

    def parts(self, record: Located, path: Names, name: str) -> list[Located]:
        """Return the members of the list at a path; none where it is missing or null."""
        found = self.at(record, path, name)
        if found is None:
            return []
        if not isinstance(found, list):
            raise RunError(name, "must lead to a list", place=record.place)
        return [Located(part, record.place) for part in found]

    def spelled(self, part: Located, field: Source, name: str) -> str | None:
        """Return a value as a map spells it, or None where there is none."""
        if field.path is None:
            return str(field.value)
        found = self.at(part, field.path, name)
        if isinstance(found, dict | list):
            raise RunError(name, "must lead to a plain value", place=part.place)
        if isinstance(found, bool):
            return "true" if found else "false"
        return None if found is None else str(found)

    def agreed(
        self, parts: Sequence[Located], field: Source, name: str
    ) -> tuple[str | None, Place]:
        """Return the one value that some parts of a match give, and where it stands first."""
        value: str | None = None
        place = parts[0].place
        for part in parts:
            found = self.spelled(part, field, name)
            if found is None or found == value:
                continue
            if value is not None:
                rule = f"must be the same in every part of a match; it was {value!r} before"
                raise RunError(name, rule, found, part.place)
            value, place = found, part.place
        return value, place

    def text(self, part: Located, field: Named, name: str) -> str | None:
        """Return what was said; None where nothing is, and nothing but text is taken for any."""
        if field.path is None:
            return str(field.value)
        found = self.at(part, field.path, name)
        if found is not None and not isinstance(found, str):
            raise RunError(name, "must be text", found, part.place)
        return found


def coded(spelling: str | None, field: Coded, name: str, place: Place) -> str:
    """Return the word that a map has for a spelling; one that it does not list is an error."""
    table = field.table()
    spelling = NULL if spelling is None else spelling
    if spelling not in table:
        _unlisted(table, spelling, name, place)
    return table[spelling]


def named(spelling: str | None, field: Named, name: str, place: Place) -> str:
    """Return an id or a key, under the map's other spelling where it has any."""
    if spelling is None:
        raise RunError(name, "must be given", place=place)
    if field.values and spelling not in field.values:
        _unlisted(field.values, spelling, name, place)
    return field.values[spelling] if field.values else spelling


def whole(spelling: str | None, field: Named, name: str, place: Place) -> int:
    """Return a whole number."""
    text = named(spelling, field, name, place).strip()
    if not (text.removeprefix("-").isascii() and text.removeprefix("-").isdecimal()):
        raise RunError(name, "must be a whole number", text, place)
    if len(text) > 9:
        raise RunError(name, "must have at most nine digits", text, place)
    return int(text)


def _unlisted(table: dict[str, str], spelling: str, name: str, place: Place) -> NoReturn:
    known = ", ".join(table)
    raise RunError(name, f"must be one that the map lists ({known})", spelling, place)

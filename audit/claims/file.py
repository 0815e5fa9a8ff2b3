"""A study's printed claims: ``claims.toml``, loaded strictly.

::

    [defaults]     keys that every claim has unless it says otherwise
    [print]        printed tables, pasted as text
    [unknown]      whole numbers that the source does not print, with their ranges
    [[given]]      what is true of them by design, not by print
    [[cells]]      claims of one shape, one for each cell of a table
    [[claim]]      one sentence that could be false
    [[what_if]]    a change to what lies behind a claim, and what it would do

All parts may be missing: a study may have no claims.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, field_validator

from audit.printed.tables import Table, read_table, shares_over_one
from games.errors import Place, StudyError
from games.places import checked, load_toml, read_text, toml_line
from games.records import Record

from .cells import Cells
from .claim import Claim
from .sound import check_claim, rule_at

# More digits than any count has; far longer numbers are beyond the search for whole numbers.
_MOST_DIGITS = 12


class Unknown(Record):
    """A whole number that is not printed, or one for each row of a printed table.

    Attributes
    ----------
    range : str
        ``least..most``, both included.
    rows : str
        A printed table; blank for a single number.
    """

    range: str
    rows: str = ""

    @property
    def bounds(self) -> tuple[int, int]:
        """Return the least and the most that it may be."""
        least, most = self.range.split("..")
        return int(least), int(most)

    @field_validator("range")
    @classmethod
    def _is_range(cls, value: str) -> str:
        parts = value.split("..")
        if len(parts) != 2 or not all(part.strip().isdecimal() for part in parts):
            raise ValueError("must be two whole numbers joined by two dots, such as 0..25")
        if any(len(part.strip()) > _MOST_DIGITS for part in parts):
            raise ValueError(f"must end at a whole number of at most {_MOST_DIGITS} digits")
        if int(parts[0]) > int(parts[1]):
            raise ValueError("must not end below its start")
        return value


class Given(Record):
    """Something true of the unknown numbers by design: a relation, and why it holds."""

    id: str
    says: Annotated[str, Field(min_length=1)]
    why: Annotated[str, Field(min_length=1)]


class ClaimsFile(Record):
    """``claims.toml`` as it stands."""

    defaults: dict[str, Any] = Field(default_factory=dict)
    print: dict[str, str] = Field(default_factory=dict)
    unknown: dict[str, Unknown] = Field(default_factory=dict)
    given: tuple[Given, ...] = ()
    cells: tuple[Cells, ...] = ()
    claim: tuple[dict[str, Any], ...] = ()
    what_if: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class WhatIfEntry:
    """A change to what lies behind a claim: its ``change`` and that change's inputs.

    Attributes
    ----------
    claim : str
    about : str
        What it is done to, where a claim has several; may be blank.
    spec : dict
    place : Place
    """

    claim: str
    about: str
    spec: dict[str, Any]
    place: Place


@dataclass(frozen=True, slots=True)
class Claims:
    """All that ``claims.toml`` says, read.

    Attributes
    ----------
    tables : dict
        Name to printed table.
    unknown : dict
        Name to unknown whole number.
    given : tuple of Given
    claim : tuple of Claim
        Those of the file and those of tables' cells, in the file's order, cells first.
    what_if : tuple of WhatIfEntry
    places : dict
        Claim or given id to where it stands.
    """

    tables: dict[str, Table]
    unknown: dict[str, Unknown]
    given: tuple[Given, ...]
    claim: tuple[Claim, ...]
    what_if: tuple[WhatIfEntry, ...]
    places: dict[str, Place]


At = Callable[..., Place]
Loc = tuple[str | int, ...]


def load_claims(path: Path) -> Claims:
    """Return the claims of a study, each known to be checkable as it says.

    Raises
    ------
    StudyError
        The first fault, with file and line: an unknown key, method, table or estimand grammar, a
        number that is none, a missing input, a share that no whole number or several explain, an
        id used twice.
    """
    file = load_toml(path, ClaimsFile)
    text = read_text(path)

    def at(*loc: str | int) -> Place:
        return Place(path, toml_line(text, loc))

    tables = _tables(file, at)
    for name, unknown in file.unknown.items():
        if unknown.rows and unknown.rows not in tables:
            rule = "must name a printed table"
            raise StudyError(f"unknown.{name}.rows", rule, unknown.rows, at("unknown", name))
    located: list[tuple[Claim, Loc]] = []
    places: dict[str, Place] = {}
    for loc, keys in _entries(file, tables, at):
        line_of = partial(toml_line, text)
        claim = checked(file.defaults | keys, Claim, path, StudyError, line_of, within=loc)
        _add(places, claim.id, "claim.id", at(*loc, "id"))
        located.append((claim, loc))
    for index, given in enumerate(file.given):
        _add(places, given.id, "given.id", at("given", index, "id"))
    known = {claim.id: claim for claim, _ in located}
    for claim, loc in located:
        check_claim(claim, tables, known, partial(_place, path, text, loc))
    what_if = _what_if(file, set(known), at)
    return Claims(tables, file.unknown, file.given, tuple(known.values()), what_if, places)


def _place(path: Path, text: str, loc: Loc, key: str) -> Place:
    return Place(path, toml_line(text, (*loc, *key.split("."))))


def _what_if(file: ClaimsFile, known: set[str], at: At) -> tuple[WhatIfEntry, ...]:
    entries = []
    for index, raw in enumerate(file.what_if):
        spec = dict(raw)
        claim, place = spec.pop("claim", None), at("what_if", index)
        if claim not in known:
            raise StudyError("what_if.claim", "must name a claim", claim, place)
        about = spec.pop("about", "")
        if not isinstance(about, str):
            raise StudyError("what_if.about", "must be text", about, at("what_if", index, "about"))
        entries.append(WhatIfEntry(str(claim), about, spec, place))
    return tuple(entries)


def _tables(file: ClaimsFile, at: At) -> dict[str, Table]:
    tables = {}
    for name, pasted in file.print.items():
        with rule_at(f"print.{name}", at("print", name)):
            tables[name] = read_table(pasted)
        for text in shares_over_one(tables[name]):
            rule = "must hold no share over 100% (write a ratio with ×)"
            raise StudyError(f"print.{name}", rule, text, at("print", name))
    return tables


def _entries(
    file: ClaimsFile, tables: dict[str, Table], at: At
) -> list[tuple[Loc, dict[str, Any]]]:
    """Return the keys of every claim with the location of its entry."""
    entries: list[tuple[Loc, dict[str, Any]]] = []
    for index, cells in enumerate(file.cells):
        with rule_at(f"cells.{cells.id}", at("cells", index)):
            entries += [(("cells", index, "claim"), keys) for keys in cells.expanded(tables)]
    return entries + [(("claim", index), keys) for index, keys in enumerate(file.claim)]


def _add(places: dict[str, Place], name: str, subject: str, place: Place) -> None:
    if name in places:
        raise StudyError(subject, "must not repeat", name, place)
    places[name] = place

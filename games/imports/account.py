"""The account of an import: where a run comes from, and what of its file it does not hold."""

from __future__ import annotations

from collections import Counter
from typing import Literal

from ..records import Record, Text
from ..words import Void
from .build import Built
from .replay import Origin
from .told import Head


class Difference(Record):
    """A match whose trace is not what its file says: both, in words."""

    match: str
    key: Text
    line: int | None
    note: Text


class Imported(Record):
    """Where an imported run comes from, and everything of the file that its traces do not hold.

    Attributes
    ----------
    source, sha256 : str
        Name and digest of the file; its folder is nobody's business.
    map_sha256 : str
        Digest of the map, which stands beside as ``map.toml``.
    records, matches : int
    void : dict
        Reason to matches, every reason named.
    rulings : dict
        Where rulings come from to their number, every origin named.
    rulings_unasked : int
        Given, but not asked for by the rules.
    parts_of_nobody : int
        Parts that are of neither player and hold no ruling.
    utterances_left_out : int
        Said after the end by the rules.
    differences : tuple of Difference
    """

    format: Literal[1] = 1
    source: str
    sha256: str
    map_sha256: str
    records: int
    matches: int
    void: dict[Void, int]
    rulings: dict[Origin, int]
    rulings_unasked: int
    parts_of_nobody: int
    utterances_left_out: int
    differences: tuple[Difference, ...]


class Tally:
    """Counts what became of the matches, in the order of the file."""

    def __init__(self) -> None:
        self._void, self._rulings = Counter[Void](), Counter[Origin]()
        self._matches = self._unasked = self._nobody = self._left_out = 0
        self._differences: list[Difference] = []

    def add(self, head: Head, built: Built, nobody: int) -> None:
        """Count one match."""
        self._matches += 1
        self._rulings.update(built.origins)
        self._unasked += built.unasked
        self._nobody += nobody
        self._left_out += built.left_out
        if (void := built.trace.outcome.void) is not None:
            self._void[void] += 1
        if built.note:
            self._differences.append(
                Difference(match=head.id, key=head.key, line=head.place.line, note=built.note)
            )

    def imported(self, source: str, sha256: str, map_sha256: str, records: int) -> Imported:
        """Return the counts as a record."""
        return Imported(
            source=source,
            sha256=sha256,
            map_sha256=map_sha256,
            records=records,
            matches=self._matches,
            void={void: self._void[void] for void in Void},
            rulings={origin: self._rulings[origin] for origin in Origin},
            rulings_unasked=self._unasked,
            parts_of_nobody=self._nobody,
            utterances_left_out=self._left_out,
            differences=tuple(self._differences),
        )

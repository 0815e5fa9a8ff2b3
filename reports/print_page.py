"""The page of a study without a run: what its print says of itself.

Claims are ranked by consequence, printed tables are shown with the cells marked whose claims do
not stand. Nothing is computed here but the order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from audit.claims.check import PrintCheck, check_print
from audit.claims.claim import Claim
from audit.claims.file import Claims, load_claims
from audit.claims.whatif import all_pairings, all_what_ifs
from audit.claims.words import Inference
from games.study.study import PrintStudy

from .consequence import by_consequence, distances, gravity
from .figures import pairings_figure

SECTIONS = (
    ("first", "What matters first"),
    ("change", "What would change it"),
    ("tables", "Tables"),
    ("claims", "All claims"),
)
FIRST = 20
_FALLS = 2


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """One claim as the page shows it."""

    id: str
    place: str
    sentence: str
    printed: str
    recomputed: str
    standing: str
    assumption: str
    conflicts_with: tuple[str, ...]
    inference: str
    why: str
    in_abstract: bool


@dataclass(frozen=True, slots=True)
class MarkedCell:
    """A printed cell, the claim made of it, and what print says of that claim."""

    text: str
    claim: str
    standing: str


@dataclass(frozen=True, slots=True)
class MarkedTable:
    """A printed table with its cells marked."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[MarkedCell, ...]], ...]


@dataclass(frozen=True, slots=True)
class Change:
    """What would change a claim: lines, and figures of all pairings where they are looked at."""

    claim: str
    sentence: str
    lines: tuple[str, ...]
    figures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PrintPage:
    """All that the template of a print-only page shows."""

    title: str
    source: str
    sections: tuple[tuple[str, str], ...]
    tally: tuple[tuple[str, int], ...]
    unsupported: int
    first: tuple[ClaimRow, ...]
    change: tuple[Change, ...]
    tables: tuple[MarkedTable, ...]
    claims: tuple[ClaimRow, ...]
    standings: tuple[str, ...]


def print_page(study: PrintStudy) -> PrintPage:
    """Return the print-only page of a study."""
    claims = load_claims(study.folder / "claims.toml")
    checks = check_print(claims)
    ranked = by_consequence(claims.claim, checks)
    near = distances(claims.claim, checks)
    rows = [claim_row(claim, check, near[claim.id] == 0) for claim, check in ranked]
    falls = [row for row, (_, check) in zip(rows, ranked, strict=True) if gravity(check) <= _FALLS]
    tally = Counter(check.standing.value for check in checks)
    return PrintPage(
        title=study.title,
        source=study.source,
        sections=SECTIONS,
        tally=tuple(tally.most_common()),
        unsupported=sum(check.inference is Inference.NOT_SUPPORTED for check in checks),
        first=_first(falls),
        change=_changes(claims),
        tables=marked_tables(claims, checks),
        claims=tuple(rows),
        standings=tuple(sorted(tally)),
    )


def _first(falls: Sequence[ClaimRow]) -> tuple[ClaimRow, ...]:
    """Return the gravest rows, one for each set of claims that cannot hold together."""
    seen: set[frozenset[str]] = set()
    kept = []
    for row in falls:
        together = frozenset({row.id, *row.conflicts_with})
        if not row.conflicts_with or together not in seen:
            kept.append(row)
        seen.add(together)
    return tuple(kept[:FIRST])


def _changes(claims: Claims) -> tuple[Change, ...]:
    sentences = {claim.id: claim.sentence for claim in claims.claim}
    figures: dict[str, list[str]] = {}
    for claim, every in all_pairings(claims):
        figures.setdefault(claim, []).append(pairings_figure(every))
    return tuple(
        Change(name, sentences[name], lines, tuple(figures.get(name, ())))
        for name, lines in all_what_ifs(claims).items()
    )


def claim_row(claim: Claim, check: PrintCheck, in_abstract: bool) -> ClaimRow:
    """Return a claim, and what print makes of it, as a page shows it."""
    assessed = check.inference is not Inference.NOT_ASSESSED
    return ClaimRow(
        id=claim.id,
        place=claim.place,
        sentence=claim.sentence,
        printed=claim.printed,
        recomputed=check.recomputed,
        standing=check.standing.value,
        assumption=check.assumption,
        conflicts_with=check.conflicts_with,
        inference=check.inference.value if assessed else "",
        why=check.why,
        in_abstract=in_abstract,
    )


def marked_tables(claims: Claims, checks: tuple[PrintCheck, ...]) -> tuple[MarkedTable, ...]:
    """Return every printed table, each cell with its claim where one is made of it."""
    made = {
        claim.cell: check for claim, check in zip(claims.claim, checks, strict=True) if claim.cell
    }
    tables = []
    for name, table in claims.tables.items():
        columns = tuple(table.columns)
        names = tuple(next(iter(table.columns.values()))) if columns else ()
        rows = tuple(
            (row, tuple(_cell(name, column, row, claims, made) for column in columns))
            for row in names
        )
        tables.append(MarkedTable(name.replace("_", " "), columns, rows))
    return tuple(tables)


def _cell(
    table: str, column: str, row: str, claims: Claims, made: dict[str, PrintCheck]
) -> MarkedCell:
    text = claims.tables[table].columns[column][row].text
    reference = f"{table}.{column}[{row}]"
    if reference not in made:
        return MarkedCell(text, "", "")
    return MarkedCell(text, made[reference].id, made[reference].standing.value)

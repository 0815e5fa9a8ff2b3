"""What would change a claim: the lines that its ``[[what_if]]`` entries come to."""

from __future__ import annotations

from audit.printed.coincidence import Arrangements
from audit.printed.whatif import arrangements, run_whatif
from games.errors import StudyError

from .file import Claims


def what_if_lines(claims: Claims, claim: str) -> tuple[str, ...]:
    """Return what the changes said to matter for a claim would do, line by line.

    An entry that says what it is about has a line for that before its own.

    Raises
    ------
    StudyError
        An entry's change or inputs are not in order; with the entry's place.
    """
    lines: list[str] = []
    for entry in claims.what_if:
        if entry.claim == claim:
            lines += [f"{entry.about}:"] if entry.about else []
            try:
                lines += run_whatif(entry.spec, claims.tables)
            except StudyError as fault:
                raise StudyError(fault.subject, fault.rule, fault.value, entry.place) from None
    return tuple(lines)


def all_what_ifs(claims: Claims) -> dict[str, tuple[str, ...]]:
    """Return the lines of every claim that has any, in the order of the file."""
    names = dict.fromkeys(entry.claim for entry in claims.what_if)
    return {name: what_if_lines(claims, name) for name in names}


def all_pairings(claims: Claims) -> tuple[tuple[str, Arrangements], ...]:
    """Return, for every claim whose pairing is looked at, the statistic over all pairings."""
    found = [(entry.claim, arrangements(entry.spec, claims.tables)) for entry in claims.what_if]
    return tuple((claim, every) for claim, every in found if every is not None)

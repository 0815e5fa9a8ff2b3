"""What print alone says of each claim: computed again from other printed numbers, and compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from audit.printed.methods import bind
from audit.printed.rounding import read_number
from audit.printed.tables import Table
from games.records import Record

from .claim import Claim
from .compare import Comparison, compare
from .file import Claims
from .words import Inference, Kind, PrintStanding

__all__ = ["PrintCheck", "PrintStanding", "check_print", "conflicts"]


# Why nothing was computed, where the claim itself does not say.
_WITHOUT = dict.fromkeys(Kind, "") | {Kind.READING: "a reading: what a sentence says, in our words"}


class PrintCheck(Record):
    """A printed claim beside what other printed numbers make of it.

    Attributes
    ----------
    id, place, printed : str
        Of the claim.
    recomputed : str
        The value that decided, in the printed unit; blank if nothing was computed.
    standing : PrintStanding
    assumption : str
        What it is reproduced under; blank otherwise.
    conflicts_with : tuple of str
        Claims said to print the same quantity, with which no real number can agree at once.
    inference : Inference
    why : str
        Why it is not checkable, which variant was meant, what the others give, why an inference
        is or is not supported.
    """

    id: str
    place: str
    printed: str
    recomputed: str
    standing: PrintStanding
    assumption: str
    conflicts_with: tuple[str, ...]
    inference: Inference
    why: str

    def row(self) -> dict[str, Any]:
        """Return the record as plain values under the same keys."""
        return self.model_dump(mode="json")


def check_print(claims: Claims) -> tuple[PrintCheck, ...]:
    """Return what print alone says of every claim, in the order of the file.

    Parameters
    ----------
    claims : Claims
        As `load_claims` returns them, that is, known to be in order.
    """
    apart = conflicts(claims.claim)
    return tuple(_check(claim, claims.tables, apart[claim.id]) for claim in claims.claim)


def conflicts(claims: Sequence[Claim]) -> dict[str, tuple[str, ...]]:
    """Return, for every claim, those with which it cannot stand by what both say.

    Two claims said to print the same quantity conflict if no real number prints as both; two
    readings conflict if one of them says so. Both of a pair name each other.
    """
    by_id = {claim.id: claim for claim in claims}
    found: dict[str, set[str]] = {claim.id: set() for claim in claims}
    for claim in claims:
        for other in claim.contradicts:
            found[claim.id].add(other)
            found[other].add(claim.id)
        for other in claim.same_as:
            if not read_number(claim.printed).agrees(read_number(by_id[other].printed)):
                found[claim.id].add(other)
                found[other].add(claim.id)
    return {name: tuple(sorted(others)) for name, others in found.items()}


def _check(claim: Claim, tables: Mapping[str, Table], apart: tuple[str, ...]) -> PrintCheck:
    found = _compared(claim, tables)
    unsettled = found.standing in (PrintStanding.NOT_REPRODUCED, PrintStanding.NOT_CHECKABLE)
    return PrintCheck(
        id=claim.id,
        place=claim.place,
        printed=claim.printed,
        recomputed=found.recomputed,
        standing=PrintStanding.CONFLICTS if apart and unsettled else found.standing,
        assumption=found.assumption,
        conflicts_with=apart,
        inference=claim.inference,
        why="; ".join(part for part in (found.why, claim.because) if part),
    )


def _compared(claim: Claim, tables: Mapping[str, Table]) -> Comparison:
    if claim.recompute is None:
        why = claim.not_checkable or _WITHOUT[claim.kind]
        return Comparison("", PrintStanding.NOT_CHECKABLE, "", why)
    return compare(claim.kind, claim.printed, bind(claim.recompute, tables).variants())

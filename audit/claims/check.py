"""What print alone says of each claim: computed again, and taken together with the others.

The first of these that is so settles a claim's standing:

1. its whole numbers cannot be: *conflicts with* the other claims of a minimal conflicting set, or
   *not reproduced* if it takes no other claim for that;
2. its recomputation prints so: *reproduced*, or *reproduced under* an assumption; without a
   recomputation, the whole numbers that other claims leave all print so: *reproduced*;
3. another claim prints the same quantity otherwise, or a reading contradicts it: *conflicts with*;
4. its recomputation does not print so: *not reproduced*; without one, some whole numbers do:
   *reproduced under* those.

``conflicts_with`` names the claims of 1 and of 3, whatever the standing.
"""

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
from .jointly import Joint, jointly
from .words import Inference, Kind, PrintStanding

__all__ = ["PrintCheck", "PrintStanding", "check_print", "conflicts"]


# Why nothing was computed, where the claim itself does not say.
_WITHOUT = dict.fromkeys(Kind, "") | {Kind.READING: "a reading: what a sentence says, in our words"}
_IMPOSSIBLE = frozenset({PrintStanding.CONFLICTS, PrintStanding.NOT_REPRODUCED})


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
        Claims said to print the same quantity, with which no real number can agree at once, and
        those with which it stands in a minimal conflicting set.
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
    apart, joint = conflicts(claims.claim), jointly(claims)
    return tuple(
        _check(claim, claims.tables, joint[claim.id] if claim.states else None, apart[claim.id])
        for claim in claims.claim
    )


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


def _check(
    claim: Claim, tables: Mapping[str, Table], joint: Joint | None, apart: tuple[str, ...]
) -> PrintCheck:
    found = _found(claim, tables, joint)
    standing = _standing(found, joint, bool(apart))
    together = joint.conflicts_with if joint else ()
    impossible = joint is not None and joint.comparison.standing in _IMPOSSIBLE
    whys = [found.why, claim.because]
    if joint and found is not joint.comparison:
        whys.insert(0 if impossible else 1, joint.comparison.why)
    return PrintCheck(
        id=claim.id,
        place=claim.place,
        printed=claim.printed,
        recomputed=found.recomputed,
        standing=standing,
        assumption=found.assumption if standing is PrintStanding.REPRODUCED_UNDER else "",
        conflicts_with=tuple(sorted({*apart, *together})),
        inference=claim.inference,
        why="; ".join(part for part in whys if part),
    )


def _standing(found: Comparison, joint: Joint | None, apart: bool) -> PrintStanding:
    """Return what settles a claim: see the head of this module."""
    if joint is not None and joint.comparison.standing in _IMPOSSIBLE:
        return joint.comparison.standing
    unsettled = {PrintStanding.NOT_REPRODUCED, PrintStanding.NOT_CHECKABLE}
    if joint is not None and found is joint.comparison:
        unsettled.add(PrintStanding.REPRODUCED_UNDER)
    return PrintStanding.CONFLICTS if apart and found.standing in unsettled else found.standing


def _found(claim: Claim, tables: Mapping[str, Table], joint: Joint | None) -> Comparison:
    """Return what a claim's recomputation comes to, or else its whole numbers, or why neither."""
    if claim.recompute is not None:
        return compare(claim.kind, claim.printed, bind(claim.recompute, tables).variants())
    if joint is not None:
        return joint.comparison
    why = claim.not_checkable or _WITHOUT[claim.kind]
    return Comparison("", PrintStanding.NOT_CHECKABLE, "", why)

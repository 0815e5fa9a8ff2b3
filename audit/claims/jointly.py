"""Claims taken together: which whole numbers would print all of them, and what follows for each.

A claim's ``states`` says what its printed number is the rounding of, over the file's unknown whole
numbers. All such claims and the file's givens are one system. A claim

- *conflicts with* others if it stands in a minimal conflicting set with them, of those that tell
  something new;
- is *not reproduced* if it stands in one alone, or with givens only;
- is *reproduced* if the others leave only values that print so;
- is *reproduced under* whole numbers that fit if they leave other values as well.

Numbers are taken as rounded to the nearest, ties either way; where the whole file has at least two
misfits fewer if all its numbers are cut off, they are taken so, and every claim says it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from audit.printed.rounding import read_number
from audit.printed.system.examine import Finding, examine
from audit.printed.system.language import Names, read_ratio, read_relation
from audit.printed.system.solve import Spread
from audit.printed.system.statement import Convention, Printed, Statement, System
from audit.printed.system.values import cell_name
from games.errors import StudyError

from .claim import Claim
from .compare import Comparison
from .file import Claims, Given
from .joint_words import (
    Said,
    assumption,
    derivation,
    nearest,
    refutation,
    whole_numbers,
)
from .words import Kind, PrintStanding

_ROUNDED = frozenset({Kind.NUMBER, Kind.INEQUALITY})


@dataclass(frozen=True, slots=True)
class Joint:
    """What the claims and givens together say of one claim.

    Attributes
    ----------
    comparison : Comparison
        Its ``recomputed`` is the whole numbers that the claim may come from, one over the other
        where it is a share or a mean; if none fit, the nearest that the others leave; blank if the
        search was given up.
    conflicts_with : tuple of str
        Claims that stand in a minimal conflicting set with it.
    """

    comparison: Comparison
    conflicts_with: tuple[str, ...]


def jointly(claims: Claims) -> dict[str, Joint]:
    """Return what all claims that state something say of each of them, by id.

    Raises
    ------
    StudyError
        If a `states` or a `says` cannot be read, or givens cannot hold together.
    """
    if not any(claim.states for claim in claims.claim):
        return {}
    system, said = checked_system(claims), Said.of(claims)
    findings = examine(system)
    speaking = {statement.id: statement.names for statement in system.statements}
    return {
        name: _joint(claim, findings[name], speaking, said) for name, claim in said.claims.items()
    }


def checked_system(claims: Claims) -> System:
    """Return the system of all claims that state something, and of givens that can all hold.

    Raises
    ------
    StudyError
        If a `states` or a `says` cannot be read, or givens cannot hold together.
    """
    system, given = system_of(claims), {one.id: one for one in claims.given}
    alone = tuple(statement for statement in system.statements if statement.id in given)
    for name, finding in examine(System(system.ranges, alone)).items():
        if finding.conflicts:
            others = ", ".join(id for id in finding.conflicts[0] if id != name)
            rule = f"cannot hold together with {others or 'the ranges of the unknowns'}"
            raise StudyError(f"{name}.says", rule, given[name].says, claims.places[name])
    return system


def _joint(
    claim: Claim, finding: Finding, speaking: Mapping[str, tuple[str, ...]], said: Said
) -> Joint:
    others = {id for ids in finding.conflicts for id in ids} & said.claims.keys() - {claim.id}
    if finding.conflicts:
        standing = PrintStanding.CONFLICTS if others else PrintStanding.NOT_REPRODUCED
        names = tuple(sorted({name for id in finding.conflicts[0] for name in speaking[id]}))
        why = refutation(claim, finding, names, said)
        found = Comparison(nearest(claim, finding), standing, "", why)
    elif finding.spread is None:
        found = Comparison("", PrintStanding.NOT_CHECKABLE, "", finding.unsearched)
    else:
        found = _fitting(claim, finding, finding.spread, said)
    return Joint(found, tuple(sorted(others)))


def _fitting(claim: Claim, finding: Finding, spread: Spread, said: Said) -> Comparison:
    """Return what a claim comes to that holds together with the others."""
    numbers = whole_numbers(spread)
    implied = finding.grounds is not None
    why = derivation(claim, finding, spread, said)
    if implied and finding.convention is Convention.NEAREST:
        return Comparison(numbers, PrintStanding.REPRODUCED, "", why)
    under = assumption(finding, spread)
    return Comparison(numbers, PrintStanding.REPRODUCED_UNDER, under, why)


def system_of(claims: Claims) -> System:
    """Return the system of all claims that state something, and all givens.

    Raises
    ------
    StudyError
        If a `states` or a `says` cannot be read.
    """
    rows: dict[str, tuple[str, ...] | None] = {}
    ranges: dict[str, tuple[int, int]] = {}
    for name, unknown in claims.unknown.items():
        if unknown.rows:
            found = tuple(next(iter(claims.tables[unknown.rows].columns.values())))
            rows[name] = found
            ranges |= dict.fromkeys((cell_name(name, row) for row in found), unknown.bounds)
        else:
            rows[name], ranges[name] = None, unknown.bounds
    names = Names(rows, claims.tables)
    said = [_stated(claim, names, claims) for claim in claims.claim if claim.states]
    given = [_given(one, names, claims) for one in claims.given]
    return System(ranges, (*said, *given))


def _stated(claim: Claim, names: Names, claims: Claims) -> Statement:
    place = claims.places[claim.id]
    if claim.kind not in _ROUNDED and claim.kind is not Kind.EXACT:
        rule = f"must belong to a printed number, not to a kind {claim.kind.value!r}"
        raise StudyError(f"{claim.id}.states", rule, place=place)
    try:
        ratio = read_ratio(claim.states, names)
    except ValueError as fault:
        raise StudyError(f"{claim.id}.states", str(fault), place=place) from None
    number = read_number(claim.printed)
    return Statement(claim.id, Printed(ratio, number, claim.kind is Kind.EXACT))


def _given(given: Given, names: Names, claims: Claims) -> Statement:
    try:
        return Statement(given.id, relations=read_relation(given.says, names))
    except ValueError as fault:
        raise StudyError(f"{given.id}.says", str(fault), place=claims.places[given.id]) from None

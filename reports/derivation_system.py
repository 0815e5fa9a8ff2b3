"""What the whole numbers behind print say of one claim, as lines of text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from audit.claims.claim import Claim
from audit.claims.compare import show
from audit.claims.file import Claims, Unknown
from audit.claims.jointly import system_of
from audit.printed.rounding import PrintedNumber, read_number
from audit.printed.system.examine import Finding, components, examine
from audit.printed.system.solve import FEW, LIMIT, Quotient, Spread, solutions
from audit.printed.system.statement import Statement, System

# More minimal conflicting sets than this are counted and not listed.
_SETS = 6

Parts = list[tuple[str, list[str]]]


def system_parts(claim: Claim, claims: Claims) -> Parts:
    """Return what a claim states of unknown whole numbers, and what all statements leave of it.

    Parameters
    ----------
    claim : Claim
        One that states something.
    claims : Claims
        All of the file.

    Returns
    -------
    list of (str, list of str)
        Labels and lines; a list of lines may be empty.
    """
    system = component_of(claim, claims)
    statement = next(one for one in system.statements if one.id == claim.id)
    return [
        ("states", [f"{claim.printed} = {claim.states}", *_unknown_lines(statement, claims)]),
        ("beside", _beside_lines(statement, system, claims)),
        *_found(claim, examine(system), system, claims),
    ]


def component_of(claim: Claim, claims: Claims) -> System:
    """Return all statements that share unknown numbers with a claim's, by a chain if need be."""
    return next(
        one
        for one in components(system_of(claims))
        if claim.id in [statement.id for statement in one.statements]
    )


def only_about(claim: Claim, claims: Claims) -> Claims:
    """Return those claims and givens on which the standing of one claim can depend.

    They are the claims tied to it by ``same_as`` and ``contradicts``, by a chain if need be, and
    the statements of its component.
    """
    system = component_of(claim, claims).statements if claim.states else ()
    wanted = {claim.id} | {statement.id for statement in system}
    while True:
        tied = {
            id
            for one in claims.claim
            for ids in [{one.id, *one.same_as, *one.contradicts}]
            if ids & wanted
            for id in ids
        }
        if tied <= wanted:
            break
        wanted |= tied
    return replace(
        claims,
        claim=tuple(one for one in claims.claim if one.id in wanted),
        given=tuple(one for one in claims.given if one.id in wanted),
    )


def _unknown_lines(statement: Statement, claims: Claims) -> list[str]:
    """Return the ranges of the unknown numbers that a statement speaks of."""
    names = dict.fromkeys(name.partition("[")[0] for name in statement.names)
    return [f"{name}: {_range_text(claims.unknown[name])}" for name in names]


def _range_text(unknown: Unknown) -> str:
    least, most = unknown.bounds
    each = f"one whole number for each row of {unknown.rows}" if unknown.rows else "a whole number"
    return f"{each}, from {least:,} to {most:,}"


def _beside_lines(statement: Statement, system: System, claims: Claims) -> list[str]:
    """Return the other statements about the same unknown numbers, and how many hang on those."""
    others = [one for one in system.statements if one.id != statement.id]
    near = [one for one in others if set(one.names) & set(statement.names)]
    further = len(others) - len(near)
    chain = [f"{further} more, joined to these by unknown numbers that they share"]
    return [*(quoted(one.id, claims) for one in near), *(chain if further else [])]


def quoted(id: str, claims: Claims) -> str:
    """Return what a claim or a given states, and where it stands or why it holds."""
    for given in claims.given:
        if given.id == id:
            return f"{id}: {given.says}, by design ({given.why})"
    claim = next(claim for claim in claims.claim if claim.id == id)
    return f"{id}: {claim.printed} = {claim.states} ({claim.place})"


def _found(claim: Claim, findings: Mapping[str, Finding], system: System, claims: Claims) -> Parts:
    number, finding = read_number(claim.printed), findings[claim.id]
    if finding.unsearched:
        return [("numbers", [f"not found out: {finding.unsearched}"])]
    if finding.conflicts:
        sets, further = finding.conflicts[:_SETS], len(finding.conflicts) - _SETS
        lines = [line for ids in sets for line in _set_lines(ids, claims)]
        more = [f"{further} further sets that hold it cannot either"] if further > 0 else []
        return [("together", [*lines, *more]), ("left", [_left(finding, number)])]
    # What stands in a conflicting set says nothing here, as the finding has it.
    holding = System(
        system.ranges, tuple(one for one in system.statements if not findings[one.id].conflicts)
    )
    return [
        ("numbers", [*_spread_lines(finding, number), *_solution_lines(finding, holding)]),
        ("follows from", [quoted(id, claims) for id in finding.grounds or ()]),
        ("without it", _without_lines(finding, number)),
    ]


def _left(finding: Finding, number: PrintedNumber) -> str:
    """Return what others leave next to the printed number, where it cannot hold with them."""
    beside = " or ".join(_value(one, number) for one in finding.beside) or "nothing"
    rest = "" if finding.by_all else ", by the others of the first set"
    return f"next to what is printed{rest}: {beside}"


def _set_lines(ids: Sequence[str], claims: Claims) -> list[str]:
    """Return a minimal conflicting set."""
    if len(ids) == 1:
        return ["no whole numbers print so:", f"  {quoted(ids[0], claims)}"]
    opening = f"these {len(ids)} cannot all hold, and without any one of them the others can:"
    return [opening, *(f"  {quoted(id, claims)}" for id in ids)]


def _spread_lines(finding: Finding, number: PrintedNumber) -> list[str]:
    """Return the values of the claim's expression that print so."""
    ways = f"more than {LIMIT:,}" if finding.count is None else f"{finding.count:,}"
    counted = f"{ways} way{'' if finding.count == 1 else 's'}"
    shown = "" if finding.spread is None else f": {_spread_text(finding.spread, number)}"
    return [f"{finding.convention.value}, it prints so in {counted}{shown}"]


def _without_lines(finding: Finding, number: PrintedNumber) -> list[str]:
    if finding.grounds is not None:
        return []
    if finding.without is None:
        return ["the other statements leave it open"]
    return [f"the other statements leave {_spread_text(finding.without, number)}"]


def _spread_text(spread: Spread, number: PrintedNumber) -> str:
    if spread.values is None or len(spread.values) > FEW:
        ends = dict.fromkeys(_value(one, number) for one in (spread.least, spread.most))
        return " to ".join(ends)
    return ", ".join(dict.fromkeys(_value(one, number) for one in spread.values))


def _value(one: Quotient, number: PrintedNumber) -> str:
    over, under = (f"{float(part):,.10g}" for part in (one.over, one.under))
    value = show(one.value, number)
    return value if one.under == 1 else f"{over}/{under} = {value}"


def _solution_lines(finding: Finding, system: System) -> list[str]:
    """Return every way in which the unknown numbers can be, if there are few."""
    if finding.count is None or finding.count > FEW:
        return []
    said = [
        inequality
        for statement in system.statements
        for inequality in statement.inequalities(finding.convention)
    ]
    names = next(one for one in system.statements if one.id == finding.id).names
    points = solutions(system.ranges, said) or ()
    rows = {tuple(f"{name} = {point[name]:,}" for name in names): None for point in points}
    return [f"  {', '.join(row)}" for row in rows]

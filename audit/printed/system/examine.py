"""What a system says of each printed number in it: given the others, it cannot, can or must be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from .conflicts import Telling, left_by, telling_sets
from .cpsat import Unsearched
from .forms import Inequality, at_most_zero
from .parts import joined
from .solve import FEW, Open, Quotient, Spread, implied, opened, spread
from .statement import Convention, Printed, Statement, System, positive


@dataclass(frozen=True, slots=True)
class Finding:
    """What a system says of a statement.

    Attributes
    ----------
    id : str
    conflicts : tuple of tuple of str
        Minimal conflicting sets that hold it, smaller ones first, then by their sorted ids, of
        those that tell something new; empty if there are none.
    convention : Convention
        How numbers were made to fit their digits in what follows.
    spread : Spread or None
        What its ratio may be: with the statement itself if it fits, else by others alone. None for
        a relation, and for a ratio that the others may leave undefined.
    beside : tuple of Quotient
        If it does not fit: the values nearest to the printed one that others leave, one below and
        one above at most.
    by_all : bool
        If it does not fit: whether those others are the rest of all its conflicting sets and every
        statement in none, rather than the rest of its first set, which can always hold.
    cut_off : bool
        If it does not fit: whether its first set could hold if its numbers were cut off.
    without : Spread or None
        If it fits, and the other statements leave values that do not print so: all that they leave;
        None if they may leave it undefined.
    grounds : tuple of str or None
        If it fits, and the other statements leave only values that print so: few of them that do,
        none of which can be spared.
    count : int or None
        In how many ways the unknowns that it speaks of, and those that hang on them, can be; None
        if too many to count. 0 if it does not fit.
    unsearched : str
        Why the search was given up; blank if it was not.
    """

    id: str
    conflicts: tuple[tuple[str, ...], ...] = ()
    convention: Convention = Convention.NEAREST
    spread: Spread | None = None
    beside: tuple[Quotient, ...] = ()
    by_all: bool = False
    cut_off: bool = False
    without: Spread | None = None
    grounds: tuple[str, ...] | None = None
    count: int | None = 0
    unsearched: str = ""


def components(system: System) -> tuple[System, ...]:
    """Return a system's components, in the order of their first statements.

    Statements are in one component if they share an unknown, be it by a chain of others.
    """
    found = []
    for places in joined([statement.names for statement in system.statements]):
        group = tuple(system.statements[place] for place in places)
        names = sorted({name for one in group for name in one.names})
        found.append(System({name: system.ranges[name] for name in names}, group))
    return tuple(found)


def examine(system: System) -> dict[str, Finding]:
    """Return what a system says of each of its statements, by id.

    All numbers are taken as rounded to the nearest, unless at least two fewer statements must be
    given up when all are taken as cut off: then that. A component whose search is given up says so
    of each of its statements, and nothing else.

    The order of the statements decides nothing but the order in which they are named: of several
    smallest conflicting sets the one whose ids come first in the alphabet stands first, and so
    wherever several answers are as good.
    """
    place = {one.id: at for at, one in enumerate(system.statements)}
    found = _found(replace(system, statements=tuple(sorted(system.statements, key=_id))))
    return {one.id: _named_in_order(found[one.id], place) for one in system.statements}


def _id(statement: Statement) -> str:
    return statement.id


def _named_in_order(finding: Finding, place: Mapping[str, int]) -> Finding:
    """Return a finding that names statements in the order of their places."""

    def ordered(ids: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(sorted(ids, key=place.__getitem__))

    return replace(
        finding,
        conflicts=tuple(map(ordered, finding.conflicts)),
        grounds=None if finding.grounds is None else ordered(finding.grounds),
    )


def _found(system: System) -> dict[str, Finding]:
    told = [_told(component) for component in components(system)]
    found: dict[str, Finding] = {}
    for one in _told_cut_off(told) or told:
        try:
            findings = _examined(one)
        except Unsearched as fault:
            findings = [Finding(each.id, unsearched=str(fault)) for each in one.system.statements]
        found |= {finding.id: finding for finding in findings}
    return found


@dataclass(frozen=True, slots=True)
class _Told:
    """A component with its conflicts, or with what stopped the search for them."""

    system: System
    conflicts: Telling
    stopped: Unsearched | None = None


def _told(component: System, enough: int | None = None) -> _Told:
    try:
        return _Told(component, telling_sets(component, enough))
    except Unsearched as fault:
        return _Told(component, Telling((), 0), fault)


def _told_cut_off(told: Sequence[_Told]) -> list[_Told] | None:
    """Return components with their numbers cut off, if that saves two faults, or else None."""
    spare = sum(one.conflicts.faults for one in told) - 2
    found = []
    for one in told:
        if spare < 0:
            return None
        cut_off = replace(one.system, convention=Convention.TRUNCATED)
        found.append(_told(cut_off, spare + 1))
        spare -= found[-1].conflicts.faults
    return found if spare >= 0 else None


def _examined(told: _Told) -> list[Finding]:
    """Return the findings of one component."""
    if told.stopped is not None:
        raise told.stopped
    system, sets = told.system, told.conflicts.sets
    apart = {id for one in sets for id in one}
    free = [one for one in system.statements if one.id not in apart]
    left = _left(system, free)
    return [
        _apart(system, one, tuple(ids for ids in sets if one.id in ids), free)
        if one.id in apart
        else _fits(system, one, [other for other in free if other != one], left)
        for one in system.statements
    ]


def _left(system: System, statements: Sequence[Statement]) -> Open:
    """Return what statements leave open that are known to hold together."""
    left = left_by(system, statements)
    if left is None:
        raise ValueError("must be statements that can hold together")
    return left


def _fits(system: System, one: Statement, others: Sequence[Statement], left: Open) -> Finding:
    """Return the finding of a statement that holds together with the others."""
    if one.printed is None:
        return Finding(one.id, convention=system.convention)
    grounds, without = _grounds(system, one, others), None
    if grounds is None:
        without = spread(_left(system, others), one.printed.ratio, FEW)
    return Finding(
        one.id,
        convention=system.convention,
        spread=spread(left, one.printed.ratio),
        without=without,
        grounds=grounds,
        count=left.count(one.names),
    )


def _grounds(system: System, one: Statement, others: Sequence[Statement]) -> tuple[str, ...] | None:
    """Return few of the statements that imply one, none of which can be spared, or None.

    Those nearest to it, by unknowns shared, are looked at first.
    """

    def enough(statements: Sequence[Statement]) -> bool:
        return implied(system.ranges, system.said(statements), system.said([one]))

    kept: list[Statement] = []
    layers = _layers(one, others)
    while not enough(kept):
        layer = next(layers, None)
        if layer is None:
            return None
        kept += layer
    for other in reversed(kept):
        fewer = [each for each in kept if each != other]
        if enough(fewer):
            kept = fewer
    return tuple(other.id for other in others if other in kept)


def _layers(one: Statement, others: Sequence[Statement]) -> Iterator[list[Statement]]:
    """Yield the statements that share unknowns with one, then those that do with these, and on."""
    reached, left = set(one.names), list(others)
    while layer := [other for other in left if reached & set(other.names)]:
        yield layer
        left = [other for other in left if other not in layer]
        reached |= {name for other in layer for name in other.names}


def _apart(
    system: System, one: Statement, holding: tuple[tuple[str, ...], ...], free: Sequence[Statement]
) -> Finding:
    """Return the finding of a statement that minimal conflicting sets hold."""
    if one.printed is None:
        return Finding(one.id, holding)
    wide = {id for ids in holding for id in ids} | {other.id for other in free}
    first = [other for other in system.statements if other.id in holding[0]]
    others = [other for other in system.statements if other.id in wide and other != one]
    left = left_by(system, others)
    by_all = left is not None
    if left is None:
        others = [other for other in first if other != one]
        left = _left(system, others)
    return Finding(
        one.id,
        holding,
        system.convention,
        spread(left, one.printed.ratio, FEW),
        _beside(system, one.printed, system.said(others)),
        by_all,
        left_by(replace(system, convention=Convention.TRUNCATED), first) is not None,
    )


def _beside(system: System, printed: Printed, said: Sequence[Inequality]) -> tuple[Quotient, ...]:
    """Return the values of a ratio next to the printed one, one below and one above at most."""
    ratio = printed.ratio
    short = ratio.numerator - ratio.denominator.times(printed.number.value)
    found = []
    for below in (True, False):
        side = at_most_zero(short if below else short.times(Fraction(-1)))
        left = opened(system.ranges, (*said, positive(ratio), side))
        values = None if left is None else spread(left, ratio, FEW)
        if values is not None:
            found.append(values.most if below else values.least)
    return tuple(dict.fromkeys(found))

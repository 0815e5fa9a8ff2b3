"""Margins: what print says of a corpus of matches, and the system that all of it makes.

A printed number or a given is a margin if all its unknowns are counts of a corpus. By design every
match ends in one way; what the counts of a corpus come to is then a matter of arithmetic, so that a
way to hand out endings exists if and only if the system has a solution.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from games.errors import StudyError

from ..rounding import read_number
from ..system.forms import Form, Inequality, Ranges, at_most_zero, constant, unknown
from ..system.language import Names, read_ratio, read_relation
from ..system.statement import Convention, Printed, Statement, System
from .file import Margin, MarginsFile
from .layout import Ints, Layout, rows_of


@dataclass(frozen=True, slots=True, eq=False)
class Margins:
    """What print says of a corpus.

    Attributes
    ----------
    layout : Layout
    ranges : mapping
        Unknown to least and most.
    printed : tuple of Statement
        Printed numbers; any of them may be given up.
    given : tuple of Statement
        What holds by design, whatever was printed.
    left_out : dict
        Id of a printed number that is no margin to the unknowns that no corpus counts.
    convention : Convention
    """

    layout: Layout
    ranges: Ranges
    printed: tuple[Statement, ...]
    given: tuple[Statement, ...]
    left_out: dict[str, tuple[str, ...]]
    convention: Convention = Convention.NEAREST

    def kept(self, dropped: Iterable[str] = ()) -> list[Inequality]:
        """Return what must hold of the counts if some printed numbers are given up."""
        gone = frozenset(dropped)
        kept = [one for one in self.printed if one.id not in gone]
        said = [part for one in (*self.given, *kept) for part in one.inequalities(self.convention)]
        return [*said, *_within(self.ranges)]

    def design(self) -> list[Inequality]:
        """Return what the design says of the cells: every match ends, and counts are counts."""
        layout, found = self.layout, list[Inequality]()
        for c, size in enumerate(layout.sizes.tolist()):
            ends = [layout.cell(c, e) for e in np.flatnonzero(layout.allowed[c]).tolist()]
            found += _equal(sum(map(unknown, ends), constant(0)) - constant(size))
        for name in self.ranges:
            found += _equal(layout.form(name) - unknown(name))
        return found

    def all_ranges(self) -> dict[str, tuple[int, int]]:
        """Return the ranges of unknowns and cells."""
        return {**self.ranges, **self.layout.cells()}


def margins_of(
    file: MarginsFile, layout: Layout, system: System, names: Names, numbers: Mapping[str, str]
) -> Margins:
    """Return what print says of a corpus.

    Parameters
    ----------
    file : MarginsFile
    layout : Layout
    system : System
        All claims that state something, and all givens.
    names : Names
        What its expressions speak of.
    numbers : mapping
        Id of every claim to its printed number.

    Raises
    ------
    StudyError
        A margin names no claim, or cannot be read.
    """
    counted = frozenset(layout.unknowns)
    wide = _with_counts(names, file)
    further = [_margin(one, wide, numbers) for one in file.margin]
    again = {one.id for one in further}
    every = [*(one for one in system.statements if one.id not in again), *further]
    inside = [one for one in every if set(one.names) <= counted]
    ranges = {name: _range(layout, name, system.ranges) for name in layout.unknowns}
    return Margins(
        layout,
        ranges,
        tuple(one for one in inside if one.id in numbers),
        tuple(one for one in inside if one.id not in numbers),
        {
            one.id: tuple(name for name in one.names if name not in counted)
            for one in every
            if one.id in numbers and not set(one.names) <= counted
        },
        system.convention,
    )


def _with_counts(names: Names, file: MarginsFile) -> Names:
    known = dict(names.unknown)
    for count in file.count:
        known.setdefault(count.unknown, rows_of(count, names.unknown))
    return replace(names, unknown=known)


def _margin(margin: Margin, names: Names, numbers: Mapping[str, str]) -> Statement:
    if margin.claim not in numbers:
        raise StudyError("margin.claim", "must name a claim", margin.claim)
    try:
        if margin.states:
            ratio = read_ratio(margin.states, names)
            return Statement(margin.claim, Printed(ratio, read_number(numbers[margin.claim])))
        said = [part for says in margin.says for part in read_relation(says, names)]
        return Statement(margin.claim, relations=tuple(said))
    except ValueError as fault:
        raise StudyError(f"margin.{margin.claim}", str(fault)) from None


def _range(layout: Layout, name: str, ranges: Ranges) -> tuple[int, int]:
    if name in ranges:
        return ranges[name]
    weight = layout.weight[layout.unknowns.index(name)]
    return 0, int((weight.max(axis=1) * layout.sizes).sum())


def _within(ranges: Ranges) -> list[Inequality]:
    return [
        one
        for name, (low, high) in ranges.items()
        for one in (Inequality(((name, -1),), -low), Inequality(((name, 1),), high))
    ]


def _equal(form: Form) -> list[Inequality]:
    return [at_most_zero(form), at_most_zero(constant(0) - form)]


def binding(margins: Margins, inequalities: Sequence[Inequality]) -> tuple[Ints, Ints]:
    """Return the inequalities that some way to end the matches would break, as arrays.

    Returns
    -------
    adds : ndarray of int64, shape (classes, endings, inequalities)
        What a match of a class adds by how it ends.
    most : ndarray of int64, shape (inequalities,)
    """
    layout = margins.layout
    adds, most = layout.coefficients(list(dict.fromkeys(inequalities)))
    open_to = np.where(layout.allowed[:, :, None], adds, np.iinfo(np.int64).min)
    reach = (open_to.max(axis=1) * layout.sizes[:, None]).sum(axis=0)
    kept = reach > most
    return adds[:, :, kept], most[kept]

"""Margins taken apart: matches on which no statement hangs together with others stand alone.

What is said of one part leaves the others as they are, so that ways to give up numbers, chains and
searches go part by part.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..system.parts import joined
from ..system.statement import Statement
from .layout import Ints, Layout
from .margins import Margins


def parts_of(margins: Margins) -> tuple[Margins, ...]:
    """Return margins as parts that share no match, in the order of their first classes.

    Matches of which nothing is said are parts without statements.
    """
    layout = margins.layout
    groups = [[str(c)] for c in range(len(layout.sizes))]
    groups += [_classes(layout, one) for one in (*margins.printed, *margins.given)]
    found = []
    for places in joined(groups):
        classes = [place for place in places if place < len(layout.sizes)]
        if classes:
            found.append(_part(margins, np.array(classes, dtype=np.int64)))
    return tuple(found)


def _classes(layout: Layout, statement: Statement) -> list[str]:
    """Return the classes whose matches can add to what a statement speaks of."""
    rows = [layout.unknowns.index(name) for name in statement.names]
    return [str(c) for c in np.flatnonzero(layout.weight[rows].any(axis=(0, 2))).tolist()]


def _part(margins: Margins, classes: Ints) -> Margins:
    layout = margins.layout
    own = np.flatnonzero(np.isin(layout.of_class, classes))
    allowed = layout.allowed[classes]
    endings = np.flatnonzero(allowed.any(axis=0))
    weight = layout.weight[:, classes][:, :, endings]
    told = np.flatnonzero(weight.any(axis=(1, 2)))
    part = Layout(
        tuple(layout.matches[row] for row in own),
        tuple(layout.endings[at] for at in endings),
        np.searchsorted(classes, layout.of_class[own]),
        allowed[:, endings],
        tuple(layout.unknowns[at] for at in told),
        np.ascontiguousarray(weight[told]),
        tuple(layout.counts[at] for at in told),
    )
    names = frozenset(part.unknowns)
    return replace(
        margins,
        layout=part,
        ranges={name: margins.ranges[name] for name in part.unknowns},
        printed=_told(margins.printed, names),
        given=_told(margins.given, names),
    )


def _told(statements: tuple[Statement, ...], names: frozenset[str]) -> tuple[Statement, ...]:
    return tuple(one for one in statements if one.names and set(one.names) <= names)

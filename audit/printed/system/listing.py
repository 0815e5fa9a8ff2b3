"""Every solution of a part, listed if there are few.

A part is first listed unknown by unknown, all lists at once, dropping each list as soon as an
inequality cannot hold any more. Where that grows too long, CP-SAT lists.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from .cpsat import Search, checked_reach
from .forms import Inequality, Ranges
from .parts import Part

# Lists of a part that are kept at once: so many, or so many for each that is wanted in the end.
_ROWS = 2_000
_ROWS_EACH = 25

Points = NDArray[np.int64]


@lru_cache(maxsize=1024)
def points_of(part: Part, limit: int) -> Points | None:
    """Return every solution of a part, or None if there are more than a limit.

    Parameters
    ----------
    part : Part
    limit : int
        At least 1.

    Returns
    -------
    array of int64, shape (solutions, unknowns), or None
        Columns in the order of the part's names, rows in lexicographic order; not to be written to.

    Raises
    ------
    Unsearched
        If the search is given up.
    """
    checked_reach(dict(part.ranges), part.inequalities)
    points = _grown(part, max(_ROWS, _ROWS_EACH * limit))
    if points is None:
        found = Search(dict(part.ranges), part.inequalities).points(limit + 1)
        rows = [[point[name] for name in part.names] for point in found]
        points = np.array(rows, dtype=np.int64).reshape(len(rows), len(part.names))
    if len(points) > limit:
        return None
    if part.names:
        points = points[np.lexsort(points.T[::-1])]
    points.setflags(write=False)
    return points


@lru_cache(maxsize=4096)
def has_point(part: Part) -> bool:
    """Return whether a part has a solution.

    Raises
    ------
    Unsearched
        If the search is given up.
    """
    checked_reach(dict(part.ranges), part.inequalities)
    points = _grown(part, _ROWS)
    if points is not None:
        return len(points) > 0
    return Search(dict(part.ranges), part.inequalities).found() is not None


def _grown(part: Part, most: int) -> Points | None:
    """Return every solution of a part, unordered, or None if lists of it get too many."""
    ranges, order = dict(part.ranges), _order(part)
    points: Points = np.zeros((1, 0), dtype=np.int64)
    for count, name in enumerate(order, start=1):
        low, high = ranges[name]
        width = high - low + 1
        if len(points) * width > most:
            return None
        column = np.tile(np.arange(low, high + 1, dtype=np.int64), len(points))
        points = np.column_stack([np.repeat(points, width, axis=0), column])
        for one in part.inequalities:
            if name in one.names:
                points = points[_may_hold(one, points, order[:count], ranges)]
    return points[:, [order.index(name) for name in part.names]]


def _may_hold(
    one: Inequality, points: Points, known: Sequence[str], ranges: Ranges
) -> NDArray[np.bool_]:
    """Return at which points an inequality holds for some values of the unknowns to come."""
    room = one.most - sum(
        much * ranges[name][much < 0] for name, much in one.terms if name not in known
    )
    total = np.zeros(len(points), dtype=np.int64)
    for name, much in one.terms:
        if name in known:
            total += much * points[:, known.index(name)]
    held: NDArray[np.bool_] = total <= room
    return held


def _order(part: Part) -> list[str]:
    """Return the unknowns in an order in which each is soon held by those before it."""
    ranges, left, order = dict(part.ranges), set(part.names), list[str]()
    beside: dict[str, set[str]] = {name: set() for name in left}
    for one in part.inequalities:
        for name in one.names:
            beside[name] |= set(one.names)
    while left:
        held = set().union(*(beside[name] for name in order)) & left
        name = min(held or left, key=lambda one: (ranges[one][1] - ranges[one][0], one))
        order.append(name)
        left.remove(name)
    return order

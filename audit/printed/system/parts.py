"""Ranges made tight, and a system taken apart into parts that say nothing of one another.

What the inequalities leave of each range is found by interval arithmetic, which is sound and need
not be complete. Numbers that are then fixed and inequalities that then always hold drop out, so
that what is left often falls into small parts.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .forms import Inequality, Range, Ranges

# Visits to an inequality before ranges are left as they are: two that chase each other through a
# wide range would go on for as long as it is wide.
_VISITS = 60


@dataclass(frozen=True, slots=True)
class Part:
    """Unknowns joined by inequalities.

    Attributes
    ----------
    ranges : tuple of (str, (int, int))
        Name to least and most, in order of name.
    inequalities : tuple of Inequality
        In unknowns of the part alone, none of which is fixed.
    """

    ranges: tuple[tuple[str, Range], ...]
    inequalities: tuple[Inequality, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The unknowns, in order."""
        return tuple(name for name, _ in self.ranges)


def tightened(ranges: Ranges, inequalities: Sequence[Inequality]) -> dict[str, Range] | None:
    """Return what inequalities leave of each range, or None if they leave nothing of one.

    Parameters
    ----------
    ranges : mapping
        Name to least and most.
    inequalities : sequence of Inequality
        In names of the ranges.
    """
    box = dict(ranges)
    speaking: dict[str, list[int]] = {name: [] for name in ranges}
    for place, one in enumerate(inequalities):
        for name in one.names:
            speaking[name].append(place)
    waiting, queued = deque(range(len(inequalities))), [True] * len(inequalities)
    for _ in range(_VISITS * len(inequalities)):
        if not waiting:
            break
        place = waiting.popleft()
        queued[place] = False
        moved = _tighten(box, inequalities[place])
        if moved is None:
            return None
        for name in moved:
            for other in speaking[name]:
                if not queued[other]:
                    queued[other] = True
                    waiting.append(other)
    return box


def _tighten(box: dict[str, Range], one: Inequality) -> list[str] | None:
    """Tighten the ranges of an inequality's unknowns in place and return those that moved."""
    room = one.most - sum(much * box[name][much < 0] for name, much in one.terms)
    if room < 0:
        return None
    moved = []
    for name, much in one.terms:
        low, high = box[name]
        if (high - low) * abs(much) > room:
            reach = room // abs(much)
            box[name] = (low, low + reach) if much > 0 else (high - reach, high)
            moved.append(name)
    return moved


def parts_of(box: Ranges, inequalities: Iterable[Inequality]) -> tuple[Part, ...]:
    """Return the parts of a system whose ranges are tight, in order of their first unknowns.

    Parameters
    ----------
    box : mapping
        As `tightened` returns it.
    inequalities : iterable of Inequality

    Returns
    -------
    tuple of Part
        Unknowns that no inequality holds any more are in none.
    """
    open_ones = [left for one in inequalities if (left := _open(one, box)) is not None]
    found = []
    for places in joined([one.names for one in open_ones]):
        kept = tuple(dict.fromkeys(open_ones[place] for place in places))
        names = sorted({name for one in kept for name in one.names})
        found.append(Part(tuple((name, box[name]) for name in names), kept))
    return tuple(sorted(found, key=lambda part: part.names))


def _open(one: Inequality, box: Ranges) -> Inequality | None:
    """Return an inequality in the unknowns that are not fixed, or None if it always holds."""
    if sum(much * box[name][much > 0] for name, much in one.terms) <= one.most:
        return None
    free = tuple((name, much) for name, much in one.terms if box[name][0] < box[name][1])
    fixed = sum(much * box[name][0] for name, much in one.terms if box[name][0] == box[name][1])
    return Inequality(free, one.most - fixed)


def joined(groups: Sequence[Iterable[str]]) -> list[list[int]]:
    """Return the places of groups of names, together where they share a name, be it by a chain.

    A group without names stands alone.
    """
    leader = list(range(len(groups)))

    def top(place: int) -> int:
        while leader[place] != place:
            leader[place] = leader[leader[place]]
            place = leader[place]
        return place

    first: dict[str, int] = {}
    for place, names in enumerate(groups):
        for name in names:
            one, other = sorted((top(first.setdefault(name, place)), top(place)))
            leader[other] = one
    found: dict[int, list[int]] = {}
    for place in range(len(groups)):
        found.setdefault(top(place), []).append(place)
    return list(found.values())

"""Ways to give up printed numbers so that some corpus satisfies all others.

Margins that conflict leave no corpus. A way is a smallest set of printed numbers without which the
rest can hold; every one of them is found. Candidates are smallest sets that meet all conflicts
known so far: either the rest can hold, which makes a way, or a minimal conflict within the rest is
learnt, by leaving out one statement after another.

References
----------
Reiter, doi:10.1016/0004-3702(87)90062-2 (faults as sets that meet every conflict).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..system.cpsat import Search, Unsearched, smallest_hitting
from .margins import Margins

MOST_WAYS = 64
_STEPS = 400


@dataclass(frozen=True, slots=True)
class Ways:
    """Every smallest set of printed numbers to be given up.

    Attributes
    ----------
    ways : tuple of tuple of str
        Ids in the order of the claims; one empty way if all margins can hold.
    conflicts : tuple of tuple of str
        The minimal conflicting sets that were met on the way.
    complete : bool
        Whether there are no further ways of that size.
    """

    ways: tuple[tuple[str, ...], ...]
    conflicts: tuple[tuple[str, ...], ...]
    complete: bool


def ways_to_drop(margins: Margins, most: int = MOST_WAYS) -> Ways:
    """Return every smallest set of printed numbers without which some corpus fits the others.

    Raises
    ------
    Unsearched
        If the search is given up, or the givens alone leave no corpus.
    """
    places = range(len(margins.printed))
    search, conflicts, found = _Rest(margins), list[tuple[int, ...]](), list[tuple[int, ...]]()
    if not search.holds(()):
        raise Unsearched("by design alone no corpus has these counts")
    for _ in range(_STEPS):
        way = smallest_hitting(places, conflicts, found)
        if way is None or (found and len(way) > len(found[0])):
            return _ways(margins, found, conflicts, complete=True)
        rest = [place for place in places if place not in way]
        if not search.holds(rest):
            conflicts.append(search.conflict(rest))
        elif len(found) < most:
            found.append(way)
        else:
            return _ways(margins, found, conflicts, complete=False)
    raise Unsearched("the search for ways to give up printed numbers was too long")


class _Rest:
    """Asks whether some printed numbers hold of a corpus."""

    def __init__(self, margins: Margins) -> None:
        gone = [one.id for one in margins.printed]
        self._ranges = margins.all_ranges()
        self._hard = [*margins.design(), *margins.kept(gone)]
        self._said = [one.inequalities(margins.convention) for one in margins.printed]

    def holds(self, places: Sequence[int]) -> bool:
        said = [part for place in places for part in self._said[place]]
        return Search(self._ranges, [*self._hard, *said]).found() is not None

    def conflict(self, places: Sequence[int]) -> tuple[int, ...]:
        """Return a minimal conflict among statements that do not hold together."""
        kept = list(places)
        for place in places:
            fewer = [one for one in kept if one != place]
            if not self.holds(fewer):
                kept = fewer
        return tuple(kept)


def _ways(
    margins: Margins,
    found: Sequence[tuple[int, ...]],
    conflicts: Sequence[tuple[int, ...]],
    *,
    complete: bool,
) -> Ways:
    ids = [one.id for one in margins.printed]

    def named(sets: Sequence[tuple[int, ...]]) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(ids[place] for place in one) for one in sorted(sets))

    return Ways(named(found), named(conflicts), complete)

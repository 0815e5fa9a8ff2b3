"""Which statements cannot all hold: minimal conflicting sets, the smallest first.

Every conflicting set meets every *correction*: the statements left out when others hold together.
So a smallest set that meets all corrections found so far either can hold, which gives a further
correction, or is a minimal conflicting set; it is then kept out, and the search goes on.

Where a statement is wrong, every chain of others from which it follows gives a further minimal set.
`telling_sets` keeps those that tell something new: the smallest ones, and beyond them only what no
fewest possible faults in the sets kept so far would explain.

References
----------
Ignatiev, Previti, Liffiton and Marques-Silva, doi:10.1007/978-3-319-23219-5_13 (the search);
Reiter, doi:10.1016/0004-3702(87)90062-2 (faults as sets that meet every conflict).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile

from .cpsat import Search, Unsearched, smallest_hitting
from .solve import Open, opened
from .statement import Statement, System

# Sets looked at, one after the other, before a search is given up.
_STEPS = 400
# Smallest sets of one size kept.
_ALIKE = 60

Places = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Telling:
    """The minimal conflicting sets of a system that tell something new.

    Attributes
    ----------
    sets : tuple of tuple of str
        Ids in the system's order, smaller sets first; empty if all statements can hold.
    faults : int
        The fewest statements that must be given up.
    """

    sets: tuple[tuple[str, ...], ...]
    faults: int


def minimal_sets(system: System) -> Iterator[tuple[str, ...]]:
    """Yield every minimal conflicting set of a system, as ids in its order, smaller sets first.

    Raises
    ------
    Unsearched
        If the search is given up.
    """
    ids = [statement.id for statement in system.statements]
    for found in _minimal_sets(system, range(len(ids))):
        yield tuple(ids[place] for place in found)


def telling_sets(system: System, enough: int | None = None) -> Telling:
    """Return the minimal conflicting sets that tell something new.

    The smallest sets are kept; then those that no choice of as few faulty statements as can be
    would explain, again the smallest; and so on. What is outside the sets kept can hold.

    Parameters
    ----------
    system : System
    enough : int, optional
        So many faults at which to stop, at least 1, if there are so many.

    Raises
    ------
    Unsearched
        If the search is given up.
    """
    kept, blamed, faults = list[Places](), frozenset[int](), 0
    if left_by(system, system.statements) is not None:
        return Telling((), 0)
    while enough is None or faults < enough:
        left = [place for place in range(len(system.statements)) if place not in blamed]
        further = _smallest_sets(system, left)
        if not further:
            break
        kept += further
        blamed, faults = _blamed(kept), _fewest(kept)
    ids = [statement.id for statement in system.statements]
    ordered = sorted(kept, key=lambda one: (len(one), one))
    return Telling(tuple(tuple(ids[place] for place in one) for one in ordered), faults)


def left_by(system: System, statements: Iterable[Statement]) -> Open | None:
    """Return what some statements of a system leave open, or None if they cannot all hold.

    Raises
    ------
    Unsearched
        If the search is given up.
    """
    return opened(system.ranges, system.said(statements))


def _blamed(sets: Sequence[Places]) -> frozenset[int]:
    """Return the places that some smallest set which meets all given sets holds."""
    places = {place for one in sets for place in one}
    fewest = _fewest(sets)
    return frozenset(
        place for place in places if _fewest([one for one in sets if place not in one]) < fewest
    )


def _fewest(sets: Sequence[Places]) -> int:
    """Return the size of a smallest set that meets all given sets, none of them empty."""
    found = smallest_hitting({place for one in sets for place in one}, sets, ())
    return 0 if found is None else len(found)


def _smallest_sets(system: System, places: Sequence[int]) -> list[Places]:
    """Return the smallest minimal conflicting sets among some statements."""
    sets = _minimal_sets(system, places)
    first = next(sets, None)
    if first is None:
        return []
    alike = takewhile(lambda one: len(one) == len(first), sets)
    return [first, *islice(alike, _ALIKE - 1)]


def _minimal_sets(system: System, places: Sequence[int]) -> Iterator[Places]:
    """Yield every minimal conflicting set among some statements, smaller ones first."""
    statements = [system.statements[place] for place in places]
    search = Search(system.ranges, (), [system.said([one]) for one in statements])
    corrections, found = list[frozenset[int]](), list[Places]()
    for _ in range(_STEPS):
        seed = smallest_hitting(places, corrections, found)
        if seed is None:
            return
        held = search.most_held([places.index(place) for place in seed])
        if held is None:
            found.append(seed)
            yield seed
        else:
            corrections.append(frozenset(places) - {places[place] for place in held})
    raise Unsearched("the search for conflicts was given up as too long")

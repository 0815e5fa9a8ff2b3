"""What follows a draw: who is asked which item, what is asked twice, and what is for practice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from games.errors import RunError
from games.rules.schedule import seeded

from .inclusion import Allocation, Ints, allocate
from .selection import Design

if TYPE_CHECKING:
    from .sampling import Sampling


def shared_out(design: Design) -> tuple[list[int | None], Ints]:
    """Return the seat of each place of the sample, and the places that are asked twice."""
    rng = seeded(design.seed, "seats")
    order = rng.permutation(design.begun)
    seats: list[int | None] = [None] * design.n
    if not design.all_shared:
        for turn, place in enumerate(order[design.shared :]):
            seats[place] = turn % design.annotators + 1
        for place in range(design.begun, design.n):
            seats[place] = _dealt(design, place)
    return seats, order[: design.repeats]


def _dealt(design: Design, place: int) -> int:
    """Return the seat of an item added later: each seat once in every round of the seats."""
    number, turn = divmod(place, design.annotators)
    seats = seeded(design.seed, "seats added", str(number)).permutation(design.annotators)
    return int(seats[turn]) + 1


def practised(sampling: Sampling, entered: Ints, design: Design) -> tuple[str, ...]:
    """Return items to practise on, equally many of each stratum as far as there are any.

    They are of the matches that a longer sample reaches last.

    Raises
    ------
    RunError
        There are not as many, or the sample has become so long that it reaches them.
    """
    reached = np.full(sampling.match.max() + 1, len(entered))
    reached[sampling.match[entered[::-1]]] = np.arange(len(entered))[::-1]
    free = [m[reached[sampling.match[m]] >= design.begun] for m in sampling.strata]
    sizes = np.array([len(members) for members in free], dtype=np.int64)
    if design.practice > sizes.sum():
        rule = f"must be at most the {sizes.sum()} items of matches from which none is drawn"
        raise RunError("practice", rule, design.practice)
    counts = allocate(sizes, design.practice, Allocation.EQUAL, 0)
    rng = seeded(design.seed, "practice")
    met: dict[int, int] = {}
    places = [
        place
        for members, count in zip(free, counts, strict=True)
        for place in _last(rng.permutation(members), count, sampling.match, reached, met)
    ]
    chosen = rng.permutation(np.array(places, dtype=np.int64))
    most = int(reached[sampling.match[chosen]].min(initial=len(sampling.ordered)))
    if design.n > most:
        rule = f"must be at most {most}, which leaves out the matches that were practised on"
        raise RunError("n", rule, design.n)
    return tuple(sampling.ordered[place].item for place in chosen)


def _last(members: Ints, count: int, match: Ints, reached: Ints, met: dict[int, int]) -> list[int]:
    """Return so many members, of the matches met least often, and of these the reached last."""
    left: list[int] = members.tolist()
    taken: list[int] = []
    for _ in range(count):
        place = min(left, key=lambda one: (met.get(int(match[one]), 0), -reached[match[one]]))
        met[int(match[place])] = met.get(int(match[place]), 0) + 1
        left.remove(place)
        taken.append(place)
    return taken

"""Sampling items for people to label, each with the probability of having been drawn.

Three further draws follow the sample and leave its probabilities as they are. Of the n items drawn,
a simple random part is asked of every annotator and the rest of one each, dealt in turn; of that
part, a simple random part is asked twice. Practice items come from matches of which none was drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from games.errors import RunError
from games.rules.schedule import seeded

from .inclusion import (
    Allocation,
    Floats,
    Ints,
    allocate,
    draw_one_a_match,
    draw_plain,
    one_a_match,
)
from .selection import Design, Selected, Selection, Stratum
from .strata import Unit

__all__ = ["Design", "Sampling", "Selected", "Selection", "Stratum", "draw"]


def draw(
    population: Sequence[Unit], design: Design, left_out: Mapping[str, int] | None = None
) -> Selection:
    """Return a stratified sample of exactly ``design.n`` items, inclusion probabilities known.

    Parameters
    ----------
    population : sequence of Unit
        All items that may be drawn, cut by the design's keys, in any order.
    design : Design
    left_out : mapping, optional
        What the population lacks: reason to items; written into the selection.

    Raises
    ------
    RunError
        The number asked for cannot be drawn.
    ValueError
        The population is cut by other keys than the design says.
    """
    sampling = Sampling(population, design)
    ordered, strata, probability = sampling.ordered, sampling.strata, sampling.probability
    rng = seeded(design.seed, "selection")
    drawn = rng.permutation(sampling.draw(rng))
    seats, repeats = _shared_out(design)
    return Selection(
        design=design,
        population=len(ordered),
        left_out=dict(left_out or {}),
        strata=tuple(
            Stratum(
                values=dict(ordered[members[0]].cell),
                size=len(members),
                expected=round(float(probability[members].sum()), 9),
                drawn=int(np.isin(members, drawn).sum()),
            )
            for members in strata
        ),
        items=_selected(sampling, drawn, seats),
        repeats=tuple(sorted(ordered[drawn[place]].item for place in repeats)),
        practice=_practice(sampling, drawn, design),
    )


class Sampling:
    """One design over one population: probabilities once, draws as often as asked.

    Attributes
    ----------
    ordered : list of Unit
        The population by id.
    strata : list of ndarray of int
        Positions of each stratum's members; strata go by their smallest item id.
    counts : ndarray of int, shape (strata,)
        What was allocated.
    probability : ndarray of float, shape (units,)

    Raises
    ------
    RunError
        The number asked for cannot be drawn.
    ValueError
        The population is cut by other keys than the design says.
    """

    def __init__(self, population: Sequence[Unit], design: Design) -> None:
        self.ordered = sorted(population, key=lambda unit: unit.item)
        self.strata = _strata(self.ordered)
        sizes = np.array([len(members) for members in self.strata], dtype=np.int64)
        _check(self.ordered, sizes, design)
        _check_shares(design)
        chances = design.anticipated.chances(self.ordered)
        means = np.array([chances[members].mean() for members in self.strata])
        self.counts = allocate(sizes, design.n, design.allocation, design.minimum, means)
        self.probability: Floats = np.empty(len(self.ordered))
        for members, count in zip(self.strata, self.counts, strict=True):
            self.probability[members] = count / len(members)
        self.match = _numbered([unit.match for unit in self.ordered])
        self._per_match = design.per_match
        if design.per_match:
            self.probability = one_a_match(self.probability, self.match, design.n)

    def draw(self, rng: np.random.Generator) -> Ints:
        """Return the positions of one sample, in no meaningful order."""
        if self._per_match:
            return draw_one_a_match(self.probability, self.match, rng)
        return draw_plain(self.strata, self.counts, rng)


def _strata(ordered: Sequence[Unit]) -> list[Ints]:
    """Return the positions of each stratum's members; strata go by their smallest item id."""
    members: dict[object, list[int]] = {}
    for position, unit in enumerate(ordered):
        members.setdefault(unit.cell, []).append(position)
    return [np.array(positions, dtype=np.int64) for positions in members.values()]


def _check(ordered: Sequence[Unit], sizes: Ints, design: Design) -> None:
    if any(tuple(key for key, _ in unit.cell) != design.by for unit in ordered):
        raise ValueError("`population` must be cut by the keys of the design")
    if design.minimum < 1:
        raise RunError("minimum", "must be at least 1", design.minimum)
    least = max(1, int(np.minimum(sizes, design.minimum).sum()))
    if design.n < least:
        rule = f"must be at least {least}, {design.minimum} for each of {len(sizes)} strata"
        raise RunError("n", rule, design.n)
    if design.n > len(ordered):
        raise RunError("n", f"must be at most the {len(ordered)} items there are", design.n)
    matches = len({unit.match for unit in ordered})
    if design.per_match and design.n > matches:
        rule = f"must be at most the {matches} matches, or --several items of one may be drawn"
        raise RunError("n", rule, design.n)


def _check_shares(design: Design) -> None:
    if design.annotators < 1:
        raise RunError("annotators", "must be at least 1", design.annotators)
    if not 0 <= design.shared <= design.n:
        raise RunError("overlap", f"must lie between 0 and the {design.n} items", design.shared)
    if not 0 <= design.repeats <= design.shared:
        rule = f"must lie between 0 and the {design.shared} items that every annotator is asked"
        raise RunError("repeats", rule, design.repeats)
    if design.practice < 0:
        raise RunError("practice", "must be at least 0", design.practice)


def _numbered(names: Sequence[str]) -> Ints:
    number = {name: i for i, name in enumerate(sorted(set(names)))}
    return np.array([number[name] for name in names], dtype=np.int64)


def _shared_out(design: Design) -> tuple[list[int | None], Ints]:
    """Return the seat of each place of the sample, and the places that are asked twice."""
    rng = seeded(design.seed, "seats")
    order = rng.permutation(design.n)
    seats: list[int | None] = [None] * design.n
    for turn, place in enumerate(order[design.shared :]):
        seats[place] = turn % design.annotators + 1
    return seats, order[: design.repeats]


def _practice(sampling: Sampling, drawn: Ints, design: Design) -> tuple[str, ...]:
    """Return items to practise on, equally many of each stratum as far as there are any."""
    met = sampling.match[drawn]
    free = [members[~np.isin(sampling.match[members], met)] for members in sampling.strata]
    sizes = np.array([len(members) for members in free], dtype=np.int64)
    if design.practice > sizes.sum():
        rule = f"must be at most the {sizes.sum()} items of matches from which none is drawn"
        raise RunError("practice", rule, design.practice)
    counts = allocate(sizes, design.practice, Allocation.EQUAL, 0)
    rng = seeded(design.seed, "practice")
    places = rng.permutation(draw_plain(free, counts, rng))
    return tuple(sampling.ordered[place].item for place in places)


def _selected(sampling: Sampling, drawn: Ints, seats: Sequence[int | None]) -> tuple[Selected, ...]:
    ordered, strata = sampling.ordered, sampling.strata
    stratum = {int(i): number for number, members in enumerate(strata) for i in members}
    return tuple(
        Selected(
            item=ordered[i].item,
            match=ordered[i].match,
            stratum=stratum[i],
            stratum_size=len(strata[stratum[i]]),
            probability=float(sampling.probability[i]),
            seat=seat,
        )
        for i, seat in zip(map(int, drawn), seats, strict=True)
    )

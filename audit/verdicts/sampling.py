"""Sampling items for people to label, each with the probability of having been drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from pydantic import Field

from games.errors import RunError
from games.records import Record
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
from .strata import StratumKey, Unit


class Stratum(Record):
    """One cell of the population: its values, its size, how many were expected and were drawn."""

    values: dict[StratumKey, str]
    size: int
    expected: float
    drawn: int


class Selected(Record):
    """One item drawn.

    Attributes
    ----------
    item, match : str
    stratum : int
        Position among the selection's strata.
    stratum_size : int
    probability : float
        Of having been drawn, above 0 and at most 1.
    """

    item: str
    match: str
    stratum: int
    stratum_size: int
    probability: float = Field(gt=0, le=1)

    @property
    def weight(self) -> float:
        """Return how many items of the population the item stands for."""
        return 1 / self.probability


class Design(Record):
    """What decides a draw beside the population: which items, shared how, drawn by which seed.

    Attributes
    ----------
    n : int
        Items to draw.
    seed : int
        Decides the draw together with the ids of the items; names of players decide nothing.
    by : tuple of StratumKey
        Keys that cross to form the strata; none makes one stratum of all.
    within : dict
        Key to the one value that an item must have to be drawn at all.
    allocation : Allocation
    minimum : int
        Items that each stratum gets, or all that it has; at least 1, since a stratum that cannot
        be drawn from says nothing of the population.
    per_match : bool
        Draw at most one item of a match; ``minimum`` then shapes the probabilities only.
    """

    n: int
    seed: int
    by: tuple[StratumKey, ...] = ()
    within: dict[StratumKey, str] = Field(default_factory=dict)
    allocation: Allocation = Allocation.PROPORTIONAL
    minimum: int = 1
    per_match: bool = False


class Selection(Record):
    """A sample of items in the order in which people see them, and the design that made it."""

    format: int = 1
    design: Design
    population: int
    left_out: dict[str, int]
    strata: tuple[Stratum, ...]
    items: tuple[Selected, ...]


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
    ordered = sorted(population, key=lambda unit: unit.item)
    strata = _strata(ordered)
    sizes = np.array([len(members) for members in strata], dtype=np.int64)
    _check(ordered, sizes, design)
    counts = allocate(sizes, design.n, design.allocation, design.minimum)
    probability, drawn = _drawn(ordered, strata, counts, design)
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
        items=_selected(ordered, strata, probability, drawn),
    )


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
        raise RunError("n", f"must be at most the {matches} matches, one item each", design.n)


def _drawn(
    ordered: Sequence[Unit], strata: Sequence[Ints], counts: Ints, design: Design
) -> tuple[Floats, Ints]:
    """Return every unit's inclusion probability, and the positions drawn in the order to show."""
    rng = seeded(design.seed, "selection")
    probability: Floats = np.empty(len(ordered))
    for members, count in zip(strata, counts, strict=True):
        probability[members] = count / len(members)
    if design.per_match:
        number = {match: i for i, match in enumerate(sorted({u.match for u in ordered}))}
        match = np.array([number[unit.match] for unit in ordered], dtype=np.int64)
        probability = one_a_match(probability, match, design.n)
        drawn = draw_one_a_match(probability, match, rng)
    else:
        drawn = draw_plain(strata, counts, rng)
    return probability, rng.permutation(drawn)


def _selected(
    ordered: Sequence[Unit], strata: Sequence[Ints], probability: Floats, drawn: Ints
) -> tuple[Selected, ...]:
    stratum = {int(i): number for number, members in enumerate(strata) for i in members}
    return tuple(
        Selected(
            item=ordered[i].item,
            match=ordered[i].match,
            stratum=stratum[i],
            stratum_size=len(strata[stratum[i]]),
            probability=float(probability[i]),
        )
        for i in map(int, drawn)
    )

"""Sampling items for people to label, each with the probability of having been drawn.

Three further draws follow the sample and leave its probabilities as they are. Of the n items drawn,
a simple random part is asked of every annotator and the rest of one each, dealt in turn; of that
part, a simple random part is asked twice. Practice items come from matches of which none was drawn.

A sample can be made longer. All items stand in an order of entry that hangs on the design and its
seed, and n says how many of them are in. What was fixed with the first n stays: sizes, overlap,
repeats, practice; the new items are dealt in turn, or asked of all where all are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from games.errors import RunError
from games.rules.schedule import seeded

from .inclusion import (
    Floats,
    Ints,
    allocate,
    allotted,
    draw_plain,
    entered_one_a_match,
    entered_plain,
    one_a_match,
)
from .selection import Design, Selected, Selection, Stratum
from .sharing import practised, shared_out
from .strata import Unit

__all__ = ["Design", "Sampling", "Selected", "Selection", "Stratum", "draw", "longer"]


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
    entered = sampling.entered(seeded(design.seed, "selection"))
    chance = seeded(design.seed, "order of the sample").permutation(design.begun)
    drawn = np.concatenate([entered[chance], entered[design.begun : design.n]])
    seats, repeats = shared_out(design)
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
        practice=practised(sampling, entered, design),
    )


def longer(
    population: Sequence[Unit], design: Design, left_out: Mapping[str, int], before: Selection
) -> Design | None:
    """Return the design by which a sample that was drawn before becomes as long as is asked for.

    None where it cannot: the design differs in more than a larger n, or what may be drawn, or the
    way of drawing, is not what it was.
    """
    if not before.design.goes_on_in(design):
        return None
    if draw(population, before.design, left_out) != before:
        return None
    if design.n == before.design.n:
        return before.design
    return design.model_copy(update={"first": before.design.begun})


class Sampling:
    """One design over one population: probabilities once, draws as often as asked.

    Attributes
    ----------
    design : Design
    ordered : list of Unit
        The population by id.
    strata : list of ndarray of int
        Positions of each stratum's members; strata go by their smallest item id.
    probability, first : ndarray of float, shape (units,)
        Of being drawn, and of having been drawn before the sample was made longer.

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
        self.design = design
        self._members, self._shape = sizes, (design.allocation, design.minimum, means)
        self.match = _numbered([unit.match for unit in self.ordered])
        self.first = self._plain(design.begun)
        if design.per_match:
            # What the first draw gave the strata is what the sizes of items are made of for good.
            self._claims = self.first
            self.first = one_a_match(self._claims, self.match, design.begun)
            self.probability = one_a_match(self._claims, self.match, design.n)
        else:
            self.probability = self._plain(design.n)

    def _counts(self, n: int) -> Ints:
        return allocate(self._members, n, *self._shape)

    def _plain(self, n: int) -> Floats:
        probability = np.empty(len(self.ordered))
        for members, count in zip(self.strata, self._counts(n), strict=True):
            probability[members] = count / len(members)
        return probability

    def entered(self, rng: np.random.Generator) -> Ints:
        """Return positions in an order of entry, whose first n are a sample of n for every n."""
        if self.design.per_match:
            return entered_one_a_match(self._claims, self.match, rng)
        turns = allotted(self._members, len(self.ordered), *self._shape)
        return entered_plain(self.strata, turns, rng)

    def draw(self, rng: np.random.Generator) -> Ints:
        """Return the positions of one sample, in no meaningful order."""
        if self.design.per_match:
            return self.entered(rng)[: self.design.n]
        return draw_plain(self.strata, self._counts(self.design.n), rng)


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


def _selected(sampling: Sampling, drawn: Ints, seats: Sequence[int | None]) -> tuple[Selected, ...]:
    ordered, strata, grown = sampling.ordered, sampling.strata, sampling.design.first is not None
    stratum = {int(i): number for number, members in enumerate(strata) for i in members}
    return tuple(
        Selected(
            item=ordered[i].item,
            match=ordered[i].match,
            stratum=stratum[i],
            stratum_size=len(strata[stratum[i]]),
            probability=float(sampling.probability[i]),
            seat=seat,
            first=float(sampling.first[i]) if grown else None,
        )
        for i, seat in zip(map(int, drawn), seats, strict=True)
    )

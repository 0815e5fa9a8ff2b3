"""What a design buys before anyone labels: what it cannot exclude, its time, and what is better.

How precise it is stands in ``precision``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from games.rules.item import kind_of
from games.words import ItemKind

from .hidden import hidden_at_most, needed_to_exclude
from .inclusion import Allocation, Floats
from .precision import LEVEL, STUDIES, Figure, Precision, precision
from .sampling import Sampling
from .selection import Design
from .strata import Unit

# Seconds that an item takes, as the annotators' guideline has them.
SECONDS: dict[ItemKind, int] = {
    ItemKind.HOLDER_REPLY: 40,
    ItemKind.DECLARATION: 25,
    ItemKind.SEEKER_MESSAGE: 15,
    ItemKind.LOCK: 10,
    ItemKind.MESSAGE_FORM: 30,
    ItemKind.MESSAGE_AIM: 30,
    ItemKind.ANSWER: 20,
}


@dataclass(frozen=True, slots=True)
class Missed:
    """What a sample cannot exclude among the items of a kind that the arbiter passed.

    Attributes
    ----------
    kind : ItemKind
    passed : int
    anticipated : float
        How many of them are positive if what is anticipated holds.
    drawn : int
        How many of them are drawn, on average, rounded down.
    none_found, one_found : int
        Exact upper bounds at 95 % on the positives among them if the sample shows none or one, as
        though it were drawn at random among them; ``one_found`` is all where fewer are drawn.
    to_exclude : int
        Of how many of them none may be positive to exclude that more than one in 100 is.
    """

    kind: ItemKind
    passed: int
    anticipated: float
    drawn: int
    none_found: int
    one_found: int
    to_exclude: int


@dataclass(frozen=True, slots=True)
class Time:
    """What the labelling takes: labels of all annotators together, and hours."""

    labels: int
    hours: float


def shared_otherwise(
    population: Sequence[Unit],
    design: Design,
    kind: ItemKind,
    rng: np.random.Generator,
    studies: int = STUDIES,
) -> dict[Allocation, Precision]:
    """Return the precision that each other way of sharing the items among strata would buy."""
    found = {}
    for allocation in Allocation:
        if allocation is design.allocation:
            continue
        sampling = Sampling(population, design.model_copy(update={"allocation": allocation}))
        chances = design.anticipated.chances(sampling.ordered)
        one = precision(sampling, chances, kind, rng, studies)
        if one is not None:
            found[allocation] = one
    return found


def narrowest(
    asked: Precision, others: Mapping[Allocation, Precision], figure: Figure
) -> Allocation | None:
    """Return the allocation that knows a figure best, if it is one of the others.

    None where no other is narrower than the one asked for by more than twice the Monte Carlo error
    of the difference.
    """
    ours, best = asked.figures[figure], None
    least = ours.margin
    for allocation, other in others.items():
        theirs = other.figures[figure]
        slack = 2 * math.hypot(ours.margin_error, theirs.margin_error)
        if theirs.margin < least and theirs.margin + slack < ours.margin:
            best, least = allocation, theirs.margin
    return best


def missed(sampling: Sampling, kind: ItemKind, chances: Floats) -> Missed | None:
    """Return what a sample cannot exclude among the passed items; None where none was passed.

    Parameters
    ----------
    sampling : Sampling
    kind : ItemKind
    chances : ndarray of float, shape (units,)
        Of being positive, in the order of ``sampling.ordered``.
    """
    passed = np.array(
        [unit.flagged is False and kind_of(unit.item) == kind for unit in sampling.ordered]
    )
    total = int(passed.sum())
    if not total:
        return None
    # A sum of probabilities that is whole may come out just below.
    drawn = int(sampling.probability[passed].sum() + 1e-9)
    one = hidden_at_most(1, drawn, total, LEVEL) if drawn else total
    return Missed(
        kind=kind,
        passed=total,
        anticipated=float(chances[passed].sum()),
        drawn=drawn,
        none_found=hidden_at_most(0, drawn, total, LEVEL),
        one_found=one,
        to_exclude=needed_to_exclude(total // 100, total, LEVEL),
    )


def time_needed(
    sampling: Sampling, design: Design, seconds: Mapping[ItemKind, float] = SECONDS
) -> Time:
    """Return the labels that a design asks for, and their hours at so many seconds an item.

    Repeats and practice count at the mean of the sample.
    """
    each = np.array([seconds[ItemKind(kind_of(unit.item))] for unit in sampling.ordered])
    mean = float(each @ sampling.probability) / design.n
    alone = design.n - design.shared
    labels = alone + design.annotators * (design.shared + design.repeats + design.practice)
    return Time(labels, labels * mean / 3600)

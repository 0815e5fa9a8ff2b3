"""One part of a run, as arrays: what the arbiter ruled on every item, what people say of some.

In AIDG-I the estimand is a true yes within the recorded dialogue: a leak that a Holder's reply
holds, a declaration that names the secret. What would have been said after a ruling that people
overturn is not on record; a share of won matches is therefore a bound.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from audit.numbers.estimate import Estimate, Interval, Undefined
from audit.numbers.match_bounds import MatchBounds, match_bounds
from audit.numbers.proportion import proportion
from audit.numbers.recovery import CellLimits, cell_limits, clustered_size, effective_size
from audit.numbers.two_phase import Checked, two_phase

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

ESTIMAND = (
    "a true leak, or a declaration that names the secret, within the recorded dialogue; what would "
    "have followed a ruling that people overturn was never said"
)
LEVEL = 0.95
LIMITS = CellLimits.JEFFREYS
# Cells of `match_bounds`: the yes that ended a match, a no in such a match, a no in another.
_ENDING, _BEFORE, _ELSEWHERE = range(3)


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """Every item of some matches.

    Attributes
    ----------
    match : ndarray of int64, shape (items,)
        The match of each item, counted from 0.
    yes : ndarray of bool, shape (items,)
        What the arbiter ruled; a yes ends its match.
    cluster : ndarray of int64, shape (matches,)
        What matches have in common, by default the ordered pair of players.
    checked : ndarray of int64, shape (labels,)
        Positions of the items that people labelled.
    label : ndarray of bool, shape (labels,)
        What people say of these.
    weight : ndarray of float64, shape (labels,)
        How many items each stands for, above 0.
    """

    match: Ints
    yes: Bools
    cluster: Ints
    checked: Ints
    label: Bools
    weight: Floats

    @property
    def matches(self) -> int:
        """How many matches there are."""
        return len(self.cluster)

    @property
    def ended(self) -> Ints:
        """1 for each match that a yes ended, else 0."""
        return np.bincount(self.match, weights=self.yes, minlength=self.matches).astype(np.int64)

    @property
    def passed(self) -> Ints:
        """How many items of each match the arbiter let pass."""
        return np.bincount(self.match, weights=~self.yes, minlength=self.matches).astype(np.int64)


@dataclass(frozen=True, slots=True)
class Corrected:
    """What labels make of one part of a run.

    Attributes
    ----------
    arbiter, people, items : Estimate
        Share of yes among all items: as the arbiter ruled, from people's labels alone, and
        corrected, the last with both errors in its interval.
    won : Estimate
        Share of matches that the arbiter's yes ended.
    matches : MatchBounds
        Share of matches with a true yes on record.
    """

    arbiter: Estimate
    people: Estimate
    items: Estimate
    won: Estimate
    matches: MatchBounds


@dataclass(frozen=True, slots=True)
class CorrectedItems:
    """Share of yes among all items: as ruled, from people's labels alone, and corrected."""

    arbiter: Estimate
    people: Estimate
    items: Estimate


def correct_items(part: Judged, *, factor: float = 1.0, alike: bool = False) -> CorrectedItems:
    """Return what labels make of the share of yes among all items.

    Parameters
    ----------
    part : Judged
    factor : float
        As of `correct`.
    alike : bool
        As of `checked_cells`.
    """
    said = np.where(part.yes, 0, 1)
    table = np.zeros((int(part.cluster.max(initial=-1)) + 1, 2), dtype=np.int64)
    np.add.at(table, (part.cluster[part.match], said), 1)
    held = table.any(axis=1)
    items = Estimate.undefined(Undefined.EMPTY, 0)
    if held.any():
        checked = checked_cells(part, said, (1.0, 0.0), factor, alike=alike)
        beyond = _beyond(part, said, checked)[held] if alike else None
        items = two_phase(table[held], checked, level=LEVEL, method=LIMITS, beyond=beyond)
    arbiter = proportion(int(part.yes.sum()), len(part.yes), level=LEVEL)
    return CorrectedItems(arbiter, _people(part), items)


def correct(part: Judged, *, factor: float = 1.0) -> Corrected:
    """Return what labels make of one part of a run, whose matches a yes ends.

    Parameters
    ----------
    part : Judged
    factor : float
        As if there were so many times the labels, and they said the same; 1 but in a forecast.
    """
    ended, shares = part.ended, correct_items(part, factor=factor)
    place = np.where(part.yes, _ENDING, np.where(ended[part.match] > 0, _BEFORE, _ELSEWHERE))
    placed = checked_cells(part, place, (1.0, 0.0, 0.0), factor)
    return Corrected(
        arbiter=shares.arbiter,
        people=shares.people,
        items=shares.items,
        won=proportion(int(ended.sum()), part.matches, level=LEVEL),
        matches=match_bounds(ended, part.passed, part.cluster, placed, level=LEVEL, method=LIMITS),
    )


def checked_cells(
    part: Judged, cell: Ints, ruled: tuple[float, ...], factor: float, *, alike: bool = False
) -> Checked:
    """Return the weighted share of true yes among the labelled items of each cell.

    Parameters
    ----------
    part : Judged
    cell : ndarray of int64, shape (items,)
        Counted from 0; an item of a cell from ``len(ruled)`` on is in none.
    ruled : tuple of float
        What was ruled in each cell, which a forecast takes a cell without labels to hold.
    factor : float
        As of `correct`.
    alike : bool
        Whether items of a cluster are alike beyond their ruling, so that labels of few clusters say
        less than as many of many.
    """
    owner = part.cluster[part.match[part.checked]]
    shares, sizes = np.array(ruled), np.zeros(len(ruled))
    for one in range(len(ruled)):
        inside = cell[part.checked] == one
        heavy = part.weight[inside]
        if heavy.size:
            shares[one] = min(float(heavy @ part.label[inside] / heavy.sum()), 1.0)
            size = effective_size(heavy)
            if alike:
                size = clustered_size(part.label[inside], heavy, owner[inside])
            sizes[one] = size * factor
        elif factor > 1.0:
            sizes[one] = factor - 1.0
    return Checked(shares, sizes)


def _beyond(part: Judged, cell: Ints, checked: Checked) -> Floats:
    """Return what the labels of each cluster add to the share beyond the shares of their cells."""
    own = cell[part.checked]
    cells = len(checked.shares)
    total = np.bincount(own, weights=part.weight, minlength=cells)
    sizes = np.bincount(cell, minlength=cells) / len(cell)
    each = sizes[own] * part.weight * (part.label - checked.shares[own]) / total[own]
    owner = part.cluster[part.match[part.checked]]
    clusters = int(part.cluster.max()) + 1
    return np.bincount(owner, weights=each, minlength=clusters).astype(np.float64)


def _people(part: Judged) -> Estimate:
    """Return the share from labels alone, as if nothing were known of the other items."""
    if not part.weight.size:
        return Estimate.undefined(Undefined.EMPTY, 0)
    share = min(float(part.weight @ part.label / part.weight.sum()), 1.0)
    size = effective_size(part.weight)
    (low,), (high,) = cell_limits([share], [size], LEVEL, LIMITS)
    span = Interval(float(low), float(high), LEVEL, f"{LIMITS.value}, effective size {size:.1f}")
    return Estimate(share, span, len(part.weight))

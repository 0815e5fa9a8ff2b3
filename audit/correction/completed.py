"""Labels that people did not give, drawn from those that they did.

In each cell of items the share of a true yes is drawn from its posterior, and each item without a
label gets one by that share. A cell of which nobody labelled anything stays as ruled.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from audit.numbers.recovery import effective_size

from .judged import Bools, Floats, Ints


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """Items in cells, with what was ruled of all and what people say of some.

    Attributes
    ----------
    cell : ndarray of int64, shape (items,)
        Counted from 0 without a gap.
    yes : ndarray of bool, shape (items,)
        As ruled.
    checked : ndarray of int64, shape (labels,)
        Positions of the items that people labelled.
    label : ndarray of bool, shape (labels,)
    weight : ndarray of float64, shape (labels,)
        How many items each stands for, above 0.
    """

    cell: Ints
    yes: Bools
    checked: Ints
    label: Bools
    weight: Floats

    @property
    def known(self) -> Bools:
        """Whether anything is labelled of each cell."""
        return np.isin(np.arange(int(self.cell.max(initial=-1)) + 1), self.cell[self.checked])


def posterior(items: Labelled) -> Floats:
    """Return Jeffreys's posterior of a true yes in each cell, shape (cells, 2), from its labels.

    Weighted labels count as Kish's effective number of them.
    """
    found = np.full((len(items.known), 2), 0.5)
    for cell in np.flatnonzero(items.known):
        inside = items.cell[items.checked] == cell
        heavy, yes = items.weight[inside], items.label[inside]
        size = effective_size(heavy)
        hits = size * float(heavy @ yes / heavy.sum())
        found[cell] += hits, max(size - hits, 0.0)
    return found


def completed(items: Labelled, rates: Floats, rng: np.random.Generator) -> Bools:
    """Return one set of labels of all items: people's where there are any, else drawn.

    Parameters
    ----------
    items : Labelled
    rates : ndarray of float64, shape (cells, 2)
        As `posterior` returns them.
    rng : numpy.random.Generator
    """
    rate = rng.beta(rates[:, 0], rates[:, 1])[items.cell]
    drawn = rng.random(len(items.cell)) < rate
    found = np.where(items.known[items.cell], drawn, items.yes)
    found[items.checked] = items.label
    return np.asarray(found, dtype=np.bool_)

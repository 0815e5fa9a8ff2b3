"""What chains over corpora are held to: how far a state breaks the margins kept."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from audit.numbers._check import FloatArray

from .layout import Ints, Layout
from .margins import Margins, binding

NONE = -1
"""No ending."""


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """What chains are held to.

    Attributes
    ----------
    layout : Layout
    adds : ndarray of int64, shape (classes, endings, inequalities)
        What a match of a class adds by how it ends.
    most : ndarray of int64, shape (inequalities,)
    worth : ndarray of float64, shape (inequalities,)
        The most that another ending of one match can change.
    shifted : ndarray of int64, shape (2, endings)
        The same ending a turn earlier and a turn later; -1 where there is none.
    """

    layout: Layout
    adds: Ints
    most: Ints
    worth: FloatArray
    shifted: Ints

    @classmethod
    def of(cls, margins: Margins, dropped: tuple[str, ...]) -> Target:
        """Return the target that margins make when some printed numbers are given up."""
        adds, most = binding(margins, margins.kept(dropped))
        allowed = margins.layout.allowed
        worth = [np.ptp(adds[c, allowed[c]], axis=0) for c in range(len(allowed))]
        largest = np.max(worth, axis=0, initial=1).astype(np.float64)
        return cls(margins.layout, adds, most, largest, _shifted(margins.layout))

    def sums(self, endings: Ints) -> Ints:
        """Return the left sides of all inequalities, of shape (chains, inequalities)."""
        found = np.zeros((len(endings), len(self.most)), dtype=np.int64)
        for match, c in enumerate(self.layout.of_class.tolist()):
            found += self.adds[c, endings[:, match]]
        return found

    def breach(self, sums: Ints) -> FloatArray:
        """Return how many inequalities are broken, plus by how many matches' worth."""
        over = np.maximum(sums - self.most, 0)
        return np.asarray((over / self.worth + (over > 0)).sum(axis=1), dtype=np.float64)


def _shifted(layout: Layout) -> Ints:
    """Return each ending's place a turn earlier and a turn later."""
    kinds = [(one.game, one.end, one.void, one.modes) for one in layout.endings]
    turns = [one.turn for one in layout.endings]
    place = {pair: at for at, pair in enumerate(zip(kinds, turns, strict=True))}
    return np.array(
        [
            [place.get((kind, turn + way), NONE) for kind, turn in zip(kinds, turns, strict=True)]
            for way in (-1, 1)
        ],
        dtype=np.int64,
    )

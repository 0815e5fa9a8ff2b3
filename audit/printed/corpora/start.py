"""Where chains begin: corpora that satisfy all margins kept, far apart from one another."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ..system.cpsat import Search
from .layout import Ints
from .margins import Margins

# A cell counts so much at most in the sums that starts are the ends of.
_PULL = 9


def starts(margins: Margins, dropped: Iterable[str], count: int, rng: np.random.Generator) -> Ints:
    """Return some ways to end the matches that satisfy every margin kept.

    Each makes a sum of cells with random multiples largest, so that they lie at ends of what print
    allows; endings are handed out at random within a class.

    Parameters
    ----------
    margins : Margins
    dropped : iterable of str
        Printed numbers that are given up.
    count : int
    rng : numpy.random.Generator

    Returns
    -------
    ndarray of int64, shape (count, matches)
        The ending of each match; no rows if no corpus satisfies what is kept.

    Raises
    ------
    Unsearched
        If the search is given up.
    """
    layout = margins.layout
    search = Search(margins.all_ranges(), [*margins.design(), *margins.kept(dropped)])
    cells = list(layout.cells())
    found = np.empty((count, len(layout.matches)), dtype=np.int64)
    for row in range(count):
        pull = rng.integers(-_PULL, _PULL + 1, size=len(cells)).tolist()
        point = search.largest([pair for pair in zip(cells, pull, strict=True) if pair[1]])
        if point is None:
            return found[:0]
        for c in range(len(layout.sizes)):
            own = np.flatnonzero(layout.of_class == c)
            ends = np.flatnonzero(layout.allowed[c]).tolist()
            times = [point[layout.cell(c, e)] for e in ends]
            found[row, own] = rng.permutation(np.repeat(ends, times))
    return found

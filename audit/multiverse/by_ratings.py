"""Ratings under every specification, and what is asked of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from audit.numbers._check import FloatArray

from .choices import Experiment
from .grid import Grid
from .parallel import Workers, rate_all
from .quantities import QUANTITIES, more_varied_seekers, rank_correlation
from .specification import Specification
from .statements import ORDER, SEEKERS_VARY_MORE
from .support import Bools, Tried
from .units import Failed, Units, parts_of


@dataclass(frozen=True, slots=True, eq=False)
class ByRatings:
    """Ratings under every specification.

    Attributes
    ----------
    tried : Tried
    counted : ndarray of bool, shape (specifications,)
        Which stand in shares; the others are near the base and were looked at besides.
    ratings : ndarray, shape (specifications, 2 * players)
        C of every player, then V, around 0; NaN where there are none.
    failures : tuple of str
        Why there are none; blank where there are.
    values : dict
        Quantity to its values, shape (specifications,).
    """

    tried: Tried
    counted: Bools
    ratings: FloatArray
    failures: tuple[str, ...]
    values: dict[str, FloatArray]

    @property
    def distinct(self) -> int:
        """How many different sets of ratings those that count give, to a millionth of a point."""
        there = self.ratings[self.counted & ~np.isnan(self.ratings).any(axis=1)]
        return len(np.unique(there.round(6), axis=0))


def by_ratings(
    units: Units, grid: Grid, base: Specification, workers: Workers | None = None
) -> ByRatings:
    """Return the ratings of every specification of a grid, the base first, and their quantities."""
    found = rate_all(units, grid.specifications, workers or Workers())
    width = 2 * len(units.players)
    ratings = _table(found, width)
    values = {name: quantity(ratings) for name, quantity in QUANTITIES.items()}
    values[SEEKERS_VARY_MORE] = more_varied_seekers(ratings)
    seekers = ratings[:, : width // 2]
    values[ORDER] = rank_correlation(seekers, np.broadcast_to(seekers[0], seekers.shape))
    values |= _between_games(units, grid.specifications, width // 2)
    return ByRatings(
        tried=Tried.of(grid.specifications, base),
        counted=np.array(grid.weights) > 0,
        ratings=ratings,
        failures=tuple(each.reason if isinstance(each, Failed) else "" for each in found),
        values=values,
    )


def _table(found: Sequence[FloatArray | Failed], width: int) -> FloatArray:
    nothing = np.full(width, np.nan)
    rows = [nothing if isinstance(each, Failed) else each for each in found]
    return np.array(rows, dtype=np.float64).reshape(len(rows), width)


def _between_games(
    units: Units, specs: Sequence[Specification], players: int
) -> dict[str, FloatArray]:
    """Return the rank correlation of each role's ratings in both games, where both are rated."""
    nothing: FloatArray = np.full(len(specs), np.nan)
    found = {name: nothing.copy() for name in ("spearman.seeker", "spearman.holder")}
    rows = [at for at, spec in enumerate(specs) if spec.experiment is Experiment.MEAN]
    first, second = (
        _table(units.rate([parts_of(specs[at])[game] for at in rows]), 2 * players)
        for game in (0, 1)
    )
    for name, role in zip(found, (slice(players), slice(players, None)), strict=True):
        found[name][rows] = rank_correlation(first[:, role], second[:, role])
    return found

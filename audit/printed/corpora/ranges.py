"""Every sampled corpus under given specifications: what print leaves open of each quantity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from audit.multiverse.choices import Experiment
from audit.multiverse.grid import canonical
from audit.multiverse.quantities import QUANTITIES, more_varied_seekers, rank_correlation
from audit.multiverse.reading import Columns
from audit.multiverse.specification import Specification
from audit.multiverse.units import Failed, Units
from audit.numbers._check import FloatArray

from .diagnosis import mixing
from .sampled import Sampled, Samples

SPREAD = "spread.seeker_less_holder"
ORDER = "order.as_in_the_base"
BETWEEN = ("spearman.seeker", "spearman.holder")


@dataclass(frozen=True, slots=True, eq=False)
class Ranges:
    """Quantities of sampled corpora under every specification.

    Attributes
    ----------
    dropped : tuple of str
        The ways to give up printed numbers.
    specifications : tuple of Specification
        The base first.
    ratings : ndarray of float64, shape (ways, corpora, specifications, 2 * players)
        Around 0; NaN where a specification has none, or the corpus was not rated under it.
    values : dict
        Quantity to values of shape (ways, corpora, specifications); NaN where undefined.
    """

    dropped: tuple[str, ...]
    specifications: tuple[Specification, ...]
    ratings: FloatArray
    values: dict[str, FloatArray]

    def frame(self) -> pd.DataFrame:
        """Return one row a way, specification and quantity: least, median and most of it."""
        rows = []
        for name, values in self.values.items():
            for way, dropped in enumerate(self.dropped):
                for at, spec in enumerate(self.specifications):
                    told = values[way, :, at]
                    told = told[~np.isnan(told)]
                    if len(told):
                        least, median, most = np.quantile(told, [0.0, 0.5, 1.0])
                        row = {"dropped": dropped, "signature": spec.signature, "quantity": name}
                        rows.append(row | {"least": least, "median": median, "most": most})
        return pd.DataFrame(rows)

    def ranks(self, players: Sequence[str]) -> pd.DataFrame:
        """Return one row a way, specification, player and role: the ranks reached, 1 the best."""
        rows = []
        half = len(players)
        for way, dropped in enumerate(self.dropped):
            for at, spec in enumerate(self.specifications):
                told = self.ratings[way, :, at]
                told = told[~np.isnan(told).any(axis=1)]
                for role, part in (("seeker", told[:, :half]), ("holder", told[:, half:])):
                    ranks = 1 + (part[:, None, :] > part[:, :, None] + 1e-9).sum(axis=2)
                    for seat, player in enumerate(players if len(told) else ()):
                        row = {"dropped": dropped, "signature": spec.signature, "role": role}
                        ends = {"best": ranks[:, seat].min(), "worst": ranks[:, seat].max()}
                        rows.append(row | {"player": player} | ends)
        return pd.DataFrame(rows)

    def mixed(self, chains: int) -> pd.DataFrame:
        """Return how well the base's quantities have mixed under each way."""
        rows = []
        for name, values in self.values.items():
            for way, dropped in enumerate(self.dropped):
                told = values[way, :, 0].reshape(chains, -1)
                if not np.isnan(told).any() and np.ptp(told) > 0.0:
                    found = mixing(told)
                    rows.append({"dropped": dropped, "quantity": name} | _said(found))
        return pd.DataFrame(rows)


def _said(found: object) -> dict[str, object]:
    return {name: getattr(found, name) for name in ("r_hat", "ess", "poor")}


def ranges_of(
    samples: Samples,
    specifications: Sequence[Specification],
    horizon: int,
    players: tuple[str, ...],
    printed: FloatArray | None,
    *,
    first: int,
    every: int,
) -> Ranges:
    """Return sampled corpora under given specifications.

    Parameters
    ----------
    samples : Samples
    specifications : sequence of Specification
        The base first.
    horizon : int
        Turns of AIDG-II.
    players : tuple of str
    printed : ndarray of float64, shape (2 * players,), or None
        The printed ratings whose order of Seekers others are compared with.
    """
    rows = _spread(samples, every)
    ratings = np.array(
        [
            _rated(one, specifications, horizon, players, first=first, every=rows)
            for one in samples.sampled
        ]
    )
    shape = ratings.shape[:3]
    flat = ratings.reshape(-1, ratings.shape[3])
    values = {name: quantity(flat).reshape(shape) for name, quantity in QUANTITIES.items()}
    values[SPREAD] = more_varied_seekers(flat).reshape(shape)
    half = len(players)
    if printed is not None:
        same = np.broadcast_to(printed[:half], flat[:, :half].shape)
        values[ORDER] = _where_told(flat, rank_correlation(flat[:, :half], same)).reshape(shape)
    values |= _between(ratings, specifications, half)
    names = tuple(one.name for one in samples.sampled)
    return Ranges(names, tuple(specifications), ratings, values)


def _where_told(ratings: FloatArray, values: FloatArray) -> FloatArray:
    return np.where(np.isnan(ratings).any(axis=1), np.nan, values)


def _spread(samples: Samples, every: int) -> frozenset[int]:
    """Return some rows of a sample, the last of every chain first."""
    count = len(samples.sampled[0].dealt)
    rows = np.arange(count).reshape(samples.chains, -1)[:, ::-1].T.ravel()
    return frozenset(rows[:every].tolist())


def _rated(
    one: Sampled,
    specifications: Sequence[Specification],
    horizon: int,
    players: tuple[str, ...],
    *,
    first: int,
    every: frozenset[int],
) -> FloatArray:
    """Return ratings of shape (corpora, specifications, 2 * players)."""
    found = np.full((len(one.dealt), len(specifications), 2 * len(players)), np.nan)
    for row in range(len(one.dealt)):
        name = str(row)
        units = Units({name: Columns.of(one.dealt.frame(row))}, horizon, players)
        specs = specifications if row in every else specifications[:first]
        rated = units.rate([replace(spec, verdicts=name) for spec in specs])
        for at, ratings in enumerate(rated):
            if not isinstance(ratings, Failed):
                found[row, at] = ratings
    return found


def _between(
    ratings: FloatArray, specifications: Sequence[Specification], half: int
) -> dict[str, FloatArray]:
    """Return the rank correlation of each role's ratings in both games, where both were rated."""
    place, base = {spec: at for at, spec in enumerate(specifications)}, specifications[0]
    found = {name: np.full(ratings.shape[:3], np.nan) for name in BETWEEN}
    for at, spec in enumerate(specifications):
        apart = (replace(spec, experiment=game) for game in (Experiment.AIDG_I, Experiment.AIDG_II))
        parts = [place.get(canonical(part, base)) for part in apart]
        if spec.experiment is Experiment.MEAN and None not in parts:
            first, second = (ratings[:, :, part].reshape(-1, 2 * half) for part in parts)
            told = ~np.isnan(first + second).any(axis=1)
            for name, role in zip(BETWEEN, (slice(half), slice(half, None)), strict=True):
                both = rank_correlation(first[:, role], second[:, role])
                found[name][:, :, at] = np.where(told, both, np.nan).reshape(ratings.shape[:2])
    return found

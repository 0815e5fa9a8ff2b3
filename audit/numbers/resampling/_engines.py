"""The law of a sample by the engine that fits it, with what else its intervals need."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

import numpy as np

from audit.numbers._check import IntArray, as_counts
from audit.numbers.estimate import Interval
from audit.numbers.statistic import kappa_statistic

from .bootstrap import ATOM_LIMIT, AtomLimitError, enumerate_product, sample_product
from .kappa import CLASS_LIMIT, PERCENTILE_ITEMS, kappa_law, kappa_percentile
from .law import Engine, Law
from .limits import acceleration
from .samples import Blocks, Clusters, Counts, SampleStatistic
from .sequences import sequence_law
from .sums import as_cluster_sums, cluster_law
from .tilted import TILTED_LIMIT, tilted_interval

__all__ = ["How", "Read", "read"]


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """A law with what else the intervals need."""

    value: float
    law: Law
    accelerated: float
    inverted: Interval | None = None
    blocks: int | None = None
    percentile: Interval | None = None


@dataclass(frozen=True, slots=True)
class How:
    level: float
    limit: int | None
    draws: int
    rng: np.random.Generator | None

    def most(self, usual: int) -> int:
        """Return the limit asked for, or the usual one of an engine."""
        return usual if self.limit is None else self.limit


@singledispatch
def read(sample: Any, statistic: SampleStatistic, how: How) -> Read:
    raise TypeError(f"sample must be Counts, Clusters or Blocks, found {type(sample).__name__}")


@read.register
def _counts(sample: Counts, statistic: SampleStatistic, how: How) -> Read:
    groups = [as_counts(f"counts of group {i}", one) for i, one in enumerate(sample.groups)]
    law = _or_drawn(
        lambda: _lattice(groups, statistic, how),
        lambda rng: sample_product(groups, statistic, draws=how.draws, rng=rng),
        how,
    )
    data = np.concatenate(groups)
    left_out, first = [], 0
    for group in groups:
        filled = np.flatnonzero(group)
        without = np.tile(data, (len(filled), 1))
        without[np.arange(len(filled)), first + filled] -= 1
        left_out.append((statistic(without), group[filled]))
        first += len(group)
    return Read(
        float(statistic(data[None, :])[0]),
        law,
        float(acceleration(left_out)),
        _inverted(groups, statistic, how),
        len(data) if len(groups) == 1 and (data == 1).all() else None,
        _without_lattice(groups, statistic, law, how),
    )


def _inverted(groups: list[IntArray], statistic: SampleStatistic, how: How) -> Interval | None:
    try:
        limit = min(how.most(TILTED_LIMIT), TILTED_LIMIT)
        return tilted_interval(groups, statistic, how.level, limit=limit)
    except AtomLimitError:
        return None


def _without_lattice(
    groups: list[IntArray], statistic: SampleStatistic, law: Law, how: How
) -> Interval | None:
    """Return percentile limits that need no law, where the law had to be drawn."""
    drawn = law.engine is Engine.MONTE_CARLO
    if not (drawn and _is_kappa(groups, statistic) and groups[0].sum() <= PERCENTILE_ITEMS):
        return None
    return kappa_percentile(groups[0].reshape(2, 2), level=how.level)


def _lattice(groups: list[IntArray], statistic: SampleStatistic, how: How) -> Law:
    if _is_kappa(groups, statistic):
        return kappa_law(groups[0].reshape(2, 2), limit=how.most(CLASS_LIMIT))
    return enumerate_product(groups, statistic, limit=how.most(ATOM_LIMIT))


def _is_kappa(groups: list[IntArray], statistic: SampleStatistic) -> bool:
    return statistic is kappa_statistic and [len(group) for group in groups] == [4]


@read.register
def _clusters(sample: Clusters, statistic: SampleStatistic, how: How) -> Read:
    strata = as_cluster_sums(sample.sums, sample.stratum)
    groups, rows = [counts for _, counts in strata], np.vstack([rows for rows, _ in strata])
    law = _or_drawn(
        lambda: cluster_law(
            sample.sums, statistic, stratum=sample.stratum, limit=how.most(ATOM_LIMIT)
        ),
        lambda rng: sample_product(
            groups, lambda counts: statistic(counts @ rows), draws=how.draws, rng=rng
        ),
        how,
    )
    total = np.concatenate(groups) @ rows
    left_out = [(statistic(total - own), counts) for own, counts in strata]
    value = float(statistic(total[None, :])[0])
    clusters = sum(int(counts.sum()) for counts in groups)
    return Read(
        value, law, float(acceleration(left_out)), None, clusters if len(strata) == 1 else None
    )


@read.register
def _blocks(sample: Blocks, statistic: SampleStatistic, how: How) -> Read:
    law = _or_drawn(
        lambda: sequence_law(sample.sizes, statistic, limit=how.most(ATOM_LIMIT)),
        lambda rng: sequence_law(sample.sizes, statistic, limit=0, draws=how.draws, rng=rng),
        how,
    )
    whole = [np.arange(size)[None, :] for size in sample.sizes]
    value = float(statistic(*whole)[0])
    left_out = []
    for at, size in enumerate(sample.sizes):
        without = np.array([np.delete(np.arange(size), block) for block in range(size)])
        drawn = [np.repeat(one, size, axis=0) for one in whole]
        drawn[at] = without
        left_out.append((statistic(*drawn), np.ones(size)))
    return Read(value, law, float(acceleration(left_out)), None, min(sample.sizes, default=0))


def _or_drawn(
    enumerate_: Callable[[], Law], draw: Callable[[np.random.Generator], Law], how: How
) -> Law:
    try:
        return enumerate_()
    except AtomLimitError:
        if how.rng is None:
            raise
        return draw(how.rng)

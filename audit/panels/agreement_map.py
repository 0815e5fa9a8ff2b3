"""Who agrees with whom: every pair of raters of a panel, and of those that it is held against.

Agreement between machines is no accuracy: they may be wrong together. κ hangs on how common each
label is, so the share of equal labels stands beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import pandas as pd

from audit.numbers._check import FloatArray
from audit.numbers.agreement_tables import Measure, measure_estimate, table_measure
from audit.numbers.clustered import clustered_interval
from audit.numbers.estimate import Estimate, Undefined
from audit.verdicts.measures import labels_of
from games.rules.item import match_of
from games.rules.rubric import LABELS
from games.rules.verdict import Verdict
from games.words import ItemKind

from .sheet import columns

MOST_INTERVALS = 120
"""Pairs a kind above which no interval is made: it takes too long, and nobody reads as many."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two raters on the items of one kind.

    Attributes
    ----------
    kind : ItemKind
    first, second : str
    kappa : Estimate
        Cohen's κ; the interval, where one is made, resamples ordered pairs of players.
        ``counts_in`` are items that both labelled, ``counts_out`` those that one of them did not.
    agreement : Estimate
        Share of equal labels, without an interval.
    """

    kind: ItemKind
    first: str
    second: str
    kappa: Estimate
    agreement: Estimate


def agreement_map(
    verdicts: Mapping[str, Sequence[Verdict]],
    kinds: Sequence[ItemKind],
    cluster_of: Mapping[str, Hashable],
    rng: Callable[..., np.random.Generator],
    *,
    most: int = MOST_INTERVALS,
) -> tuple[Pair, ...]:
    """Return how every two raters agree, by kind of item.

    Parameters
    ----------
    verdicts : mapping
        Rater to its verdicts, in the order of rows and columns.
    kinds : sequence of ItemKind
    cluster_of : mapping
        Match to cluster.
    rng : callable
        Words to a generator.
    most : int
        Pairs a kind above which no interval is made.

    Returns
    -------
    tuple of Pair
        Kind by kind; a rater without a verdict on items of a kind stands in no pair of it.
    """
    return tuple(pair for kind in kinds for pair in _of_kind(verdicts, kind, cluster_of, rng, most))


def _of_kind(
    verdicts: Mapping[str, Sequence[Verdict]],
    kind: ItemKind,
    cluster_of: Mapping[str, Hashable],
    rng: Callable[..., np.random.Generator],
    most: int,
) -> Iterator[Pair]:
    said = {rater: labels_of(found, kind) for rater, found in verdicts.items()}
    pairs = list(combinations([rater for rater, labels in said.items() if labels], 2))
    for first, second in pairs:
        draw = rng("map", kind.value, first, second) if len(pairs) <= most else None
        yield _pair((kind, first, second), said[first], said[second], cluster_of, draw)


def _pair(
    which: tuple[ItemKind, str, str],
    one: Mapping[str, Hashable],
    other: Mapping[str, Hashable],
    cluster_of: Mapping[str, Hashable],
    rng: np.random.Generator | None,
) -> Pair:
    domain = LABELS[which[0]]
    place: dict[Hashable, int] = {label: at for at, label in enumerate(domain)}
    size = len(domain)
    asked = sorted(one.keys() | other.keys())
    both = [i for i in asked if one.get(i) is not None and other.get(i) is not None]
    cells = np.array([place[one[i]] * size + place[other[i]] for i in both], dtype=np.int64)
    table = np.bincount(cells, minlength=size * size).reshape(size, size)
    kappa, agreement = (
        measure_estimate(measure, table, len(both), len(asked) - len(both))
        for measure in (Measure.KAPPA, Measure.AGREEMENT)
    )
    if rng is not None and kappa.defined:
        kappa = _with_interval(kappa, np.eye(size * size)[cells], both, cluster_of, rng)
    return Pair(*which, kappa, agreement)


def _with_interval(
    kappa: Estimate,
    sums: FloatArray,
    items: Sequence[str],
    cluster_of: Mapping[str, Hashable],
    rng: np.random.Generator,
) -> Estimate:
    size = round(sums.shape[1] ** 0.5)
    clusters = [cluster_of[match_of(item)] for item in items]
    place = {cluster: at for at, cluster in enumerate(dict.fromkeys(clusters))}
    span = clustered_interval(
        lambda totals: table_measure(Measure.KAPPA, totals.reshape(-1, size, size)),
        sums,
        [place[cluster] for cluster in clusters],
        rng,
    ).interval
    return replace(kappa, interval=span, reason=None if span else Undefined.NO_SPREAD)


def map_frame(pairs: Sequence[Pair]) -> pd.DataFrame:
    """Return one row a kind and pair of raters."""
    rows: list[dict[str, object]] = []
    for pair in pairs:
        which = {"kind": pair.kind.value, "first": pair.first, "second": pair.second}
        counts = {"items": pair.kappa.counts_in, "left out": pair.kappa.counts_out}
        rows.append(
            {**which, **counts, "agreement": pair.agreement.value} | columns("kappa", pair.kappa)
        )
    return pd.DataFrame(rows)

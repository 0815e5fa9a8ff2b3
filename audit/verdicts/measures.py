"""Every measure of how raters agree, of the sample as it is and weighted to the population.

A verdict on an item shown again, or for practice, is none on the item: the first kind gives a
rater's agreement with himself, the second is not read.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from audit.numbers.agreement_raters import (
    Coefficient,
    coefficient,
    item_sums,
    raters_agreement,
    rating_counts,
)
from audit.numbers.agreement_tables import Measure, measure_estimate, table_measure
from audit.numbers.clustered import Clustered, clustered_interval
from audit.numbers.confusion import confusion_table, weighted_table
from audit.numbers.estimate import Estimate, Interval, Undefined
from games.rules.item import kind_of, match_of
from games.rules.verdict import Verdict
from games.words import ItemKind

from .nested import nested_strata, numbered
from .showing import Purpose, showing_of

Said = Mapping[str, Hashable]
"""Item id to what one rater says of it: a label, or a category."""

# Of more than two categories no one is the positive one.
OF_MANY = (Measure.AGREEMENT, Measure.KAPPA, Measure.AC1, Measure.PABAK)
OF_TWO = (*OF_MANY, *tuple(Measure)[tuple(Measure).index(Measure.PREVALENCE) :])
# Where they have an order, a step of two counts for more than a step of one.
OF_ORDERED = (*OF_MANY, Measure.LINEAR_KAPPA, Measure.QUADRATIC_KAPPA)
OF_RATERS = tuple(kind for kind in Coefficient if kind is not Coefficient.ALPHA_ORDINAL)


@dataclass(frozen=True, slots=True)
class Measured:
    """One measure.

    Attributes
    ----------
    name : str
    sample, population : Estimate
        Of the items labelled, and weighted by the inverse of their probability of being drawn; the
        second undefined (``EMPTY``) where that is not known. Intervals resample clusters.
    clustered : Clustered
        How the sample's interval came about, and its Monte Carlo error.
    by_match : Interval or None
        The sample's interval if a match were all that items have in common.
    """

    name: str
    sample: Estimate
    population: Estimate
    clustered: Clustered
    by_match: Interval | None


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """Two raters beside each other.

    Attributes
    ----------
    first, second : str
        Rows and columns of the tables; the first is the reference.
    domain : tuple
        Categories, a positive one first.
    table : ndarray of int64, shape (k, k)
    weighted : ndarray of float64, shape (k, k) or None
        In items of the population.
    measures : tuple of Measured
    left_out : int
        Items that one of the two did not label.
    """

    first: str
    second: str
    domain: tuple[Hashable, ...]
    table: NDArray[np.int64]
    weighted: NDArray[np.float64] | None
    measures: tuple[Measured, ...]
    left_out: int


@dataclass(frozen=True, slots=True)
class Frame:
    """What every comparison of a run shares.

    Attributes
    ----------
    domain : sequence
        Every category, used or not, a positive one first.
    cluster_of : mapping
        Match id to cluster.
    weight_of : mapping
        Item id to how many items of the population it stands for; empty where that is not known.
    rng : callable
        Words that name a comparison to a generator for it.
    stratum_of : mapping
        Item id to its values of the keys by which the sample was stratified; empty where none.
    ordered : bool
        Whether the categories have an order, that of the domain.
    """

    domain: Sequence[Hashable]
    cluster_of: Mapping[str, Hashable]
    weight_of: Mapping[str, float]
    rng: Callable[..., np.random.Generator]
    stratum_of: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    ordered: bool = False


def labels_of(
    verdicts: Sequence[Verdict], kind: ItemKind, purpose: Purpose = Purpose.COUNTED
) -> dict[str, Hashable]:
    """Return a rater's labels by item; an item is there with None where there is a verdict only.

    Parameters
    ----------
    verdicts : sequence of Verdict
    kind : ItemKind
    purpose : Purpose
        Which showings of an item to read.
    """
    found: dict[str, Hashable] = {}
    for verdict in verdicts:
        if kind_of(verdict.item) == kind.value:
            shown = showing_of(verdict.item)
            if shown.purpose is purpose:
                found[shown.item] = verdict.label
    return found


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """What items add to a measure, and how many of the population each stands for."""

    items: Sequence[str]
    sums: NDArray[np.float64]
    heavy: NDArray[np.float64] | None


def compared(names: tuple[str, str], first: Said, second: Said, frame: Frame) -> Compared:
    """Return two raters beside each other on the items of which both say something.

    Parameters
    ----------
    names : tuple of str
    first, second : mapping
        What each says; the first is the reference.
    frame : Frame
    """
    domain = frame.domain
    either = first.keys() | second.keys()
    both = sorted(i for i in either if first.get(i) is not None and second.get(i) is not None)
    ones, others = [first[i] for i in both], [second[i] for i in both]
    out = len(either) - len(both)
    table = confusion_table(ones, others, domain)
    heavy = _weights(both, frame)
    heavier = None if heavy is None else weighted_table(ones, others, domain, heavy)
    size = len(domain)
    place = [domain.index(a) * size + domain.index(b) for a, b in zip(ones, others, strict=True)]
    rows = _Rows(both, np.eye(size * size)[np.array(place, dtype=np.int64)], heavy)
    measures = []
    for measure in OF_TWO if size == 2 else OF_ORDERED if frame.ordered else OF_MANY:
        sample = measure_estimate(measure, table, len(both), out)
        whole = None if heavier is None else measure_estimate(measure, heavier, len(both), out)
        statistic = partial(_table_measure, measure, size)
        measures.append(_measured(measure.value, (sample, whole), rows, frame, statistic))
    return Compared(*names, tuple(domain), table, heavier, tuple(measures), out)


def together(raters: Sequence[Said], frame: Frame) -> tuple[Measured, ...]:
    """Return how any number of raters agree on the items that two or more of them labelled.

    Parameters
    ----------
    raters : sequence of mapping
        What each says.
    frame : Frame
    """
    items = sorted(set().union(*raters))
    counts = rating_counts([[said.get(item) for said in raters] for item in items], frame.domain)
    heavy = _weights(items, frame)
    size = len(frame.domain)
    sums = item_sums(counts) if items else np.zeros((0, 3 + size + size**2))
    rows = _Rows(items, sums, heavy)
    measures = []
    for kind in Coefficient if frame.ordered else OF_RATERS:
        sample = raters_agreement(kind, counts)
        whole = None if heavy is None else raters_agreement(kind, counts, weights=heavy)
        statistic = partial(_coefficient, kind, size)
        measures.append(_measured(kind.value, (sample, whole), rows, frame, statistic))
    return tuple(measures)


def _table_measure(measure: Measure, size: int, sums: NDArray[np.float64]) -> NDArray[np.float64]:
    return table_measure(measure, sums.reshape(-1, size, size))


def _coefficient(kind: Coefficient, size: int, sums: NDArray[np.float64]) -> NDArray[np.float64]:
    return coefficient(kind, sums, size)


def _weights(items: Sequence[str], frame: Frame) -> NDArray[np.float64] | None:
    if not items or not all(item in frame.weight_of for item in items):
        return None
    return np.array([frame.weight_of[item] for item in items])


def _measured(
    name: str,
    values: tuple[Estimate, Estimate | None],
    rows: _Rows,
    frame: Frame,
    statistic: Callable[[NDArray[np.float64]], NDArray[np.float64]],
) -> Measured:
    sample, whole = values
    matches = [match_of(item) for item in rows.items]
    pairs = numbered([frame.cluster_of[match] for match in matches])
    singly = numbered(matches)
    draw = partial(clustered_interval, statistic)
    within, singly_within = (
        nested_strata(rows.items, cluster, frame.stratum_of) for cluster in (pairs, singly)
    )
    plain = draw(rows.sums, pairs, frame.rng(name), stratum=within)
    by_match = draw(rows.sums, singly, frame.rng(name, "by match"), stratum=singly_within)
    population = Estimate.undefined(Undefined.EMPTY, 0, sample.counts_in + sample.counts_out)
    if whole is not None and rows.heavy is not None:
        scaled = rows.sums * (rows.heavy / rows.heavy.mean())[:, None]
        found = draw(scaled, pairs, frame.rng(name, "weighted"), stratum=within)
        population = _with(whole, found)
    return Measured(name, _with(sample, plain), population, plain, by_match.interval)


def _with(value: Estimate, found: Clustered) -> Estimate:
    if not value.defined:
        return value
    reason = None if found.interval else Undefined.NO_SPREAD
    return replace(value, interval=found.interval, reason=reason)

"""Two raters on the same items: table, κ and its intervals, what else has to be read beside κ.

Items of one dialogue are not independent. The main interval resamples clusters (by default the
ordered pair of players), never single items, and lists all resamples where these are few; the one
that treats items as independent stands beside it wherever the lattice of tables is small enough, so
that the difference can be seen.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from audit.numbers.agreement import Profile, agreement_profile, cohen_kappa, observed_agreement
from audit.numbers.agreement_tables import Measure, table_measure
from audit.numbers.clustered import DRAWS, clustered_interval
from audit.numbers.confusion import confusion_table, sensitivity, specificity
from audit.numbers.estimate import Estimate, Interval
from audit.numbers.resampling.bootstrap import AtomLimitError, enumerate_multinomial
from audit.numbers.statistic import kappa_statistic
from games.rules.item import kind_of, match_of
from games.rules.rubric import LABELS
from games.rules.verdict import Verdict
from games.words import ItemKind, Label

from .showing import Purpose, showing_of

IntArray = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Agreement:
    """How two raters agree on one kind of item.

    Attributes
    ----------
    kind : ItemKind
    first, second : str
        Rater names; rows and columns of the table. The first is the reference.
    domain : tuple of Label
        Positive label first.
    table : ndarray of int64, shape (2, 2)
    kappa : Estimate
        With the interval from resampled clusters; None where κ is undefined in every resample.
    enumerated : Interval or None
        The percentile interval over all resamples of items; None past the limit of atoms.
    observed : Estimate
    profile : Profile
    sensitivity, specificity : Estimate
        Of the second rater, the first taken as reference.
    clusters : int
    left_out : int
        Items of the kind that one of the two did not label.
    """

    kind: ItemKind
    first: str
    second: str
    domain: tuple[Label, ...]
    table: IntArray
    kappa: Estimate
    enumerated: Interval | None
    observed: Estimate
    profile: Profile
    sensitivity: Estimate
    specificity: Estimate
    clusters: int
    left_out: int


def agreement_of(
    first: Iterable[Verdict],
    second: Iterable[Verdict],
    kind: ItemKind,
    cluster_of: Mapping[str, Hashable],
    rng: np.random.Generator,
    *,
    draws: int = DRAWS,
) -> Agreement:
    """Return the agreement of two raters on the items of one kind that both labelled.

    Parameters
    ----------
    first, second : iterable of Verdict
        Each rater's verdicts on any items; other kinds are passed over.
    kind : ItemKind
    cluster_of : mapping
        Match id to cluster.
    rng : numpy.random.Generator
    draws : int
        Resamples of clusters.

    Returns
    -------
    Agreement
    """
    ones, others = _labelled(first, kind), _labelled(second, kind)
    shared = sorted(ones.keys() & others.keys())
    both = [item for item in shared if ones[item].label and others[item].label]
    left_out = len(ones.keys() | others.keys()) - len(both)
    domain = LABELS[kind]
    tables = _by_cluster(both, ones, others, domain, cluster_of)
    table = tables.sum(axis=0).reshape(2, 2)
    point = cohen_kappa(table, counts_out=left_out).estimate
    interval = _clustered(tables, rng, draws) if point.defined else None
    reason = point.reason if interval is None else None
    return Agreement(
        kind=kind,
        first=_name(ones),
        second=_name(others),
        domain=domain,
        table=table,
        kappa=Estimate(point.value, interval, point.counts_in, left_out, reason),
        enumerated=_enumerated(table) if point.defined else None,
        observed=observed_agreement(table, counts_out=left_out),
        profile=agreement_profile(table, counts_out=left_out),
        sensitivity=sensitivity(table, positive=0, counts_out=left_out),
        specificity=specificity(table, positive=0, counts_out=left_out),
        clusters=len(tables),
        left_out=left_out,
    )


def _labelled(verdicts: Iterable[Verdict], kind: ItemKind) -> dict[str, Verdict]:
    of_kind = [verdict for verdict in verdicts if kind_of(verdict.item) == kind.value]
    return {v.item: v for v in of_kind if showing_of(v.item).purpose is Purpose.COUNTED}


def _name(verdicts: Mapping[str, Verdict]) -> str:
    return next(iter(verdicts.values())).rater if verdicts else ""


def _by_cluster(
    both: Iterable[str],
    ones: Mapping[str, Verdict],
    others: Mapping[str, Verdict],
    domain: tuple[Label, ...],
    cluster_of: Mapping[str, Hashable],
) -> IntArray:
    """Return one table a cluster, shape (clusters, 4)."""
    members: dict[Hashable, list[str]] = {}
    for item in both:
        members.setdefault(cluster_of[match_of(item)], []).append(item)
    tables = [
        confusion_table([ones[i].label for i in items], [others[i].label for i in items], domain)
        for items in members.values()
    ]
    return np.array(tables, dtype=np.int64).reshape(len(tables), 4)


def _clustered(tables: IntArray, rng: np.random.Generator, draws: int) -> Interval | None:
    sums, clusters = tables.astype(np.float64), np.arange(len(tables))
    return clustered_interval(_kappa, sums, clusters, rng, draws=draws).interval


def _kappa(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    return table_measure(Measure.KAPPA, sums.reshape(-1, 2, 2))


def _enumerated(table: IntArray) -> Interval | None:
    try:
        return enumerate_multinomial(table.ravel(), kappa_statistic).percentile_interval()
    except AtomLimitError:
        return None

"""How far a panel's voters err together, and what a consensus that takes them apart makes of it.

Errors are told by people's labels. Without any, departures from the majority of the others stand in
for them, and are said to: what all voters get wrong alike they cannot show.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np

from audit.numbers._check import FloatArray, IntArray
from audit.numbers.clustered import clustered_interval
from audit.numbers.dependence import (
    departures,
    effective_raters,
    error_phi,
    errors,
    pair_sums,
)
from audit.numbers.estimate import Estimate, Undefined
from audit.numbers.majority import majority_errors
from audit.numbers.votes import ABSENT
from audit.verdicts.consensus import Ballot
from games.rules.item import match_of
from games.rules.rubric import LABELS
from games.run import RunFolder
from games.words import ItemKind, Label

from .consensus import Combined, PanelVotes, consensuses
from .fits import votes_table
from .recorded import panel_votes
from .together import Claimed, Dependence, Together

FEWEST = 3
"""Voters below whom there is no majority of others than a pair."""


@dataclass(frozen=True, slots=True)
class _Rows:
    """Votes on some items, in which cluster each is, and how many of the population it stands for.

    ``true`` is the place of people's label, and is empty where there is none.
    """

    items: tuple[str, ...]
    table: IntArray
    true: IntArray
    heavy: FloatArray
    cluster: IntArray
    classes: int


def panel_dependence(run: RunFolder, panel: str) -> tuple[Dependence, ...]:
    """Return how far a recorded panel's voters err together; a cluster is a pair of players.

    Raises
    ------
    RunError
        The panel did not judge this run, or none of its raters has a verdict on record.
    """
    matches = run.manifest().schedule.matches
    pairs: dict[str, Hashable] = {match.id: (match.seeker, match.holder) for match in matches}
    return dependence_of(panel_votes(run, panel), pairs)


def dependence_of(votes: PanelVotes, cluster_of: Mapping[str, Hashable]) -> tuple[Dependence, ...]:
    """Return how far a panel's voters err together, by kind of item.

    Parameters
    ----------
    votes : PanelVotes
    cluster_of : mapping
        Match to cluster.
    """
    labelled = any(ballot.item in votes.people.labels for ballot in votes.ballots)
    # Without people's labels there is nothing to hold a consensus's own chances against.
    sure = tuple(one for one in consensuses(votes) if one.chance) if labelled else ()
    kinds = [kind for kind in ItemKind if any(b.kind is kind for b in votes.ballots)]
    return tuple(_of_kind(votes, kind, cluster_of, sure) for kind in kinds)


def _of_kind(
    votes: PanelVotes,
    kind: ItemKind,
    cluster_of: Mapping[str, Hashable],
    sure: Sequence[Combined],
) -> Dependence:
    ballots = [ballot for ballot in votes.ballots if ballot.kind is kind and ballot.counts]
    labelled = [ballot for ballot in ballots if ballot.item in votes.people.labels]
    every, checked = (_rows(some, votes, kind, cluster_of) for some in (ballots, labelled))
    rng = partial(votes.rng, "dependence", kind.value)
    claims = [_claimed(one, labelled, checked, votes.people.labels) for one in sure]
    return Dependence(
        kind=kind,
        voters=votes.names,
        pairs=tuple(
            _pair((i, j), votes.names, checked, every, rng)
            for i, j in combinations(range(len(votes.names)), 2)
        ),
        worth=_worth(checked, rng("worth")),
        majority=majority_errors(checked.table, checked.true, checked.classes, checked.heavy)
        if labelled
        else None,
        claimed=tuple(claim for claim in claims if claim is not None),
        labelled=len(labelled),
        weighted=votes.people.weights is not None,
    )


def _rows(
    ballots: Sequence[Ballot],
    votes: PanelVotes,
    kind: ItemKind,
    cluster_of: Mapping[str, Hashable],
) -> _Rows:
    labels, said = LABELS[kind], votes.people.labels
    items = tuple(ballot.item for ballot in ballots)
    clusters = [cluster_of[match_of(item)] for item in items]
    place = {cluster: i for i, cluster in enumerate(dict.fromkeys(clusters))}
    known = bool(items) and all(item in said for item in items)
    return _Rows(
        items=items,
        table=votes_table(ballots, votes.names),
        true=np.array([labels.index(said[i]) for i in items] if known else [], dtype=np.int64),
        heavy=votes.people.effective(items) if known else np.ones(len(items)),
        cluster=np.array([place[cluster] for cluster in clusters], dtype=np.int64),
        classes=len(labels),
    )


def _pair(
    pair: tuple[int, int],
    names: Sequence[str],
    checked: _Rows,
    every: _Rows,
    rng: Callable[..., np.random.Generator],
) -> Together:
    first, second = (names[place] for place in pair)
    draw = partial(rng, first, second)
    both = None
    if checked.items:
        both = errors(checked.table[:, list(pair)], checked.true, checked.classes)
    departed = None
    if every.items and len(names) >= FEWEST:
        departed = departures(every.table, every.classes, pair)
    return Together(
        first,
        second,
        phi=_correlated(both, None, checked, draw("phi")),
        within=_correlated(both, checked.true, checked, draw("within")),
        departing=_correlated(departed, None, every, draw("departing")),
    )


def _correlated(
    wrong: IntArray | None, given: IntArray | None, rows: _Rows, rng: np.random.Generator
) -> Estimate:
    """Return the correlation of two columns of errors, within the classes told apart if any."""
    together = 0 if wrong is None else int((wrong != ABSENT).all(axis=1).sum())
    out = len(rows.items) - together
    if wrong is None or not together:
        return Estimate.undefined(Undefined.EMPTY, 0, out)
    sums = pair_sums(wrong, given, rows.heavy)
    shape = sums.shape[2:]
    value = float(error_phi(sums.sum(axis=0))[0])
    if np.isnan(value):
        return Estimate.undefined(Undefined.NO_SPREAD, together, out)
    span = clustered_interval(
        lambda totals: error_phi(totals.reshape(-1, *shape)),
        sums.reshape(len(sums), -1),
        rows.cluster,
        rng,
    ).interval
    return Estimate(value, span, together, out, None if span else Undefined.NO_SPREAD)


def _worth(checked: _Rows, rng: np.random.Generator) -> Estimate:
    raters = checked.table.shape[1]
    if not checked.items:
        return Estimate.undefined(Undefined.EMPTY, 0)
    if raters < 2:
        return Estimate.undefined(Undefined.TOO_FEW, len(checked.items))
    wrong = errors(checked.table, checked.true, checked.classes)
    sums = pair_sums(wrong, checked.true, checked.heavy)
    shape = sums.shape[1:]
    value = float(effective_raters(error_phi(sums.sum(axis=0)), raters))
    if np.isnan(value):
        return Estimate.undefined(Undefined.NO_SPREAD, len(checked.items))
    span = clustered_interval(
        lambda totals: effective_raters(error_phi(totals.reshape(-1, *shape)), raters),
        sums.reshape(len(sums), -1),
        checked.cluster,
        rng,
    ).interval
    reason = None if span else Undefined.NO_SPREAD
    return Estimate(value, span, len(checked.items), 0, reason)


def _claimed(
    one: Combined,
    labelled: Sequence[Ballot],
    checked: _Rows,
    people: Mapping[str, Label],
) -> Claimed | None:
    said = {verdict.item: verdict.label for verdict in one.verdicts}
    kept = [
        (1.0 - one.chance[b.item], said[b.item] is not people[b.item], heavy)
        for b, heavy in zip(labelled, checked.heavy.tolist(), strict=True)
        if b.item in one.chance and said[b.item] is not None
    ]
    if not kept:
        return None
    claimed, wrong, heavy = np.array(kept, dtype=np.float64).T
    share = heavy / heavy.sum()
    return Claimed(one.record.rater, float(share @ claimed), float(share @ wrong), len(kept))

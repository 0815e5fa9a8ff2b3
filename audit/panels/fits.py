"""From votes on the items of one kind to a label each, by parameters that the votes or people give.

Weighted votes and Dawid and Skene's model take voters to err independently once the true label is
given. That is theirs to assume and not what judges do: see `dependence`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from audit.numbers._check import FloatArray, IntArray
from audit.numbers.dawid_skene import dawid_skene, parameters
from audit.numbers.votes import ABSENT, leading
from audit.numbers.weighted_vote import (
    agreement_with_rest,
    bayes_scores,
    log_odds_weights,
    posterior,
    shrunk_confusion,
    vote_scores,
)
from audit.verdicts.combined import KindFit, Matrix
from audit.verdicts.consensus import Ballot
from games.rules.rubric import LABELS
from games.words import Abstention, ItemKind, Label

SMOOTHING = 0.5
"""Pseudo-count in every cell of Dawid and Skene's model."""

STRENGTH = 4.0
"""Items of a true label that all voters together weigh against one voter's own."""

DRAWS = 8
"""Random starts of Dawid and Skene's model."""

FEWEST = 3
"""Voters below whom Dawid and Skene's model is not identified."""


@dataclass(frozen=True, slots=True)
class People:
    """What people say, and how many items of the population each of theirs stands for.

    Attributes
    ----------
    labels : dict
        Item to label.
    weights : dict or None
        Item to weight; None where the probability of having been drawn is not known of all.
    """

    labels: Mapping[str, Label]
    weights: Mapping[str, float] | None

    def effective(self, items: Sequence[str]) -> FloatArray:
        """Return weights that sum to as many independent items as these are worth (Kish)."""
        if self.weights is None or not items:
            return np.ones(len(items))
        heavy = np.array([self.weights[item] for item in items])
        scaled: FloatArray = heavy * heavy.sum() / (heavy**2).sum()
        return scaled


@dataclass(frozen=True, slots=True)
class Fit:
    """What one rule finds on the items of one kind.

    Attributes
    ----------
    record : KindFit
    found : dict
        Item to what its votes come to; None where tied.
    chance : dict
        Item to the probability that the rule itself gives to the label found; empty of a rule
        that gives none.
    """

    record: KindFit
    found: dict[str, Label | Abstention | None]
    chance: dict[str, float]


def votes_table(ballots: Sequence[Ballot], voters: Sequence[str]) -> IntArray:
    """Return the votes on items of one kind, shape (items, voters), as places among its labels."""
    table = np.full((len(ballots), len(voters)), ABSENT)
    for row, ballot in enumerate(ballots):
        place = {label: i for i, label in enumerate(LABELS[ballot.kind])}
        for column, voter in enumerate(voters):
            label = ballot.votes.get(voter)
            if label is not None:
                table[row, column] = place[label]
    return table


def weighted(ballots: Sequence[Ballot], kind: ItemKind, voters: Sequence[str]) -> Fit:
    """Return what votes come to that weigh as the log odds of agreeing with the others' majority.

    Nobody's labels but the voters' own are needed, and agreement stands in for accuracy: one agreed
    vote and one other are added for every voter.
    """
    labels, table = LABELS[kind], votes_table(ballots, voters)
    agreed, compared = agreement_with_rest(table, len(labels))
    weights = log_odds_weights((agreed + 1.0) / (compared + 2.0), len(labels))
    pairs = zip(voters, agreed.tolist(), compared.tolist(), strict=True)
    record = KindFit(
        labels=labels,
        items=int((table != ABSENT).any(axis=1).sum()),
        weights=dict(zip(voters, weights.tolist(), strict=True)),
        agreed={voter: (one, of) for voter, one, of in pairs},
    )
    return _fit(record, ballots, vote_scores(table, weights, len(labels)), chances=False)


def by_dawid_skene(
    ballots: Sequence[Ballot], kind: ItemKind, voters: Sequence[str], rng: np.random.Generator
) -> Fit:
    """Return what Dawid and Skene's model makes of the votes; nothing where it has no one answer.

    That is below three voters, with fewer items than parameters, and where the fit did not end.
    """
    labels, voted = LABELS[kind], [b for b in ballots if b.counts]
    present = [voter for voter in voters if any(b.votes.get(voter) for b in voted)]
    needed = parameters(len(present), len(labels))
    if len(present) < FEWEST:
        return _cannot(kind, ballots, len(voted), f"{len(present)} voters do not identify it")
    if len(voted) < needed:
        return _cannot(kind, ballots, len(voted), f"{len(voted)} items for {needed} parameters")
    table = votes_table(voted, present)
    model = dawid_skene(table, len(labels), smoothing=SMOOTHING, draws=DRAWS, rng=rng)
    record = KindFit(
        labels=labels,
        items=len(voted),
        shares=tuple(model.shares.tolist()),
        confusion=_matrices(present, model.confusion),
        smoothing=SMOOTHING,
        log_likelihood=model.log_likelihood,
        iterations=model.iterations,
        converged=model.converged,
        start=model.start,
        ends=model.objectives,
    )
    if not model.converged:
        why = f"its fit did not end within {model.iterations} iterations"
        return _abstaining(record.model_copy(update={"why_not": why}), ballots)
    return _fit(record, voted, bayes_scores(table, model.confusion, model.shares))


def calibrated(
    ballots: Sequence[Ballot], kind: ItemKind, voters: Sequence[str], people: People
) -> Fit:
    """Return what votes come to by how each voter errs on the items that people labelled.

    People's labels enter by the voters' matrices and the shares alone: on an item that people
    labelled, too, the votes decide.
    """
    labels = LABELS[kind]
    checked = [b for b in ballots if b.item in people.labels and b.counts]
    if not checked:
        return _cannot(kind, ballots, 0, "people labelled no item of this kind that has a vote")
    table = votes_table(checked, voters)
    true = np.array([labels.index(people.labels[b.item]) for b in checked])
    heavy = people.effective([b.item for b in checked])
    counts = np.zeros((len(voters), len(labels), len(labels)))
    items, given = np.nonzero(table != ABSENT)
    np.add.at(counts, (given, true[items], table[items, given]), heavy[items])
    confusion = shrunk_confusion(counts, STRENGTH)
    shares = np.bincount(true, weights=heavy, minlength=len(labels)) + 1.0
    shares /= shares.sum()
    record = KindFit(
        labels=labels,
        items=len(checked),
        shares=tuple(shares.tolist()),
        confusion=_matrices(voters, confusion),
        strength=STRENGTH,
        design_weighted=people.weights is not None,
    )
    return _fit(record, ballots, bayes_scores(votes_table(ballots, voters), confusion, shares))


def _fit(
    record: KindFit, ballots: Sequence[Ballot], scores: FloatArray, *, chances: bool = True
) -> Fit:
    most, sure = leading(scores).tolist(), posterior(scores).max(axis=1).tolist()
    items = [ballot.item for ballot in ballots]
    found = [None if place == ABSENT else record.labels[place] for place in most]
    chance = dict(zip(items, sure, strict=True)) if chances else {}
    return Fit(record, dict(zip(items, found, strict=True)), chance)


def _cannot(kind: ItemKind, ballots: Sequence[Ballot], items: int, why: str) -> Fit:
    return _abstaining(KindFit(labels=LABELS[kind], items=items, why_not=why), ballots)


def _abstaining(record: KindFit, ballots: Sequence[Ballot]) -> Fit:
    return Fit(record, {ballot.item: Abstention.CANNOT_TELL for ballot in ballots}, {})


def _matrices(voters: Sequence[str], confusion: FloatArray) -> dict[str, Matrix]:
    return {
        voter: tuple(tuple(row) for row in matrix.tolist())
        for voter, matrix in zip(voters, confusion, strict=True)
    }

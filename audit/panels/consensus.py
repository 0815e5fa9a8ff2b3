"""Every consensus of one panel's votes, with what it was made from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from audit.verdicts.combined import ConsensusRecord, How
from audit.verdicts.consensus import Ballot, ConsensusRule, by_count, concluded
from games.rules.item import match_of
from games.rules.verdict import Verdict
from games.words import Abstention, ItemKind, Label

from .fits import Fit, People, by_dawid_skene, calibrated, weighted
from .voters import Voters

Fitted = Callable[[Sequence[Ballot], ItemKind, Sequence[str]], Fit]


@dataclass(frozen=True, slots=True)
class PanelVotes:
    """What the consensuses of a panel are made from.

    Attributes
    ----------
    panel : str
    quorum : int
    voters : Voters
    ballots : tuple of Ballot
        On every item that was put to the panel.
    people : People
    kin : mapping
        Match to the voters akin to one of its players.
    rng : callable
        Words to a generator.
    """

    panel: str
    quorum: int
    voters: Voters
    ballots: tuple[Ballot, ...]
    people: People
    kin: Mapping[str, frozenset[str]]
    rng: Callable[..., np.random.Generator]

    @property
    def names(self) -> tuple[str, ...]:
        """Return the voters in order."""
        return tuple(self.voters.members)


@dataclass(frozen=True, slots=True)
class Combined:
    """One consensus: its record, its verdicts, and the chance that it gives itself of each."""

    record: ConsensusRecord
    verdicts: tuple[Verdict, ...]
    chance: dict[str, float]


def consensuses(votes: PanelVotes) -> tuple[Combined, ...]:
    """Return every consensus of a panel.

    Parameters
    ----------
    votes : PanelVotes

    Returns
    -------
    tuple of Combined
        ``calibrated`` only where people labelled any item with a vote; ``without`` each voter only
        where there are two.
    """
    found = [
        _by_rule(votes, How.MAJORITY, ConsensusRule.MAJORITY),
        _by_rule(votes, How.UNANIMITY, ConsensusRule.UNANIMITY),
        _fitted(votes, How.WEIGHTED, weighted),
        _fitted(votes, How.DAWID_SKENE, lambda b, k, v: by_dawid_skene(b, k, v, _rng(votes, k))),
    ]
    if any(ballot.item in votes.people.labels and ballot.counts for ballot in votes.ballots):
        fit = _fitted(votes, How.CALIBRATED, lambda b, k, v: calibrated(b, k, v, votes.people))
        found.append(fit)
    found.append(_no_kin(votes))
    if len(votes.names) > 1:
        found += [_without(votes, voter) for voter in votes.names]
    return tuple(found)


def _rng(votes: PanelVotes, kind: ItemKind) -> np.random.Generator:
    return votes.rng(How.DAWID_SKENE.value, kind.value)


def _by_rule(votes: PanelVotes, how: How, rule: ConsensusRule) -> Combined:
    rater = _name(votes, how)
    verdicts = [by_count(ballot, rater, rule, quorum=votes.quorum) for ballot in votes.ballots]
    return _combined(votes, how, verdicts)


def _fitted(votes: PanelVotes, how: How, fitted: Fitted) -> Combined:
    by_kind: dict[ItemKind, list[Ballot]] = {}
    for ballot in votes.ballots:
        by_kind.setdefault(ballot.kind, []).append(ballot)
    fits = {kind: fitted(ballots, kind, votes.names) for kind, ballots in by_kind.items()}
    found: dict[str, Label | Abstention | None] = {}
    chance: dict[str, float] = {}
    for fit in fits.values():
        found |= fit.found
        chance |= fit.chance
    verdicts = [
        concluded(
            ballot,
            _name(votes, how),
            found.get(ballot.item),
            quorum=votes.quorum,
            reason=_why(fits[ballot.kind], ballot.item),
        )
        for ballot in votes.ballots
    ]
    records = {kind: fits[kind].record for kind in ItemKind if kind in fits}
    return _combined(votes, how, verdicts, chance=chance, fits=records)


def _why(fit: Fit, item: str) -> str:
    if fit.record.why_not:
        return f"{fit.record.why_not}; "
    return f"{fit.chance[item]:.4f} by the model; " if item in fit.chance else ""


def _no_kin(votes: PanelVotes) -> Combined:
    rater, excluded, verdicts = _name(votes, How.NO_KIN), Counter[str](), []
    for ballot in votes.ballots:
        near = votes.kin[match_of(ballot.item)] & ballot.votes.keys()
        excluded.update(near)
        verdicts.append(_majority(votes, ballot.without(near), rater))
    counts = {voter: excluded[voter] for voter in votes.names}
    return _combined(votes, How.NO_KIN, verdicts, excluded=counts)


def _without(votes: PanelVotes, voter: str) -> Combined:
    rater = _name(votes, How.WITHOUT, voter)
    verdicts = [_majority(votes, ballot.without({voter}), rater) for ballot in votes.ballots]
    return _combined(votes, How.WITHOUT, verdicts, without=voter)


def _majority(votes: PanelVotes, ballot: Ballot, rater: str) -> Verdict:
    return by_count(ballot, rater, ConsensusRule.MAJORITY, quorum=votes.quorum)


def _name(votes: PanelVotes, how: How, voter: str | None = None) -> str:
    return ".".join(("consensus", votes.panel, how.value, *((voter,) if voter else ())))


def _combined(
    votes: PanelVotes,
    how: How,
    verdicts: Sequence[Verdict],
    *,
    without: str | None = None,
    chance: dict[str, float] | None = None,
    **more: object,
) -> Combined:
    kept = {v: raters for v, raters in votes.voters.members.items() if v != without}
    abstained = Counter(v.abstention for v in verdicts if v.abstention is not None)
    record = ConsensusRecord(
        rater=_name(votes, how, without),
        panel=votes.panel,
        how=how,
        counting=votes.voters.counting,
        members=kept,
        without=without,
        quorum=votes.quorum,
        items=len(verdicts),
        labelled=sum(verdict.label is not None for verdict in verdicts),
        abstained={word: abstained[word] for word in Abstention if abstained[word]},
        **more,
    )
    return Combined(record, tuple(verdicts), chance or {})

"""Consensus: one verdict an item out of several raters', ties and thin panels kept as such."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from games.errors import RunError
from games.records import content_id
from games.rules.item import kind_of
from games.rules.rubric import LABELS
from games.rules.verdict import Verdict
from games.words import Abstention, ItemKind, Label, LeakCategory

Word = TypeVar("Word", bound=Hashable)


class ConsensusRule(StrEnum):
    """How votes become one label: more votes than any other, or every vote."""

    MAJORITY = "majority"
    UNANIMITY = "unanimity"


@dataclass(frozen=True, slots=True)
class Ballot:
    """What the voters say of one item.

    Attributes
    ----------
    item : str
    votes : dict
        Voter to label, None where there is none.
    categories : dict
        Voter who says ``leak`` to how it leaks, where that is said.
    rubric : str
        Fingerprint of the rubric asked; of several texts of it, the id of their sorted set.
    excluded : int
        Voters whose votes were taken out.
    """

    item: str
    votes: Mapping[str, Label | None]
    categories: Mapping[str, LeakCategory]
    rubric: str
    excluded: int = 0

    @property
    def kind(self) -> ItemKind:
        """Return the kind of the item."""
        return ItemKind(kind_of(self.item))

    @property
    def counts(self) -> Counter[Label]:
        """Return the votes for each label that has any."""
        return Counter(label for label in self.votes.values() if label is not None)

    def without(self, voters: Collection[str]) -> Ballot:
        """Return the same without some voters."""
        votes = {voter: label for voter, label in self.votes.items() if voter not in voters}
        kept = {voter: how for voter, how in self.categories.items() if voter in votes}
        out = self.excluded + len(self.votes) - len(votes)
        return Ballot(self.item, votes, kept, self.rubric, out)


def consensus(
    verdicts: Iterable[Verdict],
    rule: ConsensusRule,
    *,
    quorum: int | None = None,
    voter_of: Mapping[str, str] | None = None,
) -> tuple[Verdict, ...]:
    """Return one verdict an item, ordered by item; an abstention is never a vote.

    Parameters
    ----------
    verdicts : iterable of Verdict
        Of any raters in any order, one an item and rater.
    rule : ConsensusRule
        Where it finds no label, the consensus abstains as ``tied``.
    quorum : int, optional
        Votes that an item needs, at least 1; with fewer, the consensus abstains as ``no_quorum``.
        Where none is asked for, it abstains as ``missing`` without any vote.
    voter_of : mapping, optional
        Rater to the voter as whose one vote it counts; each for itself if not given.

    Returns
    -------
    tuple of Verdict
        Rater ``consensus:<rule>``; a category stands where the same rule finds one among the
        raters who said ``leak``; the reason counts the votes.

    Raises
    ------
    ValueError
        The quorum is below 1.
    RunError
        A rater has two verdicts of one item, or a label is none of those of the item's kind.
    """
    _check(quorum)
    return tuple(
        by_count(ballot, f"consensus:{rule.value}", rule, quorum=quorum)
        for ballot in ballots_of(verdicts, voter_of)
    )


def ballots_of(
    verdicts: Iterable[Verdict], voter_of: Mapping[str, str] | None = None
) -> tuple[Ballot, ...]:
    """Return the votes on every item, ordered by item.

    Parameters
    ----------
    verdicts : iterable of Verdict
        Of any raters in any order, one an item and rater.
    voter_of : mapping, optional
        Rater to voter. Raters of one voter have one vote, their majority's; tied, they have none.

    Raises
    ------
    RunError
        A rater has two verdicts of one item, or a label is none of those of the item's kind.
    """
    by_item: dict[str, dict[str, Verdict]] = {}
    for verdict in verdicts:
        panel = by_item.setdefault(verdict.item, {})
        if verdict.rater in panel:
            raise RunError(verdict.item, "must have one verdict a rater", verdict.rater)
        panel[verdict.rater] = verdict
    return tuple(_ballot(item, by_item[item], voter_of or {}) for item in sorted(by_item))


def by_count(
    ballot: Ballot, rater: str, rule: ConsensusRule, *, quorum: int | None = None
) -> Verdict:
    """Return the verdict to which a ballot comes where every vote weighs the same."""
    return concluded(ballot, rater, agreed(ballot.counts, rule), quorum=quorum, rule=rule)


def concluded(
    ballot: Ballot,
    rater: str,
    found: Label | Abstention | None,
    *,
    quorum: int | None = None,
    rule: ConsensusRule = ConsensusRule.MAJORITY,
    reason: str = "",
) -> Verdict:
    """Return the verdict to which a ballot comes.

    Parameters
    ----------
    ballot : Ballot
    rater : str
        The consensus's name.
    found : Label or Abstention or None
        What the votes come to; None where they are tied. It stands only with a quorum.
    quorum : int, optional
        As `consensus` has it.
    rule : ConsensusRule
        By which a category is found among the voters who say ``leak``.
    reason : str
        Words before the count of votes.

    Raises
    ------
    ValueError
        The quorum is below 1.
    """
    _check(quorum)
    votes = ballot.counts.total()
    if votes < (quorum or 1):
        found = Abstention.MISSING if quorum is None else Abstention.NO_QUORUM
    label = found if isinstance(found, Label) else None
    leaks = Counter(ballot.categories.values()) if label is Label.LEAK else Counter()
    return Verdict(
        item=ballot.item,
        rater=rater,
        rubric=ballot.rubric,
        label=label,
        abstention=None if label else found or Abstention.TIED,
        category=agreed(leaks, rule),
        reason=f"{reason}{_counted(ballot)}",
    )


def agreed(votes: Counter[Word], rule: ConsensusRule) -> Word | None:
    """Return what a rule finds in votes; None where they are tied, differ, or there are none."""
    ranked = votes.most_common(2)
    if len(ranked) == 1:
        return ranked[0][0]
    if not ranked or rule is ConsensusRule.UNANIMITY or ranked[0][1] == ranked[1][1]:
        return None
    return ranked[0][0]


def _check(quorum: int | None) -> None:
    if quorum is not None and quorum < 1:
        raise ValueError("`quorum` must be at least 1")


def _ballot(item: str, panel: Mapping[str, Verdict], voter_of: Mapping[str, str]) -> Ballot:
    of_kind = LABELS[_kind(item)]
    by_voter: dict[str, list[Verdict]] = {}
    for rater in sorted(panel):
        said = panel[rater].label
        if said is not None and said not in of_kind:
            known = ", ".join(label.value for label in of_kind)
            raise RunError(item, f"must be labelled by one of {known}", said.value)
        by_voter.setdefault(voter_of.get(rater, rater), []).append(panel[rater])
    votes, categories = {}, {}
    for voter, verdicts in by_voter.items():
        counts = Counter(v.label for v in verdicts if v.label is not None)
        votes[voter] = agreed(counts, ConsensusRule.MAJORITY)
        leaks = Counter(v.category for v in verdicts if v.category is not None)
        how = agreed(leaks, ConsensusRule.MAJORITY)
        if votes[voter] is Label.LEAK and how is not None:
            categories[voter] = how
    rubrics = sorted({verdict.rubric for verdict in panel.values()})
    return Ballot(item, votes, categories, rubrics[0] if len(rubrics) == 1 else content_id(rubrics))


def _kind(item: str) -> ItemKind:
    named = kind_of(item)
    if named not in set(ItemKind):
        raise RunError(item, f"must end in a kind of item ({', '.join(ItemKind)})", named)
    return ItemKind(named)


def _counted(ballot: Ballot) -> str:
    votes = ballot.counts
    told = [f"{votes[label]} {label.value}" for label in Label if label in votes]
    silent = len(ballot.votes) - votes.total()
    told += [f"{silent} without a label"] if silent else []
    return ", ".join([*told, f"{ballot.excluded} left out"] if ballot.excluded else told)

"""Consensus: one verdict an item out of several raters', ties and thin panels kept as such."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from enum import StrEnum
from typing import TypeVar

from games.errors import RunError
from games.rules.verdict import Verdict
from games.words import Abstention, Label

Word = TypeVar("Word", bound=Hashable)


class ConsensusRule(StrEnum):
    """How votes become one label: more votes than any other, or every vote."""

    MAJORITY = "majority"
    UNANIMITY = "unanimity"


def consensus(
    verdicts: Iterable[Verdict], rule: ConsensusRule, *, quorum: int = 1
) -> tuple[Verdict, ...]:
    """Return one verdict an item, ordered by item; an abstention is never a vote.

    Parameters
    ----------
    verdicts : iterable of Verdict
        Of any raters in any order, one an item and rater.
    rule : ConsensusRule
        Where it finds no label, the consensus abstains as ``tied``.
    quorum : int
        Labels that an item needs, at least 1; with fewer, the consensus abstains as ``missing``.

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
        A rater has two verdicts of one item, or an item's raters were asked different rubrics.
    """
    if quorum < 1:
        raise ValueError("`quorum` must be at least 1")
    by_item: dict[str, dict[str, Verdict]] = {}
    for verdict in verdicts:
        panel = by_item.setdefault(verdict.item, {})
        if verdict.rater in panel:
            raise RunError(verdict.item, "must have one verdict a rater", verdict.rater)
        panel[verdict.rater] = verdict
    return tuple(_combined(item, by_item[item], rule, quorum) for item in sorted(by_item))


def _combined(item: str, panel: Mapping[str, Verdict], rule: ConsensusRule, quorum: int) -> Verdict:
    rubrics = sorted({verdict.rubric for verdict in panel.values()})
    if len(rubrics) > 1:
        raise RunError(item, "must have been asked of all raters in one rubric", ", ".join(rubrics))
    votes = Counter(v.label for v in panel.values() if v.label is not None)
    label = _agreed(votes, rule) if votes.total() >= quorum else None
    abstention = None
    if label is None:
        abstention = Abstention.MISSING if votes.total() < quorum else Abstention.TIED
    leaks = [v.category for v in panel.values() if v.label is label and v.category is not None]
    return Verdict(
        item=item,
        rater=f"consensus:{rule.value}",
        rubric=rubrics[0],
        label=label,
        abstention=abstention,
        category=_agreed(Counter(leaks), rule) if label is Label.LEAK else None,
        reason=_counted(votes, len(panel) - votes.total()),
    )


def _agreed(votes: Counter[Word], rule: ConsensusRule) -> Word | None:
    ranked = votes.most_common(2)
    if len(ranked) == 1:
        return ranked[0][0]
    if not ranked or rule is ConsensusRule.UNANIMITY or ranked[0][1] == ranked[1][1]:
        return None
    return ranked[0][0]


def _counted(votes: Counter[Label], silent: int) -> str:
    told = [f"{votes[label]} {label.value}" for label in Label if label in votes]
    return ", ".join([*told, f"{silent} without a label"] if silent else told)

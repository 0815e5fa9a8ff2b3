"""What each rater of a panel came to: labels, abstentions, and for a judge calls and cost."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from games.play.account import Account
from games.play.accounting import account_of_judges
from games.play.journal import read_journal
from games.rules.verdict import Verdict
from games.words import Abstention, Label

from .run import Hearing


@dataclass(frozen=True, slots=True)
class RaterSummary:
    """One rater of a panel.

    Attributes
    ----------
    rater : str
    items : int
        Items on which it has a verdict of either sort.
    labels : dict
        Label to number.
    abstentions : dict
        Reason to number.
    account : Account or None
        What its model came to by the panel's journal; None for a rule.
    """

    rater: str
    items: int
    labels: dict[Label, int]
    abstentions: dict[Abstention, int]
    account: Account | None


def panel_summary(hearing: Hearing) -> tuple[RaterSummary, ...]:
    """Return what every rater of a panel came to, seats before rules.

    A panel that was killed before its first verdicts were written has none; its calls are on
    record all the same.
    """
    journal, kept = hearing.folder.journal, hearing.kept
    known, asked = set(kept.raters()), hearing.put.panel.asked()
    records = read_journal(journal) if journal.is_file() else ()
    accounts = {account.id: account for account in account_of_judges(records, asked)}
    return tuple(
        _summary(rater, kept.verdicts(rater) if rater in known else (), accounts.get(rater))
        for rater in hearing.raters()
    )


def _summary(rater: str, verdicts: tuple[Verdict, ...], account: Account | None) -> RaterSummary:
    labels = Counter(v.label for v in verdicts if v.label is not None)
    abstained = Counter(v.abstention for v in verdicts if v.abstention is not None)
    return RaterSummary(
        rater=rater,
        items=len(verdicts),
        labels={label: labels[label] for label in Label if labels[label]},
        abstentions={why: abstained[why] for why in Abstention if abstained[why]},
        account=account,
    )

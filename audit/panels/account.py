"""What each seat of a panel came to: what was put to it, what came back, how soon, at what cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from games.panels.panel import Panel
from games.play.account import Account
from games.play.accounting import account_of_judges
from games.play.asking import Call
from games.play.journal import Event
from games.rules.verdict import Verdict
from games.words import Abstention, Label


@dataclass(frozen=True, slots=True)
class Latency:
    """How long a model took to reply, waits beforehand left out.

    Attributes
    ----------
    replies : int
    median, ninetieth, most : float
        Seconds; the second is that within which nine of ten came.
    """

    replies: int
    median: float
    ninetieth: float
    most: float


@dataclass(frozen=True, slots=True)
class Coverage:
    """What one rater of a panel was asked and came to.

    Attributes
    ----------
    rater : str
    asked : int
        Items that were put to it.
    labels : dict
        Label to number.
    abstentions : dict
        Reason to number; ``missing`` was asked in vain, or never reached.
    account : Account or None
        What its model came to by the panel's journal; None for a rule, which no call was made for.
    latency : Latency or None
        None without a reply of its own.
    """

    rater: str
    asked: int
    labels: dict[Label, int]
    abstentions: dict[Abstention, int]
    account: Account | None
    latency: Latency | None

    @property
    def ruled(self) -> int:
        """Return on how many items it ruled, with a label or without."""
        return self.asked - self.abstentions.get(Abstention.MISSING, 0)


def coverage(
    panel: Panel,
    said: dict[str, tuple[Verdict, ...]],
    records: Sequence[Event | Call],
) -> tuple[Coverage, ...]:
    """Return what every rater of a panel came to, seats before rules.

    Parameters
    ----------
    panel : Panel
    said : dict
        Rater to its verdicts, one for every item that was put to it.
    records : sequence of Event and Call
        Of the panel's journal, in order.

    Raises
    ------
    RunError
        A call is of nobody on the panel.
    """
    accounts = {account.id: account for account in account_of_judges(records, panel.asked())}
    soon = latencies(records)
    return tuple(
        _coverage(rater, said.get(rater, ()), accounts.get(rater), soon.get(rater))
        for rater in panel.raters()
    )


def latencies(records: Iterable[Event | Call]) -> dict[str, Latency]:
    """Return how long the replies of each model took; replies taken from elsewhere took none."""
    seconds: dict[str, list[float]] = {}
    for record in records:
        if isinstance(record, Call) and record.reply is not None and not record.from_run:
            seconds.setdefault(record.player, []).append(record.seconds)
    return {name: _latency(took) for name, took in seconds.items()}


def _latency(took: Sequence[float]) -> Latency:
    median, ninetieth = np.quantile(took, [0.5, 0.9]).tolist()
    return Latency(len(took), median, ninetieth, max(took))


def _coverage(
    rater: str, verdicts: Collection[Verdict], account: Account | None, latency: Latency | None
) -> Coverage:
    labels = Counter(v.label for v in verdicts if v.label is not None)
    abstained = Counter(v.abstention for v in verdicts if v.abstention is not None)
    return Coverage(
        rater=rater,
        asked=len(verdicts),
        labels={label: labels[label] for label in Label if labels[label]},
        abstentions={why: abstained[why] for why in Abstention if abstained[why]},
        account=account,
        latency=latency,
    )


def coverage_frame(found: Iterable[Coverage]) -> pd.DataFrame:
    """Return one row a rater: coverage, labels, abstentions, calls, tokens, dollars, seconds."""
    return pd.DataFrame([_row(one) for one in found])


def _row(one: Coverage) -> dict[str, object]:
    row: dict[str, object] = {"rater": one.rater, "asked": one.asked, "ruled": one.ruled}
    row |= {label.value: one.labels.get(label, 0) for label in Label}
    row |= {why.value: one.abstentions.get(why, 0) for why in Abstention}
    account, soon = one.account, one.latency
    if account is not None:
        row |= {
            "replies": account.replies,
            "re-asks": account.re_asks,
            "faults": sum(account.faults.values()),
            "no reply": sum(account.troubles.values()),
            "tokens in": account.tokens_in,
            "tokens out": account.tokens_out,
            "tokens of reasoning": account.tokens_reasoning,
            "dollars": account.spent.known,
            "dollars at most": account.spent.at_most,
            "unpriced": account.spent.unpriced,
            "ids or fingerprints": len(account.epochs),
            "drifted": account.drifted,
        }
    if soon is not None:
        row |= {
            "median seconds": soon.median,
            "seconds of nine in ten": soon.ninetieth,
            "most seconds": soon.most,
        }
    return row

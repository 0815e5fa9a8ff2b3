"""What is found of voters who err together, and its tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from audit.numbers.estimate import Estimate
from audit.numbers.majority import MajorityErrors
from games.words import ItemKind


@dataclass(frozen=True, slots=True)
class Together:
    """How far two voters err together.

    Attributes
    ----------
    first, second : str
    phi : Estimate
        Correlation of their errors on the items that people labelled and both voted on; intervals
        resample clusters.
    within : Estimate
        The same within the true label, which is what a model of independent errors supposes to
        be 0.
    departing : Estimate
        Correlation of their departures from the majority of all others, on all items.
    """

    first: str
    second: str
    phi: Estimate
    within: Estimate
    departing: Estimate


@dataclass(frozen=True, slots=True)
class Claimed:
    """A consensus that gives each label a chance: what it claims of itself, and what people say.

    Attributes
    ----------
    rater : str
    wrong_claimed : float
        Mean chance that it is wrong, by itself, over the items that people labelled.
    wrong : float
        Share of these on which people say otherwise.
    items : int
    """

    rater: str
    wrong_claimed: float
    wrong: float
    items: int


@dataclass(frozen=True, slots=True)
class Dependence:
    """The voters of a panel on the items of one kind.

    Attributes
    ----------
    kind : ItemKind
    voters : tuple of str
    pairs : tuple of Together
    worth : Estimate
        How many voters with independent errors they are worth, by the mean correlation within the
        true label.
    majority : MajorityErrors or None
        None where people labelled nothing that has a vote.
    claimed : tuple of Claimed
    labelled : int
        Items with a label of people and a vote.
    weighted : bool
        Whether these are weighted by the inverse of their probability of being drawn.
    """

    kind: ItemKind
    voters: tuple[str, ...]
    pairs: tuple[Together, ...]
    worth: Estimate
    majority: MajorityErrors | None
    claimed: tuple[Claimed, ...]
    labelled: int
    weighted: bool


def dependence_frame(found: Sequence[Dependence]) -> pd.DataFrame:
    """Return one row a pair of voters."""
    rows = [
        {"kind": one.kind.value, "first": pair.first, "second": pair.second}
        | _cells(pair.phi, "phi")
        | _cells(pair.within, "phi within label")
        | _cells(pair.departing, "departing")
        for one in found
        for pair in one.pairs
    ]
    return pd.DataFrame(rows)


def assumed_frame(found: Sequence[Dependence]) -> pd.DataFrame:
    """Return one row a kind and consensus: errors if voters were independent, and as people say."""
    rows: list[dict[str, object]] = []
    for one in found:
        common = {"kind": one.kind.value, "voters": len(one.voters)} | _cells(one.worth, "worth")
        if one.majority is not None:
            of = one.majority
            wrong = {"wrong expected": of.wrong_expected, "wrong": of.wrong}
            tied = {"tied expected": of.tied_expected, "tied": of.tied}
            rows.append(common | {"consensus": "majority"} | wrong | tied | {"items": of.items})
        for claim in one.claimed:
            wrong = {"wrong expected": claim.wrong_claimed, "wrong": claim.wrong}
            rows.append(common | {"consensus": claim.rater} | wrong | {"items": claim.items})
    return pd.DataFrame(rows)


def _cells(estimate: Estimate, name: str) -> dict[str, object]:
    span = estimate.interval
    return {
        name: estimate.value,
        f"{name} low": span.low if span else None,
        f"{name} high": span.high if span else None,
        f"{name} items": estimate.counts_in,
        f"{name} reason": estimate.reason.value if estimate.reason else "",
    }

"""The items on which a panel's raters differ, those on which most hangs first.

A disagreement matters where some source of rulings ends the match otherwise by it, and most where
that one match puts a headline figure on the other side of its claim.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import pandas as pd

from audit.claims.claim import Claim
from audit.verdicts.panel import ARBITER
from audit.verdicts.readjudicate import Readjudicated
from games.rules.item import kind_of, match_of
from games.rules.verdict import Verdict
from games.study.study import Study
from games.trace import Trace
from games.words import RULED, ItemKind, Label

from .alone import moved_alone
from .flows import told
from .sheet import by_item

LOOKED_AT = 25
"""Disagreements, the weightiest, of which it is tried whether one match alone moves a figure."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one rater says of an item, and why; the reason is a model's text."""

    rater: str
    said: str
    reason: str


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An item with more than one label.

    Attributes
    ----------
    item : str
    kind : ItemKind
    opinions : tuple of Opinion
        Of the arbiter and of every rater of the panel.
    differ : int
        Raters with a label that is not the most frequent one.
    decides : tuple of str
        Sources of rulings under which the match may have another winner than it had, by this item.
    moves : tuple of str or None
        Claims whose figure changes sides where this match alone is ruled on as the first of
        ``decides`` has it; None where that was not tried.
    """

    item: str
    kind: ItemKind
    opinions: tuple[Opinion, ...]
    differ: int
    decides: tuple[str, ...]
    moves: tuple[str, ...] | None = None


def disagreements(
    verdicts: Mapping[str, Sequence[Verdict]],
    readjudicated: Mapping[str, Sequence[Readjudicated]],
) -> tuple[Disagreement, ...]:
    """Return the items on which raters differ, those first by which most sources end a match.

    Parameters
    ----------
    verdicts : mapping
        Rater to verdicts: of the arbiter and of everybody on the panel.
    readjudicated : mapping
        Source of rulings to what every match comes to; the arbiter's among them.

    Raises
    ------
    RunError
        A rater has two verdicts of one item.
    """
    said = {rater: by_item(found) for rater, found in verdicts.items()}
    decides = _decided_by(readjudicated)
    found = []
    for item in dict.fromkeys(item for each in said.values() for item in each):
        if ItemKind(kind_of(item)) in RULED:
            labels = Counter(
                each[item].label for each in said.values() if item in each and each[item].label
            )
            if len(labels) > 1:
                found.append(_disagreement(item, said, labels, decides.get(item, ())))
    return tuple(sorted(found, key=_weight))


def _disagreement(
    item: str,
    said: Mapping[str, Mapping[str, Verdict]],
    labels: Counter[Label | None],
    decides: tuple[str, ...],
) -> Disagreement:
    opinions = tuple(
        Opinion(rater, told(each[item]), each[item].reason)
        for rater, each in said.items()
        if item in each
    )
    differ = labels.total() - max(labels.values())
    return Disagreement(item, ItemKind(kind_of(item)), opinions, differ, decides)


def _decided_by(
    readjudicated: Mapping[str, Sequence[Readjudicated]],
) -> dict[str, tuple[str, ...]]:
    """Return, for each item, the sources under which a match has other winners by it."""
    found: dict[str, list[str]] = {}
    for source, results in readjudicated.items():
        for before, after in zip(readjudicated[ARBITER], results, strict=True):
            if after.possible != before.possible:
                # Where nothing ends the match any more, what ended it has been overturned.
                found.setdefault(after.item or before.item, []).append(source)
    return {item: tuple(sources) for item, sources in found.items()}


def _weight(one: Disagreement) -> tuple[int, int, int, str]:
    return (-len(one.moves or ()), -len(one.decides), -one.differ, one.item)


def by_consequence(
    found: Sequence[Disagreement],
    traces: Sequence[Trace],
    study: Study,
    readjudicated: Mapping[str, Sequence[Readjudicated]],
    claims: Sequence[Claim],
    *,
    most: int = LOOKED_AT,
) -> tuple[Disagreement, ...]:
    """Return disagreements with the headline claims that each moves alone, these first.

    Parameters
    ----------
    found : sequence of Disagreement
        The weightiest first.
    traces : sequence of Trace
    study : Study
    readjudicated : mapping
        As `disagreements` has it.
    claims : sequence of Claim
    most : int
        How many are tried; those that decide no match move nothing, and need not be.
    """
    results = {source: {r.match: r for r in each} for source, each in readjudicated.items()}
    tried = [one for one in found if one.decides][:most]
    moves: dict[str, tuple[str, ...]] = {}
    for batch in _one_a_match(tried):
        instead = {match_of(one.item): results[one.decides[0]][match_of(one.item)] for one in batch}
        moved = moved_alone(traces, study, readjudicated[ARBITER], instead, claims)
        moves |= {one.item: moved[match_of(one.item)] for one in batch}
    looked = [replace(one, moves=moves.get(one.item, None if one.decides else ())) for one in found]
    return tuple(sorted(looked, key=_weight))


def _one_a_match(found: Sequence[Disagreement]) -> Iterator[list[Disagreement]]:
    """Yield disagreements in batches of which none holds two of one match."""
    left = list(found)
    while left:
        batch: dict[str, Disagreement] = {}
        for one in left:
            batch.setdefault(match_of(one.item), one)
        yield list(batch.values())
        left = [one for one in left if batch[match_of(one.item)] is not one]


def reading_frame(found: Sequence[Disagreement]) -> pd.DataFrame:
    """Return one row a disagreement and rater, the weightiest first."""
    rows = [
        {"item": one.item, "kind": one.kind.value, "differ": one.differ}
        | {"decides a match under": ", ".join(one.decides)}
        | {"moves alone": "not tried" if one.moves is None else ", ".join(one.moves)}
        | {"rater": opinion.rater, "said": opinion.said, "reason": opinion.reason}
        for one in found
        for opinion in one.opinions
    ]
    return pd.DataFrame(rows)

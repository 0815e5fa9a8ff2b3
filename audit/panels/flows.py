"""Where verdicts go: from what the arbiter ruled to what a consensus comes to, with counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pandas as pd

from games.rules.item import kind_of
from games.rules.verdict import Verdict
from games.words import Abstention, ItemKind, Label, LeakCategory

from .sheet import by_item

NO_VERDICT = "no verdict"


@dataclass(frozen=True, slots=True)
class Flow:
    """Items of one kind that one rater ruled one way and another rater another.

    Attributes
    ----------
    kind : ItemKind
    before, after : str
        A label, of a leak with how it leaks where that is said; an abstention; or ``no verdict``.
    items : int
    """

    kind: ItemKind
    before: str
    after: str
    items: int


def flows(before: Iterable[Verdict], after: Iterable[Verdict]) -> tuple[Flow, ...]:
    """Return how many items went from what to what, by kind; every item of either is in one.

    Raises
    ------
    RunError
        A rater has two verdicts of one item.
    """
    first, second = by_item(before), by_item(after)
    counts: Counter[tuple[ItemKind, str, str]] = Counter()
    for item in first.keys() | second.keys():
        words = told(first.get(item)), told(second.get(item))
        counts[ItemKind(kind_of(item)), *words] += 1
    kinds = list(ItemKind)
    ordered = sorted(
        counts.items(),
        key=lambda one: (kinds.index(one[0][0]), ORDER.index(one[0][1]), ORDER.index(one[0][2])),
    )
    return tuple(Flow(*which, items) for which, items in ordered)


def told(verdict: Verdict | None) -> str:
    """Return what a rater said of an item, in words."""
    if verdict is None:
        return NO_VERDICT
    if verdict.label is None:
        return _words(verdict.abstention)
    if verdict.category is None:
        return _words(verdict.label)
    return f"{_words(verdict.label)}, {_words(verdict.category)}"


def _words(word: Label | LeakCategory | Abstention | None) -> str:
    return NO_VERDICT if word is None else word.value.replace("_", " ")


ORDER = tuple(
    dict.fromkeys(
        (
            *(f"{_words(Label.LEAK)}, {_words(how)}" for how in LeakCategory),
            *(_words(label) for label in Label),
            *(_words(why) for why in Abstention),
            NO_VERDICT,
        )
    )
)
"""Everything that can be said of an item, in the order in which it is shown."""


def flow_frame(found: Sequence[Flow]) -> pd.DataFrame:
    """Return one row a flow: kind, before, after, items."""
    rows = [(flow.kind.value, flow.before, flow.after, flow.items) for flow in found]
    return pd.DataFrame(rows, columns=["kind", "before", "after", "items"])

"""Whether a judge errs more in long dialogues and late turns, as far as recorded items can tell.

Nothing is changed here: late items are other items than early ones, and may be harder for
everybody. A trend is a reason to look at the probes, not an effect of place.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from audit.numbers.estimate import Alternative, Estimate, PValue, Undefined
from audit.numbers.homogeneity import trend
from games.rules.item import Item
from games.rules.verdict import Verdict
from games.words import ItemKind

from .sheet import by_item, columns, exact_share


class Scale(StrEnum):
    """Along what items are ordered."""

    TURN = "turn"
    """The turn asked about."""
    LENGTH = "characters"
    """Everything said up to the line asked about, in characters."""


_MEASURES: dict[Scale, Callable[[Item], int]] = {
    Scale.TURN: lambda item: item.subject.turn,
    Scale.LENGTH: lambda item: sum(len(line.text) for line in item.dialogue),
}


_NAN = float("nan")
_NO_ITEM = PValue(_NAN, _NAN, Alternative.TWO_SIDED, "trend", 0, Undefined.EMPTY)


@dataclass(frozen=True, slots=True)
class Third:
    """The items of about a third of the scale; equal places are never parted.

    Attributes
    ----------
    least, most : int
        On the scale.
    hits : int
        Labels that are those of the reference.
    agreed : Estimate
        Share of labels that are those of the reference; exact interval (Clopper and Pearson).
    """

    least: int
    most: int
    hits: int
    agreed: Estimate


@dataclass(frozen=True, slots=True)
class PlaceEffect:
    """How one rater's agreement with a reference goes along a scale.

    Attributes
    ----------
    rater : str
    kind : ItemKind
    scale : Scale
    thirds : tuple of Third
        From the least places to the most; fewer than three where places are few.
    trend : PValue
        Cochran's and Armitage's test over the thirds, positive where agreement rises; items are
        taken as independent. Undefined (``EMPTY``) without an item.
    left_out : int
        Items that the rater or the reference did not label.
    """

    rater: str
    kind: ItemKind
    scale: Scale
    thirds: tuple[Third, ...]
    trend: PValue
    left_out: int


def place_effects(
    items: Collection[Item],
    verdicts: Mapping[str, Collection[Verdict]],
    references: Mapping[str, Collection[Verdict]],
    *,
    level: float = 0.95,
) -> tuple[PlaceEffect, ...]:
    """Return how each rater's agreement goes along turns and lengths, by kind of item.

    Parameters
    ----------
    items : collection of Item
        What was asked about.
    verdicts : mapping
        Rater to its verdicts; those on other items are passed over.
    references : mapping
        Rater to what it is held against: a consensus without its own vote, or people.
    level : float
        Confidence level, in (0, 1).

    Raises
    ------
    RunError
        A rater has two verdicts of one item.
    KeyError
        A rater has no reference.
    """
    return tuple(
        effect
        for rater, said in verdicts.items()
        for effect in _of_rater(rater, items, by_item(said), by_item(references[rater]), level)
    )


def _of_rater(
    rater: str,
    items: Collection[Item],
    said: Mapping[str, Verdict],
    reference: Mapping[str, Verdict],
    level: float,
) -> Iterator[PlaceEffect]:
    for kind in ItemKind:
        of_kind = [item for item in items if item.kind is kind]
        met = [
            (item, said[item.id].label is reference[item.id].label)
            for item in of_kind
            if _label(said, item) is not None and _label(reference, item) is not None
        ]
        if of_kind:
            out = len(of_kind) - len(met)
            agreed = np.array([same for _, same in met], dtype=bool)
            for scale, measure in _MEASURES.items():
                places = np.array([measure(item) for item, _ in met], dtype=np.int64)
                thirds = _thirds(places, agreed, level)
                yield PlaceEffect(rater, kind, scale, thirds, _trend(thirds), out)


def _label(said: Mapping[str, Verdict], item: Item) -> object:
    return said[item.id].label if item.id in said else None


def _thirds(
    places: NDArray[np.int64], agreed: NDArray[np.bool_], level: float
) -> tuple[Third, ...]:
    if not len(places):
        return ()
    cuts = np.quantile(places, [1 / 3, 2 / 3], method="inverted_cdf")
    third = np.searchsorted(cuts, places, side="left")
    found = []
    for at in np.unique(third):
        inside, same = places[third == at], agreed[third == at]
        hits = int(same.sum())
        share = exact_share(hits, len(same), 0, level)
        found.append(Third(int(inside.min()), int(inside.max()), hits, share))
    return tuple(found)


def _trend(thirds: Sequence[Third]) -> PValue:
    if not thirds:
        return _NO_ITEM
    return trend([each.hits for each in thirds], [each.agreed.counts_in for each in thirds])


def place_frame(effects: Sequence[PlaceEffect]) -> pd.DataFrame:
    """Return one row for each rater, kind, scale and third."""
    rows = []
    for one in effects:
        for number, third in enumerate(one.thirds, start=1):
            row: dict[str, object] = {
                "rater": one.rater,
                "kind": one.kind.value,
                "scale": one.scale.value,
                "third": number,
                "least": third.least,
                "most": third.most,
                "labelled": third.agreed.counts_in,
                "left out of all": one.left_out,
            }
            row |= columns("agreed", third.agreed)
            rows.append(row | {"z of trend": one.trend.statistic, "p of trend": one.trend.p})
    return pd.DataFrame(rows)

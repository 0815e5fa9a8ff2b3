"""How a selection is shown: whom which item is asked of, what is asked twice, what is practice.

What does not count has an id of its own, ``<match>/<turn>/again/<kind>`` or ``…/practice/…``: no
verdict on it can be taken for one on the item, whoever reads the verdicts.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Purpose(StrEnum):
    """Why an item is shown: for its verdict, for a second one of the same rater, to practise."""

    COUNTED = "counted"
    AGAIN = "again"
    PRACTICE = "practice"


@dataclass(frozen=True, slots=True)
class Showing:
    """One item as one rater meets it."""

    item: str
    purpose: Purpose = Purpose.COUNTED

    @property
    def id(self) -> str:
        """Return the id under which this rater's answer is kept."""
        if self.purpose is Purpose.COUNTED:
            return self.item
        before, kind = self.item.rsplit("/", 1)
        return f"{before}/{self.purpose.value}/{kind}"


def showing_of(shown: str) -> Showing:
    """Return what an id of a showing stands for.

    Raises
    ------
    ValueError
        The id is neither an item's nor made from one.
    """
    parts = shown.split("/")
    if len(parts) == 3:
        return Showing(shown)
    if len(parts) != 4:
        raise ValueError(f"`{shown}` is no id of an item shown")
    return Showing("/".join((*parts[:2], parts[3])), Purpose(parts[2]))


def arranged(
    counted: Sequence[str], again: Collection[str] = (), practice: Sequence[str] = ()
) -> tuple[Showing, ...]:
    """Return all that one rater sees, in order: practice, then the items, repeats late among them.

    Parameters
    ----------
    counted : sequence of str
        Items in chance order; one that is repeated may change places with another, so that it is
        met early.
    again : collection of str
        Those of them that are asked twice.
    practice : sequence of str
        Items asked first, which never count.

    Returns
    -------
    tuple of Showing
        Where at most half of the items are repeated, each repeat stands among the last quarter of
        the items and at least a quarter of them after its first showing.
    """
    order = _met_early(counted, again)
    late = len(order) - len(order) // 4
    repeats = [Showing(item, Purpose.AGAIN) for item in order if item in again]
    return (
        *(Showing(item, Purpose.PRACTICE) for item in practice),
        *map(Showing, order[:late]),
        *_mixed([Showing(item) for item in order[late:]], repeats),
    )


def _met_early(counted: Sequence[str], again: Collection[str]) -> list[str]:
    order, half = list(counted), (len(counted) + 1) // 2
    late = [place for place in range(half, len(order)) if order[place] in again]
    free = [place for place in range(half) if order[place] not in again]
    for one, other in zip(late, free, strict=False):
        order[one], order[other] = order[other], order[one]
    return order


def _mixed(first: Sequence[Showing], second: Sequence[Showing]) -> list[Showing]:
    """Return two sequences as one, each in its order and spread evenly over the whole."""
    placed = [
        ((place + 0.5) / len(sequence), number, showing)
        for number, sequence in enumerate((first, second))
        for place, showing in enumerate(sequence)
    ]
    return [showing for _, _, showing in sorted(placed, key=lambda one: one[:2])]

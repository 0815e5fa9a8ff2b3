"""What a sample put to people is on disk: the design that made it, and every item with its odds."""

from __future__ import annotations

from collections import Counter
from typing import Any

from pydantic import Field, model_validator

from games.records import Record
from games.words import RULED, ItemKind

from .anticipated import Anticipated
from .inclusion import Allocation
from .showing import Showing, arranged
from .strata import StratumKey


class Stratum(Record):
    """One cell of the population: its values, its size, how many were expected and were drawn."""

    values: dict[StratumKey, str]
    size: int
    expected: float
    drawn: int


class Selected(Record):
    """One item drawn.

    Attributes
    ----------
    item, match : str
    stratum : int
        Position among the selection's strata.
    stratum_size : int
    probability : float
        Of having been drawn, above 0 and at most 1.
    seat : int or None
        The one annotator who is asked, counted from 1; None where all are.
    first : float or None
        Of having been drawn before the sample was made longer; None where it never was.
    """

    item: str
    match: str
    stratum: int
    stratum_size: int
    probability: float = Field(gt=0, le=1)
    seat: int | None = None
    first: float | None = Field(None, gt=0, le=1)

    @property
    def weight(self) -> float:
        """Return how many items of the population the item stands for."""
        return 1 / self.probability


class Design(Record):
    """What decides a draw beside the population: which items, shared how, drawn by which seed.

    Attributes
    ----------
    n : int
        Items to draw.
    seed : int
        Decides the draw together with the ids of the items; names of players decide nothing.
    by : tuple of StratumKey
        Keys that cross to form the strata; none makes one stratum of all.
    within : dict
        Key to the one value that an item must have to be drawn at all.
    kinds : tuple of ItemKind
        The questions that are asked.
    allocation : Allocation
    anticipated : Anticipated
        Shares of positives, which Neyman's allocation needs and no other.
    minimum : int
        Items that each stratum gets, or all that it has; at least 1, since a stratum that cannot
        be drawn from says nothing of the population.
    per_match : bool
        Draw at most one item of a match, since items of one dialogue are not independent;
        ``minimum`` then shapes the probabilities only.
    annotators : int
        Among how many seats the items are shared.
    overlap : int or None
        Items that all annotators are asked; all of them where None.
    repeats : int
        Of these, the ones that each annotator is asked a second time.
    practice : int
        Further items for practice, which never count.
    first : int or None
        Items of the first draw, where the sample was made longer since: they stay as they were,
        and so do the shares of the strata, the overlap, the repeats and the practice.
    """

    n: int
    seed: int
    by: tuple[StratumKey, ...] = ()
    within: dict[StratumKey, str] = Field(default_factory=dict)
    kinds: tuple[ItemKind, ...] = RULED
    allocation: Allocation = Allocation.PROPORTIONAL
    anticipated: Anticipated = Anticipated()
    minimum: int = 1
    per_match: bool = True
    annotators: int = 1
    overlap: int | None = None
    repeats: int = 0
    practice: int = 0
    first: int | None = None

    @property
    def begun(self) -> int:
        """Return how many items were drawn first."""
        return self.n if self.first is None else self.first

    def goes_on_in(self, other: Design) -> bool:
        """Return whether another design is this one with as many items, or more."""
        same = self.model_copy(update={"n": other.n, "first": None}) == other
        return same and other.n >= self.n

    def kept(self) -> dict[str, Any]:
        """Return what stays as it is when the sample is made longer."""
        return self.model_dump(mode="json", exclude={"n", "first"})

    @property
    def shared(self) -> int:
        """Return how many of the items every annotator is asked."""
        return self.n if self.all_shared else self.overlap or 0

    @property
    def all_shared(self) -> bool:
        """Return whether every annotator is asked every item."""
        return self.annotators == 1 or self.overlap is None


class Selection(Record):
    """A sample of items in the order in which people see them, and the design that made it.

    Attributes
    ----------
    design : Design
    population : int
        Items that might have been drawn.
    left_out : dict
        Items that might not: reason to number.
    strata : tuple of Stratum
    items : tuple of Selected
    repeats : tuple of str
        Items among them that every annotator is asked twice.
    practice : tuple of str
        Items that are asked first and never count.
    """

    format: int = 3
    design: Design
    population: int
    left_out: dict[str, int]
    strata: tuple[Stratum, ...]
    items: tuple[Selected, ...]
    repeats: tuple[str, ...] = ()
    practice: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _holds_each_item_once(self) -> Selection:
        items = [selected.item for selected in self.items]
        for named in ((*items, *self.practice), self.repeats):
            twice = next((item for item, count in Counter(named).items() if count > 1), None)
            if twice is not None:
                raise ValueError(f"must hold each item once, found {twice!r} again")
        for item in (*items, *self.practice):
            if item.count("/") != 2 or not all(item.split("/")):
                raise ValueError(f"must hold items as <match>/t<turn>/<kind>, found {item!r}")
        for item in self.repeats:
            if item not in items:
                raise ValueError(f"must repeat items that it holds, found {item!r}")
        return self

    def shared_probability(self, selected: Selected) -> float:
        """Return the probability that an item was drawn and asked of every annotator."""
        if self.design.all_shared:
            return selected.probability
        return self._begun(selected) * self.design.shared / self.design.begun

    def repeated_probability(self, selected: Selected) -> float:
        """Return the probability that an item was drawn and is asked of each annotator twice."""
        return self._begun(selected) * self.design.repeats / self.design.begun

    def _begun(self, selected: Selected) -> float:
        return selected.probability if selected.first is None else selected.first

    def shown(self, seat: int | None = None) -> tuple[Showing, ...]:
        """Return all that one annotator is asked, in order; what anyone is asked where None."""
        counted = [s.item for s in self.items if seat is None or s.seat in (None, seat)]
        return arranged(counted, self.repeats, self.practice)

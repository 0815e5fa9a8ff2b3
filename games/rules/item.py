"""An item: the unit put to a rater, cut from a match as far as it had gone."""

from __future__ import annotations

from dataclasses import dataclass

from ..records import Record, Text
from ..words import ItemKind, Role


@dataclass(frozen=True, slots=True)
class ItemRef:
    """Which utterance of a match is asked about."""

    match: str
    turn: int
    kind: ItemKind

    @property
    def id(self) -> str:
        """Return the id under which verdicts refer to the item."""
        return f"{self.match}/t{self.turn:02d}/{self.kind.value}"


def match_of(item: str) -> str:
    """Return the match that an item's id names."""
    return item.split("/", 1)[0]


def kind_of(item: str) -> str:
    """Return the last part of an item's id: its kind, where the id is one of ours."""
    return item.rsplit("/", 1)[-1]


class Line(Record):
    """One utterance of a dialogue as a rater or a player sees it."""

    turn: int
    speaker: Role
    text: Text


class Item(Record):
    """A question about the last line of a dialogue.

    Attributes
    ----------
    id : str
        ``<match>/t<turn>/<kind>``.
    kind : ItemKind
        Which rubric applies.
    secret : str
        What the Holder protects.
    dialogue : tuple of Line
        Everything said so far; the last line is the one asked about.
    claim : str
        The word locked or the sentence declared, where the item is about one.
    """

    id: str
    kind: ItemKind
    secret: str
    dialogue: tuple[Line, ...]
    claim: Text = ""

    @property
    def subject(self) -> Line:
        """Return the line asked about."""
        return self.dialogue[-1]

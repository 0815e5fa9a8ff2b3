"""A rubric: the one text in which a question is asked of arbiter, referee, judge and person."""

from __future__ import annotations

from pydantic import Field

from ..records import Record, content_id
from ..words import ItemKind, Label, LeakCategory

LABELS: dict[ItemKind, tuple[Label, Label]] = {
    ItemKind.HOLDER_REPLY: (Label.LEAK, Label.NO_LEAK),
    ItemKind.DECLARATION: (Label.MATCH, Label.NO_MATCH),
    ItemKind.LOCK: (Label.MATCH, Label.NO_MATCH),
    ItemKind.SEEKER_MESSAGE: (Label.GUESS, Label.NO_GUESS),
}


class Rubric(Record):
    """One question about one kind of item.

    Attributes
    ----------
    kind : ItemKind
        What it is asked of.
    question : str
        The question itself, answered by the first label of the kind for yes, the second for no.
    guidance : str
        How to decide, in the words shown to every rater.
    categories : dict
        Leak category to its description; empty where the rubric has none.
    """

    kind: ItemKind
    question: str
    guidance: str
    categories: dict[LeakCategory, str] = Field(default_factory=dict)

    @property
    def labels(self) -> tuple[Label, Label]:
        """The positive and the negative label."""
        return LABELS[self.kind]

    def fingerprint(self) -> str:
        """Return the id of this text: another wording is another experiment."""
        return content_id(self)

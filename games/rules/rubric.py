"""A rubric: the one text in which a question is asked of arbiter, referee, judge and person."""

from __future__ import annotations

from pydantic import Field

from ..records import Record, content_id
from ..words import ItemKind, Label, LeakCategory

LABELS: dict[ItemKind, tuple[Label, ...]] = {
    ItemKind.HOLDER_REPLY: (Label.LEAK, Label.NO_LEAK),
    ItemKind.DECLARATION: (Label.MATCH, Label.NO_MATCH),
    ItemKind.LOCK: (Label.MATCH, Label.NO_MATCH),
    ItemKind.SEEKER_MESSAGE: (Label.GUESS, Label.NO_GUESS),
    ItemKind.MESSAGE_FORM: (Label.GUESS, Label.PRESUPPOSING, Label.NARROWING, Label.OPEN),
    ItemKind.MESSAGE_AIM: (Label.PROPOSITION, Label.OBJECT),
    ItemKind.ANSWER: (Label.TRUE, Label.UNTRUE, Label.EVASIVE),
}


class Rubric(Record):
    """One question about one kind of item.

    Attributes
    ----------
    kind : ItemKind
        What it is asked of.
    question : str
        The question itself. Where a match hangs on it, the first label of the kind says yes and
        the second no; elsewhere each label is an answer of its own.
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
    def labels(self) -> tuple[Label, ...]:
        """The labels that answer the question, in the order in which they are shown."""
        return LABELS[self.kind]

    def fingerprint(self) -> str:
        """Return the id of this text: another wording is another experiment."""
        return content_id(self)

"""A verdict: one rater's label of one item, or why there is none."""

from __future__ import annotations

from pydantic import model_validator

from ..records import Record, Text
from ..words import Abstention, Label, LeakCategory


class Verdict(Record):
    """What one rater says of one item.

    Attributes
    ----------
    item : str
        Id of the item.
    rater : str
        Who rules: ``arbiter``, ``referee``, a judge's id, or a person's pseudonym.
    rubric : str
        Fingerprint of the rubric asked.
    label, abstention : Label or Abstention
        Exactly one of the two.
    category : LeakCategory, optional
        How it leaks; only beside the label ``leak``.
    confidence : int, optional
        A person's own confidence, 1 to 5.
    reason : str
        The rater's words, or the rule that fired.
    """

    item: str
    rater: str
    rubric: str
    label: Label | None = None
    abstention: Abstention | None = None
    category: LeakCategory | None = None
    confidence: int | None = None
    reason: Text = ""

    @model_validator(mode="after")
    def _one_of_two(self) -> Verdict:
        if (self.label is None) == (self.abstention is None):
            raise ValueError("`label` or `abstention` must be given, and only one of them")
        if self.category is not None and self.label is not Label.LEAK:
            raise ValueError("`category` stands only beside the label leak")
        if self.confidence is not None and not 1 <= self.confidence <= 5:
            raise ValueError("`confidence` must lie between 1 and 5")
        return self

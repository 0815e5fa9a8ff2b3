"""The study's property table as a rater of AIDG-II answers: it looks up, and never guesses."""

from __future__ import annotations

from ..rules.asked import Answers, truth_of
from ..rules.item import Item
from ..rules.rubric import Rubric
from ..rules.verdict import Verdict
from ..words import Abstention, ItemKind
from .panel import RuleRater


class PropertyRater:
    """Whether an answer is true of the secret word, by the study's own table.

    Parameters
    ----------
    answers : mapping
        Question to noun to answer.
    rubric : Rubric
        Of answers; only its fingerprint is used.
    """

    def __init__(self, answers: Answers, rubric: Rubric) -> None:
        self._answers, self._print = answers, rubric.fingerprint()

    def rule(self, item: Item) -> Verdict:
        """Return the table's verdict on an answer.

        ``cannot_tell``, with the reason, where the question is in other words than the table's or
        about another noun, where its own answer is a maybe, and of every other kind of item.
        """
        if item.kind is ItemKind.ANSWER:
            label, reason = truth_of(item, self._answers)
        else:
            label, reason = None, "the property table rules on answers alone"
        return Verdict(
            item=item.id,
            rater=RuleRater.PROPERTY_TABLE.value,
            rubric=self._print,
            label=label,
            abstention=Abstention.CANNOT_TELL if label is None else None,
            reason=reason,
        )

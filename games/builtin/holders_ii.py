"""Built-in AIDG-II Holders: they look the answer up in the property table, or pretend to."""

from __future__ import annotations

import numpy as np

from ..rules.game import View
from ..study.nouns import ANSWERS
from ..words import Answer, Role
from .policy import held_secret, said_by
from .questionnaire import Questionnaire


class Honest:
    """Answers every question of the study as its table does; any other with maybe."""

    def __init__(self, questionnaire: Questionnaire, rng: np.random.Generator) -> None:
        self._known, self._rng = questionnaire, rng

    def speak(self, view: View) -> str:
        """Return the answer to the question just asked."""
        return self._answer(view).value

    def _answer(self, view: View) -> Answer:
        column = self._known.column(said_by(view, Role.SEEKER)[-1])
        if column is None:
            return Answer.MAYBE
        nouns = self._known.nouns
        return ANSWERS[int(nouns.table[nouns.names.index(held_secret(view)), column])]


class Cautious(Honest):
    """Answers as the table does, but at a fixed rate says maybe instead."""

    rate = 0.2

    def _answer(self, view: View) -> Answer:
        return Answer.MAYBE if self._rng.random() < self.rate else super()._answer(view)


class RandomAnswers(Honest):
    """Answers by chance, whatever the question and the secret."""

    def _answer(self, view: View) -> Answer:
        return ANSWERS[int(self._rng.integers(len(ANSWERS)))]

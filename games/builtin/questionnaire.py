"""What built-in AIDG-II players share: a study's questions and how a dialogue of them is read."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..rules.game import View
from ..rules.speech import mentions, words
from ..study.nouns import CODE, Nouns
from ..words import Role

Columns = NDArray[np.intp]
Codes = NDArray[np.int8]


class Questionnaire:
    """The questions of a study, with what is worked out once for all its matches.

    Attributes
    ----------
    nouns : Nouns
    unnaming : ndarray of bool, shape (p,)
        Which questions name no noun and no alias.
    """

    def __init__(self, nouns: Nouns) -> None:
        self.nouns = nouns
        self._columns = {question: column for column, question in enumerate(nouns.questions)}
        named = [
            any(mentions(question, noun, nouns.aliases[noun]) for noun in nouns.names)
            for question in nouns.questions
        ]
        self.unnaming = ~np.array(named, dtype=np.bool_)

    def column(self, message: str) -> int | None:
        """Return the column that a message asks for, word for word, or None."""
        return self._columns.get(message.strip())

    def heard(self, view: View) -> tuple[Columns, Codes]:
        """Return the columns asked and the codes of the answers, in order.

        A message that is no question of the study is left out, and so is a reply that does not
        open with one of the three words.
        """
        asked: list[int] = []
        answers: list[int] = []
        column: int | None = None
        for line in view.dialogue:
            if line.speaker is Role.SEEKER:
                column = self.column(line.text)
                continue
            opening = words(line.text)[:1]
            if column is not None and opening and opening[0] in CODE:
                asked.append(column)
                answers.append(CODE[opening[0]])
        return np.array(asked, dtype=np.intp), np.array(answers, dtype=np.int8)

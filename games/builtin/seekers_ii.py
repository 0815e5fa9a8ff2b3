"""Built-in AIDG-II Seekers: they ask the study's questions and keep a belief over its nouns.

All that one knows of the secret it reads from the dialogue in its view; nouns, questions and table
are what the study prints for everyone. Careful ones pass over a question that names a noun, since
an arbiter may take it for a guess.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..rules.belief import LETTERS, best_question, posterior
from ..rules.game import View
from .questionnaire import Codes, Columns, Questionnaire

# How often a Seeker reckons with a wrong answer, and how sure it must be to lock before it must.
NOISE = 0.05
SURE = 0.95

Weights = NDArray[np.float64]


class EntropyGreedy:
    """Asks what tells most by its present belief; locks once one noun holds nearly all of it.

    It does not lock on the only noun that fits every answer: one doubtful "maybe" would decide.
    """

    def __init__(self, questionnaire: Questionnaire, rng: np.random.Generator) -> None:
        self._known, self._rng = questionnaire, rng

    def speak(self, view: View) -> str:
        """Return a question, or a lock of the likeliest noun."""
        asked, answers = self._hear(view)
        weights = posterior(self._known.nouns.table, asked, answers, NOISE)
        done = view.must_lock or weights.max() > SURE
        question = None if done else self._ask(view.turn, weights, asked)
        return self._lock(int(np.argmax(weights))) if question is None else question

    def _hear(self, view: View) -> tuple[Columns, Codes]:
        return self._known.heard(view)

    def _ask(self, turn: int, weights: Weights, asked: Columns) -> str | None:
        """Return the next message, or None where nothing is left to ask."""
        column = self._choose(weights, asked)
        return None if column is None else self._known.nouns.questions[column]

    def _choose(self, weights: Weights, asked: Columns) -> int | None:
        return best_question(self._known.nouns.table, weights, self._askable(asked))

    def _askable(self, asked: Columns) -> NDArray[np.bool_]:
        askable = self._known.unnaming.copy()
        askable[asked] = False
        return askable

    def _lock(self, noun: int) -> str:
        return f"lock: {self._known.nouns.names[noun]}"


class PosteriorSampling(EntropyGreedy):
    """Draws a noun from its belief and asks anything that could tell that noun from another."""

    def _choose(self, weights: Weights, asked: Columns) -> int | None:
        table = self._known.nouns.table
        drawn = int(self._rng.choice(len(weights), p=weights))
        others = np.where(table != table[drawn], weights[:, None], 0.0).sum(axis=0)
        # A question is idle that sets less apart than a sure Seeker leaves to all other nouns.
        telling = np.flatnonzero(self._askable(asked) & (others > 1 - SURE))
        return int(self._rng.choice(telling)) if telling.size else None


class Noisy(EntropyGreedy):
    """Greedy among a few questions at a time, careless of nouns in them; mis-hears some answers."""

    mishears = 0.08
    considers = 6

    def __init__(self, questionnaire: Questionnaire, rng: np.random.Generator) -> None:
        super().__init__(questionnaire, rng)
        # One draw an answer, kept: what was mis-heard once stays so.
        self._shifts: list[int] = []

    def _hear(self, view: View) -> tuple[Columns, Codes]:
        asked, answers = super()._hear(view)
        while len(self._shifts) < len(answers):
            wrong = self._rng.random() < self.mishears
            self._shifts.append(int(self._rng.integers(1, LETTERS)) if wrong else 0)
        shifts = np.array(self._shifts[: len(answers)], dtype=np.int8)
        return asked, (answers + shifts) % LETTERS

    def _askable(self, asked: Columns) -> NDArray[np.bool_]:
        size = len(self._known.nouns.questions)
        left = np.setdiff1d(np.arange(size), asked)
        few = self._rng.choice(left, size=min(self.considers, len(left)), replace=False)
        return np.isin(np.arange(size), few)


class Impatient(EntropyGreedy):
    """Greedy, but breaks the rule: at a rate that grows by the turn it asks for a noun outright."""

    def __init__(self, questionnaire: Questionnaire, rng: np.random.Generator) -> None:
        super().__init__(questionnaire, rng)
        self._growth = float(rng.uniform(0.01, 0.06))

    def _ask(self, turn: int, weights: Weights, asked: Columns) -> str | None:
        if self._rng.random() >= self._growth * turn:
            return super()._ask(turn, weights, asked)
        noun = self._known.nouns.names[int(self._rng.choice(len(weights), p=weights))]
        return f"Is it {'an' if noun[0] in 'aeiou' else 'a'} {noun}?"


class RandomQuestions(EntropyGreedy):
    """Asks any question of the study, whatever it has heard; seldom locks before it must."""

    locks = 0.04

    def speak(self, view: View) -> str:
        """Return a question or a lock by chance."""
        nouns = self._known.nouns
        if view.must_lock or self._rng.random() < self.locks:
            return self._lock(int(self._rng.integers(len(nouns.names))))
        return nouns.questions[int(self._rng.integers(len(nouns.questions)))]

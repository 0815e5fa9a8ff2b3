"""A reading of a corpus: which matches count, who won them, what each weighs, in which order.

Every choice that changes the matches themselves is acted on here and nowhere else, so that shares,
odds and ratings of one specification speak of the same matches. The corpus is taken apart into
arrays once; each reading is then a few masks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import pandas as pd

from audit.corpus import DEGENERATE_SHARE
from audit.numbers.multiplier import multiplier
from games.records import digest
from games.words import End, Game, Mode, Role, Void

from .choices import (
    Clock,
    Declaration,
    Degenerate,
    Disqualification,
    Experiment,
    LockWords,
    OpenMatches,
    Order,
    Scope,
    Stating,
)
from .specification import Specification

# Added to a corpus from verdicts and from what was said; see `sources`.
LEAKED_BEFORE, STATED, BY_ALIAS = "leaked_before", "stated", "locked_by_alias"
FAULTS = (Void.SEEKER_FAULT.value, Void.HOLDER_FAULT.value)
Bools = npt.NDArray[np.bool_]
Rows = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """The matches of a corpus that count under a specification, in the order in which they rate.

    Attributes
    ----------
    rows : ndarray, shape (matches,)
        Positions in the corpus.
    won : ndarray of bool, shape (matches,)
        Whether the Seeker won.
    end : ndarray of str, shape (matches,)
    score, weight : ndarray of float64, shape (matches,)
        What the Seeker scored, 0.5 in a tie; what the match counts.
    """

    rows: Rows
    won: Bools
    end: npt.NDArray[Any]
    score: npt.NDArray[np.float64]
    weight: npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """A corpus as arrays.

    Attributes
    ----------
    corpus : DataFrame
        As `corpus_of` or `corpus_under` returns it.
    """

    corpus: pd.DataFrame
    won: Bools
    decided: Bools
    end: npt.NDArray[Any]
    void: npt.NDArray[Any]
    second: Bools
    mode: npt.NDArray[Any]
    turn: npt.NDArray[np.int64]
    repeats: Bools
    tournament: npt.NDArray[np.int64]
    position: npt.NDArray[np.int64]
    shuffled: npt.NDArray[np.int64]

    @classmethod
    def of(cls, corpus: pd.DataFrame) -> Self:
        """Take a corpus apart."""
        digests = np.array([digest(match) for match in corpus["match"]], dtype="U64")
        shuffled = np.empty(len(corpus), dtype=np.int64)
        shuffled[np.argsort(digests)] = np.arange(len(corpus))
        return cls(
            corpus,
            (corpus["winner"] == Role.SEEKER.value).to_numpy(dtype=bool),
            (corpus["winner"] != "").to_numpy(dtype=bool),
            corpus["end"].to_numpy(dtype=object),
            corpus["void"].to_numpy(dtype=object),
            (corpus["game"] == Game.AIDG_II.value).to_numpy(dtype=bool),
            corpus["mode"].to_numpy(dtype=object),
            corpus["turn"].to_numpy(dtype=np.int64),
            (corpus["repetition"] >= DEGENERATE_SHARE).to_numpy(dtype=bool),
            corpus["tournament"].to_numpy(dtype=np.int64),
            corpus["position"].to_numpy(dtype=np.int64),
            shuffled,
        )

    def read(self, spec: Specification, horizon: int) -> Reading:
        """Return the matches that count under a specification, of the games that it rates.

        Parameters
        ----------
        spec : Specification
        horizon : int
            Turns of AIDG-II.
        """
        won, end = self.won.copy(), self.end.copy()
        kept = self._of_games(spec.experiment) & self._closed(won, spec.open_matches)
        kept &= self._declared(won, end, spec.declaration)
        kept &= self._stated(won, end, spec.stating)
        if spec.lock_words is LockWords.EXACT:
            self._exact(won, end, horizon)
        if spec.disqualification is Disqualification.EXCLUDED:
            kept &= end != End.DISQUALIFIED.value
        kept &= self._degenerate(won, spec.degenerate)
        rows = self._ordered(np.flatnonzero(kept), spec.order)
        won, end = won[rows], end[rows]
        score, weight = won.astype(np.float64), self._weights(rows, won, spec, horizon)
        disqualified = (end == End.DISQUALIFIED.value) & ~won
        if spec.disqualification is Disqualification.TIE:
            score[disqualified] = 0.5
        elif spec.disqualification is Disqualification.UNWEIGHTED:
            weight[disqualified] = 1.0
        return Reading(rows, won, end, score, weight)

    def frame(self, reading: Reading) -> pd.DataFrame:
        """Return the corpus of a reading; a tie is the Holder's, since a share knows no ties."""
        winner = np.where(reading.won, Role.SEEKER.value, Role.HOLDER.value)
        return self.corpus.iloc[reading.rows].assign(winner=winner, end=reading.end)

    def _of_games(self, experiment: Experiment) -> Bools:
        if experiment is Experiment.AIDG_I:
            return ~self.second
        return self.second if experiment is Experiment.AIDG_II else np.ones(len(self.won), bool)

    def _closed(self, won: Bools, choice: OpenMatches) -> Bools:
        if choice is OpenMatches.EXCLUDED:
            return self.decided
        if choice is OpenMatches.FORFEITED:
            won[self.void == Void.HOLDER_FAULT.value] = True
            return self.decided | np.isin(self.void, FAULTS)
        won[~self.decided] = choice is OpenMatches.TO_SEEKER
        return np.ones(len(won), bool)

    def _declared(self, won: Bools, end: npt.NDArray[Any], choice: Declaration) -> Bools:
        everything = np.ones(len(won), bool)
        if choice is Declaration.COUNTS:
            return everything
        by_declaring = (end == End.DECLARATION.value) & (self.mode == Mode.A.value)
        if choice is Declaration.EXCLUDED:
            return np.asarray(~by_declaring, dtype=np.bool_)
        unproved = by_declaring & ~self.corpus[LEAKED_BEFORE].to_numpy(dtype=bool)
        won[unproved], end[unproved] = False, End.HORIZON.value
        return everything

    def _stated(self, won: Bools, end: npt.NDArray[Any], choice: Stating) -> Bools:
        everything = np.ones(len(won), bool)
        if choice is Stating.ALLOWED:
            return everything
        stated = (self.mode == Mode.A.value) & self.corpus[STATED].to_numpy(dtype=bool)
        if choice is Stating.EXCLUDED:
            return np.asarray(~stated, dtype=np.bool_)
        won[stated], end[stated] = False, End.HORIZON.value
        return everything

    def _exact(self, won: Bools, end: npt.NDArray[Any], horizon: int) -> None:
        """Make a right lock by another name than the secret's a wrong one."""
        wrong = (end == End.CORRECT_LOCK.value) & self.corpus[BY_ALIAS].to_numpy(dtype=bool)
        last = self.turn[wrong] >= horizon
        won[wrong] = False
        end[wrong] = np.where(last, End.WRONG_FINAL.value, End.WRONG_LOCK.value)

    def _degenerate(self, won: Bools, choice: Degenerate) -> Bools:
        if choice is Degenerate.EXCLUDED:
            return ~self.repeats
        if choice is not Degenerate.KEPT:
            won[self.repeats] = choice is Degenerate.TO_SEEKER
        return np.ones(len(won), bool)

    def _weights(
        self, rows: Rows, won: Bools, spec: Specification, horizon: int
    ) -> npt.NDArray[np.float64]:
        """Return M(t) of each match: 1 in AIDG-I, which has no efficiency to weigh."""
        weight, second = np.ones(len(rows)), self.second[rows]
        if not second.any():
            return weight
        turns = self.turn[rows][second]
        if spec.clock is Clock.HORIZON:
            turns = np.where(won[second], turns, horizon)
        elif spec.clock is Clock.LAST_REPLIED:
            replies = self.corpus["replies"].to_numpy(dtype=np.int64)
            turns = np.where(won[second], turns, replies[rows][second])
        # A match that stopped before its first message has reached no turn.
        weight[second] = multiplier(spec.multiplier, np.maximum(turns, 1), horizon)
        return weight if spec.scope is Scope.ALL_OUTCOMES else np.where(won, weight, 1.0)

    def _ordered(self, rows: Rows, order: Order) -> Rows:
        """Return positions tournament by tournament, within each as the order says."""
        within = (self.shuffled if order is Order.SHUFFLED else self.position)[rows]
        if order is Order.REVERSED:
            within = -within
        keys = [within, self.tournament[rows]]
        if order in (Order.MODE_A_FIRST, Order.MODE_B_FIRST):
            first = Mode.A if order is Order.MODE_A_FIRST else Mode.B
            keys.insert(1, self.mode[rows] != first.value)
        return np.asarray(rows[np.lexsort(keys)])

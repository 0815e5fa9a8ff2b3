"""AIDG-II headline numbers, as the arbiter's rulings give them and as people's labels correct them.

People label messages (a direct guess or not) and locks (the secret or not). A guess that they
overturn would have let its match go on, and nobody knows to what end; a lock that they overturn
gives its match to the other side.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from audit.numbers.estimate import Interval
from audit.numbers.locked_bounds import (
    PASSED,
    Ending,
    Locked,
    locked_right,
    locked_won,
    stopped,
)
from audit.numbers.proportion import proportion
from audit.numbers.two_phase import Checked

from .figures import Figure, bounded_figure, forecast
from .judged import LEVEL, LIMITS, CorrectedItems, Judged, checked_cells, correct_items

ESTIMAND = (
    "a true direct guess, and the secret truly locked; a match that was wrongly stopped would have "
    "gone on, and is open to both sides"
)
# The guess that was ruled one; what was let pass follows by how its match ended.
_STOPPING = 0


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """The AIDG-II matches of a run.

    Attributes
    ----------
    matches : Locked
    messages : Judged
        Each message that locks nothing; ``yes`` is a guess and stops its match.
    locks : Judged
        Each lock; ``yes`` is the secret.
    """

    matches: Locked
    messages: Judged
    locks: Judged

    @property
    def labels(self) -> int:
        """How many items people labelled."""
        return len(self.messages.checked) + len(self.locks.checked)


def figures_of_locks(asked: Asked) -> tuple[Figure, ...]:
    """Return every figure of a run's AIDG-II matches, with the labels that each would need."""
    return forecast(lambda factor: figures_of_locks_once(asked, factor), asked.labels)


def figures_of_locks_once(asked: Asked, factor: float = 1.0) -> tuple[Figure, ...]:
    """Return the same without a forecast of labels; ``factor`` is as of `judged.correct`."""
    matches = asked.matches
    right, guess = _locks(asked, factor), _guesses(asked, factor)
    ends = [PASSED[place] for place in matches.ending]
    correct = np.array([end is Ending.RIGHT for end in ends], dtype=bool)
    gave = np.array([end is Ending.GIVEN for end in ends], dtype=bool)
    ruled = {
        "share.seeker.aidg_ii": correct | (gave & matches.won),
        "share.correct_lock": correct,
        "share.disqualified": np.array([end is Ending.STOPPED for end in ends], dtype=bool),
    }
    bounds = {
        "share.seeker.aidg_ii": locked_won(matches, right, guess, level=LEVEL, method=LIMITS),
        "share.correct_lock": locked_right(matches, right, guess, level=LEVEL, method=LIMITS),
        "share.disqualified": stopped(matches, guess, level=LEVEL, method=LIMITS),
    }
    return (
        _of_items(
            "share.guesses.aidg_ii", correct_items(asked.messages, factor=factor, alike=True)
        ),
        _of_items(
            "share.correct_lock.of_locks", correct_items(asked.locks, factor=factor, alike=True)
        ),
        *(
            bounded_figure(name, proportion(int(won.sum()), len(won), level=LEVEL), bounds[name])
            for name, won in ruled.items()
        ),
    )


def _of_items(name: str, found: CorrectedItems) -> Figure:
    span = found.items.interval or Interval(0.0, 1.0, LEVEL, "nothing known")
    return Figure(name, found.arbiter, found.people, found.items, found.items, span)


def _locks(asked: Asked, factor: float) -> Checked:
    return checked_cells(
        asked.locks, np.where(asked.locks.yes, 0, 1), (1.0, 0.0), factor, alike=True
    )


def _guesses(asked: Asked, factor: float) -> Checked:
    messages = asked.messages
    cell = np.where(messages.yes, _STOPPING, 1 + asked.matches.ending[messages.match])
    return checked_cells(messages, cell, (1.0, *(0.0 for _ in PASSED)), factor, alike=True)

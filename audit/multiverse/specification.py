"""A specification: one full set of analytic choices of the ratings.

Every axis is a closed set of words or a number; a specification's signature says all of them in one
line, and the line can be read back.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from audit.numbers.multiplier import Multiplier
from audit.numbers.rating import Carry
from games.errors import InputError

from .choices import (
    Clock,
    Declaration,
    Degenerate,
    Disqualification,
    Estimator,
    Experiment,
    LockWords,
    OpenMatches,
    Order,
    Scope,
    Stating,
)

# As `audit.verdicts.panel` names it, which what print implies must not know.
ARBITER = "arbiter"
# All draws of labels corrected by people together; each by itself is `corrected.1` and so on.
CORRECTED = "corrected"
_DRAW = re.compile(rf"{CORRECTED}\.[1-9][0-9]*")


@dataclass(frozen=True, slots=True)
class Specification:
    """One full set of analytic choices of the rating.

    Attributes
    ----------
    verdicts : str
        Whose verdicts decide the matches: a rater or a consensus of the run, or one draw of labels
        that people corrected.
    """

    k: float
    start: float
    multiplier: Multiplier
    disqualification: Disqualification
    scope: Scope
    carry: Carry
    degenerate: Degenerate
    verdicts: str = ARBITER
    declaration: Declaration = Declaration.COUNTS
    stating: Stating = Stating.ALLOWED
    lock_words: LockWords = LockWords.ACCEPTED
    open_matches: OpenMatches = OpenMatches.EXCLUDED
    clock: Clock = Clock.TERMINAL_TURN
    order: Order = Order.SCHEDULED
    experiment: Experiment = Experiment.MEAN
    estimator: Estimator = Estimator.ELO

    @property
    def signature(self) -> str:
        """Return the one line that says every choice."""
        return " ".join(f"{short}={word_of(getattr(self, name))}" for name, short in SHORT.items())

    def choices(self) -> dict[str, str]:
        """Return every axis by its field's name, as a word."""
        return {name: word_of(getattr(self, name)) for name in SHORT}


# Every axis with the short name it bears in a signature.
SHORT: dict[str, str] = {
    "verdicts": "verdicts",
    "experiment": "of",
    "estimator": "by",
    "k": "K",
    "start": "start",
    "multiplier": "M",
    "scope": "on",
    "clock": "t",
    "disqualification": "DQ",
    "declaration": "declared",
    "stating": "stating",
    "lock_words": "locked",
    "degenerate": "degenerate",
    "open_matches": "open",
    "order": "order",
    "carry": "ratings",
}
WORDS: dict[str, type[StrEnum]] = {
    "experiment": Experiment,
    "estimator": Estimator,
    "multiplier": Multiplier,
    "scope": Scope,
    "clock": Clock,
    "disqualification": Disqualification,
    "declaration": Declaration,
    "stating": Stating,
    "lock_words": LockWords,
    "degenerate": Degenerate,
    "open_matches": OpenMatches,
    "order": Order,
    "carry": Carry,
}


def word_of(value: object) -> str:
    """Return a level of an axis as it stands in a signature."""
    if isinstance(value, int | float):
        return repr(int(value)) if float(value).is_integer() else repr(float(value))
    return str(value).replace(" ", "_")


def draw_of(number: int) -> str:
    """Return the name of one draw of labels corrected by people, counted from 1."""
    return f"{CORRECTED}.{number}"


def source_of(verdicts: str) -> str:
    """Return as what a source of verdicts counts: every draw of corrected labels as one source."""
    return CORRECTED if _DRAW.fullmatch(verdicts) else verdicts


def level_of(axis: str, word: str) -> Any:
    """Return the level of an axis that a word means.

    Raises
    ------
    InputError
        The axis has no such level.
    """
    if axis in WORDS:
        levels = {word_of(level): level for level in WORDS[axis]}
        if word not in levels:
            raise InputError(axis, f"must be one of {', '.join(levels)}", word)
        return levels[word]
    if axis == "verdicts":
        return word
    try:
        number = float(word)
    except ValueError:
        raise InputError(axis, "must be a number", word) from None
    if not 0.0 < number < 1e6:
        raise InputError(axis, "must be a number above 0 and below a million", word)
    return number


def read_signature(line: str, base: Specification) -> Specification:
    """Return the specification that a line says; what it leaves out is as in the base.

    Raises
    ------
    InputError
        A part is no ``name=level``, or names no axis or level.
    """
    names = {short: name for name, short in SHORT.items()}
    found: dict[str, Any] = {}
    for part in line.split():
        short, is_there, word = part.partition("=")
        if not is_there or short not in names:
            raise InputError("signature", f"must be name=level with {', '.join(names)}", part)
        if names[short] in found:
            raise InputError("signature", f"must name {short} once", line)
        found[names[short]] = level_of(names[short], word)
    return replace(base, **found)

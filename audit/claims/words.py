"""The closed sets of claims."""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """What a claim prints."""

    NUMBER = "number"
    """A rounded number."""
    EXACT = "exact"
    """A number that is not rounded: a count, a definition."""
    INEQUALITY = "inequality"
    """A bound, with its comparator."""
    ORDERING = "ordering"
    """Names of rows, from the largest down with ">" between them or from the smallest up with
    "<"."""
    STATEMENT = "statement"
    """No number at all."""
    READING = "reading"
    """What a sentence says, in our words; it may contradict another reading."""
    CITED = "cited"
    """A figure that the source takes from elsewhere."""


class Population(StrEnum):
    """What a claim speaks of beyond the matches played."""

    NAMED_MODELS = "named_models"
    MODELS = "models"


class Cluster(StrEnum):
    """What would have to be drawn anew to see how much chance a claim holds."""

    ORDERED_PAIR = "ordered_pair"
    MATCH = "match"
    MODEL = "model"
    TOURNAMENT = "tournament"
    NONE = "none"


class Inference(StrEnum):
    """Whether what is inferred from a number follows, apart from whether the number is right."""

    SUPPORTED = "supported"
    NOT_SUPPORTED = "not supported"
    NOT_ASSESSED = "not assessed"


class PrintStanding(StrEnum):
    """What may be said of a printed number from print alone."""

    REPRODUCED = "reproduced"
    """By the conventional reading of how it was made."""
    REPRODUCED_UNDER = "reproduced under"
    """Only by another reading, which is named."""
    CONFLICTS = "conflicts with"
    """By none, and another claim prints the quantity otherwise; which is wrong is not said."""
    NOT_REPRODUCED = "not reproduced"
    NOT_CHECKABLE = "not checkable"


class Standing(StrEnum):
    """What may be said of a claim after a rerun."""

    HOLDS = "holds"
    HOLDS_UNDER = "holds under"
    REVERSED = "reversed"
    UNDECIDED = "undecided"
    NOT_RERUN = "not rerun"

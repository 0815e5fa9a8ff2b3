"""The forms in which every number of this package is handed over.

An `Estimate` carries its interval, the counts that went in and that were left out, and a reason
where something is not defined. A value that is not defined is NaN with a reason, never 0, 1 or an
exception; so is the interval ``None``, also beside a defined value (perfect agreement has a κ of 1
and no standard error).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

__all__ = ["Alternative", "Choice", "Estimate", "Interval", "PValue", "Undefined"]


class Choice(StrEnum):
    """A closed set of options, which names the allowed ones to whoever gives another."""

    @classmethod
    def _missing_(cls, value: object) -> Self:
        allowed = ", ".join(member.value for member in cls)
        raise ValueError(f"{cls.__name__} must be one of {allowed}; found {value!r}")


class Undefined(Choice):
    """Why a value, an interval or a p-value is not there."""

    EMPTY = "empty"
    """Nothing went in."""
    TOO_FEW = "too few"
    """Fewer observations than the quantity needs."""
    ZERO_DENOMINATOR = "zero denominator"
    """The quantity is 0/0: a margin of the table is empty."""
    ONE_LABEL = "one label"
    """Every rater used one and the same label, so chance agreement is 1."""
    SEPARATED = "separated"
    """An empty cell drives the estimate, or one limit, to 0 or to infinity."""
    NO_SPREAD = "no spread"
    """The data, or a standard error, do not vary."""
    NO_OVERLAP = "no overlap"
    """No item has labels of two raters."""
    BOUNDED = "bounded"
    """Only between what the value lies is known; the interval says it."""
    NOT_ENUMERATED = "not enumerated"
    """Too many arrangements to enumerate, and no generator was given to sample them."""


class Alternative(Choice):
    """Which departures from the null hypothesis count."""

    TWO_SIDED = "two-sided"
    GREATER = "greater"
    LESS = "less"


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval, and how it was made.

    Attributes
    ----------
    low, high : float
        The limits; either may be infinite. They are not clipped to the range of the quantity.
    level : float
        Nominal confidence level, in (0, 1).
    method : str
        The name of the method.

    Raises
    ------
    ValueError
        If a limit is NaN, if they are out of order, or if the level is outside (0, 1).
    """

    low: float
    high: float
    level: float
    method: str

    def __post_init__(self) -> None:
        if not self.low <= self.high:
            raise ValueError(f"low must not exceed high, found {self.low} and {self.high}")
        if not 0.0 < self.level < 1.0:
            raise ValueError(f"level must lie strictly between 0 and 1, found {self.level}")

    @property
    def width(self) -> float:
        """The distance between the limits."""
        return self.high - self.low

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its interval and with what it rests on.

    Attributes
    ----------
    value : float
        The estimate; NaN where it is not defined.
    interval : Interval or None
        Its interval; None where there is none.
    counts_in : int
        How many observations went in.
    counts_out : int
        How many were left out beforehand.
    reason : Undefined or None
        Why the value or the interval is missing, or why the value is at the edge.

    Raises
    ------
    ValueError
        If the value is NaN and no reason is given, or if a count is negative.
    """

    value: float
    interval: Interval | None
    counts_in: int
    counts_out: int = 0
    reason: Undefined | None = None

    def __post_init__(self) -> None:
        if math.isnan(self.value) and self.reason is None:
            raise ValueError("an undefined value needs a reason")
        if min(self.counts_in, self.counts_out) < 0:
            raise ValueError(
                f"counts must not be negative, found {self.counts_in} and {self.counts_out}"
            )

    @classmethod
    def undefined(
        cls,
        reason: Undefined,
        counts_in: int,
        counts_out: int = 0,
        interval: Interval | None = None,
    ) -> Self:
        """Return an estimate that is NaN, with the reason why.

        Parameters
        ----------
        reason : Undefined
            Why there is no value.
        counts_in, counts_out : int
            How many observations went in and were left out.
        interval : Interval, optional
            What the data still exclude.

        Returns
        -------
        Estimate
            The undefined estimate.
        """
        return cls(math.nan, interval, counts_in, counts_out, Undefined(reason))

    @property
    def defined(self) -> bool:
        """Whether there is a value."""
        return not math.isnan(self.value)


@dataclass(frozen=True, slots=True)
class PValue:
    """A test: its statistic, its p-value, and the rule that made it.

    Attributes
    ----------
    statistic : float
        The statistic; NaN where it is not defined.
    p : float
        The p-value, in [0, 1]; NaN where it is not defined.
    alternative : Alternative
        Which departures counted.
    method : str
        The name of the test and of its rule for two sides.
    counts_in : int
        How many observations went in.
    reason : Undefined or None
        Why the p-value is missing.

    Raises
    ------
    ValueError
        If the p-value is NaN without a reason, or outside [0, 1].
    """

    statistic: float
    p: float
    alternative: Alternative
    method: str
    counts_in: int
    reason: Undefined | None = None

    def __post_init__(self) -> None:
        if math.isnan(self.p):
            if self.reason is None:
                raise ValueError("an undefined p-value needs a reason")
        elif not 0.0 <= self.p <= 1.0:
            raise ValueError(f"p must lie in [0, 1], found {self.p}")

"""How many games a claim needs: for a chosen power, and for an interval of a chosen width.

Power is the chance that games drawn at the printed rates settle the claim: the whole interval lies
in the claim's region, or the test tells the rates apart. Games are taken as independent. Where
matches of one pair, or of one secret, are alike, as many more are needed as the design effect says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from .numbers.power import MOST_GAMES, Power, power, size_needed
from .power_claims import ESTIMATES, IN_POINTS, TESTS, Counts, Question

_FEWER = 5


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of the number of games.

    Attributes
    ----------
    power : float
        In (0, 1).
    alpha : float
        In (0, 1), two-sided; intervals have the level ``1 - alpha``.
    half_width : float
        Of the interval of a share or a difference, in (0, 1).

    Raises
    ------
    ValueError
        If one of them is out of its range.
    """

    power: float = 0.8
    alpha: float = 0.05
    half_width: float = 0.1

    def __post_init__(self) -> None:
        for name in ("power", "alpha", "half_width"):
            value = getattr(self, name)
            if not 0.0 < value < 1.0:
                raise ValueError(f"{name} must lie strictly between 0 and 1, found {value!r}")


@dataclass(frozen=True, slots=True)
class Needed:
    """Games needed, one number each sample, or why there is no such number.

    Attributes
    ----------
    sizes : tuple of int or None
    why : str
        Blank where there are sizes.
    error : float
        Monte Carlo standard error of what is reached with them; 0 where nothing was drawn.
    """

    sizes: Counts | None
    why: str = ""
    error: float = 0.0

    @property
    def total(self) -> int | None:
        """Games in all samples."""
        return None if self.sizes is None else sum(self.sizes)


@dataclass(frozen=True, slots=True)
class ClaimPower:
    """What the printed number of games can show of a claim, and what more of them could.

    Attributes
    ----------
    question : Question
    power : Power or None
        At the printed sizes; None for a claim without a region or a test.
    for_power : Needed
    half_width : float or None
        At the printed counts; None for a ratio or a test.
    for_width : Needed
    """

    question: Question
    power: Power | None
    for_power: Needed
    half_width: float | None
    for_width: Needed

    def row(self) -> dict[str, Any]:
        """Return the figures as plain values."""
        question, found = self.question, self.power
        return {
            "id": question.claim.id,
            "part": question.part,
            "compared": question.compared.value,
            "region": question.claim.region if question.region else None,
            "cluster": question.claim.cluster.value,
            "successes": list(question.successes),
            "games": list(question.sizes),
            "power": None if found is None else found.value,
            "power_error": None if found is None else found.error,
            "games_for_power": self.for_power.total,
            "games_for_power_error": self.for_power.error,
            "why_no_power": self.for_power.why,
            "half_width": self.half_width,
            "games_for_width": self.for_width.total,
            "why_no_width": self.for_width.why,
        }


def claim_powers(
    asked_of: Sequence[Question], asked: Asked, rng: np.random.Generator, draws: int = 10_000
) -> tuple[ClaimPower, ...]:
    """Return what the printed games can show of each claim, and how many are needed.

    Parameters
    ----------
    asked_of : sequence of Question
    asked : Asked
    rng : numpy.random.Generator
        Used only where tables of counts are too many to enumerate.
    draws : int
        Tables drawn then; a fifth as many of more than two samples, nearly all of them different.
    """
    known: dict[tuple[object, ...], ClaimPower] = {}
    for question in asked_of:
        if question.figures not in known:
            known[question.figures] = _claim_power(question, asked, rng, draws)
    return tuple(replace(known[question.figures], question=question) for question in asked_of)


def _claim_power(
    question: Question, asked: Asked, rng: np.random.Generator, draws: int
) -> ClaimPower:
    width = half_width(question, question.sizes, asked.alpha)
    decision = _decision(question, asked.alpha)
    if decision is None:
        no_power = Needed(None, "the claim names no region")
        return ClaimPower(question, None, no_power, width, _for_width(question, asked))
    drawn = draws if len(question.sizes) <= 2 else max(draws // _FEWER, 1)
    at = partial(power, question.rates, decision=decision, rng=rng, draws=drawn)
    needed = _for_power(question, lambda sizes: at(sizes).value >= asked.power)
    if needed.sizes is not None:
        needed = replace(needed, error=at(needed.sizes).error)
    return ClaimPower(question, at(question.sizes), needed, width, _for_width(question, asked))


def _decision(question: Question, alpha: float) -> Callable[[Counts, Counts], bool] | None:
    compared, region = question.compared, question.region
    if compared in TESTS:
        test = TESTS[compared]
        return lambda k, n: test(k, n, question.positions).p < alpha
    if region is None:
        return None
    estimate, wanted = ESTIMATES[compared], region

    def decides(k: Counts, n: Counts) -> bool:
        interval = estimate(k, n, 1.0 - alpha).interval
        return interval is not None and wanted.covers(interval.low, interval.high)

    return decides


def _for_power(question: Question, reached: Callable[[Counts], bool]) -> Needed:
    region = question.region
    if region is not None:
        value = ESTIMATES[question.compared](question.successes, question.sizes, 0.5).value
        if value not in region:
            return Needed(None, "the printed value lies outside the region")
    elif len(set(question.rates)) == 1:
        return Needed(None, "the printed rates are equal")
    return _sought(question, reached)


def _for_width(question: Question, asked: Asked) -> Needed:
    if question.compared not in IN_POINTS:
        return Needed(None, "no width in points")

    def reached(sizes: Counts) -> bool:
        width = half_width(question, sizes, asked.alpha)
        return width is not None and width <= asked.half_width

    return _sought(question, reached)


def _sought(question: Question, reached: Callable[[Counts], bool]) -> Needed:
    found = size_needed(question.sizes, reached)
    return Needed(found, "" if found else f"> {MOST_GAMES} a sample")


def half_width(question: Question, sizes: Counts, alpha: float) -> float | None:
    """Return half the width of the interval at the printed rates, as nearly as counts allow.

    Parameters
    ----------
    question : Question
    sizes : tuple of int
        One a sample, each at least 1.
    alpha : float
        One minus the interval's level.

    Returns
    -------
    float or None
        In (0, 1]; None for what has no width in points.
    """
    if question.compared not in IN_POINTS:
        return None
    counts = tuple(round(rate * size) for rate, size in zip(question.rates, sizes, strict=True))
    interval = ESTIMATES[question.compared](counts, sizes, 1.0 - alpha).interval
    return None if interval is None else interval.width / 2.0

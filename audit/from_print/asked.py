"""Each claim, asked of the corpora that print allows: seen to hold, seen to fail, or proved.

A share of samples is no probability: print gives no law over corpora. What is said is whether some
corpus was found in which a claim holds, whether some was found in which it fails, and whether
either is excluded by a proof.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import pandas as pd

from audit.claims.region import Region
from audit.multiverse.statements import Stands, Statement
from audit.numbers._check import FloatArray
from audit.printed.corpora.ranges import Ranges

from .readings import Readings


class Found(StrEnum):
    """How it is known that a claim holds, or fails, in some corpus that print allows."""

    SAMPLE = "by sample"
    SEARCH = "by search"
    NOT_FOUND = "not found"
    EXCLUDED = "excluded by proof"


@dataclass(frozen=True, slots=True)
class Answer:
    """What the corpora that print allows say of one statement.

    Attributes
    ----------
    statement, quantity : str
    holds, fails : Found
        Under the study's own specification.
    holds_under, fails_under : Found
        Under any specification that was rated.
    least, most : float
        Of the quantity over all corpora looked at, under the study's own specification.
    cases : int
        Corpora with a value.
    """

    statement: str
    quantity: str
    holds: Found
    fails: Found
    holds_under: Found
    fails_under: Found
    least: float
    most: float
    cases: int


Search = Callable[[Statement], float]
"""A statement to the value found farthest out on the side on which it fails; NaN without one."""


def of_ratings(one: Statement, ranges: Ranges, search: Search) -> Answer:
    """Return what rated corpora say of a statement.

    The base speaks for it by every specification that differs from it in the experiment alone.
    """
    specs, base = ranges.specifications, ranges.specifications[0]
    speaks = np.array([spec.experiment in one.experiments for spec in specs])
    own = speaks & np.array([_alike(spec, base) for spec in specs])
    if one.quantity not in ranges.values or not own.any():
        return _answer(one, np.empty(0), np.empty(0), Found.NOT_FOUND, math.nan)
    values = ranges.values[one.quantity]
    at_base, every = values[:, :, own].ravel(), values[:, :, speaks].ravel()
    if not _holds(one.region, at_base).all() or not len(at_base):
        return _answer(one, at_base, every, Found.NOT_FOUND, math.nan)
    return _answer(one, at_base, every, Found.SEARCH, search(one))


def _alike(spec: object, base: object) -> bool:
    """Return whether two specifications differ in the experiment at most, or without effect."""
    asked = ("k", "multiplier", "scope", "clock", "disqualification", "declaration", "carry")
    further = ("open_matches", "order", "estimator", "degenerate")
    return all(getattr(spec, name) == getattr(base, name) for name in (*asked, *further))


def _answer(
    one: Statement, at_base: FloatArray, every: FloatArray, by: Found, farthest: float
) -> Answer:
    told, others = at_base[~np.isnan(at_base)], every[~np.isnan(every)]
    inside, beside = _holds(one.region, told), _holds(one.region, others)
    fails = Found.SAMPLE if (~inside).any() else Found.NOT_FOUND
    if fails is Found.NOT_FOUND and not math.isnan(farthest) and farthest not in one.region:
        fails = by
    ends = [*told.tolist(), *([] if math.isnan(farthest) else [farthest])]
    return Answer(
        one.id,
        one.quantity,
        Found.SAMPLE if inside.any() else Found.NOT_FOUND,
        fails,
        Found.SAMPLE if beside.any() else Found.NOT_FOUND,
        Found.SAMPLE if (~beside).any() else fails,
        min(ends, default=math.nan),
        max(ends, default=math.nan),
        len(told),
    )


def _holds(region: Region, values: FloatArray) -> np.ndarray:  # type: ignore[type-arg]
    return np.array([value in region for value in values.tolist()], dtype=np.bool_)


def of_matches(one: Statement, readings: Readings) -> Answer:
    """Return what corpora say of a statement that needs no rating.

    What was not seen in any corpus is excluded by proof where print leaves the counts on which the
    estimand hangs one value each, under every way: its value is then that of any corpus of the way.
    """
    values, settled = readings.values[one.quantity], readings.settled[one.quantity]
    told, every = values[:, :, 0].ravel(), values.ravel()
    told, every = told[~np.isnan(told)], every[~np.isnan(every)]
    holds, fails = _seen(one, told, bool(settled[0]))
    holds_under, fails_under = _seen(one, every, bool(settled.all()))
    least, most = (float(end(told)) if len(told) else math.nan for end in (np.min, np.max))
    return Answer(
        *(one.id, one.quantity, holds, fails, holds_under, fails_under),
        *(least, most, len(told)),
    )


def _seen(one: Statement, values: FloatArray, settled: bool) -> tuple[Found, Found]:
    """Return how it is known that a statement holds, and fails, in corpora with these values."""
    inside = _holds(one.region, values)
    other = Found.EXCLUDED if settled and len(values) else Found.NOT_FOUND
    return (
        Found.SAMPLE if inside.any() else other,
        Found.SAMPLE if (~inside).any() else other,
    )


def answer_frame(answers: Sequence[Answer]) -> pd.DataFrame:
    """Return one row a statement."""
    names = list(Answer.__dataclass_fields__)
    return pd.DataFrame([[getattr(one, name) for name in names] for one in answers], columns=names)


def stands_on_ratings(one: Statement) -> bool:
    """Return whether a statement needs ratings."""
    return one.stands is not Stands.MATCHES

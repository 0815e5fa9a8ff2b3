"""The form of a section: named estimates and the tables beside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import pandas as pd

from audit.numbers.estimate import Estimate, PValue, Undefined


@dataclass(frozen=True, slots=True)
class Table:
    """A table with its id and caption."""

    id: str
    caption: str
    frame: pd.DataFrame


@dataclass(frozen=True, slots=True)
class Section:
    """What one part of the paper tabulates, on a run.

    Attributes
    ----------
    values : mapping
        Estimand id to estimate.
    tables : tuple of Table
    """

    values: Mapping[str, Estimate] = field(default_factory=dict)
    tables: tuple[Table, ...] = ()


def joined(sections: Iterable[Section]) -> Section:
    """Return several sections as one; an estimand estimated twice is an error."""
    values: dict[str, Estimate] = {}
    tables: list[Table] = []
    for section in sections:
        twice = values.keys() & section.values.keys()
        if twice:
            raise ValueError(f"an estimand must be estimated once, found twice: {sorted(twice)}")
        values |= section.values
        tables += section.tables
    return Section(values, tuple(tables))


def counted(value: float, counts_in: int, counts_out: int = 0) -> Estimate:
    """Return a plain number without an interval, undefined (``EMPTY``) where nothing went in."""
    if counts_in == 0:
        return Estimate.undefined(Undefined.EMPTY, 0, counts_out)
    return Estimate(float(value), None, counts_in, counts_out)


def p_of(test: PValue) -> Estimate:
    """Return a test's p-value as an estimate."""
    return Estimate(test.p, None, test.counts_in, reason=test.reason)


def statistic_of(test: PValue) -> Estimate:
    """Return a test's statistic as an estimate."""
    return Estimate(test.statistic, None, test.counts_in, reason=test.reason)

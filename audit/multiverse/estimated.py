"""Ratings as estimates: each with the interval that the study's own specification gives it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import pandas as pd

from audit.estimates.section import Section
from audit.numbers.estimate import Estimate, Interval
from audit.numbers.resampling.law import Engine

from .choices import Experiment
from .specification import Specification

LEVEL = 0.95
_SUFFIX: Mapping[Experiment, str] = {
    Experiment.AIDG_I: f".{Experiment.AIDG_I.value}",
    Experiment.AIDG_II: f".{Experiment.AIDG_II.value}",
    Experiment.MEAN: "",
}


def with_intervals(section: Section, intervals: pd.DataFrame, base: Specification) -> Section:
    """Return a section whose ratings bear the intervals of the base, the others as they are.

    Parameters
    ----------
    section : Section
    intervals : DataFrame
        As `intervals_of` returns them; rows of other specifications are passed over.
    base : Specification
        The study's own, which averages the experiments.
    """
    values = dict(section.values)
    names = {replace(base, experiment=e).signature: suffix for e, suffix in _SUFFIX.items()}
    for row in intervals.to_dict("records"):
        suffix = names.get(str(row["signature"]))
        estimate = None if suffix is None else values.get(f"{row['quantity']}{suffix}")
        if estimate is not None and estimate.defined and not row["failure"]:
            values[f"{row['quantity']}{suffix}"] = _spanned(estimate, dict(row))
    return Section(values, section.tables)


def _spanned(estimate: Estimate, row: Mapping[object, object]) -> Estimate:
    low, high = float(str(row["low"])), float(str(row["high"]))
    if math.isnan(low) or math.isnan(high):
        return estimate
    covers = float(str(row["coverage"]))
    atoms = float(str(row["atoms"]))
    told = f"{row['method']} interval over tournaments, {row['engine']}, {atoms:,.0f} resamples"
    if not math.isnan(covers):
        told += f"; covers {covers:.1%} in simulation"
    told += _error_said(float(str(row["band"])), str(row["engine"]))
    return replace(estimate, interval=Interval(low, high, LEVEL, told))


def _error_said(band: float, engine: str) -> str:
    """Return how far drawing resamples, not counting them all, leaves their percentiles open."""
    if engine != Engine.MONTE_CARLO:
        return "; no Monte Carlo error"
    return f"; drawn: either end of the percentile interval is known to a 99 % band {band:.3g} wide"

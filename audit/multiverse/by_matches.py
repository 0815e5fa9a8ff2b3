"""Shares and odds under every way to read the matches, whatever ratings make of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from audit.estimates.run import estimator_of
from audit.numbers._check import FloatArray
from games.study.study import Study
from games.words import Game

from .axes import Axes
from .choices import Disqualification, Experiment
from .reading import Columns
from .specification import Specification
from .support import Tried

# The choices on which matches hang, whatever is made of them.
OF_MATCHES = ("verdicts", "disqualification", "declaration", "degenerate", "open_matches")


@dataclass(frozen=True, slots=True, eq=False)
class ByMatches:
    """What matches give under every way to read them.

    Attributes
    ----------
    tried : Tried
        The distinct readings.
    values : dict
        Estimand to its values, shape (readings,).
    """

    tried: Tried
    values: dict[str, FloatArray]


def by_matches(
    columns: Mapping[str, Columns],
    study: Study,
    axes: Axes,
    wanted: Collection[str],
    *,
    base: Specification,
    rng: np.random.Generator,
    most: int,
) -> ByMatches:
    """Return some estimands under every reading of the matches, or under a number of them.

    Parameters
    ----------
    columns : mapping
        Source of verdicts to corpus.
    study : Study
    axes : Axes
    wanted : collection of str
        Estimands that need no rating.
    base : Specification
    rng : numpy.random.Generator
        Draws readings, the base's always among them, where there are more than ``most``.
    most : int
    """
    every = _readings(axes, base)
    if len(every) > most:
        drawn = rng.choice(len(every) - 1, most - 1, replace=False)
        every = [every[0], *(every[1 + int(at)] for at in np.sort(drawn))]
    readings = Tried.of(every, base)
    return ByMatches(readings, _shares(columns, study, readings, wanted))


def _readings(axes: Axes, base: Specification) -> list[Specification]:
    """Return every distinct way to read the matches; a tie or a weight changes no share."""
    levels = {name: axes.levels[name] for name in OF_MATCHES}
    levels["disqualification"] = tuple(
        level
        for level in levels["disqualification"]
        if level in (Disqualification.HOLDER_WIN, Disqualification.EXCLUDED)
        or level is base.disqualification
    )
    every = [dict(zip(levels, chosen, strict=True)) for chosen in product(*levels.values())]
    return sorted(
        (replace(base, **choices) for choices in every),
        key=lambda spec: (spec != base, spec.signature),
    )


def _shares(
    columns: Mapping[str, Columns],
    study: Study,
    readings: Tried,
    wanted: Collection[str],
) -> dict[str, FloatArray]:
    if not wanted:
        return {}
    estimate, horizon = estimator_of(study, wanted), study.horizons()[Game.AIDG_II]
    nothing: FloatArray = np.full(len(readings.specifications), np.nan)
    found = {name: nothing.copy() for name in wanted}
    for row, spec in enumerate(readings.specifications):
        own = columns[spec.verdicts]
        both = replace(spec, experiment=Experiment.POOLED)
        values = estimate(own.frame(own.read(both, horizon))).values
        for name in wanted:
            found[name][row] = values[name].value
    return found

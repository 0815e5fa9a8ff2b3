"""Shares and odds under every way to read the matches, whatever ratings make of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from audit.estimates.run import estimator_of
from audit.numbers._check import FloatArray
from audit.numbers.estimate import Estimate, Undefined
from games.study.study import Study
from games.words import Game

from .axes import Axes
from .choices import Disqualification, Experiment
from .grid import with_draw
from .reading import Columns
from .specification import Specification
from .support import Tried

# The choices on which matches hang, whatever is made of them.
OF_MATCHES = (
    *("verdicts", "disqualification", "declaration", "stating"),
    *("lock_words", "degenerate", "open_matches"),
)


@dataclass(frozen=True, slots=True, eq=False)
class ByMatches:
    """What matches give under every way to read them.

    Attributes
    ----------
    tried : Tried
        The distinct readings.
    values : dict
        Estimand to its values, shape (readings,); NaN where undefined.
    reasons : dict
        Estimand to why it is undefined in each reading; None where it has a value.
    """

    tried: Tried
    values: dict[str, FloatArray]
    reasons: dict[str, tuple[Undefined | None, ...]]


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
    found = _estimates(columns, study, readings, wanted)
    return ByMatches(
        readings,
        {name: np.array([one.value for one in each]) for name, each in found.items()},
        {name: tuple(map(_why, each)) for name, each in found.items()},
    )


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
        (with_draw(replace(base, **choices), axes.draws) for choices in every),
        key=lambda spec: (spec != base, spec.signature),
    )


def _estimates(
    columns: Mapping[str, Columns],
    study: Study,
    readings: Tried,
    wanted: Collection[str],
) -> dict[str, list[Estimate]]:
    """Return every estimand in every reading."""
    if not wanted:
        return {}
    estimate, horizon = estimator_of(study, wanted), study.horizons()[Game.AIDG_II]
    found: dict[str, list[Estimate]] = {name: [] for name in wanted}
    for spec in readings.specifications:
        own = columns[spec.verdicts]
        both = replace(spec, experiment=Experiment.POOLED)
        values = estimate(own.frame(own.read(both, horizon))).values
        for name in wanted:
            found[name].append(values[name])
    return found


def _why(one: Estimate) -> Undefined | None:
    return None if one.defined else one.reason

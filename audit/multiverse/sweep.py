"""The sweep: every statement under every specification that is tried."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from audit.claims.claim import Claim
from audit.corpus import players_of
from audit.estimates.run import of_matches
from games.study.study import Study
from games.words import Game

from .axes import Axes
from .by_matches import ByMatches, by_matches
from .by_ratings import ByRatings, by_ratings
from .choices import Experiment
from .grid import Grid, grid_of
from .intervals import intervals_of
from .open_choices import open_choice_frame
from .parallel import Workers
from .permuted import Curve, curves
from .rank_checks import RankChecks, rank_checks
from .reading import Columns
from .specification import Specification
from .statements import Stands, Statement, statements_of
from .support import Agreement, agreement_on
from .units import Units

THREADS = 2  # numpy lets go of the interpreter; they decide no digit


@dataclass(frozen=True, slots=True, eq=False)
class Swept:
    """A run under every specification that was tried.

    Attributes
    ----------
    players : tuple of str
    grid : Grid
    ratings : ByRatings
        What specifications of the ratings give.
    matches : ByMatches
        What ways to read the matches give, whatever is made of them.
    statements : tuple of Statement
    agreements : dict
        Id of a statement to how far specifications agree.
    curves : tuple of Curve
        Whole curves beside those of matches with roles exchanged.
    intervals : DataFrame
        As `intervals_of` gives them: of the base in each experiment, or of every specification.
    ranks : RankChecks
        What the base's ratings can bear.
    open_choices : DataFrame
        The study's open choices, as `open_choice_frame` tells them.
    corrected : DataFrame
        What draws of corrected labels make of the matches, as `Corrected` tells it; empty where
        people labelled nothing.
    """

    players: tuple[str, ...]
    grid: Grid
    ratings: ByRatings
    matches: ByMatches
    statements: tuple[Statement, ...]
    agreements: dict[str, Agreement]
    curves: tuple[Curve, ...]
    intervals: pd.DataFrame
    ranks: RankChecks
    open_choices: pd.DataFrame
    corrected: pd.DataFrame = field(default_factory=pd.DataFrame)


@dataclass(frozen=True, slots=True)
class Effort:
    """How much a sweep looks at.

    Attributes
    ----------
    most, readings : int
        Combinations, and ways to read the matches, if there are more; drawn evenly.
    permutations, of_curve : int
        Exchanges of roles, and specifications that each is made of.
    near : int
        On how many axes those may differ from the base that are looked at besides.
    every_interval : bool
        Whether every specification gets its intervals, or the base alone.
    draws : int
        Orders, outcomes and arrangements of the base's ratings.
    workers : Workers
    """

    most: int = 2_500
    readings: int = 120
    permutations: int = 199
    of_curve: int = 200
    near: int = 2
    every_interval: bool = False
    draws: int = 400
    workers: Workers = field(default_factory=Workers)


def sweep_corpora(
    corpora: Mapping[str, pd.DataFrame],
    study: Study,
    claims: Collection[Claim],
    axes: Axes,
    *,
    base: Specification,
    rng: np.random.Generator,
    effort: Effort,
) -> Swept:
    """Return every statement under every specification that is tried.

    Parameters
    ----------
    corpora : mapping
        Source of verdicts to corpus.
    study : Study
    claims : collection of Claim
    axes : Axes
    base : Specification
        The study's own.
    rng : numpy.random.Generator
    effort : Effort
    """
    columns = {source: Columns.of(corpus) for source, corpus in corpora.items()}
    players = players_of(pd.concat(corpora.values()))
    grid = grid_of(axes, base, rng, most=effort.most, steps=effort.near)
    units = Units(columns, study.horizons()[Game.AIDG_II], players)
    rated = by_ratings(units, grid, base, effort.workers)
    statements = statements_of(claims, of_matches(study))
    wanted = {one.quantity for one in statements if one.stands is Stands.MATCHES}
    read = by_matches(columns, study, axes, wanted, base=base, rng=rng, most=effort.readings)
    agreements = {one.id: _agreement(one, rated, read) for one in statements}
    found = curves(
        units,
        [spec for spec, weight in zip(grid.specifications, grid.weights, strict=True) if weight],
        rng,
        permutations=effort.permutations,
        most=effort.of_curve,
    )
    asked = grid.specifications if effort.every_interval else in_each_experiment(base)
    spans = intervals_of(units, asked, threads=THREADS)
    ranks = rank_checks(units, base, rng, draws=effort.draws)
    opened = open_choice_frame(study.open_choices, axes.links, axes.levels)
    return Swept(players, grid, rated, read, statements, agreements, found, spans, ranks, opened)


def in_each_experiment(base: Specification) -> tuple[Specification, ...]:
    """Return the base, and the base in each experiment alone."""
    return tuple(
        replace(base, experiment=one)
        for one in (base.experiment, Experiment.AIDG_I, Experiment.AIDG_II)
    )


def _agreement(one: Statement, rated: ByRatings, read: ByMatches) -> Agreement:
    if one.stands is Stands.MATCHES:
        values = read.values[one.quantity]
        return agreement_on(one.region, read.tried, values, np.ones(len(values), dtype=np.bool_))
    speaks = np.array([spec.experiment in one.experiments for spec in rated.tried.specifications])
    values = np.where(speaks, rated.values[one.quantity], np.nan)
    return agreement_on(one.region, rated.tried, values, speaks & rated.counted)

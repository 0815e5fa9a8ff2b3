"""Everything that print alone says, as tables: one call for a study's folder and a seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from audit.estimates.run import of_matches as estimands_of_matches
from audit.multiverse.choices import Experiment
from audit.multiverse.settings import specification_of
from audit.multiverse.specification import Specification
from audit.multiverse.statements import Stands, Statement, statements_of
from audit.printed.corpora.chance import Closeness, closeness
from audit.printed.corpora.drops import Ways
from audit.printed.corpora.forward import pooled, simulated
from audit.printed.corpora.ranges import Ranges, ranges_of
from audit.printed.corpora.rules import InOrder, Rules, weighing_of
from audit.printed.corpora.sampled import Samples, sample
from audit.printed.corpora.trials import Trial, rules_for, tried
from games.rules.schedule import seeded
from games.words import Game

from .agreed import agreed_frame
from .asked import Answer, answer_frame, of_matches, of_ratings
from .extremes import Extremes
from .frames import conflicts_frame, left_out_frame, mixing_frame, ways_frame
from .loaded import Print
from .readings import Readings, readings_of
from .specs import EXPERIMENTS, specifications

SAMPLES = 48
"""Corpora a way to give up printed numbers."""
STEPS = 60
"""Steps of each search."""
RATED = 8
"""Corpora a way that are rated under every specification, not the study's own alone."""
K_FACTORS = (1.0, 4 / 3, 5 / 3)
"""The steps tried against printed ratings, as multiples of the study's own."""
# The simulation of averaged ratings: how often each sampled corpus is dealt anew.
_TIMES, _CLOSE_TIMES = 1, 4


@dataclass(frozen=True, slots=True, eq=False)
class FromPrint:
    """What the print of a study leaves open, as tidy tables.

    Attributes
    ----------
    ways : DataFrame
        One row a way to give up printed numbers: ``dropped``, corpora, how many were checked.
    conflicts : DataFrame
        One row a minimal set of printed numbers that no corpus satisfies together.
    left_out : DataFrame
        Printed numbers that are no margin of a corpus of matches, and why.
    mixing : DataFrame
        R-hat and effective sample size of counts and of the base's quantities.
    ranges, ranks : DataFrame
        Least, median and most of each quantity, and best and worst rank of each player, by way and
        specification.
    answers : DataFrame
        One row a statement: whether it was seen to hold and to fail.
    agreed : DataFrame
        One row a statement: the share of specifications in which every corpus agrees, and in how
        many print leaves it no choice.
    trials : DataFrame
        One row a game and set of rules against the printed ratings; empty without any.
    close : DataFrame
        How close together averaged Holder ratings come by chance; empty without printed averages.
    """

    ways: pd.DataFrame
    conflicts: pd.DataFrame
    left_out: pd.DataFrame
    mixing: pd.DataFrame
    ranges: pd.DataFrame
    ranks: pd.DataFrame
    answers: pd.DataFrame
    agreed: pd.DataFrame
    trials: pd.DataFrame
    close: pd.DataFrame


def sweep_print(
    told: Print,
    seed: int,
    *,
    samples: int = SAMPLES,
    steps: int = STEPS,
    ways: Sequence[Ways] | None = None,
) -> FromPrint:
    """Return what the print of a study leaves open.

    Parameters
    ----------
    told : Print
    seed : int
    samples : int
        Corpora a way to give up printed numbers, at least 1; rounded up to whole draws of chains.
    steps : int
        Of each search; 0 for none.
    ways : sequence of Ways, optional
        How conflicting numbers may be given up, where a plan has found it.

    Returns
    -------
    FromPrint

    Raises
    ------
    Unsearched
        If a search for whole numbers is given up.
    """
    base = specification_of(told.study)
    drawn = sample(told.margins, samples, seeded(seed, "corpora"), ways)
    specs = specifications(base)
    horizons = told.study.horizons()
    mean = told.ratings.get(Experiment.MEAN)
    ranges = ranges_of(
        drawn,
        specs,
        horizons[Game.AIDG_II],
        told.players,
        mean,
        first=len(EXPERIMENTS),
        every=RATED,
    )
    extremes = Extremes(drawn, horizons, base, told.players, seeded(seed, "extremes"), steps // 3)
    statements = statements_of_print(told)
    of_them = {one.quantity for one in statements if one.stands is Stands.MATCHES}
    readings = readings_of(told, drawn, of_them)
    return FromPrint(
        ways=ways_frame(drawn),
        conflicts=conflicts_frame(drawn),
        left_out=left_out_frame(told),
        mixing=mixing_frame(drawn, ranges),
        ranges=ranges.frame(),
        ranks=ranges.ranks(told.players),
        answers=answer_frame(_answers(statements, ranges, readings, extremes)),
        agreed=agreed_frame(statements, ranges, readings),
        trials=_trials(told, drawn, base, seed, steps),
        close=_close(told, drawn, base, seed),
    )


def statements_of_print(told: Print) -> tuple[Statement, ...]:
    """Return what is asked of the corpora that a print leaves open."""
    return statements_of(told.claims.claim, estimands_of_matches(told.study))


def _answers(
    statements: Sequence[Statement], ranges: Ranges, readings: Readings, extremes: Extremes
) -> list[Answer]:
    return [
        of_matches(one, readings)
        if one.stands is Stands.MATCHES
        else of_ratings(one, ranges, extremes.farthest)
        for one in statements
    ]


def _trials(
    told: Print, drawn: Samples, base: Specification, seed: int, steps: int
) -> pd.DataFrame:
    found = [pd.DataFrame()]
    for game in Game:
        printed = told.ratings.get(Experiment(game.value))
        if printed is not None:
            ks = [round(base.k * factor, 6) for factor in K_FACTORS]
            rules = rules_for(game, ks, len(told.study.config.games.aidg_i.modes))
            trial = Trial(game, told.study.horizons()[game], told.players, printed, rules)
            rng = seeded(seed, "trials", game.value)
            found.append(tried(drawn, trial, rng, times=_TIMES, steps=steps))
    return pd.concat(found, ignore_index=True)


def _close(told: Print, drawn: Samples, base: Specification, seed: int) -> pd.DataFrame:
    """Return how close averaged Holder ratings come by chance under the study's specification."""
    printed, weighing = told.ratings.get(Experiment.MEAN), weighing_of(base)
    if printed is None or weighing is None:
        return pd.DataFrame()
    rules, half = Rules(weighing, base.carry, base.k, InOrder.EVEN), len(told.players)
    rng, horizons = seeded(seed, "close"), told.study.horizons()
    first, second = (
        pooled(
            simulated(drawn, game, horizons[game], rules, told.players, times=_CLOSE_TIMES, rng=rng)
        )[:, half:]
        for game in Game
    )
    found: Closeness = closeness(first, second, float(np.std(printed[half:])))
    return pd.DataFrame([{name: getattr(found, name) for name in Closeness.__dataclass_fields__}])

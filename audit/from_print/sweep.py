"""Everything that print alone says, as tables: one call for a study's folder and a seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from audit.estimates.run import estimator_of
from audit.estimates.run import of_matches as estimands_of_matches
from audit.multiverse.choices import Experiment
from audit.multiverse.settings import specification_of
from audit.multiverse.specification import Specification
from audit.multiverse.statements import Stands, Statement, statements_of
from audit.printed.corpora.chance import Closeness, closeness
from audit.printed.corpora.drops import Ways
from audit.printed.corpora.fixed import fixed_counts
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
# Corpora a way on which estimates of matches are made.
_ESTIMATED = 2


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
        One row a statement of ratings: the share of specifications in which every corpus agrees.
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
    return FromPrint(
        ways=ways_frame(drawn),
        conflicts=conflicts_frame(drawn),
        left_out=left_out_frame(told),
        mixing=mixing_frame(drawn, ranges),
        ranges=ranges.frame(),
        ranks=ranges.ranks(told.players),
        answers=answer_frame(_answers(told, drawn, ranges, extremes)),
        agreed=agreed_frame(_statements(told), ranges),
        trials=_trials(told, drawn, base, seed, steps),
        close=_close(told, drawn, base, seed),
    )


def _statements(told: Print) -> tuple[Statement, ...]:
    return statements_of(told.claims.claim, estimands_of_matches(told.study))


def _answers(told: Print, drawn: Samples, ranges: Ranges, extremes: Extremes) -> list[Answer]:
    statements = _statements(told)
    of_them = [one for one in statements if one.stands is Stands.MATCHES]
    values = _estimates(told, drawn, of_them)
    settled = _settled(told, drawn)
    return [
        of_matches(one, values[one.quantity], one.quantity in settled)
        if one.stands is Stands.MATCHES
        else of_ratings(one, ranges, extremes.farthest)
        for one in statements
    ]


def _estimates(
    told: Print, drawn: Samples, statements: Sequence[Statement]
) -> Mapping[str, Mapping[str, Sequence[float]]]:
    """Return estimands of matches in some corpora of every way; answers are in none of them."""
    wanted = {one.quantity for one in statements}
    found: dict[str, dict[str, list[float]]] = {name: {} for name in wanted}
    if not wanted:
        return found
    estimate = estimator_of(told.study, wanted)
    for one in drawn.sampled:
        for row in range(min(_ESTIMATED, len(one.dealt))):
            values = estimate(one.dealt.frame(row)).values
            for name in wanted:
                found[name].setdefault(one.name, []).append(values[name].value)
    return found


def _settled(told: Print, drawn: Samples) -> frozenset[str]:
    """Return the estimands that hang on nothing but counts of which print leaves one value."""
    lines = told.file.hangs_on
    fixed = fixed_counts(drawn, {count for line in lines for count in line.counts})
    unknowns = told.margins.layout.unknowns
    return frozenset(
        estimand
        for line in lines
        for estimand in line.estimands
        if all(
            {name for name in unknowns if name.partition("[")[0] in line.counts} <= held
            for held in fixed.values()
        )
    )


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

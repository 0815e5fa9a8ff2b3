"""What ratings can bear: order of play, circles, drift over tournaments, and other estimators.

Each is asked of the study's own reading of the matches, one game at a time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from audit.numbers._check import FloatArray
from audit.numbers.ratings.bradley_terry import bradley_terry, firth
from audit.numbers.ratings.compared import ordered_alike
from audit.numbers.ratings.graph import win_graph
from audit.numbers.ratings.lanes import Played
from audit.numbers.ratings.order_spread import order_spread
from audit.numbers.ratings.stationarity import rating_trend, win_shares
from audit.numbers.ratings.table import tables, together
from audit.numbers.ratings.transitivity import cycle_law
from audit.numbers.ratings.uncertainty import covariance, gap

from .choices import Disqualification, Estimator, Experiment
from .grid import rule_against
from .specification import Specification
from .units import Failed, Units

DRAWS = 400


@dataclass(frozen=True, slots=True, eq=False)
class RankChecks:
    """What the ratings of a run can bear.

    Attributes
    ----------
    spread : DataFrame
        One row a game, role and player: the rating, its standard deviation over orders of play,
        and over outcomes drawn anew.
    shape : DataFrame
        One row a game: whether all can be compared, circles of players beside chance, and whether
        tournaments are alike.
    orders : DataFrame
        One row a game, role and estimator: how its order of players differs from Elo's.
    """

    spread: pd.DataFrame
    shape: pd.DataFrame
    orders: pd.DataFrame

    def files(self) -> dict[str, pd.DataFrame]:
        """Return the tables to be written, by file name."""
        return {
            "ranks/spread.csv": self.spread,
            "ranks/shape.csv": self.shape,
            "ranks/orders.csv": self.orders,
        }


def rank_checks(
    units: Units, base: Specification, rng: np.random.Generator, *, draws: int = DRAWS
) -> RankChecks:
    """Return what the ratings of each game can bear; a game without a match is left out.

    Parameters
    ----------
    units : Units
    base : Specification
        The study's own.
    rng : numpy.random.Generator
    draws : int
        Orders, outcomes and arrangements drawn of each, at least 2.
    """
    spread, shape, orders = [], [], []
    for experiment in (Experiment.AIDG_I, Experiment.AIDG_II):
        spec = replace(base, experiment=experiment)
        _, tournaments = units.tournaments(spec)
        if not any(map(len, tournaments)):
            continue
        spread += _spread(spec, tournaments, units.players, rng, draws)
        shape.append(_shape(spec, tournaments, rng, draws))
        orders += _orders(units, spec)
    return RankChecks(pd.DataFrame(spread), pd.DataFrame(shape), pd.DataFrame(orders))


def _spread(
    spec: Specification,
    tournaments: Sequence[Played],
    players: Sequence[str],
    rng: np.random.Generator,
    draws: int,
) -> list[dict[str, object]]:
    whole = together(tournaments)
    chance = _chances(firth(whole).ratings, whole)
    # Without strengths that can be compared nobody knows what other outcomes were possible.
    known = np.isfinite(chance).all()
    drawn = chance if known else np.full(len(whole), 0.5)
    found = order_spread(tournaments, spec.k, spec.carry, drawn, draws=draws, rng=rng)
    names = [(role, player) for role in ("C", "V") for player in players]
    return [
        {"game": spec.experiment.value, "rating": role, "player": player}
        | {"points": found.scheduled[at] + spec.start}
        | {"SD over orders": found.order_sd[at]}
        | {"SD over outcomes": found.sampling_sd[at] if known else math.nan}
        for at, (role, player) in enumerate(names)
    ]


def _chances(ratings: FloatArray, played: Played) -> FloatArray:
    """Return the Seeker's chance of each match by fitted ratings, in rating points."""
    gap = ratings[played.seeker] - ratings[played.players + played.holder]
    return np.asarray(1.0 / (1.0 + 10.0 ** (-gap / 400.0)), dtype=np.float64)


def _shape(
    spec: Specification, tournaments: Sequence[Played], rng: np.random.Generator, draws: int
) -> dict[str, object]:
    wins, losses = tables(together(tournaments))
    graph, circles = win_graph(wins, losses), cycle_law(tournaments, draws=draws, rng=rng)
    shares, trend = win_shares(tournaments), rating_trend(tournaments, draws=draws, rng=rng)
    return {
        "game": spec.experiment.value,
        "comparable": graph.connection.value,
        **_offset(tournaments),
        "circles": circles.cycles.circles,
        "expected": circles.mean,
        "p of as many": circles.at_least,
        "tournaments alike, p": shares.enumerated.p,
        "wins by tournament": ", ".join(
            f"{won}/{of}" for won, of in zip(shares.wins, shares.matches, strict=True)
        ),
        "drift a tournament": trend.size,
        "drift expected": trend.expected,
        "drift, p": trend.p,
    }


def _offset(tournaments: Sequence[Played]) -> dict[str, object]:
    """Return the gap by Bradley-Terry beside what the overall share of wins alone gives.

    Seekers meet Holders only, so that no match compares two of one role: the offset between the
    roles rests on that share.
    """
    whole = together(tournaments)
    fitted = bradley_terry(whole)
    found = gap(whole, fitted, covariance(whole, fitted))
    return {
        "gap, Bradley-Terry": found.value,
        "standard error": found.error,
        "gap of the win rate": found.by_share,
    }


def _orders(units: Units, base: Specification) -> list[dict[str, object]]:
    ratings: dict[str, FloatArray] = {}
    failures: dict[str, str] = {}
    for estimator in Estimator:
        spec = _analysis(replace(base, estimator=estimator))
        (found,) = units.rate([spec])
        if isinstance(found, Failed):
            failures[estimator.value] = found.reason
        elif np.isfinite(found).all():
            ratings[estimator.value] = found
        else:
            failures[estimator.value] = "no finite ratings"
    if Estimator.ELO.value not in ratings:
        return []
    game = base.experiment.value
    alike = ordered_alike(ratings, Estimator.ELO.value)
    rows: list[dict[str, object]] = [
        {"game": game, "role": one.role, "estimator": one.estimator, "pairs": one.pairs}
        | {"swapped": len(one.swapped), "tied": len(one.tied), "tau": one.tau, "failure": ""}
        for one in alike
    ]
    return rows + [
        {"game": game, "role": "both", "estimator": name, "failure": reason}
        for name, reason in failures.items()
    ]


def _analysis(spec: Specification) -> Specification:
    """Return a specification that its estimator can read: Davidson needs a tie."""
    if rule_against(spec) is None:
        return spec
    return replace(spec, disqualification=Disqualification.TIE)

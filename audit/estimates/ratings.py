"""Dual-Elo: ratings by role and experiment, gaps, spreads, rank correlations (5.1, 5.7, G.6, H)."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from audit.corpus import players_of
from audit.multiverse.rated import Rated, averaged, rate
from audit.multiverse.specification import Specification
from audit.numbers.correlation import spearman
from audit.numbers.effect import paired_d
from audit.numbers.estimate import Estimate, Undefined
from audit.numbers.paired import paired_t, sign_flip
from audit.numbers.spread import spread
from games.words import Game

from .section import Section, Table, counted, joined, p_of

FloatArray = NDArray[np.float64]


def ratings(corpus: pd.DataFrame, horizons: dict[Game, int], spec: Specification) -> Section:
    """Return both experiments' ratings under a specification, and what the paper makes of them."""
    between = [between_tournaments(corpus, game, horizons[game], spec) for game in Game]
    return joined([role_ratings(corpus, horizons, spec), *between])


def role_ratings(corpus: pd.DataFrame, horizons: dict[Game, int], spec: Specification) -> Section:
    """Return both experiments' ratings, their gaps and spreads, and how they go together.

    The averaged ratings are the mean of a player's two ratings, as the paper averages them; their
    spread is not the spread of either experiment.
    """
    players = players_of(corpus)
    rated = {game: rate(corpus, game, horizons[game], spec, players) for game in Game}
    seeker, holder = averaged(rated.values())
    parts = [_role_gap(f".{game.value}", *averaged([rated[game]])) for game in Game]
    parts += [_role_gap("", seeker, holder), _between_experiments(rated)]
    return joined([*parts, _tables(rated, seeker, holder)])


def _role_gap(suffix: str, seeker: FloatArray, holder: FloatArray) -> Section:
    """Return the gap of one set of ratings, with effect size and tests over players.

    Ratings of one tournament are zero-sum and share their matches: the tests treat players as
    independent, as the paper's do, and no p-value can fall below 2^(1 - players) by sign flips.
    """
    size = len(seeker)
    values: dict[str, Estimate] = {
        f"rating.gap{suffix}": counted(float(np.mean(holder - seeker)) if size else 0.0, size),
        f"rating.gap.least{suffix}": counted(float(np.min(holder - seeker)) if size else 0.0, size),
    }
    for role, own in (("seeker", seeker), ("holder", holder)):
        for ddof in (0, 1):
            found = spread(own, ddof=ddof)
            name = f"rating.sd_{role}{suffix}" + (".ddof1" if ddof else "")
            values[name] = Estimate(found.sd, None, found.size, reason=found.reason)
        reach = float(np.ptp(own)) if size else 0.0
        values[f"rating.range_{role}{suffix}"] = counted(reach, size)
    effect = paired_d(holder, seeker)
    values[f"d.gap{suffix}"] = Estimate(effect.d, None, effect.size, reason=effect.reason)
    values[f"p.gap{suffix}"] = p_of(paired_t(holder, seeker))
    values[f"p.gap.sign_flip{suffix}"] = p_of(sign_flip(holder, seeker))
    return Section(values)


def _between_experiments(rated: dict[Game, Rated]) -> Section:
    first, second = averaged([rated[Game.AIDG_I]]), averaged([rated[Game.AIDG_II]])
    values: dict[str, Estimate] = {}
    for place, role in enumerate(("seeker", "holder")):
        both = len(first[place]) == len(second[place])
        found = spearman(first[place], second[place]) if both else spearman([], [])
        values[f"spearman.{role}"] = found.estimate
        values[f"p.spearman.{role}"] = p_of(found.test)
    return Section(values)


def between_tournaments(
    corpus: pd.DataFrame, game: Game, horizon: int, spec: Specification
) -> Section:
    """Return how alike the rank orders of one game's tournaments are, each rated from the start."""
    players = players_of(corpus)
    seasons = [
        (number, rate(part, game, horizon, spec, players))
        for number, part in corpus[corpus["game"] == game.value].groupby("tournament")
    ]
    values: dict[str, Estimate] = {}
    rows = []
    for role in ("seeker", "holder"):
        found = [
            (i, j, spearman(getattr(one, role), getattr(other, role)).estimate)
            for (i, one), (j, other) in combinations(seasons, 2)
        ]
        defined = [estimate.value for *_, estimate in found if estimate.defined]
        name = f"spearman.tournaments.{role}.{game.value}"
        values[name] = (
            counted(float(np.mean(defined)), len(defined), len(found) - len(defined))
            if defined
            else Estimate.undefined(Undefined.TOO_FEW, 0, len(found))
        )
        rows += [{"role": role, "pair": f"{i}–{j}", "spearman": e.value} for i, j, e in found]
    caption = f"Rank correlation between single tournaments, {game.value}"
    return Section(values, (Table(f"tournaments_{game.value}", caption, pd.DataFrame(rows)),))


def _tables(rated: dict[Game, Rated], seeker: FloatArray, holder: FloatArray) -> Section:
    first, second = rated[Game.AIDG_I], rated[Game.AIDG_II]
    frame = pd.DataFrame(
        {
            "player": first.players,
            "C (I)": first.seeker,
            "V (I)": first.holder,
            "C (II)": second.seeker,
            "V (II)": second.holder,
            "C": seeker if len(seeker) else np.nan,
            "V": holder if len(holder) else np.nan,
            "gap": holder - seeker if len(seeker) else np.nan,
        }
    ).sort_values("C", ascending=False, kind="stable")
    # Players who are equal share a rank: their names decide nothing.
    frame["rank"] = frame["C"].rank(ascending=False, method="min").astype("Int64")
    history = pd.concat([rated[game].history.assign(game=game.value) for game in Game])
    return Section(
        tables=(
            Table("ratings", "Ratings by role and experiment, ranked by averaged C", frame),
            Table("rating_history", "Every update in order of play", history),
        )
    )

"""Ratings of matches readjudicated under labels that are drawn where people gave none.

A match that labels leave open is given to the Holder, and to the Seeker, on the turn that it
reached; ratings of both are pooled over the completed sets. Within a set a rating varies as if the
matches were played again by the same players.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from audit.corpus import players_of
from audit.multiverse.rated import Rated, rate
from audit.multiverse.specification import Specification
from audit.numbers.elo_variance import Pulls, pulls
from audit.numbers.estimate import Estimate, Interval
from audit.numbers.rating import Carry
from audit.numbers.rubin import pooled
from games.words import End, Game, Role

from .imputed import Completions, Results
from .judged import LEVEL, Floats

BOTH = "both"
EVERYONE = "everyone"
# How a match ends that labels leave open: at once, which moves ratings most.
OPEN_ENDS: dict[Game, dict[Role, End]] = {
    Game.AIDG_I: {Role.HOLDER: End.HORIZON, Role.SEEKER: End.LEAK},
    Game.AIDG_II: {Role.HOLDER: End.WRONG_LOCK, Role.SEEKER: End.CORRECT_LOCK},
}


@dataclass(frozen=True, slots=True)
class Scheme:
    """How a study rates.

    Attributes
    ----------
    horizons : mapping
        Turns by game.
    spec : Specification
    """

    horizons: Mapping[Game, int]
    spec: Specification


@dataclass(frozen=True, slots=True)
class ImputedRating:
    """One rating, labels completed.

    Attributes
    ----------
    game : str
        ``aidg_i``, ``aidg_ii``, or ``both`` for the mean of the two.
    player : str
        An id, or ``everyone`` for the mean over players.
    rating : str
        ``C``, ``V``, or ``V - C``.
    arbiter : float
        As ruled.
    to_holder, to_seeker : Estimate
        With every match left open given to the Holder, and to the Seeker.
    """

    game: str
    player: str
    rating: str
    arbiter: float
    to_holder: Estimate
    to_seeker: Estimate

    @property
    def interval(self) -> Interval | None:
        """From the lower of both lower limits to the higher of both upper ones."""
        spans = [one.interval for one in (self.to_holder, self.to_seeker) if one.interval]
        if not spans:
            return None
        low, high = min(span.low for span in spans), max(span.high for span in spans)
        return Interval(low, high, LEVEL, spans[0].method)


@dataclass(frozen=True, slots=True, eq=False)
class _Set:
    """Values and variances of every rating of one set, and matches behind it; shape (rows,)."""

    values: Floats
    variances: Floats
    matches: Floats


def imputed_ratings(found: Completions, scheme: Scheme) -> tuple[ImputedRating, ...]:
    """Return every player's ratings, and the mean gap, over several completed sets of labels.

    Parameters
    ----------
    found : Completions
    scheme : Scheme

    Returns
    -------
    tuple of ImputedRating
        By game and then of both games together, where both were played.
    """
    corpus = found.corpus
    players = players_of(corpus)
    ruled = _rated(corpus, scheme, players)
    sides = {
        role: [_rated(ended(corpus, results, role), scheme, players) for results in found.results]
        for role in (Role.HOLDER, Role.SEEKER)
    }
    return tuple(
        ImputedRating(*name, float(ruled.values[row]), *(_pooled(s, row) for s in sides.values()))
        for row, name in enumerate(_names(corpus, players))
    )


def ended(corpus: pd.DataFrame, results: Results, open_to: Role) -> pd.DataFrame:
    """Return a corpus whose matches end as other labels have it, those left open by one role."""
    winner, end, turn = (corpus[name].tolist() for name in ("winner", "end", "turn"))
    for row, (match, game) in enumerate(zip(corpus["match"], corpus["game"], strict=True)):
        result = results.get(match)
        if result is None:
            continue
        if result.outcome is not None and result.outcome.winner and result.outcome.end:
            outcome = result.outcome
            winner[row], end[row], turn[row] = outcome.winner, outcome.end, outcome.turn
        elif result.possible:
            side = open_to if open_to in result.possible else next(iter(result.possible))
            winner[row], end[row] = side, OPEN_ENDS[Game(game)][side]
    return corpus.assign(winner=[str(w) for w in winner], end=[str(e) for e in end], turn=turn)


def _games(corpus: pd.DataFrame) -> list[Game]:
    return [game for game in Game if (corpus["game"] == game.value).any()]


def _names(corpus: pd.DataFrame, players: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    games = [game.value for game in _games(corpus)]
    for game in games if len(games) == 1 else [*games, BOTH]:
        for rating in ("C", "V"):
            yield from ((game, player, rating) for player in players)
        yield game, EVERYONE, "V - C"


def _contrasts(players: int) -> Floats:
    """Return the weights of each row of one game: C of each, V of each, the mean gap."""
    gap = np.concatenate([np.full(players, -1.0 / players), np.full(players, 1.0 / players)])
    return np.vstack([np.eye(2 * players), gap])


def _rated(corpus: pd.DataFrame, scheme: Scheme, players: tuple[str, ...]) -> _Set:
    parts: list[_Set] = []
    weights = _contrasts(len(players))
    for game in _games(corpus):
        rated = rate(corpus, game, scheme.horizons[game], scheme.spec, players)
        moved = pulls_of(rated, scheme.spec.carry)
        outcome = _outcome_variance(rated.history, corpus)
        ratings = np.concatenate([rated.seeker, rated.holder])
        varies = np.array([moved.variance(row.reshape(2, -1), outcome) for row in weights])
        behind = np.full(len(weights), float(len(rated.history)))
        parts.append(_Set(weights @ ratings, varies, behind))
    if len(parts) > 1:
        first, second = parts
        varies = (first.variances + second.variances) / 4.0
        both = first.matches + second.matches
        parts.append(_Set((first.values + second.values) / 2.0, varies, both))
    columns = ([getattr(part, name) for part in parts] for name in _Set.__slots__)
    return _Set(*(np.concatenate(column) for column in columns))


def pulls_of(rated: Rated, carry: Carry) -> Pulls:
    """Return how each outcome of an experiment moves its ratings."""
    history, place = rated.history, {name: i for i, name in enumerate(rated.players)}
    left = (history["winner"] == Role.SEEKER.value).to_numpy() - history["expected"].to_numpy()
    step = history["step"].to_numpy(dtype=np.float64)
    pace = np.divide(step, left, out=np.zeros_like(step), where=left != 0.0)
    season = history["tournament"].to_numpy()
    if carry is Carry.CARRIED:
        season = np.zeros(len(history))
    return pulls(
        [place[name] for name in history["seeker"]],
        [place[name] for name in history["holder"]],
        history["expected"],
        pace,
        players=len(place),
        seasons=[np.flatnonzero(season == one) for one in np.unique(season)],
    )


def _outcome_variance(history: pd.DataFrame, corpus: pd.DataFrame) -> Floats:
    """Return p·(1 - p) of the Seeker's share of each mode, no less than its pairs' on average."""
    mode = history["match"].map(corpus.set_index("match")["mode"])
    won = (history["winner"] == Role.SEEKER.value).astype(float)
    share = won.groupby(mode).transform("mean").to_numpy(dtype=np.float64)
    return np.asarray(share * (1.0 - share))


def _pooled(sets: Sequence[_Set], row: int) -> Estimate:
    values, variances = (
        [getattr(one, name)[row] for one in sets] for name in ("values", "variances")
    )
    return pooled(values, variances, int(sets[0].matches[row]), level=LEVEL)


def imputed_ratings_frame(found: Sequence[ImputedRating]) -> pd.DataFrame:
    """Return one row a rating."""
    return pd.DataFrame(
        [
            {
                "game": one.game,
                "player": one.player,
                "rating": one.rating,
                "arbiter": one.arbiter,
                "open to holder": one.to_holder.value,
                "open to seeker": one.to_seeker.value,
                "low": one.interval.low if one.interval else None,
                "high": one.interval.high if one.interval else None,
            }
            for one in found
        ]
    )

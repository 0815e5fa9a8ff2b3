"""A first sweep: the ratings of one corpus under every K, M(t) and treatment of rule breaks.

One row a specification; its signature says every choice, so that the row can be made again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from games.words import End, Game

from .corpus import DEGENERATE_SHARE, decided, players_of
from .numbers.multiplier import multiplier
from .numbers.rating import dual_elo
from .specification import Degenerate, Disqualification, Scope, Specification

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Rated:
    """Ratings of one experiment, one element a player in sorted order of ids.

    Attributes
    ----------
    players : tuple of str
    seeker, holder : ndarray, shape (players,)
        C and V.
    history : DataFrame
        One row a match in order of play: the players' ratings before and after, expectation, step.
    """

    players: tuple[str, ...]
    seeker: FloatArray
    holder: FloatArray
    history: pd.DataFrame


def rate(
    corpus: pd.DataFrame, game: Game, horizon: int, spec: Specification, players: tuple[str, ...]
) -> Rated:
    """Return the Dual-Elo ratings of one game under a specification.

    Matches are rated in order of play; void ones never enter.
    """
    cell = decided(corpus)
    cell = cell[cell["game"] == game.value].sort_values(["tournament", "position"])
    if spec.disqualification is Disqualification.EXCLUDED:
        cell = cell[cell["end"] != End.DISQUALIFIED.value]
    if spec.degenerate is Degenerate.EXCLUDED:
        cell = cell[cell["repetition"] < DEGENERATE_SHARE]
    index = {player: seat for seat, player in enumerate(players)}
    won = (cell["winner"] == "seeker").to_numpy()
    played = dual_elo(
        cell["seeker"].map(index).to_numpy(dtype=np.int64),
        cell["holder"].map(index).to_numpy(dtype=np.int64),
        won,
        _weights(cell, game, horizon, spec, won),
        players=len(players),
        k=spec.k,
        start=spec.start,
        carry=spec.carry,
        tournament=cell["tournament"].to_numpy(),
    )
    history = cell[
        ["match", "tournament", "position", "seeker", "holder", "winner", "turn"]
    ].assign(
        expected=played.expected,
        step=played.step,
        seeker_before=played.seeker_before,
        seeker_after=played.seeker_after,
        holder_before=played.holder_before,
        holder_after=played.holder_after,
    )
    return Rated(players, played.seeker, played.holder, history)


_SPREAD = ("gap", "sd_seeker", "sd_holder")


def _weights(
    cell: pd.DataFrame, game: Game, horizon: int, spec: Specification, won: NDArray[np.bool_]
) -> FloatArray:
    """Return M(t) of each match: 1 in AIDG-I, which has no efficiency to weigh."""
    if game is Game.AIDG_I or cell.empty:
        return np.ones(len(cell))
    weights = multiplier(spec.multiplier, cell["turn"].to_numpy(), horizon)
    return weights if spec.scope is Scope.ALL_OUTCOMES else np.where(won, weights, 1.0)


def averaged(rated: Iterable[Rated]) -> tuple[FloatArray, FloatArray]:
    """Return each player's C and V averaged over the experiments that were played.

    An experiment without a match holds nothing but starting ratings and is left out; without any,
    both are empty.
    """
    played = [one for one in rated if len(one.history)]
    if not played:
        return np.empty(0), np.empty(0)
    seeker = np.mean([one.seeker for one in played], axis=0)
    return seeker, np.mean([one.holder for one in played], axis=0)


def sweep(
    corpus: pd.DataFrame, horizons: dict[Game, int], specifications: Iterable[Specification]
) -> pd.DataFrame:
    """Return one row a specification: gaps, spreads, order, and which statements hold.

    Parameters
    ----------
    corpus : DataFrame
    horizons : dict
        Turns by game.
    specifications : iterable of Specification

    Returns
    -------
    DataFrame
        ``signature``, the axes, ``gap`` and ``sd_seeker`` / ``sd_holder`` (ddof 0) of the ratings
        averaged over both games and of each game, ``every_gap_positive``, ``seeker_varies_more``,
        ``order`` (players by averaged C, best first).
    """
    players = players_of(corpus)
    rows = []
    for spec in specifications:
        rated = {game: rate(corpus, game, horizons[game], spec, players) for game in Game}
        seeker, holder = averaged(rated.values())
        row: dict[str, object] = {
            "signature": spec.signature,
            "k": spec.k,
            "multiplier": spec.multiplier.value,
            "disqualification": spec.disqualification.value,
            **_spread("", seeker, holder),
        }
        for game in Game:
            row |= _spread(f".{game.value}", *averaged([rated[game]]))
        row["every_gap_positive"] = bool((holder > seeker).all())
        row["seeker_varies_more"] = bool(np.std(seeker) > np.std(holder))
        row["order"] = " > ".join(players[int(i)] for i in np.argsort(-seeker, kind="stable"))
        rows.append(row)
    return pd.DataFrame(rows)


def _spread(suffix: str, seeker: FloatArray, holder: FloatArray) -> dict[str, object]:
    if not len(seeker):
        return dict.fromkeys((f"{name}{suffix}" for name in _SPREAD), float("nan"))
    return {
        f"gap{suffix}": float(np.mean(holder - seeker)),
        f"sd_seeker{suffix}": float(np.std(seeker)),
        f"sd_holder{suffix}": float(np.std(holder)),
    }

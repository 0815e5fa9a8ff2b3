"""Dual-Elo of one game under one specification, every update with it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from audit.numbers.rating import dual_elo
from games.words import Game

from .choices import Experiment
from .reading import Columns
from .specification import Specification

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
        One row a match in order of rating: the players' ratings before and after, expectation,
        step.
    """

    players: tuple[str, ...]
    seeker: FloatArray
    holder: FloatArray
    history: pd.DataFrame


def rate(
    corpus: pd.DataFrame, game: Game, horizon: int, spec: Specification, players: tuple[str, ...]
) -> Rated:
    """Return the Dual-Elo ratings of one game under a specification.

    Void matches never enter, unless the specification gives them to a side.
    """
    columns = Columns.of(corpus)
    reading = columns.read(replace(spec, experiment=Experiment(game.value)), horizon)
    cell = columns.frame(reading)
    index = {player: seat for seat, player in enumerate(players)}
    played = dual_elo(
        cell["seeker"].map(index).to_numpy(dtype=np.int64),
        cell["holder"].map(index).to_numpy(dtype=np.int64),
        reading.score,
        reading.weight,
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

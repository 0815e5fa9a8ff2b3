"""Who won, tied and lost how often against whom: the tables that Davidson's model is fitted to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from audit.numbers._check import FloatArray

from .lanes import Played

__all__ = ["Bools", "TieTables", "resampled_ties", "tie_tables"]

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class TieTables:
    """Counts of Seeker i against Holder j, lane by lane, each of shape (lanes, players, players).

    A sum of such tables is that of their matches together.
    """

    won: FloatArray
    tied: FloatArray
    lost: FloatArray

    def only(self, lanes: Bools) -> TieTables:
        """Return some of the lanes."""
        return TieTables(self.won[lanes], self.tied[lanes], self.lost[lanes])


def tie_tables(played: Played) -> TieTables:
    """Return the tables of matches as one lane, every match counting 1.

    Raises
    ------
    ValueError
        If a score is none of 1, 0.5 and 0.
    """
    strange = played.score[~np.isin(played.score, (0.0, 0.5, 1.0))]
    if strange.size:
        raise ValueError(f"score must be 0, 0.5 or 1, found {strange[0]}")
    p, cell = played.players, played.seeker * played.players + played.holder
    parts = (
        np.bincount(cell[played.score == score], minlength=p * p)
        .reshape(1, p, p)
        .astype(np.float64)
        for score in (1.0, 0.5, 0.0)
    )
    return TieTables(*parts)


def resampled_ties(tournaments: Sequence[Played], counts: npt.ArrayLike) -> TieTables:
    """Return the tables of many resamples of whole tournaments, a lane each.

    Parameters
    ----------
    tournaments : sequence of Played
        All of the same players.
    counts : array_like of int, shape (resamples, tournaments)
        How often each resample holds each tournament.

    Raises
    ------
    ValueError
        As `tie_tables`.
    """
    own = (tie_tables(each) for each in tournaments)
    told = ((each.won, each.tied, each.lost) for each in own)
    many = np.asarray(counts, dtype=np.float64)
    parts = (np.concatenate(part) for part in zip(*told, strict=True))
    return TieTables(*(np.tensordot(many, part, axes=1) for part in parts))

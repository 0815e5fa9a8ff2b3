"""A first sweep: the ratings of one corpus under every K, M(t) and treatment of rule breaks.

One row a specification; its signature says every choice, so that the row can be made again.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from games.words import Game

from .corpus import players_of
from .multiverse.rated import Rated, averaged, rate
from .multiverse.specification import Specification

FloatArray = NDArray[np.float64]
__all__ = ["Rated", "averaged", "rate", "sweep"]


_SPREAD = ("gap", "sd_seeker", "sd_holder")


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

"""When Seekers win and when they lock (5.6)."""

from __future__ import annotations

import pandas as pd

from audit.corpus import decided
from audit.numbers.estimate import Estimate
from audit.numbers.multiplier import Multiplier, multiplier
from audit.numbers.proportion import proportion
from games.words import End, Game

from .section import Section, Table, counted

# The paper's bands of the lock turn, as shares of its horizon of 16: 1-8, 9-12, 13-15, 16.
BANDS = ("early", "mid", "late", "final")
LOCKS = (End.CORRECT_LOCK.value, End.WRONG_LOCK.value, End.WRONG_FINAL.value)


def band_of(turn: int, horizon: int) -> str:
    """Return the band of a lock turn: first half, to three quarters, before the last, the last."""
    if turn >= horizon:
        return "final"
    if 2 * turn <= horizon:
        return "early"
    return "mid" if 4 * turn <= 3 * horizon else "late"


def timing(corpus: pd.DataFrame, horizon: int, kind: Multiplier) -> Section:
    """Return the turns of Seeker wins and the win rate of locks by band of turn.

    Parameters
    ----------
    corpus : DataFrame
    horizon : int
        The horizon of AIDG-II.
    kind : Multiplier
        The rule of M(t), whose mean over the locks of a band is shown.
    """
    cell = decided(corpus)
    won = cell[cell["winner"] == "seeker"]
    turns = {game: won.loc[won["game"] == game.value, "turn"] for game in Game}
    values: dict[str, Estimate] = {}
    for game, won_at in turns.items():
        for name in ("mean", "median"):
            value = getattr(won_at, name)() if len(won_at) else 0.0
            values[f"turn.win.{name}.{game.value}"] = counted(value, len(won_at))
    locks = cell[(cell["game"] == Game.AIDG_II.value) & cell["end"].isin(LOCKS)]
    bands = locks["turn"].map(lambda turn: band_of(turn, horizon))
    rows = []
    for band in BANDS:
        own = locks[bands == band]
        wins = int((own["winner"] == "seeker").sum())
        values[f"win_rate.band_{band}"] = proportion(wins, len(own))
        values[f"games.band_{band}"] = counted(len(own), len(locks))
        mean = own["turn"].mean() if len(own) else float("nan")
        weights = multiplier(kind, own["turn"].to_numpy(), horizon)
        rows.append(
            {
                "band": band,
                "locks": len(own),
                "wins": wins,
                "win rate": values[f"win_rate.band_{band}"].value,
                "mean turn": mean,
                "mean M(t)": weights.mean() if len(own) else float("nan"),
            }
        )
    return Section(values, (Table("timing", "Locks by turn, AIDG-II", pd.DataFrame(rows)),))

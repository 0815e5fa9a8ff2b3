"""Corpus statistics: games, turns, depth, share at the horizon, win rates (4.3, 5.1)."""

from __future__ import annotations

import pandas as pd

from audit.corpus import decided
from audit.numbers.estimate import Estimate
from audit.numbers.proportion import proportion
from games.words import Game

from .section import Section, Table, counted

WORDS = {
    "games": "games",
    "turns.total": "messages",
    "replies.total": "replies",
    "depth": "messages a game",
    "share.seeker": "Seeker's share",
    "share.holder": "Holder's share",
    "share.horizon": "share at horizon",
}


def corpus_statistics(corpus: pd.DataFrame, horizons: dict[Game, int]) -> Section:
    """Return the size of a corpus and who won.

    A "turn" is counted both ways, as messages and as replies, since a declaration or lock has no
    reply and a printed total may mean either.
    """
    values: dict[str, Estimate] = {}
    rows = []
    for game in (*Game, None):
        played = corpus if game is None else corpus[corpus["game"] == game.value]
        cell = decided(played)
        suffix = "" if game is None else f".{game.value}"
        out = len(played) - len(cell)
        wins = int((cell["winner"] == "seeker").sum())
        row = {
            "games": counted(len(cell), len(played), out),
            "turns.total": counted(cell["messages"].sum(), len(cell), out),
            "replies.total": counted(cell["replies"].sum(), len(cell), out),
            "depth": counted(cell["messages"].mean() if len(cell) else 0.0, len(cell), out),
            "share.seeker": proportion(wins, len(cell), counts_out=out),
            "share.holder": proportion(len(cell) - wins, len(cell), counts_out=out),
        }
        if game is not None:
            reached = int((cell["turn"] >= horizons[game]).sum())
            row["share.horizon"] = proportion(reached, len(cell), counts_out=out)
        values |= {f"{name}{suffix}": estimate for name, estimate in row.items()}
        named = {WORDS[name]: estimate.value for name, estimate in row.items()}
        rows.append({"game": game.value if game else "both"} | named)
    frame = pd.DataFrame(rows)
    return Section(values, (Table("corpus", "Corpus statistics and win rates", frame),))

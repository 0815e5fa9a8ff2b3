"""Corpora as they could be played: endings handed out, every tournament in some order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from audit.corpus import COLUMNS

from .layout import Ints, Layout


@dataclass(frozen=True, slots=True, eq=False)
class Dealt:
    """Corpora of one layout.

    Attributes
    ----------
    layout : Layout
    endings : ndarray of int64, shape (corpora, matches)
        The ending of each match, as its place among the layout's.
    position : ndarray of int64, shape (corpora, matches)
        Place in the order of play within its tournament, from 1.
    """

    layout: Layout
    endings: Ints
    position: Ints

    def __len__(self) -> int:
        return len(self.endings)

    def frame(self, row: int) -> pd.DataFrame:
        """Return one corpus with the columns of `audit.corpus`.

        What an AIDG-II Holder answered is left blank: it is no part of what is handed out. A match
        without an outcome is as one that nobody played.
        """
        layout = self.layout
        ends = [layout.endings[at] for at in self.endings[row].tolist()]
        rows = [
            {
                "match": match.id,
                "game": match.game.value,
                "mode": match.mode.value if match.mode else "",
                "tournament": match.tournament,
                "position": position,
                "seeker": match.seeker,
                "holder": match.holder,
                "secret": match.secret,
                "winner": end.winner.value if end.winner else "",
                "end": end.end.value if end.end else "",
                "void": end.void.value if end.void else "",
                "turn": end.turn,
                "messages": end.turn,
                "replies": end.turn if end.reply else max(end.turn - 1, 0),
                **dict.fromkeys(("yes", "no", "maybe"), np.nan),
                "repetition": 0.0,
            }
            for match, end, position in zip(
                layout.matches, ends, self.position[row].tolist(), strict=True
            )
        ]
        return pd.DataFrame(rows, columns=COLUMNS).sort_values(
            ["tournament", "position"], ignore_index=True
        )


def deal(layout: Layout, endings: Ints, rng: np.random.Generator) -> Dealt:
    """Return corpora that print takes for the same, with everything that it leaves open drawn.

    Endings are handed out anew within each class, so that who held in a match and in which
    tournament it was played is even over all ways to choose; each tournament is played in an even
    order.

    Parameters
    ----------
    layout : Layout
    endings : ndarray of int64, shape (corpora, matches)
    rng : numpy.random.Generator
    """
    found = endings.copy()
    for c in range(len(layout.sizes)):
        own = np.flatnonzero(layout.of_class == c)
        found[:, own] = rng.permuted(endings[:, own], axis=1)
    tournament = np.array([match.tournament for match in layout.matches])
    position = np.empty_like(found)
    for number in np.unique(tournament):
        own = np.flatnonzero(tournament == number)
        position[:, own] = rng.permuted(np.tile(np.arange(1, len(own) + 1), (len(found), 1)), axis=1)
    return Dealt(layout, found, position)



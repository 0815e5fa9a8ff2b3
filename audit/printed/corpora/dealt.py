"""Corpora as they could be played: endings handed out, every tournament in some order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from audit.corpus import COLUMNS
from games.rules.schedule import Match

from .layout import Ending, Ints, Layout


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
        ends, found = self.endings[row], dict[str, object]()
        for name, told in _OF_MATCH.items():
            found[name] = [told(match) for match in self.layout.matches]
        for name, said in _OF_ENDING.items():
            found[name] = np.array([said(one) for one in self.layout.endings], dtype=object)[ends]
        found |= dict.fromkeys(("yes", "no", "maybe"), np.nan)
        corpus = pd.DataFrame(found).assign(position=self.position[row], repetition=0.0)
        order = ["tournament", "position"]
        return corpus[COLUMNS].infer_objects().sort_values(order, ignore_index=True)


_OF_MATCH: dict[str, Callable[[Match], object]] = {
    "match": lambda match: match.id,
    "game": lambda match: match.game.value,
    "mode": lambda match: match.mode.value if match.mode else "",
    "tournament": lambda match: match.tournament,
    "seeker": lambda match: match.seeker,
    "holder": lambda match: match.holder,
    "secret": lambda match: match.secret,
}
_OF_ENDING: dict[str, Callable[[Ending], object]] = {
    "winner": lambda one: one.winner.value if one.winner else "",
    "end": lambda one: one.end.value if one.end else "",
    "void": lambda one: one.void.value if one.void else "",
    "turn": lambda one: one.turn,
    "messages": lambda one: one.turn,
    "replies": lambda one: one.turn if one.reply else max(one.turn - 1, 0),
}


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
        position[:, own] = rng.permuted(
            np.tile(np.arange(1, len(own) + 1), (len(found), 1)), axis=1
        )
    return Dealt(layout, found, position)

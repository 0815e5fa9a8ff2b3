"""Whether a corpus is one that print allows, counted from its rows and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from games.rules.schedule import Match

from .file import Adds, Of
from .layout import Layout
from .margins import Margins

_ASKED = ("game", "mode", "seeker", "holder", "winner", "end")
_DESIGN = ["game", "mode", "tournament", "seeker", "holder"]


def counted(corpus: pd.DataFrame, layout: Layout) -> dict[str, int]:
    """Return what every unknown comes to in a corpus."""
    columns = {name: corpus[name].to_numpy(dtype=str) for name in _ASKED}
    turn, void = corpus["turn"].to_numpy(dtype=np.int64), columns["winner"] == ""
    found, known = {}, dict[Of, Any]()
    for name, adds, parts in layout.counts:
        for of in parts:
            if of not in known:
                known[of] = _taken(columns, turn, void, of)
        taken = np.logical_and.reduce([known[of] for of in parts])
        found[name] = int(taken.sum() if adds is Adds.MATCHES else turn[taken].sum())
    return found


def _taken(columns: Mapping[str, Any], turn: Any, void: Any, of: Of) -> Any:
    """Return which rows a count asks for."""
    taken = np.ones(len(turn), dtype=bool)
    for column in ("game", "mode", "seeker", "holder", "winner"):
        wanted = getattr(of, column)
        if wanted is not None:
            taken &= columns[column] == str(wanted)
    if of.void is not None:
        taken &= void == of.void
    if of.ends:
        taken &= np.logical_or.reduce([columns["end"] == str(end) for end in of.ends])
    if of.turns:
        low, high = (int(end) for end in of.turns.split(".."))
        taken &= (turn >= low) & (turn <= high)
    return taken


class Checker:
    """Tells what a corpus breaks of margins, some printed numbers given up.

    Parameters
    ----------
    margins : Margins
    dropped : iterable of str
        Printed numbers that are given up.
    """

    def __init__(self, margins: Margins, dropped: Iterable[str] = ()) -> None:
        gone = frozenset(dropped)
        self._margins = margins
        self._said = [
            (one.id, one.inequalities(margins.convention))
            for one in (*margins.printed, *margins.given)
            if one.id not in gone
        ]

    def broken(self, corpus: pd.DataFrame) -> tuple[str, ...]:
        """Return ids of margins kept, ranges and the design, as far as broken; empty if nothing.

        The corpus has the columns of `audit.corpus`.
        """
        point = counted(corpus, self._margins.layout)
        found = [id for id, said in self._said if not all(one.holds(point) for one in said)]
        ranges = self._margins.ranges.items()
        found += [name for name, (low, high) in ranges if not low <= point[name] <= high]
        return (*found, *_off_design(corpus, self._margins.layout.matches))


def _off_design(corpus: pd.DataFrame, matches: Sequence[Match]) -> list[str]:
    wanted = sorted(
        (m.game.value, m.mode.value if m.mode else "", m.tournament, m.seeker, m.holder)
        for m in matches
    )
    found = sorted(corpus[_DESIGN].itertuples(index=False, name=None))
    faults = [] if found == wanted else ["design"]
    if corpus.duplicated(["tournament", "position"]).any():
        faults.append("position")
    return faults

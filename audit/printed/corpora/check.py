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

_ASKED = ("game", "mode", "seeker", "holder", "winner", "end", "turn")
_DESIGN = ["game", "mode", "tournament", "seeker", "holder"]


def counted(corpus: pd.DataFrame, layout: Layout) -> dict[str, int]:
    """Return what every unknown comes to in a corpus."""
    columns = {name: corpus[name].to_numpy() for name in _ASKED}
    found = {}
    for name, adds, parts in layout.counts:
        taken = np.logical_and.reduce([_taken(columns, of) for of in parts])
        found[name] = int(taken.sum() if adds is Adds.MATCHES else columns["turn"][taken].sum())
    return found


def _taken(columns: Mapping[str, Any], of: Of) -> Any:
    """Return which rows a count asks for."""
    taken = np.ones(len(columns["turn"]), dtype=bool)
    for column in ("game", "mode", "seeker", "holder", "winner"):
        wanted = getattr(of, column)
        if wanted is not None:
            taken &= columns[column] == str(wanted)
    if of.void is not None:
        taken &= (columns["winner"] == "") == of.void
    if of.ends:
        taken &= np.isin(columns["end"].astype(str), [end.value for end in of.ends])
    if of.turns:
        low, high = (int(turn) for turn in of.turns.split(".."))
        taken &= (columns["turn"] >= low) & (columns["turn"] <= high)
    return taken


def broken(corpus: pd.DataFrame, margins: Margins, dropped: Iterable[str] = ()) -> tuple[str, ...]:
    """Return what a corpus breaks: ids of margins kept, ranges, and the design; empty if nothing.

    Parameters
    ----------
    corpus : DataFrame
        With the columns of `audit.corpus`.
    margins : Margins
    dropped : iterable of str
        Printed numbers that are given up.
    """
    gone, point = frozenset(dropped), counted(corpus, margins.layout)
    found = [
        one.id
        for one in (*margins.printed, *margins.given)
        if one.id not in gone
        and not all(part.holds(point) for part in one.inequalities(margins.convention))
    ]
    found += [name for name, (low, high) in margins.ranges.items() if not low <= point[name] <= high]
    return (*found, *_off_design(corpus, margins.layout.matches))


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

"""Whether a corpus is one that print allows, counted from its rows and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pandas as pd

from games.rules.schedule import Match

from .file import Adds, Of
from .layout import Layout
from .margins import Margins

_DESIGN = ["game", "mode", "tournament", "seeker", "holder"]


def counted(corpus: pd.DataFrame, layout: Layout) -> dict[str, int]:
    """Return what every unknown comes to in a corpus."""
    found = {}
    for name, adds, parts in layout.counts:
        taken = corpus
        for of in parts:
            taken = _taken(taken, of)
        found[name] = len(taken) if adds is Adds.MATCHES else int(taken["turn"].sum())
    return found


def _taken(corpus: pd.DataFrame, of: Of) -> pd.DataFrame:
    said = {
        "game": of.game.value if of.game else None,
        "mode": of.mode.value if of.mode else None,
        "seeker": of.seeker,
        "holder": of.holder,
        "winner": of.winner.value if of.winner else None,
    }
    for column, wanted in said.items():
        if wanted is not None:
            corpus = corpus[corpus[column] == wanted]
    if of.void is not None:
        corpus = corpus[(corpus["winner"] == "") == of.void]
    if of.ends:
        corpus = corpus[corpus["end"].isin([end.value for end in of.ends])]
    if of.turns:
        low, high = (int(turn) for turn in of.turns.split(".."))
        corpus = corpus[corpus["turn"].between(low, high)]
    return corpus


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

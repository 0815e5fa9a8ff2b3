"""What void matches could have done: each figure at its least and most had they ended otherwise.

A void match is taken as open to every end that the turn it had reached leaves. All void matches of
a cell (game and mode) end alike in one *corner*; the corners are all ways to choose an end for each
cell. For a figure that moves one way with the number of matches of each end in each cell, its least
and its most over the corners are those over every assignment of ends (``exact``). Any other figure
is looked at in the same corners, and may go beyond them in between (``corners``). A figure that
hangs on when a match ends, or by which words, is not bounded.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import product

import pandas as pd

from games.study.study import Study
from games.words import SEEKER_ENDS, End, Game, Role

from .estimates.run import Part, parts_of
from .numbers.estimate import Estimate


class Method(StrEnum):
    """How far a bound may be believed."""

    EXACT = "exact"
    CORNERS = "corners"


# Figures that each end counted in a cell moves one way only, whatever the other counts are.
_EXACT = frozenset(
    {
        *(
            f"share.{side}{of}"
            for side in ("seeker", "holder")
            for of in ("", ".aidg_i", ".aidg_ii")
        ),
        *("share.horizon.aidg_i", "share.horizon.aidg_ii"),
        *("share.seeker.mode_a", "share.seeker.mode_b"),
        *("odds_ratio.modes", "odds_ratio.modes.exact", "odds_ratio.modes.bootstrap"),
        *("risk_ratio.modes", "risk_difference.modes"),
        *("difference.formats", "difference.formats.without_disqualified", "difference.early_end"),
        *("share.correct_lock", "share.disqualified", "share.wrong_lock", "share.wrong_final"),
        *("share.disqualified.of_failures", "share.disqualified.least", "share.disqualified.most"),
    }
)
# First words of the figures that hang on winners and ends, and on nothing else that was not played.
_CORNERS = frozenset({"rating", "d", "p", "chi2", "spearman", "correlation"})
# … but for these, which count answers.
_ANSWERS = frozenset({"p.maybe"})

# The ends that tell figures apart; a right declaration counts as a leak does.
OPEN_TO: Mapping[Game, tuple[End, ...]] = {
    Game.AIDG_I: (End.LEAK, End.HORIZON),
    Game.AIDG_II: (End.CORRECT_LOCK, End.DISQUALIFIED, End.WRONG_LOCK, End.WRONG_FINAL),
}
_AT_HORIZON = frozenset({End.HORIZON, End.WRONG_FINAL})


@dataclass(frozen=True, slots=True)
class Bounds:
    """A figure's least and most over the corners.

    Attributes
    ----------
    least, most : float
        NaN where it is defined in no corner.
    method : Method
    undefined : int
        Corners in which it is not defined; it may be anything there.
    """

    least: float
    most: float
    method: Method
    undefined: int


def method_of(estimand: str) -> Method | None:
    """Return how a figure can be bounded, or None where it cannot."""
    if estimand in _EXACT:
        return Method.EXACT
    hangs_on_ends = estimand.split(".", 1)[0] in _CORNERS and estimand not in _ANSWERS
    return Method.CORNERS if hangs_on_ends else None


def bounds(corpus: pd.DataFrame, study: Study, estimands: Collection[str]) -> dict[str, Bounds]:
    """Return the bounds of every figure asked for that can be bounded, in the order of estimates.

    Parameters
    ----------
    corpus : DataFrame
    study : Study
    estimands : collection of str

    Returns
    -------
    dict
        Empty where no match is void: every figure is then what it is.
    """
    return bounder_of(study, estimands)(corpus)


def bounder_of(
    study: Study, estimands: Collection[str]
) -> Callable[[pd.DataFrame], dict[str, Bounds]]:
    """Return what bounds some figures of one corpus after the other, as `bounds` does of one."""
    wanted = {name for name in estimands if method_of(name) is not None}
    parts, horizons = parts_of(study, wanted), study.horizons()

    def bound(corpus: pd.DataFrame) -> dict[str, Bounds]:
        if not (corpus["winner"] == "").any():
            return {}
        found: dict[str, Bounds] = {}
        for part in parts:
            found |= _of_part(part, corpus, horizons, wanted)
        return found

    return bound


def _of_part(
    part: Part, corpus: pd.DataFrame, horizons: Mapping[Game, int], wanted: Collection[str]
) -> dict[str, Bounds]:
    """Return the bounds of one part; the corners of games that it does not hang on are alike."""
    found = [part.of(corner).values for corner in corners(corpus, horizons, part.games)]
    alike = math.prod(len(OPEN_TO[game]) for game, _ in _open(corpus, frozenset(Game) - part.games))
    return {
        name: _bounds([values[name] for values in found], method, alike)
        for name in found[0]
        if name in wanted and (method := method_of(name)) is not None
    }


def _bounds(found: list[Estimate], method: Method, alike: int) -> Bounds:
    values = [one.value for one in found if one.defined]
    least, most = (min(values), max(values)) if values else (math.nan, math.nan)
    return Bounds(least, most, method, alike * (len(found) - len(values)))


def corners(
    corpus: pd.DataFrame,
    horizons: Mapping[Game, int],
    games: Collection[Game] = frozenset(Game),
) -> Iterator[pd.DataFrame]:
    """Yield the corpus with its void matches ended, all of a cell alike, in every way in turn.

    Void matches of other than the games asked for stay void.
    """
    cells = _open(corpus, games)
    turns = corpus["turn"].tolist()
    for ends in product(*(OPEN_TO[game] for game, _mode in cells)):
        columns = {name: corpus[name].to_numpy(copy=True) for name in _ENDING}
        for ((game, _mode), rows), end in zip(cells.items(), ends, strict=True):
            for row in rows:
                ending = ending_of(end, turns[row], horizons[game])
                for name, value in zip(_ENDING, ending, strict=True):
                    columns[name][row] = value
        yield corpus.assign(**columns)


def _open(corpus: pd.DataFrame, games: Collection[Game]) -> dict[tuple[Game, str], list[int]]:
    """Return the positions of the void matches of some games, by cell."""
    cells: dict[tuple[Game, str], list[int]] = {}
    told = zip(corpus["winner"], corpus["game"], corpus["mode"], strict=True)
    for row, (winner, game, mode) in enumerate(told):
        if winner == "" and Game(game) in games:
            cells.setdefault((Game(game), mode), []).append(row)
    return cells


_ENDING = ("winner", "end", "void", "turn")


def ending_of(end: End, reached: int, horizon: int) -> tuple[str, str, str, int]:
    """Return winner, end, void and turn of a void match that is given an end.

    It ends at the turn that it had reached, or at the horizon. A wrong lock at the horizon is a
    wrong final guess.
    """
    if end is End.WRONG_LOCK and reached >= horizon:
        end = End.WRONG_FINAL
    winner = Role.SEEKER if end in SEEKER_ENDS else Role.HOLDER
    turn = horizon if end in _AT_HORIZON else max(1, reached)
    return winner.value, end.value, "", turn

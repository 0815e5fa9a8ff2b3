"""A reading of a corpus: which matches count, who won them, what each weighs, in which order.

Every choice that changes the matches themselves is acted on here and nowhere else, so that shares,
odds and ratings of one specification speak of the same matches.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from audit.corpus import DEGENERATE_SHARE, decided
from audit.numbers.multiplier import multiplier
from games.records import digest
from games.words import End, Game, Mode, Role

from .choices import (
    Clock,
    Declaration,
    Degenerate,
    Disqualification,
    OpenMatches,
    Order,
    Scope,
)
from .specification import Specification

# Added to a corpus where some rater's verdicts tell it; see `sources`.
LEAKED_BEFORE = "leaked_before"
SEEKER, HOLDER = Role.SEEKER.value, Role.HOLDER.value


def matches_under(corpus: pd.DataFrame, spec: Specification) -> pd.DataFrame:
    """Return the matches of a corpus that count, with the winners that a specification gives them.

    Parameters
    ----------
    corpus : DataFrame
        As `corpus_of` or `corpus_under` returns it, under the specification's verdicts; with a
        column ``leaked_before`` where declarations count after a leak only.
    spec : Specification

    Returns
    -------
    DataFrame
        Decided matches alone. A disqualified match that counts as a tie is the Holder's here, since
        a share knows no ties; `weighed` scores it.
    """
    read = _closed(corpus.copy(), spec.open_matches)
    read = decided(_declared(read, spec.declaration))
    if spec.disqualification is Disqualification.EXCLUDED:
        read = read[read["end"] != End.DISQUALIFIED.value]
    return _degenerate(read, spec.degenerate)


def _closed(read: pd.DataFrame, choice: OpenMatches) -> pd.DataFrame:
    if choice is OpenMatches.EXCLUDED:
        return read
    no_winner = read["winner"] == ""
    read.loc[no_winner, "winner"] = SEEKER if choice is OpenMatches.TO_SEEKER else HOLDER
    return read


def _declared(read: pd.DataFrame, choice: Declaration) -> pd.DataFrame:
    if choice is Declaration.COUNTS:
        return read
    by_declaring = (read["end"] == End.DECLARATION.value) & (read["mode"] == Mode.A.value)
    if choice is Declaration.EXCLUDED:
        return read[~by_declaring]
    unproved = by_declaring & ~read[LEAKED_BEFORE].astype(bool)
    read.loc[unproved, "winner"] = HOLDER
    read.loc[unproved, "end"] = End.HORIZON.value
    return read


def _degenerate(read: pd.DataFrame, choice: Degenerate) -> pd.DataFrame:
    repeats = read["repetition"] >= DEGENERATE_SHARE
    if choice is Degenerate.KEPT:
        return read
    if choice is Degenerate.EXCLUDED:
        return read[~repeats]
    return read.assign(
        winner=read["winner"].where(~repeats, SEEKER if choice is Degenerate.TO_SEEKER else HOLDER)
    )


def weighed(read: pd.DataFrame, horizons: Mapping[Game, int], spec: Specification) -> pd.DataFrame:
    """Return matches in the order in which they are rated, with ``score`` and ``weight``.

    Parameters
    ----------
    read : DataFrame
        As `matches_under` returns it, of one game or of both.
    horizons : mapping
        Turns by game.
    spec : Specification
    """
    won = (read["winner"] == SEEKER).to_numpy()
    score = won.astype(np.float64)
    disqualified = (read["end"] == End.DISQUALIFIED.value).to_numpy()
    if spec.disqualification is Disqualification.TIE:
        score[disqualified & ~won] = 0.5
    weight = _weights(read, horizons[Game.AIDG_II], spec, won)
    if spec.disqualification is Disqualification.UNWEIGHTED:
        weight[disqualified] = 1.0
    return read.assign(score=score, weight=weight).iloc[_positions(read, spec.order)]


def _weights(
    read: pd.DataFrame, horizon: int, spec: Specification, won: npt.NDArray[np.bool_]
) -> npt.NDArray[np.float64]:
    """Return M(t) of each match: 1 in AIDG-I, which has no efficiency to weigh."""
    weight = np.ones(len(read))
    second = (read["game"] == Game.AIDG_II.value).to_numpy()
    if not second.any():
        return weight
    turns = read["turn"].to_numpy()[second]
    if spec.clock is Clock.HORIZON:
        turns = np.where(won[second], turns, horizon)
    # A match that was let go on before its first message has reached no turn.
    weight[second] = multiplier(spec.multiplier, np.maximum(turns, 1), horizon)
    return weight if spec.scope is Scope.ALL_OUTCOMES else np.where(won, weight, 1.0)


def _positions(read: pd.DataFrame, order: Order) -> npt.NDArray[np.intp]:
    """Return the order of rating: tournament by tournament, within each as the order says."""
    within = read["position"].to_numpy()
    if order is Order.REVERSED:
        keys: tuple[npt.NDArray[Any], ...] = (-within,)
    elif order is Order.SHUFFLED:
        # By a digest of the id: a shuffle that no other choice of matches disturbs.
        keys = (np.array([digest(match) for match in read["match"]], dtype=str),)
    elif order is Order.SCHEDULED:
        keys = (within,)
    else:
        first = Mode.A if order is Order.MODE_A_FIRST else Mode.B
        keys = (within, (read["mode"] != first.value).to_numpy())
    return np.asarray(np.lexsort((*keys, read["tournament"].to_numpy())))

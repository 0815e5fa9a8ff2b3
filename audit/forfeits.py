"""Forfeits read both ways: as the study declares them, and as matches without an outcome."""

from __future__ import annotations

import pandas as pd

from games.rules.choices import Choices
from games.words import End, Fault, Role, Void


def may_forfeit(choices: Choices) -> bool:
    """Return whether a study lets any fault forfeit a match."""
    return any(choices.on_fault(fault).forfeits for fault in Fault)


def forfeits_as_void(corpus: pd.DataFrame) -> pd.DataFrame:
    """Return a corpus whose forfeited matches are void for the fault of whoever lost them.

    Parameters
    ----------
    corpus : DataFrame

    Returns
    -------
    DataFrame
        A copy; whatever was said stays counted as said.
    """
    read = corpus.copy()
    forfeited = read["end"] == End.FORFEIT.value
    by_seeker = forfeited & (read["winner"] == Role.HOLDER.value)
    read.loc[forfeited, "void"] = Void.HOLDER_FAULT.value
    read.loc[by_seeker, "void"] = Void.SEEKER_FAULT.value
    read.loc[forfeited, ["winner", "end"]] = ""
    return read

"""Drift: where a model answered under more than one id or fingerprint, its matches are split."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from games.play.account import Account
from games.words import Role

from .corpus import decided
from .numbers.proportion import proportion

MIXED = "several"
COLUMNS = (
    *("model", "as", "epoch", "returned id", "fingerprint", "matches", "decided", "wins"),
    *("share", "share low", "share high"),
)


def drift_table(corpus: pd.DataFrame, models: Iterable[Account]) -> pd.DataFrame:
    """Return the shares of every model whose epoch changed, by epoch.

    Parameters
    ----------
    corpus : DataFrame
    models : iterable of Account
        Players and arbiter.

    Returns
    -------
    DataFrame
        One row for each model that drifted, seat and epoch: its own wins as Seeker and as Holder
        with Wilson's interval, or under an arbiter the Seekers' wins. A match that holds replies
        of several epochs has a row of its own, since it belongs to none of them.
    """
    rows = [row for account in models if account.drifted for row in _rows(corpus, account)]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _rows(corpus: pd.DataFrame, account: Account) -> list[dict[str, object]]:
    if account.arbiter:
        return _split(corpus, account, "arbiter", Role.SEEKER)
    return [
        row
        for role in (Role.SEEKER, Role.HOLDER)
        for row in _split(corpus[corpus[role.value] == account.id], account, role.value, role)
    ]


def _split(own: pd.DataFrame, account: Account, seat: str, winner: Role) -> list[dict[str, object]]:
    found = [account.epochs_of.get(match, frozenset()) for match in own["match"]]
    rows = []
    for epoch in account.epochs:
        mask = [numbers == {epoch.number} for numbers in found]
        named = (str(epoch.number), epoch.model, epoch.fingerprint)
        rows.append(_row(own[np.array(mask, bool)], (account.id, seat, *named), winner))
    mixed = np.array([len(numbers) > 1 for numbers in found], bool)
    rows.append(_row(own[mixed], (account.id, seat, MIXED, "", ""), winner))
    return [row for row in rows if row["matches"]]


def _row(part: pd.DataFrame, named: tuple[str, ...], winner: Role) -> dict[str, object]:
    cell = decided(part)
    wins = int((cell["winner"] == winner.value).sum())
    share = proportion(wins, len(cell))
    low, high = (share.interval.low, share.interval.high) if share.interval else (np.nan, np.nan)
    cells = (*named, len(part), len(cell), wins, share.value, low, high)
    return dict(zip(COLUMNS, cells, strict=True))

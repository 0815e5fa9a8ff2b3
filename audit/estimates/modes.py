"""Confirmation framing: mode A against mode B, together and by Seeker (5.3, appendix I)."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from audit.corpus import decided, players_of
from audit.numbers.estimate import Estimate, Undefined
from audit.numbers.independence import fisher
from audit.numbers.odds import OddsInterval, odds_ratio, risk_difference, risk_ratio
from audit.numbers.proportion import proportion
from audit.numbers.resampling.bootstrap import AtomLimitError, enumerate_product
from audit.numbers.statistic import odds_ratio_statistic
from games.words import Game, Mode

from .section import Section, Table, p_of


def modes(corpus: pd.DataFrame) -> Section:
    """Return Seeker win rates by mode, their odds ratio, and the same by Seeker."""
    cell = decided(corpus)
    cell = cell[cell["game"] == Game.AIDG_I.value]
    table = [_counts(cell, mode) for mode in Mode]
    values: dict[str, Estimate] = {
        f"share.seeker.mode_{mode.value.lower()}": proportion(won, won + lost)
        for mode, (won, lost) in zip(Mode, table, strict=True)
    }
    values |= {
        "odds_ratio.modes": odds_ratio(table, interval=OddsInterval.WOOLF),
        "odds_ratio.modes.exact": odds_ratio(table, interval=OddsInterval.CONDITIONAL_EXACT),
        "odds_ratio.modes.bootstrap": _bootstrap(table),
        "risk_ratio.modes": risk_ratio(table),
        "risk_difference.modes": risk_difference(table),
        "p.modes": p_of(fisher(table)),
    }
    rows = [
        {"mode": mode.value, "games": won + lost, "seeker wins": won, "share": _share(won, lost)}
        for mode, (won, lost) in zip(Mode, table, strict=True)
    ]
    return Section(
        values,
        (
            Table("modes", "Seeker wins by mode, AIDG-I", pd.DataFrame(rows)),
            Table("modes_by_seeker", "Seeker wins by mode and Seeker, AIDG-I", _by_seeker(cell)),
        ),
    )


def _bootstrap(table: list[tuple[int, int]]) -> Estimate:
    """Return the odds ratio with the percentile interval over every resample of both modes.

    Free of Monte Carlo error, not of undercoverage: the conditional interval is the one to quote.
    """
    point = odds_ratio(table)
    try:
        law = enumerate_product(table, odds_ratio_statistic)
    except AtomLimitError:
        reason = point.reason or Undefined.NOT_ENUMERATED
        return replace(point, interval=None, reason=reason)
    return replace(point, interval=law.percentile_interval() if point.defined else None)


def _by_seeker(cell: pd.DataFrame) -> pd.DataFrame:
    rows = []
    for seeker in players_of(cell):
        own = cell[cell["seeker"] == seeker]
        (a_won, a_lost), (b_won, b_lost) = (_counts(own, mode) for mode in Mode)
        rows.append(
            {
                "seeker": seeker,
                "mode A": f"{a_won}/{a_won + a_lost}",
                "mode B": f"{b_won}/{b_won + b_lost}",
                "difference": _share(a_won, a_lost) - _share(b_won, b_lost),
                "p (Fisher)": fisher([(a_won, a_lost), (b_won, b_lost)]).p,
            }
        )
    columns = ["seeker", "mode A", "mode B", "difference", "p (Fisher)"]
    return pd.DataFrame(rows, columns=columns)


def _counts(cell: pd.DataFrame, mode: Mode) -> tuple[int, int]:
    winners = cell.loc[cell["mode"] == mode.value, "winner"]
    return int((winners == "seeker").sum()), int((winners == "holder").sum())


def _share(won: int, lost: int) -> float:
    return won / (won + lost) if won + lost else float("nan")

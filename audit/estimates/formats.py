"""Whether Holders win as often in both games (5.2), with and without disqualifications."""

from __future__ import annotations

import pandas as pd

from audit.corpus import decided
from audit.numbers.estimate import Estimate
from audit.numbers.independence import chi_square, fisher
from audit.numbers.proportion import difference
from games.words import End, Game

from .section import Section, Table, p_of, statistic_of


def cross_format(corpus: pd.DataFrame, horizons: dict[Game, int]) -> Section:
    """Return the difference of Holder win rates between the games and its tests.

    The second reading leaves disqualified matches out: a rule break by the Seeker is not
    containment by the Holder.
    """
    cell = decided(corpus)
    kept = cell[cell["end"] != End.DISQUALIFIED.value]
    values: dict[str, Estimate] = {}
    rows = []
    for suffix, frame in (("", cell), (".without_disqualified", kept)):
        table = [_counts(frame, game) for game in Game]
        (first, lost_first), (second, lost_second) = table
        gap = difference(second, second + lost_second, first, first + lost_first)
        yates, plain = chi_square(table, yates=True), chi_square(table, yates=False)
        values[f"difference.formats{suffix}"] = gap
        values[f"chi2.formats{suffix}"] = statistic_of(yates)
        values[f"p.formats{suffix}"] = p_of(yates)
        rows.append(
            {
                "matches": "all" if not suffix else "without disqualified",
                "holder wins, I": f"{first}/{first + lost_first}",
                "holder wins, II": f"{second}/{second + lost_second}",
                "difference": gap.value,
                "chi2 (Yates)": yates.statistic,
                "p (Yates)": yates.p,
                "chi2": plain.statistic,
                "p (Fisher)": fisher(table).p,
            }
        )
    values["difference.early_end"] = _early_end(cell, horizons)
    frame = pd.DataFrame(rows)
    return Section(values, (Table("formats", "Holder wins, AIDG-I against AIDG-II", frame),))


def _early_end(cell: pd.DataFrame, horizons: dict[Game, int]) -> Estimate:
    """Return by how much more AIDG-II matches end before the horizon than AIDG-I matches."""
    counts = []
    for game in (Game.AIDG_II, Game.AIDG_I):
        turns = cell.loc[cell["game"] == game.value, "turn"]
        counts += [int((turns < horizons[game]).sum()), len(turns)]
    return difference(*counts)


def _counts(cell: pd.DataFrame, game: Game) -> tuple[int, int]:
    winners = cell.loc[cell["game"] == game.value, "winner"]
    return int((winners == "holder").sum()), int((winners == "seeker").sum())

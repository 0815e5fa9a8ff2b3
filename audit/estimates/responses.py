"""What Holders of AIDG-II answer, in matches won and lost (5.8, appendix F)."""

from __future__ import annotations

import pandas as pd

from audit.corpus import decided
from audit.numbers.estimate import Estimate
from audit.numbers.independence import pooled_z
from audit.numbers.proportion import proportion
from games.words import Answer, Game

from .section import Section, Table, p_of, statistic_of


def responses(corpus: pd.DataFrame) -> Section:
    """Return the mix of answers by outcome and the test of "maybe".

    Answers are pooled over matches as the paper pools them; answers of one match are not
    independent, so the z overstates what is known.
    """
    cell = decided(corpus)
    cell = cell[cell["game"] == Game.AIDG_II.value]
    words = [answer.value for answer in Answer]
    sums = {side: cell.loc[cell["winner"] == side, words].sum() for side in ("holder", "seeker")}
    totals = {side: int(counts.sum()) for side, counts in sums.items()}
    values: dict[str, Estimate] = {}
    rows = []
    for word in words:
        row: dict[str, object] = {"answer": word}
        for side, name in (("holder", "won"), ("seeker", "lost")):
            share = proportion(int(sums[side][word]), totals[side])
            values[f"share.{word}.{name}"] = share
            row[f"Holder {name}"] = int(sums[side][word])
            row[f"share, {name}"] = share.value
        rows.append(row)
    z = pooled_z(
        int(sums["holder"]["maybe"]),
        totals["holder"],
        int(sums["seeker"]["maybe"]),
        totals["seeker"],
    )
    values |= {"z.maybe": statistic_of(z), "p.maybe": p_of(z)}
    return Section(values, (Table("responses", "Answers by outcome, AIDG-II", pd.DataFrame(rows)),))

"""How AIDG-II matches end, and disqualification by Seeker (5.4, appendix E)."""

from __future__ import annotations

import pandas as pd

from audit.corpus import decided, players_of
from audit.numbers.correlation import pearson
from audit.numbers.estimate import Estimate, Undefined
from audit.numbers.proportion import proportion
from games.words import SEEKER_ENDS, End, Game

from .section import Section, Table, counted

ENDS_II = (End.CORRECT_LOCK, End.DISQUALIFIED, End.WRONG_LOCK, End.WRONG_FINAL)


def endings(corpus: pd.DataFrame) -> Section:
    """Return the distribution of AIDG-II endings and the link of disqualification with winning."""
    cell = decided(corpus)
    cell = cell[cell["game"] == Game.AIDG_II.value]
    total = len(cell)
    counts = {end: int((cell["end"] == end.value).sum()) for end in End}
    values: dict[str, Estimate] = {
        f"share.{end.value}": proportion(counts[end], total) for end in ENDS_II
    }
    failures = total - sum(counts[end] for end in SEEKER_ENDS)
    values["share.disqualified.of_failures"] = proportion(counts[End.DISQUALIFIED], failures)
    by_seeker = disqualification_by_seeker(cell)
    broken = cell[cell["end"] == End.DISQUALIFIED.value]
    values["turn.disqualified.mean"] = counted(
        broken["turn"].mean() if len(broken) else 0.0, len(broken)
    )
    values["correlation.disqualified_win"] = _correlation(by_seeker)
    shares = by_seeker["disqualified share"] if len(by_seeker) else pd.Series(dtype=float)
    for name, value in (("least", shares.min()), ("most", shares.max())):
        values[f"share.disqualified.{name}"] = counted(value, int(shares.count()))
    rows = [
        {"end": end.value, "matches": n, "share": n / total if total else float("nan")}
        for end, n in counts.items()
        if n or end in ENDS_II
    ]
    return Section(
        values,
        (
            Table("endings", "How AIDG-II matches ended", pd.DataFrame(rows)),
            Table("disqualification", "Disqualification by Seeker, AIDG-II", by_seeker),
        ),
    )


def disqualification_by_seeker(cell: pd.DataFrame) -> pd.DataFrame:
    """Return each Seeker's disqualifications, wins and mean turn of disqualification."""
    rows = []
    for seeker in players_of(cell):
        own = cell[cell["seeker"] == seeker]
        broken = own[own["end"] == End.DISQUALIFIED.value]
        rows.append(
            {
                "seeker": seeker,
                "games": len(own),
                "disqualified": len(broken),
                "disqualified share": len(broken) / len(own) if len(own) else float("nan"),
                "win share": (own["winner"] == "seeker").mean() if len(own) else float("nan"),
                "mean turn": broken["turn"].mean() if len(broken) else float("nan"),
            }
        )
    return pd.DataFrame(rows)


def _correlation(by_seeker: pd.DataFrame) -> Estimate:
    if by_seeker.empty:
        return Estimate.undefined(Undefined.EMPTY, 0)
    kept = by_seeker.dropna(subset=["disqualified share", "win share"])
    return pearson(kept["disqualified share"], kept["win share"]).estimate

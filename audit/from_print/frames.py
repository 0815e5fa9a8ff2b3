"""What was sampled of print, as tables."""

from __future__ import annotations

import pandas as pd

from audit.printed.corpora.ranges import Ranges
from audit.printed.corpora.sampled import Samples

from .loaded import Print


def ways_frame(drawn: Samples) -> pd.DataFrame:
    """Return one row a way to give up printed numbers."""
    complete = all(ways.complete for ways in drawn.ways)
    rows = [
        {"dropped": one.name, "corpora": len(one.dealt), "checked": one.checked}
        | {"all ways": complete}
        for one in drawn.sampled
    ]
    return pd.DataFrame(rows)


def conflicts_frame(drawn: Samples) -> pd.DataFrame:
    """Return one row a printed number of every minimal conflict that was met."""
    rows = [
        {"conflict": number, "claim": claim}
        for number, ids in enumerate(ids for ways in drawn.ways for ids in ways.conflicts)
        for claim in ids
    ]
    return pd.DataFrame(rows, columns=["conflict", "claim"])


def left_out_frame(told: Print) -> pd.DataFrame:
    """Return printed numbers that are no margin of a corpus, and what no corpus counts."""
    rows = [
        {"claim": claim, "not counted in a corpus": ", ".join(names)}
        for claim, names in told.margins.left_out.items()
    ]
    return pd.DataFrame(rows, columns=["claim", "not counted in a corpus"])


def mixing_frame(drawn: Samples, ranges: Ranges) -> pd.DataFrame:
    """Return how well counts and the quantities of the base have mixed."""
    counts = drawn.mixing.rename(columns={"count": "quantity"})
    return pd.concat([counts, ranges.mixed(drawn.chains)], ignore_index=True)

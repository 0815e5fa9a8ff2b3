"""What an audit found, as tables for files, with nothing in them that a spreadsheet would run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from .verdicts.agreement import Agreement
from .verdicts.readjudicate import Change, Readjudicated, summarise

# A cell that begins so is a formula to a spreadsheet; an apostrophe makes it text again.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def csv_text(frame: pd.DataFrame) -> str:
    """Return a table as CSV whose text cells and column names stay text in a spreadsheet."""
    safe = frame.rename(columns=_inert)
    for column in safe.columns:
        if safe[column].dtype == object:
            safe[column] = safe[column].map(_inert)
    return safe.to_csv(index=False, lineterminator="\n")


def _inert(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA_STARTS) else cell


def agreement_frame(agreement: Sequence[Agreement]) -> pd.DataFrame:
    """Return one row for each pair of raters and kind of item: confusion matrix and κ."""
    rows = []
    for one in agreement:
        (both, only_first), (only_second, neither) = one.table.tolist()
        interval = one.kappa.interval
        rows.append(
            {
                "first": one.first,
                "second": one.second,
                "kind": one.kind.value,
                "positive": one.domain[0].value,
                "both": both,
                "first only": only_first,
                "second only": only_second,
                "neither": neither,
                "left out": one.left_out,
                "kappa": one.kappa.value,
                "low": interval.low if interval else float("nan"),
                "high": interval.high if interval else float("nan"),
                "interval": interval.method if interval else f"none: {one.kappa.reason}",
                "agreement": one.observed.value,
                "sensitivity": one.sensitivity.value,
                "specificity": one.specificity.value,
            }
        )
    return pd.DataFrame(rows)


def readjudication_frame(results: Mapping[str, Sequence[Readjudicated]]) -> pd.DataFrame:
    """Return one row a rater: how many outcomes would change, and bounds on the Seeker's share."""
    rows = []
    for rater, found in results.items():
        summary = summarise(found)
        low, high = summary.seeker_share or (float("nan"), float("nan"))
        row: dict[str, object] = {"had this rater ruled": rater}
        row |= {change.value: summary.counts[change] for change in Change}
        rows.append(row | {"void": summary.void, "least share": low, "most share": high})
    return pd.DataFrame(rows)

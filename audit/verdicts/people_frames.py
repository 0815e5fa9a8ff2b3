"""What people's labels say, as tables for files and pages."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from audit.numbers.estimate import Estimate, Interval

from .people import Comparison


def comparison_files(comparisons: Sequence[Comparison]) -> dict[str, pd.DataFrame]:
    """Return the tables to be written, by file name; none without labels of people."""
    if not comparisons:
        return {}
    return {
        "agreement_measures.csv": measures_frame(comparisons),
        "confusion.csv": tables_frame(comparisons),
    }


def measures_frame(comparisons: Sequence[Comparison]) -> pd.DataFrame:
    """Return one row a measure: of the sample, and weighted to the population."""
    rows = [
        {"kind": one.kind.value, "stratum": one.stratum, "raters": one.raters}
        | {"measure": measure.name}
        | _cells(measure.sample, "")
        | {
            "low error": _width(measure.clustered.low_band),
            "high error": _width(measure.clustered.high_band),
            "clusters": measure.clustered.clusters,
            "low by match": measure.by_match.low if measure.by_match else None,
            "high by match": measure.by_match.high if measure.by_match else None,
        }
        | _cells(measure.population, "weighted ")
        for one in comparisons
        for measure in one.measures
    ]
    return pd.DataFrame(rows)


def tables_frame(comparisons: Sequence[Comparison]) -> pd.DataFrame:
    """Return one row a cell of every table: both labels, the count and the weight."""
    rows = []
    for one in comparisons:
        pair = one.compared
        if pair is None:
            continue
        for i, first in enumerate(pair.domain):
            for j, second in enumerate(pair.domain):
                weight = None if pair.weighted is None else float(pair.weighted[i, j])
                rows.append(
                    {"kind": one.kind.value, "stratum": one.stratum, "raters": one.raters}
                    | {"first says": str(first), "second says": str(second)}
                    | {"items": int(pair.table[i, j]), "weight": weight}
                )
    return pd.DataFrame(rows)


def _cells(estimate: Estimate, prefix: str) -> dict[str, object]:
    span = estimate.interval
    return {
        f"{prefix}value": estimate.value,
        f"{prefix}low": span.low if span else None,
        f"{prefix}high": span.high if span else None,
        f"{prefix}n": estimate.counts_in,
        f"{prefix}left out": estimate.counts_out,
        f"{prefix}reason": estimate.reason.value if estimate.reason else "",
    }


def _width(band: Interval | None) -> float | None:
    return None if band is None else band.width

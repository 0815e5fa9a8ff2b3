"""How far specifications agree on a claim, over the corpora that print leaves open.

A specification agrees where every corpus that was sampled, under every way to give up conflicting
numbers, puts the quantity where the claim says. One corpus that does not is a failure. Claims on
ratings are asked of specifications of a rating, claims on matches of ways to read the matches. A
share counts analyses; neither they nor the corpora have a probability.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from audit.multiverse.specification import SHORT, Specification
from audit.multiverse.statements import Stands, Statement
from audit.multiverse.support import Agreement, Bools, Tried, agreement_on, within
from audit.numbers._check import FloatArray
from audit.printed.corpora.ranges import Ranges

from .readings import Readings


def agreed_frame(
    statements: Sequence[Statement], ranges: Ranges, readings: Readings
) -> pd.DataFrame:
    """Return one row a statement: share, nearest failure, what moves it most, and what is proved.

    Parameters
    ----------
    statements : sequence of Statement
        Those that no corpus bears on are left out.
    ranges : Ranges
        Of statements on ratings; its first specification is the base.
    readings : Readings
        Of statements on matches alone.
    """
    rows = []
    for one in statements:
        if one.stands is Stands.MATCHES:
            settled = readings.settled[one.quantity]
            agreement = _on_matches(one, readings)
        elif one.quantity in ranges.values:
            settled = np.zeros(len(ranges.specifications), dtype=np.bool_)
            agreement = _on_ratings(one, ranges)
        else:
            continue
        head = {"statement": one.id, "quantity": one.quantity}
        rows.append(head | _cells(agreement) | {"by proof": int(settled.sum())})
    return pd.DataFrame(rows)


def _on_ratings(one: Statement, ranges: Ranges) -> Agreement:
    speaks = np.array([spec.experiment in one.experiments for spec in ranges.specifications])
    return _on(one, ranges.specifications, ranges.values[one.quantity], speaks)


def _on_matches(one: Statement, readings: Readings) -> Agreement:
    every = np.ones(len(readings.specifications), dtype=np.bool_)
    return _on(one, readings.specifications, readings.values[one.quantity], every)


def _on(
    one: Statement, specs: Sequence[Specification], values: FloatArray, speaks: Bools
) -> Agreement:
    """Return how far specifications agree; values have shape (ways, corpora, specifications)."""
    tried = Tried.of(specs, specs[0])
    columns = [column[~np.isnan(column)] for column in values.reshape(-1, values.shape[-1]).T]
    medians = np.array([np.median(column) if len(column) else np.nan for column in columns])
    inside = np.array([all(within(one.region, v) for v in column.tolist()) for column in columns])
    medians = np.where(speaks, medians, np.nan)
    return agreement_on(one.region, tried, medians, speaks, inside)


def _cells(found: Agreement) -> dict[str, object]:
    driver = found.drivers[0] if found.drivers else None
    axes, value = "", float("nan")
    if found.nearest is not None:
        choices = found.nearest.specification.choices()
        axes = " ".join(f"{SHORT[axis]}={choices[axis]}" for axis in found.nearest.axes)
        value = found.nearest.value
    return {
        "share": found.share,
        "specifications": found.tried,
        "moved by": SHORT[driver.axis] if driver else "",
        "variance": driver.share if driver else float("nan"),
        "nearest failure": axes,
        "median there": value,
    }

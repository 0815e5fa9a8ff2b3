"""How far specifications agree on a claim, over the corpora that print leaves open.

A specification agrees where every corpus that was sampled, under every way to give up conflicting
numbers, puts the quantity where the claim says. One corpus that does not is a failure.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from audit.multiverse.specification import SHORT
from audit.multiverse.statements import Stands, Statement
from audit.multiverse.support import Agreement, Tried, agreement_on, within
from audit.printed.corpora.ranges import Ranges


def agreed_frame(statements: Sequence[Statement], ranges: Ranges) -> pd.DataFrame:
    """Return one row a statement of ratings: share, nearest failure, and what moves it most.

    Parameters
    ----------
    statements : sequence of Statement
        Those on matches alone are left out: no specification of a rating moves them.
    ranges : Ranges
        Whose first specification is the base.
    """
    rows = [
        {"statement": one.id, "quantity": one.quantity} | _cells(_on(one, ranges))
        for one in statements
        if one.stands is not Stands.MATCHES and one.quantity in ranges.values
    ]
    return pd.DataFrame(rows)


def _on(one: Statement, ranges: Ranges) -> Agreement:
    tried = Tried.of(ranges.specifications, ranges.specifications[0])
    speaks = np.array([spec.experiment in one.experiments for spec in ranges.specifications])
    values = ranges.values[one.quantity]
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

"""A sweep as tables: one row a specification, one row a statement."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from audit.numbers._check import FloatArray

from .specification import SHORT
from .support import Agreement
from .sweep import Swept
from .undefined import why_undefined


def sweep_frame(swept: Swept) -> pd.DataFrame:
    """Return one row a specification: signature, choices, quantities, ranking, or why none."""
    specs = swept.ratings.tried.specifications
    frame = pd.DataFrame({"signature": [spec.signature for spec in specs]})
    for axis in SHORT:
        words = np.array(swept.ratings.tried.words[axis], dtype=object)
        frame[axis] = words[swept.ratings.tried.codes[axis]]
    for name, values in swept.ratings.values.items():
        frame[name] = values
    frame["ranking"] = [_ranking(row, swept.players) for row in swept.ratings.ratings]
    frame["drawn"], frame["failure"] = swept.grid.weights, swept.ratings.failures
    return frame


def _ranking(ratings: FloatArray, players: Sequence[str]) -> str:
    seeker = ratings[: len(players)]
    if np.isnan(seeker).any():
        return ""
    return " > ".join(players[int(at)] for at in np.argsort(-seeker.round(9), kind="stable"))


def agreement_frame(swept: Swept) -> pd.DataFrame:
    """Return one row a statement: how often it holds, what fails nearest, what moves it most."""
    rows = []
    for one in swept.statements:
        found = swept.agreements[one.id]
        driver = found.drivers[0] if found.drivers else None
        rows.append(
            {"statement": one.id, "quantity": one.quantity, "tried": found.tried}
            | {"undefined": found.undefined, "holds": found.holds, "share": found.share}
            | {"least": found.least, "median": found.median, "most": found.most}
            | {"holds under": found.condition, "share under": found.share_under}
            | {
                "moved by": SHORT[driver.axis] if driver else "",
                "variance": driver.share if driver else 0,
            }
            | {"nearest failure": " ".join(_said(found)), "value there": _there(found)}
            | {"why undefined": why_undefined(swept, one)}
        )
    return pd.DataFrame(rows)


def _said(found: Agreement) -> list[str]:
    if found.nearest is None:
        return []
    choices = found.nearest.specification.choices()
    return [f"{SHORT[axis]}={choices[axis]}" for axis in found.nearest.axes]


def _there(found: Agreement) -> float:
    return math.nan if found.nearest is None else found.nearest.value


def curve_frame(swept: Swept) -> pd.DataFrame:
    """Return one row a tested quantity: its curve, and what permuted matches give."""
    rows = [
        {"quantity": one.quantity, "specifications": one.specifications}
        | {"permutations": one.permutations, "median": one.median, "share above 0": one.share}
        | {"null median low": one.null_median[0], "null median high": one.null_median[1]}
        | {"null share low": one.null_share[0], "null share high": one.null_share[1]}
        | {"p of the median": one.p_median, "p of the share": one.p_share}
        for one in swept.curves
    ]
    return pd.DataFrame(rows)


def about_frame(swept: Swept) -> pd.DataFrame:
    """Return what was tried, by which a table of a sweep can be told from another's."""
    grid, words = swept.grid, swept.ratings.tried.words
    rows: list[tuple[str, object]] = [
        ("combinations", grid.size),
        ("looked at", grid.drawn),
        ("that differ", int(swept.ratings.counted.sum())),
        ("different ratings", swept.ratings.distinct),
        *((f"left out: {rule.value}", count) for rule, count in grid.excluded.items()),
        *((f"axis {axis}", ", ".join(levels)) for axis, levels in words.items()),
    ]
    return pd.DataFrame(rows, columns=["what", "value"])

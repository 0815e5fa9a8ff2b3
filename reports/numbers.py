"""Numbers as a reader of the page sees them: by what they are, never more digits than they hold."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from audit.numbers.estimate import Estimate

MINUS, NARROW = "\N{MINUS SIGN}", "\N{NARROW NO-BREAK SPACE}"
NOTHING = "\N{EN DASH}"
_SHARE_WORDS = ("share", "rate", "difference", "at most")
_RATING_WORDS = ("C", "V", "C (I)", "V (I)", "C (II)", "V (II)", "gap", "sd_seeker", "sd_holder")


@dataclass(frozen=True, slots=True)
class Frame:
    """A table as text: columns, which of them hold numbers, and rows of cells."""

    columns: tuple[str, ...]
    numeric: frozenset[str]
    rows: tuple[tuple[str, ...], ...]


def frame_of(frame: pd.DataFrame, names: dict[str, str] | None = None) -> Frame:
    """Return a table as text, its columns renamed where asked."""
    names = names or {}
    shown = [str(column) for column in frame.columns]
    rows = tuple(
        tuple(cell_text(column, cell) for column, cell in zip(shown, row, strict=True))
        for row in frame.itertuples(index=False)
    )
    numeric = {
        names.get(column, column)
        for column, kind in zip(shown, frame.dtypes, strict=True)
        if pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_bool_dtype(kind)
    }
    return Frame(tuple(names.get(c, c) for c in shown), frozenset(numeric), rows)


def cell_text(column: str, cell: Any) -> str:
    """Return a cell as text: shares in percent, ratings to a tenth, a dash for nothing."""
    missing = cell is None or cell is pd.NA or (isinstance(cell, float) and math.isnan(cell))
    if missing or cell == "":
        return NOTHING
    if isinstance(cell, bool | np.bool_):
        return "yes" if cell else "no"
    if not isinstance(cell, int | float):
        return str(cell)
    return _number_text(column, cell)


def _number_text(column: str, cell: float) -> str:
    if math.isinf(cell):
        return "unbounded"
    if isinstance(cell, float) and any(word in column for word in _SHARE_WORDS):
        return percent(cell)
    if column.split(".", 1)[0] in _RATING_WORDS:
        return fixed(float(cell), 1)
    return significant(cell)


def percent(value: float) -> str:
    """Return a share in percent with one decimal."""
    return f"{fixed(100 * value, 1)}{NARROW}%"


def fixed(value: float, decimals: int) -> str:
    """Return a number with a fixed number of decimals and a true minus."""
    return f"{value:.{decimals}f}".replace("-", MINUS)


def significant(value: float) -> str:
    """Return a whole number in full, another with four significant digits."""
    if float(value).is_integer() and abs(value) < 1e15:
        return f"{int(value):,}".replace(",", NARROW).replace("-", MINUS)
    if value != 0 and abs(value) < 1e-4:
        return f"{value:.1e}".replace("-", MINUS)
    return f"{value:.4g}".replace("-", MINUS)


def estimate_text(name: str, estimate: Estimate) -> str:
    """Return an estimate with interval and count, or the reason why there is none."""
    if not estimate.defined:
        return f"undefined ({estimate.reason}), n = {estimate.counts_in}"
    show = percent if is_share(name) else significant
    text = show(estimate.value)
    if estimate.interval is not None:
        text += f" [{show(estimate.interval.low)}, {show(estimate.interval.high)}]"
    return f"{text}, n = {significant(estimate.counts_in)}"


def is_share(name: str) -> bool:
    """Return whether an estimand is a proportion or a difference of two."""
    return name.split(".", 1)[0] in {"share", "win_rate", "difference", "risk_difference"}


def listed(parts: Sequence[str]) -> str:
    """Return parts joined as a list in a sentence."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"

"""The specification curve: a quantity under every specification, and the choices under each."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from audit.multiverse.specification import SHORT
from audit.multiverse.support import FEWEST, Rows
from audit.multiverse.sweep import Swept

from .derivation import visible
from .figures import HOLDER, INK, SEEKER, data_address, styled

SHOWN = 400
"""Specifications drawn at most: those at even steps of the sorted curve."""

# Axes that move no gap, or have a level a judge: the table has them.
_HIDDEN = frozenset({"start"})
_MOST_LEVELS = 12


def curve_figure(swept: Swept, quantity: str, title: str) -> str:
    """Return a quantity's curve over the specifications that count, choices as dots under it.

    Parameters
    ----------
    swept : Swept
    quantity : str
        One of ratings.
    title : str

    Returns
    -------
    str
        Empty where no specification has a value.
    """
    values, rows = swept.ratings.values[quantity], drawn_rows(swept, quantity)
    if not len(rows):
        return ""
    rows = rows[np.argsort(values[rows], kind="stable")]
    steps = np.unique(np.linspace(0, len(rows) - 1, min(len(rows), SHOWN)).round().astype(int))
    shown, levels = rows[steps], _levels(swept)
    with styled():
        figure = Figure(figsize=(9.2, 2.6 + 0.155 * len(levels)), layout="constrained")
        heights = [2.2, 0.155 * len(levels)]
        above, below = figure.subplots(2, 1, sharex=True, height_ratios=heights)
        few = ": few, which say little" if len(rows) < FEWEST else ""
        counted = f"{title}, n = {len(rows)} specifications{few}"
        _draw_curve(above, swept, values, shown, title=counted)
        _draw_choices(below, swept, shown, levels)
        return data_address(figure)


def drawn_rows(swept: Swept, quantity: str) -> Rows:
    """Return the specifications that a quantity's curve is of: counted, with a finite value."""
    return np.flatnonzero(swept.ratings.counted & np.isfinite(swept.ratings.values[quantity]))


def _levels(swept: Swept) -> list[tuple[str, int, str]]:
    """Return axis, code and name of every level of the axes that are turned."""
    return [
        (axis, code, f"{SHORT[axis]}={visible(word)}")
        for axis, words in swept.ratings.tried.words.items()
        if 1 < len(words) <= _MOST_LEVELS and axis not in _HIDDEN
        for code, word in enumerate(words)
    ]


def _draw_curve(axis: Any, swept: Swept, values: Any, shown: Any, *, title: str) -> None:
    at = np.arange(len(shown))
    above = values[shown] > 0
    for mask, color in ((above, HOLDER), (~above, SEEKER)):
        axis.scatter(at[mask], values[shown][mask], s=5, color=color, linewidths=0)
    axis.axhline(0.0, color="#78716c", lw=0.8)
    own = values[0]
    if np.isfinite(own):
        axis.axhline(own, color=INK, lw=0.8, ls=":")
        axis.annotate(
            "as the study sets it",
            (0.995, own),
            xycoords=("axes fraction", "data"),
            xytext=(0, 2),
            textcoords="offset points",
            ha="right",
            fontsize=8,
        )
    axis.set_title(title, loc="left", fontsize=10)
    axis.set_xticks([])


def _draw_choices(axis: Any, swept: Swept, shown: Any, levels: list[tuple[str, int, str]]) -> None:
    codes = swept.ratings.tried.codes
    previous, shade = "", False
    for row, (name, code, _) in enumerate(levels):
        shade = shade != (name != previous)
        previous = name
        if shade:
            axis.axhspan(row - 0.5, row + 0.5, color="#f5f5f4", zorder=0)
        at = np.flatnonzero(codes[name][shown] == code)
        axis.scatter(at, np.full(len(at), row), s=4, color=INK, marker="|", linewidths=0.6)
    axis.set_yticks(range(len(levels)), [label for *_, label in levels], fontsize=6.5)
    axis.set_ylim(len(levels) - 0.5, -0.5)
    axis.tick_params(length=0)
    axis.grid(visible=False)

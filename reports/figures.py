"""The figures of the page, as SVG text that is the same on every run."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from audit.numbers.proportion import proportion_limits
from audit.printed.coincidence import Arrangements
from audit.verdicts.measures import Compared

from .derivation import visible

SEEKER, HOLDER, INK = "#c2410c", "#2563a8", "#1c1917"
DARK = 0.822  # from here on white can be read on a cell's shade, and black no longer
_STYLE: Any = {
    "svg.hashsalt": "aidg-audit",
    "svg.fonttype": "path",
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#a8a29e",
    "axes.grid": True,
    "grid.color": "#e7e5e4",
    "text.color": INK,
    # A name may hold dollar signs: no text here is a formula.
    "text.parse_math": False,
}


@contextmanager
def styled() -> Iterator[None]:
    """Draw in the one style of all figures."""
    with mpl.rc_context(_STYLE):
        yield


def data_address(figure: Figure) -> str:
    """Return a figure as an address that an image can carry: no script in it can run there."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="svg", bbox_inches="tight", metadata={"Date": None})
    return "data:image/svg+xml;base64," + base64.b64encode(buffer.getvalue()).decode("ascii")


def ratings_figure(ratings: pd.DataFrame, start: float) -> str:
    """Return C and V of every player: each experiment, and their average; empty if none is rated.

    Parameters
    ----------
    ratings : DataFrame
        The table ``ratings`` of an audit.
    start : float
        The rating from which all began; drawn as a line.
    """
    if ratings.empty:
        return ""
    panels = (("AIDG-I", "C (I)", "V (I)"), ("AIDG-II", "C (II)", "V (II)"), ("average", "C", "V"))
    with styled():
        figure = Figure(figsize=(9.2, 0.42 * len(ratings) + 1.3), layout="constrained")
        axes: Any = figure.subplots(1, 3, sharey=True)
        rows = np.arange(len(ratings))[::-1]
        for axis, (title, seeker, holder) in zip(axes, panels, strict=True):
            axis.axvline(start, color="#78716c", lw=0.8, ls=":")
            axis.hlines(rows, ratings[seeker], ratings[holder], color="#d6d3d1", lw=2, zorder=1)
            axis.scatter(ratings[seeker], rows, color=SEEKER, s=32, zorder=2, label="C, Seeker")
            axis.scatter(
                ratings[holder], rows, color=HOLDER, marker="s", s=30, zorder=2, label="V, Holder"
            )
            axis.set_title(title, loc="left", fontsize=10)
            axis.set_yticks(rows, [visible(name) for name in ratings["player"]])
            axis.tick_params(length=0)
        axes[0].legend(loc="best", frameon=True, fontsize=8)
        return data_address(figure)


def modes_figure(by_seeker: pd.DataFrame) -> str:
    """Return Seeker win rates by mode and Seeker with Wilson intervals; empty without a match.

    Parameters
    ----------
    by_seeker : DataFrame
        The table ``modes_by_seeker`` of an audit, whose cells read ``wins/games``.
    """
    if by_seeker.empty:
        return ""
    with styled():
        figure = Figure(figsize=(6.4, 0.5 * len(by_seeker) + 1.2), layout="constrained")
        axis: Any = figure.subplots()
        rows = np.arange(len(by_seeker))[::-1]
        for mode, color, shift in (("mode A", SEEKER, 0.13), ("mode B", HOLDER, -0.13)):
            for row, cell in zip(rows, by_seeker[mode], strict=True):
                wins, games = (int(part) for part in cell.split("/"))
                if games:
                    low, high = proportion_limits(wins, games)
                    axis.hlines(row + shift, low, high, color=color, lw=2, alpha=0.5)
                    axis.plot(wins / games, row + shift, "o", color=color, ms=5)
            axis.plot([], [], "o-", color=color, label=mode)
        axis.set_yticks(rows, [visible(name) for name in by_seeker["seeker"]])
        axis.set_xlim(-0.02, 1.02)
        axis.xaxis.set_major_formatter(mpl.ticker.PercentFormatter(1.0))
        axis.tick_params(length=0)
        axis.legend(loc="best", frameon=True, fontsize=8)
        return data_address(figure)


def pairings_figure(every: Arrangements) -> str:
    """Return a statistic over all pairings of two printed columns, the printed one marked.

    Parameters
    ----------
    every : Arrangements
        The statistic for the printed pairing and for every other.
    """
    with styled():
        figure = Figure(figsize=(6.4, 2.4), layout="constrained")
        axis: Any = figure.subplots()
        axis.hist(every.values, bins=40, color="#a8a29e")
        axis.axvline(every.published, color=SEEKER, lw=2)
        axis.annotate(
            f"as printed: {every.published:.3g}",
            (every.published, 1),
            xycoords=("data", "axes fraction"),
            xytext=(4, -4),
            textcoords="offset points",
            va="top",
            color=SEEKER,
        )
        axis.set_xlabel(f"{every.statistic.value.replace('_', ' ')}, {every.total} pairings")
        return data_address(figure)


def confusion_figure(both: Compared, title: str) -> str:
    """Return a table of two raters: each cell with its items, shaded by its share of all.

    One hue from white to dark, so that lightness alone carries it; the number stands in the cell.

    Parameters
    ----------
    both : Compared
        With an item in its table. The share is that of the population where it is known, else
        that of the sample.
    title : str
    """
    cells = both.table if both.weighted is None else both.weighted
    share, size = cells / cells.sum(), len(both.domain)
    names = [visible(str(label).replace("_", " ")) for label in both.domain]
    of = "the sample" if both.weighted is None else "the population"
    with styled():
        figure = Figure(figsize=(1.15 * size + 1.8, 0.62 * size + 1.3), layout="constrained")
        axis: Any = figure.subplots()
        # A root, so that one leak in a hundred does not look like none.
        shade = np.sqrt(share)
        axis.imshow(shade, cmap="Blues", vmin=0.0, vmax=1.15, aspect="auto")
        for (i, j), part in np.ndenumerate(share):
            axis.text(
                j,
                i,
                f"{both.table[i, j]}\n{part:.1%}",
                ha="center",
                va="center",
                color="white" if shade[i, j] > DARK else "black",
                fontweight="bold" if i == j else "normal",
            )
        axis.set_xticks(range(size), names)
        axis.set_yticks(range(size), names)
        axis.set_xlabel(visible(both.second))
        axis.set_ylabel(visible(both.first))
        axis.set_title(
            f"{visible(title)}: n = {both.table.sum()}, % of {of}", loc="left", fontsize=10
        )
        axis.tick_params(length=0)
        axis.grid(visible=False)
        axis.spines[:].set_visible(False)
        return data_address(figure)

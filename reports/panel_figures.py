"""The figures of a panel: who agrees with whom, and where rulings go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from audit.panels.agreement_map import Pair
from audit.panels.flows import Flow

from .derivation import visible
from .figures import DARK, data_address, styled
from .numbers import fixed


def agreement_map_figure(pairs: Sequence[Pair], names: Mapping[str, str], title: str) -> str:
    """Return κ and the share of equal labels of every two raters, shaded by κ.

    One hue from white to dark, so that lightness alone carries it; the numbers stand in the cell.
    Below the diagonal, where each pair stands once.

    Parameters
    ----------
    pairs : sequence of Pair
        Of one kind of item, at least one.
    names : mapping
        Rater to the name that is shown, in the order of rows.
    title : str
    """
    there = {rater for pair in pairs for rater in (pair.first, pair.second)}
    raters = [rater for rater in names if rater in there]
    place, size = {rater: at for at, rater in enumerate(raters)}, len(raters)
    shade = np.full((size, size), np.nan)
    with styled():
        figure = Figure(figsize=(0.78 * size + 1.9, 0.5 * size + 1.3), layout="constrained")
        axis: Any = figure.subplots()
        for pair in pairs:
            column, row = sorted((place[pair.first], place[pair.second]))
            kappa = pair.kappa.value if pair.kappa.defined else 0.0
            shade[row, column] = max(kappa, 0.0)
            told = fixed(kappa, 2) if pair.kappa.defined else "none"
            share = f"{pair.agreement.value:.0%}" if pair.agreement.defined else "no item"
            color = "white" if kappa / _FULL > DARK else "black"
            axis.text(
                column, row, f"{told}\n{share}", ha="center", va="center", color=color, fontsize=8
            )
        axis.imshow(shade, cmap="Blues", vmin=0.0, vmax=_FULL, aspect="auto")
        shown = [visible(names[rater]) for rater in raters]
        axis.set_xticks(range(size - 1), shown[:-1], rotation=30, ha="right")
        axis.set_yticks(range(1, size), shown[1:])
        axis.set_ylim(size - 0.5, 0.5)
        axis.set_xlim(-0.5, size - 1.5)
        axis.set_title(f"{visible(title)}: κ, and share of equal labels", loc="left", fontsize=10)
        axis.tick_params(length=0)
        axis.grid(visible=False)
        axis.spines[:].set_visible(False)
        return data_address(figure)


def flows_figure(flows: Sequence[Flow], title: str) -> str:
    """Return, for all that was ruled, what became of it: one bar each, parted by share.

    The parts hold their numbers, and a hatch beside the hue tells them apart.

    Parameters
    ----------
    flows : sequence of Flow
        Of one kind of item, at least one.
    title : str
    """
    rows = list(dict.fromkeys(flow.before for flow in flows))
    words = list(dict.fromkeys(flow.after for flow in flows))
    with styled():
        figure = Figure(figsize=(8.2, 0.42 * len(rows) + 1.4), layout="constrained")
        axis: Any = figure.subplots()
        for at, before in enumerate(reversed(rows)):
            some = [flow for flow in flows if flow.before == before]
            whole, left = sum(flow.items for flow in some), 0.0
            for flow in some:
                share, look = flow.items / whole, words.index(flow.after)
                axis.barh(
                    at,
                    share,
                    left=left,
                    color=_PARTS[look % len(_PARTS)],
                    hatch=_HATCHES[look % len(_HATCHES)],
                    edgecolor="white",
                    height=0.78,
                )
                if share > _TOLD:
                    box = {"facecolor": "white", "edgecolor": "none", "pad": 1.2, "alpha": 0.85}
                    axis.text(
                        left + share / 2, at, f"{flow.items}", ha="center", va="center", bbox=box
                    )
                left += share
        counts = [sum(flow.items for flow in flows if flow.before == before) for before in rows]
        names = [f"{visible(row)} ({n})" for row, n in zip(rows, counts, strict=True)]
        axis.set_yticks(range(len(rows)), reversed(names))
        axis.set_xlim(0.0, 1.0)
        axis.xaxis.set_major_formatter(mpl.ticker.PercentFormatter(1.0))
        for look, word in enumerate(words):
            hatch = _HATCHES[look % len(_HATCHES)]
            color = _PARTS[look % len(_PARTS)]
            axis.barh(0, 0, color=color, hatch=hatch, edgecolor="white", label=visible(word))
        figure.legend(loc="outside lower left", ncols=4, frameon=False, fontsize=8)
        axis.set_title(visible(title), loc="left", fontsize=10)
        axis.tick_params(length=0)
        axis.grid(visible=False)
        return data_address(figure)


_FULL = 1.1  # κ at the darkest shade, so that a cell of κ 1 is not black
# Hues that keep apart to every kind of colour vision (Okabe and Ito), and hatches beside them.
_PARTS = ("#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#999999")
_HATCHES = ("", "//", "..", "xx", "\\\\")
_TOLD = 0.035  # of a bar: a narrower part has no room for its number; the table has it

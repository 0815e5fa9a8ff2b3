"""The figures of the HIDDEN SIGNAL page that set opponents side by side, drawn from arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from games.rules.hidden_signal_world import Agent

from .derivation import visible
from .figures import HOLDER, INK, SEEKER
from .numbers import fixed
from .signal_pictures import HUE, MARK, QUIET

_CELL = 0.46  # inches
_LINE = 0.24
_LEAD = LinearSegmentedColormap.from_list("lead", [HOLDER, "#ffffff", SEEKER])
_STRONG = 0.6  # of the deepest shade: from here on white can be read on it, and black no longer


@dataclass(frozen=True, slots=True, eq=False)
class Matrix:
    """Snapshots of agent one against snapshots of agent two.

    Attributes
    ----------
    title : str
    rows, columns : tuple of str
        Snapshots of agents one and two.
    points : ndarray, shape (rows, columns, 2)
        Mean points a round of agents one and two; NaN where they did not meet.
    """

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    points: npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Dot:
    """What one agent earns against one opponent.

    Attributes
    ----------
    name : str
    agent : Agent
    mean : float
        Points a round.
    low, high : float or None
    exact : float or None
        Expected points by enumeration, where both policies are known.
    """

    name: str
    agent: Agent
    mean: float
    low: float | None = None
    high: float | None = None
    exact: float | None = None


@dataclass(frozen=True, slots=True)
class Dots:
    """The dots of one condition."""

    title: str
    dots: tuple[Dot, ...]


def matrices_height(matrices: Sequence[Matrix]) -> float:
    """Return the height of a figure of matrices, in inches."""
    return sum(_CELL * len(one.rows) + 1.0 for one in matrices)


def draw_matrices(figure: Figure, matrices: Sequence[Matrix]) -> None:
    """Draw matrices under one another: one's points over two's, shaded by who leads.

    Parameters
    ----------
    figure : Figure
    matrices : sequence of Matrix
        At least one with a cell.
    """
    heights = [len(one.rows) + 1.5 for one in matrices]
    axes = figure.subplots(len(matrices), 1, squeeze=False, height_ratios=heights)
    leads = [one.points[..., 0] - one.points[..., 1] for one in matrices]
    most = max(float(np.nanmax(np.abs(lead))) for lead in leads) or 1.0
    for (axis,), one, lead in zip(axes, matrices, leads, strict=True):
        axis.imshow(lead, cmap=_LEAD, vmin=-most, vmax=most, aspect="auto")
        for (i, j), gap in np.ndenumerate(lead):
            if not np.isfinite(gap):
                continue
            first, second = one.points[i, j]
            axis.text(
                j,
                i,
                f"{fixed(first, 1)}\n{fixed(second, 1)}",
                ha="center",
                va="center",
                fontsize=7.5,
                color="white" if abs(gap) / most > _STRONG else "black",
            )
        _label_matrix(axis, one)


def _label_matrix(axis: Any, one: Matrix) -> None:
    axis.set_xticks(range(len(one.columns)), [visible(name) for name in one.columns], fontsize=8)
    axis.set_yticks(range(len(one.rows)), [visible(name) for name in one.rows], fontsize=8)
    axis.set_xlabel("agent two", color=HUE[Agent.TWO])
    axis.set_ylabel("agent one", color=HUE[Agent.ONE])
    axis.set_title(visible(one.title), loc="left", fontsize=9)
    axis.tick_params(length=0)
    axis.grid(visible=False)
    axis.spines[:].set_visible(False)


def dots_height(panels: Sequence[Dots]) -> float:
    """Return the height of a figure of dots, in inches."""
    return sum(_LINE * len(panel.dots) + 0.7 for panel in panels)


def draw_dots(figure: Figure, panels: Sequence[Dots]) -> None:
    """Draw what agents earn against each opponent, one panel a condition.

    A diamond is what two known policies earn by enumeration.

    Parameters
    ----------
    figure : Figure
    panels : sequence of Dots
        At least one, each with a dot.
    """
    heights = [len(panel.dots) + 1.0 for panel in panels]
    axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False, height_ratios=heights)
    for (axis,), panel in zip(axes, panels, strict=True):
        axis.axvline(0.0, color=QUIET, lw=0.8)
        rows = range(len(panel.dots))[::-1]
        for row, dot in zip(rows, panel.dots, strict=True):
            hue = HUE[dot.agent]
            if dot.low is not None and dot.high is not None:
                axis.hlines(row, dot.low, dot.high, color=hue, lw=2, alpha=0.5)
            axis.plot(dot.mean, row, MARK[dot.agent], color=hue, ms=5)
            if dot.exact is not None:
                axis.plot(dot.exact, row, "D", mfc="none", mec=INK, ms=7.5, mew=1.0)
        axis.set_yticks(list(rows), [visible(dot.name) for dot in panel.dots], fontsize=8)
        for label, dot in zip(axis.get_yticklabels(), panel.dots, strict=True):
            label.set_color(HUE[dot.agent])
        axis.set_ylim(-0.6, len(panel.dots) - 0.4)
        axis.set_title(visible(panel.title), loc="left", fontsize=9)
        axis.tick_params(length=0)
        axis.grid(visible=False, axis="y")
    axes[-1][0].set_xlabel("points a round")

"""The figures of the HIDDEN SIGNAL page that run over blocks, drawn from arrays.

One panel a condition, one under another. A line is the mean over replicates; a thin line is one
replicate; a band is the interval of the mean, and is left out where there is none.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure

from games.rules.hidden_signal_world import AGENTS, Agent

from .derivation import visible
from .figures import INK
from .signal_pictures import HUE, MARK, QUIET

Floats = npt.NDArray[np.float64]

_ROW = 2.1  # inches a panel
_NEAR = 0.09  # of the height of a panel: labels nearer than this are moved apart
_BAND = 0.16
_MARGIN = 0.04  # beyond 0 and 1, so that a mark there is whole
# Hues that keep apart to every kind of colour vision (Okabe and Ito), and hatches beside them.
_PARTS = ("#56b4e9", "#e69f00", "#d6d3d1", "#1c1917")
_HATCHES = ("", "///", "", "")


@dataclass(frozen=True, slots=True, eq=False)
class Course:
    """One quantity over the blocks of a condition's series.

    Attributes
    ----------
    name : str
        What stands at its end.
    agent : Agent
    at : ndarray, shape (blocks,)
        Where along the series, in blocks from 1.
    mean, low, high : ndarray, shape (blocks,)
        NaN where there is none.
    each : tuple of (ndarray, ndarray)
        By replicate: where, and what.
    dash : str
        A matplotlib line style.
    """

    name: str
    agent: Agent
    at: Floats
    mean: Floats
    low: Floats
    high: Floats
    each: tuple[tuple[Floats, Floats], ...] = ()
    dash: str = "-"


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """The courses of one condition.

    Attributes
    ----------
    title : str
        Condition, and how many rounds stand behind it.
    courses : tuple of Course
    marks : tuple of (float, Agent)
        Where something changed, in blocks, and whose.
    """

    title: str
    courses: tuple[Course, ...]
    marks: tuple[tuple[float, Agent], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Stack:
    """What one agent did with its turns.

    Attributes
    ----------
    title : str
    names : tuple of str
    shares : ndarray, shape (kinds, blocks)
        Each column sums to 1, or is NaN where no turn was taken.
    """

    title: str
    names: tuple[str, ...]
    shares: Floats


def height_of(rows: int) -> float:
    """Return the height of a figure of so many rows of panels, in inches."""
    return _ROW * rows + 0.5


def draw_courses(figure: Figure, panels: Sequence[Panel], unit: str) -> None:
    """Draw courses about a line at 0, one panel a condition.

    Parameters
    ----------
    figure : Figure
    panels : sequence of Panel
        At least one.
    unit : str
        Of what is drawn.
    """
    axes = _rows(figure, len(panels), columns=1)
    for (axis,), panel in zip(axes, panels, strict=True):
        axis.axhline(0.0, color=QUIET, lw=0.8)
        _draw_panel(axis, panel, unit)
    # Once all is drawn, since panels may share a scale.
    for (axis,), panel in zip(axes, panels, strict=True):
        _label_ends(axis, panel.courses)


def draw_pairs(
    figure: Figure,
    rows: Sequence[tuple[Panel, Panel]],
    units: tuple[str, str],
    *,
    bounded: bool = False,
) -> None:
    """Draw two panels beside each other, one row a condition.

    Parameters
    ----------
    figure : Figure
    rows : sequence of two Panel
        At least one.
    units : tuple of str
        Of the left and the right panels; one scale where they are one.
    bounded : bool
        Whether nothing that is drawn can lie outside 0 and 1, so that no more is shown.
    """
    axes = _rows(figure, len(rows), columns=2, share=units[0] == units[1])
    for pair, panels in zip(axes, rows, strict=True):
        for axis, panel, unit in zip(pair, panels, units, strict=True):
            axis.axhline(0.0, color=QUIET, lw=0.8)
            _draw_panel(axis, panel, unit)
            if bounded:
                axis.set_ylim(-_MARGIN, 1.0 + _MARGIN)
    for pair, panels in zip(axes, rows, strict=True):
        for axis, panel in zip(pair, panels, strict=True):
            _label_ends(axis, panel.courses)


def draw_advantage(figure: Figure, panels: Sequence[Panel], leaders: tuple[str, str]) -> None:
    """Draw what agent one earns beyond agent two, and where something changed.

    Parameters
    ----------
    figure : Figure
    panels : sequence of Panel
        One course each.
    leaders : tuple of str
        Who leads above 0 and below.
    """
    axes = _rows(figure, len(panels), columns=1)
    for (axis,), panel in zip(axes, panels, strict=True):
        (course,) = panel.courses
        axis.axhline(0.0, color=QUIET, lw=0.8)
        for at, one in course.each:
            axis.plot(at, one, color=QUIET, lw=0.6, alpha=0.6)
        axis.plot(course.at, course.mean, color=INK, lw=1.2)
        for agent, ahead in zip(AGENTS, (course.mean > 0, course.mean < 0), strict=True):
            axis.plot(course.at[ahead], course.mean[ahead], MARK[agent], color=HUE[agent], ms=4.5)
        for where, agent in panel.marks:
            axis.axvline(where, color=HUE[agent], lw=1.1, ls=":" if agent is Agent.ONE else "--")
        for agent, name, y, v in zip(AGENTS, leaders, (1.0, 0.0), ("top", "bottom"), strict=True):
            said = f"{visible(name)}\nearns more"
            there: Any = {"transform": axis.transAxes, "va": v, "fontsize": 8}
            axis.text(1.01, y, said, color=HUE[agent], **there)
        _finish(axis, panel.title, "points a round", course.at)


def draw_stacks(figure: Figure, rows: Sequence[tuple[Stack, Stack]]) -> None:
    """Draw what both agents did with their turns, one row a condition."""
    axes = _rows(figure, len(rows), columns=2)
    for pair, stacks in zip(axes, rows, strict=True):
        for axis, stack in zip(pair, stacks, strict=True):
            _draw_stack(axis, stack)
    handles, names = axes[0][0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower left", ncols=4, frameon=False, fontsize=8)


def _draw_stack(axis: Any, stack: Stack) -> None:
    blocks = stack.shares.shape[1]
    at, below = np.arange(1, blocks + 1, dtype=np.float64), np.zeros(blocks)
    for index, (name, share) in enumerate(zip(stack.names, stack.shares, strict=True)):
        part = np.nan_to_num(share)
        look: Any = {
            "color": _PARTS[index],
            "hatch": _HATCHES[index],
            "edgecolor": "white",
            "lw": 0.0,
        }
        axis.bar(at, part, bottom=below, width=1.0, label=name, **look)
        below = below + part
    axis.set_axisbelow(True)
    axis.set_ylim(0.0, 1.0)
    axis.yaxis.set_major_formatter(mpl.ticker.PercentFormatter(1.0))
    _finish(axis, stack.title, "", at)


def _rows(figure: Figure, rows: int, *, columns: int, share: bool = True) -> Any:
    how: Any = {"sharex": True, "sharey": share, "squeeze": False}
    axes = figure.subplots(rows, columns, **how)
    for axis in axes[-1]:
        axis.set_xlabel("block")
    return axes


def _draw_panel(axis: Any, panel: Panel, unit: str) -> None:
    for course in panel.courses:
        hue = HUE[course.agent]
        for at, one in course.each:
            axis.plot(at, one, color=hue, lw=0.6, alpha=0.4)
        axis.fill_between(course.at, course.low, course.high, color=hue, alpha=_BAND, lw=0)
        mark = MARK[course.agent] if course.dash == "-" else ""
        axis.plot(course.at, course.mean, color=hue, lw=1.5, ls=course.dash, marker=mark, ms=3.5)
    _finish(axis, panel.title, unit, np.concatenate([course.at for course in panel.courses]))


def _finish(axis: Any, title: str, unit: str, at: Floats) -> None:
    axis.set_title(visible(title), loc="left", fontsize=9)
    axis.set_ylabel(unit)
    axis.set_xlim(0.5, max(at, default=1.0) + 0.5)
    axis.xaxis.set_major_locator(mpl.ticker.MaxNLocator(integer=True))
    axis.tick_params(length=0)


def _label_ends(axis: Any, courses: Sequence[Course]) -> None:
    """Write each course's name beside its end, none over another."""
    low, high = axis.get_ylim()
    ends = []
    for course in courses:
        there = np.flatnonzero(np.isfinite(course.mean))
        if len(there):
            ends.append(((course.mean[there[-1]] - low) / (high - low), course))
    ends.sort(key=lambda end: end[0])
    last = -math.inf
    for place, course in ends:
        last = max(place, last + _NEAR)
        where: Any = {"xycoords": "axes fraction", "va": "center", "fontsize": 8}
        axis.annotate(visible(course.name), (1.01, last), color=HUE[course.agent], **where)

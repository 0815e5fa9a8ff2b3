"""The figures of a HIDDEN SIGNAL page on snapshots, fresh worlds and controls, from findings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from audit.behaviour.findings import Cell, Findings, Frozen, Measure, Number, PairFindings
from audit.behaviour.measured import over_replicates
from games.rules.hidden_signal_world import AGENTS, Agent
from games.series.records import Condition, SeriesKind

from .signal_matchups import (
    Dot,
    Dots,
    Matrix,
    dots_height,
    draw_dots,
    draw_matrices,
    matrices_height,
)
from .signal_pictures import Picture, no_picture, picture


def cross_picture(findings: Findings) -> Picture:
    """Return snapshot against snapshot, one matrix a condition, replicates together."""
    name, title = "cross_evaluation", "Every note against every other note"
    matrices = [
        matrix
        for condition in Condition
        if (matrix := _matrix(condition, [c for c in findings.cross if c.condition is condition]))
    ]
    if not matrices:
        reason = (
            "No snapshot has met another: such series follow the main ones, or are not planned."
        )
        return no_picture(name, title, reason)
    return picture(
        name,
        title,
        caption=(
            "Mean points a round of agent one, over those of agent two, where each plays frozen to "
            "a note (v0: before the first) or is a built-in agent. Orange: agent one earns more; "
            "blue: agent two does. Replicates are together; the table has each apart, with "
            "intervals. An empty cell was not planned."
        ),
        alt=f"{title}: " + " ".join(_matrix_words(matrix) for matrix in matrices),
        height=matrices_height(matrices),
        draw=lambda figure: draw_matrices(figure, matrices),
    )


def _matrix(condition: Condition, cells: Sequence[Cell]) -> Matrix | None:
    played = [cell for cell in cells if _reward(cell, Agent.ONE).value is not None]
    if not played:
        return None
    rows, columns = _names(cell.one for cell in played), _names(cell.two for cell in played)
    total = np.zeros((len(rows), len(columns), 2))
    counts = np.zeros((len(rows), len(columns), 1))
    for cell in played:
        at = rows.index(frozen_name(cell.one)), columns.index(frozen_name(cell.two))
        n = _reward(cell, Agent.ONE).n
        total[at] += [n * (_reward(cell, agent).value or 0.0) for agent in AGENTS]
        counts[at] += n
    points = np.divide(total, counts, out=np.full_like(total, np.nan), where=counts > 0)
    title = f"condition {condition.value}: {int(counts.sum()):,} rounds"
    return Matrix(title, tuple(rows), tuple(columns), points)


def frozen_name(frozen: Frozen) -> str:
    """Return who sits, by the version of its note or by its name."""
    return frozen.player if frozen.version is None else f"v{frozen.version}"


def _names(seats: Iterable[Frozen]) -> list[str]:
    found = {frozen_name(one): (one.version is None, one.version or 0) for one in seats}
    return sorted(found, key=lambda name: (*found[name], name))


def _matrix_words(matrix: Matrix) -> str:
    lead = matrix.points[..., 0] - matrix.points[..., 1]
    met = np.isfinite(lead)
    return (
        f"{matrix.title}; agent one earns more in {int((lead[met] > 0).sum())} of "
        f"{int(met.sum())} cells."
    )


def dots_picture(findings: Findings) -> Picture:
    """Return what agents earn in their series, on fresh worlds and against controls."""
    name, title = "fresh_and_controls", "Beyond the series: fresh worlds, controls"
    panels = [
        Dots(f"condition {condition.value}", dots)
        for condition in Condition
        if (dots := _dots(findings, condition))
    ]
    if not panels:
        return no_picture(name, title, "Neither a series nor a control has a decided round yet.")
    return picture(
        name,
        title,
        caption=(
            "Mean points a round with 95 % intervals; circles agent one, squares agent two. A "
            "diamond is what two built-in agents earn on average by enumeration. Fresh rounds are "
            "of the last note, on worlds that nobody has met. Of two or more replicates the "
            "mean is over replicates, and so is its interval."
        ),
        alt=f"{title}: "
        + " ".join(f"{d.name}: {d.mean:.1f}." for panel in panels for d in panel.dots),
        height=dots_height(panels),
        draw=lambda figure: draw_dots(figure, panels),
    )


def _dots(findings: Findings, condition: Condition) -> tuple[Dot, ...]:
    exact: dict[tuple[str, Agent], float] = {}
    for known in findings.known:
        exact[known.series, known.agent] = known.expected
    found = []
    for pair in findings.pairs:
        if pair.condition is condition:
            found += _pair_dots(pair, exact)
    found += _fresh_dots(cell for cell in findings.fresh if cell.condition is condition)
    order = [agent.value for agent in AGENTS]
    return tuple(sorted(found, key=lambda dot: order.index(dot.agent.value)))


def _pair_dots(pair: PairFindings, exact: dict[tuple[str, Agent], float]) -> list[Dot]:
    found = []
    for agent in AGENTS:
        number = pair.agents[agent].whole[Measure.REWARD]
        who, other = pair.agents[agent].player, pair.agents[agent.other].player
        if pair.kind is SeriesKind.CONTROL:
            name = f"{who} against {other}"
        elif pair.kind is SeriesKind.SAME:
            name = f"{who} against itself"
        else:
            name = f"{who} in the series"
        expected = [exact[s, agent] for s in pair.series if (s, agent) in exact]
        found += _dot(name, agent, number, expected[0] if expected else None)
    return found


def _fresh_dots(cells: Iterable[Cell]) -> list[Dot]:
    """Return what last snapshots earn by opponent, replicates together as those of pairs are."""
    alike: dict[tuple[Agent, str], list[Number]] = {}
    for cell in cells:
        for agent, who, other in ((Agent.ONE, cell.one, cell.two), (Agent.TWO, cell.two, cell.one)):
            if who.version is not None:
                name = f"{who.player} v{who.version}, fresh, against {other.player}"
                alike.setdefault((agent, name), []).append(_reward(cell, agent))
    return [
        dot
        for (agent, name), numbers in alike.items()
        for dot in _dot(name, agent, over_replicates(numbers), None)
    ]


def _dot(name: str, agent: Agent, number: Number, exact: float | None) -> list[Dot]:
    if number.value is None:
        return []
    counted = f"{name}, n = {number.n:,}"
    return [Dot(counted, agent, number.value, number.low, number.high, exact)]


def _reward(cell: Cell, agent: Agent) -> Number:
    return cell.measures[agent][Measure.REWARD]

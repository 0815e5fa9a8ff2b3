"""The tables of a HIDDEN SIGNAL page on what goes beyond a series: gains, snapshots, controls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from audit.behaviour.findings import Cell, Findings, Frozen, Measure, Number, PairFindings
from games.rules.hidden_signal_world import AGENTS, Agent
from games.series.records import SeriesKind

from .arms_race_tables import enumerated, number_text, points
from .numbers import Frame, fixed, significant


def exploited_frame(findings: Findings) -> Frame:
    """Return what a best response would gain on each agent between checkpoints."""
    rows = []
    for one in findings.exploited:
        why = f"none ({one.reason})"
        gains = [
            why if gain is None else points(gain) for gain in (one.plug_in, one.split, one.floor)
        ]
        earned = why if one.earned is None else points(one.earned)
        versions = ", ".join(f"v{version}" for version in one.versions)
        rows.append(
            (
                *(one.series, one.player, f"{one.first} to {one.last}", versions or "–"),
                *(*gains, earned, _counts(one.n, one.left_out), one.reason or "–"),
            )
        )
    columns = (
        *("series", "exploited", "rounds", "notes", "plug-in", "split", "floor"),
        *("its opponent earned", "n", "remark"),
    )
    return Frame(columns, frozenset(columns[4:8]), tuple(rows))


def _counts(n: int, left_out: int) -> str:
    return significant(n) + (f", {left_out} void" if left_out else "")


def probed_frame(findings: Findings) -> Frame:
    """Return every snapshot against the random agent, beside its real opponent."""
    rows = [
        (
            seat_text(one.who),
            number_text(one.real),
            number_text(one.random),
            number_text(one.difference),
            f"none ({one.exploited.reason})"
            if one.exploited.split is None
            else points(one.exploited.split),
        )
        for one in findings.probed
    ]
    columns = (
        *("snapshot", "against its opponent", "against random"),
        *("difference, the post's exploitability", "gain of a best response on it (split)"),
    )
    return Frame(columns, frozenset(columns[1:]), tuple(rows))


def seat_text(who: Frozen) -> str:
    """Return who sits: a player, with a snapshot its version and where it was written."""
    return who.player if who.version is None else f"{who.player} v{who.version} of {who.series}"


def fresh_frame(findings: Findings) -> Frame:
    """Return what last snapshots earn on worlds that nobody has met, beside their last block."""
    rows = []
    for cell in findings.fresh:
        for agent, who, other in (
            (Agent.ONE, cell.one, cell.two),
            (Agent.TWO, cell.two, cell.one),
        ):
            if who.version is None:
                continue
            here = number_text(cell.measures[agent][Measure.REWARD])
            there = _there(cell.in_series, agent)
            less = _there(cell.less_in_series, agent)
            rows.append((seat_text(who), other.player, here, there, less))
    columns = ("snapshot", "against", "fresh worlds", "its last block", "difference")
    return Frame(columns, frozenset(columns[2:]), tuple(rows))


def _there(numbers: Mapping[Agent, Number], agent: Agent) -> str:
    return number_text(numbers[agent]) if agent in numbers else "none (another opponent)"


def cross_frame(cells: Iterable[Cell]) -> Frame:
    """Return every cell of the cross-evaluation with intervals."""
    rows = [
        (
            cell.condition.value,
            seat_text(cell.one),
            seat_text(cell.two),
            number_text(cell.measures[Agent.ONE][Measure.REWARD], n=False),
            number_text(cell.measures[Agent.TWO][Measure.REWARD], n=False),
            _counts(cell.played - sum(cell.void.values()), sum(cell.void.values())),
        )
        for cell in cells
    ]
    columns = ("condition", "agent one", "agent two", "one's points", "two's points", "n")
    return Frame(columns, frozenset(columns[3:5]), tuple(rows))


def controls_frame(pairs: Iterable[PairFindings]) -> Frame:
    """Return what each pair of a player and itself, or a built-in agent, came to."""
    rows = []
    for pair in pairs:
        if pair.kind is SeriesKind.MAIN:
            continue
        names = " and ".join(pair.agents[agent].player for agent in AGENTS)
        earned = [number_text(pair.agents[agent].whole[Measure.REWARD]) for agent in AGENTS]
        rows.append((pair.condition.value, names, *earned, pair.conclusion.standing.value))
    columns = ("condition", "one and two", "one's points", "two's points", "over time")
    return Frame(columns, frozenset(columns[2:4]), tuple(rows))


def known_frame(findings: Findings) -> Frame:
    """Return what built-in agents gave beside what they are worth by enumeration."""
    rows = [
        (
            one.series,
            one.players[AGENTS.index(one.agent)],
            enumerated(one.expected),
            f"{enumerated(one.observed)} ± {enumerated(one.error)}",
            "none (every round gives the same)" if one.z is None else fixed(one.z, 2),
            significant(one.n),
        )
        for one in findings.known
    ]
    columns = ("series", "agent", "expected", "observed ± standard error", "z", "n")
    return Frame(columns, frozenset(columns[2:]), tuple(rows))

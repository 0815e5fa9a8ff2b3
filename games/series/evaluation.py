"""Series of snapshots: what a note is worth against others than those it was written against.

A snapshot knows its note and nothing of the past, so that the rounds of these series are
independent of each other. Those of one kind and replicate meet the same worlds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..cohort.signal import SignalAgent, SignalCohort
from ..rules.hidden_signal_world import AGENTS, Agent
from ..study.signal_config import Evaluation
from .cast import FRESH_BASELINES, PROBE_BASELINE, baseline_id
from .records import Condition, Seat, Series, SeriesKind, Snapshot


@dataclass(frozen=True, slots=True)
class Measured:
    """Who sits in a run, and how snapshots are measured in it."""

    cast: SignalCohort
    config: Evaluation

    def baselines(self) -> tuple[SignalAgent, ...]:
        """Return the built-in agents that players are controlled with and crossed with."""
        return tuple(agent for agent in SignalAgent if agent in self.config.baselines)

    def seat(self, baseline: SignalAgent) -> Seat:
        """Return the seat of a baseline."""
        return Seat(player=baseline_id(self.cast, baseline))


def evaluations(mains: Iterable[Series], measured: Measured, checkpoint: int) -> Iterator[Series]:
    """Yield the series of snapshots that follow main series: probes, fresh worlds, crossings."""
    written = [(main, versions_of(main, checkpoint)) for main in mains]
    for main, versions in written:
        yield from _probes(main, versions, measured)
    for main, versions in written:
        yield from _fresh(main, versions[-1], measured)
    for main, versions in written:
        yield from _crossings(main, spread(versions, measured.config.cross_versions), measured)


def versions_of(series: Series, checkpoint: int) -> range:
    """Return the versions of a player's note in an evolving series, that before the first too."""
    updates = 0 if series.condition is Condition.NONE else series.rounds // checkpoint
    return range(updates + 1)


def spread(versions: range, most: int) -> list[int]:
    """Return at most so many versions, evenly spread from the first on, the last one always."""
    last = versions[-1]
    if most >= len(versions):
        return list(versions)
    if most == 1:
        return [last]
    return [round(last * step / (most - 1)) for step in range(most)]


def _probes(main: Series, versions: range, measured: Measured) -> Iterator[Series]:
    against = measured.seat(PROBE_BASELINE)
    for agent in AGENTS:
        for version in versions:
            yield _of(
                main,
                (SeriesKind.PROBE, measured.config.probe_rounds),
                f"{agent.value}-v{version:02d}",
                {agent: _snapshot(main, agent, version), agent.other: against},
            )


def _fresh(main: Series, last: int, measured: Measured) -> Iterator[Series]:
    how = (SeriesKind.FRESH, measured.config.fresh_rounds)
    own = {agent: _snapshot(main, agent, last) for agent in AGENTS}
    yield _of(main, how, "both", own)
    for agent in AGENTS:
        for baseline in FRESH_BASELINES:
            seats = {agent: own[agent], agent.other: measured.seat(baseline)}
            yield _of(main, how, f"{agent.value}-{baseline.value}", seats)


def _crossings(main: Series, versions: list[int], measured: Measured) -> Iterator[Series]:
    how = (SeriesKind.CROSS, measured.config.cross_rounds)
    for first in versions:
        for second in versions:
            seats = {
                Agent.ONE: _snapshot(main, Agent.ONE, first),
                Agent.TWO: _snapshot(main, Agent.TWO, second),
            }
            yield _of(main, how, f"v{first:02d}-v{second:02d}", seats)
    for agent in AGENTS:
        for version in versions:
            for baseline in measured.baselines():
                own = _snapshot(main, agent, version)
                seats = {agent: own, agent.other: measured.seat(baseline)}
                yield _of(main, how, f"{agent.value}-v{version:02d}-{baseline.value}", seats)


def _snapshot(main: Series, agent: Agent, version: int) -> Seat:
    frozen = Snapshot(series=main.id, agent=agent, version=version)
    return Seat(player=main.seat(agent).player, snapshot=frozen)


def _of(main: Series, how: tuple[SeriesKind, int], name: str, seats: dict[Agent, Seat]) -> Series:
    kind, rounds = how
    return Series(
        id=f"{kind.value}-{main.id.removeprefix('main-')}-{name}",
        kind=kind,
        condition=main.condition,
        one=seats[Agent.ONE],
        two=seats[Agent.TWO],
        replicate=main.replicate,
        rounds=rounds,
        worlds=kind.value,
    )

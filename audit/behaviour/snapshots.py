"""Snapshots against others than those they were written against: probes, fresh worlds, crossings.

A snapshot is told nothing of the past, so that rounds of one series are independent of each other.
"""

from __future__ import annotations

from collections.abc import Mapping

from games.rules.hidden_signal_world import AGENTS, Agent
from games.series.records import Series

from .exploited import exploited
from .findings import Cell, Frozen, Measure, Number, Probed
from .measured import difference, measured, measures_of
from .played_series import PlayedSeries
from .round_tree import RoundTree

_NEVER = "the note was never in force in its series"


def frozen_of(series: Series, agent: Agent) -> Frozen:
    """Return who sits on a side of a series, and frozen to what."""
    seat = series.seat(agent)
    if seat.snapshot is None:
        return Frozen(player=seat.player)
    return Frozen(
        player=seat.player,
        series=seat.snapshot.series,
        version=seat.snapshot.version,
        condition=series.condition,
    )


def probed(
    tree: RoundTree, one: PlayedSeries, by_id: Mapping[str, PlayedSeries], seed: int
) -> Probed:
    """Return a snapshot against the random agent, beside what it earned against its own opponent.

    Parameters
    ----------
    tree : RoundTree
    one : PlayedSeries
        Of a probe.
    by_id : mapping
        Every series of the run.
    seed : int
        Of the run.
    """
    agent = next(a for a in AGENTS if one.series.seat(a).snapshot is not None)
    who = frozen_of(one.series, agent)
    assert who.version is not None
    real = _in_force(by_id[who.series], agent, who.version)
    against_random = measured(one.rows[agent], Measure.REWARD, None)
    return Probed(
        who=who,
        real=real,
        random=against_random,
        difference=difference(real, against_random),
        exploited=exploited(tree, one, agent, (1, len(one.rounds)), seed),
    )


def _in_force(origin: PlayedSeries, agent: Agent, version: int) -> Number:
    rows = [row for row in origin.rows[agent] if origin.version(agent, row.number) == version]
    if not rows:
        return Number(value=None, n=0, reason=_NEVER)
    return measured(rows, Measure.REWARD, origin.checkpoint)


def cell_of(one: PlayedSeries, by_id: Mapping[str, PlayedSeries], *, fresh: bool) -> Cell:
    """Return a series of snapshots as one cell.

    Parameters
    ----------
    one : PlayedSeries
    by_id : mapping
        Every series of the run.
    fresh : bool
        Whether what snapshots earn is set beside the last block of their own series.
    """
    series = one.series
    seats = {agent: frozen_of(series, agent) for agent in AGENTS}
    there = {}
    if fresh:
        there = {
            agent: _last_block(by_id[who.series], agent)
            for agent, who in seats.items()
            if who.version is not None
        }
    here = {agent: measures_of(one.rows[agent]) for agent in AGENTS}
    return Cell(
        kind=series.kind,
        condition=series.condition,
        one=seats[Agent.ONE],
        two=seats[Agent.TWO],
        series=(series.id,),
        planned=series.rounds,
        played=len(one.rounds),
        void=one.void,
        measures=here,
        in_series=there,
        less_in_series={
            agent: difference(here[agent][Measure.REWARD], number)
            for agent, number in there.items()
        },
    )


def _last_block(origin: PlayedSeries, agent: Agent) -> Number:
    blocks = origin.blocks()
    if not blocks:
        return Number(value=None, n=0, reason=_NEVER)
    first, last = blocks[-1]
    return measured(origin.rows[agent][first - 1 : last], Measure.REWARD, origin.checkpoint)

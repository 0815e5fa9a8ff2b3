"""What the two agents of a series did: over all rounds, block by block and by halves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from games.rules.hidden_signal_world import AGENTS, Agent
from games.words import Fault

from .findings import AgentFindings, Measure, Number, Stretch
from .measured import measures_of, over_replicates
from .played_series import PlayedSeries


def agents_of(one: PlayedSeries) -> dict[Agent, AgentFindings]:
    """Return what each agent did in one series."""
    return {agent: _agent(one, agent) for agent in AGENTS}


def _agent(one: PlayedSeries, agent: Agent) -> AgentFindings:
    rows, own = one.rows[agent], [note for note in one.notes if note.agent is agent]
    again = [said.cause for r in one.records for said in r.re_asked if said.agent is agent]
    again += [said.cause for note in own for said in note.re_asked]
    return AgentFindings(
        player=one.series.seat(agent).player,
        whole=measures_of(rows, one.checkpoint),
        blocks=tuple(stretch(one, agent, *ends) for ends in one.blocks()),
        halves=_halves(one, agent),
        faults=_by_fault(
            act.fault
            for record in one.records
            for act in record.acts
            if act.agent is agent and act.fault is not None
        ),
        re_asked=_by_fault(again),
        notes=len(own),
        notes_failed=sum(note.fault is not None for note in own),
        notes_cut=sum(note.cut for note in own),
        rewards=tuple(row.reward for row in rows),
    )


def _by_fault(faults: Iterable[Fault]) -> dict[Fault, int]:
    found = Counter(faults)
    return {fault: found[fault] for fault in Fault if found[fault]}


def stretch(one: PlayedSeries, agent: Agent, first: int, last: int) -> Stretch:
    """Return what an agent did in consecutive rounds of a series."""
    versions = {one.version(agent, number) for number in (first, last)}
    return Stretch(
        first=first,
        last=last,
        version=versions.pop() if len(versions) == 1 else None,
        measures=measures_of(one.rows[agent][first - 1 : last], one.checkpoint),
    )


def _halves(one: PlayedSeries, agent: Agent) -> tuple[Stretch, ...]:
    played = len(one.records)
    if played < 2:
        return ()
    ends = ((1, played // 2), (played // 2 + 1, played))
    return tuple(stretch(one, agent, *end) for end in ends)


def advantage_of(one: dict[Agent, AgentFindings]) -> tuple[float | None, ...]:
    """Return agent one's mean points less agent two's, block by block."""
    gaps = []
    for own, other in zip(one[Agent.ONE].blocks, one[Agent.TWO].blocks, strict=True):
        first, second = (b.measures[Measure.REWARD].value for b in (own, other))
        gaps.append(None if first is None or second is None else first - second)
    return tuple(gaps)


def pooled_agents(found: Sequence[dict[Agent, AgentFindings]]) -> dict[Agent, AgentFindings]:
    """Return what each agent did over replicates of one series, block by block with its like.

    A block, or a half, that not all have reached stands on those that have.
    """
    return {agent: _pooled([one[agent] for one in found]) for agent in AGENTS}


def _pooled(found: Sequence[AgentFindings]) -> AgentFindings:
    if len(found) == 1:
        return found[0]
    blocks = max(len(one.blocks) for one in found)
    by_block = [[one.blocks[i] for one in found if i < len(one.blocks)] for i in range(blocks)]
    halved = [one.halves for one in found if one.halves]
    return AgentFindings(
        player=found[0].player,
        whole=_means([one.whole for one in found]),
        blocks=tuple(_stretched(alike) for alike in by_block),
        halves=tuple(_stretched(alike) for alike in zip(*halved, strict=True)),
        faults=_sums([one.faults for one in found]),
        re_asked=_sums([one.re_asked for one in found]),
        notes=sum(one.notes for one in found),
        notes_failed=sum(one.notes_failed for one in found),
        notes_cut=sum(one.notes_cut for one in found),
    )


def _means(found: Sequence[dict[Measure, Number]]) -> dict[Measure, Number]:
    return {m: over_replicates([one[m] for one in found]) for m in Measure}


def _stretched(alike: Sequence[Stretch]) -> Stretch:
    longest = max(alike, key=lambda one: one.last)
    versions = {one.version for one in alike}
    return Stretch(
        first=longest.first,
        last=longest.last,
        version=versions.pop() if len(versions) == 1 else None,
        measures=_means([one.measures for one in alike]),
    )


def _sums(found: Sequence[dict[Fault, int]]) -> dict[Fault, int]:
    return _by_fault(fault for one in found for fault, n in one.items() for _ in range(n))

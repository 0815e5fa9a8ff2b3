"""The series of a run as they were played: rounds replayed by the rules, and what agents did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from games.rules.hidden_signal import Round
from games.rules.hidden_signal_records import RoundVoid
from games.rules.hidden_signal_world import AGENTS, Agent
from games.series.folder import SeriesFolder, SeriesManifest
from games.series.records import NoteRecord, RoundRecord, Series
from games.words import Fault

from .signal_measures import AgentRound, agent_round


@dataclass(frozen=True, slots=True)
class PlayedSeries:
    """One series as far as it has gone.

    Attributes
    ----------
    series : Series
    records : tuple of RoundRecord
    rounds : tuple of Round
        The same, replayed.
    notes : tuple of NoteRecord
    rows : dict
        Agent to what it did, round by round.
    checkpoint : int
        Rounds a block.
    """

    series: Series
    records: tuple[RoundRecord, ...]
    rounds: tuple[Round, ...]
    notes: tuple[NoteRecord, ...]
    rows: dict[Agent, tuple[AgentRound, ...]]
    checkpoint: int

    @property
    def valid(self) -> tuple[Round, ...]:
        """Return the rounds that are not void."""
        return tuple(r for r in self.rounds if r.outcome is not None and r.outcome.void is None)

    @property
    def void(self) -> dict[RoundVoid, int]:
        """Return how many rounds are void, by reason."""
        found = Counter(record.outcome.void for record in self.records)
        return {reason: found[reason] for reason in RoundVoid if found[reason]}

    def blocks(self) -> list[tuple[int, int]]:
        """Return the first and the last round played of every block."""
        played = len(self.records)
        return [
            (first, min(first + self.checkpoint - 1, played))
            for first in range(1, played + 1, self.checkpoint)
        ]

    def version(self, agent: Agent, number: int) -> int:
        """Return the version of an agent's note that was in force in a round."""
        frozen = self.series.seat(agent).snapshot
        if frozen is not None:
            return frozen.version
        before = [n.version for n in self.notes if n.agent is agent and n.after < number]
        return max(before, default=0)

    def note(self, agent: Agent, version: int) -> str:
        """Return the text of a version of an agent's note; empty before the first."""
        found = (n.text for n in self.notes if (n.agent, n.version) == (agent, version))
        return next(found, "")

    def in_force(self, agent: Agent, number: int) -> str:
        """Return the note that was in force in a round; empty before the first."""
        return self.note(agent, self.version(agent, number))

    def faults(self) -> Iterator[tuple[Agent, Fault]]:
        """Yield who said something in vain, and why it was: mended or for good, notes too."""
        for record in self.records:
            yield from ((act.agent, act.fault) for act in record.acts if act.fault is not None)
            yield from ((said.agent, said.cause) for said in record.re_asked)
        for note in self.notes:
            yield from ((said.agent, said.cause) for said in note.re_asked)
            if note.fault is not None:
                yield note.agent, note.fault


def played_series(folder: SeriesFolder, manifest: SeriesManifest) -> tuple[PlayedSeries, ...]:
    """Return every series of a run in the order of its plan, none of its rounds where none is.

    Raises
    ------
    RunError
        A record is none, or is not what seed and rules lead to.
    """
    return tuple(_one(folder, manifest, series) for series in manifest.plan.series)


def _one(folder: SeriesFolder, manifest: SeriesManifest, series: Series) -> PlayedSeries:
    told = folder.told(series)
    rounds = folder.played(manifest, told)
    rows = {agent: tuple(agent_round(played, agent) for played in rounds) for agent in AGENTS}
    return PlayedSeries(
        series, told.rounds, rounds, told.notes, rows, checkpoint=manifest.plan.checkpoint
    )


def void_of(series: Sequence[PlayedSeries]) -> dict[RoundVoid, int]:
    """Return the void rounds of several series, by reason."""
    found: Counter[RoundVoid] = Counter()
    for one in series:
        found.update(one.void)
    return {reason: found[reason] for reason in RoundVoid if found[reason]}

"""How far each series of a run is and what its agents came to, counted line by line.

Fed by a run while it is played, or from what it has on disk: both show the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from games.models.chat import reply_fault
from games.play.asking import Call
from games.play.journal import Event, EventKind
from games.rules.hidden_signal_world import AGENTS, Agent
from games.series.folder import Told
from games.series.records import EVOLVING, NoteRecord, Plan, RoundRecord, Series, SeriesKind


@dataclass(slots=True)
class Points:
    """Points of one agent over the rounds with an outcome, and over those of the last block."""

    total: int = 0
    block: int = 0

    def take(self, points: int) -> None:
        """Take in one round."""
        self.total += points
        self.block += points


@dataclass(slots=True)
class Asked:
    """What asking came to: replies, those with a fault, tries without a reply, tokens, dollars."""

    replies: int = 0
    faults: int = 0
    troubles: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    dollars: float = 0.0
    unpriced: int = 0

    def take(self, call: Call) -> None:
        """Take in one call."""
        if call.reply is None:
            self.troubles += 1
            return
        self.replies += 1
        self.faults += reply_fault(call.reply) is not None
        self.tokens_in += call.reply.usage.input or 0
        self.tokens_out += call.reply.usage.output or 0
        self.dollars += call.cost or 0.0
        self.unpriced += call.cost is None


@dataclass(slots=True)
class SeriesSum:
    """What one series came to so far.

    Attributes
    ----------
    rounds, void : int
        Rounds that ended, and those of them without an outcome.
    wins : Counter of Agent
    points : dict
        Agent to points.
    scored, block_scored : int
        Rounds with an outcome: in all, and of the last block.
    block : int
        Which block the last round is of, from 0.
    faults : int
        What was said that held no action or note, re-asked or not.
    notes, kept : int
        Strategy updates, and those of them that gave no note and kept the one before.
    asked : Asked
    stopped : str
        Why the series stopped, where nothing has followed.
    playing : bool
    """

    series: Series
    checkpoint: int
    rounds: int = 0
    void: int = 0
    wins: Counter[Agent] = field(default_factory=Counter)
    points: dict[Agent, Points] = field(default_factory=lambda: {a: Points() for a in AGENTS})
    scored: int = 0
    block_scored: int = 0
    block: int = 0
    faults: int = 0
    notes: int = 0
    kept: int = 0
    asked: Asked = field(default_factory=Asked)
    stopped: str = ""
    playing: bool = False

    def take(self, record: RoundRecord | NoteRecord) -> None:
        """Take in one line of the series."""
        self.faults += len(record.re_asked)
        if isinstance(record, NoteRecord):
            self.notes += 1
            self.kept += record.fault is not None
            self.faults += record.fault is not None
            return
        self.faults += record.acts[-1].fault is not None
        self.rounds = record.number
        self._turn_to((record.number - 1) // self.checkpoint)
        if record.outcome.void is not None:
            self.void += 1
            return
        self.scored += 1
        self.block_scored += 1
        if record.outcome.winner is not None:
            self.wins[record.outcome.winner] += 1
        for agent, points in record.points.items():
            self.points[agent].take(points)

    def _turn_to(self, block: int) -> None:
        if block != self.block:
            self.block, self.block_scored = block, 0
            for points in self.points.values():
                points.block = 0

    def mean(self, agent: Agent) -> float | None:
        """Return an agent's mean points of a round with an outcome; None before the first."""
        return self.points[agent].total / self.scored if self.scored else None

    def block_mean(self, agent: Agent) -> float | None:
        """Return the same of the last block."""
        return self.points[agent].block / self.block_scored if self.block_scored else None

    @property
    def over(self) -> bool:
        """Whether every round has ended."""
        return self.rounds >= self.series.rounds


class SeriesTally:
    """What a run came to so far.

    Parameters
    ----------
    plan : Plan

    Attributes
    ----------
    sums : dict
        Series id to what it came to, in order of play.
    players : dict
        Player to what asking it came to, of those that were asked.
    """

    def __init__(self, plan: Plan) -> None:
        self.sums = {one.id: SeriesSum(one, plan.checkpoint) for one in plan.series}
        self.players: dict[str, Asked] = {}

    def read(self, told: Iterable[Told], journal: Iterable[Event | Call]) -> None:
        """Take in what a run has on disk."""
        for one in told:
            lines: list[RoundRecord | NoteRecord] = [*one.rounds, *one.notes]
            for record in lines:
                self.take_line(one.series, record)
        for entry in journal:
            self.take(entry)

    def take_line(self, series: Series, record: RoundRecord | NoteRecord) -> None:
        """Take in one line of a series."""
        self.sums[series.id].take(record)

    def take(self, record: Event | Call) -> None:
        """Take in one record of the journal."""
        if isinstance(record, Call):
            self.sums[record.asking.match.rpartition("/")[0]].asked.take(record)
            self.players.setdefault(record.player, Asked()).take(record)
        elif record.kind in _OF_THE_RUN:
            for one in self.sums.values():  # whoever played it before plays it no more
                one.playing = False
        elif record.match is not None:
            found = self.sums[record.match]
            found.playing = record.kind is EventKind.SERIES_STARTED
            found.stopped = record.note if record.kind is EventKind.SERIES_STOPPED else ""

    @property
    def rounds(self) -> tuple[int, int]:
        """Rounds that ended, and rounds planned."""
        sums = self.sums.values()
        return sum(one.rounds for one in sums), sum(one.series.rounds for one in sums)

    def evolving(self) -> list[SeriesSum]:
        """Return the series in which notes are written, in order of play."""
        return [one for one in self.sums.values() if one.series.kind in EVOLVING]

    def frozen(self) -> dict[SeriesKind, list[SeriesSum]]:
        """Return the series of snapshots by kind, without kinds of which there is none."""
        found: dict[SeriesKind, list[SeriesSum]] = {}
        for one in self.sums.values():
            if one.series.kind not in EVOLVING:
                found.setdefault(one.series.kind, []).append(one)
        return found


_OF_THE_RUN = frozenset(
    {
        EventKind.RUN_STARTED,
        EventKind.RUN_RESUMED,
        EventKind.RUN_STOPPED,
        EventKind.RUN_INTERRUPTED,
        EventKind.RUN_ENDED,
    }
)

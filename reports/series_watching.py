"""A series run as it is played, as lines to be read: what is said and noted, how rounds end."""

from __future__ import annotations

from collections.abc import Iterator

from games.errors import RunError
from games.models.chat import reply_fault
from games.play.asking import Call
from games.play.follow import Follower
from games.play.journal import Event, EventKind, record_of
from games.rules.hidden_signal_records import Act
from games.rules.hidden_signal_world import AGENTS, Agent
from games.series.folder import SeriesFolder, SeriesManifest, line_of
from games.series.records import NoteRecord, RoundRecord, Series
from games.words import Fault

from .watching import nth

Line = RoundRecord | NoteRecord
# Place in the journal of what was said: round or update, turn, and whose it was.
Place = tuple[str, int, str]

_OVER = frozenset({EventKind.SERIES_STOPPED, EventKind.SERIES_ENDED})
_NOTE = "note-"


class SeriesWatcher:
    """Turns what a series run writes into lines.

    Parameters
    ----------
    run : SeriesFolder
    manifest : SeriesManifest
    series : str, optional
        The only series watched; all by default.

    Raises
    ------
    RunError
        The series is none of this run.
    """

    def __init__(
        self, run: SeriesFolder, manifest: SeriesManifest, series: str | None = None
    ) -> None:
        self._by_id = {one.id: one for one in manifest.plan.series}
        if series is not None and series not in self._by_id:
            rule = "must be a series of this run: `aidg run status` and series/ have their ids"
            raise RunError("SERIES", rule, series)
        self._only, self._last = series, dict[str, int]()
        self._checkpoint = manifest.plan.checkpoint
        shown = [one for one in self._by_id.values() if series in (None, one.id)]
        self._files = [(one, Follower(run.series_path(one), line_of)) for one in shown]
        self._journal = Follower(run.journal, record_of)
        self._told: set[Place] = set()

    @property
    def over(self) -> bool:
        """Whether the one series that is watched has all its rounds."""
        return self._only is not None and (
            self._last.get(self._only, 0) >= self._by_id[self._only].rounds
        )

    def new(self) -> Iterator[str]:
        """Yield what was written since the last time."""
        # The files first: whatever led to a line of theirs stands in the journal by then.
        waiting = {one.id: list(file.new()) for one, file in self._files}
        for record in self._journal.new():
            if isinstance(record, Event):
                yield from self._event(record, waiting)
            else:
                yield from self._call(record, waiting)
        for name, lines in waiting.items():
            yield from self._lines(self._by_id[name], lines)

    def _event(self, event: Event, waiting: dict[str, list[Line]]) -> Iterator[str]:
        said = f"{event.kind.value.replace('_', ' ')} {event.note}".rstrip()
        if event.match is None:
            yield said
        elif self._only in (None, event.match):
            if event.kind in _OVER:
                yield from self._lines(self._by_id[event.match], waiting.pop(event.match, []))
            yield f"{event.match}  {said}"

    def _call(self, call: Call, waiting: dict[str, list[Line]]) -> Iterator[str]:
        """Yield what was said, after the rounds and notes that had ended by then."""
        name, _, part = call.asking.match.rpartition("/")
        if self._only not in (None, name):
            return
        now, lines = self._when(part), waiting.get(name, [])
        before = [line for line in lines if self._at(line) < now]
        waiting[name] = lines[len(before) :]
        yield from self._lines(self._by_id[name], before)
        yield _said(call)
        place = (call.asking.match, call.asking.turn, call.asking.role.value)
        self._told |= {place} if call.reply is not None else set()

    def _lines(self, series: Series, lines: list[Line]) -> Iterator[str]:
        for line in lines:
            if isinstance(line, NoteRecord):
                yield f"{series.id}  {_noted(line)}"
                continue
            place = f"{series.id}/{line.number}"
            self._last[series.id] = line.number
            for turn, act in enumerate(line.acts, start=1):
                if (place, turn, act.agent.value) not in self._told:
                    yield f"{place}  t{turn:02d} {_who(act.agent, series)}{_acted(act)}"
            self._told -= {
                (place, turn, a.value) for turn in range(len(line.acts) + 1) for a in AGENTS
            }
            yield f"{place}  {ended(line)}"

    def _when(self, part: str) -> tuple[int, bool]:
        """Return when in its series something was asked: in a round, or for a note after one."""
        if part.startswith(_NOTE):
            return int(part.removeprefix(_NOTE)) * self._checkpoint, True
        return int(part), False

    def _at(self, line: Line) -> tuple[int, bool]:
        if isinstance(line, NoteRecord):
            return line.after, True
        return line.number, False


def _said(call: Call) -> str:
    asking = call.asking
    turn = f"t{asking.turn:02d}" if asking.turn else "note"
    who = f"{asking.match}  {turn} {asking.role.value} {call.player}"
    again = f" (asked for the {nth(asking.number)} time)" if asking.number > 1 else ""
    if call.reply is None:
        kind = "" if call.trouble is None else call.trouble.value.replace("_", " ")
        return f"{who}{again}: no reply, {kind} {call.detail}".rstrip()
    return f"{who}{again}{_marked(reply_fault(call.reply))}: {call.reply.text}"


def _who(agent: Agent, series: Series) -> str:
    return f"{agent.value} {series.seat(agent).player}"


def _acted(act: Act) -> str:
    return f"{_marked(act.fault)}: {act.text}"


def _marked(fault: Fault | None) -> str:
    return f" [{fault.value.replace('_', ' ')}]" if fault else ""


def _noted(note: NoteRecord) -> str:
    """Return what became of a strategy update."""
    which = f"note {note.version} of {note.agent.value} after round {note.after}"
    if note.fault is not None:
        return f"{which}: none{_marked(note.fault)}, the one before stays"
    return f"{which}{', cut to its bound' if note.cut else ''}: {note.text or 'empty'}"


def ended(record: RoundRecord) -> str:
    """Return how a round ended, in words."""
    outcome = record.outcome
    if outcome.end is None:
        why = "" if outcome.void is None else outcome.void.value.replace("_", " ")
        return f"hidden {record.world.hidden.value}: void, {why}"
    winner = "nobody" if outcome.winner is None else outcome.winner.value
    points = ", ".join(f"{agent.value} {record.points[agent]:+d}" for agent in AGENTS)
    how = outcome.end.value.replace("_", " ")
    return f"hidden {record.world.hidden.value}: {how}, {winner} wins; {points}"

"""What a sitting has come to so far, counted from all that is told of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from games.models.chat import reply_fault
from games.panels.batch_records import BatchRecord, Collected, Dropped, Intended, Submitted
from games.play.asking import Call
from games.play.journal import Event, EventKind


@dataclass(frozen=True, slots=True)
class Looked:
    """An endpoint was asked how far a batch is."""

    mark: str


Told = Event | Call | BatchRecord | Looked
Tell = Callable[[Told], None]


@dataclass(slots=True)
class Tally:
    """What a sitting has come to so far.

    Attributes
    ----------
    ended, total : int
        Matches with a trace, and matches scheduled.
    void : int
        Matches of this sitting without an outcome.
    calls, faults, troubles : int
        Replies; those that bore a fault; tries without a reply.
    tokens_in, tokens_out : int
    dollars : float
        Of the replies whose cost is known.
    unpriced : int
        Replies whose cost is not known.
    waiting : dict
        Batches under way, by their marks, to the requests in them.
    handed, looks, collected, dropped : int
        Batches handed in, looks at one, batches that brought replies, and that were not taken.
    """

    ended: int = 0
    total: int = 0
    void: int = 0
    calls: int = 0
    faults: int = 0
    troubles: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    dollars: float = 0.0
    unpriced: int = 0
    waiting: dict[str, int] = field(default_factory=dict)
    handed: int = 0
    looks: int = 0
    collected: int = 0
    dropped: int = 0
    began: float = field(default_factory=time.monotonic)
    began_at: int = -1

    def take(self, record: Told) -> None:
        """Take in one record of the journal, or of the batches."""
        if isinstance(record, Looked | BatchRecord):
            self._take_batch(record)
        elif isinstance(record, Event):
            self.ended, self.total = record.ended, record.total
            self.began_at = record.ended if self.began_at < 0 else self.began_at
            self.void += record.kind is EventKind.MATCH_ENDED and record.void is not None
        elif record.reply is None:
            self.troubles += 1
        elif not record.from_run:
            self._take_reply(record)

    def _take_batch(self, record: BatchRecord | Looked) -> None:
        if isinstance(record, Intended):
            self.waiting[record.mark] = len(record.requests)
        elif isinstance(record, Collected | Dropped):
            self.waiting.pop(record.mark, None)
        self.handed += isinstance(record, Submitted)
        self.looks += isinstance(record, Looked)
        self.collected += isinstance(record, Collected)
        self.dropped += isinstance(record, Dropped)

    def _take_reply(self, call: Call) -> None:
        reply = call.reply
        assert reply is not None
        self.calls += 1
        self.faults += reply_fault(reply) is not None
        self.tokens_in += reply.usage.input or 0
        self.tokens_out += reply.usage.output or 0
        self.dollars += call.cost or 0.0
        self.unpriced += call.cost is None

    @property
    def seconds_left(self) -> float | None:
        """Seconds to the end at this sitting's pace so far; None before its first match ended."""
        done = self.ended - self.began_at
        if done <= 0:
            return None
        return (time.monotonic() - self.began) / done * (self.total - self.ended)

    def line(self) -> str:
        """Return the tally in one line."""
        said = [f"{self.ended}/{self.total} matches"]
        if self.void:
            said.append(f"{self.void} void")
        if self.calls or self.troubles:
            said.append(f"{self.calls} replies, {self.faults} faults, {self.troubles} retries")
            said.append(f"{_short(self.tokens_in)} in, {_short(self.tokens_out)} out")
            unpriced = f" + {self.unpriced} unpriced" if self.unpriced else ""
            said.append(f"${self.dollars:.4f}{unpriced}")
        if batches := self._batches():
            said.append(batches)
        left = self.seconds_left
        if left is not None and self.ended < self.total:
            said.append(f"{_clock(left)} left")
        return " · ".join(said)

    def _batches(self) -> str:
        """Return how far batches are; blank where there were none."""
        if not (self.handed or self.looks or self.collected or self.dropped):
            return ""
        said = f"batches: {self.handed} handed in, {self.collected} collected"
        said += f", {self.dropped} dropped" if self.dropped else ""
        if self.waiting:
            said += f", {len(self.waiting)} of {sum(self.waiting.values())} requests under way"
        return f"{said}, looked at {self.looks} times"


def _short(tokens: int) -> str:
    return f"{tokens / 1000:.1f}k" if tokens >= 1000 else str(tokens)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"

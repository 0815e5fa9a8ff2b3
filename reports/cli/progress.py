"""Playing as a person watches it: a bar on a terminal, lines without one, JSON for a program."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from games.cohort import Cohort
from games.models.chat import reply_fault
from games.panels.batch_records import BatchRecord, Collected, Dropped, Intended, Submitted
from games.panels.batch_sitting import BatchPoint, BatchTerms
from games.play.asking import Call
from games.play.journal import Event, EventKind
from games.play.terms import Terms
from games.play.tournament import play
from games.study.study import Study

EVERY = 10.0  # seconds between two plain lines


class Show(StrEnum):
    """How progress is shown."""

    BAR = "bar"
    LINES = "lines"
    JSON = "json"


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


def played(
    study: Study,
    name: str,
    cohort: Cohort,
    out: Path,
    *,
    seed: int,
    terms: Terms,
    show: Show | None = None,
) -> Tally:
    """Play a study's schedule, show how far it is, and return what the sitting came to."""
    return watched(
        lambda heard: play(study, name, cohort, out, seed=seed, terms=heard), terms, show
    )


def watched(go: Callable[[Terms], object], terms: Terms, show: Show | None = None) -> Tally:
    """Let matches be played under terms that are listened to; show and return what they come to."""
    with watching(show) as (tally, listen):
        go(replace(terms, on_event=listen))
    return tally


@contextmanager
def watching(show: Show | None = None) -> Iterator[tuple[Tally, Tell]]:
    """Yield what a sitting comes to, and who is to be told of every record, and shows it."""
    tally = Tally()
    if show is None:
        show = Show.BAR if sys.stderr.isatty() else Show.LINES
    with _shown(show, tally) as tell:

        def listen(record: Told) -> None:
            tally.take(record)
            tell(record)

        yield tally, listen


def batches_told(terms: BatchTerms, listen: Tell) -> BatchTerms:
    """Return terms of batches under which every record and every look at one is told."""

    def reached(point: BatchPoint, mark: str) -> None:
        terms.on_point(point, mark)
        if point is BatchPoint.LOOKED:
            listen(Looked(mark))

    return replace(terms, on_record=listen, on_point=reached)


def _shown(show: Show, tally: Tally) -> AbstractContextManager[Tell]:
    if show is Show.JSON:
        return nullcontext(_print_json)
    if show is Show.LINES:
        return nullcontext(_Lines(tally))
    return _bar(tally)


def _print_json(record: Told) -> None:
    """Print a record as it stands on disk, without the texts of a call and the ids of a batch."""
    if isinstance(record, Looked):
        print(json.dumps({"kind": "looked", "mark": record.mark}, sort_keys=True), flush=True)
        return
    plain = record.model_dump(mode="json", exclude_defaults=True, exclude=_TEXTS)
    if isinstance(record, Intended):
        plain["requests"] = len(record.requests)
    print(json.dumps({"kind": record.kind, **plain}, sort_keys=True), flush=True)


_TEXTS: Any = {"request": True, "reply": {"text": True}}


class _Lines:
    """One line now and then, and one for whatever a person must know at once."""

    def __init__(self, tally: Tally) -> None:
        self._tally, self._last = tally, time.monotonic()

    def __call__(self, record: Told) -> None:
        if isinstance(record, Call) and record.trouble is not None:
            print(
                f"{record.player}: {record.trouble.value} {record.detail}".rstrip(), file=sys.stderr
            )
        elif found := _found_amiss(record):
            print(found, file=sys.stderr)
        now = time.monotonic()
        if now - self._last >= EVERY:
            self._last = now
            print(self._tally.line(), file=sys.stderr)


def _found_amiss(record: Told) -> str:
    """Return what a run that goes on says of its own files; blank where it says nothing."""
    if isinstance(record, Dropped):
        return f"batch {record.mark} is dropped: {record.reason}"
    if not isinstance(record, Event):
        return ""
    if record.kind is EventKind.LINE_TORN:
        return "journal.jsonl: its last line was torn and is dropped"
    if record.kind is EventKind.TRACE_REJECTED:
        return f"{record.match}: its trace does not stand and is played again: {record.note}"
    return ""


@contextmanager
def _bar(tally: Tally) -> Iterator[Tell]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (BarColumn(bar_width=24), TextColumn("{task.description}", markup=False))
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("starting", total=None)

        def tell(record: Told) -> None:
            if found := _found_amiss(record):
                bar.console.print(found, markup=False)
            total = tally.total or None
            bar.update(task, completed=tally.ended, total=total, description=tally.line())

        yield tell

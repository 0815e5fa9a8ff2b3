"""The journal: append-only, one JSON object a line, on disk before play goes on.

Besides the manifest it is the only place for times. A crash can tear its last line; a reader drops
that line and says so, and the next writer cuts it off and hands the text back to be recorded.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import TracebackType

from ..errors import Place, RunError
from ..places import checked
from ..records import Record, Text
from ..words import End, Role, Void


class EventKind(StrEnum):
    """What the journal tells of."""

    RUN_STARTED = "run_started"
    RUN_RESUMED = "run_resumed"
    RUN_INTERRUPTED = "run_interrupted"
    RUN_ENDED = "run_ended"
    MATCH_STARTED = "match_started"
    MATCH_ENDED = "match_ended"
    LINE_TORN = "line_torn"
    TRACE_REJECTED = "trace_rejected"


class Event(Record):
    """One line of the journal.

    Attributes
    ----------
    kind : EventKind
    at : str
        When, in UTC, ISO 8601.
    ended, total : int
        Matches of the run that have a trace by then, and matches scheduled.
    match : str, optional
        Id of the match, for an event about one.
    seconds : float, optional
        How long the match took; with several at a time they share the processor.
    winner, end, void : optional
        Its outcome.
    asked_again : int
        Faulty utterances in place of which another was asked for.
    note : str
        The torn text, or why a trace was rejected.
    """

    kind: EventKind
    at: str
    ended: int
    total: int
    match: str | None = None
    seconds: float | None = None
    winner: Role | None = None
    end: End | None = None
    void: Void | None = None
    asked_again: int = 0
    note: Text = ""


@dataclass(frozen=True, slots=True)
class Account:
    """What a journal holds.

    Attributes
    ----------
    events : tuple of Event
    torn : str
        A last line that a crash cut short, which is no event; empty where there is none.
    """

    events: tuple[Event, ...]
    torn: str = ""


class Journal:
    """A journal open for appending.

    Attributes
    ----------
    torn : str
        The unfinished last line that was cut off on opening; empty where there was none.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("a+b")
        self._file.seek(0)
        whole, torn = _split(self._file.read())
        self._file.truncate(len(whole))
        self.torn = _shown(torn)

    def append(self, event: Event) -> None:
        """Write an event and wait until it is on disk."""
        plain = event.model_dump(mode="json", exclude_defaults=True)
        self._file.write(json.dumps(plain, sort_keys=True).encode("ascii") + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._file.close()


def read_journal(path: Path) -> Account:
    """Return the events of a journal, without a torn last line, which is handed back beside them.

    Raises
    ------
    RunError
        There is no journal, or a whole line is no event.
    """
    if not path.is_file():
        raise RunError(path.name, "is missing", place=Place(path))
    whole, torn = _split(path.read_bytes())
    events = [_event(line, path, n) for n, line in enumerate(whole.splitlines(), start=1)]
    return Account(tuple(events), _shown(torn))


def _split(raw: bytes) -> tuple[bytes, bytes]:
    """Return the whole lines of a journal and what follows the last line end."""
    end = raw.rfind(b"\n") + 1
    return raw[:end], raw[end:]


def _shown(raw: bytes) -> str:
    return raw.decode("utf-8", "backslashreplace")


def _event(line: bytes, path: Path, number: int) -> Event:
    try:
        tree = json.loads(line)
    except ValueError:
        rule = "must be one JSON object a line"
        raise RunError(path.name, rule, place=Place(path, number)) from None
    return checked(tree, Event, path, RunError, lambda _loc: number)

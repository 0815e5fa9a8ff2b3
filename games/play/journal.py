"""The journal: append-only, one JSON object a line, on disk before play goes on.

Besides the manifest it is the only place for times, attempts and cost. A crash can tear its last
line; a reader drops that line and says so, and the next writer cuts it off and hands the text back
to be recorded. What several matches write at a time shares one wait for the disk.
"""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol

from ..errors import Place, RunError
from ..places import checked, json_line
from ..records import Record, Text
from ..words import End, Role, Void
from .asking import Call


class EventKind(StrEnum):
    """What the journal tells of, besides calls."""

    RUN_STARTED = "run_started"
    RUN_RESUMED = "run_resumed"
    RUN_STOPPED = "run_stopped"
    RUN_INTERRUPTED = "run_interrupted"
    RUN_ENDED = "run_ended"
    MATCH_STARTED = "match_started"
    MATCH_REOPENED = "match_reopened"
    MATCH_ENDED = "match_ended"
    SERIES_STARTED = "series_started"
    SERIES_STOPPED = "series_stopped"
    SERIES_ENDED = "series_ended"
    LINE_TORN = "line_torn"
    TRACE_REJECTED = "trace_rejected"


class Event(Record):
    """One line of the journal that is no call.

    Attributes
    ----------
    kind : EventKind
    at : str
        When, in UTC, ISO 8601.
    ended, total : int
        Matches of the run that have a trace by then, and matches scheduled; or rounds, of a run of
        series.
    match : str, optional
        Id of the match or series, for an event about one.
    seconds : float, optional
        How long the match took; with several at a time they share the processor.
    winner, end, void : optional
        Its outcome.
    re_asks : int
        Faulty utterances and rulings in place of which another was asked for.
    note : str
        The torn text, why a trace was rejected, why the run or a series stopped, or what made a
        match void.
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
    re_asks: int = 0
    note: Text = ""


class Lined(Protocol):
    """A record of which a file holds one a line."""

    @property
    def kind(self) -> str:
        """What record it is."""

    def model_dump(self, *, mode: str, exclude_defaults: bool) -> dict[str, Any]:
        """Return its fields, without those that are as ever."""


class Journal:
    """A journal open for appending, or another file of records that must not be lost.

    Attributes
    ----------
    torn : str
        The unfinished last line that was cut off on opening; empty where there was none.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        self._disk = threading.Lock()
        self._waiting: list[bytes] = []
        self._written: asyncio.Future[None] | None = None
        self._writer: asyncio.Task[None] | None = None
        torn_at, torn = _torn(path)
        os.ftruncate(self._file, torn_at)
        self.torn = torn.decode("utf-8", "backslashreplace")

    def append(self, record: Lined) -> None:
        """Write a record and wait until it is on disk."""
        self._write(_line(record))

    async def commit(self, record: Lined) -> None:
        """Write a record and let others run until it is on disk.

        Records that come while the disk is busy share the next wait for it.
        """
        self._waiting.append(_line(record))
        if self._written is None:
            self._written = asyncio.get_running_loop().create_future()
        written = self._written
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write_all())
        # A caller that is cancelled leaves the wait, never the write.
        await asyncio.shield(written)

    async def _write_all(self) -> None:
        while self._waiting and self._written is not None:
            lines, written = self._waiting, self._written
            self._waiting, self._written = [], None
            try:
                await asyncio.to_thread(self._write, b"".join(lines))
            except OSError as fault:
                written.set_exception(fault)
            else:
                written.set_result(None)

    def _write(self, lines: bytes) -> None:
        with self._disk:
            written = 0
            try:
                while written < len(lines):
                    written += os.write(self._file, memoryview(lines)[written:])
                os.fsync(self._file)
            except OSError as fault:
                # Whole lines stand; what is written after half a line would spoil both.
                half = written - (lines.rfind(b"\n", 0, written) + 1)
                os.ftruncate(self._file, os.fstat(self._file).st_size - half)
                fault.filename = str(self._path)
                raise

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        with self._disk:
            os.close(self._file)


def read_journal(path: Path) -> Iterator[Event | Call]:
    """Yield the records of a journal in order, without a torn last line.

    Raises
    ------
    RunError
        There is no journal, or a whole line is no record.
    """
    if not path.is_file():
        raise RunError(path.name, "is missing", place=Place(path))
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if line.endswith(b"\n"):
                yield record_of(line, path, number)


def torn_line(path: Path) -> str:
    """Return the last line of a journal that a crash cut short; empty where there is none."""
    return _torn(path)[1].decode("utf-8", "backslashreplace")


def _torn(path: Path) -> tuple[int, bytes]:
    """Return where the whole lines of a file end, and what follows them."""
    with path.open("rb") as file:
        end = file.seek(0, os.SEEK_END)
        tail = b""
        while end > 0:
            start = max(0, end - 65536)
            file.seek(start)
            block = file.read(end - start)
            cut = block.rfind(b"\n") + 1
            if cut:
                return start + cut, block[cut:] + tail
            end, tail = start, block + tail
    return 0, tail


def _line(record: Lined) -> bytes:
    # JSON escapes lone surrogates, so that what a model wrote can never keep a line from disk.
    plain = record.model_dump(mode="python", exclude_defaults=True) | {"kind": record.kind}
    return json.dumps(plain, sort_keys=True).encode("ascii") + b"\n"


def record_of(line: bytes, path: Path, number: int) -> Event | Call:
    """Return the record in one whole line of a journal."""
    tree = json_line(line, path, number, RunError)
    is_call = isinstance(tree, dict) and tree.get("kind") == "call"
    if is_call:
        return checked(tree, Call, path, RunError, lambda _loc: number)
    return checked(tree, Event, path, RunError, lambda _loc: number)

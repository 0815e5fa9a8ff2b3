"""Playing as a person watches it: a bar on a terminal, lines without one, JSON for a program."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from games.cohort import Cohort
from games.panels.batch_records import Dropped, Intended
from games.panels.batch_sitting import BatchPoint, BatchTerms
from games.play.asking import Call
from games.play.journal import Event, EventKind
from games.play.terms import Terms
from games.play.tournament import play
from games.study.study import Study

from .tally import Looked, Tally, Tell, Told

EVERY = 10.0  # seconds between two plain lines


class Show(StrEnum):
    """How progress is shown."""

    BAR = "bar"
    LINES = "lines"
    JSON = "json"


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
        return nullcontext(print_record)
    if show is Show.LINES:
        return nullcontext(_Lines(tally))
    return _bar(tally)


def print_record(record: Told) -> None:
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

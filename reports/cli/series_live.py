"""A series run as a person watches it: a live table on a terminal, lines without one, or JSON."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from games.play.asking import Call
from games.play.journal import Event, EventKind, read_journal
from games.play.terms import Terms
from games.series.folder import SeriesFolder, is_series_run
from games.series.records import NoteRecord, Plan, RoundRecord, Series
from games.series.tournament import play_series
from reports.series_rows import (
    MODELS,
    NARROW,
    SERIES,
    WIDE,
    model_rows,
    only,
    progress_line,
    series_rows,
)
from reports.series_tally import SeriesTally

from .progress import EVERY, print_record

if TYPE_CHECKING:
    from rich.console import RenderableType

    from games.cohort.signal import SignalCohort
    from games.study.signal import SignalStudy

LOOK = 0.25  # seconds between two states of the table
_AROUND = 12  # lines of the screen that are not rows of series

Line = tuple[Series, RoundRecord | NoteRecord]
Tell = Callable[[Event | Call | Line], None]


def played(
    study: SignalStudy,
    name: str,
    cohort: SignalCohort,
    plan: Plan,
    out: Path,
    *,
    terms: Terms,
    as_json: bool,
) -> SeriesTally:
    """Play a plan, show how far it is, and return what the run came to."""
    tally = tally_of(plan, out)
    with _shown(tally, as_json=as_json) as tell:

        def on_event(record: Event | Call) -> None:
            tally.take(record)
            tell(record)

        def heard(series: Series, record: RoundRecord | NoteRecord) -> None:
            tally.take_line(series, record)
            tell((series, record))

        listened = replace(terms, on_event=on_event)
        play_series(study, name, cohort, plan, out, terms=listened, heard=heard)
    return tally


def tally_of(plan: Plan, out: Path) -> SeriesTally:
    """Return what a plan came to so far, of a run of it or of none."""
    tally = SeriesTally(plan)
    run = SeriesFolder(out)
    if is_series_run(out) and run.manifest().plan == plan:
        journal = read_journal(run.journal) if run.journal.is_file() else ()
        tally.read((run.told(series) for series in plan.series), journal)
    return tally


@contextmanager
def _shown(tally: SeriesTally, *, as_json: bool) -> Iterator[Tell]:
    if as_json:
        yield _print_json
    elif sys.stderr.isatty():
        with _table(tally) as tell:
            yield tell
    else:
        yield _Lines(tally)


def _print_json(record: Event | Call | Line) -> None:
    """Print a record as it stands on disk, without what was said."""
    if not isinstance(record, tuple):
        print_record(record)
        return
    series, line = record
    plain = line.model_dump(mode="json", exclude_defaults=True, exclude=_TEXTS)
    print(json.dumps({"series": series.id, "kind": line.kind, **plain}, sort_keys=True), flush=True)


_TEXTS: Any = {"acts": {"__all__": {"text"}}, "re_asked": {"__all__": {"text"}}, "text": True}


class _Lines:
    """One line now and then, and one for whatever a person must know at once."""

    def __init__(self, tally: SeriesTally) -> None:
        self._tally, self._last = tally, time.monotonic()

    def __call__(self, record: Event | Call | Line) -> None:
        if said := _amiss(record):
            print(said, file=sys.stderr)
        now = time.monotonic()
        if now - self._last >= EVERY:
            self._last = now
            print(progress_line(self._tally), file=sys.stderr)


def _amiss(record: Event | Call | Line) -> str:
    """Return what a person must know of a record; blank where that is nothing."""
    if isinstance(record, tuple):
        series, line = record
        if not isinstance(line, NoteRecord) or line.fault is None:
            return ""
        why = line.fault.value.replace("_", " ")
        which = f"note {line.version} of agent {line.agent.value}"
        return f"{series.id}: {which} is none ({why}); the one before stays"
    if isinstance(record, Call):
        if record.trouble is None:
            return ""
        return f"{record.player}: {record.trouble.value} {record.detail}".rstrip()
    if record.kind is EventKind.LINE_TORN:
        return f"{record.match or 'journal.jsonl'}: its last line was torn and is dropped"
    return f"{record.match} stopped {record.note}" if record.kind is _STOPPED else ""


_STOPPED = EventKind.SERIES_STOPPED


@contextmanager
def _table(tally: SeriesTally) -> Iterator[Tell]:
    from rich.console import Console
    from rich.live import Live

    console, last = Console(stderr=True), [0.0]
    with Live(console=console, auto_refresh=False) as live:

        def show() -> None:
            live.update(_screen(tally, console.width, console.height), refresh=True)

        def tell(record: Event | Call | Line) -> None:
            if said := _amiss(record):
                live.console.print(said, markup=False)
            now = time.monotonic()
            if now - last[0] >= LOOK:
                last[0] = now
                show()

        yield tell
        show()


def _screen(tally: SeriesTally, width: int, height: int) -> RenderableType:
    """Return the tables of a run as they fit on a screen."""
    from rich.console import Group
    from rich.text import Text

    rows = series_rows(tally, max(3, height - _AROUND - len(tally.players)))
    columns = SERIES if width >= WIDE else NARROW
    parts: list[RenderableType] = [_grid(columns, only(columns, rows))]
    if tally.players:
        parts.append(_grid(MODELS, model_rows(tally)))
    return Group(*parts, Text(progress_line(tally)))


def _grid(columns: tuple[str, ...], rows: list[tuple[str, ...]]) -> RenderableType:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for name in columns:
        table.add_column(name, justify="left" if name == columns[0] else "right", no_wrap=True)
    for row in rows:
        table.add_row(*map(Text, row))
    return table

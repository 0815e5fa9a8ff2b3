"""``aidg run watch``: the dialogue of a run as it is played, with its rulings."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import MovedTo, RunPath

if TYPE_CHECKING:
    from games.run import RunFolder
    from reports.watching import Watcher

EVERY = 0.5  # seconds between two looks at the journal


def add_to(group: typer.Typer) -> None:
    """Add the command to the group of a run."""
    group.command()(watch)


def watch(
    run: RunPath,
    match: Annotated[
        str | None,
        typer.Argument(metavar="[MATCH]", help="The id of one match or series; all by default."),
    ] = None,
    follow: Annotated[
        bool, typer.Option("--follow/--no-follow", help="Go on while the run is played.")
    ] = True,
    moved_to: MovedTo = None,
) -> None:
    """Print the dialogue of a run as it is played, with rulings, faults and ends."""
    from games.run import RunFolder
    from games.series.folder import is_series_run
    from reports.watching import Watcher

    if is_series_run(run):
        watch_series(run, match, follow=follow)
        return
    folder = RunFolder(run)
    watcher = Watcher(folder, folder.manifest(), folder.study(moved_to).rubrics, match)
    for line in watched(folder, watcher, follow=follow):
        print_line(line)


def watched(run: RunFolder, watcher: Watcher, *, follow: bool) -> Iterator[str]:
    """Yield lines until what is watched has ended, or nobody plays the run any more."""
    from games.play.follow import Follower
    from games.play.journal import record_of

    follower = Follower(run.journal, record_of)

    def look() -> Iterator[str]:
        for record in follower.new():
            yield from watcher.lines(record)

    yield from looked(run.path, look, lambda: watcher.over, follow=follow)
    if not run.journal.is_file():
        yield from watcher.traces()


def watch_series(run: Path, series: str | None, *, follow: bool) -> None:
    """Print what a series run writes as it is played."""
    from games.series.folder import SeriesFolder
    from reports.series_watching import SeriesWatcher

    folder = SeriesFolder(run)
    watcher = SeriesWatcher(folder, folder.manifest(), series)
    for line in looked(run, watcher.new, lambda: watcher.over, follow=follow):
        print_line(line)


def looked(
    run: Path, look: Callable[[], Iterator[str]], over: Callable[[], bool], *, follow: bool
) -> Iterator[str]:
    """Yield what every look at a run brings, until it is over or nobody plays it any more."""
    from games.play.follow import played_by

    while True:
        # Looked up before the files: what is written until the player leaves is still read.
        played = follow and played_by(run) is not None
        yield from look()
        if not played or over():
            return
        time.sleep(EVERY)


def print_line(line: str) -> None:
    """Print a line at once, with nothing in it that a terminal obeys."""
    if not line.isprintable():  # rarely so: what shows such characters takes long to import
        from reports.derivation import visible

        line = visible(line)
    print(line, flush=True)

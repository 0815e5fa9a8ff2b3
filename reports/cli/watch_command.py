"""``aidg run watch``: the dialogue of a run as it is played, with its rulings."""

from __future__ import annotations

import time
from collections.abc import Iterator
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
        str | None, typer.Argument(metavar="[MATCH]", help="One match's id; all by default.")
    ] = None,
    follow: Annotated[
        bool, typer.Option("--follow/--no-follow", help="Go on while the run is played.")
    ] = True,
    moved_to: MovedTo = None,
) -> None:
    """Print the dialogue of a run as it is played, with rulings, faults and ends."""
    from games.run import RunFolder
    from reports.watching import Watcher

    folder = RunFolder(run)
    watcher = Watcher(folder, folder.manifest(), folder.study(moved_to).rubrics, match)
    for line in watched(folder, watcher, follow=follow):
        print_line(line)


def watched(run: RunFolder, watcher: Watcher, *, follow: bool) -> Iterator[str]:
    """Yield lines until what is watched has ended, or nobody plays the run any more."""
    from games.play.follow import Follower, played_by

    follower = Follower(run.journal)
    while True:
        # Looked up before the journal: what is written until the player leaves is still read.
        played = follow and played_by(run.path) is not None
        for record in follower.new():
            yield from watcher.lines(record)
        if not played or watcher.over:
            break
        time.sleep(EVERY)
    if not run.journal.is_file():
        yield from watcher.traces()


def print_line(line: str) -> None:
    """Print a line at once, with nothing in it that a terminal obeys."""
    if not line.isprintable():  # rarely so: what shows such characters takes long to import
        from reports.derivation import visible

        line = visible(line)
    print(line, flush=True)

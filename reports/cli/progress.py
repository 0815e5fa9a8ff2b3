"""Playing with a progress bar where there is a terminal, in silence where there is none."""

from __future__ import annotations

import sys
from pathlib import Path

from games.cohort import Cohort
from games.study.study import Study


def played(
    study: Study, name: str, cohort: Cohort, out: Path, *, seed: int, concurrency: int
) -> None:
    """Play a study's schedule and show how far it is."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    from games.play.journal import Event, EventKind
    from games.play.tournament import play
    from games.run import RunFolder

    columns = ("matches", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, disable=not sys.stderr.isatty()) as bar:
        total = len(study.schedule(cohort, seed).matches)
        standing = sum(1 for _ in RunFolder(out).traces_folder.glob("*.json"))
        task = bar.add_task("matches", total=total, completed=standing)

        def listen(event: Event) -> None:
            if event.kind is EventKind.MATCH_ENDED:
                bar.advance(task)

        play(study, name, cohort, out, seed=seed, concurrency=concurrency, on_event=listen)

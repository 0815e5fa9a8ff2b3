"""``aidg report``: the one page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .options import MovedTo


def add_to(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command()(report)


def report(
    subject: Annotated[
        str, typer.Argument(metavar="RUN|STUDY", help="A run's folder, or a study for its print.")
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Where to write; RUN/report.html or runs/STUDY-print.html."),
    ] = None,
    moved_to: MovedTo = None,
) -> None:
    """Write one self-contained page that sets printed numbers beside audited ones.

    A run of series gets its findings.json and figures as well.
    """
    from games.run import MANIFEST, RunFolder
    from games.series.folder import SeriesFolder, is_series_run
    from games.study.study import load_print
    from reports.render import write_print_report, write_report

    run = Path(subject)
    if is_series_run(run):
        from reports.arms_race import write_signal_report

        print(write_signal_report(SeriesFolder(run), out, moved_to).page)
        return
    if (run / MANIFEST).is_file():
        print(write_report(RunFolder(run), out, moved_to))
        return
    study = load_print(subject)
    print(write_print_report(study, out or Path("runs") / f"{study.name}-print.html"))

"""``aidg report``: the one page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .options import RunPath


def add_to(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command()(report)


def report(
    run: RunPath,
    out: Annotated[
        Path | None, typer.Option("--out", help="Where to write; RUN/report.html by default.")
    ] = None,
) -> None:
    """Write one self-contained page that sets printed numbers beside audited ones."""
    from games.run import RunFolder
    from reports.render import write_report

    print(write_report(RunFolder(run), out))

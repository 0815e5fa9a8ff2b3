"""Arguments and options that several commands share, said once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

StudyName = Annotated[
    str, typer.Argument(metavar="STUDY", help="A study's folder, or a shipped study's name.")
]
RunPath = Annotated[Path, typer.Argument(metavar="RUN", help="A run's folder.")]
CohortName = Annotated[
    str | None,
    typer.Option("--cohort", help="Who plays: a file, or one of the study's cohorts by name."),
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Decides schedule and players.")]
MovedTo = Annotated[
    str | None, typer.Option("--study", help="Where the run's study stands now, if it moved.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
DEFAULT_SEED = 7

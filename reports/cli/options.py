"""Arguments and options that several commands share, said once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

StudyName = Annotated[
    str, typer.Argument(metavar="STUDY", help="A study's folder, or a shipped study's name.")
]
RunPath = Annotated[Path, typer.Argument(metavar="RUN", help="A run's folder.")]
CohortFile = Annotated[
    Path | None, typer.Option("--cohort", help="Who plays; the study's own cohort by default.")
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Decides schedule and players.")]
MovedTo = Annotated[
    str | None, typer.Option("--study", help="Where the run's study stands now, if it moved.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
DEFAULT_SEED = 7

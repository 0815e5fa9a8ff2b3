"""``aidg run``: play a study's schedule, see how far it is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from . import import_command, resume_command, watch_command
from .options import DEFAULT_SEED, AsJson, CohortName, RunPath, Seed, StudyName

group = typer.Typer(help="A run: matches played, one trace each.", no_args_is_help=True)


@group.command()
def play(
    study: StudyName,
    out: Annotated[Path, typer.Option("--out", help="The run's folder; one that stopped goes on.")],
    seed: Seed = DEFAULT_SEED,
    cohort: CohortName = None,
    concurrency: Annotated[
        int | None,
        typer.Option(min=1, max=256, help="Matches at a time; by default, enough for endpoints."),
    ] = None,
    budget: Annotated[
        float | None, typer.Option(help="Dollars that the whole run may cost; it stops there.")
    ] = None,
    prompts: Annotated[
        Path | None, typer.Option(help="A folder of prompts to play with; the study's by default.")
    ] = None,
    fork: Annotated[
        Path | None, typer.Option(help="A run whose replies are taken where the same is asked.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print every event as JSON.")] = False,
) -> None:
    """Play the whole schedule; a run that was stopped goes on where it stood."""
    from audit.claims.file import load_claims
    from games.cohort import find_cohort, load_cohort
    from games.play.terms import Terms
    from games.study.shipped import CLAIMS
    from games.study.study import load_study

    from .progress import Show, played

    loaded = load_study(study, prompts)
    # The report will want the claims: a fault in them is better known before the matches.
    load_claims(loaded.folder / CLAIMS)
    players = loaded.cohort() if cohort is None else load_cohort(find_cohort(cohort, loaded.folder))
    terms = Terms(concurrency=concurrency, budget=budget, fork=fork)
    show = Show.JSON if as_json else None
    tally = played(loaded, study, players, out, seed=seed, terms=terms, show=show)
    if not as_json:
        said = tally.line() if tally.total else "the run was complete"
        print(f"{len(list((out / 'traces').glob('*.json')))} traces in {out}: {said}")


@group.command()
def status(run: RunPath, as_json: AsJson = False) -> None:
    """Show how far a run is, what became of its matches, and what its models came to."""
    from games.run import RunFolder
    from reports.status import status_of

    from .show import print_json
    from .status_tables import print_status

    found = status_of(RunFolder(run))
    if as_json:
        print_json(found.payload())
    else:
        print_status(found)


watch_command.add_to(group)
import_command.add_to(group)
resume_command.add_to(group)

"""``aidg run``: play a study's schedule, see how far it is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from . import import_command, resume_command, watch_command
from .options import DEFAULT_SEED, AsJson, CohortName, RunPath, Seed, StudyName

if TYPE_CHECKING:
    from games.play.terms import Terms

group = typer.Typer(help="A run: matches played, one trace each.", no_args_is_help=True)


@group.command()
def play(
    study: StudyName,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", help="The run's folder, runs/STUDY by default; one that stopped goes on."
        ),
    ] = None,
    seed: Seed = DEFAULT_SEED,
    cohort: CohortName = None,
    concurrency: Annotated[
        int | None,
        typer.Option(
            min=1, max=256, help="Matches or series at a time; by default, enough for endpoints."
        ),
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
    games: Annotated[
        int | None, typer.Option(min=1, help="HIDDEN SIGNAL: rounds of a series.")
    ] = None,
    checkpoint: Annotated[
        int | None, typer.Option(min=1, help="HIDDEN SIGNAL: rounds from note to note.")
    ] = None,
    replicates: Annotated[
        int | None, typer.Option(min=1, help="HIDDEN SIGNAL: series of one kind and condition.")
    ] = None,
    condition: Annotated[
        list[str] | None,
        typer.Option(help="HIDDEN SIGNAL: none, self or self+opponent; may be given again."),
    ] = None,
    matrix: Annotated[
        bool, typer.Option("--matrix", help="HIDDEN SIGNAL: same-model pairs and controls too.")
    ] = False,
    smoke: Annotated[
        bool, typer.Option("--smoke", help="HIDDEN SIGNAL: the short run of the study.")
    ] = False,
) -> None:
    """Play what a study schedules; a run that was stopped goes on where it stood."""
    from games.play.terms import Terms
    from games.study.signal import is_signal_study, load_signal_study

    from .series_command import Wanted, play_signal

    given = tuple(condition or ())
    wanted = Wanted(games, checkpoint, replicates, given, matrix, smoke)
    terms = Terms(concurrency=concurrency, budget=budget, fork=fork)
    if is_signal_study(study):
        signal = load_signal_study(study, prompts)
        _check_claims(signal.folder)
        where = out or _default(signal.folder)
        play_signal(signal, study, cohort, wanted, where, seed=seed, terms=terms, as_json=as_json)
        return
    wanted.refuse()
    play_matches(study, prompts, cohort, out, seed=seed, terms=terms, as_json=as_json)


def play_matches(
    study: str,
    prompts: Path | None,
    cohort: str | None,
    out: Path | None,
    *,
    seed: int,
    terms: Terms,
    as_json: bool,
) -> None:
    """Play the whole schedule of a study of matches, and say what the sitting came to."""
    from games.cohort import find_cohort, load_cohort
    from games.study.study import load_study

    from .progress import Show, played

    loaded = load_study(study, prompts)
    _check_claims(loaded.folder)
    where = out or _default(loaded.folder)
    players = loaded.cohort() if cohort is None else load_cohort(find_cohort(cohort, loaded.folder))
    show = Show.JSON if as_json else None
    tally = played(loaded, study, players, where, seed=seed, terms=terms, show=show)
    if not as_json:
        said = tally.line() if tally.total else "the run was complete"
        print(f"{len(list((where / 'traces').glob('*.json')))} traces in {where}: {said}")


def _check_claims(folder: Path) -> None:
    """Refuse a fault in the claims: the report will want them, and play may take days."""
    from audit.claims.file import load_claims
    from games.study.shipped import CLAIMS

    load_claims(folder / CLAIMS)


def _default(study: Path) -> Path:
    return Path("runs") / study.name


@group.command()
def status(run: RunPath, as_json: AsJson = False) -> None:
    """Show how far a run is, what became of its matches, and what its models came to."""
    from games.series.folder import is_series_run

    from .show import print_json

    if is_series_run(run):
        from games.series.folder import SeriesFolder
        from reports.series_status import series_status_of

        from .series_command import print_series_status

        series = series_status_of(SeriesFolder(run))
        print_json(series.payload()) if as_json else print_series_status(series)
        return
    from games.run import RunFolder
    from reports.status import status_of

    from .status_tables import print_status

    found = status_of(RunFolder(run))
    print_json(found.payload()) if as_json else print_status(found)


watch_command.add_to(group)
import_command.add_to(group)
resume_command.add_to(group)

"""``aidg run`` and ``aidg judge``: play a study's schedule, see how far it is, collect verdicts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .options import DEFAULT_SEED, AsJson, CohortFile, MovedTo, RunPath, Seed, StudyName

group = typer.Typer(help="A run: matches played, one trace each.", no_args_is_help=True)


@group.command()
def play(
    study: StudyName,
    out: Annotated[Path, typer.Option("--out", help="The run's folder; one that stopped goes on.")],
    seed: Seed = DEFAULT_SEED,
    cohort: CohortFile = None,
    concurrency: Annotated[int, typer.Option(min=1, max=64, help="Matches at a time.")] = 2,
) -> None:
    """Play the whole schedule; a run that was stopped goes on where it stood."""
    from audit.claims.file import load_claims
    from games.cohort import load_cohort
    from games.study.shipped import CLAIMS
    from games.study.study import load_study

    from .progress import played

    loaded = load_study(study)
    # The report will want the claims: a fault in them is better known before the matches.
    load_claims(loaded.folder / CLAIMS)
    players = loaded.cohort() if cohort is None else load_cohort(cohort)
    played(loaded, study, players, out, seed=seed, concurrency=concurrency)
    print(f"{len(list((out / 'traces').glob('*.json')))} traces in {out}")


@group.command()
def status(run: RunPath, as_json: AsJson = False) -> None:
    """Show how many matches are played, and what became of them."""
    from audit.corpus import attrition, corpus_of
    from games.run import RunFolder

    from .show import print_json, print_table

    folder = RunFolder(run)
    manifest = folder.manifest()
    table = attrition(corpus_of(folder.traces()), len(manifest.schedule.matches))
    if as_json:
        print_json(table.to_dict("records"))
        return
    print_table(
        list(table.columns), table.itertuples(index=False), f"{run}: {manifest.cohort.name}"
    )
    print(f"ended {manifest.ended}" if manifest.ended else "not ended: play goes on where it stood")


def add_to(app: typer.Typer) -> None:
    """Add ``judge`` to the command line."""
    app.command()(judge)


def judge(run: RunPath, moved_to: MovedTo = None) -> None:
    """Cut every item from the traces and write the raters' verdicts beside them."""
    from audit.judge import judge_run
    from games.run import RunFolder

    for rater, count in judge_run(RunFolder(run), moved_to).items():
        print(f"{rater}: {count} verdicts")

"""``aidg demo``: the whole flow on the shipped study, played by the reference players."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .options import DEFAULT_SEED, Seed

STUDY = "aidg"


def add_to(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command()(demo)


def demo(
    out: Annotated[Path, typer.Option("--out", help="The run's folder.")] = Path("runs/demo"),
    seed: Seed = DEFAULT_SEED,
) -> None:
    """Play, judge, sample, audit and report the shipped study; needs no key and no network."""
    from annotation.rounds import draw_labels, stratum_keys
    from audit.judge import judge_run
    from audit.whole import audit_run, write_audit
    from games.play.terms import Terms
    from games.run import RunFolder
    from games.study.study import load_study
    from reports.render import write_report

    from .progress import played

    study = load_study(STUDY)
    cohort = study.cohort()
    total = len(study.schedule(cohort, seed).matches)
    print(f"play    {total} matches by built-in reference players into {out}")
    played(study, STUDY, cohort, out, seed=seed, terms=Terms())
    folder = RunFolder(out)
    verdicts = judge_run(folder)
    print(f"judge   {', '.join(f'{rater} {count}' for rater, count in verdicts.items())} verdicts")
    selection = draw_labels(folder, study, 60, stratum_keys("kind,arbiter_label"), seed, minimum=3)
    print(f"label   {len(selection.items)} items drawn for Label Studio into {folder.labels}")
    result = audit_run(folder)
    write_audit(folder, result)
    tried = len(result.sweep.grid.specifications)
    print(f"audit   {len(result.rows())} estimates, {tried} specifications")
    print(f"report  {write_report(folder, None)}")

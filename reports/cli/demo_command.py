"""``aidg demo``: the whole flow on the shipped studies, played by built-in players."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import DEFAULT_SEED, Seed

if TYPE_CHECKING:
    from games.cohort.signal import SignalCohort
    from games.series.records import Plan
    from games.study.signal import SignalStudy

STUDY = "aidg"
SERIES_STUDY, SERIES_COHORT = "hidden_signal", "demo"
# Long enough for tests to be made, short enough to be waited for.
GAMES, CHECKPOINT, REPLICATES = 160, 20, 3
SNAPSHOT_ROUNDS, CROSS_VERSIONS = 8, 2


def add_to(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command()(demo)


def demo(
    out: Annotated[
        Path,
        typer.Option(
            "--out", help="The run's folder; that of series beside it: OUT-hidden-signal."
        ),
    ] = Path("runs/demo"),
    seed: Seed = DEFAULT_SEED,
) -> None:
    """Play, judge, sample, audit and report the shipped studies; needs no key and no network."""
    _matches(out, seed)
    _series(out.with_name(f"{out.name}-hidden-signal"), seed)


def _matches(out: Path, seed: int) -> None:
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
    print(f"report  {write_report(folder, audit=result)}")


def _series(out: Path, seed: int) -> None:
    """Play and report HIDDEN SIGNAL between built-in agents, with short series of snapshots."""
    from games.cohort import find_cohort
    from games.cohort.signal import load_signal_cohort
    from games.series.tournament import play_series
    from games.study.signal import load_signal_study
    from reports.arms_race import write_signal_report

    study = _shortened(load_signal_study(SERIES_STUDY))
    cohort = load_signal_cohort(find_cohort(SERIES_COHORT, study.folder))
    plan = _series_plan(study, cohort, seed)
    total = sum(series.rounds for series in plan.series)
    print(f"play    {total} rounds in {len(plan.series)} series by built-in agents into {out}")
    written = write_signal_report(play_series(study, SERIES_STUDY, cohort, plan, out))
    print(f"audit   {written.findings}, {len(written.figures)} figures")
    print(f"report  {written.page}")


def _shortened(study: SignalStudy) -> SignalStudy:
    """Return a study with short series of snapshots, and rounds of four turns.

    What could be gained on an agent is enumerated on the tree of a round, of which four turns have
    a hundredth of what six have. The page tells of the changed choice.
    """
    from games.rules.hidden_signal_choices import TurnLimit

    sizes = dict.fromkeys(("probe_rounds", "fresh_rounds", "cross_rounds"), SNAPSHOT_ROUNDS)
    short = study.config.evaluation.model_copy(update={**sizes, "cross_versions": CROSS_VERSIONS})
    choices = study.choices.model_copy(update={"turn_limit": TurnLimit.TURNS_4})
    config = study.config.model_copy(update={"evaluation": short})
    return replace(study, config=config, choices=choices)


def _series_plan(study: SignalStudy, cohort: SignalCohort, seed: int) -> Plan:
    """Return two conditions, with controls of agent one in one replicate of one condition.

    Both players are one built-in agent, so that a player against itself would be the pair again.
    """
    from games.series.plan import plan_of
    from games.series.records import Condition, SeriesKind

    whole = plan_of(
        study,
        cohort,
        seed=seed,
        games=GAMES,
        checkpoint=CHECKPOINT,
        replicates=REPLICATES,
        conditions=(Condition.NONE, Condition.SELF),
        matrix=True,
    )
    first = cohort.players[0].id
    kept = [
        series
        for series in whole.series
        if series.kind not in (SeriesKind.SAME, SeriesKind.CONTROL)
        or (series.kind, series.condition, series.replicate, series.one.player)
        == (SeriesKind.CONTROL, Condition.SELF, 1, first)
    ]
    return whole.model_copy(update={"series": tuple(kept)})

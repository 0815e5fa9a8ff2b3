"""``aidg judge``: the verdicts of arbiter and referee, or of a panel of judges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

import typer

from .options import MovedTo, RunPath

if TYPE_CHECKING:
    from audit.panels.run import Hearing
    from games.panels.batch_sitting import BatchTerms
    from games.play.terms import Terms


@dataclass(frozen=True, slots=True)
class How:
    """How a panel is asked, and how that is told.

    Attributes
    ----------
    terms : Terms
    batch : BatchTerms or None
        None where it is asked live.
    plan_only, as_json : bool
    """

    terms: Terms
    batch: BatchTerms | None
    plan_only: bool
    as_json: bool


def add_to(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command()(judge)


def judge(
    run: RunPath,
    panel: Annotated[
        str | None,
        typer.Option(help="Who judges: a panel's file, or one of the study's panels by name."),
    ] = None,
    plan_only: Annotated[
        bool, typer.Option("--plan-only", help="Say what the panel will come to, and ask nobody.")
    ] = False,
    batch: Annotated[
        bool, typer.Option("--batch", help="Ask in the providers' batches: cheaper, within a day.")
    ] = False,
    battery: Annotated[
        bool,
        typer.Option("--battery", help="Put the study's injection battery to it, and not the run."),
    ] = False,
    probes: Annotated[
        int | None,
        typer.Option(
            min=1, help="Put so many items that it ruled on to it once more, in other forms."
        ),
    ] = None,
    budget: Annotated[
        float | None, typer.Option(help="Dollars that the panel may cost; it stops there.")
    ] = None,
    concurrency: Annotated[
        int | None,
        typer.Option(
            min=1, max=256, help="Judges at a match at a time; by default, enough for endpoints."
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print forecast, events and counts as JSON, one a line.")
    ] = False,
    moved_to: MovedTo = None,
) -> None:
    """Cut every item from the traces and write the raters' verdicts beside them."""
    from games.panels.batch_sitting import BatchTerms
    from games.play.terms import Terms

    if panel is None:
        of_judges = {
            "--plan-only": plan_only,
            "--batch": batch,
            "--battery": battery,
            "--probes": probes,
            "--budget": budget,
            "--concurrency": concurrency,
        }
        _check_alone(of_judges)
        _judge_alone(run, moved_to, as_json=as_json)
        return
    terms = Terms(concurrency=concurrency, budget=budget)
    how = How(terms, BatchTerms() if batch else None, plan_only=plan_only, as_json=as_json)
    hearings = _heard(run, panel, moved_to, battery=battery, probes=probes)
    terms.check(hearings[0].put.panel)
    _judge_by(hearings, how)


def _check_alone(of_judges: Mapping[str, object]) -> None:
    """Refuse what says something of judges where none is to be asked."""
    from games.errors import RunError

    for name, value in of_judges.items():
        if value is not None and value is not False:
            raise RunError(name, "needs a --panel: arbiter and referee are asked nothing")


def _judge_alone(run: RunPath, moved_to: str | None, *, as_json: bool) -> None:
    from audit.judge import judge_run
    from games.run import RunFolder

    from .show import print_json

    counts = judge_run(RunFolder(run), moved_to)
    if as_json:
        print_json({"verdicts": counts})
        return
    for rater, count in counts.items():
        print(f"{rater}: {count} verdicts")


def _heard(
    run: RunPath, panel: str, moved_to: str | None, *, battery: bool, probes: int | None
) -> tuple[Hearing, ...]:
    """Return what is put to a panel: a run's items, the battery, or a sample under each probe."""
    from audit.panels.attacked import battery_hearing
    from audit.panels.probing import probe_hearings
    from audit.panels.run import hearing_of
    from games.errors import RunError
    from games.run import RunFolder

    if battery and probes is not None:
        raise RunError("--probes", "must stand without --battery: each is a sitting of its own")
    hearing = hearing_of(RunFolder(run), panel, moved_to)
    if battery:
        return (battery_hearing(hearing),)
    return (hearing,) if probes is None else probe_hearings(hearing, probes)


def _judge_by(hearings: tuple[Hearing, ...], how: How) -> None:
    """Say what a panel will come to, ask it, and say what it came to, also where it stopped."""
    from games.errors import RunStopped

    from .judge_tables import print_forecast, print_summary
    from .panel_asides import print_aside

    print_forecast(hearings, as_json=how.as_json, batch=how.batch is not None)
    if how.plan_only:
        return
    try:
        _ask(hearings, how)
    except (RunStopped, KeyboardInterrupt):
        print_summary(hearings, as_json=how.as_json)
        raise
    print_summary(hearings, as_json=how.as_json)
    print_aside(hearings[0], as_json=how.as_json)


def _ask(hearings: tuple[Hearing, ...], how: How) -> None:
    from audit.panels.probing import judge_in_turn

    from .progress import Show, batches_told, watching

    with watching(Show.JSON if how.as_json else None) as (_, listen):
        batch = None if how.batch is None else batches_told(how.batch, listen)
        judge_in_turn(hearings, replace(how.terms, on_event=listen), batch)

"""``aidg judge``: the verdicts of arbiter and referee, or of a panel of judges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from .options import MovedTo, RunPath

if TYPE_CHECKING:
    from games.play.terms import Terms


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
    from games.play.terms import Terms

    if panel is None:
        _check_alone(plan_only=plan_only, budget=budget, concurrency=concurrency)
        _judge_alone(run, moved_to, as_json=as_json)
        return
    terms = Terms(concurrency=concurrency, budget=budget)
    _judge_by(run, panel, moved_to, terms, plan_only=plan_only, as_json=as_json)


def _check_alone(*, plan_only: bool, budget: float | None, concurrency: int | None) -> None:
    """Refuse what says something of judges where none is to be asked."""
    from games.errors import RunError

    said = {"--plan-only": plan_only, "--budget": budget, "--concurrency": concurrency}
    for name, value in said.items():
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


def _judge_by(
    run: RunPath,
    panel: str,
    moved_to: str | None,
    terms: Terms,
    *,
    plan_only: bool,
    as_json: bool,
) -> None:
    """Say what a panel will come to, ask it, and say what it came to, also where it stopped."""
    from audit.panels.run import hearing_of, judge_panel
    from games.errors import RunStopped
    from games.run import RunFolder

    from .judge_tables import print_forecast, print_summary
    from .progress import Show, watched

    hearing = hearing_of(RunFolder(run), panel, moved_to)
    print_forecast(hearing, as_json=as_json)
    if plan_only:
        return
    show = Show.JSON if as_json else None
    try:
        watched(lambda heard: judge_panel(hearing, heard), terms, show)
    except (RunStopped, KeyboardInterrupt):
        print_summary(hearing, as_json=as_json)
        raise
    print_summary(hearing, as_json=as_json)

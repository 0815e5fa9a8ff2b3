"""``aidg run resume-from``: recorded matches played on where other verdicts let them go on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .options import MovedTo, RunPath
from .show import print_table, print_wrapped

if TYPE_CHECKING:
    from audit.continuing import Continuation
    from games.run import RunFolder


def add_to(group: typer.Typer) -> None:
    """Add the command to the group of a run."""
    group.command("resume-from")(resume_from)


def resume_from(
    run: RunPath,
    verdicts: Annotated[
        str,
        typer.Option("--verdicts", metavar="NAME", help="A rater or consensus recorded in RUN."),
    ],
    out: Annotated[
        Path, typer.Option("--out", help="The new run's folder; one that stopped goes on.")
    ],
    concurrency: Annotated[
        int | None,
        typer.Option(min=1, max=256, help="Matches at a time; by default, enough for endpoints."),
    ] = None,
    budget: Annotated[
        float | None, typer.Option(help="Dollars that the new run may cost; it stops there.")
    ] = None,
    prompts: Annotated[
        Path | None, typer.Option(help="The prompts RUN was played with, if not the study's.")
    ] = None,
    moved_to: MovedTo = None,
    plan_only: Annotated[
        bool, typer.Option("--plan-only", help="Say what would be played on, and ask nobody.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print plan, events and counts as JSON, one a line.")
    ] = False,
) -> None:
    """Rule on a run's recorded turns by NAME's verdicts and play on what they leave open."""
    from audit.continuing import continuation
    from games.play.terms import Terms
    from games.run import RunFolder

    from .progress import Show, watched

    found = continuation(RunFolder(run), verdicts, moved_to, prompts)
    _print_plan(found, as_json=as_json)
    if plan_only:
        return
    terms = Terms(concurrency=concurrency, budget=budget)
    watched(lambda heard: found.into(out, heard), terms, Show.JSON if as_json else None)
    _print_counts(RunFolder(out), as_json=as_json)


def _print_plan(found: Continuation, *, as_json: bool) -> None:
    from audit.continuing import fates

    counts, calls = fates(found.carried), sum(found.calls.values())
    arbiter = found.parent.manifest.cohort.arbiter
    if as_json:
        named = [{"id": i, "arbiter": rules, "calls": n} for (i, rules), n in found.calls.items()]
        plan = {
            "kind": "plan",
            "under_verdicts": found.parent.rater,
            "fates": {fate.value: n for fate, n in counts.items()},
            "played_on": found.played_on,
            "calls_at_most": calls,
            "asked": named,
        }
        _print_line(plan)
        return
    title = f"{found.parent.folder.path} under {found.parent.rater}"
    rows = [(_words(fate.value), n) for fate, n in counts.items()]
    print_table(("matches", "number"), rows, title)
    ruling = "the built-in arbiter" if arbiter is None else arbiter.id
    print_wrapped(
        f"{found.played_on} matches are played on with the players of RUN; {ruling} rules on "
        f"their new turns. {_calls_line(found.calls)}"
    )


def _calls_line(calls: dict[tuple[str, bool], int]) -> str:
    if not calls:
        return "No model is asked: there is nothing to pay."
    each = [f"{name}{' (arbiter)' if rules else ''} {n}" for (name, rules), n in calls.items()]
    most = f"At most {sum(calls.values())} calls, if every one goes to its horizon"
    return f"{most}: {', '.join(each)}. Re-asks and retries come on top."


def _print_counts(run: RunFolder, *, as_json: bool) -> None:
    from audit.continuing import continued_counts, continued_lines

    table = continued_counts(run)
    if as_json:
        _print_line({"kind": "continued", "fates": table.to_dict("records")})
        return
    rows = [(_words(row.pop("fate")), *row.values()) for row in table[_SHOWN].to_dict("records")]
    print_table(("matches", "number", *_SHOWN[2:]), rows, f"{run.path}")
    for fate, ends in zip(table["fate"], table["ends"], strict=True):
        if ends:
            print_wrapped(f"{_words(fate)}: {_words(ends)}")
    for line in continued_lines(run.manifest()):
        print_wrapped(line)


_SHOWN = ["fate", "matches", "seeker wins", "holder wins", "void", "to be played"]


def _words(text: str) -> str:
    return text.replace("_", " ")


def _print_line(payload: dict[str, Any]) -> None:
    print(json.dumps(payload, sort_keys=True), flush=True)

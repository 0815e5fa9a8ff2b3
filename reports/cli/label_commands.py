"""``aidg label``: a sample of items out to people, their verdicts back."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import DEFAULT_SEED, MovedTo, RunPath, Seed

if TYPE_CHECKING:
    from label_studio_sdk.client import LabelStudio

group = typer.Typer(help="Labels from people, through Label Studio.", no_args_is_help=True)

Data = Annotated[
    Path | None,
    typer.Option("--data", file_okay=False, help="The data folder of aidg label serve."),
]


@contextmanager
def _studio(data: Path | None) -> Iterator[tuple[LabelStudio, str]]:
    """Yield the Label Studio that is meant, and its address."""
    from annotation.connection import client, connection

    to = connection(os.environ, data)
    with client(to) as studio:
        yield studio, to.address


@group.command()
def draw(
    run: RunPath,
    n: Annotated[int, typer.Option("-n", min=1, help="How many items.")] = 60,
    by: Annotated[
        str, typer.Option("--by", help="Strata: keys joined by commas.")
    ] = "kind,arbiter_label",
    within: Annotated[
        str, typer.Option("--within", help="Draw from these alone: KEY=VALUE joined by commas.")
    ] = "",
    kinds: Annotated[
        str, typer.Option("--kinds", help="Questions to ask: kinds of items joined by commas.")
    ] = "holder_reply,declaration,seeker_message,lock",
    allocation: Annotated[
        str, typer.Option(help="Shares of the strata: proportional, equal or neyman.")
    ] = "proportional",
    minimum: Annotated[int, typer.Option(min=1, help="Least items of each stratum.")] = 3,
    several: Annotated[
        bool, typer.Option("--several", help="Several items of a match may be drawn.")
    ] = False,
    annotators: Annotated[int, typer.Option(min=1, help="Who share the items.")] = 1,
    overlap: Annotated[
        int | None, typer.Option(min=0, help="Items that all of them are asked; all by default.")
    ] = None,
    repeats: Annotated[int, typer.Option(min=0, help="Items that each is asked twice.")] = 0,
    practice: Annotated[int, typer.Option(min=0, help="Items to practise on first.")] = 0,
    right: Annotated[
        float, typer.Option(min=0, max=1, help="Assumed share of true among the arbiter's.")
    ] = 0.8,
    missed: Annotated[
        float, typer.Option(min=0, max=1, help="Assumed share of true among what it passed.")
    ] = 0.01,
    disputed: Annotated[
        float, typer.Option(min=0, max=1, help="The same where another machine rater differs.")
    ] = 0.3,
    plan_only: Annotated[
        bool, typer.Option("--plan-only", help="Say what the sample would buy, and end.")
    ] = False,
    seed: Seed = DEFAULT_SEED,
    moved_to: MovedTo = None,
) -> None:
    """Draw a stratified sample with known inclusion probabilities, as Label Studio tasks."""
    from annotation.named import allocation_named, item_kinds, stratum_values
    from annotation.pace import seconds_measured
    from annotation.rounds import lay_out, plan_labels, stratum_keys
    from annotation.times import read_times
    from audit.verdicts.anticipated import Anticipated
    from audit.verdicts.selection import Design
    from games.run import RunFolder

    from .design_tables import print_design, print_drawn

    folder = RunFolder(run)
    measured = seconds_measured(read_times(folder))
    study = folder.study(moved_to)
    design = Design(
        n=n,
        seed=seed,
        by=stratum_keys(by),
        within=stratum_values(within),
        kinds=item_kinds(kinds),
        allocation=allocation_named(allocation),
        anticipated=Anticipated(right=right, missed=missed, disputed=disputed),
        minimum=minimum,
        per_match=not several,
        annotators=annotators,
        overlap=overlap,
        repeats=repeats,
        practice=practice,
    )
    planned = plan_labels(folder, study, design)
    print_design(planned, measured)
    if plan_only:
        return
    selection = lay_out(folder, study, planned)
    print_drawn(selection)
    print(f"{len(selection.shown())} tasks with interface in {folder.labels}")


@group.command()
def serve(
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 0,
    data: Data = None,
    install: Annotated[
        bool, typer.Option("--install", help="Install the pinned Label Studio and end.")
    ] = False,
    with_parent: Annotated[
        bool, typer.Option("--with-parent", help="End when stdin does, as with a parent's pipe.")
    ] = False,
) -> None:
    """Run a Label Studio on loopback, apart from everything else on this machine."""
    from annotation.connection import check_client, data_folder
    from annotation.environment import PACKAGE, VERSION, program
    from annotation.environment import install as install_program
    from annotation.server import studio_serving

    from .ending import until_ended
    from .label_tables import print_serving

    if install:
        print(f"{PACKAGE} {VERSION} in {install_program(os.environ)}")
        return
    check_client()
    with until_ended(with_parent=with_parent):
        folder = data or data_folder(os.environ)
        with studio_serving(program(os.environ), folder, port) as studio:
            print_serving(studio)
            studio.watch()


@group.command()
def push(
    run: RunPath,
    raters: Annotated[
        str | None,
        typer.Option(
            "--raters",
            help="Names joined by commas, each with projects of its own; those who have some, else"
            " a,b.",
        ),
    ] = None,
    data: Data = None,
    moved_to: MovedTo = None,
) -> None:
    """Put the sample to raters: what is there already stays, what is missing is added."""
    from annotation.projects import checked_raters
    from annotation.pushing import push_labels
    from games.run import RunFolder

    from .label_tables import print_pushed

    folder, names = RunFolder(run), None if raters is None else checked_raters(raters)
    study = folder.study(moved_to)
    with _studio(data) as (studio, address):
        pushed = push_labels(studio, folder, study, names)
    print_pushed(pushed, address)


@group.command()
def status(run: RunPath, data: Data = None) -> None:
    """Show how far each rater is; of what was pulled, how long it took, and any drift."""
    from annotation.pulling import projects_of
    from games.run import RunFolder

    from .label_tables import print_pace, print_status

    folder = RunFolder(run)
    with _studio(data) as (studio, address):
        projects = projects_of(studio, folder)
    print_status(projects, address)
    print_pace(folder)


@group.command()
def pull(
    run: RunPath,
    file: Annotated[
        Path | None, typer.Option("--file", help="An export (JSON) instead of the server.")
    ] = None,
    data: Data = None,
    moved_to: MovedTo = None,
) -> None:
    """Read people's answers into verdicts; what needed handling is counted and said."""
    from annotation.pulling import not_alone, pull_from
    from annotation.rounds import pull_labels
    from games.run import RunFolder

    from .label_tables import print_pace, print_pulled

    folder = RunFolder(run)
    study = folder.study(moved_to)
    if file is not None:
        print_pulled(folder, [pull_labels(folder, study, file)])
        print_pace(folder)
        return
    with _studio(data) as (studio, _):
        pulled = pull_from(studio, folder, study)
    print_pulled(folder, [each.pulled for each in pulled])
    for line in not_alone(pulled):
        print(f"note: {line}")
    print_pace(folder)


@group.command()
def adjudicate(run: RunPath, data: Data = None, moved_to: MovedTo = None) -> None:
    """Put the items on which raters disagree to one more person; pull brings both back."""
    from annotation.adjudication import adjudicate as put
    from games.run import RunFolder

    from .label_tables import print_pushed

    folder = RunFolder(run)
    study = folder.study(moved_to)
    with _studio(data) as (studio, address):
        pushed = put(studio, folder, study)
    if not pushed:
        print("nothing to adjudicate: no two labels of an item differ")
        return
    print_pushed(pushed, address)

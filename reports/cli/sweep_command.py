"""``aidg sweep``: every claim under every specification of the ratings."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import AsJson, MovedTo

if TYPE_CHECKING:
    from audit.multiverse.parallel import Workers

Source = Annotated[
    str, typer.Argument(metavar="RUN|STUDY", help="A run's folder, or a study's print.")
]


class SweepOf(StrEnum):
    """What is swept, as the rule for an option that is of no use there has it."""

    RUN = "is for a study's print: a run has its matches"
    ONE = "must not stand beside --only, which makes one specification as its signature says"
    PRINT = "is for a run, which is a folder with a manifest.json"


_HEARD: dict[SweepOf, frozenset[str]] = {
    SweepOf.RUN: frozenset({"axes", "most", "intervals", "jobs", "backend", "moved_to"}),
    SweepOf.ONE: frozenset({"only", "moved_to"}),
    SweepOf.PRINT: frozenset({"samples", "seed"}),
}
_ALWAYS = frozenset({"source", "as_json"})


def add_to(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command()(sweep)


def sweep(
    context: typer.Context,
    source: Source,
    axes: Annotated[
        Path | None, typer.Option(help="A file of axes; by default all that there are.")
    ] = None,
    most: Annotated[
        int, typer.Option(min=1, help="Combinations to look at, drawn evenly if there are more.")
    ] = 2_500,
    intervals: Annotated[
        bool, typer.Option(help="Resample the tournaments of every specification.")
    ] = True,
    only: Annotated[
        str | None,
        typer.Option(help="One specification, by its signature or a part of one; alone."),
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, max=256, help="Workers.")] = 1,
    backend: Annotated[
        str, typer.Option(help="What runs them: loky, threading, or dask (its client's cluster).")
    ] = "loky",
    samples: Annotated[
        int | None,
        typer.Option(
            help="Of a print: corpora a way to give up numbers, at least 32, rounded up to eights."
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Of a print; a run has its own.")] = None,
    moved_to: MovedTo = None,
    as_json: AsJson = False,
) -> None:
    """Ask each claim of every specification: share, nearest failure, what moves it.

    Of a study's print: of the corpora of matches that the printed numbers leave open.
    """
    if not _is_run(source):
        _refuse_unheard(context, SweepOf.PRINT)
        _of_print(source, samples, seed, as_json=as_json)
        return
    if only is not None:
        _refuse_unheard(context, SweepOf.ONE)
        _one(Path(source), only, moved_to, as_json=as_json)
        return
    _refuse_unheard(context, SweepOf.RUN)
    from audit.multiverse.parallel import Workers, backend_named

    workers = Workers(jobs, backend_named(backend))
    _every(Path(source), moved_to, axes, most, intervals, workers, as_json=as_json)


def _is_run(source: str) -> bool:
    """Return whether a run is swept, not the print of a study; refuse what is neither."""
    from games.errors import StudyError
    from games.run import MANIFEST
    from games.study.shipped import CONFIG, shipped_studies

    if (Path(source) / MANIFEST).is_file():
        return True
    if source in shipped_studies() or (Path(source) / CONFIG).is_file():
        return False
    names = ", ".join(shipped_studies())
    rule = f"must be a run's folder, which holds {MANIFEST}, or a study: a folder that holds"
    raise StudyError("RUN|STUDY", f"{rule} {CONFIG}, or one of {names}", source)


def _refuse_unheard(context: typer.Context, swept: SweepOf) -> None:
    """Refuse by name an option that was given and says nothing of what is swept."""
    from games.errors import StudyError

    for parameter in context.command.params:
        name = str(parameter.name)
        given = context.get_parameter_source(name)
        if given is None or given.name != "COMMANDLINE" or name in _ALWAYS | _HEARD[swept]:
            continue
        # Samples and seed are for no run at all, a single specification of one among it.
        why = SweepOf.RUN if name in _HEARD[SweepOf.PRINT] else swept
        value = context.params[name]
        spelled = parameter.secondary_opts if value is False else parameter.opts
        raise StudyError(spelled[0], why.value, None if isinstance(value, bool) else str(value))


def _every(
    path: Path,
    moved_to: str | None,
    axes: Path | None,
    most: int,
    intervals: bool,
    workers: Workers,
    *,
    as_json: bool,
) -> None:
    """Sweep a run, write the tables and print them."""
    from dataclasses import replace

    from audit.multiverse.run import DEFAULT, sweep_run, write_sweep
    from games.run import RunFolder

    from .sweep_tables import print_swept

    folder = RunFolder(path)
    effort = replace(DEFAULT, most=most, every_interval=intervals, workers=workers)
    swept = sweep_run(folder, moved_to, axes=axes, effort=effort)
    print_swept(swept, write_sweep(folder, swept), as_json=as_json)


def _one(path: Path, signature: str, moved_to: str | None, *, as_json: bool) -> None:
    """Make one specification of a run again."""
    from audit.multiverse.run import one_of_run
    from games.run import RunFolder

    from .sweep_tables import print_one

    print_one(one_of_run(RunFolder(path), signature, moved_to), as_json=as_json)


def _of_print(source: str, samples: int | None, seed: int | None, *, as_json: bool) -> None:
    """Say what will be sampled and how long it takes, then what print leaves open."""
    from audit.from_print.loaded import Lacking, load_corpora
    from audit.from_print.plan import plan_print
    from audit.from_print.sweep import SAMPLES, statements_of_print, sweep_print
    from games.errors import StudyError
    from reports.alike import names_by_first

    from .options import DEFAULT_SEED
    from .print_tables import print_from_print, print_plan

    count = SAMPLES if samples is None else _enough(samples)
    own = DEFAULT_SEED if seed is None else seed
    told = load_corpora(source, own)
    if isinstance(told, Lacking):
        raise StudyError("STUDY", f"must be a run, or print that tells of matches: {told.reason}")
    plan = plan_print(told, samples=count)
    print_plan(plan, as_json=as_json)
    found = sweep_print(told, own, samples=count, ways=plan.ways)
    print_from_print(found, names_by_first(statements_of_print(told)), as_json=as_json)


def _enough(samples: int) -> int:
    """Return a number of corpora, or refuse one that chains cannot be judged by."""
    from audit.printed.corpora.sampled import CHAINS, FEWEST
    from games.errors import StudyError

    if samples < CHAINS * FEWEST:
        rule = f"must be at least {CHAINS * FEWEST}: {FEWEST} draws of each of {CHAINS} chains"
        raise StudyError("--samples", rule, samples)
    return samples

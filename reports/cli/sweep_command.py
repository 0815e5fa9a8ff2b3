"""``aidg sweep``: every claim under every specification of the ratings."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .options import AsJson, MovedTo

if TYPE_CHECKING:
    from audit.multiverse.one import One
    from audit.multiverse.sweep import Swept

Source = Annotated[
    str, typer.Argument(metavar="RUN|STUDY", help="A run's folder, or a study's print.")
]


def add_to(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command()(sweep)


def sweep(
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
        str | None, typer.Option(help="One specification, by its signature or a part of one.")
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, max=256, help="Workers.")] = 1,
    backend: Annotated[
        str, typer.Option(help="What runs them: loky, threading, or dask (its client's cluster).")
    ] = "loky",
    samples: Annotated[
        int | None, typer.Option(min=1, help="Of a print: corpora a way to give up numbers.")
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Of a print; a run has its own.")] = None,
    moved_to: MovedTo = None,
    as_json: AsJson = False,
) -> None:
    """Ask each claim of every specification: share, nearest failure, what moves it.

    Of a study's print: of the corpora of matches that the printed numbers leave open.
    """
    from games.run import MANIFEST
    from games.study.shipped import CONFIG

    folder_alone = Path(source).is_dir() and not (Path(source) / CONFIG).is_file()
    if not folder_alone and not (Path(source) / MANIFEST).is_file():
        _check_of_print({"--axes": axes, "--only": only, "--study": moved_to})
        _of_print(source, samples, seed, as_json=as_json)
        return
    _check_of_run(samples=samples, seed=seed)
    from dataclasses import replace

    from audit.multiverse.parallel import Workers, backend_named
    from audit.multiverse.run import DEFAULT, one_of_run, sweep_run, write_sweep
    from games.run import RunFolder

    folder = RunFolder(Path(source))
    if only is not None:
        _print_one(one_of_run(folder, only, moved_to), as_json=as_json)
        return
    workers = Workers(jobs, backend_named(backend))
    effort = replace(DEFAULT, most=most, every_interval=intervals, workers=workers)
    swept = sweep_run(folder, moved_to, axes=axes, effort=effort)
    written = write_sweep(folder, swept)
    _print_swept(swept, written, as_json=as_json)


def _check_of_print(given: Mapping[str, object]) -> None:
    """Refuse what says something of a run where print is swept."""
    from games.errors import StudyError

    for name, value in given.items():
        if value is not None:
            raise StudyError(
                name, "is for a run, which is a folder with a manifest.json", str(value)
            )


def _check_of_run(*, samples: int | None, seed: int | None) -> None:
    """Refuse what says something of corpora to sample where a run has its own."""
    from games.errors import RunError

    for name, value in {"--samples": samples, "--seed": seed}.items():
        if value is not None:
            raise RunError(name, "is for a study's print: a run has its matches", value)


def _of_print(source: str, samples: int | None, seed: int | None, *, as_json: bool) -> None:
    """Say what will be sampled and how long it takes, then what print leaves open."""
    from audit.from_print.loaded import Lacking, load_corpora
    from audit.from_print.plan import plan_print
    from audit.from_print.sweep import SAMPLES, sweep_print
    from games.errors import StudyError

    from .options import DEFAULT_SEED
    from .print_tables import print_from_print, print_plan

    own = DEFAULT_SEED if seed is None else seed
    told = load_corpora(source, own)
    if isinstance(told, Lacking):
        raise StudyError("STUDY", f"must be a run, or print that tells of matches: {told.reason}")
    count = SAMPLES if samples is None else samples
    plan = plan_print(told, samples=count)
    print_plan(plan, as_json=as_json)
    print_from_print(sweep_print(told, own, samples=count, ways=plan.ways), as_json=as_json)


def _print_one(one: One, *, as_json: bool) -> None:
    from .show import print_json, print_table

    if as_json:
        print_json(
            {"signature": one.specification.signature, "failure": one.failure}
            | {"values": one.values, "ratings": one.ratings.to_dict("records")}
        )
        return
    print(one.specification.signature)
    if one.failure:
        print(f"no ratings: {one.failure}")
        return
    print_table([str(name) for name in one.ratings], one.ratings.itertuples(index=False))
    print_table(("quantity", "value"), one.values.items())


def _print_swept(swept: Swept, written: Path, *, as_json: bool) -> None:
    from audit.multiverse.frames import about_frame, agreement_frame, curve_frame, sweep_frame
    from reports.swept import told

    from .show import print_json, print_table

    statements = agreement_frame(swept)
    if as_json:
        print_json(
            {"statements": statements.to_dict("records")}
            | {"curves": curve_frame(swept).to_dict("records")}
            | {"specifications": sweep_frame(swept).to_dict("records")}
            | {"intervals": swept.intervals.to_dict("records")}
            | {"about": about_frame(swept).to_dict("records")}
        )
        return
    names = ("statement", "share", "of", "holds most under", "moved most by", "nearest failure")
    print_table(names, [_row(one) for one in statements.to_dict("records")])
    for curve in swept.curves:
        low, high = curve.null_median
        print(
            f"{curve.quantity}: median {curve.median:.4g} over {curve.specifications} "
            f"specifications, {low:.4g} to {high:.4g} with roles exchanged, p {curve.p_median:.3g}"
        )
    print(told(swept))
    print(f"one row a specification, with its signature, in {written}")


def _row(one: Mapping[Any, Any]) -> tuple[object, ...]:
    under = f"{one['holds under']}: {one['share under']:.0%}" if one["holds under"] else None
    moved = f"{one['moved by']} ({one['variance']:.0%})" if one["moved by"] else None
    share = f"{one['share']:.1%}" if one["tried"] else None
    fails = None
    if one["value there"] == one["value there"]:  # not NaN: there is one
        fails = f"{one['nearest failure'] or 'the study as it is'}: {one['value there']:.4g}"
    return one["statement"], share, one["tried"], under, moved, fails

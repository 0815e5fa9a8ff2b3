"""``aidg audit``: estimate a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from .options import AsJson, MovedTo, RunPath

if TYPE_CHECKING:
    from pathlib import Path

    from audit.verdicts.agreement import Agreement


def add_to(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command()(audit)


def audit(
    run: RunPath,
    moved_to: MovedTo = None,
    first_attempts: Annotated[
        bool,
        typer.Option("--first-attempts", help="Void a match from where anything was re-asked."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Estimate every table and statistic of the paper on a run; test a run of series for shifts."""
    from audit.whole import audit_run, write_audit
    from games.run import RunFolder
    from games.series.folder import is_series_run

    from .panel_tables import print_panels
    from .people_tables import print_people
    from .show import print_json, print_table

    if is_series_run(run):
        _audit_series(run, moved_to, first_attempts=first_attempts, as_json=as_json)
        return
    folder = RunFolder(run)
    result = audit_run(folder, moved_to, first_attempts_alone=first_attempts)
    written = write_audit(folder, result)
    if as_json:
        print_json(result.rows())
        return
    columns = ("estimand", "value", "95 % interval", "n")
    title = (
        "first attempts alone: void from where anything was asked again" if first_attempts else ""
    )
    print_table(columns, [_brief(row) for row in result.rows()], title)
    if result.bounds:
        bounded = [(row["estimand"], *_open(row)) for row in result.rows() if row["void_bounds"]]
        names = ("estimand", "value", "least", "most", "bounds")
        print_table(names, bounded, "had the void matches ended otherwise")
    print_table(
        ("raters", "item", "n", "kappa", "95 % interval"), [_kappa(one) for one in result.agreement]
    )
    print_people(result.people)
    print_panels(result.panels)
    print(f"{len(result.rows())} estimates, {len(result.section.tables)} tables in {written}")


def _audit_series(run: Path, moved_to: str | None, *, first_attempts: bool, as_json: bool) -> None:
    """Write the findings of a run of series, and print what is shown."""
    from audit.behaviour.arms_race import arms_race, write_findings
    from games.errors import RunError
    from games.series.folder import SeriesFolder

    from .findings_tables import print_findings
    from .show import print_json

    rule = "must be left out: the run is one of series, whose audit reads its records alone"
    if moved_to is not None:
        raise RunError("--study", rule, moved_to)
    if first_attempts:
        raise RunError("--first-attempts", rule)
    folder = SeriesFolder(run)
    found = arms_race(folder)
    written = write_findings(folder, found)
    if as_json:
        print_json(found.payload())
        return
    print_findings(found)
    print(f"findings in {written}")


def _brief(row: dict[str, Any]) -> tuple[object, ...]:
    """Return an estimate as four cells; where there is no value, its reason stands for it."""
    from .show import cell_text

    value = cell_text(row["value"])
    low, high = cell_text(row["low"]), cell_text(row["high"])
    return (
        row["estimand"],
        row["reason"] if value == cell_text(None) else value,
        None if row["low"] is None else f"{low} to {high}",
        ", ".join(
            [
                str(row["counts_in"]),
                *([f"{row['counts_out']} out"] if row["counts_out"] else []),
                *([f"few: {row['matches']} matches"] if row["few"] else []),
            ]
        ),
    )


def _open(row: dict[str, Any]) -> tuple[object, ...]:
    return (row["value"], row["void_least"], row["void_most"], row["void_bounds"])


def _kappa(one: Agreement) -> tuple[object, ...]:
    from .show import cell_text

    interval = one.kappa.interval
    between = None
    if interval is not None:
        between = f"{cell_text(interval.low)} to {cell_text(interval.high)}"
    value = one.kappa.value if one.kappa.defined else str(one.kappa.reason)
    return (f"{one.first}, {one.second}", one.kind.value, int(one.table.sum()), value, between)

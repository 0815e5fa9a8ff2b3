"""``aidg audit`` and ``aidg sweep``: estimate a run, and under other specifications."""

from __future__ import annotations

from typing import Any

import typer

from .options import AsJson, RunPath


def add_to(app: typer.Typer) -> None:
    """Add the commands to the command line."""
    app.command()(audit)
    app.command()(sweep)


def audit(run: RunPath, as_json: AsJson = False) -> None:
    """Estimate every table and statistic of the paper on a run."""
    from audit.whole import audit_run, write_audit
    from games.run import RunFolder

    from .show import print_json, print_table

    folder = RunFolder(run)
    result = audit_run(folder)
    written = write_audit(folder, result)
    if as_json:
        print_json(result.rows())
        return
    columns = ("estimand", "value", "95 % interval", "n")
    print_table(columns, [_brief(row) for row in result.rows()])
    print(f"{len(result.rows())} estimates, {len(result.section.tables)} tables in {written}")


def _brief(row: dict[str, Any]) -> tuple[object, ...]:
    """Return an estimate as four cells; where there is no value, its reason stands for it."""
    from .show import cell_text

    value = cell_text(row["value"])
    low, high = cell_text(row["low"]), cell_text(row["high"])
    return (
        row["estimand"],
        row["reason"] if value == cell_text(None) else value,
        None if row["low"] is None else f"{low} to {high}",
        f"{row['counts_in']}, {row['counts_out']} out" if row["counts_out"] else row["counts_in"],
    )


def sweep(run: RunPath, as_json: AsJson = False) -> None:
    """Rate a run under every K, M(t) and treatment of disqualifications."""
    from audit.whole import sweep_run
    from games.run import RunFolder

    from .show import print_json, print_table

    table = sweep_run(RunFolder(run))
    if as_json:
        print_json(table.to_dict("records"))
        return
    names = {"k": "K", "multiplier": "M(t)", "disqualification": "disqualified", "gap": "gap"}
    names |= {"sd_seeker": "SD of C", "sd_holder": "SD of V", "every_gap_positive": "every V > C"}
    print_table(list(names.values()), table[list(names)].itertuples(index=False))
    print(f"{len(table)} specifications; --json has each signature, both games and the order")

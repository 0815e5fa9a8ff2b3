"""A run's status on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .show import print_table, print_wrapped

if TYPE_CHECKING:
    from reports.status import Status

_LONG = 10_000  # tokens: from here on thousands will do


def print_status(status: Status) -> None:
    """Print how far a run is, and what a reader must know of it."""
    from reports.players import COLUMNS, account_rows, money_line, warning_of

    cohort, models = status.manifest.cohort, status.account.models
    matches = status.matches.drop(columns="degenerate")
    title = f"{status.run}: {cohort.name}"
    print_table(list(matches.columns), matches.itertuples(index=False), title)
    for line in status.progress():
        print_wrapped(line)
    if models:
        rows = [[_short(cell) for cell in row] for row in account_rows(models)]
        print_table(COLUMNS, rows)
        print_wrapped(money_line(models))
    for heading, lines in status.notes().items():
        for line in lines:
            print_wrapped(f"{heading}: {line}")
    if warning := warning_of(cohort):
        print_wrapped(warning)


def _short(cell: object) -> object:
    return f"{cell / 1000:.1f}k" if isinstance(cell, int) and cell >= _LONG else cell

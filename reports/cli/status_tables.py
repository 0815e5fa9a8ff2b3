"""A run's status on a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from .show import print_table, print_wrapped

if TYPE_CHECKING:
    from reports.series_status import SeriesStatus
    from reports.status import Status

_LONG = 10_000  # tokens: from here on thousands will do


def print_status(status: Status) -> None:
    """Print how far a run is, and what a reader must know of it."""
    rows = [_became(row) for row in status.matches.to_dict("records")]
    print_table(_BECAME, rows, f"{status.run}: {status.manifest.cohort.name}")
    print_state(status)


def print_state(status: Status | SeriesStatus) -> None:
    """Print how far a run of either kind is, what its models came to, and what must be known."""
    from reports.players import CAME_BACK, COST, came_back, cost_rows, money_line, warning_of

    models = status.account.models
    for line in status.progress():
        print_wrapped(line)
    if models:
        print_table(CAME_BACK, shortened(came_back(models)))
        print_table(COST, shortened(cost_rows(models)))
        print_wrapped(money_line(models))
    for heading, lines in status.notes().items():
        for line in lines:
            print_wrapped(f"{heading}: {line}")
    if warning := warning_of(status.manifest.cohort):
        print_wrapped(warning)


_BECAME = ("game", "scheduled", "ended", "void", "reasons", "Seeker's share")


def _became(row: dict[Any, Any]) -> tuple[object, ...]:
    """Return a cell of the schedule; its share is a range where void matches leave it open."""
    least, most = f"{row['share']:.3f}", f"{row['at most']:.3f}"
    share = None if not row["played"] else least if least == most else f"{least} to {most}"
    name = f"{row['game']} {row['mode']}".strip()
    return (name, row["scheduled"], row["played"], row["void"], row["reasons"] or None, share)


def shortened(rows: Iterable[Sequence[object]]) -> list[list[object]]:
    """Return rows with long numbers in thousands."""
    return [[_short(cell) for cell in row] for row in rows]


def _short(cell: object) -> object:
    return f"{cell / 1000:.1f}k" if isinstance(cell, int) and cell >= _LONG else cell

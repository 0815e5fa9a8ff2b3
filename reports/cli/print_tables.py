"""What print leaves open, as tables for a terminal."""

from __future__ import annotations

import sys
from dataclasses import fields
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from audit.from_print.plan import Plan
    from audit.from_print.sweep import FromPrint

TITLES = {
    "conflicts": "printed numbers that no corpus of matches satisfies together",
    "ways": "ways to give some of them up, and corpora sampled under each",
    "answers": "each claim over the corpora that print leaves open; a share is no probability",
    "agreed": "specifications in which every such corpus agrees, what fails nearest, what moves it",
    "ranges": "what print leaves open of each quantity",
    "trials": "corpora searched for that reach the printed ratings",
    "close": "how close together averaged Holder ratings come by chance",
}
# Enough to read by; --json has every column.
SHOWN = {
    "answers": ("statement", "holds", "fails", "least", "most"),
    "ranges": ("experiment", "quantity", "least", "median", "most"),
    "trials": ("game", "weighing", "carry", "k", "order", "z", "error", "reached"),
}
MOST = 40


def print_plan(plan: Plan, *, as_json: bool) -> None:
    """Say what will be sampled and about how long it takes; on stderr where JSON is wanted."""
    line = f"{plan.corpora} corpora of matches, about {plan.seconds:.0f} s"
    print(line, file=sys.stderr if as_json else sys.stdout, flush=True)


def print_from_print(found: FromPrint, *, as_json: bool) -> None:
    """Print every table, long ones up to a limit that is said; or all of them as JSON."""
    from .show import print_json, print_table

    if as_json:
        names = [field.name for field in fields(found)]
        print_json({name: getattr(found, name).to_dict("records") for name in names})
        return
    for name, title in TITLES.items():
        table = getattr(found, name)
        if len(table):
            table = table[[column for column in SHOWN.get(name, table) if column in table]]
            shown = table.head(MOST)
            print_table([str(c) for c in table], shown.itertuples(index=False), title)
            if len(table) > MOST:
                print(f"{len(table) - MOST} more rows; --json has all")

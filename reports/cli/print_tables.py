"""What print leaves open, as tables for a terminal."""

from __future__ import annotations

import sys
from dataclasses import fields
from typing import TYPE_CHECKING

from reports.alike import OF_FIRST

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

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
    line = (
        f"{plan.corpora} corpora of matches, about {_range(plan.least, plan.most)} s by trials "
        f"here, {plan.processor:.0f} s of it on a processor"
    )
    print(line, file=sys.stderr if as_json else sys.stdout, flush=True)


def _range(least: float, most: float) -> str:
    """Return two numbers of seconds as one text, or the one that both come to."""
    return " to ".join(dict.fromkeys(f"{end:.0f}" for end in (least, most)))


def print_from_print(found: FromPrint, names: Mapping[str, str], *, as_json: bool) -> None:
    """Print every table, long ones up to a limit that is said; or all of them as JSON.

    Parameters
    ----------
    found : FromPrint
    names : mapping
        The first claim of every question to the names of all that ask it: one row of a table.
    as_json : bool
    """
    from .show import print_json, print_table

    if as_json:
        tables = [field.name for field in fields(found)]
        print_json({name: getattr(found, name).to_dict("records") for name in tables})
        return
    for name, title in TITLES.items():
        table = getattr(found, name)
        if len(table):
            table, together = _together(table, names)
            table = table[[column for column in SHOWN.get(name, table) if column in table]]
            shown = table.head(MOST)
            print_table([str(c) for c in table], shown.itertuples(index=False), title)
            if together:
                print(f"{OF_FIRST}.")
            if len(table) > MOST:
                print(f"{len(table) - MOST} more rows; --json has all")


def _together(table: pd.DataFrame, names: Mapping[str, str]) -> tuple[pd.DataFrame, bool]:
    """Return a table with one row a question, and whether any row names several claims.

    A share that nothing defines is named so.
    """
    if "statement" not in table:
        return table, False
    shown = table[table["statement"].isin(list(names))].copy()
    shown["statement"] = [names[first] for first in shown["statement"]]
    if "share" in shown:
        undefined = shown["share"].isna()
        shown["share"] = shown["share"].astype(object).where(~undefined, "undefined")
        shown.loc[undefined, "nearest failure"] = "no specification defines it"
    return shown, len(shown) < len(table)

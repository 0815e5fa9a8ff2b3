"""A sweep of a run, as tables for a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from audit.multiverse.one import One
    from audit.multiverse.sweep import Swept


def print_one(one: One, *, as_json: bool) -> None:
    """Print one specification: its ratings and quantities, or why there are none."""
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


def print_swept(swept: Swept, written: Path, *, as_json: bool) -> None:
    """Print what a sweep found, claims that ask one thing in one row; or all of it as JSON."""
    from audit.multiverse.frames import about_frame, agreement_frame, curve_frame, sweep_frame
    from reports.alike import OF_FIRST, names_by_first
    from reports.swept import telling, told

    from .show import print_json, print_table

    statements = agreement_frame(swept)
    if as_json:
        print_json(
            {"statements": statements.to_dict("records")}
            | {"curves": curve_frame(swept).to_dict("records")}
            | {"specifications": sweep_frame(swept).to_dict("records")}
            | {"intervals": swept.intervals.to_dict("records")}
            | {"open_choices": swept.open_choices.to_dict("records")}
            | {"corrected": swept.corrected.to_dict("records")}
            | {"about": about_frame(swept).to_dict("records")}
        )
        return
    names = names_by_first(swept.statements)
    shown = [one for one in telling(statements).to_dict("records") if one["statement"] in names]
    columns = ("statement", "share", "of", "holds most under", "moved most by", "nearest failure")
    print_table(columns, [(names[one["statement"]], *_cells(one)) for one in shown])
    if len(shown) < len(statements):
        print(f"{OF_FIRST}.")
    for curve in swept.curves:
        low, high = curve.null_median
        print(
            f"{curve.quantity}: median {curve.median:.4g} over {curve.specifications} "
            f"specifications, {low:.4g} to {high:.4g} with roles exchanged, p {curve.p_median:.3g}"
        )
    print(told(swept))
    print(f"one row a specification, with its signature, in {written}")


def _cells(one: Mapping[Any, Any]) -> tuple[object, ...]:
    from reports.swept import failure_text

    under = f"{one['holds under']}: {one['share under']:.0%}" if one["holds under"] else None
    moved = f"{one['moved by']} ({one['variance']:.0%})" if one["moved by"] else None
    share = f"{one['share']:.1%}" if one["tried"] else "undefined"
    return share, _counts(one), under, moved, failure_text(one)


def _counts(one: Mapping[Any, Any]) -> str:
    """Return how many specifications have a value, and of how many where some have none."""
    if not one["undefined"]:
        return str(one["tried"])
    return f"{one['tried']} of {one['tried'] + one['undefined']}"

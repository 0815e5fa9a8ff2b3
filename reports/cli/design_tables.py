"""What ``aidg label draw`` prints before it writes: what a sample of this design buys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from .show import print_table, print_wrapped

if TYPE_CHECKING:
    from annotation.rounds import Planned
    from audit.verdicts.inclusion import Floats
    from audit.verdicts.precision import Figure, Forecast, Precision
    from audit.verdicts.sampling import Sampling, Selection
    from audit.verdicts.selection import Design
    from games.words import ItemKind

HEADS = {
    "kappa": "κ",
    "sensitivity": "sensitivity",
    "specificity": "specificity",
    "matches": "matches with a true one",
}


def print_design(planned: Planned, measured: Mapping[ItemKind, float] | None = None) -> None:
    """Print the design table of a draw that is planned.

    ``measured`` holds the seconds an item that people took, of each kind that they labelled.
    """
    from audit.verdicts.precision import precision
    from audit.verdicts.sampling import Sampling
    from games.rules.schedule import seeded

    design = planned.design
    if planned.stay:
        print(f"{planned.stay} items stay as drawn before, {design.n - planned.stay} are added")
    sampling = Sampling(planned.population, design)
    chances = design.anticipated.chances(sampling.ordered)
    rng = seeded(design.seed, "design")
    found = [precision(sampling, chances, kind, rng) for kind in design.kinds]
    known = [one for one in found if one is not None]
    if known:
        _print_precision(known, design)
        _print_missed(sampling, design, chances)
        _print_allocations(planned, known[0])
    else:
        print("no item has a label of the arbiter's that people could be held against")
    _print_time(sampling, design, measured or {})


def print_drawn(selection: Selection) -> None:
    """Print what was drawn of each stratum, and what else will be shown."""
    names = [
        ", ".join(stratum.values.values()) or "all items together" for stratum in selection.strata
    ]
    rows = [
        (name, stratum.size, round(stratum.expected, 1), stratum.drawn)
        for name, stratum in zip(names, selection.strata, strict=True)
    ]
    print_table(("stratum", "items", "expected", "drawn"), rows)
    empty = [name for name, s in zip(names, selection.strata, strict=True) if not s.drawn]
    if empty:
        print_wrapped(f"note: no item drawn, so nothing will be known of: {'; '.join(empty)}")
    if selection.repeats or selection.practice:
        print(f"{len(selection.repeats)} asked twice, {len(selection.practice)} for practice")


def _print_precision(known: list[Precision], design: Design) -> None:
    rows = [(one.kind.value, one.items, round(one.drawn, 1), *_cells(one.figures)) for one in known]
    columns = ("kind", "labelled", "drawn", *HEADS.values())
    print_table(columns, rows, f"what {design.n} items would tell of the arbiter (± margin, 95 %)")
    assumed = design.anticipated
    worst = max(f.margin_error for one in known for f in one.figures.values() if f.margin >= 0)
    print_wrapped(
        f"Assumed: people call positive {assumed.right:.0%} of what the arbiter does,"
        f" {assumed.missed:.1%} of what it passes, {assumed.disputed:.0%} where another machine"
        f" differs. Simulated; a margin is itself known to ±{2 * worst:.2g} or better."
    )


def _cells(figures: dict[Figure, Forecast]) -> list[str]:
    return [_cell(forecast) for forecast in figures.values()]


def _cell(forecast: Forecast) -> str:
    if forecast.undefined == 1:
        return "cannot be known"
    told = f"{forecast.value:.2f} ± {forecast.margin:.2f}"
    if forecast.undefined:
        told += f", none in {forecast.undefined:.1%}"
    return told


def _print_missed(sampling: Sampling, design: Design, chances: Floats) -> None:
    from audit.verdicts.design import missed

    rows = []
    for kind in design.kinds:
        one = missed(sampling, kind, chances)
        if one is not None:
            counts = (one.passed, round(one.anticipated, 1), one.drawn)
            rows.append((kind.value, *counts, one.none_found, one.one_found, one.to_exclude))
    told = ("kind", "passed", "of them missed, as assumed", "drawn")
    bounds = ("missed at most, if none is found", "if one is found", "to draw to exclude 1 %")
    print_table(
        (*told, *bounds), rows, "what the sample cannot exclude among what the arbiter passed"
    )


def _print_allocations(planned: Planned, first: Precision) -> None:
    from audit.verdicts.design import narrowest, shared_otherwise
    from audit.verdicts.precision import Figure
    from games.rules.schedule import seeded

    design = planned.design
    rng = seeded(design.seed, "allocations")
    found = shared_otherwise(planned.population, design, first.kind, rng)
    rows = [
        (allocation.value, round(one.drawn, 1), *_cells(one.figures))
        for allocation, one in found.items()
    ]
    columns = ("allocation", "drawn", *HEADS.values())
    print_table(columns, rows, f"the same number shared otherwise: {first.kind.value}")
    for figure in (Figure.KAPPA, Figure.MATCHES):
        best, head = narrowest(first, found, figure), HEADS[figure]
        if best is not None:
            now, then = first.figures[figure].margin, found[best].figures[figure].margin
            print(f"{head}: --allocation {best} narrows ±{now:.2f} to ±{then:.2f}")
        else:
            print(f"{head}: no other allocation is narrower beyond the simulation's own error")


def _print_time(sampling: Sampling, design: Design, measured: Mapping[ItemKind, float]) -> None:
    from audit.verdicts.design import SECONDS, time_needed

    time = time_needed(sampling, design, {**SECONDS, **measured})
    each = f", {time.hours / design.annotators:.1f} each" if design.annotators > 1 else ""
    print(f"{time.labels} labels take about {time.hours:.1f} hours{each}")
    told = [f"{measured[kind]:.0f} s a {kind.value}" for kind in design.kinds if kind in measured]
    if told:
        rest = [] if len(told) == len(design.kinds) else ["others as the guideline has them"]
        print_wrapped(f"at the median of what was pulled: {', '.join([*told, *rest])}")

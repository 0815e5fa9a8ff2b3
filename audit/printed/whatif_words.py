"""What would change a number, in lines that a reader can follow."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..numbers.estimate import Estimate, PValue
from ..numbers.independence import chi_square
from .coincidence import Arrangements, caveat
from .rounding import PrintedNumber
from .shares import TwoByTwo
from .whatif_columns import Flipped, RatingSpread
from .whatif_rows import Clustered, PartWhole, Power, RowInterval
from .whatif_tables import (
    CONFIDENCE,
    Attrition,
    Compared,
    Exclusion,
    Reclassification,
    Threshold,
)

Lines = tuple[str, ...]


def attrition_lines(found: Attrition, lost: int) -> Lines:
    """Return what cases that are missing could do at most."""
    return (
        f"as printed: {compared_words(found.seen)}",
        f"all {lost} missing cases against the difference: {compared_words(found.worst)}",
        f"all {lost} missing cases for it: {compared_words(found.best)}",
    )


def reclassification_lines(found: Reclassification, name: str, level: float) -> Lines:
    """Return how many events must be counted otherwise for a difference to go."""
    table = found.seen.table
    events = table.k1 if found.first_is_higher else table.k2
    if found.seen.p > level:
        return (f"as printed: {compared_words(found.seen)}; not significant as it is",)
    return (
        f"as printed: {compared_words(found.seen)}",
        _threshold_words("counted as other cases", found.moved, events, name, level),
        _threshold_words("left out", found.dropped, events, name, level),
    )


def _threshold_words(
    how: str, found: Threshold | None, events: int, name: str, level: float
) -> str:
    counted = "event" if events == 1 else "events"
    if found is None:
        return (
            f"however many of the {events} {counted} of {name} are {how}, p stays up to {level:g}"
        )
    return (
        f"from {found.events} of the {events} {counted} of {name} {how}, p is above {level:g}: "
        f"odds ratio {ratio_words(found.after.odds_ratio)}, p {p_words(found.after.p)}; "
        f"with {found.events - 1} it is {p_words(found.before.p)}"
    )


def exclusion_lines(found: Exclusion) -> Lines:
    """Return a comparison with all cases and without some."""
    return (
        f"with all cases: {tested_words(found.seen)}",
        f"without those left out: {tested_words(found.without)}",
    )


def interval_lines(rows: Sequence[RowInterval]) -> Lines:
    """Return every row's share with Wilson's interval, then Clopper and Pearson's."""
    return tuple(
        f"{row.name}: {share_words(row.k, row.n)}, {row.low:.1%} to {row.high:.1%} "
        f"(Clopper and Pearson {row.exact_low:.1%} to {row.exact_high:.1%})"
        for row in rows
    )


def rates_lines(law: PValue, enumerated: PValue, rows: int, along: PValue | None) -> Lines:
    """Return whether several rates are one, and whether they follow their positions if any."""
    trend = (
        ()
        if along is None
        else (f"trend along the positions: z {along.statistic:.2f}, p {p_words(along.p)}",)
    )
    return (
        f"chi-square {law.statistic:.2f} with {rows - 1} degrees of freedom, p {p_words(law.p)}",
        f"over all tables with these margins, p {p_words(enumerated.p)}",
        *trend,
    )


def compare_lines(names: Sequence[str], rows: Sequence[Compared]) -> Lines:
    """Return every row's comparison of two shares under its name."""
    return tuple(f"{name}: {tested_words(row)}" for name, row in zip(names, rows, strict=True))


def strata_lines(
    names: Sequence[str], rows: Sequence[Compared], shared: Estimate, differ: PValue
) -> Lines:
    """Return every stratum's comparison and what they share."""
    span = shared.interval
    reach = "" if span is None else f" ({span.low:.2f} to {span.high:.2f})"
    return (
        *(f"{name}: {compared_words(row)}" for name, row in zip(names, rows, strict=True)),
        f"shared odds ratio (Mantel and Haenszel) {ratio_words(shared.value)}{reach}",
        f"one odds ratio for all strata (Breslow and Day): p {p_words(differ.p)}",
    )


def pairing_lines(found: Arrangements, tried: int, bound: PrintedNumber | None) -> Lines:
    """Return where the printed pairing stands among all."""
    within = 0 if bound is None else found.within(float(bound.value))
    beside = () if bound is None else (f"{within} of {found.total} give at most {bound.text}",)
    apart = found.share_as_far
    test = () if apart is None else (f"as far from 0 to either side: p {p_words(apart)}",)
    name = found.statistic.value.replace("_", " ")
    return (
        f"the rows as printed: {name} {found.published:.3g}, rank {found.rank} of "
        f"{found.total} pairings from the smallest up ({found.share_at_most:.2g} give no more)",
        f"over all pairings: smallest {found.least:.3g}, median {found.median:.3g}, "
        f"largest {found.most:.3g}; the next above the printed one {ratio_words(found.following)}",
        *test,
        *beside,
        caveat(found, tried),
    )


def part_lines(found: PartWhole) -> Lines:
    """Return what arithmetic alone makes of a correlation of parts."""
    seen, own = found.seen, found.conditional
    out = f"; {found.left_out} rows have none" if found.left_out else ""
    return (
        f"as printed: r {seen.estimate.value:.3f}, all permutations p {p_words(seen.test.p)}",
        f"with one rate for all rows, {float(found.rate):.1%} of what the part leaves, "
        f"r would be {found.forced:.2f} by arithmetic",
        f"with each row's own rate in what the part leaves: r {own.estimate.value:.3f}, "
        f"all permutations p {p_words(own.test.p)}{out}",
    )


def flip_lines(found: Flipped) -> Lines:
    """Return what tests say that count arrangements of pairs."""
    return (
        f"all turns of the signs of {found.pairs} pairs: p {p_words(found.flips.p)}, where no "
        f"{found.pairs} pairs can have less than {p_words(found.smallest_p)}",
        f"Wilcoxon's signed ranks: p {p_words(found.ranks.p)}",
        f"all splits of both columns' values in two samples: p {p_words(found.splits.p)}",
    )


def spread_lines(found: Sequence[RatingSpread]) -> Lines:
    """Return how far ratings lie apart by what they were made of."""
    return tuple(
        f"by {one.source}: SD undefined, a row has won nothing or everything"
        if math.isnan(one.sample)
        else f"by {one.source}: SD {one.sample:.1f} points ({one.population:.1f} with ddof 0)"
        for one in found
    )


def cluster_lines(found: Sequence[Clustered]) -> Lines:
    """Return a z statistic by how alike observations of one cluster are."""
    return tuple(
        f"with a correlation of {one.icc:g} within clusters: design effect "
        f"{one.design_effect:.2f}, z {one.z:.2f}, p {p_words(one.p)}"
        for one in found
    )


def power_lines(found: Power) -> Lines:
    """Return how little so few rows can show."""
    without = p_words(float(found.without_ties))
    reach = "" if math.isnan(found.reach) else f"; a correlation of 0 may be ±{found.reach:.2f}"
    return (
        f"no order of these {found.rows} rows has a two-sided p below "
        f"{p_words(found.smallest_p)} ({without} without ties){reach}",
    )


def compared_words(found: Compared) -> str:
    """Return a comparison of two shares in words."""
    return (
        f"{table_words(found.table)}, odds ratio {ratio_words(found.odds_ratio)}, "
        f"difference {100 * found.difference:+.1f} points ({_level_words(found.level)}"
        f"{100 * found.low:+.1f} to {100 * found.high:+.1f}), p {p_words(found.p)}"
    )


def tested_words(found: Compared) -> str:
    """Return a comparison of two shares in words, with chi-square by either convention."""
    plain, yates = (chi_square(found.table.cells, yates=yates) for yates in (False, True))
    return (
        f"{compared_words(found)}; chi-square {ratio_words(plain.statistic)}, p {p_words(plain.p)} "
        f"(with Yates' correction {ratio_words(yates.statistic)}, p {p_words(yates.p)})"
    )


def _level_words(level: float) -> str:
    return "" if level == CONFIDENCE else f"{100 * level:g}%: "


def table_words(table: TwoByTwo) -> str:
    """Return two shares in words."""
    return f"{share_words(table.k1, table.n1)} against {share_words(table.k2, table.n2)}"


def share_words(k: int, n: int) -> str:
    """Return a share in words."""
    return f"{k} of {n} ({k / n:.1%})"


def estimate_words(found: Estimate) -> str:
    """Return an estimate with its interval."""
    span = found.interval
    reach = "" if span is None else f" ({span.low:.3g} to {span.high:.3g})"
    return f"{ratio_words(found.value)}{reach}"


def ratio_words(value: float) -> str:
    """Return a number to three digits, or why there is none."""
    if math.isnan(value):
        return "undefined"
    return "infinite" if math.isinf(value) else f"{value:.3g}"


def p_words(p: float) -> str:
    """Return a p-value to three digits, or that there is none."""
    return "undefined" if math.isnan(p) else f"{p:.3g}"

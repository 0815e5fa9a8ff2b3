"""What would change a number, in lines that a reader can follow."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..numbers.estimate import Estimate, PValue
from .coincidence import Arrangements, caveat
from .implied import Implied
from .raters import RaterTable
from .rounding import PrintedNumber
from .shares import TwoByTwo
from .whatif_raters import RaterReading
from .whatif_rows import Clustered, PartWhole, Power, RowInterval
from .whatif_tables import Attrition, Compared, Exclusion, Reclassification, Threshold

Lines = tuple[str, ...]

# More tables than this are not listed one by one.
LISTED = 12


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
        f"with all cases: {compared_words(found.seen)}",
        f"without those left out: {compared_words(found.without)}",
    )


def interval_lines(rows: Sequence[RowInterval]) -> Lines:
    """Return every row's share and Wilson interval."""
    return tuple(
        f"{row.name}: {share_words(row.k, row.n)}, {row.low:.1%} to {row.high:.1%}" for row in rows
    )


def rates_lines(law: PValue, enumerated: PValue, rows: int) -> Lines:
    """Return whether several rates are one."""
    return (
        f"chi-square {law.statistic:.2f} with {rows - 1} degrees of freedom, p {p_words(law.p)}",
        f"over all tables with these margins, p {p_words(enumerated.p)}",
    )


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
    name = found.statistic.value.replace("_", " ")
    return (
        f"the rows as printed: {name} {found.published:.3g}, rank {found.rank} of "
        f"{found.total} pairings from the smallest up ({found.share_at_most:.2g} give no more)",
        f"over all pairings: smallest {found.least:.3g}, median {found.median:.3g}, "
        f"largest {found.most:.3g}; the next above the printed one {ratio_words(found.following)}",
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


def rater_lines(
    readings: Sequence[RaterReading], at_base: float, positive: int, total: int
) -> Lines:
    """Return what a printed agreement says of the whole material."""
    first = (
        f"{_counted(len(readings))}; the same agreement at {share_words(positive, total)} "
        f"yes would have a κ of {at_base:.3f}"
    )
    shown = [reading_words(one) for one in readings[:LISTED]]
    return (first, *shown, *_not_listed(len(readings)))


def reading_words(one: RaterReading) -> str:
    """Return one table of raters in words."""
    table: RaterTable = one.table
    return (
        f"{table}: the first rater says yes in {float(table.first_yes):.0%} of the sample "
        f"(a random one strays so far with p {p_words(one.at_random)}), "
        f"κ {estimate_words(one.kappa)}, "
        f"sensitivity {estimate_words(one.sensitivity)}, "
        f"specificity {estimate_words(one.specificity)}, "
        f"share of yes corrected by them {estimate_words(one.corrected)}, "
        f"by how often either label is right {estimate_words(one.reweighted)}"
    )


def implied_lines(found: Sequence[Implied]) -> Lines:
    """Return the tables behind an odds ratio and what they say beside it."""
    shown = [
        f"{table_words(one.table)}: odds ratio {estimate_words(one.odds_ratio)}, "
        f"risk ratio {estimate_words(one.risk_ratio)}, "
        f"difference {estimate_words(one.risk_difference)}, "
        f"p {p_words(one.fisher_p)}, E-value {ratio_words(one.e_value)}"
        for one in found[:LISTED]
    ]
    return (_counted(len(found)), *shown, *_not_listed(len(found)))


def compared_words(found: Compared) -> str:
    """Return a comparison of two shares in words."""
    return (
        f"{table_words(found.table)}, odds ratio {ratio_words(found.odds_ratio)}, "
        f"difference {100 * found.difference:+.1f} points ({100 * found.low:+.1f} to "
        f"{100 * found.high:+.1f}), p {p_words(found.p)}"
    )


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


def _counted(tables: int) -> str:
    return "1 table prints so" if tables == 1 else f"{tables or 'no'} tables print so"


def _not_listed(found: int) -> Lines:
    return (f"… and {found - LISTED} more",) if found > LISTED else ()

"""Changes to what lies behind a claim, from inputs as a claims file gives them to lines."""

from __future__ import annotations

from fractions import Fraction

from ..numbers.homogeneity import enumerated_homogeneity, homogeneity
from ..numbers.stratified import breslow_day, mantel_haenszel
from . import whatif_table_words as table_words
from . import whatif_words as words
from .coincidence import Arrangements, PairStatistic, pairings
from .effect_tables import PrintedEffect, tables_behind
from .implied import implied
from .methods_counts import trend_along
from .methods_effects import Columns, experiments, row_means
from .raters import kappa_at, tables_of_raters
from .rounding import read_number
from .shares import Column, Printed, level_of, only, rows_of, strata, two_by_two, whole
from .whatif_columns import rating_spreads, sign_flips
from .whatif_raters import rater_reading
from .whatif_rows import clustered, part_whole, power, row_intervals
from .whatif_tables import (
    SIGNIFICANT,
    attrition,
    compared,
    exclusion,
    first_is_higher,
    reclassification,
    reclassified,
)
from .whatif_words import Lines

Named = tuple[tuple[str, Fraction], ...]

LEVEL: Printed = (read_number("95%"),)
"""The confidence level of an interval of which nothing else is said."""


def by_attrition(lost1: Fraction, lost2: Fraction, **shares: Fraction) -> Lines:
    """Return what cases lost from either sample could do at most."""
    found = attrition(two_by_two(**shares), whole(lost1), whole(lost2))
    return words.attrition_lines(found, whole(lost1 + lost2))


def by_reclassify(
    moved1: Fraction = Fraction(0),
    moved2: Fraction = Fraction(0),
    name1: str = "the first sample",
    name2: str = "the second sample",
    **shares: Fraction,
) -> Lines:
    """Return how many events must be counted otherwise, or left out, for a difference to go."""
    table = two_by_two(**shares)
    higher = name1 if first_is_higher(table) else name2
    lines = words.reclassification_lines(reclassification(table), higher, SIGNIFICANT)
    if not moved1 + moved2:
        return lines
    stated = words.compared_words(reclassified(table, whole(moved1), whole(moved2)))
    moved = f"with {moved1} events of {name1} and {moved2} of {name2} counted as other cases"
    return (*lines, f"{moved}: {stated}")


def by_exclude(
    events1: Fraction = Fraction(0),
    others1: Fraction = Fraction(0),
    events2: Fraction = Fraction(0),
    others2: Fraction = Fraction(0),
    level: Printed = LEVEL,
    **shares: Fraction,
) -> Lines:
    """Return a comparison with all cases and without some."""
    out = {"events1": events1, "others1": others1, "events2": events2, "others2": others2}
    left_out = {name: whole(count) for name, count in out.items()}
    found = exclusion(two_by_two(**shares), **left_out, level=level_of(level))
    return words.exclusion_lines(found)


def by_intervals(k: Column, n: Column, rows: Named = (), level: Printed = LEVEL) -> Lines:
    """Return each row's share with its own interval."""
    names = [name for name, _ in rows]
    return words.interval_lines(row_intervals(*rows_of(k, n), names, level=level_of(level)))


def by_rates(k: Column, n: Column, positions: Column | None = None) -> Lines:
    """Return whether several rates are one."""
    rows = rows_of(k, n)
    along = None if positions is None else trend_along(k, n, positions)
    return words.rates_lines(homogeneity(*rows), enumerated_homogeneity(*rows), len(k), along)


def by_strata(rows: Named = (), **shares: Column) -> Lines:
    """Return a comparison of two shares stratum by stratum."""
    tables = strata(**shares)
    cells = [table.cells for table in tables]
    found = [compared(table) for table in tables]
    return words.strata_lines(
        _names(rows, len(tables)), found, mantel_haenszel(cells), breslow_day(cells)
    )


def by_compare(rows: Named = (), level: Printed = LEVEL, **shares: Column) -> Lines:
    """Return a comparison of two shares, each row by itself."""
    tables = strata(**shares)
    found = [compared(table, level_of(level)) for table in tables]
    return words.compare_lines(_names(rows, len(tables)), found)


def _names(rows: Named, many: int) -> list[str]:
    """Return the names of rows, numbers if there are none."""
    names = [name for name, _ in rows] or [f"row {row}" for row in range(1, many + 1)]
    if len(names) != many:
        raise ValueError(f"must have one name for each of {many} rows, found {len(names)}")
    return names


def by_pairings(
    first: Column,
    second: Column,
    statistic: str,
    tried: Fraction = Fraction(1),
    bound: Printed | None = None,
) -> Lines:
    """Return where the printed pairing of two columns stands among all."""
    found = arranged(first, second, statistic)
    return words.pairing_lines(found, whole(tried), None if bound is None else only(bound))


def arranged(first: Column, second: Column, statistic: str) -> Arrangements:
    """Return a statistic, by its name, over all pairings of two columns."""
    if statistic not in [known.value for known in PairStatistic]:
        known = ", ".join(known.value for known in PairStatistic)
        raise ValueError(f"must have a statistic out of {known}, found {statistic!r}")
    return pairings(first, second, PairStatistic(statistic))


def by_constant_rate(part: Column, rest: Column, n: Column) -> Lines:
    """Return what arithmetic alone makes of a correlation of two parts of one whole."""
    counts, sizes = rows_of(part, n)
    return words.part_lines(part_whole(counts, rows_of(rest, n)[0], sizes))


def by_clusters(
    z: Fraction,
    observations: Fraction,
    clusters: Fraction,
    icc: Column = (Fraction(1, 20), Fraction(1, 10), Fraction(1, 5)),
) -> Lines:
    """Return a z statistic by how alike observations of one cluster are."""
    counts = whole(observations), whole(clusters)
    return words.cluster_lines([clustered(float(z), *counts, float(one)) for one in icc])


def by_power(first: Column, second: Column) -> Lines:
    """Return how little the order of so few rows can show."""
    return words.power_lines(power(first, second))


def by_sign_flips(first: Columns, second: Columns) -> Lines:
    """Return how the mean difference of few pairs stands among all arrangements of them."""
    experiments(first, second)
    return words.flip_lines(sign_flips(row_means(first), row_means(second)))


def by_direct_ratings(k: Column, n: Column, ratings: Column = ()) -> Lines:
    """Return how far the ratings lie apart that shares of wins stand for by themselves."""
    return words.spread_lines(rating_spreads(*rows_of(k, n), ratings))


def by_raters(
    agreement: Printed, kappa: Printed, n: Fraction, k: Fraction, of: Fraction, **shares: Fraction
) -> Lines:
    """Return every table behind a printed agreement and κ, and the shares corrected by it."""
    if shares and set(shares) != {"k1", "n1", "k2", "n2"}:
        raise ValueError("must have all of k1, n1, k2 and n2, or none")
    samples = two_by_two(**shares) if shares else None
    tables = tables_of_raters(whole(n), only(agreement), only(kappa))
    readings = [rater_reading(table, whole(k), whole(of), samples) for table in tables]
    at_base = kappa_at(only(agreement).value, k / of)
    return table_words.rater_lines(readings, float(at_base), whole(k), whole(of))


def by_effect_tables(
    odds_ratio: Printed,
    n1: Fraction,
    n2: Fraction,
    events: Fraction | None = None,
    p: str | None = None,
    **others: Printed,
) -> Lines:
    """Return every table behind a printed odds ratio and what it says beside it."""
    known = PrintedEffect(
        odds_ratio=only(odds_ratio),
        events=None if events is None else whole(events),
        p=None if p is None else read_number(p),
        **{name: only(number) for name, number in others.items()},
    )
    found = tables_behind(known, whole(n1), whole(n2))
    return table_words.implied_lines([implied(table) for table in found])

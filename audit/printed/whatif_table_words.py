"""Every table behind a printed number, in lines that a reader can follow, the first few of them."""

from __future__ import annotations

from collections.abc import Sequence

from ..numbers.estimate import Interval
from .implied import Implied
from .raters import RaterTable
from .whatif_raters import RaterReading
from .whatif_words import Lines, estimate_words, p_words, ratio_words, share_words, table_words

# More tables than this are not listed one by one.
LISTED = 12


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
        f"κ {estimate_words(one.kappa)}{_resampled_words(one.resampled)}, "
        f"sensitivity {estimate_words(one.sensitivity)}, "
        f"specificity {estimate_words(one.specificity)}, "
        f"share of yes corrected by them {estimate_words(one.corrected)}, "
        f"by how often either label is right {estimate_words(one.reweighted)}"
        f"{_odds_words(one.odds_ratio)}"
    )


def _resampled_words(span: Interval | None) -> str:
    return "" if span is None else f", over all resamples {span.low:.3g} to {span.high:.3g}"


def _odds_words(ratio: float | None) -> str:
    return "" if ratio is None else f", odds ratio of the two samples so {ratio_words(ratio)}"


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


def _counted(tables: int) -> str:
    return "1 table prints so" if tables == 1 else f"{tables or 'no'} tables print so"


def _not_listed(found: int) -> Lines:
    return (f"… and {found - LISTED} more",) if found > LISTED else ()

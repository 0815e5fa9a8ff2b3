"""What a printed agreement of two raters says of the whole material, table by table.

The first rater labelled all of it; the second, who is the reference, only the sample. Tables that
print the same agreement and κ can differ widely in the first rater's errors, and so in the
share that is left when these are taken off.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy.stats import hypergeom

from ..numbers.agreement import cohen_kappa
from ..numbers.estimate import Estimate, Interval
from ..numbers.misclassified import corrected_share, reweighted_share
from ..numbers.proportion import ProportionMethod, proportion
from ..numbers.resampling.bootstrap import AtomLimitError, enumerate_multinomial
from ..numbers.statistic import kappa_statistic
from .raters import RaterTable
from .shares import TwoByTwo, check_share

# Resamples of one table's items; all those of 80 items are no more.
_RESAMPLES = 100_000


@dataclass(frozen=True, slots=True)
class RaterReading:
    """One table of two raters, and what follows from it.

    Attributes
    ----------
    table : RaterTable
    kappa : Estimate
        With its asymptotic interval.
    resampled : Interval or None
        Of κ, from all resamples of the items; None where these are too many.
    sensitivity, specificity : Estimate
        Of the first rater, with Clopper and Pearson's intervals.
    corrected : Estimate
        The whole's share of yes by sensitivity and specificity: as if the sample had been drawn
        without looking at the first rater's labels.
    reweighted : Estimate
        The same by how often either label is right: as if it had been drawn by them.
    at_random : float
        How likely a random sample of the whole strays as far from its share of the first rater's
        yes, to the same side.
    odds_ratio : float or None
        Of two shares of the first rater's yes, each taken as `reweighted` is; None if there are
        none to compare, NaN where it is 0/0.
    """

    table: RaterTable
    kappa: Estimate
    resampled: Interval | None
    sensitivity: Estimate
    specificity: Estimate
    corrected: Estimate
    reweighted: Estimate
    at_random: float
    odds_ratio: float | None


def rater_reading(
    table: RaterTable, positive: int, total: int, samples: TwoByTwo | None = None
) -> RaterReading:
    """Return what follows from one table of two raters.

    Parameters
    ----------
    table : RaterTable
        Of the sample.
    positive, total : int
        How often the first rater said yes of the whole material, and of how many.
    samples : TwoByTwo, optional
        How often the first rater said yes of two parts of it.

    Raises
    ------
    ValueError
        If positive of total is no share, or the sample is larger than the whole.
    """
    check_share(positive, total)
    if table.items > total:
        raise ValueError(f"must not sample more than the whole, found {table.items} of {total}")
    hits, false_alarms = table.both_yes, table.only_first
    misses, rejections = table.only_second, table.both_no
    exact = ProportionMethod.CLOPPER_PEARSON
    checked = {
        "hits": hits,
        "misses": misses,
        "rejections": rejections,
        "false_alarms": false_alarms,
    }
    return RaterReading(
        table,
        cohen_kappa(table.cells).estimate,
        _resampled(table),
        proportion(hits, hits + misses, method=exact),
        proportion(rejections, rejections + false_alarms, method=exact),
        corrected_share(positive, total, **checked),
        reweighted_share(positive, total, **checked),
        _strays(hits + false_alarms, table.items, positive, total),
        None if samples is None else _odds_ratio(samples, checked),
    )


def _resampled(table: RaterTable) -> Interval | None:
    counts = [count for row in table.cells for count in row]
    try:
        return enumerate_multinomial(
            counts, kappa_statistic, limit=_RESAMPLES
        ).percentile_interval()
    except AtomLimitError:
        return None


def _odds_ratio(samples: TwoByTwo, checked: dict[str, int]) -> float:
    shares = (samples.k1, samples.n1), (samples.k2, samples.n2)
    first, second = (reweighted_share(k, n, **checked).value for k, n in shares)
    top, bottom = first * (1.0 - second), second * (1.0 - first)
    if bottom:
        return top / bottom
    return math.inf if top else math.nan


def _strays(said_yes: int, items: int, positive: int, total: int) -> float:
    law = hypergeom(total, positive, items)
    above = said_yes * total >= positive * items
    return float(law.sf(said_yes - 1) if above else law.cdf(said_yes))

"""What a two-by-two table says beside its odds ratio, whether or not the print says it too."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..numbers.estimate import Estimate
from ..numbers.independence import fisher
from ..numbers.odds import OddsInterval, odds_ratio, risk_difference, risk_ratio
from .shares import TwoByTwo


@dataclass(frozen=True, slots=True)
class Implied:
    """What a table says beside its odds ratio.

    Attributes
    ----------
    table : TwoByTwo
    odds_ratio, risk_ratio, risk_difference : Estimate
        With Woolf's, Katz's and Newcombe's 95 % intervals.
    fisher_p : float
        Two-sided.
    e_value : float
        How strongly something unmeasured would have to go with both sample and event, as a risk
        ratio, to explain the risk ratio away; at least 1, NaN where that is undefined.
    """

    table: TwoByTwo
    odds_ratio: Estimate
    risk_ratio: Estimate
    risk_difference: Estimate
    fisher_p: float
    e_value: float


def implied(table: TwoByTwo) -> Implied:
    """Return what a table says beside its odds ratio.

    References
    ----------
    VanderWeele and Ding on the E-value, doi:10.7326/M16-2607.
    """
    ratio = risk_ratio(table.cells)
    # A ratio below 1 explains as much as its inverse.
    strength = max(ratio.value, 1.0 / ratio.value) if 0.0 < ratio.value < math.inf else math.nan
    return Implied(
        table,
        odds_ratio(table.cells, interval=OddsInterval.WOOLF),
        ratio,
        risk_difference(table.cells),
        fisher(table.cells).p,
        strength + math.sqrt(strength * (strength - 1.0)),
    )

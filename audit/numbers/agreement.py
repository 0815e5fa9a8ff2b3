"""Agreement of two raters over a square table: Cohen's κ and what has to be read beside it.

Weighted tables are in `agreement_tables`, many raters and missing labels in `agreement_raters`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from ._check import FloatArray, IntArray, as_level, as_square, as_two_by_two
from .confusion import confusion_table, one_against_rest, sensitivity, specificity
from .estimate import Estimate, Interval, Undefined
from .proportion import ProportionMethod, proportion
from .statistic import Disagreement, disagreement_weights

__all__ = [
    "Disagreement",
    "Kappa",
    "Profile",
    "agreement_profile",
    "cohen_kappa",
    "confusion_table",
    "observed_agreement",
    "one_against_rest",
    "sensitivity",
    "specificity",
]


@dataclass(frozen=True, slots=True)
class Kappa:
    """Cohen's κ with both of its standard errors.

    Attributes
    ----------
    estimate : Estimate
        κ, in [-1, 1], with the normal interval, which may reach past 1.
    ase : float
        Asymptotic standard error; NaN where κ is undefined.
    ase0 : float
        Standard error were the raters independent, for tests of κ = 0; NaN likewise.
    observed, chance : float
        Weighted shares of agreement, seen and expected from the margins; NaN without items.
    disagreement : Disagreement
        How differences counted.
    """

    estimate: Estimate
    ase: float
    ase0: float
    observed: float
    chance: float
    disagreement: Disagreement

    @property
    def z(self) -> float:
        """κ in standard errors under independence; NaN where either is undefined or 0."""
        return self.estimate.value / self.ase0 if self.ase0 > 0.0 else math.nan


@dataclass(frozen=True, slots=True)
class Profile:
    """What explains a low κ beside a high agreement in a two-by-two table.

    Attributes
    ----------
    prevalence_index : Estimate
        (a - d)/n, in [-1, 1]: how unequal the two categories are.
    bias_index : Estimate
        (b - c)/n, in [-1, 1]: how unequally the raters use them.
    pabak : Estimate
        2·(a + d)/n - 1, in [-1, 1]: κ if both indices were 0; undefined where κ is.
    positive, negative : Estimate
        2a/(2a + b + c) and 2d/(2d + b + c), in [0, 1]: agreement on each category.
    """

    prevalence_index: Estimate
    bias_index: Estimate
    pabak: Estimate
    positive: Estimate
    negative: Estimate


def observed_agreement(
    table: npt.ArrayLike,
    *,
    level: float = 0.95,
    method: ProportionMethod = ProportionMethod.WILSON,
    counts_out: int = 0,
) -> Estimate:
    """Estimate the share of items on which two raters agree.

    Parameters
    ----------
    table : array_like of int, shape (k, k)
        The counts.
    level : float
        Confidence level, in (0, 1).
    method : ProportionMethod
        How the interval is made.
    counts_out : int
        Items left out beforehand, carried into the result.

    Returns
    -------
    Estimate
        The share, in [0, 1]; undefined (``EMPTY``) without items.

    Raises
    ------
    ValueError
        If the table, the level or the method are not allowed.
    """
    counts = as_square(table)
    agreed, total = int(np.trace(counts)), int(counts.sum())
    return proportion(agreed, total, level=level, method=method, counts_out=counts_out)


def cohen_kappa(
    table: npt.ArrayLike,
    *,
    disagreement: Disagreement = Disagreement.NOMINAL,
    level: float = 0.95,
    counts_out: int = 0,
) -> Kappa:
    """Estimate Cohen's κ, unweighted or weighted, with its asymptotic standard errors.

    Parameters
    ----------
    table : array_like of int, shape (k, k)
        The counts over every declared category, used or not: with weights an unused category
        changes the result.
    disagreement : Disagreement
        How differences count.
    level : float
        Confidence level, in (0, 1).
    counts_out : int
        Items left out beforehand, carried into the result.

    Returns
    -------
    Kappa
        Undefined without items (``EMPTY``) or if both raters used one category (``ONE_LABEL``).
        Where the standard error is 0 there is no interval (``NO_SPREAD``): it would claim too much.

    Raises
    ------
    ValueError
        If the table, the kind or the level are not allowed.

    References
    ----------
    Cohen, doi:10.1177/001316446002000104 and doi:10.1037/h0026256. Standard errors: Fleiss, Cohen
    and Everitt, doi:10.1037/h0028106.
    """
    counts, level, kind = as_square(table), as_level(level), Disagreement(disagreement)
    total = int(counts.sum())
    if total == 0:
        nothing = Estimate.undefined(Undefined.EMPTY, 0, counts_out)
        return Kappa(nothing, math.nan, math.nan, math.nan, math.nan, kind)
    weights = disagreement_weights(len(counts), kind)
    seen, chance = _disagreements(counts, weights)
    most = int(weights.max())
    observed, expected = 1 - seen / (total**2 * most), 1 - chance / (total**2 * most)
    if chance == 0:
        alike = Estimate.undefined(Undefined.ONE_LABEL, total, counts_out)
        return Kappa(alike, math.nan, math.nan, observed, expected, kind)
    value = (chance - seen) / chance
    ase, ase0 = _standard_errors(counts / total, 1.0 - weights / most, total)
    if ase == 0.0:
        found = Estimate(value, None, total, counts_out, Undefined.NO_SPREAD)
    else:
        half = float(ndtri((1.0 + level) / 2.0)) * ase
        span = Interval(value - half, value + half, level, "normal")
        found = Estimate(value, span, total, counts_out)
    return Kappa(found, ase, ase0, observed, expected, kind)


def agreement_profile(table: npt.ArrayLike, *, counts_out: int = 0) -> Profile:
    """Describe prevalence, bias and category-wise agreement of a two-by-two table.

    Parameters
    ----------
    table : array_like of int, shape (2, 2)
        The counts, the positive category first.
    counts_out : int
        Items left out beforehand, carried into the results.

    Returns
    -------
    Profile
        Points without intervals; undefined without items (``EMPTY``), for a category never used
        (``ZERO_DENOMINATOR``, its agreement) or one alone used by both (``ONE_LABEL``, PABAK).

    Raises
    ------
    ValueError
        If the table is not allowed.

    References
    ----------
    Byrt, Bishop and Carlin, doi:10.1016/0895-4356(93)90018-V. Cicchetti and Feinstein,
    doi:10.1016/0895-4356(90)90159-M.
    """
    (a, b), (c, d) = as_two_by_two(table).tolist()
    total = a + b + c + d

    def share(part: int, whole: int) -> Estimate:
        if whole == 0:
            reason = Undefined.ZERO_DENOMINATOR if total else Undefined.EMPTY
            return Estimate.undefined(reason, total, counts_out)
        return Estimate(part / whole, None, total, counts_out)

    alike = Estimate.undefined(Undefined.ONE_LABEL, total, counts_out)
    return Profile(
        prevalence_index=share(a - d, total),
        bias_index=share(b - c, total),
        pabak=alike if total and total in (a, d) else share(a + d - b - c, total),
        positive=share(2 * a, 2 * a + b + c),
        negative=share(2 * d, 2 * d + b + c),
    )


def _disagreements(counts: IntArray, weights: IntArray) -> tuple[int, int]:
    """Return disagreement, seen and by chance, as whole numbers over the total squared."""
    seen = int(counts.sum()) * int((counts * weights).sum())
    return seen, int(counts.sum(axis=1) @ weights @ counts.sum(axis=0))


def _standard_errors(shares: FloatArray, weights: FloatArray, total: int) -> tuple[float, float]:
    rows, columns = shares.sum(axis=1), shares.sum(axis=0)
    observed = float((weights * shares).sum())
    chance = float(rows @ weights @ columns)
    # How much agreement the other rater's margin gives to each row and to each column.
    pull = (weights @ columns)[:, None] + (rows @ weights)[None, :]
    spread = shares * (weights * (1.0 - chance) - pull * (1.0 - observed)) ** 2
    centre = (observed * chance - 2.0 * chance + observed) ** 2
    spread0 = np.outer(rows, columns) * (weights - pull) ** 2
    ase = math.sqrt(_gap(float(spread.sum()), centre) / total) / (1.0 - chance) ** 2
    ase0 = math.sqrt(_gap(float(spread0.sum()), chance**2) / total) / (1.0 - chance)
    return ase, ase0


def _gap(larger: float, smaller: float) -> float:
    # A variance as a difference of equals leaves 1e-17, not 0, and its root would look like 1e-9.
    return 0.0 if larger - smaller <= 1e-13 * larger else larger - smaller

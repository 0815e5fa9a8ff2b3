"""Every measure of two raters that is a function of their table, also of weighted tables.

The tables may hold weights instead of counts (the inverse of an item's inclusion probability), and
many tables go in at once, which is what resampling needs. Whole counts are better served by
`agreement` and `confusion`, whose intervals stand on them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from ._check import FloatArray
from .estimate import Choice, Estimate, Undefined
from .statistic import Disagreement, disagreement_weights

__all__ = ["Measure", "as_tables", "measure_estimate", "table_measure"]


class Measure(Choice):
    """A number that describes how two raters agree; rows are the first rater, the reference."""

    AGREEMENT = "agreement"
    """The share of items on which they agree."""
    KAPPA = "kappa"
    """Cohen's κ, doi:10.1177/001316446002000104."""
    LINEAR_KAPPA = "linear kappa"
    """Cohen's κ with disagreement by steps, doi:10.1037/h0026256."""
    QUADRATIC_KAPPA = "quadratic kappa"
    """The same by squared steps."""
    AC1 = "ac1"
    """Gwet's coefficient, doi:10.1348/000711006X126600."""
    PABAK = "pabak"
    """(k · agreement - 1)/(k - 1) of k categories: κ if all categories were as frequent."""
    PREVALENCE = "prevalence index"
    """Joint yes minus joint no, over the total; of two categories."""
    BIAS = "bias index"
    """Yes of the first rater alone minus yes of the second alone, over the total; of two."""
    POSITIVE = "positive agreement"
    """Twice the joint yes over the sum of both raters' yes; of two categories."""
    NEGATIVE = "negative agreement"
    """The same of no."""
    SENSITIVITY = "sensitivity"
    """The second rater's yes among the first's yes; of two categories."""
    SPECIFICITY = "specificity"
    """The second rater's no among the first's no."""
    POSITIVE_VALUE = "positive predictive value"
    """The first rater's yes among the second's yes."""
    NEGATIVE_VALUE = "negative predictive value"
    """The first rater's no among the second's no."""


# What corrects for chance says nothing of items that all got one and the same label.
_BY_CHANCE = frozenset(
    {Measure.KAPPA, Measure.LINEAR_KAPPA, Measure.QUADRATIC_KAPPA, Measure.AC1, Measure.PABAK}
)
_DISAGREEMENT = {
    Measure.KAPPA: Disagreement.NOMINAL,
    Measure.LINEAR_KAPPA: Disagreement.LINEAR,
    Measure.QUADRATIC_KAPPA: Disagreement.QUADRATIC,
}


def table_measure(measure: Measure, tables: npt.ArrayLike) -> FloatArray:
    """Return a measure of many tables.

    Parameters
    ----------
    measure : Measure
        Those from the prevalence index on need two categories, the positive one first.
    tables : array_like of float, shape (atoms, k, k)
        Weights of at least 0, over every declared category, used or not.

    Returns
    -------
    ndarray of float64, shape (atoms,)
        NaN where undefined; measures that correct for chance are so too where both raters used
        one and the same category.

    Raises
    ------
    ValueError
        If the measure or the tables are not allowed.
    """
    measure, cells = Measure(measure), as_tables(tables)
    if measure in _DISAGREEMENT:
        return _kappa(cells, _DISAGREEMENT[measure])
    if measure in _BY_CHANCE or measure is Measure.AGREEMENT:
        return _by_agreement(measure, cells)
    if cells.shape[1] != 2:
        raise ValueError(f"{measure.value} needs two categories, found {cells.shape[1]}")
    a, b, c, d = cells.reshape(len(cells), 4).T
    top, bottom = _TWO[measure](a, b, c, d)
    return _ratio(top, bottom)


def measure_estimate(
    measure: Measure, table: npt.ArrayLike, counts_in: int, counts_out: int = 0
) -> Estimate:
    """Return a measure of one table, with a reason where it is not defined.

    Parameters
    ----------
    measure : Measure
    table : array_like of float, shape (k, k)
    counts_in, counts_out : int
        Items in the table, and items left out of it.

    Returns
    -------
    Estimate
        Without an interval. Undefined without weight (``EMPTY``), for one label used by both
        (``ONE_LABEL``), and where a margin is empty (``ZERO_DENOMINATOR``).

    Raises
    ------
    ValueError
        As `table_measure`.
    """
    cells = as_tables(np.asarray(table, dtype=np.float64)[None])
    value = float(table_measure(measure, cells)[0])
    if not np.isnan(value):
        return Estimate(value, None, counts_in, counts_out)
    reason = Undefined.ONE_LABEL if Measure(measure) in _BY_CHANCE else Undefined.ZERO_DENOMINATOR
    if not cells.any():
        reason = Undefined.EMPTY
    return Estimate.undefined(reason, counts_in, counts_out)


def as_tables(tables: npt.ArrayLike) -> FloatArray:
    """Return square tables of finite weights of at least 0, over two or more categories."""
    cells = np.asarray(tables, dtype=np.float64)
    if cells.ndim != 3 or cells.shape[1] != cells.shape[2] or cells.shape[1] < 2:
        raise ValueError(f"tables must be square over 2 or more categories, found {cells.shape}")
    if not (np.isfinite(cells) & (cells >= 0.0)).all():
        raise ValueError("tables must hold finite weights of at least 0")
    return cells


def _kappa(cells: FloatArray, disagreement: Disagreement) -> FloatArray:
    weights = disagreement_weights(cells.shape[1], disagreement).astype(np.float64)
    rows, columns = cells.sum(axis=2), cells.sum(axis=1)
    seen = rows.sum(axis=1) * (cells * weights).sum(axis=(1, 2))
    chance = ((rows @ weights) * columns).sum(axis=1)
    return _ratio(chance - seen, chance)


def _by_agreement(measure: Measure, cells: FloatArray) -> FloatArray:
    size, total = cells.shape[1], cells.sum(axis=(1, 2))
    agreed = np.trace(cells, axis1=1, axis2=2)
    observed = _ratio(agreed, total)
    if measure is Measure.AGREEMENT:
        return observed
    margins = cells.sum(axis=2) + cells.sum(axis=1)
    shares = _ratio(margins, 2.0 * total[:, None])
    one = (margins > 0.0).sum(axis=1) < 2
    if measure is Measure.AC1:
        chance = (shares * (1.0 - shares)).sum(axis=1) / (size - 1)
    else:
        chance = np.full(len(cells), 1.0 / size)
    return np.where(one, np.nan, (observed - chance) / (1.0 - chance))


_Terms = tuple[FloatArray, FloatArray]
_TWO: dict[Measure, Callable[[FloatArray, FloatArray, FloatArray, FloatArray], _Terms]] = {
    Measure.PREVALENCE: lambda a, b, c, d: (a - d, a + b + c + d),
    Measure.BIAS: lambda a, b, c, d: (b - c, a + b + c + d),
    Measure.POSITIVE: lambda a, b, c, d: (2.0 * a, 2.0 * a + b + c),
    Measure.NEGATIVE: lambda a, b, c, d: (2.0 * d, 2.0 * d + b + c),
    Measure.SENSITIVITY: lambda a, b, c, d: (a, a + b),
    Measure.SPECIFICITY: lambda a, b, c, d: (d, c + d),
    Measure.POSITIVE_VALUE: lambda a, b, c, d: (a, a + c),
    Measure.NEGATIVE_VALUE: lambda a, b, c, d: (d, b + d),
}


def _ratio(top: FloatArray, bottom: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(top / bottom, dtype=np.float64)

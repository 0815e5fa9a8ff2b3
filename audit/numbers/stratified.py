"""Two-by-two tables in strata: one odds ratio for all of them, and whether one will do.

Rows are the two samples, columns are event and no event, as in `odds`. A stratum in which a row or
a column is empty says nothing about the odds ratio and drops out by arithmetic.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri
from scipy.stats import chi2

from ._check import FloatArray, as_level, as_two_by_two
from .cornfield import expected_cell
from .estimate import Alternative, Estimate, Interval, PValue, Undefined

__all__ = ["breslow_day", "mantel_haenszel", "mantel_haenszel_test"]


def mantel_haenszel(
    tables: Sequence[npt.ArrayLike], *, level: float = 0.95, counts_out: int = 0
) -> Estimate:
    """Estimate an odds ratio that strata share, by Mantel and Haenszel.

    Parameters
    ----------
    tables : sequence of array_like of int, each of shape (2, 2)
        The counts, one table a stratum, at least one.
    level : float
        Confidence level, in (0, 1).
    counts_out : int
        Observations left out beforehand, carried into the result.

    Returns
    -------
    Estimate
        Σ(ad/n) / Σ(bc/n) with the interval of Robins, Breslow and Greenland; 0 or ∞ without
        interval if one sum is 0 (``SEPARATED``), undefined if both are (``ZERO_DENOMINATOR``).

    Raises
    ------
    ValueError
        If there is no table, or a table or the level is not allowed.

    References
    ----------
    Mantel and Haenszel, doi:10.1093/jnci/22.4.719. Robins, Breslow and Greenland,
    doi:10.2307/2531052.
    """
    a, b, c, d = _cells(tables)
    level, total = as_level(level), int((a + b + c + d).sum())
    n = np.maximum(a + b + c + d, 1.0)
    along, across = a * d / n, b * c / n
    top, bottom = float(along.sum()), float(across.sum())
    if top == bottom == 0.0:
        return Estimate.undefined(Undefined.ZERO_DENOMINATOR, total, counts_out)
    if 0.0 in (top, bottom):
        edge = 0.0 if top == 0.0 else math.inf
        return Estimate(edge, None, total, counts_out, Undefined.SEPARATED)
    same, other = (a + d) / n, (b + c) / n
    variance = float(
        (same * along).sum() / (2.0 * top**2)
        + (same * across + other * along).sum() / (2.0 * top * bottom)
        + (other * across).sum() / (2.0 * bottom**2)
    )
    value, factor = top / bottom, math.exp(float(ndtri((1.0 + level) / 2.0)) * math.sqrt(variance))
    span = Interval(value / factor, value * factor, level, "robins-breslow-greenland")
    return Estimate(value, span, total, counts_out)


def mantel_haenszel_test(tables: Sequence[npt.ArrayLike]) -> PValue:
    """Test that the odds ratio is 1 in every stratum, without continuity correction.

    Parameters
    ----------
    tables : sequence of array_like of int, each of shape (2, 2)
        The counts, one table a stratum, at least one.

    Returns
    -------
    PValue
        Chi-square with one degree of freedom; undefined (``ZERO_DENOMINATOR``) if no stratum has
        both rows and both columns filled.

    Raises
    ------
    ValueError
        If there is no table or a table is not allowed.

    References
    ----------
    Mantel and Haenszel, doi:10.1093/jnci/22.4.719.
    """
    a, b, c, d = _cells(tables)
    n = a + b + c + d
    kept = n > 1.0
    a, b, c, d, n = a[kept], b[kept], c[kept], d[kept], n[kept]
    variance = float(((a + b) * (c + d) * (a + c) * (b + d) / (n**2 * (n - 1.0))).sum())
    if variance == 0.0:
        return _no_p("mantel-haenszel", int(n.sum()), Undefined.ZERO_DENOMINATOR)
    statistic = float((a - (a + b) * (a + c) / n).sum()) ** 2 / variance
    return _chi_square(statistic, 1, "mantel-haenszel", int(n.sum()))


def breslow_day(tables: Sequence[npt.ArrayLike], *, tarone: bool = True) -> PValue:
    """Test that strata share one odds ratio, by Breslow and Day.

    Parameters
    ----------
    tables : sequence of array_like of int, each of shape (2, 2)
        The counts, one table a stratum, at least two.
    tarone : bool
        Whether to take Tarone's correction, which makes the statistic a chi-square for large
        samples.

    Returns
    -------
    PValue
        Chi-square with one degree of freedom fewer than informative strata; undefined without a
        finite common odds ratio (``SEPARATED``) or below two informative strata (``TOO_FEW``).

    Raises
    ------
    ValueError
        If there is no table or a table is not allowed.

    References
    ----------
    Breslow and Day, Statistical Methods in Cancer Research, volume 1, 4.4. Tarone,
    doi:10.1093/biomet/72.1.91.
    """
    a, b, c, d = _cells(tables)
    name, total = "breslow-day, tarone" if tarone else "breslow-day", int((a + b + c + d).sum())
    filled = (a + b) * (c + d) * (a + c) * (b + d) > 0.0
    if np.count_nonzero(filled) < 2:
        return _no_p(name, total, Undefined.TOO_FEW)
    common = mantel_haenszel(tables)
    if common.interval is None:
        return _no_p(name, total, Undefined.SEPARATED)
    a, b, c, d = a[filled], b[filled], c[filled], d[filled]
    rows = zip(a + b, c + d, a + c, strict=True)
    fitted = np.array([expected_cell(*row, common.value) for row in rows])
    cells = np.array([fitted, a + b - fitted, a + c - fitted, d - a + fitted])
    variance = 1.0 / (1.0 / cells).sum(axis=0)
    statistic = float(((a - fitted) ** 2 / variance).sum())
    if tarone:
        statistic -= float((a - fitted).sum()) ** 2 / float(variance.sum())
    return _chi_square(statistic, len(a) - 1, name, total)


def _cells(
    tables: Sequence[npt.ArrayLike],
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    if not len(tables):
        raise ValueError("tables must hold at least one stratum, found none")
    stacked = np.array([as_two_by_two(table) for table in tables], dtype=np.float64)
    return stacked[:, 0, 0], stacked[:, 0, 1], stacked[:, 1, 0], stacked[:, 1, 1]


def _chi_square(statistic: float, df: int, method: str, total: int) -> PValue:
    p = float(chi2.sf(statistic, df))
    return PValue(statistic, p, Alternative.TWO_SIDED, method, total)


def _no_p(method: str, total: int, reason: Undefined) -> PValue:
    return PValue(math.nan, math.nan, Alternative.TWO_SIDED, method, total, reason)

"""p-values of a family, corrected for being many."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from audit.numbers._check import FloatArray
from audit.numbers.estimate import Choice

__all__ = ["Adjusted", "Correction", "adjusted"]


class Correction(Choice):
    """What is held at the level."""

    HOLM = "holm"
    """The chance of any wrong rejection, whatever depends on what."""
    BENJAMINI_HOCHBERG = "benjamini-hochberg"
    """The expected share of wrong ones among rejections, of independent or alike tests."""


_STATSMODELS = {Correction.HOLM: "holm", Correction.BENJAMINI_HOCHBERG: "fdr_bh"}


@dataclass(frozen=True, slots=True, eq=False)
class Adjusted:
    """A family of tests.

    Attributes
    ----------
    p : ndarray of float64, shape (tests,)
        Adjusted p-values in the order given; NaN where a test had none.
    tested, undefined : int
        How many had a p-value and make up the family, and how many had none.
    """

    p: FloatArray
    tested: int
    undefined: int


def adjusted(p_values: npt.ArrayLike, correction: Correction) -> Adjusted:
    """Return the adjusted p-values of a family.

    Parameters
    ----------
    p_values : array_like of float, shape (tests,)
        In [0, 1], or NaN where a test is undefined: kept out of the family, and counted.
    correction : Correction

    Returns
    -------
    Adjusted

    Raises
    ------
    ValueError
        If a p-value is outside [0, 1] or the correction is not one of those.

    References
    ----------
    Holm, Scandinavian Journal of Statistics 6 (1979); Benjamini & Hochberg, Journal of the Royal
    Statistical Society B 57 (1995), doi:10.1111/j.2517-6161.1995.tb02031.x.
    """
    from statsmodels.stats.multitest import multipletests

    found, method = np.asarray(p_values, dtype=np.float64), _STATSMODELS[Correction(correction)]
    if found.ndim != 1:
        raise ValueError(f"p_values must be a vector, found shape {found.shape}")
    known = ~np.isnan(found)
    wrong = found[known & ~((found >= 0.0) & (found <= 1.0))]
    if wrong.size:
        raise ValueError(f"p_values must lie in [0, 1], found {wrong[0]}")
    result = np.full(len(found), np.nan)
    if known.any():
        result[known] = multipletests(found[known], method=method)[1]
    return Adjusted(result, int(known.sum()), int((~known).sum()))

"""p-values behind printed test statistics, with what rounding leaves open.

A statistic printed as 2.20 was anything from 2.195 to 2.205; the p-values of that span are what a
printed p may be. One-sided tests are looked at apart.

References
----------
Nuijten et al., doi:10.3758/s13428-015-0664-2.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from scipy.special import chdtrc, fdtrc, ndtr, stdtr

from .rounding import Comparator, PrintedNumber, magnitude, read_number

_TEST = re.compile(
    r"""\s*(?P<name>chi2|χ2|χ²|X2|[tFzr])\s*
        (?:\(\s*(?P<df>[\d.]+)\s*(?:,\s*(?:N\s*=\s*\d+|(?P<df2>[\d.]+))\s*)?\))?\s*
        =\s*(?P<value>[-−]?[\d.]+)\s*,\s*p\s*(?P<comparator>[<>=≤≥])\s*(?P<p>[\d.]+(?:[eE]-\d+)?)\s*""",
    re.VERBOSE,
)


class Statistic(StrEnum):
    """A test statistic whose law is known from its degrees of freedom."""

    Z = "z"
    T = "t"
    F = "F"
    R = "r"
    CHI_SQUARE = "χ²"


_NAMES = {"chi2": Statistic.CHI_SQUARE, "χ2": Statistic.CHI_SQUARE, "X2": Statistic.CHI_SQUARE}
_DEGREES = {
    Statistic.Z: 0,
    Statistic.T: 1,
    Statistic.F: 2,
    Statistic.R: 1,
    Statistic.CHI_SQUARE: 1,
}


@dataclass(frozen=True, slots=True)
class PSpan:
    """The p-values that a printed statistic leaves possible.

    Attributes
    ----------
    low, at, high : float
        At the far end of the statistic's span, at the statistic as printed, at the near end.
    """

    low: float
    at: float
    high: float

    def prints(self, printed: PrintedNumber) -> bool:
        """Return whether some p in the span prints so, or satisfies the bound printed."""
        if printed.comparator is Comparator.EQUAL:
            half = float(printed.step / 2)
            # The edges of a rounding span are decimals, the p-values floats.
            near = 1e-12
            value = float(printed.value)
            return self.low <= value + half + near and self.high >= value - half - near
        return {
            Comparator.LESS: self.low < printed.value,
            Comparator.AT_MOST: self.low <= printed.value,
            Comparator.GREATER: self.high > printed.value,
            Comparator.AT_LEAST: self.high >= printed.value,
        }[printed.comparator]


@dataclass(frozen=True, slots=True)
class CheckedTest:
    """A printed test beside its recomputed p-value.

    Attributes
    ----------
    statistic : Statistic
    printed : PrintedNumber
        The p-value as printed.
    two_sided, one_sided : PSpan
    consistent : bool
        Whether some two-sided p prints so.
    consistent_one_sided : bool
        Whether some one-sided p does; for a chi-square or an F there is none.
    changes_decision : bool
        Whether the printed p and every possible two-sided p lie on different sides of the level.
    """

    statistic: Statistic
    printed: PrintedNumber
    two_sided: PSpan
    one_sided: PSpan
    consistent: bool
    consistent_one_sided: bool
    changes_decision: bool


def p_value(statistic: Statistic, value: float, df: tuple[float, ...] = ()) -> float:
    """Return the two-sided p-value of a statistic.

    Parameters
    ----------
    statistic : Statistic
    value : float
        For r in [-1, 1], for F and χ² at least 0.
    df : tuple of float
        None for z, two for F, else one; each above 0.

    Raises
    ------
    ValueError
        If the value or the degrees of freedom are not allowed.
    """
    statistic = Statistic(statistic)
    if len(df) != _DEGREES[statistic] or any(degrees <= 0 for degrees in df):
        wanted = _DEGREES[statistic]
        raise ValueError(f"must have {wanted} degrees of freedom above 0 for {statistic}")
    if statistic is Statistic.R and abs(value) > 1:
        raise ValueError(f"must be a correlation in [-1, 1], found {value}")
    if statistic in _ONE_TAILED and value < 0:
        raise ValueError(f"must be at least 0 for {statistic}, found {value}")
    return _LAWS[statistic](abs(value), *df)


def p_span(statistic: Statistic, value: PrintedNumber, df: tuple[float, ...] = ()) -> PSpan:
    """Return the two-sided p-values that a printed statistic leaves possible.

    Parameters
    ----------
    statistic : Statistic
    value : PrintedNumber
        Its rounding counts, unless it is a bare whole number (which was rounded to a whole one).
    df : tuple of float
        As for `p_value`.

    Raises
    ------
    ValueError
        As `p_value`.
    """
    statistic = Statistic(statistic)
    at, half = float(magnitude(value.value)), float(value.step / 2)
    p_value(statistic, float(value.value), df)
    near, far = max(at - half, 0.0), at + half
    if statistic is Statistic.R:
        far = min(far, 1.0)
    low, middle, high = (p_value(statistic, one, df) for one in (far, at, near))
    return PSpan(low, middle, high)


def check_test(text: str, *, level: Fraction = Fraction(5, 100)) -> CheckedTest:
    """Return whether a test as papers print it agrees with itself.

    Parameters
    ----------
    text : str
        Such as ``t(28) = 2.20, p = .03``, ``F(2, 30) = 4.1, p < .05``, ``χ²(1, N = 90) = 3.4,
        p = .07``, ``z = 2.2, p = .03`` or ``r(20) = .40, p > .05``.
    level : Fraction
        Where significance begins, in (0, 1).

    Raises
    ------
    ValueError
        If the text is no such test, or its numbers are not allowed.
    """
    found = _TEST.fullmatch(text)
    if found is None:
        raise ValueError(f"must be a test such as t(28) = 2.20, p = .03, found {text!r}")
    name = found["name"]
    statistic = _NAMES[name] if name in _NAMES else Statistic(name)
    df = tuple(float(part) for part in (found["df"], found["df2"]) if part is not None)
    value = read_number(found["value"])
    printed = read_number(found["comparator"] + found["p"])
    two = p_span(statistic, value, df)
    one = two if statistic in _ONE_TAILED else PSpan(two.low / 2, two.at / 2, two.high / 2)
    said, consistent = _significant(printed, level), two.prints(printed)
    recomputed = two.high <= level if (two.high <= level) == (two.low <= level) else None
    changes = not consistent and None not in (said, recomputed) and said != recomputed
    return CheckedTest(statistic, printed, two, one, consistent, one.prints(printed), changes)


def _significant(printed: PrintedNumber, level: Fraction) -> bool | None:
    """Return whether a printed p says significant, None if it leaves that open."""
    if printed.comparator is Comparator.EQUAL:
        return printed.value <= level
    if printed.comparator in (Comparator.LESS, Comparator.AT_MOST):
        return True if printed.value <= level else None
    return False if printed.value >= level else None


def _of_t(value: float, df: float) -> float:
    return 2.0 * float(stdtr(df, -value))


def _of_r(value: float, df: float) -> float:
    return 0.0 if value == 1.0 else _of_t(value * math.sqrt(df / (1.0 - value**2)), df)


_LAWS: dict[Statistic, Callable[..., float]] = {
    Statistic.Z: lambda value: 2.0 * float(ndtr(-value)),
    Statistic.T: _of_t,
    Statistic.F: lambda value, df, below: float(fdtrc(df, below, value)),
    Statistic.R: _of_r,
    Statistic.CHI_SQUARE: lambda value, df: float(chdtrc(df, value)),
}
_ONE_TAILED = frozenset({Statistic.F, Statistic.CHI_SQUARE})

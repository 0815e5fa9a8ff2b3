"""Regions of the line: where a quantity must lie for a claim to be true."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

_NUMBER = r"[-+]?(?:\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|inf)"
_HALF = re.compile(rf"(?P<comparator><=|>=|<|>|≤|≥)\s*(?P<bound>{_NUMBER})", re.ASCII)
_BOTH = re.compile(
    rf"(?P<open>[\[(])\s*(?P<low>{_NUMBER})\s*,\s*(?P<high>{_NUMBER})\s*(?P<close>[\])])", re.ASCII
)
_RULE = 'must be a region such as "> 0.5", "<= 7" or "[1, inf)"'


@dataclass(frozen=True, slots=True)
class Region:
    """An interval of the extended line, each end in it or not.

    Attributes
    ----------
    low, high : float
        low ≤ high; either may be infinite, and an infinite end never belongs to the region.
    low_in, high_in : bool
    """

    low: float
    high: float
    low_in: bool
    high_in: bool

    def __contains__(self, value: float) -> bool:
        above = value > self.low or (self.low_in and value == self.low)
        below = value < self.high or (self.high_in and value == self.high)
        return above and below

    def covers(self, low: float, high: float) -> bool:
        """Return whether the whole closed interval from ``low`` to ``high`` lies inside.

        An infinite end of the interval counts as no bound at all, so a region that is unbounded on
        that side covers it.
        """
        right = low in self or low == self.low == -math.inf
        left = high in self or high == self.high == math.inf
        return right and left and low <= high

    def gap(self, low: float, high: float) -> float:
        """Return how far the closed interval lies from the region: 0 where they meet or touch."""
        return max(self.low - high, low - self.high, 0.0)


def read_region(text: str) -> Region:
    """Return a region from its string.

    Parameters
    ----------
    text : str
        A comparator and a bound (``"> 0.5"``), or an interval with round or square brackets
        (``"[1, inf)"``).

    Raises
    ------
    ValueError
        If the string is no region, the region is empty, or an infinite end is said to be in it.
    """
    if half := _HALF.fullmatch(text.strip()):
        bound, comparator = float(half["bound"]), half["comparator"]
        with_bound = comparator in ("<=", ">=", "≤", "≥")
        if comparator in ("<", "<=", "≤"):
            return _sound(Region(-math.inf, bound, False, with_bound))
        return _sound(Region(bound, math.inf, with_bound, False))
    both = _BOTH.fullmatch(text.strip())
    if both is None:
        raise ValueError(_RULE)
    low, high = float(both["low"]), float(both["high"])
    return _sound(Region(low, high, both["open"] == "[", both["close"] == "]"))


def _sound(region: Region) -> Region:
    point = region.low == region.high and region.low_in and region.high_in
    if not (region.low < region.high or point):
        raise ValueError("must not be an empty region")
    infinite = (region.low_in and math.isinf(region.low)) or (
        region.high_in and math.isinf(region.high)
    )
    if infinite:
        raise ValueError("must not hold an infinite end (write a round bracket)")
    return region

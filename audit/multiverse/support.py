"""How far the specifications agree on a statement, what fails nearest, and which axis moves it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from audit.claims.region import Region
from audit.claims.standing import Support
from audit.numbers._check import FloatArray

from .specification import SHORT, Specification, source_of

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]
Rows = npt.NDArray[np.intp]
FEWEST = 20
"""Specifications without which a level of an axis is no condition under which something holds."""


@dataclass(frozen=True, slots=True)
class Driver:
    """An axis and how much of a quantity's variance lies between its levels.

    Attributes
    ----------
    axis : str
    share : float
        Between-level sum of squares over the total, in [0, 1].
    """

    axis: str
    share: float


@dataclass(frozen=True, slots=True)
class Nearest:
    """The failing specification that differs least from the base.

    Attributes
    ----------
    specification : Specification
    axes : tuple of str
        On which it differs.
    value : float
    """

    specification: Specification
    axes: tuple[str, ...]
    value: float


@dataclass(frozen=True, slots=True)
class Agreement:
    """One statement over many specifications.

    Attributes
    ----------
    tried, undefined : int
        Specifications with a value, and without one; the latter are in no share.
    holds : int
    least, median, most : float
        Of the value; NaN without one.
    condition : str
        The level of one axis under which it holds most often, as ``axis=level``; blank if none.
    share_under : float
        How often it holds there.
    drivers : tuple of Driver
        Every axis that was turned, the strongest first.
    nearest : Nearest or None
        None where nothing that was tried fails.
    """

    tried: int
    undefined: int
    holds: int
    least: float
    median: float
    most: float
    condition: str
    share_under: float
    drivers: tuple[Driver, ...]
    nearest: Nearest | None

    @property
    def share(self) -> float:
        """The share of the specifications with a value in which it holds; NaN without one."""
        return self.holds / self.tried if self.tried else math.nan

    @property
    def support(self) -> Support | None:
        """What the rule for standings asks of a sweep; None where no specification has a value."""
        if not self.tried:
            return None
        return Support(self.share, self.condition, self.share_under)


@dataclass(frozen=True, slots=True, eq=False)
class Tried:
    """Specifications with their choices as codes.

    Attributes
    ----------
    specifications : tuple of Specification
        Distinct.
    base : Specification
        The study's own.
    words, codes : dict
        Axis to its levels, and to the position of every specification's level among them; all
        draws of labels corrected by people are one level.
    changed : ndarray of int64, shape (specifications,)
        On how many axes each differs from the base.
    """

    specifications: tuple[Specification, ...]
    base: Specification
    words: dict[str, tuple[str, ...]]
    codes: dict[str, Ints]
    changed: Ints

    @classmethod
    def of(cls, specs: Sequence[Specification], base: Specification) -> Self:
        """Return specifications with their choices taken apart."""
        words, codes, own = {}, {}, base.choices()
        changed = np.zeros(len(specs), dtype=np.int64)
        said = [spec.choices() for spec in specs]
        for axis in SHORT:
            levels = [source_of(choices[axis]) for choices in said]
            names = tuple(sorted(set(levels), key=_rank))
            place = {name: at for at, name in enumerate(names)}
            words[axis] = names
            codes[axis] = np.array([place[level] for level in levels], dtype=np.int64)
            changed += np.array([level != own[axis] for level in levels], dtype=np.int64)
        return cls(tuple(specs), base, words, codes, changed)


def _rank(word: str) -> tuple[float, str]:
    """Return what to sort a level by: numbers by size, before words."""
    try:
        return float(word), word
    except ValueError:
        return math.inf, word


def agreement_on(
    region: Region,
    tried: Tried,
    values: FloatArray,
    counted: Bools,
    inside: Bools | None = None,
) -> Agreement:
    """Return how far specifications agree that a quantity lies in a region.

    Parameters
    ----------
    region : Region
    tried : Tried
    values : ndarray of float64, shape (specifications,)
        NaN where undefined.
    counted : ndarray of bool, shape (specifications,)
        Which stand in the shares; the others are looked at for the nearest failure alone.
    inside : ndarray of bool, shape (specifications,), optional
        In which it holds, where more is known than the value; by the value by default.
    """
    known = ~np.isnan(values)
    if inside is None:
        inside = np.array([within(region, value) for value in values.tolist()], dtype=np.bool_)
    rows = np.flatnonzero(known & counted)
    told = values[rows]
    condition, share_under = _condition(tried, inside, rows)
    return Agreement(
        tried=len(rows),
        undefined=int((~known & counted).sum()),
        holds=int(inside[rows].sum()),
        least=float(told.min()) if len(rows) else math.nan,
        median=float(np.median(told)) if len(rows) else math.nan,
        most=float(told.max()) if len(rows) else math.nan,
        condition=condition,
        share_under=share_under,
        drivers=drivers(tried, values, rows),
        nearest=_nearest(tried, values, np.flatnonzero(known & ~inside)),
    )


def within(region: Region, value: float) -> bool:
    """Return whether a value lies in a region; an infinite one does where the region has no end."""
    return value in region or (math.isinf(value) and value in (region.low, region.high))


def drivers(tried: Tried, values: FloatArray, rows: Rows) -> tuple[Driver, ...]:
    """Return how much of the variance lies between the levels of each axis, the strongest first.

    Parameters
    ----------
    tried : Tried
    values : ndarray of float64, shape (specifications,)
    rows : ndarray of int
        Those that are looked at; infinite values are left out.
    """
    kept = rows[np.isfinite(values[rows])]
    told = values[kept]
    total = float(((told - told.mean()) ** 2).sum()) if len(told) else 0.0
    found = []
    for axis, codes in tried.codes.items():
        _, at = np.unique(codes[kept], return_inverse=True)
        counts, sums = np.bincount(at), np.bincount(at, told)
        if len(counts) > 1:
            between = float((counts * (sums / counts - told.mean()) ** 2).sum())
            found.append(Driver(axis, min(between / total, 1.0) if total > 0.0 else 0.0))
    return tuple(sorted(found, key=lambda driver: (-driver.share, driver.axis)))


def _condition(tried: Tried, inside: Bools, rows: Rows) -> tuple[str, float]:
    """Return the level of one axis under which a statement holds most often."""
    best, share = "", 0.0
    for axis, codes in tried.codes.items():
        own = codes[rows]
        for code in np.unique(own) if len(set(own.tolist())) > 1 else ():
            here = inside[rows[own == code]]
            if len(here) >= FEWEST and here.mean() > share:
                best, share = f"{SHORT[axis]}={tried.words[axis][code]}", float(here.mean())
    return best, share


def _nearest(tried: Tried, values: FloatArray, failing: Rows) -> Nearest | None:
    """Return the failure on the fewest axes, of several the first by signature."""
    if not len(failing):
        return None
    fewest = failing[tried.changed[failing] == tried.changed[failing].min()]
    row = min(map(int, fewest), key=lambda at: tried.specifications[at].signature)
    spec, own = tried.specifications[row], tried.base.choices()
    axes = tuple(axis for axis, word in spec.choices().items() if word != own[axis])
    return Nearest(spec, axes, float(values[row]))

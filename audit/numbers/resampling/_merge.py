"""From values and probabilities of resamples to a law: ties merged, the undefined set apart."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from audit.numbers._check import FloatArray, IntArray

from .law import Engine, Law

__all__ = ["float_law", "rational_law"]


def float_law(
    values: FloatArray,
    weights: FloatArray,
    groups: Sequence[IntArray],
    tolerance: float,
    engine: Engine,
) -> Law:
    """Return the law of values with float probabilities."""
    undefined = np.isnan(values)
    kept, starts, order = _ties(values[~undefined], tolerance)
    defined = weights[~undefined][order]
    merged = np.add.reduceat(defined, starts) if len(starts) else defined
    missing = float(weights[undefined].sum())
    return Law(kept, merged, missing, len(values), engine, _degenerate(groups))


def rational_law(
    values: FloatArray,
    ways: npt.NDArray[np.object_],
    everything: int,
    groups: Sequence[IntArray],
    tolerance: float,
) -> Law:
    """Return the law of values with whole numbers of ways out of everything."""
    undefined = np.isnan(values)
    kept, starts, order = _ties(values[~undefined], tolerance)
    defined = ways[~undefined][order]
    merged = np.add.reduceat(defined, starts) if len(starts) else defined
    exact = tuple(Fraction(int(way), everything) for way in merged)
    missing = Fraction(sum(ways[undefined].tolist()), everything)
    floats = np.array([float(weight) for weight in exact], dtype=np.float64)
    return Law(
        kept,
        floats,
        float(missing),
        len(values),
        Engine.RATIONAL,
        _degenerate(groups),
        exact,
        missing,
    )


def _ties(values: FloatArray, tolerance: float) -> tuple[FloatArray, IntArray, IntArray]:
    """Return distinct values, where each starts among the sorted ones, and the sorting order."""
    if not tolerance >= 0.0:
        raise ValueError(f"tie_tolerance must not be negative, found {tolerance!r}")
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    finite = ordered[np.isfinite(ordered)]
    # Relative to the value, but not finer than to 1 (or to the largest value, if that is smaller):
    # a difference that should be 0 is left by rounding at some 1e-17, next to no relative distance.
    floor = min(1.0, float(np.abs(finite[[0, -1]]).max())) if finite.size else 0.0
    scale = np.abs(ordered[1:])
    np.maximum(scale, floor, out=scale)
    with np.errstate(invalid="ignore"):
        scale *= tolerance
        near = np.diff(ordered) <= scale
    # Two infinities of one sign are equal, though their difference is NaN; a finite value is near
    # no infinity, though the tolerance is then infinite too.
    same = (near & np.isfinite(ordered[1:])) | (ordered[1:] == ordered[:-1])
    starts = np.flatnonzero(np.concatenate([np.ones(min(1, len(ordered)), dtype=bool), ~same]))
    # Adding 0 turns -0.0 into 0.0.
    return ordered[starts] + 0.0, starts.astype(np.int64), order.astype(np.int64)


def _degenerate(groups: Sequence[IntArray]) -> tuple[int, ...]:
    return tuple(i for i, group in enumerate(groups) if np.count_nonzero(group) < 2)

"""What the numeric functions refuse, said once and apart from the arithmetic.

Every function here either hands back a normalised value or raises ``ValueError`` with the name of
the argument, the rule and what was found. A quantity that is merely undefined (0/0, one label, an
empty cell) is no error: see `estimate.Undefined`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = [
    "FloatArray",
    "IntArray",
    "as_counts",
    "as_index",
    "as_level",
    "as_numbers",
    "as_share",
    "as_size",
    "as_square",
    "as_two_by_two",
    "same_length",
]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


def as_size(name: str, value: object) -> int:
    """Return a whole number in [0, ∞); booleans and floats are refused."""
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool):
        raise ValueError(f"{name} must be a whole number, found {value!r}")
    whole = int(value)
    if whole < 0:
        raise ValueError(f"{name} must not be negative, found {whole}")
    return whole


def as_share(successes: object, total: object) -> tuple[int, int]:
    """Return a count of successes and the total of which it is a part."""
    part, whole = as_size("successes", successes), as_size("total", total)
    if part > whole:
        raise ValueError(f"successes must not exceed total, found {part} of {whole}")
    return part, whole


def as_level(level: float) -> float:
    """Return a confidence level strictly between 0 and 1."""
    if not 0.0 < level < 1.0:
        raise ValueError(f"level must lie strictly between 0 and 1, found {level!r}")
    return float(level)


def as_counts(name: str, values: npt.ArrayLike, *, dimensions: int = 1) -> IntArray:
    """Return an array of counts with at least one cell; floats are taken if all are whole."""
    found = np.asarray(values)
    if found.ndim != dimensions or found.size == 0:
        raise ValueError(
            f"{name} must be a filled array of dimension {dimensions}, found shape {found.shape}"
        )
    if found.dtype.kind not in "iuf":
        raise ValueError(f"{name} must hold counts, found dtype {found.dtype}")
    allowed = np.isfinite(found) & (found >= 0) & (found == np.floor(found))
    if not allowed.all():
        raise ValueError(
            f"{name} must hold whole numbers of at least 0, found {found[~allowed][0]}"
        )
    return found.astype(np.int64)


def as_two_by_two(table: npt.ArrayLike) -> IntArray:
    """Return a two-by-two table of counts."""
    counts = as_counts("table", table, dimensions=2)
    if counts.shape != (2, 2):
        raise ValueError(f"table must have shape (2, 2), found {counts.shape}")
    return counts


def as_square(table: npt.ArrayLike) -> IntArray:
    """Return a square table of counts over at least two categories."""
    counts = as_counts("table", table, dimensions=2)
    rows, columns = counts.shape
    if rows != columns or rows < 2:
        raise ValueError(f"table must be square with 2 or more categories, found {counts.shape}")
    return counts


def as_numbers(name: str, values: npt.ArrayLike) -> FloatArray:
    """Return a vector of finite numbers, which may be empty.

    NaN is refused rather than dropped: what is missing has to be left out, and counted, by the
    caller.
    """
    found = np.asarray(values, dtype=np.float64)
    if found.ndim != 1:
        raise ValueError(f"{name} must be a vector, found shape {found.shape}")
    if not np.isfinite(found).all():
        raise ValueError(f"{name} must be finite, found {found[~np.isfinite(found)][0]}")
    return found


def as_index(name: str, values: npt.ArrayLike, size: int) -> IntArray:
    """Return a vector of positions in a sequence of a given length."""
    found = np.asarray(values)
    if found.ndim != 1:
        raise ValueError(f"{name} must be a vector, found shape {found.shape}")
    if found.size and found.dtype.kind not in "iu":
        raise ValueError(f"{name} must hold whole numbers, found dtype {found.dtype}")
    wrong = found[(found < 0) | (found >= size)]
    if wrong.size:
        raise ValueError(f"{name} must lie in [0, {size}), found {wrong[0]}")
    return found.astype(np.int64)


def same_length(**arrays: npt.NDArray[np.generic]) -> int:
    """Return the common length of several vectors."""
    lengths = {name: len(values) for name, values in arrays.items()}
    if len(set(lengths.values())) > 1:
        raise ValueError(f"lengths must agree, found {lengths}")
    return next(iter(lengths.values()), 0)

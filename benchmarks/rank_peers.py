"""The fits of two libraries to the same matches, timed one by one.

Run by an interpreter that has evalica and choix (``benchmarks.peer``), with an ``.npz`` of matches,
drawn rows and how often to fit. Everything that a library needs ready (its lists, its index, its
matrix) is made before the clock starts. Prints, by way, the best milliseconds a fit and a resample,
and the strengths found, in log odds around 0, as JSON.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

import choix
import evalica
import numpy as np

PRECISE = 1e-9  # at its default of 1e-6 evalica stops too early to be held against 1e-6


def best(fit: Callable[[], Any], repeats: int) -> tuple[float, Any]:
    """Return the least milliseconds that a fit takes, and what it gives."""
    taken, found = [], None
    for _ in range(repeats):
        began = time.perf_counter()
        found = fit()
        taken.append(time.perf_counter() - began)
    return 1e3 * min(taken), found


def around_zero(strengths: Any) -> list[float]:
    found = np.asarray(strengths, dtype=float)
    return list(found - found.mean())


class Evalica:
    """Fits by evalica to matches of entrants, each with a weight."""

    def __init__(self, first: Any, second: Any, won: Any) -> None:
        self.xs, self.ys = first.tolist(), second.tolist()
        self.winners = [evalica.Winner.X if each else evalica.Winner.Y for each in won]
        self.index = evalica.indexing(self.xs, self.ys)[2]

    def fit(self, weights: list[float] | None = None) -> Any:
        """Fit, every match counting its weight, or 1."""
        return evalica.bradley_terry(
            self.xs,
            self.ys,
            self.winners,
            index=self.index,
            weights=weights,
            tolerance=PRECISE,
            limit=10_000,
        )

    def strengths(self, found: Any) -> list[float]:
        """Return what a fit found in log odds, in the order of entrants."""
        return around_zero(np.log(found.scores.sort_index().to_numpy()))


def matrix_of(first: Any, second: Any, won: Any, entrants: int) -> Any:
    """Return how often each entrant beat each."""
    winner, loser = np.where(won, first, second), np.where(won, second, first)
    cells = np.bincount(winner * entrants + loser, minlength=entrants**2)
    return cells.reshape(entrants, entrants).astype(float)


def main(path: str, repeats: int) -> None:
    """Print what both libraries take and find."""
    given = np.load(path)
    first, second, won, rows = (given[name] for name in ("first", "second", "won", "rows"))
    entrants, n = int(given["entrants"]), len(won)
    rust = Evalica(first, second, won)
    whole, fitted = best(rust.fit, repeats)
    counts = [np.bincount(drawn, minlength=n).astype(float).tolist() for drawn in rows]
    each = [best(lambda c=c: rust.fit(c), 3) for c in counts]
    told = {
        "evalica": {
            "fit": whole,
            "resample": float(np.mean([ms for ms, _ in each])) if each else 0.0,
            "strengths": rust.strengths(fitted),
            "resampled": [rust.strengths(found) for _, found in each],
        }
    }
    matrix = matrix_of(first, second, won, entrants)
    whole, fitted = best(lambda: choix.ilsr_pairwise_dense(matrix, tol=1e-10), repeats)
    tables = [matrix_of(first[r], second[r], won[r], entrants) for r in rows]
    each = [best(lambda t=t: choix.ilsr_pairwise_dense(t, tol=1e-10), 3) for t in tables]
    told["choix"] = {
        "fit": whole,
        "resample": float(np.mean([ms for ms, _ in each])) if each else 0.0,
        "strengths": around_zero(fitted),
        "resampled": [around_zero(found) for _, found in each],
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))

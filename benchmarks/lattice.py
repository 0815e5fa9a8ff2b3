"""How long enumerated bootstraps take: of κ beside scipy's Monte Carlo, of ratings in a sweep.

Three ways to the law or its percentile limits: the folded lattice (four tables are one class), the
limits without a lattice, and the general walk over all tables. scipy resamples items as it is
documented to, with percentile limits; what its error would have to come down to is stated as the
deviation of its lower limit over repeated seeds.

The sweep: a thousand specifications of one experiment, eight steps to each reading of the matches,
every sequence of five tournaments, eight quantities with four intervals each.

Run with ``python -m benchmarks.lattice [ROUNDS]`` (3 by default; two minutes).
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from statistics import median

import numpy as np
from scipy import stats

from audit.multiverse.intervals import ASKED
from audit.numbers.ratings.lanes import Played
from audit.numbers.resampling.asked import found_of
from audit.numbers.resampling.bootstrap import enumerate_multinomial, support_size
from audit.numbers.resampling.kappa import kappa_classes, kappa_law, kappa_percentile
from audit.numbers.resampling.rated import carried
from audit.numbers.statistic import kappa_statistic

from .ratings import A_TOURNAMENT, SPECIFICATIONS, THREADS, TOURNAMENTS, matches
from .table import load, table

TABLES = ((24, 2, 1, 23), (95, 9, 8, 88), (200, 20, 19, 200))
RESAMPLES, SEEDS = 9_999, 10


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Return the wall and the processor seconds that a piece of work takes."""
    wall, own = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - own


def items(counts: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Return the labels of both raters, item by item."""
    cells = np.repeat(np.arange(4), counts)
    return cells // 2, cells % 2


def kappa_of(first: np.ndarray, second: np.ndarray, axis: int = -1) -> np.ndarray:
    """Return κ of resampled items along the last axis, as scipy wants it."""
    code = np.moveaxis(2 * first + second, axis, -1)
    counts = np.stack([(code == cell).sum(axis=-1) for cell in range(4)], axis=-1)
    return kappa_statistic(counts.reshape(-1, 4)).reshape(counts.shape[:-1])


def drawn(counts: tuple[int, ...], seed: int) -> tuple[float, float]:
    """Return scipy's percentile limits."""
    found = stats.bootstrap(
        items(counts),
        kappa_of,
        paired=True,
        method="percentile",
        n_resamples=RESAMPLES,
        batch=1_000,
        rng=np.random.default_rng(seed),
    )
    return float(found.confidence_interval.low), float(found.confidence_interval.high)


def sweep_law(specifications: int = SPECIFICATIONS) -> tuple[float, float, float]:
    """Return wall and processor seconds, and peak MiB, of the intervals of a sweep."""
    rng, ks = np.random.default_rng(1), np.linspace(8.0, 64.0, 8)
    readings = [
        [matches(A_TOURNAMENT, rng) for _ in range(TOURNAMENTS)]
        for _ in range(-(-specifications // len(ks)))
    ]

    def one(tournaments: list[Played]) -> None:
        part = carried(tournaments, ks)
        for quantity in ASKED.values():
            found_of(part, quantity)

    def every() -> None:
        with ThreadPoolExecutor(THREADS) as pool:
            for _ in pool.map(one, readings):
                pass

    wall, own = timed(every)
    return wall, own, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def report(
    rounds: int,
    tables: tuple[tuple[int, ...], ...] = TABLES,
    seeds: int = SEEDS,
    specifications: int = SPECIFICATIONS,
) -> str:
    """Return all figures as text."""
    wall_of_sweep, own_of_sweep, peak = sweep_law(specifications)
    rows, spread = [], []
    for counts in tables:
        square = np.reshape(counts, (2, 2))
        tables_of = support_size(sum(counts), 4)
        general = partial(enumerate_multinomial, counts, kappa_statistic, limit=tables_of)
        ways = (
            ("folded lattice", partial(kappa_law, square)),
            ("limits alone", partial(kappa_percentile, square)),
            ("every table", general),
            (f"scipy, {RESAMPLES:,} drawn", partial(drawn, counts, 0)),
        )
        for name, work in ways:
            found = [timed(work) for _ in range(rounds)]
            wall, own = (median(column) for column in zip(*found, strict=True))
            sizes = f"{tables_of:,}", f"{kappa_classes(sum(counts)):,}"
            rows.append((f"{sum(counts)} items: {name}", *sizes, f"{wall:.3f}", f"{own:.3f}"))
        span = kappa_percentile(square)
        lows = [drawn(counts, seed)[0] for seed in range(seeds)]
        low = "never defined" if span is None else f"{span.low:.4f}"
        spread.append((f"{sum(counts)} items", low, f"{np.mean(lows):.4f}", f"{np.std(lows):.4f}"))
    return "\n".join(
        [
            table(("κ of", "tables", "classes", "wall s", "processor s"), rows),
            table(("lower limit", "enumerated", "mean of scipy's", "deviation"), spread),
            f"{specifications:,} specifications over {TOURNAMENTS**TOURNAMENTS:,} sequences: "
            f"{wall_of_sweep:.1f} s, {own_of_sweep:.1f} s of processors, peak {peak:.0f} MiB",
            load(),
        ]
    )


if __name__ == "__main__":
    print(report(int(sys.argv[1]) if len(sys.argv) > 1 else 3))

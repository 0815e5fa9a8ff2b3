"""How fast thousands of ratings are walked side by side, beside a plain Elo loop.

An update is one match in one lane, executed, not saved by sharing. The plain loop is Elo as one
would write it: a list of ratings, one match after the other. The roof is the exponential alone over
as many numbers: no update can do without one. What the tree of tournament sequences saves on top is
stated apart, as walks.

Run with ``python -m benchmarks.ratings [ROUNDS]`` (3 by default; two minutes).
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

import numpy as np

from audit.numbers.ratings.lanes import BLOCK, Played, over_blocks, rated_lanes
from audit.numbers.ratings.tournaments import carried_law, tree_walks

from .table import load, table

PLAYERS, MATCHES, HORIZON = 6, 439, 16
LANES, THREADS = 4 * BLOCK, 2
TOURNAMENTS, A_TOURNAMENT = 5, 60
SPECIFICATIONS = 1_000


def matches(count: int, rng: np.random.Generator) -> Played:
    """Return matches of six players under the printed weights."""
    seeker = rng.integers(0, PLAYERS, count)
    holder = (seeker + rng.integers(1, PLAYERS, count)) % PLAYERS
    weight = (HORIZON + 1 - rng.integers(1, HORIZON + 1, count)) / (HORIZON / 2)
    return Played.of(seeker, holder, rng.random(count) < 0.15, weight, PLAYERS)


def plain(played: Played, k: float) -> list[float]:
    """Rate the matches as one would write it."""
    ratings = [1500.0] * (2 * PLAYERS)
    rows = zip(
        played.seeker.tolist(),
        (played.holder + PLAYERS).tolist(),
        played.score.tolist(),
        (k * played.weight).tolist(),
        strict=True,
    )
    for i, j, score, pace in rows:
        expected = 1.0 / (1.0 + 10.0 ** ((ratings[j] - ratings[i]) / 400.0))
        step = pace * (score - expected)
        ratings[i] += step
        ratings[j] -= step
    return ratings


@dataclass(frozen=True, slots=True)
class Kernel:
    """Nanoseconds an update, in one round.

    Attributes
    ----------
    loop, one, two, roof : float
        The plain loop; lanes on one thread and on two; the exponential alone on two.
    """

    loop: float
    one: float
    two: float
    roof: float


def timed(work: Callable[[], object]) -> float:
    """Return the seconds that a piece of work takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def kernel(rng: np.random.Generator, lanes: int = LANES) -> Kernel:
    """Return how long an update takes in each way, on the same matches."""
    played = matches(MATCHES, rng)
    ks = np.linspace(8.0, 64.0, lanes)
    updates = MATCHES * lanes
    repeats = 50
    loop = timed(lambda: [plain(played, 24.0) for _ in range(repeats)]) / (MATCHES * repeats)
    one, two = (timed(lambda t=t: rated_lanes(played, ks, 1500.0, threads=t)) for t in (1, THREADS))

    def exponentials(low: int) -> None:
        part = np.linspace(-3.0, 3.0, len(ks[low : low + BLOCK]))
        out = np.empty_like(part)
        for _ in range(MATCHES):
            np.exp(part, out=out)

    roof = timed(lambda: over_blocks(exponentials, range(0, lanes, BLOCK), THREADS))
    return Kernel(*(1e9 * each for each in (loop, one / updates, two / updates, roof / updates)))


def gaps(ratings: np.ndarray) -> np.ndarray:
    """Return the mean gap and both spreads of every column."""
    c, v = ratings[:PLAYERS], ratings[PLAYERS:]
    return np.stack([(v - c).mean(axis=0), c.std(axis=0), v.std(axis=0)])


def law(rng: np.random.Generator, specifications: int = SPECIFICATIONS) -> tuple[float, float]:
    """Return seconds and peak MiB of many specifications over every sequence of tournaments.

    Eight steps share each reading of outcomes and weights.
    """
    ks = np.linspace(8.0, 64.0, 8)
    readings = -(-specifications // len(ks))

    def every() -> None:
        for _ in range(readings):
            tournaments = [matches(A_TOURNAMENT, rng) for _ in range(TOURNAMENTS)]
            carried_law(tournaments, ks, gaps, threads=THREADS)

    seconds = timed(every)
    return seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def growth(rng: np.random.Generator) -> list[tuple[str, str, str]]:
    """Return seconds by matches and by lanes."""
    rows = []
    for count, lanes in ((10**3, 1_000), (10**4, 1_000), (10**5, 100), (10**6, 10)):
        played, ks = matches(count, rng), np.linspace(8.0, 64.0, lanes)
        seconds = timed(lambda p=played, k=ks: rated_lanes(p, k, 1500.0, threads=THREADS))
        rows.append((f"{count:,}", f"{lanes:,}", f"{seconds:.2f}"))
    for lanes in (10, 100, 1_000, 10_000):
        played, ks = matches(MATCHES, rng), np.linspace(8.0, 64.0, lanes)
        seconds = timed(lambda p=played, k=ks: rated_lanes(p, k, 1500.0, threads=THREADS))
        rows.append((f"{MATCHES:,}", f"{lanes:,}", f"{seconds:.3f}"))
    return rows


def report(rounds: int, lanes: int = LANES, specifications: int = SPECIFICATIONS) -> str:
    """Return all figures as text."""
    rng = np.random.default_rng(1)
    found = [kernel(rng, lanes) for _ in range(rounds)]
    by_loop = [(each.loop / each.one, each.loop / each.two) for each in found]
    rows = [
        ("plain loop", f"{median(k.loop for k in found):.0f}", "1"),
        *(
            (f"lanes, {name}", f"{median(getattr(k, at) for k in found):.2f}", f"{ratio:.0f}")
            for name, at, ratio in (
                ("1 thread", "one", median(one for one, _ in by_loop)),
                ("2 threads", "two", median(two for _, two in by_loop)),
            )
        ),
        ("exponential alone", f"{median(k.roof for k in found):.2f}", ""),
    ]
    seconds, peak = law(rng, specifications)
    tree, paths = tree_walks(TOURNAMENTS)
    return "\n".join(
        [
            table(("way", "ns an update", "times the loop"), rows),
            f"share of the roof: {median(k.roof / k.two for k in found):.2f}",
            f"{specifications:,} specifications over {TOURNAMENTS**TOURNAMENTS:,} sequences: "
            f"{seconds:.1f} s, peak {peak:.0f} MiB",
            f"walks of a tournament: {tree:,} by the tree, {paths:,} path by path",
            table(("matches", "lanes", "seconds"), growth(rng)),
            load(),
        ]
    )


if __name__ == "__main__":
    print(report(int(sys.argv[1]) if len(sys.argv) > 1 else 3))

"""How long a Bradley–Terry fit takes, alone and by resample, beside two libraries.

The same 439 matches of six players in two roles, and the same resamples of them, go to all. The
libraries get what they need made ready before the clock starts; ours starts from the matches, looks
at the win graph, and of resamples draws up the tables too. A fit is below a millisecond, so that
the least time of many says most on a machine that does other work. Answers have to agree to 1e-6 in
log odds wherever there is a maximum.

Run with ``python -m benchmarks.bradley_terry [ROUNDS]`` (3 by default; a minute). Ends with 1 where
a library is faster or differs.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from audit.numbers._elo import SLOPE
from audit.numbers.ratings.bradley_terry import bradley_terry, bradley_terry_lanes
from audit.numbers.ratings.lanes import Played
from audit.numbers.ratings.table import entrants, resampled_tables

from .children import told
from .peer import PeerMissingError, peer_python
from .table import load, table

PEERS = ("evalica", "choix", "numpy")
PLAYERS, MATCHES, RESAMPLES, COMPARED = 6, 439, 1_000, 50
SIZES = (10**3, 10**4, 10**5, 10**6)
AGREE = 1e-6
REPEATS = 300

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Took:
    """Milliseconds a fit and a resample, and the largest difference from ours in log odds.

    Attributes
    ----------
    fit, resample, apart : float
    """

    fit: float
    resample: float
    apart: float


def matches(count: int, rng: np.random.Generator) -> Played:
    """Return matches of players who differ, Seekers winning three in ten."""
    seeker = rng.integers(0, PLAYERS, count)
    holder = (seeker + rng.integers(1, PLAYERS, count)) % PLAYERS
    strengths = rng.normal(0.0, 0.5, 2 * PLAYERS)
    chance = expit(strengths[seeker] - strengths[PLAYERS + holder] - 1.0)
    won = rng.random(count) < chance
    return Played.of(seeker, holder, won, np.ones(count), PLAYERS)


def least(work: Callable[[], Any], repeats: int) -> float:
    """Return the least milliseconds of several."""
    taken = []
    for _ in range(repeats):
        began = time.perf_counter()
        work()
        taken.append(time.perf_counter() - began)
    return 1e3 * min(taken)


def ours(played: Played, rows: npt.NDArray[np.int64], repeats: int) -> Took:
    """Return what our fit takes, alone and by resample."""
    fit = least(lambda: bradley_terry(played), repeats)
    whole = least(lambda: bradley_terry_lanes(*resampled_tables(played, rows)), 5)
    return Took(fit, whole / len(rows), 0.0)


def theirs(
    python: Path, played: Played, rows: npt.NDArray[np.int64], repeats: int
) -> dict[str, Took]:
    """Return what each library takes, and how far it is from ours.

    Resamples without a maximum are not put to them.
    """
    fitted = bradley_terry_lanes(*resampled_tables(played, rows))
    rows, wanted = rows[fitted.connected], fitted.ratings[fitted.connected] * SLOPE
    first, second = entrants(played)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "matches.npz"
        won = played.score == 1.0
        size = 2 * played.players
        np.savez(path, first=first, second=second, won=won, rows=rows, entrants=size)
        script = Path(__file__).with_name("rank_peers.py")
        found = told([str(python), str(script), str(path), str(repeats)])
    own = bradley_terry(played).ratings * SLOPE
    return {
        name: Took(
            each["fit"], each["resample"], apart(each["strengths"], own, each["resampled"], wanted)
        )
        for name, each in found.items()
    }


def apart(strengths: list[float], own: Floats, resampled: list[Any], wanted: Floats) -> float:
    """Return the largest difference of any log odds, in the whole and in every resample."""
    rows = np.abs(np.reshape(resampled, wanted.shape) - wanted)
    return float(max(np.abs(np.array(strengths) - own).max(), rows.max(initial=0.0)))


def growth(rng: np.random.Generator, sizes: tuple[int, ...] = SIZES) -> list[tuple[str, str]]:
    """Return milliseconds a fit by the number of matches."""
    rows = []
    for size in sizes:
        played = matches(size, rng)
        rows.append((f"{size:,}", f"{least(lambda p=played: bradley_terry(p), 10):.2f}"))
    return rows


def measured(
    rounds: int, python: Path | None, *, resamples: int = RESAMPLES, repeats: int = REPEATS
) -> dict[str, Took]:
    """Return the least of each way over rounds, in which ours and theirs take turns."""
    rng = np.random.default_rng(1)
    played = matches(MATCHES, rng)
    rows = rng.integers(0, MATCHES, (resamples, MATCHES))
    found: dict[str, list[Took]] = {}
    for _ in range(rounds):
        found.setdefault("ours", []).append(ours(played, rows, repeats))
        if python is not None:
            for name, took in theirs(python, played, rows[:COMPARED], repeats).items():
                found.setdefault(name, []).append(took)
    return {name: _least_of(took) for name, took in found.items()}


def _least_of(took: list[Took]) -> Took:
    return Took(
        min(each.fit for each in took),
        min(each.resample for each in took),
        max(each.apart for each in took),
    )


def report(found: dict[str, Took], grown: list[tuple[str, str]]) -> str:
    """Return all figures as text."""
    own = found["ours"]
    rows = [
        (
            name,
            f"{took.fit:.3f}",
            f"{took.resample:.4f}",
            f"{took.fit / own.fit:.1f}",
            f"{took.resample / own.resample:.0f}",
            f"{took.apart:.0e}",
        )
        for name, took in found.items()
    ]
    header = ("way", "ms a fit", "ms a resample", "times ours", "times ours", "apart")
    return "\n".join([table(header, rows), table(("matches", "ms a fit"), grown), load()])


def fast_and_alike(found: dict[str, Took]) -> bool:
    """Return whether ours is faster than every library, and all agree."""
    own = found["ours"]
    return all(
        took.fit > own.fit and took.resample > own.resample and took.apart <= AGREE
        for name, took in found.items()
        if name != "ours"
    )


def main(rounds: int) -> int:
    """Print the figures; return 1 where a library is faster or differs."""
    try:
        python = peer_python(packages=PEERS)
    except PeerMissingError as reason:
        print(f"without {' and '.join(PEERS[:2])}: {reason}")
        python = None
    found = measured(rounds, python)
    print(report(found, growth(np.random.default_rng(2))))
    return 0 if fast_and_alike(found) else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 3))

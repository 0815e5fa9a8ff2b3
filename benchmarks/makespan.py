"""How long many matches take at a slow endpoint, beside the ideal and the bare client.

A rehearsal with injected latency answers 100 matches of both games, 32 requests at a time, with all
matches in play, so that no slot stands idle while one could use it. The bare client then sends the
same calls, in the same order, with as many matches in play.

The ideal is what no order can beat: the longer of the longest match, and all calls shared evenly
over the slots, each call taking the latency and nothing else. Beside it stands what both do, done
without any loss: matches begun in order, their calls first come, first served.

Run with ``python -m benchmarks.makespan [MATCHES [SLOTS [IN_PLAY [ROUNDS [MILLISECONDS]]]]]`` (100,
32, 100, 1 and 500 by default; a round takes two minutes). With no more in play than slots, which is
what a run does unless told otherwise, the last matches leave slots idle, and the order alone takes
more than a quarter over the ideal.
"""

from __future__ import annotations

import asyncio
import heapq
import sys
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from games.cohort.models import Client
from games.words import Game
from tests.servers import fake_server

from .fixed_server import fixed_server
from .official import replay
from .rehearsed import CutStudy, answered, body_of, cut_study, played, rehearsed_cohort
from .table import load, table

OVER_IDEAL, OVER_BARE = 1.25, 1.1


@dataclass(frozen=True, slots=True)
class Makespan:
    """Seconds from the first request to the end of the last match.

    Attributes
    ----------
    played, bare : float
        Medians over rounds.
    over_bare : float
        Median of the ratio within a round.
    ideal, lossless : float
        Of the same numbers of calls: what no order can beat, and this order without a loss.
    calls : int
    """

    played: float
    bare: float
    over_bare: float
    ideal: float
    lossless: float
    calls: int


def ideal(calls: Sequence[int], slots: int) -> float:
    """Return the calls in a row below which no schedule of matches gets (doi:10.1137/0117039).

    Parameters
    ----------
    calls : sequence of int
        Of each match; the calls of a match follow one another.
    slots : int
        Requests at a time, at least 1.
    """
    return max(*calls, sum(calls) / slots)


def lossless(calls: Sequence[int], slots: int, in_play: int) -> int:
    """Return the calls in a row of matches begun in order, each call to the next free slot.

    Parameters
    ----------
    calls : sequence of int
        Of each match, at least 1.
    slots : int
        Requests at a time.
    in_play : int
        Matches at a time; a call waits in line where they are more than the slots.
    """
    waiting, line = deque(calls), deque[int]()
    # When a call ends, its number, and how many its match has left then.
    flying: list[tuple[int, int, int]] = []
    now, number = 0, count()
    while waiting or line or flying:
        while waiting and len(line) + len(flying) < in_play:
            line.append(waiting.popleft())
        while line and len(flying) < slots:
            heapq.heappush(flying, (now + 1, next(number), line.popleft() - 1))
        now, _, left = heapq.heappop(flying)
        if left:
            line.append(left)
    return now


def measured(matches: int, slots: int, in_play: int, rounds: int, latency: float) -> Makespan:
    """Return what so many matches take; a first match, and its calls again, warm up."""
    taken: list[tuple[float, float]] = []
    with TemporaryDirectory() as place:
        with fixed_server() as address:
            warm = cut_study(1, [Game.AIDG_I])
            _round(warm, slots, in_play, address, Path(place, "warm"))
        with fake_server(latency=latency) as address:
            for number in range(rounds):
                folder = Path(place, str(number))
                own, bare, calls = _round(cut_study(matches), slots, in_play, address, folder)
                taken.append((own, bare))
    return Makespan(
        played=median(own for own, _ in taken),
        bare=median(bare for _, bare in taken),
        over_bare=median(own / bare for own, bare in taken),
        ideal=latency * ideal(calls, slots),
        lossless=latency * lossless(calls, slots, in_play),
        calls=sum(calls),
    )


def _round(
    study: CutStudy, slots: int, in_play: int, address: str, folder: Path
) -> tuple[float, float, list[int]]:
    """Return the seconds of a run, those of the bare client, and the calls of each match."""
    began = time.perf_counter()
    run = played(study, rehearsed_cohort(Client.OPENAI, slots), folder, address, in_play)
    own = time.perf_counter() - began
    bodies = [[body_of(call) for call in calls] for calls in answered(run)]
    began = time.perf_counter()
    asyncio.run(replay(address, bodies, in_play, slots))
    return own, time.perf_counter() - began, [len(match) for match in bodies]


def report(found: Makespan) -> str:
    """Return the figures as a table."""
    rows = [
        (name, f"{seconds / found.ideal:.3f}", f"{seconds:.1f}")
        for name, seconds in (
            ("ideal", found.ideal),
            ("this order, no loss", found.lossless),
            ("official client alone", found.bare),
            ("play, all bookkeeping", found.played),
        )
    ]
    return table((f"{found.calls} calls", "× ideal", "s"), rows)


def main(
    matches: int = 100,
    slots: int = 32,
    in_play: int = 100,
    rounds: int = 1,
    milliseconds: int = 500,
) -> int:
    """Print the figures; return 1 where a run takes too long."""
    found = measured(matches, slots, in_play, rounds, milliseconds / 1000)
    print(report(found))
    over = f"play is {found.over_bare:.3f} × the client alone"
    print(f"{over} (at most {OVER_BARE}), {found.played / found.ideal:.3f} × ideal ({OVER_IDEAL})")
    print(f"{matches} matches, {in_play} in play, {slots} slots, {milliseconds} ms; {load()}")
    return int(found.over_bare > OVER_BARE or found.played > OVER_IDEAL * found.ideal)


if __name__ == "__main__":
    sys.exit(main(*(int(argument) for argument in sys.argv[1:6])))

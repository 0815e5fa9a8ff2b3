"""What a call of whole matches costs, all bookkeeping included, beside inspect_ai's ``eval``.

The same matches of AIDG-I against the same server, which answers at once, one call at a time: by
``play`` into a run's folder, by the bare official client, and by the peer with its logging lean and
as it comes. Each is a process of its own, warmed up by one match, and they take turns.

Run with ``python -m benchmarks.whole_games [MATCHES [ROUNDS]]`` (20 and 5 by default).
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from games.cohort.models import Client
from games.words import Game

from .children import module, told
from .fixed_server import fixed_server
from .official import replay
from .peer import PeerMissingError, peer_python
from .rehearsed import answered, body_of, cut_study, played, rehearsed_cohort
from .table import load, table

MOST = 0.5  # of what the peer needs


class Way(StrEnum):
    """Who sends the calls."""

    PLAY = "play, all bookkeeping"
    BARE = "official client alone"
    LEAN = "inspect_ai eval, lean logging"
    DEFAULT = "inspect_ai eval, default logging"


PEERS = {Way.LEAN: "lean", Way.DEFAULT: "default"}


@dataclass(frozen=True, slots=True)
class Cost:
    """Milliseconds a call: by the clock, and those in which the process itself was at work."""

    clock: float
    processor: float


def timed(way: Way, address: str, recorded: Path, folder: Path) -> dict[str, float]:
    """Return seconds, those of the processor, and calls of one way, in this process."""
    matches = json.loads(recorded.read_text(encoding="utf-8"))
    cohort = rehearsed_cohort(Client.OPENAI)
    for count in (1, len(matches)):
        study = cut_study(count, [Game.AIDG_I])
        began, worked = time.perf_counter(), time.process_time()
        if way is Way.PLAY:
            played(study, cohort, folder / str(count), address, in_play=1)
        else:
            asyncio.run(replay(address, matches[:count], in_play=1, slots=1))
        seconds, processor = time.perf_counter() - began, time.process_time() - worked
    calls = sum(len(bodies) for bodies in matches)
    return {"seconds": seconds, "processor": processor, "calls": calls}


def record(matches: int, address: str, folder: Path) -> Path:
    """Play so many matches and return a file of what each of them sent."""
    study, cohort = cut_study(matches, [Game.AIDG_I]), rehearsed_cohort(Client.OPENAI)
    run = played(study, cohort, folder / "recorded", address, in_play=1)
    path = folder / "recorded.json"
    bodies = [[body_of(call) for call in calls] for calls in answered(run)]
    path.write_text(json.dumps(bodies), encoding="utf-8")
    return path


def measured(matches: int, rounds: int, peer: Path | None) -> dict[Way, Cost]:
    """Return the medians of each way over rounds; without a peer, of the others.

    Raises
    ------
    RuntimeError
        A process failed; the message is what it said.
    """
    ways = [way for way in Way if peer is not None or way not in PEERS]
    taken: dict[Way, list[Cost]] = {way: [] for way in ways}
    with fixed_server() as address, TemporaryDirectory() as place:
        recorded = record(matches, address, Path(place))
        for number in range(rounds):
            first = number % len(ways)
            for way in ways[first:] + ways[:first]:
                folder = Path(place, f"{number}-{way.name}")
                found = _child(way, address, recorded, folder, peer)
                taken[way].append(_cost(found))
    return {
        way: Cost(median(one.clock for one in each), median(one.processor for one in each))
        for way, each in taken.items()
    }


def _cost(found: dict[str, float]) -> Cost:
    each = 1000 / found["calls"]
    return Cost(each * found["seconds"], each * found["processor"])


def _child(way: Way, address: str, recorded: Path, folder: Path, peer: Path | None) -> Any:
    """Return what a process of its own measured."""
    given = [address, str(recorded), str(folder)]
    if way not in PEERS:
        return told(module("whole_games", way.name, *given))
    script = Path(__file__).with_name("inspect_eval.py")
    return told([str(peer), str(script), *given, PEERS[way]])


def report(found: dict[Way, Cost]) -> str:
    """Return the figures as a table."""
    own = found[Way.PLAY]
    rows = [
        (
            way.value,
            f"{own.clock / cost.clock:.2f}",
            f"{own.processor / cost.processor:.2f}",
            f"{cost.clock:.2f}",
            f"{cost.processor:.2f}",
        )
        for way, cost in found.items()
    ]
    header = ("one call at a time", "play is ×", "its processor ×", "ms a call", "processor ms")
    return table(header, rows)


def main(matches: int = 20, rounds: int = 5) -> int:
    """Print the figures; return 1 where play needs more than half of what the peer does."""
    try:
        peer = peer_python()
    except PeerMissingError as reason:
        print(f"inspect_ai is left out: {reason}")
        peer = None
    found = measured(matches, rounds, peer)
    print(report(found))
    print(
        f"medians of {rounds} rounds of {matches} matches; at most {MOST} of inspect_ai; {load()}"
    )
    return int(
        any(found[Way.PLAY].clock > MOST * found[way].clock for way in PEERS if way in found)
    )


if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1] in Way.__members__:
        print(
            json.dumps(timed(Way[sys.argv[1]], sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4])))
        )
    else:
        sys.exit(main(*(int(argument) for argument in sys.argv[1:3])))

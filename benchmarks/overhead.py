"""What one call costs beyond the official client: journal, replay, patience and reading included.

Every request of whole matches is sent in four ways, one after the other in an order drawn anew, to
a server that answers at once: the official client's ``create``, its lower ``post`` to the same
type, and a run's own caller with and without waiting for the disk. Differences are taken request by
request, since a chat grows from turn to turn.

Run with ``python -m benchmarks.overhead [MATCHES [PASSES]]`` (3 and 10 by default).
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import numpy as np
import numpy.typing as npt
import openai
from openai.types.chat import ChatCompletion

from games.cohort.models import Client
from games.models.cost import Budget
from games.play.asking import Call
from games.play.caller import Ledger
from games.play.callers import Callers, calling, opened
from games.play.journal import Journal
from games.play.points import ignore
from games.play.replay import Replay
from games.play.stop import Brake
from games.words import Game, Role

from .fixed_server import fixed_server
from .official import official
from .rehearsed import ADDRESS, SEED, Body, answered, body_of, cut_study, played, rehearsed_cohort
from .table import load, table

MOST = 1.5  # milliseconds over the official client
Seconds = npt.NDArray[np.float64]


class Way(StrEnum):
    """How a request is sent."""

    CREATE = "official client, create"
    POST = "official client, post"
    CALLER = "a run's caller, no fsync"
    DURABLE = "a run's caller, fsync"


@dataclass(frozen=True, slots=True)
class Sent:
    """One request as recorded: the call, and what goes over the wire for it."""

    call: Call
    body: Body
    headers: dict[str, str]


@dataclass(frozen=True, slots=True)
class Overhead:
    """Milliseconds a call.

    Attributes
    ----------
    median : dict
        Of each way.
    over_create, over_post, fsync : float
        Median difference, request by request: of the caller without fsync from either bare way, and
        of the caller with fsync from that without.
    kilobytes : float
        Mean size of a request.
    """

    median: dict[Way, float]
    over_create: float
    over_post: float
    fsync: float
    kilobytes: float


class Disk:
    """Stands in for ``os.fsync``: waits for the disk or, when told to, does not."""

    def __init__(self) -> None:
        self.waits, self._fsync = True, os.fsync

    def __call__(self, file: int) -> None:
        """Flush a file, or leave it."""
        if self.waits:
            self._fsync(file)


@contextmanager
def disk() -> Iterator[Disk]:
    """Put a switch in the place of ``os.fsync``."""
    switch = Disk()
    with patch("os.fsync", switch):
        yield switch


def measured(matches: int, passes: int) -> Overhead:
    """Return what calls cost, over the requests of so many matches, each sent in every way."""
    with fixed_server() as address, TemporaryDirectory() as folder, disk() as switch:
        study, cohort = cut_study(matches, [Game.AIDG_I]), rehearsed_cohort(Client.OPENAI)
        run = played(study, cohort, Path(folder, "run"), address, in_play=1)
        sent = [
            Sent(call, body_of(call), {"X-Attempt": str(call.attempt)})
            for calls in answered(run)
            for call in calls
        ]
        times = asyncio.run(_timed(sent, passes, address, Path(folder, "again"), switch))
    size = np.mean([len(str(one.body)) for one in sent]) / 1000
    return _overhead(times, float(size))


def _overhead(times: dict[Way, Seconds], kilobytes: float) -> Overhead:
    caller = times[Way.CALLER]
    return Overhead(
        median={way: float(np.median(seconds)) * 1000 for way, seconds in times.items()},
        over_create=float(np.median(caller - times[Way.CREATE])) * 1000,
        over_post=float(np.median(caller - times[Way.POST])) * 1000,
        fsync=float(np.median(times[Way.DURABLE] - caller)) * 1000,
        kilobytes=kilobytes,
    )


async def _timed(
    sent: list[Sent], passes: int, address: str, folder: Path, switch: Disk
) -> dict[Way, Seconds]:
    """Return seconds by way, pass and request; a first pass warms up and is left out."""
    rng, ways = np.random.default_rng(SEED), list(Way)
    times = {way: np.empty((passes + 1, len(sent))) for way in Way}
    async with _senders(address, folder, switch) as senders:
        for number in range(passes + 1):
            for index, one in enumerate(sent):
                for way in rng.permutation(len(ways)):
                    began = time.perf_counter()
                    await senders[ways[way]](one, number)
                    times[ways[way]][number, index] = time.perf_counter() - began
    return {way: seconds[1:] for way, seconds in times.items()}


Send = Callable[[Sent, int], Awaitable[object]]


@asynccontextmanager
async def _senders(address: str, folder: Path, switch: Disk) -> AsyncIterator[dict[Way, Send]]:
    """Yield a function for each way of sending a request; its number is that of the pass."""
    cohort = rehearsed_cohort(Client.OPENAI)
    models = opened(cohort, {ADDRESS: address})
    with Journal(folder / "journal.jsonl") as journal:
        ledger = Ledger(journal, Replay(), Budget(None), Brake(), lambda _: None, ignore)
        async with calling(cohort, models, ledger) as callers, official(address) as client:
            bare = _bare(client)
            yield {**bare, **_called(callers, ledger, switch)}


def _bare(client: openai.AsyncOpenAI) -> dict[Way, Send]:
    async def create(sent: Sent, number: int) -> object:
        return await client.chat.completions.create(**sent.body, extra_headers=sent.headers)

    async def post(sent: Sent, number: int) -> object:
        options: Any = {"headers": sent.headers}
        return await client.post(
            "/chat/completions", cast_to=ChatCompletion, body=sent.body, options=options
        )

    return {Way.CREATE: create, Way.POST: post}


def _called(callers: Callers, ledger: Ledger, switch: Disk) -> dict[Way, Send]:
    def by(way: Way) -> Send:
        async def ask(sent: Sent, number: int) -> object:
            asking, player = sent.call.asking, sent.call.player
            caller = callers.arbiter if asking.role is Role.ARBITER else callers.players[player]
            assert caller is not None
            assert sent.call.request is not None
            # A match of its own for each pass and way: what the journal holds is not asked again.
            again = asking.model_copy(update={"match": f"{asking.match}-{number}-{way.name}"})
            switch.waits = way is Way.DURABLE
            return await caller.ask(again, sent.call.request)

        return ask

    return {way: by(way) for way in (Way.CALLER, Way.DURABLE)}


def report(found: Overhead) -> str:
    """Return the figures as a table and two lines."""
    create = found.median[Way.CREATE]
    rows = [
        (way.value, f"{ms / create:.2f}", f"{ms:.2f}", f"{ms - create:+.2f}")
        for way, ms in found.median.items()
    ]
    return "\n".join(
        [
            table(("one call at a time", "× create", "ms a call", "ms over create"), rows),
            f"a run's caller over create {found.over_create:+.2f} ms, over post "
            f"{found.over_post:+.2f} ms (at most {MOST}); fsync {found.fsync:+.2f} ms",
            f"medians, requests of {found.kilobytes:.1f} kB; {load()}",
        ]
    )


def main(matches: int = 3, passes: int = 10) -> int:
    """Print the figures; return 1 where a run's caller takes too long."""
    found = measured(matches, passes)
    print(report(found))
    return int(max(found.over_create, found.over_post) > MOST)


if __name__ == "__main__":
    sys.exit(main(*(int(argument) for argument in sys.argv[1:3])))

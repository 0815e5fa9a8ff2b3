"""A run in a process that can be killed: forked from one that has imported everything already."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import time
import urllib.request
from collections import Counter
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random
from typing import Any

from audit.continuing import continuation
from games.cohort import load_cohort
from games.panels.folder import PanelFolder
from games.play.asking import Call
from games.play.journal import read_journal
from games.play.points import OnPoint, SyncPoint
from games.play.terms import Terms
from games.play.tournament import play
from games.rehearsal.asked import asked_of
from games.run import RunFolder
from games.study.study import load_study

POINTS = tuple(SyncPoint)
_OF_OTHERS = {SyncPoint.VERDICTS_WRITTEN, SyncPoint.LINE_OVER, SyncPoint.LINE_WRITTEN}
OF_MATCHES = tuple(point for point in POINTS if point not in _OF_OTHERS)
ADDRESS = "AIDG_FAKE"
ENDS_WITHIN = 60.0

COHORT = """\
name = "killed"
kind = "plumbing"
description = "Rehearsed models for tests."

[endpoints.first]
client = "openai"
base_url = "${AIDG_FAKE}"

[endpoints.second]
client = "anthropic"
base_url = "${AIDG_FAKE}"

[arbiter]
id = "judge"
vendor = "none"
family = "judge"
endpoint = "first"
model = "judge-1"
sampling = { temperature = 0.01, max_tokens = 200, structured = true, seed = 9 }
"""

PLAYER = """
[[players]]
id = "{id}"
vendor = "none"
family = "{id}"
endpoint = "{endpoint}"
model = "m/{id}"
sampling = {{ temperature = 0.7, max_tokens = 64, seed = 1 }}
"""


def cohort_text(players: tuple[str, ...] = ("a", "b_1", "c:x")) -> str:
    """Return a cohort of rehearsed models, the last of them behind the second client."""
    seats = zip(players, [*["first"] * (len(players) - 1), "second"], strict=True)
    return COHORT + "".join(PLAYER.format(id=id, endpoint=at) for id, at in seats)


def play_on(
    study: str, cohort: str, out: str, address: str, concurrency: int, shared: Any, pace: float
) -> None:
    """Play or resume a run.

    A cohort that is a folder is a run, which is continued under its referee's verdicts.
    """
    reached = reaching(shared, pace)
    terms = Terms(concurrency=concurrency, on_point=reached, environ={ADDRESS: address})
    if Path(cohort).is_dir():
        continuation(RunFolder(Path(cohort)), "referee", study).into(Path(out), terms)
        return
    play(load_study(study), "small", load_cohort(Path(cohort)), Path(out), seed=1, terms=terms)


def reaching(shared: Any, pace: float) -> OnPoint:
    """Return what a killed process calls at every sync point.

    ``shared`` tells its starter which was reached last. ``shared[1]`` counts down the visits to
    point ``shared[2]``: at the last one the process kills itself there. ``pace`` is how long, at
    most, it lingers at each point, in seconds.
    """
    rng = Random(os.getpid())

    def reached(point: SyncPoint, match: str) -> None:
        shared[0] = POINTS.index(point) + 1
        if shared[2] == shared[0]:
            shared[1] -= 1
            if shared[1] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(rng.uniform(0, pace))

    return reached


class Killer:
    """Starts a run over and over, each time in a process of its own, and kills that process.

    ``target`` is what is done in that process, with the parameters of ``play_on``.

    Attributes
    ----------
    killed_at : Counter
        Point reached last to number of kills there; None before the first point.
    """

    def __init__(
        self,
        study: Path,
        cohort: Path,
        address: str,
        pace: float = 0.003,
        target: Any = play_on,
    ) -> None:
        # Forked from a server that has the imports: a killed process is the run and nothing else.
        self._context = multiprocessing.get_context("forkserver")
        own = ["tests.killing", "tests.killing_warm", target.__module__]
        self._context.set_forkserver_preload(own)
        self._study, self._cohort, self._address, self._pace = study, cohort, address, pace
        self._target = target
        self.killed_at: Counter[SyncPoint | None] = Counter()

    def start(self, out: Path, concurrency: int, visits: int = 0, point: int = 0) -> Any:
        """Return a started process and what it shares."""
        shared = self._context.RawArray("i", [0, visits, point])
        given = (str(self._study), str(self._cohort), str(out), self._address)
        process = self._context.Process(
            target=self._target, args=(*given, concurrency, shared, self._pace)
        )
        process.start()
        return process, shared

    def kill_after(self, out: Path, concurrency: int, seconds: float) -> bool:
        """Kill a run some seconds after it reached its first point; False where it ended before."""
        process, shared = self.start(out, concurrency)
        _wait(lambda: shared[0] > 0 or not process.is_alive(), ENDS_WITHIN)
        process.join(seconds)
        if process.is_alive():
            os.kill(process.pid, signal.SIGKILL)
        return self._ended(process, shared[0])

    def kill_at(self, out: Path, point: SyncPoint, visits: int) -> bool:
        """Kill a run at so many visits to a point; False where it ended before."""
        process, _ = self.start(out, 2, visits, POINTS.index(point) + 1)
        return self._ended(process, POINTS.index(point) + 1)

    def finish(self, out: Path) -> None:
        """Let a run go on to its end."""
        process, _ = self.start(out, 2)
        process.join(ENDS_WITHIN)
        assert process.exitcode == 0

    def _ended(self, process: BaseProcess, last: int) -> bool:
        process.join(ENDS_WITHIN)
        if process.exitcode == 0:
            return False
        assert process.exitcode == -signal.SIGKILL
        self.killed_at[POINTS[last - 1] if last else None] += 1
        return True


def _wait(done: Any, most: float) -> None:
    ends = time.monotonic() + most
    while not done():
        assert time.monotonic() < ends
        time.sleep(0.001)


def replied(run: RunFolder | PanelFolder) -> set[tuple[str, int]]:
    """Return, as the server names them, the tries whose reply the journal holds.

    Left out are those sent without a seed, which the second client's dialect does not know: two
    matches may make the very same request, and the server could not tell them apart.
    """
    if not run.journal.is_file():
        return set()
    tries = set()
    for call in read_journal(run.journal):
        if isinstance(call, Call) and call.reply and call.request and call.reply.effective.seed:
            sent = call.request.model_copy(update={"settings": call.reply.effective})
            tries.add((asked_of(sent).id, call.attempt))
    return tries


def asked(address: str) -> dict[tuple[str, int], int]:
    """Return how often the server was asked each attempt at each request."""
    with urllib.request.urlopen(f"{address}/requests") as answer:
        counts = json.load(answer)["requests"]
    return {(id, int(n)): times for id, tries in counts.items() for n, times in tries.items()}

"""A run: many matches, several at a time, each on disk when it ends, to be resumed after any stop.

The one module of the games that asks the clock. Times go into manifest and journal alone, so that
the traces of two runs under one study, cohort and seed are equal byte for byte.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any

from ..cohort import Cohort
from ..errors import Place, RunError
from ..rules.referee import Referee
from ..rules.schedule import Match
from ..run import MANIFEST, Manifest, RunFolder
from ..study.shipped import shipped_studies
from ..study.study import Study
from ..trace import RULES, Trace, write_trace
from .arbiter import RuleArbiter
from .journal import Event, EventKind, Journal
from .lock import held
from .match import play_match
from .players import Seating
from .resume import check_folder, check_unchanged, clear_parts, inventory

DISTRIBUTION = "aidg-audit"

Listener = Callable[[Event], None]


def play(
    study: Study,
    study_name: str,
    cohort: Cohort,
    out: Path,
    *,
    seed: int,
    concurrency: int = 1,
    on_event: Listener | None = None,
) -> RunFolder:
    """Play a study's schedule with a cohort of built-in players, or go on where a run stopped.

    Parameters
    ----------
    study : Study
    study_name : str
        What the manifest calls it.
    cohort : Cohort
    out : Path
        The run's folder: new, empty, or one that was started with the same study, prompts, cohort,
        seed and version.
    seed : int
        Decides schedule and players.
    concurrency : int
        How many matches are in play at a time; at least 1. It decides nothing about them.
    on_event : callable, optional
        Called with every event of the journal after it is on disk, in the caller's thread.

    Returns
    -------
    RunFolder

    Raises
    ------
    RunError
        The folder is no run or is being played, something that it was started with has changed, or
        ``concurrency`` is below 1.
    """
    if concurrency < 1:
        raise RunError("concurrency", "must be at least 1", concurrency)
    folder = RunFolder(out)
    check_folder(out)
    out.mkdir(parents=True, exist_ok=True)
    with held(out):
        now = _manifest(study, study_name, cohort, seed)
        resumed = (out / MANIFEST).is_file()
        manifest = folder.manifest() if resumed else now
        check_unchanged(manifest, now, Place(out / MANIFEST))
        if not resumed:
            folder.write_manifest(manifest)
        _finish(folder, manifest, study, concurrency, on_event)
    return folder


def _manifest(study: Study, name: str, cohort: Cohort, seed: int) -> Manifest:
    # Players in the order of their ids: the order of a cohort's file decides nothing.
    players = tuple(sorted(cohort.players, key=lambda player: player.id))
    ordered = cohort.model_copy(update={"players": players})
    return Manifest(
        version=version(DISTRIBUTION),
        # A shipped study goes by its name; a folder by where it is, whatever folder one is in.
        study=name if name in shipped_studies() else str(study.folder.resolve()),
        study_files=study.files,
        prompts=study.prompt_prints(),
        cohort=ordered,
        schedule=study.schedule(ordered, seed),
        started=_clock(),
    )


def _clock() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


@dataclass
class _Session:
    """One process's share of a run: it tells the journal, and whoever listens, what happens."""

    journal: Journal
    listener: Listener | None
    ended: int
    total: int

    def record(self, kind: EventKind, **facts: Any) -> Event:
        event = Event(kind=kind, at=_clock(), ended=self.ended, total=self.total, **facts)
        self.journal.append(event)
        return event

    def tell(self, kind: EventKind, **facts: Any) -> None:
        event = self.record(kind, **facts)
        if self.listener is not None:
            self.listener(event)


def _finish(
    folder: RunFolder,
    manifest: Manifest,
    study: Study,
    concurrency: int,
    listener: Listener | None,
) -> None:
    """Play what is missing of a run; a complete one is left as it is."""
    matches = manifest.schedule.matches
    clear_parts(folder)
    found = inventory(folder, manifest)
    missing = [match for match in matches if match.id not in found.kept]
    if not missing and manifest.ended is not None:
        return
    fresh = not folder.journal.is_file()
    with Journal(folder.journal) as journal:
        session = _Session(journal, listener, len(found.kept), len(matches))
        if journal.torn:
            session.record(EventKind.LINE_TORN, note=journal.torn)
        for match, reason in found.rejected.items():
            session.record(EventKind.TRACE_REJECTED, match=match, note=reason)
        try:
            session.tell(EventKind.RUN_STARTED if fresh else EventKind.RUN_RESUMED)
            _play_all(missing, _Desk(study, manifest, folder), session, concurrency)
            folder.write_manifest(manifest.model_copy(update={"ended": _clock()}))
            session.tell(EventKind.RUN_ENDED)
        except KeyboardInterrupt:
            session.record(EventKind.RUN_INTERRUPTED)
            raise


class _Desk:
    """Plays single matches of a run and writes their traces; safe to use from several threads."""

    def __init__(self, study: Study, manifest: Manifest, folder: RunFolder) -> None:
        self._study, self._folder = study, folder.traces_folder
        self._cohort = manifest.cohort.fingerprint()
        self._seating = Seating(manifest.cohort.players, study.nouns, manifest.seed)
        self._arbiter = RuleArbiter(study.nouns.aliases, study.rubrics)
        self._referee = Referee(study.nouns.aliases, study.rubrics)

    def play(self, match: Match) -> dict[str, Any]:
        """Play a match, write its trace and return what the journal tells of it."""
        began = time.perf_counter()
        setup = self._study.setup(match)
        seeker, holder = self._seating.seat(match)
        played = play_match(
            RULES[match.game],
            setup,
            seeker,
            holder,
            arbiter=self._arbiter,
            referee=self._referee,
        )
        trace = Trace.model_validate(
            {
                "match": match,
                "setup": setup,
                "study": self._study.fingerprint,
                "cohort": self._cohort,
                "turns": played.state.turns,
                "rulings": played.state.rulings,
                "shadow": played.shadow,
                "outcome": played.state.outcome,
            }
        )
        write_trace(self._folder, trace)
        return {
            "match": match.id,
            "seconds": round(time.perf_counter() - began, 6),
            "winner": trace.outcome.winner,
            "end": trace.outcome.end,
            "void": trace.outcome.void,
            "asked_again": len(played.asked_again),
        }


def _play_all(missing: list[Match], desk: _Desk, session: _Session, concurrency: int) -> None:
    """Play matches in order, no more than ``concurrency`` at a time."""
    waiting, running = iter(missing), set[Future[dict[str, Any]]]()
    with ThreadPoolExecutor(concurrency) as pool:
        try:
            while True:
                for match in islice(waiting, concurrency - len(running)):
                    session.tell(EventKind.MATCH_STARTED, match=match.id)
                    running.add(pool.submit(desk.play, match))
                if not running:
                    return
                ended, running = wait(running, return_when=FIRST_COMPLETED)
                for future in ended:
                    facts = future.result()
                    session.ended += 1
                    session.tell(EventKind.MATCH_ENDED, **facts)
        finally:
            # After an interrupt nothing new is begun; what is in play ends and is on disk in whole.
            pool.shutdown(cancel_futures=True)

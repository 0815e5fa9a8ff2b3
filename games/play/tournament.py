"""A run: many matches, several at a time, each on disk when it ends, to be resumed after any stop.

Times go into manifest and journal alone, so that the traces of two runs under one study, cohort
and seed are equal byte for byte wherever the players' words are.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ..cohort import Cohort
from ..errors import Place, RunError, RunStopped
from ..models.cost import Budget
from ..models.trouble import Trouble
from ..rules.schedule import Match
from ..run import MANIFEST, RunFolder
from ..study.study import Study
from .caller import Ledger, Listener
from .callers import OpenModels, calling, opened
from .clock import now
from .desk import Desk, InPlay, told
from .journal import EventKind, Journal
from .lock import held
from .manifest import manifest_of
from .points import OnPoint, SyncPoint, ignore
from .resume import check_folder, check_unchanged, clear_parts, inventory, taken_up
from .session import INTERRUPTED, Session, interruptible
from .stop import Brake

MOST_AT_A_TIME = 256
BUILT_IN_AT_A_TIME = 2


@dataclass(frozen=True, slots=True)
class Terms:
    """What a run is played under besides study and cohort; nothing here decides how a match goes.

    Attributes
    ----------
    concurrency : int, optional
        How many matches are in play at a time, at least 1; by default as many as the cohort's
        endpoints take requests.
    budget : float, optional
        Dollars that the whole run may cost, over all its sittings.
    fork : Path, optional
        Another run, whose replies are taken over wherever the very same is asked.
    on_event : callable, optional
        Called with every record of the journal after it is on disk, in the caller's thread.
    on_point : callable
        Called at every sync point, with the match that has reached it.
    environ : mapping
        Where keys and addresses are looked up by name.
    open_models : callable, optional
        Opens the models of an endpoint; with the cohort's clients by default.
    """

    concurrency: int | None = None
    budget: float | None = None
    fork: Path | None = None
    on_event: Listener | None = None
    on_point: OnPoint = ignore
    environ: Mapping[str, str] | None = None
    open_models: OpenModels | None = None


def play(
    study: Study,
    study_name: str,
    cohort: Cohort,
    out: Path,
    *,
    seed: int,
    terms: Terms | None = None,
) -> RunFolder:
    """Play a study's schedule with a cohort, or go on where a run stopped.

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
        Decides schedule and built-in players.
    terms : Terms, optional

    Returns
    -------
    RunFolder

    Raises
    ------
    RunError
        The folder is no run or is being played, something that it was started with has changed, or
        a term is out of range.
    RunStopped
        The run stopped before its end, with everything on disk: the budget is used up, or an
        endpoint needs a person. The same call goes on.
    KeyboardInterrupt
        Someone stopped it; the same call goes on.
    """
    terms = terms or Terms()
    _check(terms, cohort)
    folder = RunFolder(out)
    check_folder(out)
    out.mkdir(parents=True, exist_ok=True)
    with held(out):
        forked = "" if terms.fork is None else str(terms.fork.resolve())
        fresh = manifest_of(study, study_name, cohort, seed, forked)
        resumed = (out / MANIFEST).is_file()
        manifest = folder.manifest() if resumed else fresh
        check_unchanged(manifest, fresh, Place(out / MANIFEST))
        if not resumed:
            folder.write_manifest(manifest)
        _finish(InPlay(study, manifest, folder), terms)
    return folder


def _check(terms: Terms, cohort: Cohort) -> None:
    if terms.concurrency is not None and not 1 <= terms.concurrency <= MOST_AT_A_TIME:
        rule = f"must be from 1 to {MOST_AT_A_TIME}"
        raise RunError("concurrency", rule, terms.concurrency)
    if terms.budget is not None and not terms.budget > 0:
        raise RunError("budget", "must be above 0 dollars", terms.budget)
    unpriced = [who.id for who in cohort.asked() if who.price is None]
    if terms.budget is not None and unpriced:
        rule = f"needs a price for every model that is asked; {', '.join(unpriced)} have none"
        raise RunError("budget", rule)
    if terms.fork is not None:
        RunFolder(terms.fork).manifest()


def at_a_time(cohort: Cohort) -> int:
    """Return how many matches are in play at a time unless a user says otherwise."""
    used = {player.endpoint for player in cohort.models()}
    if not used:
        return BUILT_IN_AT_A_TIME
    return min(MOST_AT_A_TIME, sum(cohort.endpoints[name].concurrency for name in used))


def _finish(run: InPlay, terms: Terms) -> None:
    """Play what is missing of a run; a complete one is left as it is."""
    folder, manifest = run.folder, run.manifest
    clear_parts(folder)
    found = inventory(folder, manifest)
    missing = [match for match in manifest.schedule.matches if match.id not in found.kept]
    if not missing and manifest.ended is not None:
        return
    begun = folder.journal.is_file()
    with Journal(folder.journal) as journal:
        session, ended = _session(run, journal, found.kept, terms)
        if journal.torn:
            session.record(EventKind.LINE_TORN, note=journal.torn)
        for match, reason in found.rejected.items():
            session.record(EventKind.TRACE_REJECTED, match=match, note=reason)
        for match in found.reopened:
            session.record(EventKind.MATCH_REOPENED, match=match)
        for match in sorted(found.kept - ended):
            session.record(EventKind.MATCH_ENDED, **told(folder.trace(match)))
        session.record(EventKind.RUN_RESUMED if begun else EventKind.RUN_STARTED)
        try:
            asyncio.run(_sitting(missing, run, session, terms))
            _close(run, session)
        except KeyboardInterrupt:
            session.record(EventKind.RUN_INTERRUPTED)
            raise


def _session(
    run: InPlay, journal: Journal, kept: frozenset[str], terms: Terms
) -> tuple[Session, frozenset[str]]:
    """Return a session that goes on from a journal, and the matches that it says have ended."""
    replay, ended = taken_up(run.folder.journal, kept, terms.fork)
    ledger = Ledger(
        journal=journal,
        replay=replay,
        budget=Budget(terms.budget, replay.spent),
        brake=Brake(),
        listener=terms.on_event or (lambda _record: None),
        on_point=terms.on_point,
        forked=run.manifest.forked_from,
    )
    return Session(ledger, len(kept), len(run.manifest.schedule.matches)), ended


def _close(run: InPlay, session: Session) -> None:
    """Say how the sitting ended: with the run, or before it."""
    reason = session.ledger.brake.reason
    if not reason:
        run.folder.write_manifest(run.manifest.model_copy(update={"ended": now()}))
        session.record(EventKind.RUN_ENDED)
    elif reason == INTERRUPTED:
        raise KeyboardInterrupt
    else:
        session.record(EventKind.RUN_STOPPED, note=reason)
        raise RunStopped(reason)


async def _sitting(missing: list[Match], run: InPlay, session: Session, terms: Terms) -> None:
    """Play matches in order, a bounded number at a time, until the last has ended or all stop."""
    cohort, ledger = run.manifest.cohort, session.ledger
    environ = os.environ if terms.environ is None else terms.environ
    models = opened(cohort, environ, terms.open_models)
    async with calling(cohort, models, ledger) as callers:
        desk = Desk(run, callers, terms.on_point)
        waiting = iter(missing)
        at_once = min(terms.concurrency or at_a_time(cohort), max(1, len(missing)))
        with interruptible(ledger):
            tables = [_table(waiting, desk, session) for _ in range(at_once)]
            ends = await asyncio.gather(*tables, return_exceptions=True)
    for end in ends:
        if end is not None:
            raise end


async def _table(waiting: Iterable[Match], desk: Desk, session: Session) -> None:
    """Play one match after the other; a failure stops the other tables at their next call.

    What is in flight at them is paid for, and reaches the disk first.
    """
    try:
        await _play_on(waiting, desk, session)
    except Exception as fault:
        session.ledger.brake.pull(type(fault).__name__)
        raise


async def _play_on(waiting: Iterable[Match], desk: Desk, session: Session) -> None:
    """Play one match after the other of those that all tables share."""
    ledger = session.ledger
    for match in waiting:
        if ledger.brake.reason:
            return
        await session.tell(EventKind.MATCH_STARTED, match=match.id)
        try:
            facts = await desk.play(match)
        except RunStopped:
            return
        except Trouble:  # one that stops the run: its caller has pulled the brake
            return
        ledger.replay.forget(match.id)
        session.ended += 1
        await session.tell(EventKind.MATCH_ENDED, **facts)
        ledger.on_point(SyncPoint.MATCH_ENDED, match.id)

"""One sitting of a run: matches played at several tables until the last has ended or all stop."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path

from ..errors import RunStopped
from ..models.cost import Budget
from ..models.trouble import Trouble
from ..rules.schedule import Match
from .caller import Ledger
from .callers import Models, calling
from .clock import now
from .desk import Desk, InPlay
from .journal import EventKind, Journal
from .points import SyncPoint
from .resume import taken_up
from .session import INTERRUPTED, Session, interruptible
from .stop import Brake
from .terms import Terms, at_a_time


def session_of(
    run: InPlay, journal: Journal, kept: frozenset[str], terms: Terms
) -> tuple[Session, frozenset[str]]:
    """Return a session that goes on from a journal, and the matches that it says have ended."""
    forked = run.manifest.forked_from
    fork = Path(forked) if forked else None
    replay, ended = taken_up(run.folder.journal, kept, run.manifest.cohort, fork)
    ledger = Ledger(
        journal=journal,
        replay=replay,
        budget=Budget(terms.budget, replay.spent),
        brake=Brake(),
        listener=terms.on_event or (lambda _record: None),
        on_point=terms.on_point,
        forked=forked,
    )
    return Session(ledger, len(kept), len(run.manifest.schedule.matches)), ended


def close(run: InPlay, session: Session) -> None:
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


async def sit(
    missing: list[Match], run: InPlay, models: Models, session: Session, terms: Terms
) -> None:
    """Play matches in order, a bounded number at a time, until the last has ended or all stop."""
    cohort, ledger = run.manifest.cohort, session.ledger
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

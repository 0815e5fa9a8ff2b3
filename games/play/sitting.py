"""One sitting of a run: matches played at several tables until the last has ended or all stop."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ..errors import RunStopped
from ..models.trouble import Trouble
from ..rules.schedule import Match
from .callers import Models, calling
from .desk import Desk, InPlay
from .journal import EventKind, Journal
from .points import SyncPoint
from .resume import taken_up
from .session import Session, at_tables, ledger_of
from .terms import Terms, at_a_time


def session_of(
    run: InPlay, journal: Journal, kept: frozenset[str], terms: Terms
) -> tuple[Session, frozenset[str]]:
    """Return a session that goes on from a journal, and the matches that it says have ended."""
    forked = run.manifest.forked_from
    fork = Path(forked) if forked else None
    replay, ended = taken_up(run.folder.journal, kept, run.manifest.cohort, fork)
    ledger = ledger_of(journal, replay, terms, forked)
    return Session(ledger, len(kept), len(run.manifest.schedule.matches)), ended


async def sit(
    missing: list[Match], run: InPlay, models: Models, session: Session, terms: Terms
) -> None:
    """Play matches in order, a bounded number at a time, until the last has ended or all stop."""
    cohort, ledger = run.manifest.cohort, session.ledger
    async with calling(cohort, models, ledger) as callers:
        desk = Desk(run, callers, terms.on_point)
        waiting = iter(missing)
        at_once = terms.concurrency or at_a_time(cohort, cohort.models())
        tables = min(at_once, max(1, len(missing)))
        await at_tables(tables, lambda: _play_on(waiting, desk, session), ledger)


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

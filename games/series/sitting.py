"""One sitting of a series run: series played at several tables until the last has ended, or stop.

Those of snapshots come when nobody writes notes any more. A series whose agent nobody could reach
stops where it stands, and the others go on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from ..errors import RunStopped
from ..models.trouble import Trouble
from ..play.caller import Caller
from ..play.callers import Models, in_line
from ..play.journal import EventKind, Journal
from ..play.points import SyncPoint
from ..play.session import Session, at_tables
from ..play.terms import Terms, at_a_time
from .archive import Archive
from .desk import Desk, SeriesRun
from .folder import Told
from .records import EVOLVING


class Sitting:
    """Plays what is missing of a run.

    Parameters
    ----------
    run : SeriesRun
    session : Session
    """

    def __init__(self, run: SeriesRun, session: Session) -> None:
        self._run, self._session = run, session
        self._stopped: dict[str, str] = {}
        self._waiting = 0

    async def sit(self, missing: Sequence[Told], models: Models, terms: Terms) -> None:
        """Play series in order, a bounded number at a time, until the last has ended or all stop.

        Parameters
        ----------
        missing : sequence of Told
            The series that have not ended, with what their files hold.
        models : mapping
            Endpoint to its models, opened; they are closed in the end.
        terms : Terms
        """
        cohort, ledger = self._run.manifest.cohort, self._session.ledger
        at_once = terms.concurrency or at_a_time(cohort, cohort.asked())
        async with in_line(cohort, models, ledger) as callers:
            by_id = {caller.who.id: caller for caller in callers}
            for part in _parts(missing):
                # A new archive for each: the first part writes what the second reads.
                archive = Archive(self._run.folder, self._run.manifest.plan)
                serve = partial(self._serve, iter(part), archive, by_id)
                await at_tables(min(at_once, max(1, len(part))), serve, ledger)
        self._brake()

    async def _serve(
        self, waiting: Iterator[Told], archive: Archive, callers: Mapping[str, Caller]
    ) -> None:
        """Play one series after the other of those that all tables share."""
        for told in waiting:
            if self._session.ledger.brake.reason:
                return
            if told.series.kind not in EVOLVING and not archive.ready(told.series):
                self._waiting += 1
                continue
            await self._play(Desk(self._run, told, callers, self._session.ledger), archive)

    async def _play(self, desk: Desk, archive: Archive) -> None:
        session, series = self._session, desk.series.id
        with Journal(self._run.folder.series_path(desk.series)) as file:
            if file.torn:
                await session.tell(EventKind.LINE_TORN, match=series, note=file.torn)
            await session.tell(EventKind.SERIES_STARTED, match=series)
            try:
                await desk.play(file, archive, self._count)
            except RunStopped:
                return
            except Trouble as trouble:
                if trouble.stops:  # the whole run: its caller has pulled the brake
                    return
                self._stopped[series] = str(trouble)
                note = f"after {desk.rounds} of {desk.series.rounds} rounds: {trouble}"
                await session.tell(EventKind.SERIES_STOPPED, match=series, note=note)
                return
        await session.tell(EventKind.SERIES_ENDED, match=series)
        session.ledger.on_point(SyncPoint.MATCH_ENDED, series)

    def _count(self) -> None:
        self._session.ended += 1

    def _brake(self) -> None:
        """Let the run end as stopped where a series is, with what to do."""
        if not self._stopped:
            return
        first, why = next(iter(sorted(self._stopped.items())))
        others = len(self._stopped) - 1
        more = f", {others} more stopped" if others else ""
        more += f", {self._waiting} wait for their notes" if self._waiting else ""
        self._session.ledger.brake.pull(
            f"series {first} stopped ({why}){more}; see to what its endpoint says"
        )


def _parts(missing: Iterable[Told]) -> tuple[list[Told], list[Told]]:
    """Return the series that write notes, and those that are frozen to one."""
    parts: tuple[list[Told], list[Told]] = ([], [])
    for told in missing:
        parts[told.series.kind not in EVOLVING].append(told)
    return parts

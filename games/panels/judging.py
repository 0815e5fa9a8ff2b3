"""A panel put to recorded dialogues: live, resumable, every reply on disk before it counts.

The panel's journal is all that a resumption needs; verdict files follow from it, whatever the
number of tables, the order in which replies came, or how often the panel was stopped.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from ..errors import Place, RunError
from ..play.asking import Call
from ..play.callers import Models
from ..play.clock import now
from ..play.journal import Event, EventKind, Journal, read_journal
from ..play.lock import held
from ..play.points import SyncPoint
from ..play.replay import Replay
from ..play.session import Session, interruption_told, ledger_of
from ..play.terms import Terms
from ..rules.item import match_of
from .ahead import check_batches, go_ahead
from .batch_records import refuse_under_way
from .batch_sitting import BatchTerms
from .folder import PANEL, PanelFolder, PanelManifest
from .put import Put, check_unchanged
from .sitting import Sitting, Verdicts


class Shelf(Protocol):
    """Where the verdicts of a panel are kept."""

    def whole(self) -> bool:
        """Return whether it holds the verdicts of every seat."""

    def keep(self, verdicts: Verdicts, *, complete: bool) -> None:
        """Keep the verdicts of every seat; ``complete`` where no stop left any of them out."""


def judge_items(
    put: Put,
    folder: PanelFolder,
    shelf: Shelf,
    terms: Terms | None = None,
    batch: BatchTerms | None = None,
) -> None:
    """Put items to every seat of a panel, or go on where that stopped.

    Verdicts are kept when the sitting ends, also when it is stopped: by its budget, by an endpoint
    that needs a person, or by Ctrl-C. After a second Ctrl-C they stay as they were. Items that got
    no reply, as when they are too long for a model, are asked about again by the same call.

    Parameters
    ----------
    put : Put
    folder : PanelFolder
        New, or one that was started with the same panel, words, items, study and version.
    shelf : Shelf
    terms : Terms, optional
        Replies of another run are nothing that a panel could take over: ``fork`` is refused.
    batch : BatchTerms, optional
        Ask in batches first, and live only for what these do not bring.

    Raises
    ------
    StudyError
        The environment lacks a key or an address that an endpoint names.
    RunError
        The panel is being asked by another process, something that it was started with has
        changed, a term is out of range, a judge's client knows no batches, or some are under way
        and would be paid for once more.
    RunStopped, KeyboardInterrupt
        As for a run that is played; the same call goes on.
    """
    terms = terms or Terms()
    terms.check(put.panel)
    if terms.fork is not None:
        raise RunError("--fork", "is of runs that are played; a panel takes over nothing")
    if batch is not None:
        check_batches(put.panel)
    # A key that is missing is better known before there is a folder.
    models = None if (folder.path / PANEL).is_file() else terms.opened(put.panel)
    folder.path.mkdir(parents=True, exist_ok=True)
    with held(folder.path, "--panel", "asked"):
        for part in folder.path.glob(".*.part"):
            part.unlink()
        if batch is None:
            refuse_under_way(folder.batches)
        manifest = _taken_up(folder, put.manifest())
        if manifest.ended is None or not shelf.whole():
            _check_journal(folder, manifest, put, shelf)
            models = models or terms.opened(put.panel)
            _finish(put, folder, manifest, shelf, terms=terms, batch=batch, models=models)


def _taken_up(folder: PanelFolder, fresh: PanelManifest) -> PanelManifest:
    """Return the manifest under which a panel goes on, or a fresh one, written."""
    path = folder.path / PANEL
    if not path.is_file():
        folder.write_manifest(fresh)
        return fresh
    before = folder.manifest()
    check_unchanged(before, fresh, Place(path))
    return before


def _check_journal(folder: PanelFolder, manifest: PanelManifest, put: Put, shelf: Shelf) -> None:
    """Refuse to ask anew what was paid for, where the journal is lost that would tell."""
    kept = manifest.ended is not None or shelf.whole()
    if put.panel.judges and kept and not folder.journal.is_file():
        place = Place(folder.journal)
        raise RunError(
            folder.journal.name, "is missing beside the verdicts of this panel", place=place
        )


def _finish(
    put: Put,
    folder: PanelFolder,
    manifest: PanelManifest,
    shelf: Shelf,
    *,
    terms: Terms,
    batch: BatchTerms | None,
    models: Models,
) -> None:
    """Ask what is missing, keep all verdicts and say how it ended."""
    begun = folder.journal.is_file()
    with Journal(folder.journal) as journal:
        replay, over, reopened = _journalled(folder.journal)
        matches = {match_of(item.id) for item in put.items}
        session = Session(ledger_of(journal, replay, terms), len(over), len(matches))
        if journal.torn:
            session.record(EventKind.LINE_TORN, note=journal.torn)
        for match in reopened:
            session.record(EventKind.MATCH_REOPENED, match=match)
        session.record(EventKind.RUN_RESUMED if begun else EventKind.RUN_STARTED)
        sitting = Sitting(put, session, over)

        async def ahead() -> None:
            if batch is not None:
                await go_ahead(put, models, session.ledger, folder, batch)

        def end() -> None:
            if sitting.whole:
                folder.write_manifest(manifest.model_copy(update={"ended": now()}))

        with interruption_told(session):
            asyncio.run(sitting.sit(models, terms, ahead))
            shelf.keep(sitting.verdicts(), complete=not session.ledger.brake.reason)
            terms.on_point(SyncPoint.VERDICTS_WRITTEN, put.panel.name)
            session.close(end)


def _journalled(journal: Path) -> tuple[Replay, frozenset[str], list[str]]:
    """Return what a journal holds: its replies, the matches that are over, and those reopened.

    A match of which some item got no reply is not over: what is missing is asked again.
    """
    replay, notes = Replay(), dict[str, str]()

    def passed() -> Iterator[Event | Call]:
        for record in read_journal(journal):
            if isinstance(record, Event) and record.kind is EventKind.MATCH_ENDED:
                notes[record.match or ""] = record.note
            yield record

    replay.take(passed(), frozenset())
    over = frozenset(match for match, note in notes.items() if not note)
    return replay, over, sorted(notes.keys() - over)
